package datasheet

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// shadows compute the maximum size of discs around outlines from the mesh alone. The mesh of other features above the
// base is projected, and discs are enlarged by bisection until they touch it.
type shadows struct {
	p     *partContext
	s     *featureMeasurer
	sides []planar.Segment
}

// fine is the mesh for shadows: chords within 0.02 mm, by 11°.
var fine = tessellate.Options{ChordTolerance: 0.02, AngleTolerance: 0.2}

// bluff is the permitted overlap of a disc with the shadow, mm, for the mesh deviation and flush faces.
const bluff = 0.025

func (p *partContext) shadowsRound(s *featureMeasurer) *shadows {
	all := &shadows{p: p, s: s}
	floorOutline := s.z.Lo + max(p.g.Length, bluff)
	for q := range p.g.Patches {
		if s.has(int32(q)) || s.extents.Of(int32(q)).Hi <= floorOutline {
			continue
		}
		p.g.EachTriangle(int32(q), func(a, b, c geom.Vec3) bool {
			all.add([]geom.Vec3{a, b, c}, floorOutline)
			return true
		})
	}
	return all
}

// add projects the part of a triangle above the base.
func (a *shadows) add(t []geom.Vec3, floorOutline float64) {
	var kept []geom.Vec2
	for i := range t {
		p, q := t[i], t[(i+1)%len(t)]
		zp, zq := p.Dot(a.s.dir)-floorOutline, q.Dot(a.s.dir)-floorOutline
		if zp >= 0 {
			kept = append(kept, a.s.view.Point(p))
		}
		if (zp >= 0) != (zq >= 0) {
			kept = append(kept, a.s.view.Point(p.Lerp(q, zp/(zp-zq))))
		}
	}
	for i := range kept {
		if l := planar.NewLine(kept[i], kept[(i+1)%len(kept)]); l.Length() > 1e-9 {
			a.sides = append(a.sides, l)
		}
	}
}

// largest returns the diameter of the largest disc that touches p with its center along n.
func largest(sides []planar.Segment, p, n geom.Vec2) float64 {
	var ahead []planar.Segment
	for i := range sides {
		if max(sides[i].From.Sub(p).Dot(n), sides[i].To.Sub(p).Dot(n)) > bluff || sides[i].Turn != 0 {
			ahead = append(ahead, sides[i])
		}
	}
	fits := func(r float64) bool {
		c := p.Add(n.Scale(r))
		for i := range ahead {
			if ahead[i].Distance(c) < r-bluff {
				return false
			}
		}
		return true
	}
	lo, hi := 0.0, float64(widestTool)/2
	if fits(hi) {
		return math.Inf(1)
	}
	for range 20 {
		if m := (lo + hi) / 2; fits(m) {
			lo = m
		} else {
			hi = m
		}
	}
	return 2 * lo
}

// round returns the smallest and the greatest of the discs at many places of an outline.
func (a *shadows) round(l planar.Loop, closed bool) (full, partial float64) {
	full = math.Inf(1)
	take := func(d float64) { full, partial = min(full, d), max(partial, d) }
	for i := range l {
		next := (i + 1) % len(l)
		sides := append([]planar.Segment(nil), a.sides...)
		for k := range l { // the outline itself, without adjacent segments
			if k != i && k != next && k != (i+len(l)-1)%len(l) {
				sides = append(sides, l[k])
			}
		}
		const places = 40
		for k := range places + 1 {
			x := (float64(k) + 0.02) / (places + 0.04)
			t := l[i].Tangent(x)
			d := largest(sides, l[i].At(x), geom.Vec2{X: -t.Y, Y: t.X})
			if l[i].Turn > 0 {
				d = min(d, 2*l[i].Radius())
			}
			take(d)
		}
		if next == 0 && !closed {
			continue
		}
		u, v := l[i].Tangent(1), l[next].Tangent(0)
		if turn := math.Atan2(u.Cross(v), u.Dot(v)); turn < -0.2 { // the disc rolls over an outer corner
			for k := range places + 1 {
				s, c := math.Sincos(turn * float64(k) / places)
				t := geom.Vec2{X: c*u.X - s*u.Y, Y: s*u.X + c*u.Y}
				take(largest(sides, l[i].To, geom.Vec2{X: -t.Y, Y: t.X}))
			}
		}
	}
	return full, partial
}

