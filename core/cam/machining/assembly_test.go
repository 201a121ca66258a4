package machining

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
)

// radiusAt walks an outline and returns its radius at a height, the larger one at a step.
func radiusAt(p toolprofile.Profile, z float64) float64 {
	r := 0.0
	for _, s := range p {
		if z < s.From.Y || z > s.To.Y {
			continue
		}
		r = max(r, min(s.From.X, s.To.X))
		switch c, arc := s.Center(); {
		case arc:
			r = max(r, c.X+math.Sqrt(max(s.Radius*s.Radius-(z-c.Y)*(z-c.Y), 0)))
		case s.To.Y > s.From.Y:
			r = max(r, s.From.X+(s.To.X-s.From.X)*(z-s.From.Y)/(s.To.Y-s.From.Y))
		default:
			r = max(r, s.From.X, s.To.X)
		}
	}
	return r
}

// flutes returns the radius of a cutter at the share of its height, by the definition of its kind, and its height.
func flutes(tool *Tool, share float64) (radius, height float64) {
	r, c, top := tool.Diameter/2, tool.CornerRadius, tool.FluteLength
	z := share * top
	slope := 0.0
	if tool.TipAngleDeg != nil {
		slope = math.Tan(*tool.TipAngleDeg * math.Pi / 360)
	}
	switch tool.Kind {
	case Drill, CenterDrill, SpotDrill, Countersink, ChamferMill:
		return min(z*slope, r), z
	case DovetailMill:
		return r - z*slope, z
	case Lollipop:
		return math.Sqrt(z * (tool.Diameter - z)), z
	}
	if z < c {
		return r - c + math.Sqrt(z*(2*c-z)), z
	}
	return r, z
}

func TestAssembliesOfToolsHaveTheirShape(t *testing.T) {
	tools := append(BuiltInTools(), builtInLargeTools()...)
	for _, k := range Kinds {
		tool := sample(k)
		if k.Pointed() && k != DovetailMill || k == BallEndMill {
			tool.FluteLength = 20 // its point is longer than the flutes of the others
		}
		tools = append(tools, tool)
	}
	for i := range tools {
		tool := &tools[i]
		t.Run(tool.Name+" "+string(tool.Kind), func(t *testing.T) {
			a := tool.Assembly()
			if err := a.Outline.Check(); err != nil {
				t.Fatal(err)
			}
			checkJoints(t, &a)
			for k := range 100 {
				want, z := flutes(tool, (float64(k)+0.5)/100)
				if got := radiusAt(a.Outline, z); math.Abs(got-want) > 1e-9 {
					t.Errorf("radius %g mm at height %g of the flutes, want %g", got, z, want)
				}
			}
			zone := toolprofile.Shank
			if tool.ShankDiameter < tool.Diameter {
				zone = toolprofile.Neck
			}
			checkZone(t, &a, toolprofile.Cutting, 0, tool.FluteLength)
			checkZone(t, &a, zone, tool.FluteLength, tool.BodyLength)
			top := tool.BodyLength + tool.Holder.GaugeLength
			checkZone(t, &a, toolprofile.Holder, tool.BodyLength, top)
			if a.Stickout != tool.BodyLength || math.Abs(a.Total()-top) > 1e-9 {
				t.Errorf("sticks out %g mm, %g in all, want %g and %g", a.Stickout, a.Total(), tool.BodyLength, top)
			}
			if between := (tool.FluteLength + tool.BodyLength) / 2; between > tool.FluteLength {
				if got := radiusAt(a.Outline, between); got != tool.ShankDiameter/2 {
					t.Errorf("radius %g mm above the flutes, want %g", got, tool.ShankDiameter/2)
				}
			}
			at := tool.BodyLength
			for _, c := range tool.Holder.Cones {
				want := (c.DiameterBottom + c.DiameterTop) / 4
				if got := radiusAt(a.Outline, at+c.Height/2); math.Abs(got-want) > 1e-9 {
					t.Errorf("radius %g mm of the cone at %g mm, want %g", got, at, want)
				}
				at += c.Height
			}
		})
	}
}

