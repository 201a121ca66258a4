package feature

import (
	"encoding/json"
	"fmt"

	"millwright.dev/millwright/core/kernel/geom"
)

// Datasheet is the measurement of one feature. It is a document, not a working value: lengths are mm, areas mm², and,
// unlike everywhere else in the domain, angles are degrees, as its readers expect. z of a point is its dot product with
// the feature's direction, so that zMin is the bottom.
type Datasheet struct {
	FeatureType        Type          `json:"featureType"`
	ZMin               float64       `json:"zMin"`
	ZMax               float64       `json:"zMax"`
	ExtendedZMin       float64       `json:"extendedZMin"`       // with the chamfers on its edges
	ExtendedZMax       float64       `json:"extendedZMax"`       // and the pocket or hole in whose floor it lies
	RadialStockToLeave float64       `json:"radialStockToLeave"` // for a later operation
	AxialStockToLeave  float64       `json:"axialStockToLeave"`
	ToleranceBand      ToleranceBand `json:"toleranceBand"`
	HasFloor           bool          `json:"hasFloor"`     // something is machined square to the tool axis
	HasWall            bool          `json:"hasWall"`      // something is machined parallel to the tool axis
	FloorishArea       float64       `json:"floorishArea"` // area projected along the tool axis
	WallishArea        float64       `json:"wallishArea"`  // area projected on the mantle around the tool axis
	Facts              Facts         `json:"facts"`
}

// Facts are the measurements of one kind of feature: one of the ...Facts structs, whose Kind field is
// the name of the kind.
type Facts interface{ facts() Type }

// Where a tolerance comes from.
const (
	ToleranceFromPMI = "pmi"     // stated in the file
	ToleranceGeneral = "general" // ISO 2768-1
)

// ToleranceBand is the permitted signed deviation of each surface of the feature, mm. Across the direction it is half
// the deviation of a size between two opposite sides; along it, the full deviation of the depth or height.
type ToleranceBand struct {
	RadialLower float64 `json:"radialLower"`
	RadialUpper float64 `json:"radialUpper"`
	AxialLower  float64 `json:"axialLower"`
	AxialUpper  float64 `json:"axialUpper"`
	Source      string  `json:"source"`
}

// SinkFacts is a countersink: the diameter at its top, the included angle, the depth.
type SinkFacts struct {
	Diameter float64 `json:"diameter"`
	AngleDeg float64 `json:"angleDeg"`
	Depth    float64 `json:"depth"`
}

// BoreFacts is a counterbore.
type BoreFacts struct {
	Diameter float64 `json:"diameter"`
	Depth    float64 `json:"depth"`
}

// BevelFacts is a sloped break of an edge. AngleDeg lies between the bevel and the tool axis: 0 for a wall.
type BevelFacts struct {
	AngleDeg float64 `json:"angleDeg"`
	Slant    float64 `json:"slant"` // along its own slope
	// highest bottom among the features below the bevel, else its own
	LowerAdjacentZMin  float64    `json:"lowerAdjacentZMin"`
	IsOpenPocketBottom bool       `json:"isOpenPocketBottom"` // it breaks the edge along an open pocket's floor
	Countersink        *SinkFacts `json:"countersink,omitempty"`
}

// CdData limits the diameter of tools that sweep around an outline, at the height of its base and above. A tool must
// not touch any other material above the base; the outline's own concave corners count. A limit of 250 mm or more is
// unbounded, since no wider tools exist.
type CdData struct {
	MaxFullDiameter    *float64 `json:"maxFullDiameter"`    // sweeps the whole outline; nil = unbounded
	MaxPartialDiameter *float64 `json:"maxPartialDiameter"` // reaches anywhere on it; nil = unbounded
	LimitingZ          *float64 `json:"limitingZ"`          // top of the limiting neighbor; nil = none
}

// SegmentFacts is one coaxial piece of a hole, along its direction.
type SegmentFacts struct {
	Shape          string  `json:"shape"` // cylinder, cone, torus or plane
	ZMin           float64 `json:"zMin"`
	ZMax           float64 `json:"zMax"`
	DiameterTop    float64 `json:"diameterTop"`
	DiameterBottom float64 `json:"diameterBottom"`
}

// Where a thread comes from.
const (
	ThreadFromPMI      = "pmi"      // stated in the file
	ThreadFromGeometry = "geometry" // its helix is modeled
	ThreadInferred     = "inferred" // the bore has the diameter of a tap drill, and the file no limits for it
)

// How surely a hole has a thread.
const (
	ThreadCertain  = "certain"  // the file states or models it
	ThreadLikely   = "likely"   // plain holes seldom have the diameter, or two things speak for the thread
	ThreadPossible = "possible" // plain holes have the diameter too, and one thing speaks for the thread
)

// ThreadFacts is the thread of a hole. The designation of a left-handed thread ends in -LH. A multi-start thread states
// its lead, as in M16xPh3P1.5 (ISO 965-1).
type ThreadFacts struct {
	Designation string  `json:"designation"` // such as M6x1
	Pitch       float64 `json:"pitch"`
	Depth       float64 `json:"depth"` // along the axis
	Source      string  `json:"source"`
	Confidence  string  `json:"confidence"`
}

