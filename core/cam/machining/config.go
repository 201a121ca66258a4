package machining

import (
	"encoding/json"
	"fmt"
	"math"
)

// Extent is lengths (mm) along x, y and z.
type Extent struct {
	X float64 `json:"x"` // mm
	Y float64 `json:"y"` // mm
	Z float64 `json:"z"` // mm
}

// CutConfig defines the machining of parts: machine, material, stock, workholding and tolerances.
type CutConfig struct {
	ID              string      `json:"id"`
	Name            string      `json:"name"`
	IsDefault       bool        `json:"isDefault"` // it is the default of the user who made the key
	Machine         Machine     `json:"machine"`
	Material        Material    `json:"material"`
	Stock           Stock       `json:"stock"`
	Workholding     Workholding `json:"workholding"`
	ToolLibraryIDs  []string    `json:"toolLibraryIds"`  // in the order in which tools are looked for
	Post            string      `json:"post"`            // name of the postprocessor
	Tolerances      Tolerances  `json:"tolerances"`      // tolerances where the file of a part states none
	HourlyRateCents int         `json:"hourlyRateCents"` // price of an hour of the machine, US cents
	ChordTolerance  float64     `json:"chordTolerance"`  // largest deviation of toolpaths from curves and surfaces, mm

	// Later fields; ReadCutConfig defines their defaults.
	ProgrammingSeconds float64  `json:"programmingSeconds"` // of a person, once per part, charged at the rate; s
	ScallopHeight      float64  `json:"scallopHeight"`      // of ridges that finishing leaves on freeform surfaces, mm
	EngagementDeg      *float64 `json:"engagementDeg"`      // of the front arc on straight cuts; null: by radialDepth
	TapInferredThreads bool     `json:"tapInferredThreads"` // tap also threads inferred from a diameter

	BreakEdges *BreakEdges `json:"breakEdges"` // sharp edges that chamfer mills break; null: none
}

// BreakEdges asks for the deburring of sharp convex edges. In documents without a width it is DefaultEdgeBreak; with a
// width of 0 no edge is broken.
type BreakEdges struct {
	Width float64 `json:"width" required:"false"` // of the chamfer along either face, mm
}

// DefaultEdgeBreak (mm) is the default width: between 0.1 and 0.3 mm, which ISO 13715 lists for edges without burr.
const DefaultEdgeBreak = 0.2

// UnmarshalJSON reads the request, with the default for a missing width.
func (b *BreakEdges) UnmarshalJSON(data []byte) error {
	type plain BreakEdges
	v := plain{Width: DefaultEdgeBreak}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*b = BreakEdges(v)
	return nil
}

// EdgeBreak returns the width of the chamfer on sharp edges, mm; 0: they are left.
func (c *CutConfig) EdgeBreak() float64 {
	if c.BreakEdges == nil {
		return 0
	}
	return c.BreakEdges.Width
}

// DefaultScallopHeight (mm) is the default of a cut config. With common ball end mills it gives a roughness Ra of some
// 1 µm, which files and abrasives remove.
const DefaultScallopHeight = 0.01

// ReadCutConfig reads the JSON form of a cut config, also without its later fields. Then programmingSeconds and
// tapInferredThreads are 0 and false, engagementDeg and breakEdges null, and scallopHeight DefaultScallopHeight. The
// types of machine, material and workholding define the defaults of theirs.
func ReadCutConfig(data []byte) (CutConfig, error) {
	c := CutConfig{ScallopHeight: DefaultScallopHeight}
	err := json.Unmarshal(data, &c)
	return c, err
}

// StockKind is the shape that a part is made from.
type StockKind string

// The shapes of stock.
const (
	StockBox      StockKind = "box"
	StockCylinder StockKind = "cylinder"
	StockNearNet  StockKind = "nearNet" // casting or forging: the part's own shape, grown
)

// Stock is the raw material of a part. Allowance is the material on each side beyond the part, mm. For a cylinder x and
// y are the radial allowance and equal, and z runs along its axis. A vise that holds the raw stock grips more material
// below the part, which the next setup removes: Grip high, and by Under away from the part, so that the first setup
// finishes its sides down to the end. In documents without these fields they are DefaultGrip and DefaultUnder.
type Stock struct {
	Kind      StockKind `json:"kind"`
	Allowance Extent    `json:"allowance"`
	Grip      float64   `json:"grip" required:"false"`  // mm; 0: jaws grip the allowance and the part
	Under     float64   `json:"under" required:"false"` // mm
	// Size is the stock as it is bought; nil: the part with its allowance.
	Size *StockSize `json:"size" required:"false"`
}

