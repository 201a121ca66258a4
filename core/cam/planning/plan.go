// Package planning decides how a part is made: from which stock, in which setups, held how, by which operations with
// which tools and cutting data, and what cannot be made and why.
//
// # Frames
//
// The workpiece frame has the axes of the stock; jaws and setups lie along them. The frame of a setup has its origin at
// the work offset and Z toward the spindle, and its axes are axes of the workpiece, or against them. Both map to the
// part frame. Lengths are mm.
//
// A Plan is a value: the same part, config and tools give the same plan, byte for byte.
package planning

import (
	"math"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh/edgebreak"
)

// Strategy is the cutting strategy of an operation.
type Strategy string

// The strategies that plans use.
const (
	Face       Strategy = "face"       // the whole section of the stock, flat
	Pocket     Strategy = "pocket"     // level by level what the tool reaches, or one flat floor
	Contour    Strategy = "contour"    // along walls
	Drill      Strategy = "drill"      // with a spot drill too
	PeckDrill  Strategy = "peckDrill"  // deep holes
	Bore       Strategy = "bore"       // down a helix with an end mill
	Ream       Strategy = "ream"       // drilled before
	Tap        Strategy = "tap"        // drilled before
	ThreadMill Strategy = "threadMill" // drilled or bored before
	Chamfer    Strategy = "chamfer"    // bevels of the part
	Surface    Strategy = "surface"    // along slopes and free forms, with a round tip
	Slot       Strategy = "slot"       // the head of a T-slot, from an open end
	Dovetail   Strategy = "dovetail"   // from an open end
	BreakEdges Strategy = "breakEdges" // sharp edges of the part, with a chamfer that is not drawn
)

// Plan is the machining plan of a part.
type Plan struct {
	Workpiece    geom.Frame      `json:"workpiece"`     // maps to the part frame
	Stock        geom.Box        `json:"stock"`         // in the workpiece frame; of a round bar what encloses it
	Bar          *int            `json:"bar,omitempty"` // axis (0 to 2) of that frame along a round bar; nil: not a bar
	Tools        []Tool          `json:"tools"`         // ascending by number
	Setups       []Setup         `json:"setups"`        // in the order of the work
	Unmachinable []Unmachinable  `json:"unmachinable"`
	Warnings     []fault.Warning `json:"warnings"`

	// Gap is the share of the cost of setups and roughing that another order may save at most, as the search was cut
	// short. 0: no order is better.
	Gap float64 `json:"gap,omitempty"`

	Finished []int `json:"finished,omitempty"` // faces that are finished before the first setup, ascending

	// Account is the material left on the part: predicted by the reach of the tools, or found by simulation of the
	// paths. It is nil in plans stored before accounts existed.
	Account *completeness.Account `json:"account,omitempty"`
}

// Raw returns the dexels of the stock.
func (p *Plan) Raw(l dexel.Lattice) (*dexel.Stock, error) {
	if p.Bar == nil {
		return dexel.NewBlock(l, p.Stock)
	}
	base := p.Stock.Center()
	base.SetCoordinate(*p.Bar, along(p.Stock, *p.Bar).Lo)
	return dexel.NewBar(l, base, *p.Bar, p.barRadius(), along(p.Stock, *p.Bar).Length())
}

// RawVolume returns the volume of the stock, mm³.
func (p *Plan) RawVolume() float64 {
	size := p.Stock.Size()
	if p.Bar == nil {
		return size.X * size.Y * size.Z
	}
	return math.Pi * p.barRadius() * p.barRadius() * along(p.Stock, *p.Bar).Length()
}

func (p *Plan) barRadius() float64 { return along(p.Stock, (*p.Bar+1)%3).Length() / 2 }

