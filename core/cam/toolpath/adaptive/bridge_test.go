package adaptive

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// TestBridgeIsTangent: the pieces of every draft join, with the headings of both poses and without a corner, and the
// cost is at least the length.
func TestBridgeIsTangent(t *testing.T) {
	c := start(t)
	r := rand.New(rand.NewPCG(7, 7))
	random := func() pose {
		return pose{vec(20*r.Float64(), 20*r.Float64()), turned(vec(1, 0), 2*math.Pi*r.Float64())}
	}
	drawn := 0
	for range 2000 {
		from, to := random(), random()
		d := draft{first: turnKey{1, r.IntN(len(bridgeRadii))}, last: turnKey{1, r.IntN(len(bridgeRadii))}}
		if r.IntN(2) == 0 {
			d.first.side = -1
		}
		if r.IntN(2) == 0 {
			d.last.side = -1
		}
		if !c.design(from, to, &d) {
			continue
		}
		drawn++
		at, dir, length := from.at, from.dir, 0.0
		for _, p := range c.draw(from, to, &d) {
			if gap := p.From.Dist(at); gap > 1e-9 {
				t.Fatalf("%+v from %+v to %+v: a gap of %g mm", d, from, to, gap)
			}
			if got := p.Tangent(0).Sub(dir).Norm(); got > 1e-3 {
				t.Fatalf("%+v from %+v to %+v: a corner of %g rad", d, from, to, got)
			}
			if p.Turn != 0 && p.Center.Dist(p.To)-p.Center.Dist(p.From) > 1e-3 {
				t.Fatalf("%+v from %+v to %+v: %+v is no arc", d, from, to, p)
			}
			at, dir, length = p.To, p.Tangent(1), length+p.Length()
		}
		if at.Dist(to.at) > 1e-9 || dir.Sub(to.dir).Norm() > 1e-3 {
			t.Fatalf("%+v from %+v to %+v: ends at %v, heading %v", d, from, to, at, dir)
		}
		if length > d.cost+1e-3 {
			t.Errorf("%+v from %+v to %+v: %g mm cost %g", d, from, to, length, d.cost)
		}
	}
	if drawn < 800 {
		t.Errorf("%d drafts of 2000", drawn)
	}
}

// TestBridgeAvoidsMaterial: between poses in a cleared disc the bridge stays in it, and from one disc to another there
// is none.
func TestBridgeAvoidsMaterial(t *testing.T) {
	c := start(t)
	c.clearDisc(vec(15, 15), 9)
	c.clearDisc(vec(50, 30), 6)
	from, to := pose{vec(13, 15), vec(0, -1)}, pose{vec(17, 15), vec(0, 1)}
	pieces := c.bridge(from, to, 100, mostBridges)
	if pieces == nil {
		t.Fatal("no bridge in a cleared disc")
	}
	for _, p := range pieces {
		for k := range 21 {
			if q := p.At(float64(k) / 20); q.Dist(vec(15, 15)) > 4.1 {
				t.Errorf("at %v the cutter touches material", q)
			}
		}
	}
	if pieces := c.bridge(from, pose{vec(50, 30), vec(1, 0)}, 100, mostBridges); pieces != nil {
		t.Errorf("bridge %v through material", pieces)
	}
}

// TestLinksHaveNoCorners: most ends of cuts are without a corner that a machine stops at.
func TestLinksHaveNoCorners(t *testing.T) {
	c := start(t)
	if err := c.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	moves := c.moves()
	joints, corners := 0, 0
	var last geom.Vec2
	for i := 1; i < len(moves); i++ {
		m := &moves[i]
		if m.Kind != Cut && m.Kind != Link {
			last = geom.Vec2{}
			continue
		}
		p := planar.Segment{From: moves[i-1].To, To: m.To, Center: m.Center, Turn: m.Turn}
		if last != (geom.Vec2{}) && m.Kind != moves[i-1].Kind {
			joints++
			if p.Tangent(0).Dot(last) < math.Cos(sharpCorner) {
				corners++
			}
		}
		last = p.Tangent(1)
	}
	if joints < 20 || corners*5 > joints {
		t.Errorf("%d of %d joints of cuts and links are corners; want a fifth", corners, joints)
	}
}
