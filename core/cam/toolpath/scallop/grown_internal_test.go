package scallop

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// sampled returns points of an outline about 0.02 mm apart.
func sampled(p toolprofile.Profile) (out []geom.Vec2) {
	for _, k := range p {
		n := int(k.From.Dist(k.To)/0.02) + 2
		c, isArc := k.Center()
		for i := range n {
			at := k.From.Lerp(k.To, float64(i)/float64(n-1))
			if isArc {
				at = c.Add(at.Sub(c).Scale(math.Abs(k.Radius) / at.Dist(c)))
			}
			out = append(out, at)
		}
	}
	return out
}

// No point of a grown outline is nearer to the outline than asked. Only those of cut corners are farther away.
func TestGrownOutlines(t *testing.T) {
	line := func(x0, y0, x1, y1 float64) toolprofile.Segment {
		return toolprofile.Segment{From: geom.Vec2{X: x0, Y: y0}, To: geom.Vec2{X: x1, Y: y1}}
	}
	held := toolprofile.Profile{line(3, 10, 5, 20), line(5, 20, 12, 20), line(12, 20, 12, 30)}
	for name, p := range map[string]toolprofile.Profile{
		"ball":               toolprofile.EndMill(6, 3, 10),
		"bull nose":          toolprofile.EndMill(6, 1, 10),
		"drill":              toolprofile.Drill(6, geom.Radians(118), 10),
		"ball with a holder": slices.Concat(toolprofile.EndMill(6, 3, 10), held),
		"neck": slices.Concat(toolprofile.EndMill(6, 3, 4), toolprofile.Profile{line(3, 4, 2, 4), line(2, 4, 2, 10),
			line(2, 10, 4, 12), line(4, 12, 4, 20)}),
	} {
		const by = 0.3
		g, err := grown(p, by)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		outline := sampled(p)
		for _, at := range sampled(g) {
			near := math.Inf(1)
			for _, q := range outline {
				near = min(near, at.Dist(q.Add(geom.Vec2{Y: by})))
			}
			if near < by-1e-3 || near > by*math.Sqrt2+0.01 {
				t.Fatalf("%s: %v is %.4f mm from the outline, want %g", name, at, near, by)
			}
		}
	}
	if _, err := grown(slices.Concat(toolprofile.EndMill(6, 3, 3.1), toolprofile.Profile{line(3, 3.1, 9, 3.1),
		line(9, 3.1, 9, 20)}), 0.3); err == nil {
		t.Error("a shoulder next to the round corner is lost without an error")
	}
}

// The height of a depth has that depth.
func TestDepth(t *testing.T) {
	d := depth{top: 5, step: 0.5, passes: []float64{0, 1, 1.5, 4, 4.25}}
	for _, passes := range []float64{0, 0.5, 1, 1.2, 3.9, 4.2} {
		if got := d.at(d.height(passes)); math.Abs(got-passes) > 1e-12 {
			t.Errorf("the height of %g passes has %g", passes, got)
		}
	}
}