// Tool is a tool of the program as it is set up.
type Tool struct {
	Number   int            `json:"number"`   // T, and its length and diameter offsets
	Stickout float64        `json:"stickout"` // mm, from the tip to the holder
	Tool     machining.Tool `json:"tool"`     // as it was when the plan was made

	// Fallback is why the tool is made up: the reason for which the library cannot cut something; "": of the library.
	Fallback string `json:"fallback,omitempty"`
}

// Setup is the work in one clamping of the part.
type Setup struct {
	Frame      geom.Frame  `json:"frame"`  // maps to the part frame; Z is the direction that the tool comes from
	Before     geom.Box    `json:"before"` // what encloses the stock when the setup begins, in Frame
	Clamping   Clamping    `json:"hold"`
	Safe       float64     `json:"safe"` // height in Frame above which rapids go anywhere
	Operations []Operation `json:"operations"`

	Mills  []MillChoice `json:"mills,omitempty"`  // that rough everywhere, in the order of the work
	Choice *SetupChoice `json:"choice,omitempty"` // nil in plans stored before it existed
}

// MillChoice is a mill that was chosen for roughing, and what the next best choice would cost.
type MillChoice struct {
	Mill    string  `json:"mill"`
	Instead string  `json:"instead,omitempty"` // the mill that would replace it; "": the others would take over its work
	Seconds float64 `json:"seconds"`           // that roughing would take longer then, by the estimate that chose it
}

// Clamping is the clamping of the part.
type Clamping struct {
	Kind  machining.WorkholdingKind `json:"kind"`
	Text  string                    `json:"text"`  // for people, one sentence
	Solid []geom.Box                `json:"solid"` // what no tool may touch, in the frame of the setup: jaws

	Hold   *Hold      `json:"figures,omitempty"` // nil: a clamping without a model
	Device DeviceKind `json:"device,omitempty"`  // "": nothing that is designed
	Making Making     `json:"making,omitzero"`   // of the device, beyond setting up a vise

	Pieces []fixture.Piece `json:"pieces,omitempty"` // of the device, that are made for the part
}

// Making is the additional time and material to make and set up a device, for a batch.
type Making struct {
	Seconds float64 `json:"seconds"`
	Cents   int     `json:"cents"`
}

// Hold is the strength of a clamping.
type Hold struct {
	Jaw      JawKind `json:"jaw,omitempty"`   // of a vise
	Opening  float64 `json:"opening"`         // between the jaws, mm
	Depth    float64 `json:"depth"`           // of their contact, mm
	Length   float64 `json:"length"`          // of their contact, mm
	StandOut float64 `json:"standOut"`        // of the workpiece over the jaws, mm
	Area     float64 `json:"area"`            // of contact with a bed, mm²
	Count    int     `json:"count,omitempty"` // of the screws and straps on a base plate

	// In a vise with flat jaws, the height of the parallels, mm, and the sides of the setup (+x, -x, +y or -y) at which
	// the fixed jaw and a stop touch the workpiece. The fixed jaw is at +y or, of jaws that close along x, at -x. It is
	// not at a raw face if the other one is finished.
	Parallels float64 `json:"parallels,omitempty"`
	FixedJaw  string  `json:"fixedJaw,omitempty"`
	Stop      string  `json:"stop,omitempty"`

	// Force of each jaw, or of the bed, N: the least that holds against all operations, the one to set, and the most
	// that the device gives and the workpiece bears.
	Least  float64 `json:"least"`
	Set    float64 `json:"set"`
	Most   float64 `json:"most"`
	Torque float64 `json:"torque"` // of the vise handle for Set, N·m

	Governing *Governing `json:"governing,omitempty"` // nil: no operation pushes the part
	Uses      []Use      `json:"uses"`                // of what holds at Set, by check; at most 1 where it holds
}

// JawKind is the kind of vise jaws.
type JawKind string

// The kinds of jaws.
const (
	JawSerrated JawKind = "serrated" // on raw faces
	JawSoft     JawKind = "soft"     // at least one presses on a finished face
	JawFormed   JawKind = "formed"   // soft, with a pocket of the part's outline
	JawBored    JawKind = "bored"    // soft, of a chuck, to the diameter of the part
)

