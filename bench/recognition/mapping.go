package recognition

import (
	"maps"
	"slices"

	"millwright.dev/millwright/core/feature"
)

// Class defines the accepted product names for the faces of a class in a labeled set, with the reason.
type Class struct {
	Name   string
	Kinds  []feature.Type
	Reason string
	// Part of a feature only in the set's eyes: faces of these classes are judged one by one, but are
	// left out when features are compared, because with us they belong to a neighbor.
	Loose bool
	// Raw faces belong to no feature of the set.
	Raw bool
	// What the datasheet says of its features: always, and of those that no other feature touches and that have
	// as many faces as they were drawn with, where that says whether their walls run all round.
	Always, Alone map[string]any
	Whole         int
	// Open classes are cuts with possibly only a single plane left: a flat in the product.
	Open bool
}

func (c Class) accepts(kind feature.Type) bool { return slices.Contains(c.Kinds, kind) }

func kinds(k ...feature.Type) []feature.Type { return k }

// What public sets call by the shape of its outline (passage, slot, step, pocket) is one kind here.
const (
	floorAndWalls = "a floor with walls rising from it"
	passage       = "walls without a floor: a through pocket"
	openSides     = "a floor without walls on all sides: an open pocket"
	oneWall       = "a single step of one floor and one wall is an open pocket too"
	slanted       = "two planes that meet in a concave edge: an open pocket along the direction that sees both"
	stockReason   = "planes of the raw block are milled flat, or enclose the part, or are steep pieces of it"
)

// The datasheet facts of through pockets, of features with a floor, and of features that reach the side of the part. A
// neighbor that cuts a wall open turns a closed pocket into an open one and changes the outline. So these facts are
// known only for features that touch no other feature.
var (
	through   = map[string]any{"isThrough": true}
	blind     = map[string]any{"isThrough": false}
	open      = map[string]any{"isOpen": true}
	openBlind = map[string]any{"isOpen": true, "isThrough": false}
	// A feature with walls on two sides perpendicular to its floor is rectangular, though open at the others.
	rectangular = map[string]any{"shape": "rectangular"}
)

func closed(shape string) map[string]any { return map[string]any{"isOpen": false, "shape": shape} }

// facts returns the known facts of a feature of a class; isWhole means that no other feature cut its walls.
func (c Class) facts(isWhole bool) map[string]any {
	out := maps.Clone(c.Always)
	if isWhole && len(c.Alone) > 0 {
		if out == nil {
			out = map[string]any{}
		}
		maps.Copy(out, c.Alone)
	}
	return out
}