// StockSize is the size of stock along the axes of the part, mm. Of a cylinder x and y are the diameter, and z is the
// length.
type StockSize struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

const (
	// DefaultGrip (mm) is the usual depth of a grip on raw stock.
	DefaultGrip = 6

	// DefaultUnder (mm) is the usual run of tools past the sides of the part.
	DefaultUnder = 1
)

// UnmarshalJSON reads stock, with defaults for missing fields.
func (s *Stock) UnmarshalJSON(data []byte) error {
	type plain Stock
	v := plain{Grip: DefaultGrip, Under: DefaultUnder}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*s = Stock(v)
	return nil
}

// WorkholdingKind is the kind of clamping.
type WorkholdingKind string

// The kinds of workholding.
const (
	WorkholdingVise    WorkholdingKind = "vise"
	WorkholdingFixture WorkholdingKind = "fixture"
	WorkholdingNone    WorkholdingKind = "none" // no obstacle to the tool, as with a vacuum or glue
)

// Workholding is the clamping of the stock. In documents without the later fields, jaws are DefaultJawWidth wide, open
// by DefaultOpening or DefaultOuterOpening and press with DefaultClampForce, and the grip depth is DefaultGripDepth,
// or the full height of lower jaws.
type Workholding struct {
	Kind WorkholdingKind `json:"kind"`
	// height of the stock's side that the vise or fixture covers, mm
	JawHeight float64 `json:"jawHeight"`
	JawWidth  float64 `json:"jawWidth" required:"false"` // along the stock's side, mm
	Bite      float64 `json:"bite" required:"false"`     // the least grip depth of the jaws, mm
	Opening   float64 `json:"opening" required:"false"`  // the largest distance between the jaws, mm
	// the same with the jaws on the outer seats of the vise; 0: it has none
	OuterOpening float64 `json:"outerOpening" required:"false"`
	Force        float64 `json:"force" required:"false"` // the largest force of each jaw, N
}

const (
	// DefaultJawWidth (mm) is the jaw width of a common vise, 6 inches to the nearest ten millimeters.
	DefaultJawWidth = 150

	// DefaultGripDepth (mm) is the usual grip depth of serrated jaws and of ledges of soft jaws.
	DefaultGripDepth = 3

	// DefaultOpening (mm) is the opening of a common 6-inch vise.
	DefaultOpening = 220

	// DefaultOuterOpening (mm) is its opening with the jaws on its outer seats.
	DefaultOuterOpening = 430

	// DefaultClampForce (N) is its force at 80 N·m.
	DefaultClampForce = 20_000
)

// MostOpening returns the largest distance between the jaws on any of their seats, mm.
func (w *Workholding) MostOpening() float64 { return max(w.Opening, w.OuterOpening) }

