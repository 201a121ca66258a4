package feature

// Type is the kernel's name of a feature kind, as the API shows it.
type Type string

// The kinds of features, and what makes one.
//
// A face belongs to one feature, with one exception: the planes of an outer Profile, but for the tips of its teeth and
// the edges of a plate, are also Faces where a direction looks straight at them, because they can be made either way.
// Rules run in the order Hole, Tslot, Dovetail, Chamfer, Boss, Pocket, Profile, Face, Wall, Three, with the Profiles of
// thin plates before the Chamfers, turned grooves before the Bosses and outer threads before all but the Holes; the first takes a face, unless another reading
// of the part needs fewer features. Blends belong to what they blend: the fillet between a wall and a floor to the
// pocket (or the boss) of that wall, the rounding of a convex edge to the feature below it whose wall ends there.
// Upright and steep mean parallel to the direction or drafted by 20 degrees at most.
//
// What other features cut apart stays one: pieces of a Face, of the floor and walls of a Pocket or of a channel that
// lie in the same surfaces and face each other across a hollow of another feature, or across several that touch.
// Pockets that lie on two surfaces both, or on one cylinder along which they are cut, with nothing but air between, are
// one too: one pass cuts them. So are a slot and its round end, grooves in line that open into one bore or whose gap is
// no longer than they are or than two diameters, flats that a groove round the shaft parts, pieces of one surface whose
// walls bound one convex hollow, pieces of the floor of a groove round something, two round ends of one radius on one
// floor, rows of walls that bound one convex hollow, and what goes on round an inner corner at one level, or smoothly
// where it has lost its floor. A wall that nothing joins to the rest is of the pocket at one of whose walls it looks,
// before all of them, across air. Passages that run into each other are several where their walls bound several convex
// hollows, unless these share a middle. Pieces of a round wall of a boss are one where they stand at one height.
const (
	// Hole: coaxial hollow faces of revolution that go round more than half a turn, with what is left of their
	// bottoms, tips, counterbores, countersinks and bevels of their mouths, across voids that interrupt them for less than
	// two diameters. What stands in a bore deeper than ten times the gap round it, and does not rise to the surface round
	// it, was put in.
	Hole Type = "Hole"
	// Pocket: a floor with walls rising from it, at least two planes or a curve of them. Slots and steps are open pockets;
	// a passage without a floor is a through pocket, as is the slit that opens a bore to a side. A single step of one floor
	// and one wall is an open pocket too; its floor is the larger of the two. What relieves the corner of two walls is of
	// their pocket, up to half a turn of it. Round walls about several axes that look at each other, as those of the eyes
	// of a rod across its web, are of one. Islands stand in it and are Bosses; the core of a ring-shaped groove whose walls
	// rise to one surface is none, but the groove's wall, as is that of a groove without a flat floor where it rises no
	// higher than the outer wall. A groove turned into the outside of something round is a pocket: its round bottom, and
	// the walls, or fillets, that hide each other along the axis, unless these go on smoothly in a ball. An inner bevel is
	// of the pocket whose corner it fills. A Pocket in the floor of a Pocket is another one. Faces at an inner edge of
	// less than 10° make none, and a floor may bend so; nor do the legs of bent sheet, the notches in its contour and what
	// is pressed into it: they were not cut from solid. For the same reason no channel and no outer Profile is of the
	// sides of bent sheet: its flats are Faces, whatever was bent over them. The slope of a rib in its corner is a Face,
	// and so is a plane at whose edge something stands out a little.
	Pocket Type = "Pocket"
	// Boss: an island whose walls rise all the way round from a floor, or from the outside of something round where they lean
	// by 20° at most, with their blends but without the floor; its top is a Face, as is that of a wedge, which runs down
	// to the floor. A lug is one too, though flush with the part elsewhere: a plate with a tip round about a hole, of
	// which a side, and the tip or a flank of it, stand on one floor. So is a key that ends flush with its shaft, longer
	// than it is wide. A neck that bends by 20 degrees at most is one boss, as is a round stage that tapers by as much
	// without a shoulder. A keyway in a round stage is none of its walls. A thread modeled on the outside of something
	// round is one, with the round faces that it winds along, or a Profile where nothing on its axis is wider.
	Boss Type = "Boss"
	// Wall: steep faces along a direction that no other kind took and that do not run all round the part:
	// free-standing pieces of side faces, drafted or curved sides.
	Wall Type = "Wall"
	// Face: one plane seen straight on all over, to be milled flat. Planes at equal height that were never
	// one, such as the tops of two bosses, are two.
	Face Type = "Face"
	// Three: what is left and can be seen but is neither steep nor flat: free-form surfaces, slopes and
	// blends that need three axes at once. Smoothly joined faces are one.
	Three Type = "Three"
	// Chamfer: a plane or cone in the place of a convex edge, narrower than the larger of its neighbors,
	// however wide: the cut corner of a plate is one. Where they would meet sharper than at 80° it is half as wide at most.
	// The pieces round one edge loop that follow each other and share angle and slant are one. Of three that meet at a corner,
	// or round a small face there, two may be of one loop round a plane: of the longer. The small face is one by itself. A chamfer may
	// get wider along its edge, by 20° at most. The edge between a cone and a shaft may be rounded.
	Chamfer Type = "Chamfer"
	// Profile: upright faces that run all the way round the part along a direction (outer), from its top
	// to its bottom or to a flange. A side that is interrupted only by other features still runs round.
	// A ring of planes that are all square to one another, or all but one, is no Profile: the sides of a block, and its
	// slope, are Faces, unless that is a corner cut off.
	// Sides may lean by 10° at most, and round corners between such by more. The gaps of a toothed contour are of it when
	// they are most of it, and so is an inner corner whose sides turn by less than 90° and are blended, or go on in round
	// ones. Of webs between hubs, which make all its outer turns, the outline is that of both. A block from one of whose sides
	// a boss rises has none that is as high as the block is wide, or higher: the mill would cut the boss off.
	Profile Type = "Profile"
	// Dovetail: a straight channel whose flat floor is wider than its opening, with two flanks leaning in.
	Dovetail Type = "Dovetail"
	// Tslot: a straight channel of an upright neck over a wider head: floor, two sides, two ceilings. One open at both ends
	// that is shorter than its neck is wide, or goes through a plate, is a bay.
	Tslot Type = "Tslot"
)
