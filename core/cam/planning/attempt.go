package planning

import (
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

// Attempt is a tool at some faces from a direction that was planned before and did not make them.
type Attempt struct {
	Direction geom.Vec3       // toward the spindle, in the part frame
	Tool      *machining.Tool // nil: any
	Regions   []int
}

// isAvoided reports whether a tool was tried in vain at one of some patches from a side.
func (p *planner) isAvoided(s side, patches []int32, t *tool) bool {
	for i := range p.in.Avoid {
		a := &p.in.Avoid[i]
		if a.Tool != nil && (a.Tool.ID != t.ID || a.Tool.Diameter != t.Diameter) ||
			a.Direction.Dot(s.dir(p.frame)) < 1-geom.Resolution {
			continue
		}
		if slices.ContainsFunc(a.Regions, func(r int) bool { return slices.Contains(patches, p.g.PatchOf[r]) }) {
			return true
		}
	}
	return false
}
