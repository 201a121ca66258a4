package planning

import (
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

// Attempt is a tool at some faces from a direction that was planned before and did not make them.
type Attempt struct {
	Direction geom.Vec3       // toward the spindle, in the part frame
	Tool      *machining.Tool // nil: any
	Regions   []int
	// Reason is why most of the material stayed; "": unknown. It rules out other tools that would fail for the same
	// reason.
	Reason completeness.Reason
}

// lessWide is the largest diameter of a tool that replaces one that was too wide, as a share of its diameter.
const lessWide = 0.5

// rulesOut reports whether an attempt excludes a tool: what failed as too wide excludes all tools that are not much
// thinner, what failed with its body those that are as thick and no longer, and what failed under the part all tools.
func (a *Attempt) rulesOut(t *tool) bool {
	if a.Tool == nil || t.ID == a.Tool.ID && t.Diameter == a.Tool.Diameter {
		return true
	}
	switch a.Reason {
	case completeness.Undercut:
		return true
	case completeness.NoToolFits, completeness.SharpCorner:
		return t.Diameter > lessWide*a.Tool.Diameter
	case completeness.OutOfReach:
		return t.Diameter >= a.Tool.Diameter && t.assembly.Stickout <= a.Tool.Assembly().Stickout
	}
	return false
}

// isAvoided reports whether a tool was tried in vain at one of some patches from a side.
func (p *planner) isAvoided(s side, patches []int32, t *tool) bool {
	for i := range p.in.Avoid {
		a := &p.in.Avoid[i]
		if a.Direction.Dot(s.dir(p.frame)) < 1-geom.Resolution || !a.rulesOut(t) {
			continue
		}
		if slices.ContainsFunc(a.Regions, func(r int) bool { return slices.Contains(patches, p.g.PatchOf[r]) }) {
			return true
		}
	}
	return false
}
