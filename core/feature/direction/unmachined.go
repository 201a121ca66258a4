package direction

// The reason that a face belongs to no feature.
//
// Faces of sheets and faces without a mesh are named first. Other unclaimed faces next to a visible face lean under
// other material: they are undercuts. So are the faces behind them, such as the bottom of a groove in a bore, since a
// cutter with a head reaches it. Blends do not count as a step. The remaining faces are not visible: the walls of a
// void that is closed on all sides, and faces farther behind others.

import (
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
)

const (
	// seenAtAll is the share of a patch above which more than samples at its edges are visible.
	seenAtAll = 1 - MinWallVisibility

	// undercutSteps is the number of edges behind a visible face that an undercut cutter reaches: from the neck of a
	// groove to its side, and from there to its bottom.
	undercutSteps = 2
)

// Unmachined returns the faces of no feature, ascending, with the reason; taken reports by patch whether a feature has
// it.
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

// undercuts marks the visible patches and those at most undercutSteps edges behind them.
func (s *Visibility) undercuts(g *graph.Graph) []bool {
	steps := make([]int32, len(g.Patches)) // from a visible patch; 1 + undercutSteps: too many
	var queue, next []int32
	for p := range steps {
		steps[p] = undercutSteps + 1
		if best, _ := s.best(int32(p)); best >= seenAtAll {
			steps[p] = 0
			queue = append(queue, int32(p))
		}
	}
	for n := int32(0); n <= undercutSteps; n++ {
		for i := 0; i < len(queue); i++ { // grows by smoothly joined patches
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

// best returns the largest share of a patch that is visible from any direction, and the first such direction.
func (s *Visibility) best(p int32) (share float64, at int) {
	for i := range s.Dirs {
		if s.Share[i][p] > share {
			share, at = s.Share[i][p], i
		}
	}
	return share, at
}

// undercutText states the largest visible share of an undercut.
func (s *Visibility) undercutText(p int32) string {
	best, at := s.best(p)
	if best < seenAtAll {
		return "The face leans under other material: every direction sees past it."
	}
	return fmt.Sprintf("The face leans under other material: at most %.0f %% of it is seen, along %s.",
		100*best, along(s.Dirs[at]))
}
