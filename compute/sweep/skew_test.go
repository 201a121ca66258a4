package sweep

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// between returns the range of s in which o + s·d is within the slabs of a resting tool, lo > hi if it is empty.
func between(slabs []slab, o, d [3]float64) (lo, hi float64) {
	const steps = 100
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range slabs {
		k := &slabs[i]
		s0, s1 := (k.z0-o[2])/d[2], (k.z1-o[2])/d[2]
		inside := func(s float64) bool {
			r := k.radius(o[2] + s*d[2])
			return math.Hypot(o[0]+s*d[0], o[1]+s*d[1]) <= r*(1+1e-12)
		}
		for j := range steps + 1 {
			s := s0 + (s1-s0)*float64(j)/steps
			if inside(s) {
				lo, hi = min(lo, s), max(hi, s)
			}
		}
	}
	return lo, hi
}

var skewTools = []struct {
	name    string
	profile toolprofile.Profile
}{
	{"flat", toolprofile.EndMill(4, 0, 9)},
	{"ball", toolprofile.EndMill(4, 2, 9)},
	{"bull nose", toolprofile.EndMill(5, 0.8, 9)},
	{"drill", toolprofile.Drill(3, geom.Radians(118), 9)},
	{"lollipop", toolprofile.Profile{{To: geom.Vec2{Y: 4}, Radius: 2}}},
	{"dovetail", toolprofile.Profile{{To: geom.Vec2{X: 2.5}}, {From: geom.Vec2{X: 2.5}, To: geom.Vec2{X: 1, Y: 3}}}},
}

func drawSkew(t *rapid.T) (slabs []slab, o, d, v [3]float64) {
	b := bodies(skewTools[rapid.IntRange(0, len(skewTools)-1).Draw(t, "tool")].profile)
	value := func(name string, most float64) float64 { return rapid.Float64Range(-most, most).Draw(t, name) }
	dir := geom.Vec3{X: value("dx", 1), Y: value("dy", 1), Z: value("dz", 1)}
	if math.Abs(dir.Z) < 0.05 || math.Hypot(dir.X, dir.Y) < 0.05 {
		t.Skip("the ray is hardly slanted")
	}
	d = array(dir.Unit())
	v = [3]float64{value("vx", 3), value("vy", 3), value("vz", 3)}
	if rapid.Bool().Draw(t, "level") {
		v[2] = 0
	}
	// A ray through a point in or near the tool.
	p := [3]float64{value("x", 3), value("y", 3), 1.5 + value("z", 3)}
	for k := range o {
		o[k] = p[k] - 5*d[k]
	}
	return b[0].flattened(), o, d, v
}

// TestSkewMatchesToolAtSampledTimes checks that the ends are never inside the tool at any time of the move, and no
// farther out than the best of many times.
func TestSkewMatchesToolAtSampledTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slabs, o, d, v := drawSkew(t)
		var m skew
		m.set(slabs, d, v, math.Inf(1))
		lo, hi := m.meet(&o, &[2]int{1, 1})
		from, to := math.Inf(1), math.Inf(-1)
		const moments = 20
		for i := range moments + 1 {
			f := float64(i) / moments
			at := [3]float64{o[0] - f*v[0], o[1] - f*v[1], o[2] - f*v[2]}
			a, b := between(slabs, at, d)
			from, to = min(from, a), max(to, b)
		}
		if from > to {
			// The samples may miss a sliver: the result is one then.
			return
		}
		if from < lo-1e-6 || to > hi+1e-6 {
			t.Fatalf("covers %g to %g, found %g to %g", from, to, lo, hi)
		}
		// The tool moves by this distance between two moments and two samples. Seen at a grazing angle its ends move
		// farther, which the rest of the suite covers with its true distances.
		length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
		if loose := 0.1 + 2*math.Sqrt(2*6*length/moments); from-lo > loose/math.Abs(d[2]) ||
			hi-to > loose/math.Abs(d[2]) {
			t.Fatalf("covers %g to %g, found %g to %g", from, to, lo, hi)
		}
	})
}