// solid returns one of the parts that another kernel made.
func solid(t *testing.T, name string) *brep.Model {
	m, _ := featuretest.Part(t, name)
	return m
}

func newTestPart(t *testing.T, m *brep.Model) *partContext {
	t.Helper()
	ctx := context.Background()
	r, err := tessellate.Mesh(ctx, m, fine)
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(ctx, m, r.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPart(ctx, run, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// roundOf returns the outlines that tools follow around a feature, and whether each is closed.
func (p *partContext) roundOf(s *featureMeasurer) (loops []planar.Loop, closed []bool) {
	switch s.f.Type {
	case feature.Boss:
		return []planar.Loop{p.baseOutlineOf(s)}, []bool{true}
	case feature.Wall:
		for _, l := range p.traces(s) {
			for _, r := range runs(l) {
				loops, closed = append(loops, r), append(closed, !hasGap(l))
			}
		}
	}
	return loops, closed
}

// Clearances agree with discs enlarged between the shadows of the mesh, for edges, silhouettes of round bodies and
// faces that rise at the base.
func TestClearancesAgreeWithShadows(t *testing.T) {
	shifted := func(x, y, z float64) geom.Transform { return geom.Translation(geom.Vec3{X: x, Y: y, Z: z}) }
	lying := geom.Rotation(geom.Vec3{X: 1, Y: 0.2}.Unit(), math.Pi/2)
	for _, c := range []struct {
		name, part, adjacent string
		at                   geom.Transform
	}{
		{"bosses", "bosses", "", geom.Transform{}},
		{"pockets", "pockets", "", geom.Transform{}},
		{"a ball beside bosses", "bosses", "sphere", shifted(118, 40, 40)},
		{"a ball between bosses, half below", "bosses", "sphere", shifted(60, 46, 20)},
		{"a lying turned part beside bosses", "bosses", "turned_part", shifted(60, 140, 50).Mul(lying)},
		{"a ring above bosses", "bosses", "torus", shifted(130, 45, 30)},
	} {
		if testing.Short() && c.part != "bosses" || testing.Short() && c.adjacent != "" && c.adjacent != "sphere" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			part := solid(t, c.part)
			m := &brep.Model{Name: c.name, Tolerance: part.Tolerance}
			m.Append(part, geom.Identity)
			if c.adjacent != "" {
				m.Append(solid(t, c.adjacent), c.at)
			}
			m.Link()
			p := newTestPart(t, m)
			compared := 0
			for i := range p.heads {
				compared += p.compareShadows(t, p.lazyHeight(int32(i)))
			}
			if compared == 0 {
				t.Error("nothing to go round")
			}
		})
	}
}

// compareShadows compares the clearances of a feature with shadows and returns the number of its outlines.
func (p *partContext) compareShadows(t *testing.T, s *featureMeasurer) int {
	t.Helper()
	loops, closed := p.roundOf(s)
	if len(loops) == 0 {
		return 0
	}
	a := p.shadowsRound(s)
	for k, l := range loops {
		cd := p.clearance(s, l, closed[k])
		full, partial := a.round(l, closed[k])
		for _, one := range []struct {
			name      string
			got       *float64
			want, off float64 // mm
		}{{"full", cd.MaxFullDiameter, full, 0.06}, {"partial", cd.MaxPartialDiameter, partial, 0.5}} {
			got := math.Inf(1)
			if one.got != nil {
				got = *one.got
			}
			if least := min(got, one.want); got != one.want && least < 150 && math.Abs(got-one.want) > one.off+0.05*least {
				t.Errorf("%s along %v at %.3f, outline %d: %s diameter %v, by shadows %v", s.f.Type, s.dir, s.z.Lo, k,
					one.name, got, one.want)
			}
		}
	}
	return len(loops)
}
