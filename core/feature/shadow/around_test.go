package shadow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// The material above a height within a window agrees with the mesh.
func TestAroundAgainstTheMesh(t *testing.T) {
	for _, name := range []string{"pockets", "bosses", "lugs", "slotted_rod", "chamfers"} {
		t.Run(name, func(t *testing.T) {
			g := featuretest.Graph(t, name)
			samples := outline.Sample(g)
			random := rand.New(rand.NewPCG(3, 4))
			inside, outside := 0, 0
			for _, dir := range directions {
				view := samples.Along(g, dir)
				a := shadow.NewPointQuery(view, g.HeightsAlong(dir))
				brute := sky{g.Mesh, view.Frame}
				var local []geom.Vec3
				for _, p := range g.Mesh.Points {
					local = append(local, view.Frame.Local(p))
				}
				box := geom.BoxOf(local...)
				in := func(lo, hi float64) float64 { return lo + (hi-lo)*random.Float64() }
				for range 8 {
					z := in(box.Min.Z, box.Max.Z)
					lo := geom.Vec2{X: in(box.Min.X, box.Max.X), Y: in(box.Min.Y, box.Max.Y)}
					hi := lo.Add(geom.Vec2{X: in(1, 20), Y: in(1, 20)})
					found, err := a.Above(z, 0, []planar.Segment{planar.NewLine(lo, hi)})
					if err != nil {
						t.Fatal(err)
					}
					for range 20 {
						p := geom.Vec2{X: in(lo.X, hi.X), Y: in(lo.Y, hi.Y)}
						if math.Abs(found.Distance(p)) < 2*chord || math.Abs(brute.top(p)-z) < 2*chord {
							continue
						}
						want := brute.top(p) > z
						if want {
							inside++
						} else {
							outside++
						}
						if got := found.Contains(p); got != want {
							t.Fatalf("along %v above %g, at %v: material %v, want %v; top %g", dir, z, p, got, want, brute.top(p))
						}
					}
				}
			}
			if inside < 20 || outside < 20 {
				t.Errorf("only %d places inside and %d outside were looked at", inside, outside)
			}
		})
	}
}
