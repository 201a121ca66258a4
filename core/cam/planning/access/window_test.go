package access_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// In a window the tip may be where it may be anywhere, and nowhere outside of it.
func TestWindowsChangeNothingInThem(t *testing.T) {
	for _, name := range []string{"pockets", "fillets", "bosses", "torus"} {
		t.Run(name, func(t *testing.T) {
			g := featuretest.Graph(t, name)
			frame := geom.NewFrame(geom.Vec3{X: 5, Y: 6, Z: 7}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
			box := geom.BoxOf(points(g, frame, 1)...)
			random := rand.New(rand.NewPCG(7, 8))
			place := func() geom.Vec2 {
				b := box.Grow(20)
				return geom.Vec2{X: b.Min.X + random.Float64()*b.Size().X, Y: b.Min.Y + random.Float64()*b.Size().Y}
			}
			stock := access.NewStock(box)
			site, err := access.New(g, outline.Sample(g), frame, stock, nil, chord)
			if err != nil {
				t.Fatal(err)
			}
			far := geom.Vec2{X: box.Min.X + 0.8*box.Size().X, Y: box.Max.Y + 100} // most of the stock is gone
			gone, err := arcpoly.New(planar.Loop{
				planar.NewLine(geom.Vec2{X: -1000, Y: -1000}, geom.Vec2{X: far.X, Y: -1000}),
				planar.NewLine(geom.Vec2{X: far.X, Y: -1000}, far), planar.NewLine(far, geom.Vec2{X: -1000, Y: far.Y}),
				planar.NewLine(geom.Vec2{X: -1000, Y: far.Y}, geom.Vec2{X: -1000, Y: -1000}),
			})
			if err != nil {
				t.Fatal(err)
			}
			stock.Cut(access.RemovedArea{Z: box.Min.Z, Area: gone})
			free, stopped := 0, 0
			list := tools()
			for _, kind := range slices.Sorted(maps.Keys(list)) {
				tool := list[kind]
				assembly := tool.Assembly()
				z := box.Min.Z + (0.5+0.6*random.Float64())*box.Size().Z
				leave := access.StockToLeave{Radial: 0.3 * random.Float64()}
				a, b := place(), place()
				lo, hi := geom.Vec2{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, geom.Vec2{X: max(a.X, b.X), Y: max(a.Y, b.Y)}
				all, err := site.Free(&assembly, z, leave, 20, access.Window{})
				if err != nil {
					t.Fatal(err)
				}
				some, err := site.Free(&assembly, z, leave, 20, access.NewWindow(lo, hi))
				if err != nil {
					t.Fatal(err)
				}
				for range 200 {
					p := place()
					inside := p.X > lo.X && p.X < hi.X && p.Y > lo.Y && p.Y < hi.Y
					want := inside && all.Contains(p)
					if got := some.Contains(p); got != want && max(all.Distance(p), -all.Distance(p)) > 1e-3 {
						t.Fatalf("%v at %g, in the window %v to %v: free %v, want %v", p, z, lo, hi, got, want)
					}
					if want {
						free++
					} else if inside {
						stopped++
					}
				}
			}
			if free == 0 || stopped == 0 {
				t.Errorf("%d places are free and %d are not", free, stopped)
			}
		})
	}
}
