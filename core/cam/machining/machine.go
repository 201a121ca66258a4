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

// Limits of machines, wider than any that are built.
const (
	maxTravel       = 100_000   // mm
	maxRPM          = 500_000   // 1/min
	maxPower        = 1000      // kW
	maxFeed         = 1_000_000 // mm/min
	maxAcceleration = 1_000_000 // mm/s²
	maxJerk         = 1e9       // mm/s³
	maxToolChange   = 3600      // s
	maxBlock        = 1000      // ms
)

func (m *Machine) check(f *findings) {
	defer func(before string) { f.prefix = before }(f.prefix)
	f.prefix = "machine."
	f.text("name", m.Name, true)
	f.unless(m.AxisCount >= 3 && m.AxisCount <= 5, "machine.axisCount must be 3, 4 or 5, not %d.", m.AxisCount)
	f.each("travel", m.Travel, func(name string, v float64) { f.positive(name, v, maxTravel, " mm") })
	f.positive("maxSpindleRpm", m.MaxSpindleRPM, maxRPM, " revolutions per minute")
	f.positive("spindlePowerKw", m.SpindlePowerKW, maxPower, " kW")
	axis := Axis{m.MaxFeed, m.RapidFeed, m.Acceleration, m.Jerk}
	axis.check(f)
	f.within("toolChangeSeconds", m.ToolChangeSeconds, 0, maxToolChange, " s")
	f.within("spindleRampSeconds", m.SpindleRampSeconds, 0, maxToolChange, " s")
	f.within("cornerTolerance", m.CornerTolerance, 0, maxDeviation, " mm")
	f.within("blockMs", m.BlockMs, 0, maxBlock, " ms")
	f.within("setupSeconds", m.SetupSeconds, 0, maxHandling, " s")
	f.within("loadSeconds", m.LoadSeconds, 0, maxHandling, " s")
	if m.Axes == nil {
		return
	}
	for i, a := range []*Axis{&m.Axes.X, &m.Axes.Y, &m.Axes.Z} {
		f.prefix = "machine.axes." + "xyz"[i:i+1] + "."
		a.check(f)
	}
}

func (a *Axis) check(f *findings) {
	cutting := f.positive("maxFeed", a.MaxFeed, maxFeed, " mm/min")
	if f.positive("rapidFeed", a.RapidFeed, maxFeed, " mm/min") && cutting {
		f.unless(a.RapidFeed >= a.MaxFeed, "%srapidFeed %s mm/min is less than %smaxFeed of %s mm/min.",
			f.prefix, number(a.RapidFeed), f.prefix, number(a.MaxFeed))
	}
	f.positive("acceleration", a.Acceleration, maxAcceleration, " mm/s²")
	f.positive("jerk", a.Jerk, maxJerk, " mm/s³")
}
