package direction

// Faces of which no direction sees all that can be seen, such as a ball: which directions together do.
//
// Every triangle of the mesh is seen from a set of directions. A direction that sees less than half of what another
// one sees of a patch only looks in at its rim, and does not count. Of the sets on the triangles of a patch those of
// the largest total area count that make up countedShare of what is seen, because the rest is samples at rims.
//
// Cost: linear in triangles times directions.

import (
	"cmp"
	"slices"

	"millwright/core/feature/graph"
)

const (
	// countedShare is the share of what is seen of a patch that its pieces make up.
	countedShare = 0.95

	// mostlySeen is the fraction of a triangle that counts as all of it.
	mostlySeen = 0.5

	// leastSeen is the share of a face that one direction at least must see for it to be machined from any:
	// round bodies show a half. Of less only the rim of an undercut is seen.
	leastSeen = 1.0 / 3

	// glimpse is the share of what is seen best of a face below which a direction is not there for it.
	glimpse = 0.5
)

// Piece is a piece of a patch of which no direction sees all that can be seen.
type Piece struct {
	Patch int32
	From  uint64 // the directions that see it, as bits
}

// pieces lists them by patch; seen holds the visible fractions [direction][triangle].
func (s *Visibility) pieces(g *graph.Graph, seen [][]float32) []Piece {
	from := make([]uint64, len(g.Areas)) // by triangle
	for d := range seen {
		for t, f := range seen[d] {
			if f >= mostlySeen {
				from[t] |= 1 << d
			}
		}
	}
	var out []Piece
	for i := range g.Patches {
		best, _ := s.best(int32(i))
		if best < leastSeen {
			continue
		}
		able, most := uint64(0), 0.0
		for d := range s.Dirs {
			if s.Share[d][i] >= glimpse*best {
				able |= 1 << d
			}
			most = max(most, s.Share[d][i]*g.Patches[i].Area)
		}
		parts, visible := partsOf(g, int32(i), from, able)
		if most >= WallShare*visible {
			continue
		}
		for k, reached := 0, 0.0; k < len(parts) && reached < countedShare*visible; k++ {
			out = append(out, Piece{int32(i), parts[k].from})
			reached += parts[k].area
		}
	}
	return out
}

// part is what is seen of a patch from the same directions.
type part struct {
	from uint64
	area float64 // mm²
}

// partsOf parts a patch by the directions among able that see its triangles, largest first, and returns what is seen
// of it in all, mm².
func partsOf(g *graph.Graph, p int32, from []uint64, able uint64) (parts []part, visible float64) {
	for _, f := range g.Patches[p].Faces {
		r := &g.Mesh.Regions[f]
		for t := r.Start; t < r.End; t++ {
			if set := from[t] & able; set != 0 {
				parts = append(parts, part{set, g.Areas[t]})
				visible += g.Areas[t]
			}
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	n := 0
	for k := range parts { // one entry per set
		if n > 0 && parts[n-1].from == parts[k].from {
			parts[n-1].area += parts[k].area
			continue
		}
		parts[n] = parts[k]
		n++
	}
	parts = parts[:n]
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(Quantum(b.area), Quantum(a.area)) })
	return parts, visible
}
