package machining

import "fmt"

// Holder is the tool holder in the spindle: a stack of cones, the first at the end with the tool.
type Holder struct {
	Name        string  `json:"name"`        // empty: no name
	GaugeLength float64 `json:"gaugeLength"` // from the spindle's gauge line to the holder's end, mm
	Cones       []Cone  `json:"cones"`       // from the end that the tool sticks out of toward the spindle
}

// Cone is one section of a holder, a truncated cone or a cylinder. Lengths are mm.
type Cone struct {
	DiameterBottom float64 `json:"diameterBottom"` // at the tool's side, mm
	DiameterTop    float64 `json:"diameterTop"`    // at the spindle's side, mm
	Height         float64 `json:"height"`         // mm; 0: a shoulder where the diameter jumps
}

// Height returns how high the stack of cones is, mm.
func (h *Holder) Height() float64 {
	var sum float64
	for _, c := range h.Cones {
		sum += c.Height
	}
	return sum
}

// Validate reports all errors of a separate holder, which needs a name, as *ValidationError.
func (h *Holder) Validate() error {
	var f findings
	h.check(&f, "", true)
	return f.err()
}

func (h *Holder) check(f *findings, prefix string, named bool) {
	defer f.in(prefix)()
	f.text("name", h.Name, named)
	gauged := f.figure("Holder", "gaugeLength", h.GaugeLength)
	f.unless(len(h.Cones) > 0, "cones", "is empty; a holder has at least one.")
	f.unless(len(h.Cones) <= maxCones, "cones", "has more than %d entries.", maxCones)
	sound := true
	for i, c := range h.Cones[:min(len(h.Cones), maxCones)] {
		back := f.in(fmt.Sprintf("cones[%d].", i))
		sound = f.figure("Cone", "diameterBottom", c.DiameterBottom) && sound
		sound = f.figure("Cone", "diameterTop", c.DiameterTop) && sound
		sound = f.figure("Cone", "height", c.Height) && sound
		back()
	}
	if !sound || !gauged || len(h.Cones) == 0 {
		return
	}
	f.unless(h.Height() > 0, "cones", "have no height.")
	f.unless(!above(h.Height(), h.GaugeLength), "cones",
		"are %s mm high together, more than the gaugeLength of %s mm.", number(h.Height()), number(h.GaugeLength))
}
