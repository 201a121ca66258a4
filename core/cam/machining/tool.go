package machining

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// ToolKind is the shape of a tool.
type ToolKind string

// The kinds of tools.
const (
	FlatEndMill     ToolKind = "flatEndMill"
	BallEndMill     ToolKind = "ballEndMill"
	BullNoseEndMill ToolKind = "bullNoseEndMill" // flat with rounded corners
	Drill           ToolKind = "drill"
	CenterDrill     ToolKind = "centerDrill"
	SpotDrill       ToolKind = "spotDrill"
	Countersink     ToolKind = "countersink"
	ChamferMill     ToolKind = "chamferMill"
	Reamer          ToolKind = "reamer"
	TapRightHand    ToolKind = "tapRightHand"
	ThreadMill      ToolKind = "threadMill"
	FaceMill        ToolKind = "faceMill"
	DovetailMill    ToolKind = "dovetailMill"
	SlotMill        ToolKind = "slotMill" // T-slot or side-and-face cutter: a disc on a neck
	Lollipop        ToolKind = "lollipop" // a ball on a neck
)

// Kinds are all kinds of tools.
var Kinds = []ToolKind{
	FlatEndMill, BallEndMill, BullNoseEndMill, Drill, CenterDrill, SpotDrill, Countersink, ChamferMill,
	Reamer, TapRightHand, ThreadMill, FaceMill, DovetailMill, SlotMill, Lollipop,
}

// Pointed reports whether tools of this kind have a cone, whose angle TipAngleDeg is.
func (k ToolKind) Pointed() bool {
	switch k {
	case Drill, CenterDrill, SpotDrill, Countersink, ChamferMill, DovetailMill:
		return true
	}
	return false
}

// Tapers reports whether the cone of tools of this kind narrows toward the tip, where TipDiameter may cut it off.
func (k ToolKind) Tapers() bool { return k.Pointed() && k != DovetailMill }

// Threading reports whether tools of this kind cut threads, whose pitch Pitch is.
func (k ToolKind) Threading() bool { return k == TapRightHand || k == ThreadMill }

// Round reports whether the end of tools of this kind is a ball of their diameter.
func (k ToolKind) Round() bool { return k == BallEndMill || k == Lollipop }

// Tool is a cutting tool as it is set in its holder. Lengths are mm and run from the tip upward.
type Tool struct {
	ID            string   `json:"id"`            // unique within its library
	Name          string   `json:"name"`          // empty: no name
	Number        *int     `json:"number"`        // T number in the machine's tool table; null: no number
	Kind          ToolKind `json:"kind"`          // shape of the tool
	Diameter      float64  `json:"diameter"`      // largest cutting diameter, mm
	CornerRadius  float64  `json:"cornerRadius"`  // 0: sharp corner; half the diameter: ball; mm
	FluteLength   float64  `json:"fluteLength"`   // cutting length, mm
	OverallLength float64  `json:"overallLength"` // mm
	ShankDiameter float64  `json:"shankDiameter"` // above the flutes, mm
	BodyLength    float64  `json:"bodyLength"`    // from the tip to the holder, mm
	FluteCount    int      `json:"fluteCount"`    // number of cutting edges
	TipAngleDeg   *float64 `json:"tipAngleDeg"`   // included; of a dovetail mill between its flanks
	Pitch         *float64 `json:"pitch"`         // of the thread that a tap or thread mill cuts, mm; else null
	MaxRampDeg    *float64 `json:"maxRampDeg"`    // largest ramp angle into material; null: see RampDeg
	CenterCutting *bool    `json:"centerCutting"` // its edges reach the axis; null: see CutsCenter
	MaxRPM        *float64 `json:"maxRpm"`        // maximum speed, revolutions per minute; null: unknown
	Holder        *Holder  `json:"holder"`        // tool holder in the spindle; null: unknown
	Presets       []Preset `json:"presets"`       // cutting data, by material group

	// Later fields, missing in older stored tools.
	TipDiameter *float64     `json:"tipDiameter" required:"false"` // of the flat that ends the cone, mm; null: a point
	Material    ToolMaterial `json:"toolMaterial,omitempty"`       // of its cutting edges; empty: not known
	// Guessed are the JSON names of fields that a file did not state and no user has confirmed. Plans do not use tools
	// with such fields.
	Guessed []string `json:"guessed,omitempty"`
}

