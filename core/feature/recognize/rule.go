package recognize

// The rules, in their order.
//
// A rule reads the facts, claims and marks of a reading, and proposes features from free patches to the verifier. Where
// it is not sure, it asks the verifier whether a hypothesis holds (select.go).

import (
	"context"
)

// rule is one step of a reading.
type rule struct {
	name    string
	propose func(*reading, *verifier)
}

var rules = []rule{
	// Features that need the graph only.
	{"holes", holes},
	{"outer threads", outerThreads},
	{"undercut channels", undercutChannels},
	{"turned grooves", grooves},
	{"outlines of plates", plates},
	{"chamfers", chamfers},

	// Features on a floor: otherwise their walls would be walls of the pocket around them.
	{"floors", func(r *reading, _ *verifier) { r.floors = findFloors(r) }},
	{"cores of grooves", cores},
	{"islands", islands},
	{"lugs", lugs},
	{"rings of walls", standingWalls},
	{"pieces of islands", mergeIslands},
	{"rest of walls of islands", remainingWalls},
	{"islands on round bodies", islandsOnRound},
	{"rounded shoulders", roundedShoulders},
	{"round ends of bosses", claimRoundEnds},
	{"upper walls of bosses", claimUpperWalls},
	{"toothed contours", teeth},
	{"inner corners of contours", innerCorners},

	// Cuts into the part, those possible from one direction only first.
	{"passages broken out", prisms},
	{"slanting passages", tunnels},
	{"pockets with a floor", floorPockets},
	{"passages", passages},
	{"other hollows", concavePockets},
	{"slits", slits},
	{"pieces of one cut", mergePieces},
	{"mouths of notches", openings},
	{"overhangs of pockets", overhangs},
	{"walls round inner corners", func(r *reading, v *verifier) { continueWalls(r, v, true) }},

	// The outside. Blends of islands and pockets come first, because they would otherwise count as sides of the part.
	{"blends of islands and hollows", func(r *reading, v *verifier) { blends(r, v, false) }},
	{"profiles", profiles},
	{"sides of outlines", sidesOfOutlines},
	{"lands that grooves part", mergeLands},
	{"open planes", planes},
	{"blends", func(r *reading, v *verifier) { blends(r, v, true) }},
	{"walls that go on from pockets", func(r *reading, v *verifier) { continueWalls(r, v, false) }},
	{"walls and surfaces", unclaimed},
	{"blends of walls", func(r *reading, v *verifier) { blends(r, v, true) }},
}

// read makes a reading of a part under some verdicts. The error is that of ctx.
func read(ctx context.Context, pc *partContext, verdicts map[hypothesis]bool) (*verifier, error) {
	v := newVerifier(pc, verdicts)
	for i := range rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rules[i].propose(v.reading, v)
	}
	return v, nil
}

// islands proposes bosses on the inner boundary loops of floors.
func islands(r *reading, v *verifier) {
	for i := range r.floors {
		b := &r.floors[i]
		for k := range b.boundaryLoops {
			if b.boundaryLoops[k].IsInner {
				island(r, v, b, &b.boundaryLoops[k])
			}
		}
	}
}

// standingWalls proposes bosses from walls that close to a ring or rise from a shoulder, direction by direction.
func standingWalls(r *reading, v *verifier) {
	byDir := make([][]*floorCandidate, len(r.v.Dirs))
	for i := range r.floors {
		byDir[r.floors[i].dir] = append(byDir[r.floors[i].dir], &r.floors[i])
	}
	for d := range r.v.Dirs {
		if bases := findWallBases(r, d, byDir[d]); len(bases) > 0 {
			shoulders(r, v, d, bases)
			wallRings(r, v, d, byDir[d], bases)
		}
	}
}