// UnmarshalJSON reads workholding, with defaults for missing fields.
func (w *Workholding) UnmarshalJSON(data []byte) error {
	type plain Workholding
	v := plain{
		JawWidth: DefaultJawWidth, Opening: DefaultOpening, OuterOpening: DefaultOuterOpening,
		Force: DefaultClampForce,
		Bite:  math.NaN(), // no JSON is NaN
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if math.IsNaN(v.Bite) {
		v.Bite = min(v.JawHeight, DefaultGripDepth)
	}
	*w = Workholding(v)
	return nil
}

// ToleranceClass is a class of general tolerances of ISO 2768-1.
type ToleranceClass string

// The classes.
const (
	ClassFine       ToleranceClass = "f"
	ClassMedium     ToleranceClass = "m"
	ClassCoarse     ToleranceClass = "c"
	ClassVeryCoarse ToleranceClass = "v"
)

// Tolerances are the tolerances of a part where its file states none.
type Tolerances struct {
	Class   ToleranceClass `json:"class"`   // general tolerances of ISO 2768-1: fine, medium, coarse, very coarse
	Profile float64        `json:"profile"` // width of the zone around freeform surfaces, mm
}

var (
	stockKinds       = []StockKind{StockBox, StockCylinder, StockNearNet}
	workholdingKinds = []WorkholdingKind{WorkholdingVise, WorkholdingFixture, WorkholdingNone}
	classes          = []ToleranceClass{ClassFine, ClassMedium, ClassCoarse, ClassVeryCoarse}
)

// Posts are the names of the post processors in all interfaces; adapters/post has a dialect for each.
var Posts = []string{"fanuc", "grbl", "haas", "heidenhain", "linuxcnc", "siemens"}

// Validate reports everything wrong with the cut config, as *Invalid. Whether its tool libraries exist is
// not for it to say.
func (c *CutConfig) Validate() error {
	var f findings
	f.text("name", c.Name, true)
	c.Machine.check(&f)
	c.Material.check(&f)
	c.Stock.check(&f)
	c.Workholding.check(&f)
	f.unless(len(c.ToolLibraryIDs) <= maxLibraries, "toolLibraryIds", "has more than %d entries.", maxLibraries)
	seen := map[string]bool{}
	for i, id := range c.ToolLibraryIDs {
		f.unless(!seen[id], fmt.Sprintf("toolLibraryIds[%d]", i), "is named twice.")
		seen[id] = true
	}
	oneOf(&f, "post", c.Post, Posts)
	oneOf(&f, "tolerances.class", c.Tolerances.Class, classes)
	back := f.in("tolerances.")
	f.figure("Tolerances", "profile", c.Tolerances.Profile)
	back()
	f.figure("CutConfig", "hourlyRateCents", float64(c.HourlyRateCents))
	f.figure("CutConfig", "chordTolerance", c.ChordTolerance)
	f.figure("CutConfig", "programmingSeconds", c.ProgrammingSeconds)
	f.figure("CutConfig", "scallopHeight", c.ScallopHeight)
	if c.EngagementDeg != nil {
		f.figure("CutConfig", "engagementDeg", *c.EngagementDeg)
	}
	defer f.in("breakEdges.")()
	f.figure("BreakEdges", "width", c.EdgeBreak())
	return f.err()
}

func (w *Workholding) check(f *findings) {
	defer f.in("workholding.")()
	oneOf(f, "kind", w.Kind, workholdingKinds)
	high := f.figure("Workholding", "jawHeight", w.JawHeight)
	f.unless(w.Kind != WorkholdingNone || w.JawHeight == 0, "jawHeight", "must be 0 if workholding.kind is none.")
	f.figure("Workholding", "jawWidth", w.JawWidth)
	f.figure("Workholding", "opening", w.Opening)
	f.figure("Workholding", "outerOpening", w.OuterOpening)
	f.figure("Workholding", "force", w.Force)
	if f.figure("Workholding", "bite", w.Bite) && high {
		f.unless(!above(w.Bite, w.JawHeight), "bite", "%s mm is more than workholding.jawHeight of %s mm.",
			number(w.Bite), number(w.JawHeight))
	}
}

func (s *Stock) check(f *findings) {
	defer f.in("stock.")()
	oneOf(f, "kind", s.Kind, stockKinds)
	s.Allowance.check(f, "Allowance", "allowance.")
	f.figure("Stock", "grip", s.Grip)
	f.figure("Stock", "under", s.Under)
	f.unless(s.Kind != StockCylinder || s.Allowance.X == s.Allowance.Y, "allowance.x",
		"and y of a cylinder are its radial allowance and must be equal.")
	if s.Size == nil {
		return
	}
	f.unless(s.Kind != StockNearNet, "size", "must be null if stock.kind is nearNet.")
	f.unless(s.Kind != StockCylinder || s.Size.X == s.Size.Y, "size.x",
		"and y of a cylinder are its diameter and must be equal.")
	defer f.in("size.")()
	f.figure("StockSize", "x", s.Size.X)
	f.figure("StockSize", "y", s.Size.Y)
	f.figure("StockSize", "z", s.Size.Z)
}

// check requires the components of a vector to be within the bounds of a document.
func (e Extent) check(f *findings, document, object string) {
	defer f.in(object)()
	f.figure(document, "x", e.X)
	f.figure(document, "y", e.Y)
	f.figure(document, "z", e.Z)
}
