package toolbuilder

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
)

// Defaults for missing values: the most common tools on the market, rather short than long, so that a plan with a
// guessed tool does not demand too much of the real one.

// usual are the typical properties of tools of one kind.
type usual struct {
	flutes int
	length float64 // of the flutes, in diameters
	tip    float64 // degrees
}

var usuals = map[machining.ToolKind]usual{
	machining.FlatEndMill:     {flutes: 3, length: 2},
	machining.BallEndMill:     {flutes: 2, length: 1.5},
	machining.BullNoseEndMill: {flutes: 3, length: 2},
	machining.Drill:           {flutes: 2, length: 5, tip: 118},
	machining.CenterDrill:     {flutes: 2, length: 1, tip: 60},
	machining.SpotDrill:       {flutes: 2, length: 1, tip: 90},
	machining.Countersink:     {flutes: 3, length: 0.6, tip: 90},
	machining.ChamferMill:     {flutes: 3, length: 0.75, tip: 90},
	machining.Reamer:          {flutes: 6, length: 4},
	machining.TapRightHand:    {flutes: 3, length: 2},
	machining.ThreadMill:      {flutes: 3, length: 2},
	machining.FaceMill:        {flutes: 4, length: 0.2},
	machining.DovetailMill:    {flutes: 4, length: 0.3, tip: 60},
	machining.SlotMill:        {flutes: 4, length: 0.3},
	machining.Lollipop:        {flutes: 2, length: 0.8},
}

// end settles the shape of the tool's end.
func (t *Tool) end() {
	half := t.Diameter / 2
	const roughly = 1e-3 // of the radius; rounding in files
	isBall := math.Abs(t.CornerRadius-half) <= roughly*half
	switch {
	case t.Kind.Round():
		if t.CornerRadius != 0 && !isBall {
			t.Guess("cornerRadius", "The corner radius of %.6g mm was ignored; a ball has half its diameter.",
				t.CornerRadius)
		}
		t.CornerRadius = half
	case t.Kind == machining.FlatEndMill && isBall:
		t.Kind, t.CornerRadius = machining.BallEndMill, half
		t.Remark("Its corner radius makes it a ball end mill.")
	case t.Kind == machining.FlatEndMill && t.CornerRadius > 0:
		t.Kind = machining.BullNoseEndMill
		t.Remark("Its corner radius makes it a bull nose end mill.")
	case t.Kind == machining.BullNoseEndMill && t.CornerRadius == 0:
		t.Kind = machining.FlatEndMill
		t.Guess("cornerRadius", "It has no corner radius and was taken for a flat end mill.")
	case t.Kind == machining.BullNoseEndMill && isBall:
		t.Kind, t.CornerRadius = machining.BallEndMill, half
		t.Remark("Its corner radius makes it a ball end mill.")
	}
	if t.Kind.Pointed() && t.TipAngleDeg == 0 {
		t.TipAngleDeg = usuals[t.Kind].tip
		t.Guess("tipAngleDeg", "Tip angle taken as %.6g°.", t.TipAngleDeg)
	}
}

// sizes fills in lengths, the shank and the number of flutes.
func (t *Tool) sizes() {
	u := usuals[t.Kind]
	if t.FluteCount < 1 {
		t.FluteCount = max(u.flutes, 1)
		t.Guess("fluteCount", "Flute count taken as %d.", t.FluteCount)
	}
	if t.FluteLength == 0 {
		t.FluteLength = round(t.mostFlute(max(u.length*t.Diameter, t.coneHeight())))
		t.Guess("fluteLength", "Flute length taken as %.6g mm.", t.FluteLength)
	}
	if t.ShankDiameter == 0 {
		t.ShankDiameter = t.Diameter
		if t.Kind == machining.SlotMill || t.Kind == machining.DovetailMill || t.Kind == machining.Lollipop {
			t.ShankDiameter = round(t.Diameter / 2)
		}
		t.Guess("shankDiameter", "Shank diameter taken as %.6g mm.", t.ShankDiameter)
	}
	grip := 10 + 2.5*t.ShankDiameter // mm in the collet
	if t.OverallLength == 0 {
		t.OverallLength = round(max(t.BodyLength, t.FluteLength+t.ShankDiameter) + grip)
		t.Guess("overallLength", "Overall length taken as %.6g mm.", t.OverallLength)
	}
	if t.BodyLength == 0 {
		t.BodyLength = max(round(t.OverallLength-grip), min(t.FluteLength, t.OverallLength))
		t.Guess("bodyLength", "Length below the holder taken as %.6g mm.", t.BodyLength)
	}
	if t.BodyLength > t.OverallLength {
		t.Guess("overallLength", "Overall length raised from %.6g to the %.6g mm below the holder.",
			t.OverallLength, t.BodyLength)
		t.OverallLength = t.BodyLength
	}
	if t.BodyLength < t.FluteLength && t.FluteLength <= t.OverallLength {
		t.Guess("bodyLength", "Length below the holder raised from %.6g mm to the flute length.", t.BodyLength)
		t.BodyLength = t.FluteLength
	}
}

