package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// A short arc of a large circle does not reach as far as the circle.
func TestBoundsOfArcs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		s := motion.Segment{From: geom.Vec3{X: 50 * random.Float64(), Y: 50 * random.Float64()}}
		s.Center = geom.Vec2{X: 100*random.Float64() - 50, Y: 100*random.Float64() - 50}
		s.Turn = 2 * math.Pi * (2*random.Float64() - 1)
		sin, cos := math.Sincos(s.Turn)
		d := geom.Vec2{X: s.From.X - s.Center.X, Y: s.From.Y - s.Center.Y}
		s.To = geom.Vec3{X: s.Center.X + d.X*cos - d.Y*sin, Y: s.Center.Y + d.X*sin + d.Y*cos}
		seen := geom.EmptyBox()
		const places = 2000
		for i := range places + 1 {
			seen = seen.Add(s.At(float64(i) / places))
		}
		got := bounds(&s)
		if got.Min.Dist(seen.Min) > 1e-3 || got.Max.Dist(seen.Max) > 1e-3 {
			t.Fatalf("%+v lies in %+v, its places in %+v", s, got, seen)
		}
	}
}