// Validate reports everything wrong with the tool, as *Invalid.
func (t *Tool) Validate() error {
	var f findings
	t.check(&f)
	return f.err()
}

func (t *Tool) check(f *findings) {
	f.unless(t.ID != "", "id", "is missing.")
	f.text("id", t.ID, false)
	f.text("name", t.Name, false)
	if t.Number != nil {
		f.figure("Tool", "number", float64(*t.Number))
	}
	oneOf(f, "kind", t.Kind, Kinds)
	t.checkSizes(f)
	t.checkEnd(f)
	t.checkThread(f)
	t.checkOrigin(f)
	if t.MaxRampDeg != nil {
		f.figure("Tool", "maxRampDeg", *t.MaxRampDeg)
	}
	if t.MaxRPM != nil {
		f.figure("Tool", "maxRpm", *t.MaxRPM)
	}
	if t.Holder != nil {
		t.Holder.check(f, "holder.", false)
	}
	f.unless(len(t.Presets) <= maxPresets, "presets", "has more than %d entries.", maxPresets)
	for i := range t.Presets[:min(len(t.Presets), maxPresets)] {
		t.Presets[i].check(f, t, i)
	}
}

// Label names the tool in a sentence.
func (t *Tool) Label() string {
	if t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("%s of %.4g mm", t.Kind, t.Diameter)
}

// RampDeg returns the largest angle (degrees) at which the tool may ramp into material: its stated value, else a
// default. The default is 3 for flat end mills and 5 for those with a rounded corner, which tool makers allow for solid
// mills in all materials. It is 0, no ramp, for other kinds.
func (t *Tool) RampDeg() float64 {
	switch {
	case t.MaxRampDeg != nil:
		return *t.MaxRampDeg
	case t.Kind == FlatEndMill:
		return 3
	case t.Kind == BullNoseEndMill || t.Kind == BallEndMill:
		return 5
	}
	return 0
}

// CutsCenter reports whether the tool cuts down to its axis, so that it may plunge. The stated value counts, else it
// holds for drills of all kinds, and for end mills up to the diameter (mm) of solid ones; larger ones have inserts.
func (t *Tool) CutsCenter() bool {
	const onePiece = 20
	if t.CenterCutting != nil {
		return *t.CenterCutting
	}
	switch t.Kind {
	case Drill, CenterDrill, SpotDrill:
		return true
	case FlatEndMill, BullNoseEndMill, BallEndMill:
		return t.Diameter <= onePiece
	}
	return false
}

// above reports whether a length exceeds another by more than rounding.
func above(a, b float64) bool { return a > b+geom.Resolution }

func (t *Tool) checkSizes(f *findings) {
	sized := f.figure("Tool", "diameter", t.Diameter)
	if f.figure("Tool", "cornerRadius", t.CornerRadius) && sized {
		f.unless(!above(t.CornerRadius, t.Diameter/2), "cornerRadius", "%s mm is more than half the diameter of %s mm.",
			number(t.CornerRadius), number(t.Diameter))
	}
	flute := f.figure("Tool", "fluteLength", t.FluteLength)
	overall := f.figure("Tool", "overallLength", t.OverallLength)
	body := f.figure("Tool", "bodyLength", t.BodyLength)
	f.figure("Tool", "shankDiameter", t.ShankDiameter)
	fits := !flute || !overall || !above(t.FluteLength, t.OverallLength)
	f.unless(fits, "fluteLength", "%s mm is more than the overallLength of %s mm.",
		number(t.FluteLength), number(t.OverallLength))
	f.unless(!fits || !flute || !body || !above(t.FluteLength, t.BodyLength), "bodyLength",
		"%s mm is less than the fluteLength of %s mm; the holder would cover the flutes.",
		number(t.BodyLength), number(t.FluteLength))
	f.unless(!body || !overall || !above(t.BodyLength, t.OverallLength), "bodyLength",
		"%s mm is more than the overallLength of %s mm.", number(t.BodyLength), number(t.OverallLength))
	f.figure("Tool", "fluteCount", float64(t.FluteCount))
}

