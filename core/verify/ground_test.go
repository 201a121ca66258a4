package verify

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/machining/profile"
	"millwright/core/motion"
	"millwright/core/stock/dexel"
	"millwright/core/verify/verifytest"
)

func TestNearestOfAllTriangles(t *testing.T) {
	m := verifytest.Block(0.05)
	f := newFinder(m)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-45, 45)
		p := geom.Vec3{X: at.Draw(t, "x"), Y: at.Draw(t, "y"), Z: at.Draw(t, "z")}
		want, near := math.Inf(1), map[int]float64{}
		const reach = 12
		for r, region := range m.Regions {
			for _, v := range m.Triangles[region.Start:region.End] {
				d := nearestOn(p, m.Points[v[0]], m.Points[v[1]], m.Points[v[2]]).Dist(p)
				want = min(want, d)
				if old, ok := near[r]; d <= reach && (!ok || d < old) {
					near[r] = d
				}
			}
		}
		got := f.nearest(p, nowhere)
		if math.Abs(got.distance-want) > 1e-9 {
			t.Fatalf("%v: %+v, want %g", p, got, want)
		}
		beside := p.Add(geom.Vec3{X: at.Draw(t, "beside"), Y: 1})
		if like := f.nearest(p, f.nearest(beside, nowhere)); like.distance != got.distance || like.region != got.region {
			t.Fatalf("%v: %+v by the contact of %v, want %+v", p, like, beside, got)
		}
		within := map[int]float64{}
		f.visit(p, reach, func(k int32, reach float64) float64 {
			t := &f.facets[k]
			if old, ok := within[t.region]; !ok || t.distance(p) < old {
				if d := t.distance(p); d <= reach {
					within[t.region] = d
				}
			}
			return reach
		})
		if len(within) != len(near) {
			t.Fatalf("%v: within %v, want %v", p, within, near)
		}
		for r, d := range near {
			if math.Abs(within[r]-d) > 1e-9 {
				t.Fatalf("%v: face %d %g, want %g", p, r, within[r], d)
			}
		}
	})
}

// No point of a triangle is nearer than the one that is said to be the nearest, and that is one of them.
func TestNearestOnATriangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.OneOf(rapid.Float64Range(-2, 2), rapid.SampledFrom([]float64{0, 1}))
		point := func(name string) geom.Vec3 {
			return geom.Vec3{X: at.Draw(t, name+"x"), Y: at.Draw(t, name+"y"), Z: at.Draw(t, name+"z")}
		}
		p, a, b, c := point("p"), point("a"), point("b"), point("c")
		got := nearestOn(p, a, b, c).Dist(p)
		const n = 20
		best := math.Inf(1)
		for i := range n + 1 {
			for k := range n + 1 - i {
				u, v := float64(i)/n, float64(k)/n
				best = min(best, a.Scale(1-u-v).Add(b.Scale(u)).Add(c.Scale(v)).Dist(p))
			}
		}
		size := max(a.Dist(b), b.Dist(c), c.Dist(a))
		if got > best+1e-9 || got < best-size/n {
			t.Fatalf("%g, of samples %g", got, best)
		}
	})
}

func TestSpansOfRays(t *testing.T) {
	list := rapid.Custom(func(t *rapid.T) (out []dexel.Span) {
		at := 0
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			lo := at + rapid.IntRange(1, 4).Draw(t, "gap")
			at = lo + rapid.IntRange(1, 4).Draw(t, "length")
			out = append(out, dexel.Span{Lo: float32(lo), Hi: float32(at)})
		}
		return out
	})
	holds := func(s []dexel.Span, x float32) bool {
		for _, k := range s {
			if x > k.Lo && x < k.Hi {
				return true
			}
		}
		return false
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		m, w := appendMinus(nil, a, b), appendBoth(nil, a, b)
		for x := float32(0.5); x < 45; x++ {
			if got, want := holds(m, x), holds(a, x) && !holds(b, x); got != want {
				t.Fatalf("%v minus %v is %v", a, b, m)
			}
			if got, want := holds(w, x), holds(a, x) && holds(b, x); got != want {
				t.Fatalf("both of %v and %v are %v", a, b, w)
			}
		}
	})
}

