package machining

import (
	"fmt"
	"regexp"
)

// Extent is lengths (mm) along x, y and z.
type Extent struct {
	X float64 `json:"x"` // mm
	Y float64 `json:"y"` // mm
	Z float64 `json:"z"` // mm
}

// CutConfig says how parts are machined: on what, from what, how held and how exactly.
type CutConfig struct {
	ID              string      `json:"id"`
	Name            string      `json:"name"`
	IsDefault       bool        `json:"isDefault"`       // it is the default of the user who made the key
	Machine         Machine     `json:"machine"`         // what parts are machined on
	Material        Material    `json:"material"`        // what parts are made of
	Stock           Stock       `json:"stock"`           // what parts are made from
	Workholding     Workholding `json:"workholding"`     // how the stock is held
	ToolLibraryIDs  []string    `json:"toolLibraryIds"`  // in the order in which tools are looked for
	Post            string      `json:"post"`            // name of the postprocessor
	Tolerances      Tolerances  `json:"tolerances"`      // how exact a part is where its file says nothing
	HourlyRateCents int         `json:"hourlyRateCents"` // price of an hour of the machine, US cents
	ChordTolerance  float64     `json:"chordTolerance"`  // how far toolpaths may stray from curves, mm
}

// Machine is a milling machine.
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
}

// Material is what the part is made of.
type Material struct {
	Name                 string  `json:"name"`
	ISOGroup             Group   `json:"isoGroup"`             // presets of tools are chosen by it
	SpecificCuttingForce float64 `json:"specificCuttingForce"` // kc1.1 of Kienzle's law, N/mm²
}

// StockKind is the shape that a part is made from.
type StockKind string

// The shapes of stock.
const (
	StockBox      StockKind = "box"
	StockCylinder StockKind = "cylinder"
	StockNearNet  StockKind = "nearNet" // casting or forging: the part's own shape, grown
)

// Stock is what a part is made from. Allowance is the material on each side beyond the part, mm; of a
// cylinder x and y are the radial allowance and equal, z runs along its axis.
type Stock struct {
	Kind      StockKind `json:"kind"`
	Allowance Extent    `json:"allowance"`
}

// HoldKind is how a part is held.
type HoldKind string

// The ways of holding.
const (
	HoldVise    HoldKind = "vise"
	HoldFixture HoldKind = "fixture"
	HoldNone    HoldKind = "none" // nothing in the tool's way, as with a vacuum or glue
)

// Workholding is how the stock is held. JawHeight is how far the vise or fixture reaches up its side, mm.
type Workholding struct {
	Kind      HoldKind `json:"kind"`
	JawHeight float64  `json:"jawHeight"` // how far the vise or fixture reaches up the stock's side, mm
}

// Class is a class of general tolerances of ISO 2768-1.
type Class string

// The classes.
const (
	ClassFine       Class = "f"
	ClassMedium     Class = "m"
	ClassCoarse     Class = "c"
	ClassVeryCoarse Class = "v"
)

// Tolerances are how exact a part must be where its file says nothing.
type Tolerances struct {
	Class   Class   `json:"class"`   // general tolerances of ISO 2768-1: fine, medium, coarse, very coarse
	Profile float64 `json:"profile"` // width of the zone around freeform surfaces, mm
}

var (
	stockKinds = []StockKind{StockBox, StockCylinder, StockNearNet}
	holdKinds  = []HoldKind{HoldVise, HoldFixture, HoldNone}
	classes    = []Class{ClassFine, ClassMedium, ClassCoarse, ClassVeryCoarse}
	postName   = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)
)

// Limits of machines and materials, wider than any that are built.
const (
	maxTravel       = 100_000     // mm
	maxRPM          = 500_000     // 1/min
	maxPower        = 1000        // kW
	maxFeed         = 1_000_000   // mm/min
	maxAcceleration = 1_000_000   // mm/s²
	maxJerk         = 1e9         // mm/s³
	maxToolChange   = 3600        // s
	maxForce        = 10_000      // N/mm²
	maxAllowance    = 1000        // mm
	maxJawHeight    = 1000        // mm
	maxRate         = 100_000_000 // US cents an hour
	maxDeviation    = 10          // mm
	maxLibraries    = 100
)