// checkEnd requires the corner radius and the cone of the kind.
func (t *Tool) checkEnd(f *findings) {
	r, half := t.CornerRadius, t.Diameter/2
	switch {
	case t.Kind.Round() && half > 0:
		f.unless(math.Abs(r-half) <= geom.Resolution, "cornerRadius",
			"of a %s is half its diameter, %s mm, not %s.", t.Kind, number(half), number(r))
	case t.Kind == FlatEndMill:
		f.unless(r == 0, "cornerRadius", "of a flatEndMill is 0; one with rounded corners is a bullNoseEndMill.")
	case t.Kind == BullNoseEndMill && half > 0:
		f.unless(r > 0 && r < half, "cornerRadius",
			"of a bullNoseEndMill lies between 0 and half its diameter of %s mm.",
			number(t.Diameter))
	}
	t.checkTip(f)
	if !t.Kind.Pointed() {
		known := slices.Contains(Kinds, t.Kind)
		f.unless(t.TipAngleDeg == nil || !known, "tipAngleDeg", "of a %s must be null.", t.Kind)
		return
	}
	if t.TipAngleDeg == nil {
		f.unless(false, "tipAngleDeg", "of a %s is missing.", t.Kind)
		return
	}
	angle := *t.TipAngleDeg
	sound := f.figure("Tool", "tipAngleDeg", angle)
	if sound && t.Kind != Drill {
		const most = 170 // a flat cone would have no flank
		sound = angle <= most
		f.unless(sound, "tipAngleDeg", "of a %s must be at most %d°, not %s.", t.Kind, most, number(angle))
	}
	if !sound || t.Kind != DovetailMill || half <= 0 {
		return
	}
	neck := t.Diameter - 2*t.FluteLength*math.Tan(angle/2*math.Pi/180)
	f.unless(neck > 0, "tipAngleDeg", "of %s° with flanks %s mm high leaves no neck on a diameter of %s mm.",
		number(angle), number(t.FluteLength), number(t.Diameter))
}

// checkTip requires the flat of a cone to be narrower than the cone.
func (t *Tool) checkTip(f *findings) {
	switch {
	case t.TipDiameter == nil || !slices.Contains(Kinds, t.Kind):
	case !t.Kind.Tapers():
		f.unless(false, "tipDiameter", "of a %s must be null.", t.Kind)
	case f.figure("Tool", "tipDiameter", *t.TipDiameter):
		f.unless(*t.TipDiameter < t.Diameter || t.Diameter <= 0, "tipDiameter",
			"%s mm is not less than the diameter of %s mm.",
			number(*t.TipDiameter), number(t.Diameter))
	}
}

func (t *Tool) checkThread(f *findings) {
	switch {
	case !t.Kind.Threading():
		f.unless(t.Pitch == nil || !slices.Contains(Kinds, t.Kind), "pitch", "of a %s must be null.", t.Kind)
	case t.Pitch == nil:
		f.unless(false, "pitch", "of a %s is missing.", t.Kind)
	case f.figure("Tool", "pitch", *t.Pitch):
		f.unless(*t.Pitch < t.Diameter || t.Diameter <= 0, "pitch", "%s mm is not less than the diameter of %s mm.",
			number(*t.Pitch), number(t.Diameter))
	}
}
