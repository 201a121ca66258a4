package recognize

// The rules, in the order in which they are asked.
//
// A rule reads the part and what the rules before it found, and adds features of the patches that are still free. Where
// it is not sure that what it sees is what it is for, it asks holds, which the selector answers (select.go).

import (
	"context"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/bentsheet"
	"millwright.dev/millwright/core/feature/sheetmetal"
)

// rule is one step of a reading.
type rule struct {
	name    string
	propose func(*recognizer)
}

var rules = []rule{
	// What the graph alone tells.
	{"holes", (*recognizer).holes},
	{"outer threads", (*recognizer).outerThreads},
	{"sheet", (*recognizer).ofSheet},
	{"undercut channels", (*recognizer).undercutChannels},
	{"turned grooves", (*recognizer).grooves},
	{"outlines of plates", (*recognizer).plates},
	{"chamfers", (*recognizer).chamfers},

	// What stands on a floor: its walls would else be those of the pocket that it stands in.
	{"floors", func(r *recognizer) { r.basins = r.floors() }},
	{"cores of grooves", (*recognizer).cores},
	{"islands", (*recognizer).islands},
	{"lugs", (*recognizer).lugs},
	{"rings of walls", (*recognizer).standingWalls},
	{"pieces of islands", (*recognizer).piecesOfIslands},
	{"rest of walls of islands", (*recognizer).restOfWalls},
	{"islands on round bodies", (*recognizer).islandsOnRound},
	{"rounded shoulders", (*recognizer).roundedShoulders},
	{"round ends of bosses", (*recognizer).endsOfBosses},
	{"upper walls of bosses", (*recognizer).upperWalls},
	{"toothed contours", (*recognizer).teeth},
	{"inner corners of contours", (*recognizer).turns},

	// What is cut into the part: first what no other direction could have cut.
	{"passages broken out", (*recognizer).prisms},
	{"slanting passages", (*recognizer).tunnels},
	{"pockets with a floor", (*recognizer).floorPockets},
	{"passages", (*recognizer).passages},
	{"other hollows", (*recognizer).hollows},
	{"slits", (*recognizer).slits},
	{"pieces of one cut", (*recognizer).rejoin},
	{"mouths of notches", (*recognizer).mouths},
	{"overhangs of pockets", (*recognizer).overhangs},
	{"walls round inner corners", func(r *recognizer) { r.goOn(true) }},

	// What is left is outside. Blends of islands and hollows go first, lest they pass for sides of the part.
	{"blends of islands and hollows", func(r *recognizer) { r.blends(false) }},
	{"profiles", (*recognizer).profiles},
	{"sides of outlines", (*recognizer).sidesOfOutlines},
	{"lands that grooves part", (*recognizer).lands},
	{"open planes", (*recognizer).planes},
	{"blends", func(r *recognizer) { r.blends(true) }},
	{"walls that go on from pockets", func(r *recognizer) { r.goOn(false) }},
	{"walls and surfaces", (*recognizer).left},
	{"blends of walls", func(r *recognizer) { r.blends(true) }},
}

// read makes a reading of the part under some verdicts. It returns the error of ctx.
func (f *facts) read(ctx context.Context, verdicts map[doubt]bool) (*recognizer, error) {
	n := len(f.g.Patches)
	r := &recognizer{
		facts: f, verdicts: verdicts, taken: make([]bool, n), owner: make([]int32, n), isChamfer: make([]bool, n),
		isCore: make([]bool, n), reachesDown: make([]bool, n), isShoulder: make([]bool, n), groove: make([]int32, n), isTooth: make([]bool, n),
		isEdged: make([]bool, n), turnOf: make([]int32, n),
	}
	for i := range r.owner {
		r.owner[i] = graph.None
	}
	for i := range rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rules[i].propose(r)
	}
	return r, nil
}

func (r *recognizer) holes() {
	for i := range r.stacks {
		r.addHole(&r.stacks[i])
	}
	r.shouldersOfHoles()
}

// ofSheet finds what is of sheet, once: no rule before it is ever in doubt.
func (r *recognizer) ofSheet() {
	if r.sheetKnown {
		return
	}
	r.sheetKnown = true
	var whole *sheetmetal.Sheet
	if s, ok := sheetmetal.Detect(r.g); ok {
		whole, r.thickness = &s, s.Thickness
	}
	r.facts.sheet = bentsheet.Find(r.g, r.taken, whole)
}

func (r *recognizer) undercutChannels() {
	for i := range r.channels {
		r.addChannel(&r.channels[i])
	}
}

// islands makes bosses of what stands on the inner rim of a floor.
func (r *recognizer) islands() {
	for i := range r.basins {
		b := &r.basins[i]
		for k := range b.rims {
			if b.rims[k].IsInner {
				r.island(b, &b.rims[k])
			}
		}
	}
}

// standingWalls makes bosses of what closes to a ring or rises from a shoulder, direction by direction.
func (r *recognizer) standingWalls() {
	byDir := make([][]*basin, len(r.v.Dirs))
	for i := range r.basins {
		byDir[r.basins[i].dir] = append(byDir[r.basins[i].dir], &r.basins[i])
	}
	for d := range r.v.Dirs {
		if feet := r.feet(d, byDir[d]); len(feet) > 0 {
			r.shoulders(d, feet)
			r.rings(d, byDir[d], feet)
		}
	}
}