// Validate reports everything wrong with the cut config, as *Invalid. Whether its tool libraries exist is
// not for it to say.
func (c *CutConfig) Validate() error {
	var f findings
	f.text("name", c.Name, true)
	c.Machine.check(&f)
	f.text("material.name", c.Material.Name, true)
	oneOf(&f, "material.isoGroup", c.Material.ISOGroup, Groups)
	f.positive("material.specificCuttingForce", c.Material.SpecificCuttingForce, maxForce, " N/mm²")
	c.Stock.check(&f)
	oneOf(&f, "workholding.kind", c.Workholding.Kind, holdKinds)
	f.within("workholding.jawHeight", c.Workholding.JawHeight, 0, maxJawHeight, " mm")
	f.unless(c.Workholding.Kind != HoldNone || c.Workholding.JawHeight == 0,
		"workholding.jawHeight is 0 when workholding.kind is none.")
	f.unless(len(c.ToolLibraryIDs) <= maxLibraries, "toolLibraryIds has more than %d entries.", maxLibraries)
	seen := map[string]bool{}
	for i, id := range c.ToolLibraryIDs {
		f.unless(!seen[id], "toolLibraryIds[%d] is named twice.", i)
		seen[id] = true
	}
	f.unless(postName.MatchString(c.Post), "post is a name of small letters, digits and hyphens, as linuxcnc.")
	oneOf(&f, "tolerances.class", c.Tolerances.Class, classes)
	f.positive("tolerances.profile", c.Tolerances.Profile, maxDeviation, " mm")
	f.within("hourlyRateCents", float64(c.HourlyRateCents), 0, maxRate, "")
	f.positive("chordTolerance", c.ChordTolerance, maxDeviation, " mm")
	return f.err()
}

func (m *Machine) check(f *findings) {
	defer func(before string) { f.prefix = before }(f.prefix)
	f.prefix = "machine."
	f.text("name", m.Name, true)
	f.unless(m.AxisCount >= 3 && m.AxisCount <= 5, "machine.axisCount must be 3, 4 or 5, not %d.", m.AxisCount)
	f.each("travel", m.Travel, func(name string, v float64) { f.positive(name, v, maxTravel, " mm") })
	f.positive("maxSpindleRpm", m.MaxSpindleRPM, maxRPM, " revolutions per minute")
	f.positive("spindlePowerKw", m.SpindlePowerKW, maxPower, " kW")
	cutting := f.positive("maxFeed", m.MaxFeed, maxFeed, " mm/min")
	if f.positive("rapidFeed", m.RapidFeed, maxFeed, " mm/min") && cutting {
		f.unless(m.RapidFeed >= m.MaxFeed, "machine.rapidFeed %s mm/min is less than machine.maxFeed of %s mm/min.",
			number(m.RapidFeed), number(m.MaxFeed))
	}
	f.positive("acceleration", m.Acceleration, maxAcceleration, " mm/s²")
	f.positive("jerk", m.Jerk, maxJerk, " mm/s³")
	f.within("toolChangeSeconds", m.ToolChangeSeconds, 0, maxToolChange, " s")
}

func (s *Stock) check(f *findings) {
	oneOf(f, "stock.kind", s.Kind, stockKinds)
	f.each("stock.allowance", s.Allowance, func(name string, v float64) {
		f.within(name, v, 0, maxAllowance, " mm")
	})
	f.unless(s.Kind != StockCylinder || s.Allowance.X == s.Allowance.Y,
		"stock.allowance.x and y of a cylinder are its radial allowance and must be equal.")
}

// each visits the components of a vector with their names.
func (f *findings) each(name string, v Extent, visit func(name string, v float64)) {
	for _, c := range []struct {
		axis string
		v    float64
	}{{"x", v.X}, {"y", v.Y}, {"z", v.Z}} {
		visit(fmt.Sprintf("%s.%s", name, c.axis), c.v)
	}
}
