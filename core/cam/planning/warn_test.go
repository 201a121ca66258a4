package planning_test

import (
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/fault"
)

// warned returns the sentences of the warnings with a code.
func warned(p *planning.Plan, code string) (list []string) {
	for _, w := range p.Warnings {
		if w.Code == code {
			list = append(list, w.Message)
		}
	}
	return list
}

// TestWarningsAboutTools: each kind of trouble is said once, with the names of the tools, and no other is.
func TestWarningsAboutTools(t *testing.T) {
	codes := []string{"duplicate_tool_number", "no_holder", "no_cutting_data", "tool_material_assumed",
		"tool_not_confirmed"}
	for _, c := range []struct {
		name   string
		change func(in *planning.Input)
		code   string
		says   []string
	}{
		{"all is known", func(*planning.Input) {}, "", nil},
		{"no holders", func(in *planning.Input) {
			for i := range in.Tools {
				in.Tools[i].Holder = nil
			}
		}, "no_holder", []string{"No holder is known for T", "End mill"}},
		{"one number", func(in *planning.Input) {
			for i := range in.Tools {
				in.Tools[i].Number = new(1)
			}
		}, "duplicate_tool_number", []string{"T1 is the number of both ", " in this program."}},
		{"no data", func(in *planning.Input) { in.Config.Material.ISOGroup = machining.GroupS }, "no_cutting_data",
			[]string{"(group S)", "Reamer", " more."}},
		{"no presets", func(in *planning.Input) {
			for i := range in.Tools {
				in.Tools[i].Presets = nil
			}
		}, "tool_material_assumed", []string{"End mill", "(carbide)"}},
		{"no presets of tools of steel", func(in *planning.Input) {
			for i := range in.Tools {
				in.Tools[i].Presets, in.Tools[i].Material = nil, machining.HSS
			}
		}, "", nil},
		{"guessed", func(in *planning.Input) {
			in.Tools[5].Guessed = []string{"fluteLength", "bodyLength"}
		}, "tool_not_confirmed", []string{" (fluteLength, bodyLength)."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(t, "pockets", machining.BuiltInCutConfig())
			c.change(&in)
			plan := made(t, in)
			for _, code := range codes {
				got := warned(plan, code)
				if (len(got) > 0) != (code == c.code) || len(got) > 1 && code != "duplicate_tool_number" {
					t.Errorf("%s: %q", code, got)
				}
				if code != c.code {
					continue
				}
				for _, s := range c.says {
					if !strings.Contains(got[0], s) {
						t.Errorf("%q does not say %q", got[0], s)
					}
				}
			}
		})
	}
}

// TestGuessedToolsDoNotCut: no operation has a tool with guessed fields, and where no other is left the refusal says
// so.
func TestGuessedToolsDoNotCut(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig())
	used := map[string]bool{}
	for _, tool := range made(t, in).Tools {
		used[tool.Tool.ID] = true
	}
	for i := range in.Tools {
		if used[in.Tools[i].ID] {
			in.Tools[i].Guessed = []string{"diameter"}
		}
	}
	for _, tool := range made(t, in).Tools {
		if len(tool.Tool.Guessed) > 0 {
			t.Errorf("%s cuts", tool.Tool.Name)
		}
	}
	for i := range in.Tools {
		in.Tools[i].Guessed = []string{"kind"}
	}
	_, err := planning.Make(t.Context(), in)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.NoTools ||
		!strings.Contains(f.Reason, "are not used, as something about them is guessed") {
		t.Errorf("%v, want a refusal that names the guesses", err)
	}
}

// TestSteelToolsRunSlower: the spindle follows the material of the tools.
func TestSteelToolsRunSlower(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig())
	for i := range in.Tools {
		in.Tools[i].Presets = nil
		in.Tools[i].Material = machining.HSS
	}
	plan := made(t, in)
	for i := range plan.Setups {
		for _, o := range plan.Setups[i].Operations {
			tool := &plan.Tools[o.Tool].Tool
			rule, _ := tool.RulePreset(machining.GroupN)
			most := rule.SpindleSpeed(tool.Diameter) * 1.001
			if tool.Kind != machining.BallEndMill && o.Cutting.SpindleRPM.Value > most {
				t.Errorf("%s turns at %.0f/min, want at most %.0f", tool.Name, o.Cutting.SpindleRPM.Value, most)
			}
			if from := o.Cutting.SpindleRPM.From; !strings.HasSuffix(from, " for hss") {
				t.Errorf("%s: the speed is from %q", tool.Name, from)
			}
		}
	}
}
