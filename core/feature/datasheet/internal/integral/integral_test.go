package integral_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/datasheet/internal/integral"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

func all(g *graph.Graph) []int32 {
	out := make([]int32, len(g.Patches))
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// By the divergence theorem the volume between a part's closed surface and any level, along any direction, equals the
// part's own volume with opposite sign; the areas equal the face areas.
func TestClosedSurfaces(t *testing.T) {
	for _, row := range []struct {
		part  string
		exact bool    // has no surface that is summed over the mesh, along z
		rel   float64 // agreement of the sums along any direction
	}{
		{"plate_holes", true, 1e-9},
		{"pockets", true, 1e-9},
		{"chamfers", true, 1e-9},
		{"cross_holes", true, 1e-6},
		{"cone_truncated", true, 1e-9},
		{"bosses", true, 1e-9},
		{"fillets", true, 2e-3},
		{"turned_part", false, 2e-3},
	} {
		t.Run(row.part, func(t *testing.T) {
			g, p := featuretest.Measured(t, row.part)
			z := integral.Of(g, all(g), geom.Vec3{Z: 1}, p.Bounds.Max.Z)
			tol := 1e-6
			if row.exact == z.Inexact {
				t.Errorf("summed over the mesh: %v", z.Inexact)
			}
			if z.Inexact {
				tol = row.rel
			}
			if off := math.Abs(z.Area-p.Area) / p.Area; off > tol {
				t.Errorf("area %v, want %v", z.Area, p.Area)
			}
			if off := math.Abs(z.Volume+p.Volume) / p.Volume; off > tol {
				t.Errorf("volume up to a level along z %v, want %v", z.Volume, -p.Volume)
			}
			rapid.Check(t, func(t *rapid.T) {
				dir := drawDir(t)
				level := rapid.Float64Range(-200, 200).Draw(t, "level")
				s := integral.Of(g, all(g), dir, level)
				if off := math.Abs(s.Volume+p.Volume) / p.Volume; off > row.rel*10 {
					t.Fatalf("volume along %v %v, want %v", dir, s.Volume, -p.Volume)
				}
				if s.Floor > s.Area*(1+1e-9) || s.Wall > s.Area*(1+1e-9) || s.Floor+s.Wall < s.Area*(1-1e-6) {
					t.Fatalf("floor %v and wall %v of area %v", s.Floor, s.Wall, s.Area)
				}
			})
		})
	}
}

func drawDir(t *rapid.T) geom.Vec3 {
	c := rapid.Float64Range(-1, 1)
	d := geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
	if d.Norm() < 0.1 {
		t.Skip("no direction")
	}
	return d.Unit()
}

// The integrals of each patch agree with its mesh within the mesh's accuracy.
func TestPatchesAgreeWithTheirMesh(t *testing.T) {
	for _, part := range []string{"fillets", "turned_part", "bosses", "sphere", "torus"} {
		g, p := featuretest.Measured(t, part)
		dir := geom.Vec3{Z: 1}
		level := p.Bounds.Max.Z
		for q := range g.Patches {
			s := integral.Of(g, []int32{int32(q)}, dir, level)
			var floor, wall, volume float64
			g.EachTriangle(int32(q), func(a, b, c geom.Vec3) bool {
				n := b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
				up := n.Dot(dir)
				floor += math.Abs(up)
				wall += math.Sqrt(max(0, n.Norm2()-up*up))
				volume += (level - a.Add(b).Add(c).Dot(dir)/3) * up
				return true
			})
			area := g.Patches[q].Area
			for _, c := range []struct {
				name      string
				got, want float64
				tol       float64
			}{
				{"area", s.Area, area, 0.03 * area},
				{"floor", s.Floor, floor, 0.03 * area},
				{"wall", s.Wall, wall, 0.03 * area},
				{"volume", s.Volume, volume, 0.03 * area * p.Bounds.Diagonal()},
			} {
				if math.Abs(c.got-c.want) > c.tol {
					t.Errorf("%s patch %d (kind %v): %s %v, of the mesh %v", part, q, g.Patches[q].Kind, c.name, c.got,
						c.want)
				}
			}
		}
	}
}

// The projected area of a patch that faces one side is the area within its outline for any shape inside.
func TestFloorOfACone(t *testing.T) {
	g, _ := featuretest.Measured(t, "cone_truncated")
	for q := range g.Patches {
		s := &g.Patches[q].Shape
		if s.Slope == 0 {
			continue
		}
		iv := g.Reach(int32(q), s)
		want := math.Pi * (iv.Hi*iv.Hi - iv.Lo*iv.Lo)
		if got := integral.Of(g, []int32{int32(q)}, s.Axis, 0).Floor; math.Abs(got-want) > 1e-9*want {
			t.Errorf("floor %v, want the ring's %v", got, want)
		}
	}
}
