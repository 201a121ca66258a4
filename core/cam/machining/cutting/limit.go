package cutting

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

// hold reduces a value to most and records the reason; it reports whether the value was above.
func (f *SourcedValue) hold(most float64, why Limit) bool {
	if f.Value <= most {
		return false
	}
	f.Value, f.Limits = most, append(slices.Clone(f.Limits), why)
	return true
}

// hold reduces power, torque and deflection to their limits.
func (s *state) hold() {
	s.load()
	if s.Purpose == Tapping {
		return // its feed is its pitch, and the thread has a fixed depth
	}
	for _, l := range []struct {
		value *float64
		most  float64
		name  Limit
	}{
		{&s.Power, usablePower * s.Machine.SpindlePowerKW, LimitedByPower},
		{&s.Torque, s.mostTorque(), LimitedByTorque},
		{&s.Deflection, s.mostDeflection(), LimitedByDeflection},
	} {
		if *l.value <= l.most {
			continue
		}
		if share := l.most / *l.value; s.Purpose == Rough {
			s.CuttingData.Axial.hold(s.CuttingData.Axial.Value*share, l.name)
		} else { // force and power grow with the feed to the power 1 - mc
			s.FeedPerTooth *= math.Pow(share, 1/(1-s.Material.ForceExponent))
			s.Feed.hold(s.turnFeed()*s.SpindleRPM.Value, l.name)
		}
		s.load()
	}
}

// Rubs reports whether limits have reduced the feed per tooth of some data so far that the edges rub: below a third of
// the value of the preset or the rule.
func (r *Request) Rubs(d *CuttingData) bool {
	const least = 1.0 / 3
	p, _, err := preset(r.Tool, r.Material.ISOGroup)
	return err == nil && d.FeedPerTooth < least*p.FeedPerTooth
}

// load works out power, torque and deflection of the figures at hand.
func (s *state) load() {
	t, m := s.Tool, s.Material
	ap, ae, rpm := s.CuttingData.Axial.Value, s.CuttingData.Radial.Value, s.SpindleRPM.Value
	if s.drilled {
		chip := s.FeedPerTooth
		if t.TipAngleDeg != nil {
			chip *= math.Sin(geom.Radians(*t.TipAngleDeg) / 2)
		}
		ring := 4 * ae * (t.Diameter - ae) / (t.Diameter * t.Diameter) // of the area of the hole
		kc := SpecificForce(m.SpecificCuttingForce, m.ForceExponent, chip)
		s.Power = ring * DrillingPower(t.Diameter, s.turnFeed(), SurfaceSpeed(rpm, t.Diameter), kc)
		s.Torque = Torque(s.Power, rpm)
		return
	}
	kc := SpecificForce(m.SpecificCuttingForce, m.ForceExponent, MeanChipThickness(s.FeedPerTooth, ae, t.Diameter))
	s.Power = MillingPower(ap, ae, s.Feed.Value, kc, 1)
	s.Torque = Torque(s.Power, rpm)
	force := s.Torque * 2000 / t.Diameter // N, at the edge
	s.Deflection = force * TipCompliance(t.BodyLength, t.FluteLength, core*t.Diameter, t.ShankDiameter, s.modulus())
}

func (s *state) modulus() float64 {
	if s.Tool.Kind == machining.FaceMill || s.Tool.Diameter > onePiece || s.Tool.Material.IsSteel() {
		return steel
	}
	return carbide
}

// mostTorque is the maximum torque of the core of the tool, or of a thinner shank, N·m.
func (s *state) mostTorque() float64 {
	d := min(core*s.Tool.Diameter, s.Tool.ShankDiameter)
	return shear * math.Pi * d * d * d / 16 / 1000
}

// mostDeflection is the maximum tool deflection, mm.
func (s *state) mostDeflection() float64 {
	switch most := bend * s.Tool.Diameter; {
	case s.Purpose == Rough:
		return max(most, min(2*most, thinBend))
	case s.Purpose != Finish:
		return most
	}
	if s.Tolerance == 0 {
		return math.Inf(1)
	}
	return finishBend * s.Tolerance
}

// entries sets the feeds at which the tool may enter material.
func (s *state) entries() {
	share := func(of float64) SourcedValue {
		f := SourcedValue{Value: of * s.Feed.Value, From: "of feed", Limits: s.Feed.Limits}
		f.hold(s.Machine.AxisLimits().Z.MaxFeed, LimitedByFeed)
		return f
	}
	switch {
	case s.drilled:
		s.PlungeFeed = share(1)
	case s.Tool.CutsCenter():
		s.PlungeFeed = share(plungeShare)
	}
	if ramp := s.Tool.RampDeg(); ramp > 0 && !s.drilled {
		// A turn of a helix over the whole diameter falls by at most this much. The feed is that of the cut where no
		// more is removed than by the cut.
		fall := math.Pi * s.Tool.Diameter * math.Tan(geom.Radians(ramp))
		cut := s.CuttingData.Axial.Value * s.CuttingData.Radial.Value
		s.RampFeed = share(min(max(cut/(fall*s.Tool.Diameter), rampShare), 1))
	}
}
