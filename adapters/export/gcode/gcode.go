// Package gcode prints the setups of a program in the words of a control, with what people want to read between the
// blocks.
package gcode

import (
	"fmt"
	"strings"

	"millwright/adapters/export/setupsheet"
	"millwright/adapters/post"
	"millwright/core/planning"
	"millwright/core/toolpath"
)

// Setup returns the text of one setup, by its index. It fails when the control cannot do what the setup asks for
// (post.ErrCannot). Title is that of the part.
func Setup(d *post.Dialect, title string, p *planning.Plan, set *toolpath.Set, i int) (string, error) {
	if i < 0 || i >= len(p.Setups) || i >= len(set.Setups) {
		return "", fmt.Errorf("g-code: there is no setup %d in %d", i+1, min(len(p.Setups), len(set.Setups)))
	}
	s := &p.Setups[i]
	b := s.Before
	program := post.Program{
		Name: name(title, i), Number: i + 1, WorkOffset: planning.WorkOffset(i), Stock: s.Before,
		Notes: []string{
			fmt.Sprintf("%s, setup %d of %d", title, i+1, len(p.Setups)),
			fmt.Sprintf("stock from X %.2f Y %.2f Z %.2f to X %.2f Y %.2f Z %.2f",
				b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z),
			s.Hold.Text,
		},
		Tools: tools(p), Operations: set.Setups[i].Operations,
	}
	for k := range s.Operations {
		program.Titles = append(program.Titles, fmt.Sprintf("%d %s", k+1, setupsheet.What(p, &s.Operations[k])))
	}
	text, err := post.Write(d, &program)
	if err != nil {
		return "", fmt.Errorf("setup %d: %w", i+1, err)
	}
	return text, nil
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

// name is the name of a setup's program: letters, digits and dashes, as all controls read them.
func name(title string, setup int) string {
	const longest = 20
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, title)
	clean = strings.Trim(clean[:min(len(clean), longest)], "-")
	if clean == "" {
		clean = "PART"
	}
	return fmt.Sprintf("%s-%d", clean, setup+1)
}
