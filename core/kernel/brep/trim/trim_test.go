package trim

import (
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// evenly samples every edge at equal parameter steps and numbers the samples so that edges share
// their ends.
type evenly struct {
	m       *brep.Model
	pieces  int
	samples [][]Sample
	count   int32
}

func sampleEvenly(m *brep.Model, pieces int) *evenly {
	s := &evenly{m: m, pieces: pieces, count: int32(len(m.Vertices))}
	for _, e := range m.Edges {
		if e.Curve == nil {
			s.samples = append(s.samples, []Sample{s.VertexSample(e.Start)})
			continue
		}
		first, last := s.VertexSample(e.Start), s.VertexSample(e.End)
		first.T, last.T = e.Range.Lo, e.Range.Hi
		list := []Sample{first}
		for k := 1; k < pieces; k++ {
			t := e.Range.At(float64(k) / float64(pieces))
			list = append(list, Sample{T: t, P: e.Curve.At(t), Index: s.count})
			s.count++
		}
		s.samples = append(s.samples, append(list, last))
	}
	return s
}

func (s *evenly) EdgeSamples(e brep.EdgeID) []Sample { return s.samples[e] }

func (s *evenly) VertexSample(v brep.VertexID) Sample {
	return Sample{P: s.m.Vertices[v].Point, Index: int32(v)}
}

// integrate returns area and three times the volume under a face by Green's theorem over the
// polygons: the inner integral runs along v from a fixed line.
func integrate(f *brep.Face, d *Domain) (area, volume float64) {
	base := d.Polygons[0][0].UV.Y
	for _, poly := range d.Polygons {
		for i, a := range poly {
			c := poly[(i+1)%len(poly)].UV
			du := c.X - a.UV.X
			if math.Abs(du) < 1e-9 {
				continue // along a meridian
			}
			parts := 1
			if a.Coedge == brep.None {
				parts = 16 // a cut, or a line along a pole, over many knots
			}
			h := 1 / float64(parts)
			for k := range parts * len(gaussX) {
				uv := a.UV.Lerp(c, h*(float64(k/len(gaussX))+gaussX[k%len(gaussX)]))
				ia, iv := column(f.Surface, uv.X, base, uv.Y)
				area -= gaussW[k%len(gaussW)] * h * du * ia
				volume -= gaussW[k%len(gaussW)] * h * du * iv
			}
		}
	}
	if f.Reversed {
		volume = -volume
	}
	return area, volume
}

var (
	gaussX = [5]float64{0.046910077030668, 0.2307653449471585, 0.5, 0.7692346550528415, 0.953089922969332}
	gaussW = [5]float64{0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
		0.1184634425280945}
)

func column(s surface.Surface, u, v0, v1 float64) (area, volume float64) {
	const parts = 4
	h := (v1 - v0) / parts
	for part := range parts {
		for k, x := range gaussX {
			p, du, dv := s.D1(u, v0+h*(float64(part)+x))
			n := du.Cross(dv)
			area += gaussW[k] * h * n.Norm()
			volume += gaussW[k] * h * n.Dot(p)
		}
	}
	return area, volume
}

// checkDomain asserts the invariants of every Domain.
func checkDomain(t *testing.T, name string, f brep.FaceID, face *brep.Face, d *Domain) {
	t.Helper()
	seen := map[int32]geom.Vec3{}
	for k, poly := range d.Polygons {
		if a := Area(poly); (a > 0) != (k == 0) {
			t.Errorf("%s face %d: polygon %d has area %g", name, f, k, a)
		}
		for i, v := range poly {
			p := face.Surface.At(v.UV.X, v.UV.Y)
			if p.Dist(v.P) > 1e-9 {
				t.Errorf("%s face %d polygon %d: vertex %d lies %g off its place", name, f, k, i, p.Dist(v.P))
			}
			if q, ok := seen[v.Index]; ok && q != v.P {
				t.Errorf("%s face %d: index %d stands for %v and %v", name, f, v.Index, q, v.P)
			}
			seen[v.Index] = v.P
			if v.Index < 0 && d.Extra[^v.Index] != v.P {
				t.Errorf("%s face %d: extra %d is not at its vertex", name, f, ^v.Index)
			}
		}
	}
	if a, b, ok := crossing(d); ok {
		t.Errorf("%s face %d: polygon pieces at %v and %v cross", name, f, a, b)
	}
	checkCuts(t, name, f, d)
}

// checkCuts asserts that every piece without an edge has a partner in the opposite direction, or lies along a pole.
func checkCuts(t *testing.T, name string, f brep.FaceID, d *Domain) {
	t.Helper()
	open := map[[2]int32]int{}
	for _, poly := range d.Polygons {
		for i, v := range poly {
			w := poly[(i+1)%len(poly)]
			if v.Coedge == brep.None && v.Index != w.Index {
				pair, way := [2]int32{v.Index, w.Index}, 1
				if v.Index > w.Index {
					pair, way = [2]int32{w.Index, v.Index}, -1
				}
				open[pair] += way
			}
		}
	}
	for pair, n := range open {
		if n != 0 {
			t.Errorf("%s face %d: cut piece %v has no partner", name, f, pair)
		}
	}
}

// crossing returns two pieces that meet other than at a common corner.
func crossing(d *Domain) (a, b geom.Vec2, found bool) {
	type piece struct{ a, b geom.Vec2 }
	var all []piece
	for _, poly := range d.Polygons {
		for i := range poly {
			all = append(all, piece{poly[i].UV, poly[(i+1)%len(poly)].UV})
		}
	}
	for i, p := range all {
		for _, q := range all[:i] {
			if p.a == q.b || p.b == q.a {
				continue
			}
			d, e := p.b.Sub(p.a), q.b.Sub(q.a)
			const rounding = 1e-12
			if d.Cross(q.a.Sub(p.a))*d.Cross(q.b.Sub(p.a)) < -rounding*d.Norm2()*e.Norm2() &&
				e.Cross(p.a.Sub(q.a))*e.Cross(p.b.Sub(q.a)) < -rounding*d.Norm2()*e.Norm2() {
				return p.a, q.a, true
			}
		}
	}
	return
}

// totals builds every domain of a model, checks it and sums area and volume.
func totals(t *testing.T, name string, m *brep.Model, pieces int) (area, volume float64) {
	t.Helper()
	var b Builder
	s := sampleEvenly(m, pieces)
	for i := range m.Faces {
		d, err := b.Build(m, brep.FaceID(i), s, Options{ChordTolerance: 1e-3, AngleTolerance: 0.3})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Turned != 0 {
			t.Errorf("%s face %d: turned %d loops of a correct model", name, i, d.Turned)
		}
		checkDomain(t, name, brep.FaceID(i), &m.Faces[i], d)
		da, dv := integrate(&m.Faces[i], d)
		area, volume = area+da, volume+dv/3
	}
	return area, volume
}

func near(got, want, rel float64) bool { return math.Abs(got-want) <= rel*math.Abs(want) }

func TestRoundSolids(t *testing.T) {
	const pieces = 24
	for _, s := range build.Styles() {
		for _, row := range []struct {
			name         string
			m            *brep.Model
			area, volume float64
		}{
			{"cylinder", build.Cylinder(2, 5, s), 2*math.Pi*2*5 + 8*math.Pi, math.Pi * 20},
			{"cone", build.Frustum(3, 0, 4, s), math.Pi*3*5 + 9*math.Pi, math.Pi * 12},
			{"cone on its apex", build.Frustum(0, 3, 4, s), math.Pi*3*5 + 9*math.Pi, math.Pi * 12},
			{"frustum", build.Frustum(4, 1, 4, s), math.Pi*5*5 + 17*math.Pi, math.Pi * 28},
			{"tube", build.Tube(1, 2, 3, s), 18*math.Pi + 6*math.Pi, math.Pi * 9},
			{"sphere", build.Sphere(2, s), 16 * math.Pi, math.Pi * 32 / 3},
			{"apple", build.Apple(1, 2, s), 96.1691, 85.2863},
			{"lemon", build.Lemon(1, 2, s), 17.2122, 6.3294},
			{"hemispheres", build.Hemispheres(2, s), 16 * math.Pi, math.Pi * 32 / 3},
		} {
			name := fmt.Sprintf("%s seams %d poles %d", row.name, s.Seams, s.Poles)
			for variant, m := range variants(t, row.m, s) {
				area, volume := totals(t, name+variant, m, pieces)
				if !near(area, row.area, 1.2e-2) || !near(volume, row.volume, 1.2e-2) {
					t.Errorf("%s: area %.6f volume %.6f, want %.6f %.6f",
						name+variant, area, volume, row.area, row.volume)
				}
			}
		}
	}
	for form := range build.TorusForms {
		for variant, m := range variants(t, build.Torus(5, 2, form), build.Style{}) {
			name := fmt.Sprintf("torus %d%s", form, variant)
			area, volume := totals(t, name, m, pieces)
			const want = 40 * math.Pi * math.Pi // both 4π²·5·2 mm² and 2π²·5·2² mm³
			if !near(area, want, 1.2e-2) || !near(volume, want, 1.2e-2) {
				t.Errorf("%s: area %.9f volume %.9f, want %.9f for both", name, area, volume, want)
			}
		}
	}
}

// variants are the same solid with its seams elsewhere, and with rational surfaces.
func variants(t *testing.T, m *brep.Model, s build.Style) map[string]*brep.Model {
	t.Helper()
	all := map[string]*brep.Model{"": m}
	if s.Poles != build.PoleImplied {
		return all // how a pole is written does not depend on the surface
	}
	for _, seam := range []float64{0, 0.5} {
		all[fmt.Sprintf(" reseamed %.1f", seam)] = build.Reseam(m, seam)
		f, err := build.Freeform(m, seam)
		if err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprintf(" freeform %.1f", seam)] = f
	}
	w, err := build.Swept(m, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	all[" swept"] = w
	return all
}