// A moved outline has the underside of the old one, that much nearer or farther from the axis.
func TestMovedOutlines(t *testing.T) {
	for name, p := range map[string]profile.Profile{
		"flat": profile.EndMill(10, 0, 30), "ball": profile.EndMill(10, 5, 30), "bull": profile.EndMill(10, 2, 30),
		"drill": profile.Drill(10, geom.Radians(118), 30),
	} {
		for _, d := range []float64{-4, -0.01, 0, 0.5, 2} {
			out, rise := moved(p, d)
			if err := out.Check(); err != nil {
				t.Errorf("%s by %g: %v", name, d, err)
				continue
			}
			was, is := p.Underside(), out.Underside()
			for r := 0.05; r < 7.5; r += 0.1 {
				from := max(r-d, 0)
				got, want := is.At(r)+rise, was.At(from)
				if got != want && !(math.Abs(got-want) < 1e-9) && math.Abs(from-was.Radius()) > 1e-9 {
					t.Errorf("%s by %g: %g at %g, want %g", name, d, got, r, want)
				}
			}
		}
	}
	if out, _ := moved(profile.EndMill(10, 0, 30), -5); len(out) != 0 {
		t.Errorf("a tool that is gone: %v", out)
	}
}

func TestWidestBetweenHeights(t *testing.T) {
	ball := &tool{}
	ball.assembly.Outline = profile.EndMill(10, 5, 30)
	neck := &tool{}
	neck.assembly.Line(5, 0, profile.Cutting)
	neck.assembly.Line(5, 10, profile.Cutting)
	neck.assembly.Line(3, 10, profile.Cutting)
	neck.assembly.Line(4, 20, profile.Neck)
	for _, row := range []struct {
		t      *tool
		lo, hi float64
		want   float64
	}{
		{ball, -3, -0.1, 0}, {ball, -1, 0, 0}, {ball, -1, 1, 3}, {ball, 1, 2, 4}, {ball, 2, 40, 5}, {ball, 31, 40, 0},
		{neck, -1, 0, 5}, {neck, 10, 12, 5}, {neck, 10.1, 15, 3.5}, {neck, 12, 30, 4},
	} {
		if got := row.t.widest(row.lo, row.hi); math.Abs(got-row.want) > 1e-9 {
			t.Errorf("between %g and %g: %g, want %g", row.lo, row.hi, got, row.want)
		}
	}
}

// A tool meets a box exactly where points of its way come nearer than its radius.
func TestToolsMeetBoxes(t *testing.T) {
	body := &tool{}
	body.assembly.Line(2, 0, profile.Cutting)
	body.assembly.Line(2, 10, profile.Cutting)
	body.assembly.Line(6, 10, profile.Holder)
	body.assembly.Line(6, 20, profile.Holder)
	box := geom.Box{Min: geom.Vec3{X: -4, Y: -3, Z: -5}, Max: geom.Vec3{X: 4, Y: 3, Z: 5}}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-12, 12)
		point := func(name string) geom.Vec3 {
			return geom.Vec3{X: at.Draw(t, name+"x"), Y: at.Draw(t, name+"y"), Z: at.Draw(t, name+"z")}
		}
		way := motion.Segment{From: point("a"), To: point("b")}
		if rapid.Bool().Draw(t, "arc") {
			way.Turn, way.Center = rapid.Float64Range(-6, 6).Draw(t, "turn"), geom.Vec2{X: 1, Y: 2}
		}
		p := &passage{tool: body, steps: []motion.Step{{Segment: way}}}
		share, met := p.meets(0, &box)
		depth := func(share float64) float64 { // how far the tool reaches into the box
			tip := way.At(share)
			dx, dy := max(box.Min.X-tip.X, tip.X-box.Max.X, 0), max(box.Min.Y-tip.Y, tip.Y-box.Max.Y, 0)
			return body.widest(box.Min.Z-tip.Z, box.Max.Z-tip.Z) - math.Hypot(dx, dy)
		}
		for k := range 401 {
			if d := depth(float64(k) / 400); d > 0.02 && !met {
				t.Fatalf("%+v is missed, %g deep", way, d)
			}
		}
		if met && depth(share) < -4.1 { // between heights the tool may be 4 mm wider
			t.Fatalf("%+v: it passes by %g", way, -depth(share))
		}
	})
}
