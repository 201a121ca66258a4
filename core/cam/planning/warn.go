package planning

// Warnings about the tools of a plan: what was passed over and why, and what its proof cannot know.

import (
	"fmt"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/machining/cutting"
)

// warnOfTools adds the warnings about tools, once the tools of the plan have their numbers.
func (p *planner) warnOfTools() {
	var guessed, dataless, bare, assumed []string
	for i := range p.in.Tools {
		t := tool{Tool: &p.in.Tools[i]}
		if len(t.Guessed) > 0 {
			guessed = append(guessed, fmt.Sprintf("%s (%s)", t.Label(), strings.Join(t.Guessed, ", ")))
		} else if _, err := p.resolve(t.Tool, cutting.Rough, 0, 0, 0); err != nil {
			dataless = append(dataless, t.Label())
		}
	}
	first := map[int]string{} // the tool that has a number, by the number
	for i := range p.plan.Tools {
		t := tool{Tool: &p.plan.Tools[i].Tool}
		if t.Number != nil && p.plan.Tools[i].Number == *t.Number {
			first[*t.Number] = t.Label()
		}
		if _, own := t.Preset(p.in.Config.Material.ISOGroup); !own && t.Material == "" {
			assumed = append(assumed, fmt.Sprintf("%s (%s)", t.Label(), t.Kind.UsualMaterial()))
		}
		if t.Holder == nil {
			bare = append(bare, fmt.Sprintf("T%d %s", p.plan.Tools[i].Number, t.Label()))
		}
	}
	for i := range p.plan.Tools {
		t := tool{Tool: &p.plan.Tools[i].Tool}
		if n := t.Number; n != nil && *n != p.plan.Tools[i].Number && first[*n] != "" {
			p.warn("duplicate_tool_number",
				"T%d is the number of both %s and %s in their libraries; %s is T%d in this "+
					"program", *n, first[*n], t.Label(), t.Label(), p.plan.Tools[i].Number)
		}
	}
	if len(bare) > 0 {
		p.warn("no_holder", "no holder is known for %s: their holders are not checked for collisions", some(bare))
	}
	if len(assumed) > 0 {
		p.warn("tool_material_assumed",
			"it is not known what these tools are made of; their speeds are computed for the "+
				"material in brackets: %s", some(assumed))
	}
	if len(dataless) > 0 {
		m := &p.in.Config.Material
		p.warn("no_cutting_data",
			"no preset and no rule says how these tools cut %s (group %s), so they are not used: %s",
			m.Name, m.ISOGroup, some(dataless))
	}
	if len(guessed) > 0 {
		p.warn("tool_not_confirmed", "these tools are not used, as the fields in brackets are guessed; check them and "+
			"store the library again: %s", some(guessed))
	}
}

// unconfirmed returns a sentence about the tools that are skipped because some of their data are guessed, with a blank
// before it; "" without such tools.
func (p *planner) unconfirmed() string {
	n := 0
	for i := range p.in.Tools {
		if len(p.in.Tools[i].Guessed) > 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %d of them are not used, as something about them is guessed: check what their library lists "+
		"under guessed and store it again.", n)
}

// some lists names in a sentence, the first ones of many.
func some(names []string) string {
	const most = 12
	names = slices.Compact(names)
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