// cone notes where the angle, the widths and the length of a cone contradict each other.
func (t *Tool) cone() {
	const share, slack = 0.01, 0.02 // of the length, and mm; rounding in files
	if high := t.coneHeight(); high > t.FluteLength*(1+share)+slack {
		t.Guess("fluteLength", "Its cone of %.6g° between %.6g and %.6g mm is %.4g mm high, more than its flutes of "+
			"%.6g mm: check the angle, the diameters and the flute length.",
			t.TipAngleDeg, t.TipDiameter, t.Diameter, high, t.FluteLength)
	}
}

// coneHeight returns the height (mm) of the cone between the tip and the full diameter; 0 for kinds without one, and
// for measures that are refused later.
func (t *Tool) coneHeight() float64 {
	if !t.Kind.Tapers() || t.TipAngleDeg >= 180 {
		return 0
	}
	return max(t.Diameter-t.TipDiameter, 0) / 2 / math.Tan(t.TipAngleDeg/2*math.Pi/180)
}

// usualName returns the name of the material that a kind is computed for if the file gives no material.
func usualName(k machining.ToolKind) string {
	if k.UsualMaterial() == machining.Carbide {
		return "carbide"
	}
	return "high-speed steel with cobalt"
}

// mostFlute limits a guessed flute length by the lengths that are known and, of a dovetail mill, by its flanks.
func (t *Tool) mostFlute(flute float64) float64 {
	for _, known := range []float64{t.BodyLength, t.OverallLength} {
		if known > 0 {
			flute = min(flute, known)
		}
	}
	if t.Kind == machining.DovetailMill {
		const neck = 0.4 // of the diameter, that is left
		flute = min(flute, (1-neck)/2*t.Diameter/math.Tan(t.TipAngleDeg/2*math.Pi/180))
	}
	return flute
}

// round rounds guessed lengths, which are not exact anyway.
func round(mm float64) float64 {
	const perMM, slack = 100, 1e-6
	return max(math.Floor(mm*perMM+slack), 1) / perMM
}

// coarse are the coarse pitches of metric threads (ISO 261), mm.
var coarse = []struct{ diameter, pitch float64 }{
	{1, 0.25}, {1.2, 0.25}, {1.6, 0.35}, {2, 0.4}, {2.5, 0.45}, {3, 0.5}, {3.5, 0.6}, {4, 0.7}, {5, 0.8}, {6, 1},
	{8, 1.25}, {10, 1.5}, {12, 1.75}, {14, 2}, {16, 2}, {18, 2.5}, {20, 2.5}, {22, 2.5}, {24, 3}, {27, 3}, {30, 3.5},
	{36, 4}, {42, 4.5}, {48, 5}, {56, 5.5}, {64, 6},
}

// thread determines the pitch. It returns the reason why there is no pitch, or "".
func (t *Tool) thread() string {
	if !t.Kind.Threading() || t.Pitch > 0 {
		return ""
	}
	if t.Kind == machining.TapRightHand {
		const near = 0.02 // mm
		for _, c := range coarse {
			if math.Abs(c.diameter-t.Diameter) <= near {
				t.Pitch = c.pitch
				t.Guess("pitch", "Pitch taken as %.6g mm, the coarse one of M%.6g.", c.pitch, c.diameter)
				return ""
			}
		}
	}
	return "It cuts threads, but its pitch is not given."
}