// TestSkewIsIndependentOfStart checks that the search ends at the same place from every start, within rounding.
func TestSkewIsIndependentOfStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slabs, o, d, v := drawSkew(t)
		var m skew
		m.set(slabs, d, v, math.Inf(1))
		// Every place once, and nothing taken as final.
		all := reach{lo: math.Inf(1), hi: math.Inf(-1)}
		for place := range 2*len(m.slabs) + 1 {
			one := reach{lo: math.Inf(1), hi: math.Inf(-1)}
			m.try(&o, place, &one)
			all.lo, all.hi = min(all.lo, one.lo), max(all.hi, one.hi)
		}
		near := [2]int{rapid.IntRange(0, 60).Draw(t, "lo"), rapid.IntRange(0, 60).Draw(t, "hi")}
		lo, hi := m.meet(&o, &near)
		if lo > hi != (all.lo > all.hi) {
			t.Fatalf("starting at %v: %g to %g, over all places %g to %g", near, lo, hi, all.lo, all.hi)
		}
		if lo <= hi && (math.Abs(lo-all.lo) > 1e-5 || math.Abs(hi-all.hi) > 1e-5) {
			t.Fatalf("starting at %v: %g to %g, over all places %g to %g", near, lo, hi, all.lo, all.hi)
		}
	})
}

// TestSkewThroughTheTip: rays that the tip of a drill passes begin there, also where rounding hides it.
func TestSkewThroughTheTip(t *testing.T) {
	slabs := bodies(toolprofile.Drill(3, geom.Radians(118), 9))[0].flattened()
	for _, row := range []struct {
		name string
		v    [3]float64
		off  float64 // mm, of the ray from the plane of the tip's path
	}{
		{"tip passes", [3]float64{1, 0, 0}, 0},
		{"tip passes a little beside", [3]float64{1, 0, 0}, 1e-12},
		{"tip passes beside", [3]float64{1, 0, 0}, 1e-6},
		{"tip starts there", [3]float64{0, 0, 2}, 0},
		{"tip ends there", [3]float64{0.5, 0, 0}, 0},
	} {
		d := array(geom.Vec3{X: 1, Z: 3}.Unit())
		at := [3]float64{0.5, row.off, 0} // where the ray is at the height of the tip
		if row.v[0] == 0 {
			at[0] = 0
		}
		var m skew
		m.set(slabs, d, row.v, math.Inf(1))
		for _, far := range []float64{0, 1, 7.3, 100} {
			o := [3]float64{at[0] - far*d[0], at[1] - far*d[1], at[2] - far*d[2]}
			if lo, hi := m.meet(&o, &[2]int{1, 1}); math.Abs(lo-far) > 1e-5 || hi < far+1 {
				t.Errorf("%s, from %g mm away: %g to %g mm", row.name, far, lo, hi)
			}
		}
	}
}

func TestSkewOfTruncatedTool(t *testing.T) {
	b := bodies(toolprofile.EndMill(5, 0.8, 9))
	slabs := b[0].flattened()
	var m skew
	m.set(slabs, [3]float64{0.6, 0, 0.8}, [3]float64{1, 0, 0}, 0.4)
	last := m.discs[len(m.discs)-1]
	if len(m.slabs) >= len(slabs) || last.kind != top || last.z < 0.4 || last.z > 0.8 {
		t.Errorf("%d of %d slabs up to 0.4 mm, which end at %g mm", len(m.slabs), len(slabs), last.z)
	}
	m.set(slabs, [3]float64{0.6, 0, 0.8}, [3]float64{1, 0, 0}, -1)
	if lo, hi := m.meet(&[3]float64{-3, 0, -3}, &[2]int{7, 3}); lo <= hi {
		t.Errorf("a tool above the stock cuts from %g to %g", lo, hi)
	}
}
