// Package feature defines machining features: their kinds, the recognition result of a part and the datasheets. The
// packages below it do the work. Package graph models the part as patches and edges, direction finds machining
// directions, recognize contains the rules, and datasheet measures. Packages setup, group and process derive
// orientations, repeated features and processes; dfm checks the design.
//
// # Words
//
// A region is a face of the model, given by its index, which also numbers its triangles in the mesh. A direction is a
// unit vector in the part frame from the part toward the spindle; z of a point is its dot product with it.
//
// # Tags
//
// The tag of a feature is a hash of its geometry: its kind, the shapes of its faces, the ends and middles of their
// edges and its direction, rounded to 0.1 µm, as 16 hexadecimal digits. It depends neither on the mesh nor on the order
// of entities in the file. So a feature has the same tag in every analysis of the part and in the next revision of its
// file, while its index may change. A feature that is moved or resized gets another tag. Two features of one part with
// the same tag coincide.
package feature

import (
	"context"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Visibility answers which share of each triangle can be seen from infinitely far away along each
// direction (unit vectors from the part toward the spindle).
type Visibility interface {
	// Visible returns for direction d and triangle t the visible fraction in [0, 1] at [d][t].
	Visible(ctx context.Context, m *mesh.Mesh, directions []geom.Vec3) ([][]float32, error)
}

// Feature is one machining feature.
type Feature struct {
	Tag       string // lowercase hexadecimal hash of the feature's geometry, stable between runs
	Type      Type
	Regions   []int      // ascending region (face) indices
	Direction geom.Vec3  // unit, from the part toward the spindle
	Axis      *geom.Vec3 // unit feature axis, nil if there is no axis
	Hole      *HoleShape // set for Type Hole
	Pocket    *PocketShape
	Thread    *ThreadShape // modeled in it
	Rule      string       // name of the rule that fired
	Reasons   []string     // observations of the rule, one sentence each
}

// Unmachined is a face of no feature, with the reason.
type Unmachined struct {
	Region int    // face index
	Reason string // one of the Reason constants
	Detail string // one sentence for a machinist
}

// NotVisible is the part of a feature's faces that is invisible from its direction.
type NotVisible struct {
	Feature int     // index
	Regions []int   // ascending
	Area    float64 // invisible area, mm²
	Reason  string  // ReasonUndercut or ReasonOtherDirection
	Detail  string  // one sentence for a machinist
}

// Reasons why a face, or part of one, is in no feature.
const (
	ReasonNotVisible = "not_visible" // visible from no direction: an inner cavity, or behind other material
	ReasonUndercut   = "undercut"    // visible only at a grazing angle: it leans under other material
	ReasonSheet      = "sheet"       // it bounds no material
	ReasonNoMesh     = "no_mesh"     // the face could not be meshed
	// ReasonOtherDirection marks a face that is visible from other directions, but not from its feature's.
	ReasonOtherDirection = "other_direction"
)

// TurnedGroove is the rule of a groove turned into the outside of something round.
const TurnedGroove = "turned groove"

// HasOuterThread reports whether a thread is modeled on the outside of the feature. Such a thread needs a tool or a
// part that turns about its axis; access to its faces is not enough.
func (f *Feature) HasOuterThread() bool { return f.Thread != nil && f.Hole == nil }

// Alternatives lists for each feature the features of other kinds that share some of its faces, ascending. For example,
// a plane of a profile is milled as a face or with the contour. Crossing channels that share a floor are not
// alternatives.
func Alternatives(features []Feature) [][]int {
	owners := map[int][]int{} // by face
	for i := range features {
		for _, r := range features[i].Regions {
			owners[r] = append(owners[r], i)
		}
	}
	out := make([][]int, len(features))
	for i := range features {
		for _, r := range features[i].Regions {
			for _, k := range owners[r] {
				if features[k].Type != features[i].Type {
					out[i] = append(out[i], k)
				}
			}
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// HoleShape is the shape of a hole as measured during recognition. Lengths mm, angles rad.
type HoleShape struct {
	Diameter    float64 // of the bore that goes deepest
	Depth       float64 // from the top opening to the end of the cylinder, tip excluded
	Through     bool
	Kind        HoleKind
	Bottom      string // through, flat, conical, spherical or stepped
	TopCenter   geom.Vec3
	Segments    []HoleSegment // top to bottom
	Counterbore *Counterbore
	Countersink *Countersink
	// At the other end of a through hole.
	FarCounterbore *Counterbore
	FarCountersink *Countersink
}

// HoleKind is the construction of a hole.
type HoleKind string

// The kinds of holes.
const (
	SimpleHole      HoleKind = "simple"
	SteppedHole     HoleKind = "stepped"
	CounterboreHole HoleKind = "counterbored"
	CountersinkHole HoleKind = "countersunk"
)

// HoleSegment is one coaxial piece of a hole; z runs along the hole's direction.
type HoleSegment struct {
	Shape                       string // cylinder, cone, torus or plane
	ZMin, ZMax                  float64
	DiameterTop, DiameterBottom float64
}

// Counterbore is the wider flat-bottomed end of a hole.
type Counterbore struct{ Diameter, Depth float64 }

// Countersink is the conical end of a hole; Angle is the included angle in rad.
type Countersink struct{ Diameter, Angle, Depth float64 }

// PocketShape is the shape of a pocket as measured during recognition.
type PocketShape struct {
	Open    bool // its wall is not closed
	Through bool // it has no floor
	Depth   float64
}

// ThreadShape is a modeled thread as measured during recognition. Lengths mm, angles rad.
type ThreadShape struct {
	Origin       geom.Vec3 // a point of its axis
	Major, Minor float64   // diameters
	Pitch        float64   // of each start the lead is so many pitches as there are starts
	Starts       int
	Left         bool    // left-handed
	Flank        float64 // between the flanks in a section along the axis
	Length       float64 // along the axis
}

// Result is everything recognition found on one part.
type Result struct {
	Directions []geom.Vec3     // candidate machining directions, unit, in a stable order
	DirectionZ []geom.Interval // mm along each of Directions: where the part lies, from the exact geometry
	Features   []Feature       // ordered by direction, then top downward, then tag
	Unmachined []Unmachined    // the faces of no feature, ascending
	Hidden     []NotVisible    // by feature
}
