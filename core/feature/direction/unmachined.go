package direction

// Why a face belongs to no feature.
//
// Faces of sheets and faces without a mesh are named first. Of the others that nobody took, those next
// to a face that some direction sees lean under other material: undercuts, as are those behind them, such
// as the bottom of a groove in a bore: a cutter with a head gets there. Blends do not count as a step. The
// rest is out of sight: the walls of a hollow closed on all sides, and what lies farther behind other faces.

import (
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
)

const (
	// seenAtAll is the share of a patch that is more than samples at its rim.
	seenAtAll = 1 - MinWallVisibility

	// undercutSteps is how many edges behind a visible face the cutter of an undercut reaches: from the
	// neck of a groove to its side, and from there to its bottom.
	undercutSteps = 2
)

// Unmachined returns the faces that no feature has, ascending, with the reason; taken tells which
// patches features have.
func Unmachined(g *graph.Graph, s *Visibility, taken []bool) []feature.Unmachined {
	under := s.undercuts(g)
	var out []feature.Unmachined
	for f, p := range g.PatchOf {
		u := feature.Unmachined{Region: f}
		switch {
		case p == graph.None && g.Model.IsSheet(brep.FaceID(f)):
			u.Reason, u.Detail = feature.ReasonSheet, "The face belongs to a sheet, which bounds no material."
		case p == graph.None:
			u.Reason, u.Detail = feature.ReasonNoMesh, "The face could not be meshed."
		case taken[p]:
			continue
		case g.Patches[p].Enclosed:
			u.Reason, u.Detail = feature.ReasonNotVisible, "The face bounds a hollow closed on all sides: no tool reaches it."
		case under[p]:
			u.Reason, u.Detail = feature.ReasonUndercut, s.undercutText(p)
		default:
			u.Reason, u.Detail = feature.ReasonNotVisible, "No direction sees the face or what is next to it."
		}
		out = append(out, u)
	}
	return out
}

// undercuts marks the patches that are seen or lie at most undercutSteps edges behind ones that are.
func (s *Visibility) undercuts(g *graph.Graph) []bool {
	steps := make([]int32, len(g.Patches)) // from a patch that is seen, 1 + undercutSteps: too many
	var queue, next []int32
	for p := range steps {
		steps[p] = undercutSteps + 1
		if best, _ := s.best(int32(p)); best >= seenAtAll {
			steps[p] = 0
			queue = append(queue, int32(p))
		}
	}
	for n := int32(0); n <= undercutSteps; n++ {
		for i := 0; i < len(queue); i++ { // grows by what is joined smoothly
			p := queue[i]
			for _, x := range g.Patches[p].Arcs {
				q := g.Arcs[x].Other(p)
				switch {
				case steps[q] <= n:
				case g.Arcs[x].Convexity == graph.Smooth && n > 0:
					steps[q] = n
					queue = append(queue, q)
				case n < undercutSteps && steps[q] > n+1:
					steps[q] = n + 1
					next = append(next, q)
				}
			}
		}
		queue, next = next, queue[:0]
	}
	out := make([]bool, len(steps))
	for p, n := range steps {
		out[p] = n <= undercutSteps
	}
	return out
}

// best returns the largest share of a patch that any direction sees, and the first such direction.
func (s *Visibility) best(p int32) (share float64, at int) {
	for i := range s.Dirs {
		if s.Share[i][p] > share {
			share, at = s.Share[i][p], i
		}
	}
	return share, at
}

// undercutText says how much of an undercut is seen at best.
func (s *Visibility) undercutText(p int32) string {
	best, at := s.best(p)
	if best < seenAtAll {
		return "The face leans under other material: every direction sees past it."
	}
	return fmt.Sprintf("The face leans under other material: at most %.0f %% of it is seen, along %s.",
		100*best, along(s.Dirs[at]))
}
