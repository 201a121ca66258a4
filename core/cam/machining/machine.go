package machining

import "encoding/json"

// Machine is a milling machine. Documents without the later fields get the values of DefaultMachine.
type Machine struct {
	Name              string  `json:"name"`
	AxisCount         int     `json:"axisCount"`         // 3, 4 or 5
	Travel            Extent  `json:"travel"`            // of the linear axes, mm
	MaxSpindleRPM     float64 `json:"maxSpindleRpm"`     // revolutions per minute
	SpindlePowerKW    float64 `json:"spindlePowerKw"`    // kW
	MaxFeed           float64 `json:"maxFeed"`           // while cutting, mm/min
	RapidFeed         float64 `json:"rapidFeed"`         // in the air, mm/min; at least maxFeed
	Acceleration      float64 `json:"acceleration"`      // mm/s²
	Jerk              float64 `json:"jerk"`              // mm/s³
	ToolChangeSeconds float64 `json:"toolChangeSeconds"` // from cut to cut, s

	SpindleRampSeconds float64 `json:"spindleRampSeconds" required:"false"` // from standstill to full speed, s
	Axes               *Axes   `json:"axes" required:"false"`               // null: each as the machine
	// of corners cut short, mm; 0: it stops there
	CornerTolerance float64 `json:"cornerTolerance" required:"false"`
	// the least time for a block of a program, ms
	BlockMs float64 `json:"blockMs" required:"false"`
	// to prepare a setup, once, s; 0: not charged
	SetupSeconds float64 `json:"setupSeconds" required:"false"`
	LoadSeconds  float64 `json:"loadSeconds" required:"false"` // to change the part, s; 0: not charged
}

// Axes are the limits of the linear axes.
type Axes struct {
	X Axis `json:"x"`
	Y Axis `json:"y"`
	Z Axis `json:"z"`
}

// Axis is the set of limits of one linear axis.
type Axis struct {
	MaxFeed      float64 `json:"maxFeed"`      // while cutting, mm/min
	RapidFeed    float64 `json:"rapidFeed"`    // in the air, mm/min; at least maxFeed
	Acceleration float64 `json:"acceleration"` // mm/s²
	Jerk         float64 `json:"jerk"`         // mm/s³
}

// DefaultMachine contains the defaults of a machine's later fields. The spindle takes 2 s to its speed. Corners are cut
// by 0.01 mm and blocks take 1 ms, the common settings of LinuxCNC and its servo period. A setup takes half an hour to
// prepare and a part a minute to change.
func DefaultMachine() Machine {
	return Machine{
		SpindleRampSeconds: 2, CornerTolerance: 0.01, BlockMs: 1, SetupSeconds: 1800, LoadSeconds: 60,
	}
}

// UnmarshalJSON reads a machine, with defaults for missing fields.
func (m *Machine) UnmarshalJSON(data []byte) error {
	type plain Machine
	v := plain(DefaultMachine())
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*m = Machine(v)
	return nil
}

// AxisLimits returns the limits of each axis: its stated values, but at most the machine's.
func (m *Machine) AxisLimits() Axes {
	all := Axis{m.MaxFeed, m.RapidFeed, m.Acceleration, m.Jerk}
	if m.Axes == nil {
		return Axes{all, all, all}
	}
	return Axes{m.Axes.X.least(all), m.Axes.Y.least(all), m.Axes.Z.least(all)}
}

func (a Axis) least(b Axis) Axis {
	return Axis{
		min(a.MaxFeed, b.MaxFeed), min(a.RapidFeed, b.RapidFeed), min(a.Acceleration, b.Acceleration), min(a.Jerk, b.Jerk),
	}
}

func (m *Machine) check(f *findings) {
	defer f.in("machine.")()
	f.text("name", m.Name, true)
	f.figure("Machine", "axisCount", float64(m.AxisCount))
	m.Travel.check(f, "Travel", "travel.")
	f.figure("Machine", "maxSpindleRpm", m.MaxSpindleRPM)
	f.figure("Machine", "spindlePowerKw", m.SpindlePowerKW)
	axis := Axis{m.MaxFeed, m.RapidFeed, m.Acceleration, m.Jerk}
	axis.check(f, "Machine")
	f.figure("Machine", "toolChangeSeconds", m.ToolChangeSeconds)
	f.figure("Machine", "spindleRampSeconds", m.SpindleRampSeconds)
	f.figure("Machine", "cornerTolerance", m.CornerTolerance)
	f.figure("Machine", "blockMs", m.BlockMs)
	f.figure("Machine", "setupSeconds", m.SetupSeconds)
	f.figure("Machine", "loadSeconds", m.LoadSeconds)
	if m.Axes == nil {
		return
	}
	for i, a := range []*Axis{&m.Axes.X, &m.Axes.Y, &m.Axes.Z} {
		back := f.in("axes." + "xyz"[i:i+1] + ".")
		a.check(f, "Axis")
		back()
	}
}

func (a *Axis) check(f *findings, document string) {
	cutting := f.figure(document, "maxFeed", a.MaxFeed)
	if f.figure(document, "rapidFeed", a.RapidFeed) && cutting {
		f.unless(a.RapidFeed >= a.MaxFeed, "rapidFeed", "%s mm/min is less than %smaxFeed of %s mm/min.",
			number(a.RapidFeed), f.prefix, number(a.MaxFeed))
	}
	f.figure(document, "acceleration", a.Acceleration)
	f.figure(document, "jerk", a.Jerk)
}