// HoleFacts describes a Hole.
type HoleFacts struct {
	Kind        Type           `json:"kind"`
	Diameter    float64        `json:"diameter"` // of the bore that goes deepest
	Depth       float64        `json:"depth"`    // top opening to the end of the cylinder, tip excluded
	IsThrough   bool           `json:"isThrough"`
	Bottom      string         `json:"bottom"`      // through, flat, conical, spherical or stepped
	TipAngleDeg *float64       `json:"tipAngleDeg"` // included
	Center      geom.Vec3      `json:"center"`      // of the top opening
	Axis        geom.Vec3      `json:"axis"`        // outward
	SweepDeg    float64        `json:"sweepDeg"`    // 360 for a whole hole
	Segments    []SegmentFacts `json:"segments"`    // top to bottom
	Counterbore *BoreFacts     `json:"counterbore"`
	Countersink *SinkFacts     `json:"countersink"`
	// At the other end of a through hole.
	FarCounterbore *BoreFacts   `json:"farCounterbore"`
	FarCountersink *SinkFacts   `json:"farCountersink"`
	Thread         *ThreadFacts `json:"thread"`
	CrossesVoid    bool         `json:"crossesVoid"` // its wall is interrupted by another feature
	EntryTiltDeg   float64      `json:"entryTiltDeg"`
}

// Shapes of pockets and bosses.
const (
	ShapeRectangular = "rectangular"
	ShapeCircular    = "circular"    // of pockets
	ShapeSlot        = "slot"        // of pockets
	ShapeCylindrical = "cylindrical" // of bosses
	ShapeGeneral     = "general"
)

// PocketFacts describes a Pocket.
//
// MaxClearingDiameter is the diameter of the largest end mill that sweeps 98 % of the plan from one connected region of
// its free positions. The mill's corner radius equals the floor's fillets. The plan is the area of the floor and its
// fillets, seen along the direction. Area under an overhanging wall is part of the plan but cannot be swept, so 0 means
// that no end mill clears the pocket. All positions beyond open sides count as connected: a tool that leaves over one
// open side may return over another. A floor that is curved everywhere and level nowhere takes a ball-end mill.
type PocketFacts struct {
	Kind Type `json:"kind"`
	// up to the surface, through bevels of the opening, which the volume leaves out
	Depth     float64 `json:"depth"`
	IsOpen    bool    `json:"isOpen"`
	IsThrough bool    `json:"isThrough"`
	Shape     string  `json:"shape"`
	Length    float64 `json:"length"` // smallest enclosing rectangle, length >= width
	Width     float64 `json:"width"`
	// smallest concave corner over 15°; 0 = sharp, nil = none
	MinCornerRadius     *float64     `json:"minCornerRadius"`
	FloorRadius         float64      `json:"floorRadius"`         // fillet between wall and floor, 0 = sharp
	NarrowestWidth      float64      `json:"narrowestWidth"`      // smallest gap between opposite walls
	MaxClearingDiameter float64      `json:"maxClearingDiameter"` // of the largest clearing end mill, see above
	IslandCount         int          `json:"islandCount"`
	FloorTiltDeg        float64      `json:"floorTiltDeg"`
	Volume              float64      `json:"volume"` // mm³
	Bevels              []BevelFacts `json:"bevels"`
}

// BossFacts describes a Boss. Here, and for walls and profiles, MinConcaveRadius is the smallest concave radius in
// level cuts through the walls, each taken at the height where the wall leans least. Fillets at the base do not count,
// except for a miter between two of them, which is sharp.
type BossFacts struct {
	Kind              Type         `json:"kind"`
	CD                CdData       `json:"cd"`
	MaxBottomDiameter float64      `json:"maxBottomDiameter"` // of a terminal tool, 250 where nothing limits it
	Height            float64      `json:"height"`
	Shape             string       `json:"shape"`
	Diameter          *float64     `json:"diameter"` // of a cylindrical boss, at its base
	Length            float64      `json:"length"`
	Width             float64      `json:"width"`
	MinConcaveRadius  *float64     `json:"minConcaveRadius"`
	DraftDeg          float64      `json:"draftDeg"`
	Bevels            []BevelFacts `json:"bevels"`
}

// WallFacts describes a Wall.
type WallFacts struct {
	Kind             Type     `json:"kind"`
	Height           float64  `json:"height"`
	Length           float64  `json:"length"`
	MinConcaveRadius *float64 `json:"minConcaveRadius"`
	FloorRadius      float64  `json:"floorRadius"`
	IsClosed         bool     `json:"isClosed"`
	DraftDeg         float64  `json:"draftDeg"`
	Thickness        *float64 `json:"thickness"` // of the material behind it, for thin walls
	CD               CdData   `json:"cd"`
}