// mfcadClasses are the classes of MFCAD by number. The order is that of the generator's feature list,
// which the file names repeat: the numbers of faces per feature and their shapes were checked against it.
var mfcadClasses = []Class{
	{Name: "chamfer", Kinds: kinds(feature.Chamfer), Reason: "a plane in the place of a convex edge"},
	{Name: "triangular_passage", Kinds: kinds(feature.Pocket), Reason: passage,
		Always: through, Alone: closed("general"), Whole: 3},
	{Name: "rectangular_passage", Kinds: kinds(feature.Pocket), Reason: passage,
		Always: through, Alone: closed("rectangular"), Whole: 4},
	{Name: "6sides_passage", Kinds: kinds(feature.Pocket), Reason: passage,
		Always: through, Alone: closed("general"), Whole: 6},
	{Name: "triangular_through_slot", Kinds: kinds(feature.Pocket), Reason: slanted, Always: open},
	{Name: "rectangular_through_slot", Kinds: kinds(feature.Pocket), Reason: openSides,
		Always: openBlind, Alone: rectangular},
	{Name: "rectangular_through_step", Kinds: kinds(feature.Pocket), Reason: oneWall, Always: openBlind},
	{Name: "2sides_through_step", Kinds: kinds(feature.Pocket), Reason: openSides, Always: openBlind},
	{Name: "slanted_through_step", Kinds: kinds(feature.Pocket), Reason: slanted, Always: open},
	{Name: "triangular_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("general"), Whole: 4},
	{Name: "rectangular_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("rectangular"), Whole: 5},
	{Name: "6sides_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("general"), Whole: 7},
	{Name: "rectangular_blind_slot", Kinds: kinds(feature.Pocket), Reason: openSides,
		Always: openBlind, Alone: rectangular},
	{Name: "triangular_blind_step", Kinds: kinds(feature.Pocket), Reason: openSides, Always: openBlind},
	{Name: "rectangular_blind_step", Kinds: kinds(feature.Pocket), Reason: openSides, Always: openBlind},
	{Name: "stock", Kinds: kinds(feature.Face, feature.Profile, feature.Wall), Reason: stockReason, Raw: true},
}

// mftrcadClasses are the classes of MFTRCAD by number: turned and milled bodies.
var mftrcadClasses = []Class{
	{Name: "chamfer", Kinds: kinds(feature.Chamfer, feature.Hole),
		Reason: "a plane or cone in the place of a convex edge; at the mouth of a hole its countersink"},
	{Name: "through_hole", Kinds: kinds(feature.Hole), Reason: "a hollow cylinder", Always: through},
	{Name: "triangular_passage", Kinds: kinds(feature.Pocket), Reason: passage,
		Always: through, Alone: closed("general"), Whole: 3},
	{Name: "rectangular_passage", Kinds: kinds(feature.Pocket), Reason: passage,
		Always: through, Alone: closed("rectangular"), Whole: 4},
	{Name: "6sides_passage", Kinds: kinds(feature.Pocket), Reason: passage,
		Always: through, Alone: closed("general"), Whole: 6},
	{Name: "triangular_through_slot", Kinds: kinds(feature.Pocket), Reason: slanted, Open: true, Always: open},
	{Name: "rectangular_through_slot", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true,
		Always: openBlind, Alone: rectangular},
	{Name: "circular_through_slot", Kinds: kinds(feature.Pocket),
		Reason: "a round channel of no more than half a turn is an open pocket, not a hole", Open: true, Always: open},
	{Name: "rectangular_through_step", Kinds: kinds(feature.Pocket), Reason: oneWall, Open: true, Always: openBlind},
	{Name: "2sides_through_step", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true, Always: openBlind},
	{Name: "slanted_through_step", Kinds: kinds(feature.Pocket), Reason: slanted, Open: true, Always: open},
	{Name: "Oring", Kinds: kinds(feature.Pocket), Reason: "a ring-shaped floor with walls",
		Always: blind, Alone: map[string]any{"isOpen": false}},
	{Name: "blind_hole", Kinds: kinds(feature.Hole), Reason: "a hollow cylinder with its bottom", Always: blind},
	{Name: "triangular_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("general"), Whole: 4},
	{Name: "rectangular_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("rectangular"), Whole: 5},
	{Name: "6sides_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("general"), Whole: 7},
	{Name: "circular_end_pocket", Kinds: kinds(feature.Pocket), Reason: floorAndWalls,
		Always: blind, Alone: closed("slot"), Whole: 5},
	{Name: "rectangular_blind_slot", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true,
		Always: openBlind, Alone: rectangular},
	{Name: "v_circular_end_blind_slot", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true, Always: openBlind},
	{Name: "h_circular_end_blind_slot", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true, Always: openBlind},
	{Name: "triangular_blind_step", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true, Always: openBlind},
	{Name: "circular_blind_step", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true, Always: openBlind},
	{Name: "rectangular_blind_step", Kinds: kinds(feature.Pocket), Reason: openSides, Open: true, Always: openBlind},
	{Name: "round", Kinds: kinds(feature.Boss, feature.Pocket, feature.Profile, feature.Wall, feature.Three),
		Reason: "the rounding of a convex edge belongs to the feature below it whose wall ends there", Loose: true},
	{Name: "stock", Kinds: kinds(feature.Face, feature.Profile, feature.Wall, feature.Boss),
		Reason: stockReason + ", or the sides of a square shaft", Raw: true},
	{Name: "cylinder", Kinds: kinds(feature.Profile, feature.Wall, feature.Boss),
		Reason: "the lateral surface of a turned body encloses it, and at a step it is a boss", Raw: true},
	{Name: "cone", Kinds: kinds(feature.Profile, feature.Wall, feature.Boss, feature.Three, feature.Chamfer),
		Reason: "a tapered mantle: steep, or sloped, or a narrow one in the place of an edge", Raw: true},
	{Name: "flat", Kinds: kinds(feature.Pocket, feature.Face, feature.Profile, feature.Wall), Raw: true,
		Open: true, Reason: "all that is left of a step or slot is one plane, on which no wall stands"},
	{Name: "inner chamfer", Kinds: kinds(feature.Pocket, feature.Hole), Loose: true, Reason: "the set's chamfer " +
		"operation bevels inner edges too; in the place of one a bevel is, like a fillet, of the cut it lies in"},
}

// Numbers of MFTRCAD classes that loading looks for.
const (
	chamferClass = 0
	oringClass   = 11
	stockClass   = 24
	flatClass    = 27 // of ours: faces of the Open classes
	innerClass   = 28 // of ours: chamfers of inner edges
)

// countClass says which kinds people's names of features on real parts mean.
type countClass struct {
	Prefix string // of the name in the file
	Group  string // counted together, "" for names that mean no feature of ours
	Maybe  bool   // counted with the group or not: people list them apart
	Shared bool   // with Maybe: fewer than listed may count, because several have one between them
	Reason string
}

// countGroups are the kinds that make up a group.
var countGroups = []struct {
	Name  string
	Kinds []feature.Type
}{
	{"holes", kinds(feature.Hole)},
	{"pockets", kinds(feature.Pocket, feature.Dovetail, feature.Tslot)},
	{"bosses", kinds(feature.Boss)},
	{"chamfers", kinds(feature.Chamfer)},
}

var countClasses = []countClass{
	{Prefix: "Hole", Group: "holes", Reason: "through and blind holes"},
	{Prefix: "Threaded", Group: "holes", Maybe: true,
		Reason: "a threaded hole is a hole, a threaded shaft is not"},
	{Prefix: "Pipe", Group: "holes", Maybe: true, Shared: true,
		Reason: "the bore of a tube is a hole; tubes in line have one between them"},
	{Prefix: "Pipe", Group: "bosses", Maybe: true, Reason: "the outside of a tube on a part is a boss"},
	{Prefix: "Pocket", Group: "pockets", Reason: "closed and through pockets"},
	{Prefix: "Slot", Group: "pockets", Reason: "open pockets, dovetails and T-slots"},
	{Prefix: "Step", Group: "pockets", Reason: "a step is an open pocket"},
	{Prefix: "Boss", Group: "bosses", Reason: "islands and studs"},
	{Prefix: "Chamfer", Group: "chamfers", Reason: "bevels of edges"},
	{Prefix: "Fillet", Reason: "blends belong to the blended features"},
	{Prefix: "Sheet", Reason: "bends are not machined"},
	{Prefix: "Gusset", Reason: "stands among walls and pockets"},
	{Prefix: "Neck", Reason: "turned"},
	{Prefix: "Gear", Reason: "a separate process"},
	{Prefix: "Freeform", Reason: "its surfaces are not countable features"},
	{Prefix: "Draft", Reason: "a property of walls"},
}
