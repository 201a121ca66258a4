package fusion

import (
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/core/cam/machining"
)

type preset struct {
	Name        text   `json:"name"`
	Description text   `json:"description"`
	Speed       number `json:"n"`   // 1/min
	Surface     number `json:"v_c"` // m/min, of tools in inches ft/min
	PerTooth    number `json:"f_z"`
	PerTurn     number `json:"f_n"`
	Feed        number `json:"v_f"` // per minute
	Plunge      number `json:"v_f_plunge"`
	StepDown    number `json:"stepdown"`
	StepOver    number `json:"stepover"`
	UseStepDown flag   `json:"use-stepdown"`
	UseStepOver flag   `json:"use-stepover"`
	Material    struct {
		Category text `json:"category"`
		Query    text `json:"query"`
	} `json:"material"`
}

const (
	feetPerMeter = 1000 / (12 * toolbuilder.Inch)
	mmPerMetre   = 1000
)

// presets adds the cutting data whose speed and feed are known. One for all materials has no group, and depths that a
// preset does not state are 0: the draft settles both.
func (e *entry) presets(t *toolbuilder.Tool, scale float64) {
	list := e.StartValues.Presets
	if e.StartValues.Any != nil {
		list = append(list, *e.StartValues.Any)
	}
	nameless, blank := 0, 0
	for _, p := range list {
		words := string(p.Material.Query) + " " + string(p.Name) + " " + string(p.Description)
		group, named := groupOf(string(p.Material.Category) + " " + words)
		category := strings.ToLower(string(p.Material.Category))
		if !named && (category != "all" && category != "" || p.Material.Query != "" || isSoft(words)) {
			nameless++
			continue
		}
		out := machining.Preset{MaterialGroup: group, SurfaceSpeed: p.surface(t.Diameter, scale)}
		out.FeedPerTooth = p.perTooth(t, scale)
		if out.SurfaceSpeed <= 0 || out.FeedPerTooth <= 0 {
			blank++
			continue
		}
		if p.UseStepDown {
			out.AxialDepth = max(float64(p.StepDown)*scale, 0)
		}
		if p.UseStepOver {
			out.RadialDepth = max(float64(p.StepOver)*scale, 0)
		}
		t.Presets = append(t.Presets, out)
	}
	if nameless > 0 {
		t.Remark("%d of its presets name no material that is cut here and were left out.", nameless)
	}
	if blank > 0 {
		t.Remark("%d of its presets lack a speed or feed and were left out.", blank)
	}
}

// surface is the surface speed in m/min, from the spindle speed when there is one.
func (p *preset) surface(diameter, scale float64) float64 {
	if p.Speed > 0 {
		return float64(p.Speed) * math.Pi * diameter / mmPerMetre
	}
	if scale == toolbuilder.Inch {
		return float64(p.Surface) / feetPerMeter
	}
	return float64(p.Surface)
}

// perTooth is the feed per tooth in mm, from whichever feed there is.
func (p *preset) perTooth(t *toolbuilder.Tool, scale float64) float64 {
	teeth := float64(max(t.FluteCount, 1))
	feed := p.Feed
	if holeMaking(t.Kind) && p.Plunge > 0 {
		feed = p.Plunge
	}
	switch {
	case t.Kind == machining.TapRightHand:
		return 1 // the builder derives the feed from the pitch
	case p.PerTooth > 0 && !holeMaking(t.Kind):
		return float64(p.PerTooth) * scale
	case p.PerTurn > 0:
		return float64(p.PerTurn) * scale / teeth
	case feed > 0 && p.Speed > 0:
		return float64(feed) * scale / (float64(p.Speed) * teeth)
	}
	return float64(p.PerTooth) * scale
}

func holeMaking(k machining.ToolKind) bool {
	switch k {
	case machining.Drill, machining.CenterDrill, machining.SpotDrill, machining.Countersink, machining.Reamer,
		machining.TapRightHand:
		return true
	}
	return false
}

// soft are words for materials outside the groups of ISO 513.
var soft = []string{
	"wood", "mdf", "plastic", "acrylic", "polycarbonate", "delrin", "acetal", "hdpe", "nylon", "pvc", "foam", "wax",
	"composite", "carbon fib", "fiberglass", "fibreglass",
}

// isSoft reports whether a text names such a material.
func isSoft(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(soft, func(word string) bool { return strings.Contains(s, word) })
}

// materials are words for materials, in search order: "stainless steel" does not count as steel.
var materials = []struct {
	group machining.MaterialGroup
	words []string
}{
	{machining.GroupM, []string{"stainless", "inox"}},
	{machining.GroupH, []string{"hardened"}},
	{machining.GroupK, []string{"cast iron", "grey iron", "gray iron", "ductile iron"}},
	{machining.GroupS, []string{"titanium", "inconel", "superalloy", "super alloy", "nickel"}},
	{machining.GroupN, []string{"alumin", "brass", "bronze", "copper", "magnesium", "non-ferrous", "nonferrous"}},
	{machining.GroupP, []string{"steel"}},
}

// groupOf finds the group of ISO 513 that a text names, as itself ("ISO P", "N - aluminium") or by a material.
func groupOf(s string) (machining.MaterialGroup, bool) {
	s = strings.ToLower(s)
	for _, m := range materials {
		for _, word := range m.words {
			if strings.Contains(s, word) {
				return m.group, true
			}
		}
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' || r == ':' || r == '/' })
	for i, word := range words {
		for _, g := range machining.Groups {
			if word == strings.ToLower(string(g)) && (i > 0 && words[i-1] == "iso" || len(words) == 1) {
				return g, true
			}
		}
	}
	return "", false
}
