package replay

import "math"

// Ring is a part of a tool that is no wider than Radius from Height on upward.
type Ring struct{ Height, Radius float64 }

// Outline is a tool from its tip up, by where it becomes wider: heights and radii grow.
type Outline []Ring

// lowest returns the height of the outline above the tip at a distance from the axis; +Inf beyond it.
func (o Outline) lowest(d float64) float64 {
	for i, r := range o {
		if d < r.Radius {
			if i == 0 {
				return r.Height
			}
			// Between two rings the outline is straight, unless it jumps.
			before := o[i-1]
			if r.Height == before.Height || r.Radius == before.Radius {
				return r.Height
			}
			return before.Height + (r.Height-before.Height)*max(0, d-before.Radius)/(r.Radius-before.Radius)
		}
	}
	return math.Inf(1)
}

// reach is a radius that the outline does not exceed up to a height above the tip.
func (o Outline) reach(height float64) (r float64) {
	for i := range o {
		if o[max(i-1, 0)].Height < height {
			r = o[i].Radius
		}
	}
	return r
}

func (o Outline) radius() float64 {
	if len(o) == 0 {
		return 0
	}
	return o[len(o)-1].Radius
}

// Tool is a tool in its holder.
type Tool struct {
	Cutting Outline // up to Flute
	Flute   float64
	Lean    float64 // tangent by which the flutes become thinner upward, of a dovetail mill
	Behind  Outline // neck, shank and holder, heights above the tip
}

// top returns the height of the flutes above the tip at a distance from the axis.
func (t *Tool) top(d float64) float64 {
	if t.Lean == 0 {
		return t.Flute
	}
	return min(t.Flute, max(t.Cutting.radius()-d, 0)/t.Lean)
}

func (t *Tool) reach(height float64) float64 {
	return max(t.Cutting.reach(height), t.Behind.reach(height))
}
func (t *Tool) radius() float64                { return max(t.Cutting.radius(), t.Behind.radius()) }
func (t *Tool) lowest(d float64) float64       { return min(t.Cutting.lowest(d), t.Behind.lowest(d)) }
func (t *Tool) lowestBehind(d float64) float64 { return t.Behind.lowest(d) }

// Shape is a tool as tables give it. Lengths mm, angles degrees.
type Shape struct {
	Kind                                                string
	Diameter, CornerRadius, TipAngle, TipDiameter       float64
	FluteLength, ShankDiameter, Stickout, OverallLength float64
	Holder                                              [][3]float64 // diameter below, diameter above, height
}

// Body draws a tool.
func (s *Shape) Body() Tool {
	r := s.Diameter / 2
	t := Tool{Flute: s.FluteLength}
	switch {
	case s.Kind == "dovetailMill":
		t.Cutting, t.Lean = Outline{{0, r}}, math.Tan(s.TipAngle/2*math.Pi/180)
	case s.TipAngle > 0:
		h := (r - s.TipDiameter/2) / math.Tan(s.TipAngle/2*math.Pi/180)
		t.Cutting = Outline{{0, s.TipDiameter / 2}, {h, r}}
		t.Flute = max(t.Flute, h)
	case s.CornerRadius > 0:
		flat := r - s.CornerRadius
		t.Cutting = Outline{{0, flat}}
		const chords = 64
		for i := 1; i <= chords; i++ {
			a := float64(i) / chords * math.Pi / 2
			t.Cutting = append(t.Cutting, Ring{s.CornerRadius * (1 - math.Cos(a)), flat + s.CornerRadius*math.Sin(a)})
		}
		t.Flute = max(t.Flute, s.CornerRadius)
	default:
		t.Cutting = Outline{{0, r}}
	}
	stick := max(s.Stickout, t.Flute)
	if stick > t.Flute {
		t.Behind = append(t.Behind, Ring{t.Flute, s.ShankDiameter / 2})
	}
	widest := t.Behind.radius()
	h := stick
	for _, c := range s.Holder {
		if lo := c[0] / 2; lo > widest { // a shoulder
			t.Behind, widest = append(t.Behind, Ring{h, widest}, Ring{h, lo}), lo
		}
		h += c[2]
		if hi := c[1] / 2; hi > widest {
			t.Behind, widest = append(t.Behind, Ring{h - c[2], widest}, Ring{h, hi}), hi
		}
	}
	return t
}