// FaceFacts describes a Face.
type FaceFacts struct {
	Kind             Type     `json:"kind"`
	Length           float64  `json:"length"`
	Width            float64  `json:"width"`
	Area             float64  `json:"area"`
	IsOutermost      bool     `json:"isOutermost"`  // nothing of the part lies higher along its direction
	OpenFraction     float64  `json:"openFraction"` // share of its boundary without a wall
	MinConcaveRadius *float64 `json:"minConcaveRadius"`
	NarrowestWidth   float64  `json:"narrowestWidth"`
}

// SurfaceFacts describes a Three: surfaces that need three axes at once.
type SurfaceFacts struct {
	Kind             Type     `json:"kind"`
	Area             float64  `json:"area"`
	MinConcaveRadius *float64 `json:"minConcaveRadius"`
	MinSlopeDeg      float64  `json:"minSlopeDeg"` // from horizontal
	MaxSlopeDeg      float64  `json:"maxSlopeDeg"`
	SurfaceKinds     []string `json:"surfaceKinds"`
	MaxBallDiameter  *float64 `json:"maxBallDiameter"`
}

// ChamferFacts describes a Chamfer.
type ChamferFacts struct {
	Kind         Type       `json:"kind"`
	Bevel        BevelFacts `json:"bevel"`
	Length       float64    `json:"length"` // of the edge that it breaks
	IsClosed     bool       `json:"isClosed"`
	IsConvexEdge bool       `json:"isConvexEdge"`
}

// ProfileFacts describes a Profile.
type ProfileFacts struct {
	Kind             Type         `json:"kind"`
	Height           float64      `json:"height"`
	Perimeter        float64      `json:"perimeter"`
	IsOuter          bool         `json:"isOuter"`
	MinConcaveRadius *float64     `json:"minConcaveRadius"`
	MinConvexRadius  *float64     `json:"minConvexRadius"` // of its convex corners, nil = none
	DraftDeg         float64      `json:"draftDeg"`
	Bevels           []BevelFacts `json:"bevels"`
}

// DovetailFacts describes a Dovetail.
type DovetailFacts struct {
	Kind            Type    `json:"kind"`
	AngleDeg        float64 `json:"angleDeg"` // flank to floor
	NeckWidth       float64 `json:"neckWidth"`
	FloorWidth      float64 `json:"floorWidth"`
	Depth           float64 `json:"depth"`
	CornerRadius    float64 `json:"cornerRadius"` // flank to floor, 0 = sharp
	OpenEnds        int     `json:"openEnds"`     // 0 to 2
	MaxNeckDiameter float64 `json:"maxNeckDiameter"`
	MaxHeadDiameter float64 `json:"maxHeadDiameter"`
}

// TslotFacts describes a Tslot.
type TslotFacts struct {
	Kind            Type    `json:"kind"`
	NeckWidth       float64 `json:"neckWidth"`
	NeckDepth       float64 `json:"neckDepth"`
	SlotWidth       float64 `json:"slotWidth"`
	SlotHeight      float64 `json:"slotHeight"`
	CornerRadius    float64 `json:"cornerRadius"`
	OpenEnds        int     `json:"openEnds"`
	MaxNeckDiameter float64 `json:"maxNeckDiameter"`
	MaxHeadDiameter float64 `json:"maxHeadDiameter"`
}

func (f *HoleFacts) facts() Type     { return Hole }
func (f *PocketFacts) facts() Type   { return Pocket }
func (f *BossFacts) facts() Type     { return Boss }
func (f *WallFacts) facts() Type     { return Wall }
func (f *FaceFacts) facts() Type     { return Face }
func (f *SurfaceFacts) facts() Type  { return Three }
func (f *ChamferFacts) facts() Type  { return Chamfer }
func (f *ProfileFacts) facts() Type  { return Profile }
func (f *DovetailFacts) facts() Type { return Dovetail }
func (f *TslotFacts) facts() Type    { return Tslot }

// factsOf returns empty facts of a kind, or nil if the kind has no facts.
func factsOf(kind Type) Facts {
	switch kind {
	case Hole:
		return &HoleFacts{}
	case Pocket:
		return &PocketFacts{}
	case Boss:
		return &BossFacts{}
	case Wall:
		return &WallFacts{}
	case Face:
		return &FaceFacts{}
	case Three:
		return &SurfaceFacts{}
	case Chamfer:
		return &ChamferFacts{}
	case Profile:
		return &ProfileFacts{}
	case Dovetail:
		return &DovetailFacts{}
	case Tslot:
		return &TslotFacts{}
	}
	return nil
}

// UnmarshalJSON reads a datasheet with the facts that their kind field names.
func (d *Datasheet) UnmarshalJSON(data []byte) error {
	type plain Datasheet
	in := struct {
		*plain
		Facts json.RawMessage `json:"facts"`
	}{plain: (*plain)(d)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	var head struct{ Kind Type }
	if err := json.Unmarshal(in.Facts, &head); err != nil {
		return fmt.Errorf("facts: %w", err)
	}
	if d.Facts = factsOf(head.Kind); d.Facts == nil {
		return fmt.Errorf("facts: unknown kind %q", head.Kind)
	}
	return json.Unmarshal(in.Facts, d.Facts)
}