// Governing is the cut that needs the most force.
type Governing struct {
	Operation  string  `json:"operation"`  // its ID
	Horizontal float64 `json:"horizontal"` // N
	Axial      float64 `json:"axial"`      // N, that lifts
	Height     float64 `json:"height"`     // over the middle of the grip, mm
}

// Use is the share of a limit that is used.
type Use struct {
	Check string  `json:"check"`
	Value float64 `json:"value"`
}

// Operation is the uninterrupted work of one tool, by one strategy.
type Operation struct {
	ID       string   `json:"id"` // unique in the plan
	Strategy Strategy `json:"strategy"`
	Features []int    `json:"features"` // indices into what recognition found, ascending
	Regions  []int    `json:"regions"`  // faces of the part that it makes, ascending; none: it only clears the way
	Tool     int      `json:"tool"`     // index into Plan.Tools

	// It cuts between these heights in the frame of the setup; of a Pocket with Floor, at Bottom only.
	Top    float64 `json:"top"`
	Bottom float64 `json:"bottom"`
	// of a Pocket: finishes the floor at Bottom that Regions are, instead of clearing levels
	Floor  bool `json:"floor"`
	Spring bool `json:"spring"` // of a Contour: the last pass is done twice

	Beside []int `json:"beside"` // of a Pocket or Contour: faces beside which it clears, ascending; none: everywhere

	// of a Surface: the height of the ridges between its passes on a plane, and how far its lines may cut in, mm
	Scallop   float64 `json:"scallop,omitempty"`
	Tolerance float64 `json:"tolerance,omitempty"`

	Holes []Hole `json:"holes"` // of the strategies that make holes, in the order of the work

	// of BreakEdges: the faces that meet in each edge, one level and one upright, and the width of the chamfer along
	// either of them, mm
	Edges []edgebreak.Edge `json:"edges,omitempty"`
	Width float64          `json:"width,omitempty"`

	Channel *Channel `json:"channel,omitempty"` // of Slot and Dovetail

	LeaveRadial float64             `json:"leaveRadial"` // mm, for a later operation
	LeaveAxial  float64             `json:"leaveAxial"`  // mm
	Cutting     cutting.CuttingData `json:"cutting"`
	Coolant     motion.Coolant      `json:"coolant"`

	Expected float64  `json:"expected,omitempty"` // s that it should take, before it has a path; 0 in older plans
	Notes    []string `json:"notes"`              // for people
}

// Hole is the position and depth of a hole, in the frame of the setup.
type Hole struct {
	At       geom.Vec2 `json:"at"`
	Top      float64   `json:"top"`      // where material may begin
	Bottom   float64   `json:"bottom"`   // where the tip ends
	Diameter float64   `json:"diameter"` // that it leaves
	Feature  int       `json:"feature"`  // index into what recognition found

	Bore float64 `json:"bore,omitempty"` // of a groove: diameter of the narrowest bore above it
}

// Unmachinable is material that the plan does not remove.
type Unmachinable struct {
	Feature int                 `json:"feature"` // index into what recognition found; -1: faces of no feature
	Regions []int               `json:"regions"` // the faces of it that stay unmade, ascending
	Reason  completeness.Reason `json:"reason"`
	Detail  string              `json:"detail"`           // one sentence for a machinist
	Remedy  string              `json:"remedy,omitempty"` // what would mend it, one sentence; "": unknown
	// Corners are sets of faces that share edges at which material stays: within the distance Within (mm) of all faces
	// of one corner. None: all material next to the regions.
	Corners [][]int `json:"corners,omitempty"`
	Within  float64 `json:"within,omitempty"`

	Price *completeness.Price `json:"price,omitempty"` // of making it; nil: not known

	length float64 // mm, of edges that are not broken
}
