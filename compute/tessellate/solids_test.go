package tessellate

import (
	"context"
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// solid is a test part with its exact volume (mm³) and area (mm²).
type solid struct {
	name         string
	model        *brep.Model
	volume, area float64
}

const pi = math.Pi

// solids lists every part of core/kernel/brep/build in every form of seam and pole.
func solids() []solid { return solidsIn(build.Styles()...) }

// someSolids lists every part once.
func someSolids() []solid { return solidsIn(build.Style{Seams: build.SeamEdge, Poles: build.PoleEdge}) }

func solidsIn(styles ...build.Style) []solid {
	box := geom.Vec3{X: 40, Y: 30, Z: 10}
	all := []solid{
		{"box", build.Box(box), 40 * 30 * 10, 2 * (40*30 + 40*10 + 30*10)},
		{"rounded prism", build.Prism("rounded", build.Rounded(20, 10, 2), 5, build.Style{}),
			5 * (200 - (4-pi)*4), 2*(200-(4-pi)*4) + 5*(60-16+4*pi)},
	}
	for _, s := range styles {
		add := func(name string, m *brep.Model, volume, area float64) {
			all = append(all, solid{fmt.Sprintf("%s seams %d poles %d", name, s.Seams, s.Poles), m, volume, area})
		}
		add("cylinder", build.Cylinder(2, 5, s), pi*4*5, 2*pi*4+2*pi*2*5)
		slant := math.Hypot(2, 5)
		add("frustum up", build.Frustum(3, 1, 5, s), pi*5/3*(9+3+1), pi*(9+1+4*slant))
		add("frustum down", build.Frustum(1, 3, 5, s), pi*5/3*(9+3+1), pi*(9+1+4*slant))
		slant = math.Hypot(3, 5)
		add("cone", build.Frustum(3, 0, 5, s), pi*15, pi*(9+3*slant))
		add("cone on its apex", build.Frustum(0, 3, 5, s), pi*15, pi*(9+3*slant))
		add("tube", build.Tube(1, 2, 3, s), pi*3*3, 2*pi*3+2*pi*3*3)
		add("sphere", build.Sphere(2, s), 4.0/3*pi*8, 4*pi*4)
		add("hemispheres", build.Hemispheres(2, s), 4.0/3*pi*8, 4*pi*4)
		plate := build.Plate(box, s,
			build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
			build.Hole{Center: geom.Vec2{X: 25, Y: 10}, Profile: build.Blind(6, 5, pi)},
			build.Hole{Center: geom.Vec2{X: 10, Y: 20}, Profile: build.Blind(6, 5, pi/2)},
			build.Hole{Center: geom.Vec2{X: 25, Y: 20},
				Profile: []geom.Vec2{{X: 5}, {X: 5, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 10}}})
		add("plate", plate, 12000-pi*(9*10+9*5+9*5+9+25*3+4*7),
			3800+pi*(2*3*10-2*9+2*3*5+2*3*5-9+9*math.Sqrt2+2*5*3+2*2*7-2*4))
	}
	for f := range build.TorusForms {
		all = append(all,
			solid{fmt.Sprintf("torus %d", f), build.Torus(5, 2, f), 2 * pi * pi * 5 * 4, 4 * pi * pi * 10})
	}
	return all
}

func mustMesh(t testing.TB, m *brep.Model, o Options) *Result {
	t.Helper()
	res, err := Mesh(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// deviation samples every triangle at 66 points and returns the largest distance to the surface of
// its face, and the largest angle between a triangle and its surface at the triangle's centroid.
func deviation(m *brep.Model, res *Result) (gap, angle float64) {
	const n = 10
	for f := range m.Faces {
		s := m.Faces[f].Surface
		r := res.Mesh.Regions[f]
		for t := r.Start; t < r.End; t++ {
			c := res.Mesh.Triangles[t]
			p, q, o := res.Mesh.Points[c[0]], res.Mesh.Points[c[1]], res.Mesh.Points[c[2]]
			for i := range n + 1 {
				for j := range n + 1 - i {
					x := p.AddScaled(float64(i)/n, q.Sub(p)).AddScaled(float64(j)/n, o.Sub(p))
					_, d := s.Invert(x)
					gap = max(gap, d)
				}
			}
			uv, _ := s.Invert(p.Add(q).Add(o).Scale(1.0 / 3))
			n := s.Normal(uv.X, uv.Y)
			if m.Faces[f].Reversed {
				n = n.Neg()
			}
			if a := res.Mesh.Normal(int(t)).Angle(n); a > angle {
				angle = a
			}
		}
	}
	return gap, angle
}

func TestSolidsAreWatertightAndAccurate(t *testing.T) {
	const chord = 0.02
	for _, s := range solids() {
		t.Run(s.name, func(t *testing.T) {
			res := mustMesh(t, s.model, Options{ChordTolerance: chord})
			if !res.Report.Watertight || len(res.Warnings) > 0 {
				t.Fatalf("%+v, warnings %v", res.Report, res.Warnings)
			}
			for f, r := range res.Mesh.Regions {
				if r.Start == r.End {
					t.Errorf("face %d has no triangles", f)
				}
			}
			gap, angle := deviation(s.model, res)
			if gap > chord*(1+1e-9) {
				t.Errorf("deviation %g mm, want at most %g", gap, chord)
			}
			if angle > DefaultAngle {
				t.Errorf("angle %g°, want at most %g°", angle*180/pi, DefaultAngle*180/pi)
			}
			// A chord off by d over a surface of area A encloses a volume off by less than d·A.
			if got := res.Mesh.Volume(); math.Abs(got-s.volume) > chord*s.area {
				t.Errorf("volume %g, want %g", got, s.volume)
			}
			if got := res.Mesh.Area(); math.Abs(got-s.area) > 0.02*s.area {
				t.Errorf("area %g, want %g", got, s.area)
			}
			t.Logf("%d triangles, gap %.4f, angle %.1f°", len(res.Mesh.Triangles), gap, angle*180/pi)
		})
	}
}