// checkJoints wants segments without gaps whose zones never fall.
func checkJoints(t *testing.T, a *toolprofile.Assembly) {
	t.Helper()
	if len(a.Zones) != len(a.Outline) {
		t.Fatalf("%d zones of %d segments", len(a.Zones), len(a.Outline))
	}
	for i := 1; i < len(a.Outline); i++ {
		if a.Outline[i].From != a.Outline[i-1].To || a.Zones[i] < a.Zones[i-1] {
			t.Errorf("segment %d, %+v %s, follows %+v %s", i, a.Outline[i], a.Zones[i], a.Outline[i-1], a.Zones[i-1])
		}
	}
}

// checkZone requires the vertical segments of a zone to cover the heights from lo to hi.
func checkZone(t *testing.T, a *toolprofile.Assembly, zone toolprofile.Zone, lo, hi float64) {
	t.Helper()
	sum := 0.0
	for i, s := range a.Outline {
		if a.Zones[i] != zone || s.To.Y == s.From.Y {
			continue
		}
		sum += s.To.Y - s.From.Y
		if s.From.Y < lo-1e-9 || s.To.Y > hi+1e-9 {
			t.Errorf("%s from %g to %g mm, beyond %g to %g", zone, s.From.Y, s.To.Y, lo, hi)
		}
	}
	if math.Abs(sum-(hi-lo)) > 1e-9 {
		t.Errorf("%s over %g mm, want %g", zone, sum, hi-lo)
	}
}

func TestAssembliesOfAwkwardTools(t *testing.T) {
	for _, c := range []struct {
		name            string
		change          func(*Tool)
		kind            ToolKind
		stickout, total float64
		radius          map[float64]float64 // by height
	}{
		{"no holder goes on with the shank", func(x *Tool) { x.Holder = nil }, FlatEndMill, 70, 70,
			map[float64]float64{60: 3}},
		{"cones below the gauge line go on", func(*Tool) {}, FlatEndMill, 40, 140, map[float64]float64{139: 20}},
		{"a point longer than its flutes", func(x *Tool) { x.FluteLength, x.BodyLength, x.TipAngleDeg = 4, 4, ptr(60.0) },
			SpotDrill, 5 * math.Sqrt(3), 5*math.Sqrt(3) + 100, map[float64]float64{4: 4 / math.Sqrt(3)}},
		{"a cone with a flat", func(x *Tool) { x.TipDiameter = ptr(4.0) }, ChamferMill, 40, 140,
			map[float64]float64{0: 2, 1: 3, 3: 5}},
		{"a flat drill", func(x *Tool) { x.TipAngleDeg = ptr(180.0) }, Drill, 40, 140, map[float64]float64{0.01: 5}},
		{"a disc rounded on both sides", func(x *Tool) { x.CornerRadius = 1 }, SlotMill, 40, 140,
			map[float64]float64{0.5: 4 + math.Sqrt(0.75), 2: 5, 3.5: 4 + math.Sqrt(0.75)}},
		{"a shoulder in the holder", func(x *Tool) {
			x.Holder.Cones = []Cone{{20, 20, 10}, {40, 30, 0}, {12, 12, 5}}
		}, FlatEndMill, 40, 140, map[float64]float64{45: 10, 50: 20, 52: 6, 120: 6}},
		{"a whole ball", func(x *Tool) { x.FluteLength = 12 }, Lollipop, 40, 140, map[float64]float64{5: 5, 9: 3, 11: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool := sample(c.kind)
			c.change(&tool)
			a := tool.Assembly()
			if err := a.Outline.Check(); err != nil {
				t.Fatal(err)
			}
			checkJoints(t, &a)
			if math.Abs(a.Stickout-c.stickout) > 1e-9 || math.Abs(a.Total()-c.total) > 1e-9 {
				t.Errorf("sticks out %g mm, %g in all, want %g and %g", a.Stickout, a.Total(), c.stickout, c.total)
			}
			for z, want := range c.radius {
				if got := radiusAt(a.Outline, z); math.Abs(got-want) > 1e-9 {
					t.Errorf("radius %g mm at height %g, want %g", got, z, want)
				}
			}
		})
	}
}
