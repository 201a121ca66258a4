package planning

import (
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestBeamsAnswerAsPoints: along each line, in and beside the part, with cuts from none to all sides.
func TestBeamsAnswerAsPoints(t *testing.T) {
	g := featuretest.Graph(t, "bosses")
	box := geom.BoxOf(g.Mesh.Points...)
	p, random := &planner{g: g, frame: geom.World, part: box}, rand.New(rand.NewPCG(1, 2))
	within := func(iv geom.Interval) float64 { return iv.Lo - 5 + random.Float64()*(iv.Length()+10) }
	left := 0
	for n := range 400 {
		var st state
		for s := side(0); s < sides; s++ {
			if n>>s&1 != 0 {
				st.cuts = append(st.cuts, cut{s, within(s.span(box))})
			}
		}
		to := side(random.IntN(sides))
		at := geom.Vec3{X: within(along(box, 0)), Y: within(along(box, 1)), Z: within(along(box, 2))}
		line := p.beamFrom(&st, at, to, nil)
		for range 50 {
			out := within(to.span(box))
			at.SetCoordinate(to.axis(), to.sign()*out)
			want := p.isLeft(&st, at, (*heightField).highest)
			if got := line.isLeft(out); got != want {
				t.Fatalf("cuts %v, side %v: %v is left: %v, want %v", st.cuts, to, at, got, want)
			}
			if want && len(st.cuts) > 1 {
				left++
			}
		}
	}
	if left == 0 {
		t.Error("no place is left under several cuts: it shows nothing")
	}
}
