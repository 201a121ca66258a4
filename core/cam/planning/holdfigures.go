package planning

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/workholding"
)

const (
	viseScrew = 20.0  // mm, of common 6-inch vises
	pointDeg  = 118.0 // of drills that state no point angle
	mostForce = 1e9   // N, beyond all devices: JSON has no infinity
)

// hold returns the figures of the clamping for the operations of the setup; nil for clampings without a model. It adds
// the force to the sentence.
func (w *writer) hold() *Hold {
	h := w.step.clamping.strength
	if h == nil {
		return nil
	}
	out := &Hold{Most: round(h.force)}
	for i := range w.out.Operations {
		o := &w.out.Operations[i]
		f, height := w.peak(o)
		load := workholding.Load{Horizontal: f.Horizontal, Axial: max(f.Axial, 0), Height: height - h.middle}
		least := h.least(load)
		if load.Horizontal+load.Axial == 0 || out.Governing != nil && least <= out.Least {
			continue
		}
		out.Least = round(least)
		out.Governing = &Governing{o.ID, round(load.Horizontal), round(load.Axial), round(load.Height)}
	}
	if h.bed != nil {
		out.Area, out.Set = round(h.bed.Area), round(h.bed.Normal())
		out.Most = out.Set
		out.Uses = []Use{{"lift and tip", round(out.Least / out.Set)}}
		return out
	}
	const step = 500 // N, that a machinist sets
	out.Set = min(math.Ceil(math.Sqrt(out.Least*out.Most)/step)*step, out.Most)
	if h.device != nil {
		var load workholding.Load
		if g := out.Governing; g != nil {
			load = workholding.Load{Horizontal: g.Horizontal, Axial: g.Axial, Height: g.Height}
		}
		h.device.figures(out, out.Set, load)
		out.StandOut = round(h.top - h.middle - h.grip.Depth/2)
		w.out.Clamping.Text += fmt.Sprintf(" Clamp with %.3g kN.", out.Set/1000)
		return out
	}
	out.Jaw = JawSerrated
	if w.step.clamping.deviceKind() == DeviceVise && !w.step.clamping.isFormed {
		w.seated(out, &h.seat)
	}
	switch {
	case w.step.clamping.isFormed:
		out.Jaw = JawFormed
	case h.solid.Finished, w.step.clamping.device == DevicePlates:
		out.Jaw = JawSoft
	}
	out.Opening, out.Depth, out.Length = round(h.open), round(h.grip.Depth), round(h.grip.Length)
	out.StandOut = round(h.top - h.middle - h.grip.Depth/2)
	out.Torque = round(workholding.ScrewTorque(out.Set, viseScrew))
	if w.step.clamping.device == DevicePlates {
		out.Torque = round(workholding.ScrewTorque(out.Set/(2*plateBolts), plateBolt))
	}
	if g := out.Governing; g != nil {
		u := h.grip.Use(out.Set, workholding.Load{Horizontal: g.Horizontal, Axial: g.Axial, Height: g.Height},
			workholding.Safety)
		out.Uses = []Use{
			{"slip and rock", round(math.Hypot(u.Slip, u.Rock))}, {"tip", round(u.Tip)}, {"push", round(u.Push)},
			{"bend", round(g.Horizontal * h.sway / roughSway)},
		}
	}
	most := w.in.Config.Workholding.Opening
	switch {
	case w.step.clamping.device == DevicePlates:
		most = plateOpens
	case out.Opening > most:
		most = w.in.Config.Workholding.OuterOpening
	}
	out.Uses = append(out.Uses, Use{"crush", round(out.Set / h.grip.Crush(h.solid))},
		Use{"bow", round(out.Set / h.grip.Bow(h.solid))},
		Use{"opening", round(out.Opening / most)},
		Use{"stand-out", round(out.StandOut / (mostStandOut * out.Opening))})
	w.out.Clamping.Text += fmt.Sprintf(" Clamp with %.3g kN.", out.Set/1000)
	return out
}

// seated adds how the workpiece lies in a vise with flat jaws.
func (w *writer) seated(out *Hold, at *seat) {
	inSetup := func(axis int) (name string, sign float64) {
		d := w.out.Frame.LocalDir(sideOf(axis, true).dir(w.frame))
		if math.Abs(d.X) > math.Abs(d.Y) {
			return "x", d.X
		}
		return "y", d.Y
	}
	across, sign := inSetup(at.axis)
	isHigh := across == "y"
	if at.finished != 0 {
		isHigh = sign*at.finished > 0
	}
	out.Parallels, out.FixedJaw = round(at.parallels), "-"+across
	if isHigh {
		out.FixedJaw = "+" + across
	}
	length, _ := inSetup(3 - w.step.side.axis() - at.axis)
	out.Stop = "-" + length
}

// least returns the least force that holds against a load, N; mostForce where none does.
func (h *strength) least(l workholding.Load) float64 {
	if h.device != nil {
		return min(h.device.least(l), mostForce)
	}
	if h.bed != nil {
		return min(h.bed.Stopped(l, h.narrow, workholding.SafetyOfSuction)*h.bed.Normal(), mostForce)
	}
	return min(h.grip.Least(l, workholding.Safety), mostForce)
}

// peak returns the peak force of an operation, and the height along the side at which it acts.
func (w *writer) peak(o *Operation) (f cutting.Force, height float64) {
	t, m := &w.tools[o.Tool], &w.in.Config.Material
	top := o.Top + w.top
	switch o.Strategy {
	case Drill, PeckDrill:
		tip := pointDeg
		if t.TipAngleDeg != nil {
			tip = *t.TipAngleDeg
		}
		f = cutting.DrillingForce(t.Diameter, o.Cutting.FeedPerTooth*float64(t.FluteCount), tip, m.SpecificCuttingForce,
			m.ForceExponent)
		return cutting.Force{Axial: f.BreakingThrough()}, top
	case Ream, Tap, ThreadMill, Chamfer, BreakEdges:
		return f, top // little
	}
	e := w.engagement(t.Tool, &o.Cutting)
	e.Axial = min(e.Axial, o.Top-o.Bottom)
	return e.Peak(), top - e.Axial/2
}
