// Package gcode writes the setups of a program in the dialect of a control, with comments for the operator between the
// blocks.
package gcode

import (
	"fmt"

	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
)

// Setup returns the g-code of one setup, by its index. It fails if the control does not support a function of the setup
// (post.ErrCannot). title is the title of the part.
func Setup(d *post.Dialect, title string, p *planning.Plan, set *toolpath.Set, i int) (string, error) {
	text, _, err := SetupLines(d, title, p, set, i)
	return text, err
}

// SetupLines is Setup with the line that ends each move, as post.WriteLines returns it.
func SetupLines(
	d *post.Dialect, title string, p *planning.Plan, set *toolpath.Set, i int,
) (text string, lines [][]int, err error) {
	if i < 0 || i >= len(p.Setups) || i >= len(set.Setups) {
		return "", nil, fmt.Errorf("g-code: there is no setup %d in %d", i+1, min(len(p.Setups), len(set.Setups)))
	}
	s := &p.Setups[i]
	program := post.Program{
		Part: title, Number: i + 1, Setups: len(p.Setups), WorkOffset: planning.WorkOffset(i), Stock: s.Before,
		Hold: s.Clamping.Text, Tools: tools(p), Operations: set.Setups[i].Operations,
	}
	for k := range s.Operations {
		program.Titles = append(program.Titles, setupsheet.What(p, &s.Operations[k]))
	}
	text, lines, err = post.WriteLines(d, &program)
	if err != nil {
		return "", nil, fmt.Errorf("setup %d: %w", i+1, err)
	}
	return text, lines, nil
}

// Tools returns the tools of a plan in the form of a control, and the usual name of the file.
func Tools(d *post.Dialect, p *planning.Plan) (file, text string) { return post.Tools(d, tools(p)) }

func tools(p *planning.Plan) (out []post.Tool) {
	for i := range p.Tools {
		t := &p.Tools[i]
		tool := post.Tool{
			Number: t.Number, Text: setupsheet.ToolName(&t.Tool), Kind: t.Tool.Kind, Diameter: t.Tool.Diameter,
			CornerRadius: t.Tool.CornerRadius, Stickout: t.Stickout, Length: t.Stickout,
		}
		if t.Tool.Holder != nil {
			tool.Length += t.Tool.Holder.GaugeLength
		}
		out = append(out, tool)
	}
	return out
}
