package feature

// Type is the kernel's name of a feature kind, as the API shows it.
type Type string

// The kinds of features and their definitions.
//
// A face belongs to one feature, with one exception. The planes of an outer Profile are also Faces where a direction is
// normal to them, since both machining methods are possible. Tips of teeth and edges of plates are excluded. Rules run
// in the order Hole, Tslot, Dovetail, Chamfer, Boss, Pocket, Profile, Face, Wall, Three. The Profiles of thin plates
// precede the Chamfers, turned grooves precede the Bosses, and outer threads precede all but the Holes. The first rule
// takes a face, unless another hypothesis for the part needs fewer features. Blends belong to the feature that they
// blend. The fillet between a wall and a floor belongs to the pocket or boss of that wall. The round of a convex edge
// belongs to the feature below it whose wall ends there. Vertical and steep mean parallel to the direction, or with a
// draft of at most 20 degrees.
//
// A feature that other features interrupt stays one. Pieces of a Face, of the floor and walls of a Pocket or of a
// channel are merged if they lie in the same surfaces and face each other across a concave feature, or across several
// adjacent ones. Pockets that lie on the same two surfaces, or on one cylinder along their cut, with only air between,
// are also one, since one pass cuts them. The following are merged too:
//
//   - a slot and its round end,
//   - collinear grooves that open into one bore, or whose gap is at most as long as they are or as two diameters,
//   - flats that a groove around the shaft separates,
//   - pieces of one surface whose walls bound one convex void,
//   - pieces of the floor of a groove around a core,
//   - two round ends of one radius on one floor,
//   - rows of walls that bound one convex void,
//   - walls that continue around an inner corner at one level, or smoothly where the floor is lost.
//
// A wall without a connection belongs to the pocket whose wall is the first that it faces across air. Through pockets
// that run into each other are separate if their walls bound several convex voids, unless these share a center. Pieces
// of a cylindrical boss wall are one if they lie at the same height.
const (
	// Hole: coaxial concave faces of revolution that cover more than half a turn, with the remaining faces of their
	// bottoms, tips, counterbores, countersinks and opening bevels. Interruptions by voids may be up to two diameters
	// long. A core in a bore is an inserted part if the bore is deeper than ten times the gap around the core and the
	// core does not reach the surrounding surface.
	Hole Type = "Hole"
	// Pocket: a floor with rising walls, at least two planes or one curved wall. Slots and steps are open pockets. A
	// passage without a floor is a through pocket, as is a slit that opens a bore to one side. A single step of one
	// floor and one wall is an open pocket too; its floor is the larger face. A corner relief of up to half a turn
	// belongs to the pocket of its two walls. Facing cylindrical walls about several axes belong to one pocket, such as
	// the eyes of a rod across its web. Islands in a pocket are Bosses. The core of a ring groove whose walls rise to
	// one surface is not a Boss but the groove's wall. The same holds for a groove without a flat floor if its core is
	// not higher than the outer wall. A groove turned into the outside of a round part is a pocket: its round bottom,
	// and the walls or fillets that occlude each other along the axis, unless these continue smoothly in a ball. An
	// inner bevel belongs to the pocket whose corner it fills. A Pocket in the floor of a Pocket is a separate one.
	// Faces at a concave edge under 10° make no pocket, and a floor may bend by as much. Flanges of bent sheet, notches
	// in its contour and pressed shapes make no pocket either, since they were not cut from solid. For the same reason
	// no channel and no outer Profile includes the sides of bent sheet: its flats are Faces, even under a
	// flange. The slope of a rib in its corner is a Face, as is a plane with a slight projection at its edge.
	Pocket Type = "Pocket"
	// Boss: an island whose closed walls rise from a floor, or from the outside of a round part with a lean of at most
	// 20°. It includes the blends but not the floor; its top is a Face. The slope of a wedge that runs down to the
	// floor is a Face too. A lug is a Boss even if flush with the part elsewhere: a plate with a tip about a hole, with
	// one side, and the tip or a flank, on the same floor. So is a key that ends flush with its shaft and is longer
	// than wide. A neck that bends by at most 20 degrees is one boss, as is a round section with as much taper and no
	// shoulder. A keyway in a round section is not one of its walls. A thread modeled on the outside of a round part is
	// a Boss with the round faces along which it winds, or a Profile if nothing on its axis is wider.
	Boss Type = "Boss"
	// Wall: steep faces along a direction that no other kind took and that do not surround the part: separate pieces of
	// side faces, drafted or curved sides.
	Wall Type = "Wall"
	// Face: one plane seen straight on all over, to be milled flat. Planes at equal height that were never
	// one, such as the tops of two bosses, are two.
	Face Type = "Face"
	// Three: remaining visible faces that are neither steep nor flat: free-form surfaces, slopes and blends that need
	// three axes at once. Smoothly joined faces form one feature.
	Three Type = "Three"
	// Chamfer: a plane or cone that replaces a convex edge and is narrower than the larger of its neighbors. The cut
	// corner of a plate is one at any width. Where the neighbors would meet at less than 80°, its width is at
	// most half. Consecutive pieces around one edge loop with equal angle and slant are one feature. If three pieces
	// meet at a corner or around a small face there, two of them may form one loop around a plane: the longer loop. The
	// small face is a separate Chamfer. A chamfer may widen along its edge by at most 20°. The edge between a cone and
	// a shaft may be rounded.
	Chamfer Type = "Chamfer"
	// Profile: vertical faces that surround the part along a direction (outer), from its top to its bottom or to a
	// flange. A side that only other features interrupt still counts as closed. A closed loop of planes that are all
	// perpendicular to one another, or all but one, does not form
	// a Profile. The sides of a block and its slope are Faces, unless
	// the slope is a cut corner. Sides may lean by at most 10°, and convex corners between such sides by more. The gaps
	// of a toothed contour belong to the Profile if they cover most of it. So does an inner corner whose sides turn by
	// less than 90° and are blended, or continue in round sides. If hubs make all outer turns of an outline with webs
	// between them, one Profile includes both. A block with a boss on one side has no Profile as high as the block is
	// wide, or higher: the mill would cut off the boss.
	Profile Type = "Profile"
	// Dovetail: a straight channel whose flat floor is wider than its opening, with two flanks leaning in.
	Dovetail Type = "Dovetail"
	// Tslot: a straight channel of a vertical neck over a wider head: floor, two sides, two ceilings. A channel open at
	// both ends that is shorter than its neck is wide, or goes through a plate, is a bay instead.
	Tslot Type = "Tslot"
)
