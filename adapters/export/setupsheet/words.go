package setupsheet

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
)

// This file formats figures of programs as text for sheets, tables and comments in g-code.

var strategies = map[planning.Strategy]string{
	planning.Face: "face", planning.Pocket: "clear", planning.Contour: "finish walls", planning.Drill: "drill",
	planning.PeckDrill: "drill with pecks", planning.Bore: "bore", planning.Ream: "ream", planning.Tap: "tap",
	planning.ThreadMill: "mill threads", planning.Chamfer: "chamfer", planning.BreakEdges: "break edges",
	planning.Surface: "finish slopes", planning.Slot: "cut T-slots", planning.Dovetail: "cut dovetails",
}

// What describes an operation of a plan, for example "drill 4 × ⌀6.6" or "clear 12 mm deep".
func What(p *planning.Plan, o *planning.Operation) string {
	what := strategies[o.Strategy]
	switch kind := p.Tools[o.Tool].Tool.Kind; {
	case what == "":
		what = string(o.Strategy)
	case o.Strategy == planning.Pocket && o.Floor:
		return "finish floor at Z " + mm(o.Bottom)
	case o.Strategy == planning.Slot && len(o.Holes) > 0:
		what = "cut grooves"
	case o.Strategy == planning.BreakEdges:
		return fmt.Sprintf("%s, %s × 45°", what, mm(o.Width))
	case o.Strategy == planning.Drill && (kind == machining.SpotDrill || kind == machining.CenterDrill):
		what = "spot"
	case o.Strategy == planning.Drill && kind == machining.Countersink:
		what = "countersink"
	}
	if len(o.Holes) > 0 {
		return what + " " + holes(o.Holes)
	}
	if depth := o.Top - o.Bottom; depth > 0 {
		what += " " + mm(depth) + " mm deep"
	}
	return what
}

// holes counts equal diameters in the order in which they come.
func holes(all []planning.Hole) string {
	var order []string
	counts := map[string]int{}
	for _, h := range all {
		d := "⌀" + mm(h.Diameter)
		if counts[d] == 0 {
			order = append(order, d)
		}
		counts[d]++
	}
	for i, d := range order {
		if n := counts[d]; n > 1 {
			order[i] = fmt.Sprintf("%d × %s", n, d)
		}
	}
	return strings.Join(order, ", ")
}

// ToolName returns the name of a tool, or its kind and diameter if it has no name.
func ToolName(t *machining.Tool) string {
	if t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("%s %s mm", t.Kind, mm(t.Diameter))
}

// Verdict summarizes a verification report in one sentence.
func Verdict(p *verify.Report) string {
	collisions := p.RapidCollisions + p.HolderCollisions + p.FixtureCollisions
	gouges, others := 0, 0
	for _, f := range p.Findings {
		switch f.Kind {
		case verify.Gouge:
			gouges++
		case verify.Overtravel:
			others++
		}
	}
	text := plural(gouges, "gouge") + ", " + plural(collisions, "collision")
	if others > 0 {
		text += ", " + plural(others, "other finding")
	}
	return text
}

// Duration formats seconds in minutes, or in hours and minutes.
func Duration(seconds float64) string {
	const minute, hour = 60, 3600
	s := math.Round(seconds)
	if s < hour {
		return fmt.Sprintf("%d:%02d min", int(s)/minute, int(s)%minute)
	}
	m := math.Round(seconds / minute)
	return fmt.Sprintf("%d h %02d min", int(m)/minute, int(m)%minute)
}

// Dollars formats cents as dollars.
func Dollars(cents int64) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) }

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// mm is a length to a thousandth, without zeros at its end.
func mm(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000+0, 'f', -1, 64) }

func whole(v float64) string { return strconv.FormatFloat(math.Round(v)+0, 'f', -1, 64) }

// devices names the pieces that are made for a setup, with their blanks and files.
func devices(pieces []fixture.Piece, setup int) string {
	var out []string
	for i := range pieces {
		p := &pieces[i]
		threads := ""
		for _, h := range p.Holes {
			if h.Thread != "" && !strings.Contains(threads, h.Thread) {
				threads += ", " + h.Thread
			}
		}
		blank := fmt.Sprintf("%s × %s × %s", mm(p.Size.X), mm(p.Size.Y), mm(p.Size.Z))
		name := p.Name
		if p.Count > 1 {
			name = fmt.Sprintf("%d × %s", p.Count, name)
		}
		if p.Note != "" {
			threads += ", " + p.Note
		}
		file := p.FileName(setup) + ".step"
		out = append(out, fmt.Sprintf("%s of %s, %s%s (%s)", name, p.Material, blank, threads, file))
	}
	return strings.Join(out, "; ")
}

// grip names the settings of the device.
func grip(h *planning.Hold) string {
	if h.Area > 0 {
		return fmt.Sprintf("%.4g cm², pulled down with %s kN", h.Area/100, kN(h.Set))
	}
	if h.Count > 0 {
		return fmt.Sprintf("%d clamps with %s kN in all (at least %s)", h.Count, kN(h.Set), kN(h.Least))
	}
	if h.Torque == 0 { // a chuck: its maker states the torque of the key
		return fmt.Sprintf("diameter %s, contact %s deep, %s over the jaws; %s kN of all jaws (at least %s, "+
			"at most %s)", mm(h.Opening), mm(h.Depth), mm(h.StandOut), kN(h.Set), kN(h.Least), kN(h.Most))
	}
	return fmt.Sprintf("opening %s, contact %s deep over %s, %s over the jaws%s; %s kN of each jaw (at least %s, "+
		"at most %s), %.3g N·m", mm(h.Opening), mm(h.Depth), mm(h.Length), mm(h.StandOut), seat(h), kN(h.Set),
		kN(h.Least), kN(h.Most), h.Torque)
}

// seat names the parallels, and the sides at the fixed jaw and the stop.
func seat(h *planning.Hold) string {
	out := ""
	if h.Parallels > 0 {
		out = fmt.Sprintf("; parallels %s high", mm(h.Parallels))
	}
	if h.FixedJaw == "" {
		return out
	}
	minus := strings.NewReplacer("-", "−")
	return out + minus.Replace(fmt.Sprintf("; fixed jaw at %s, stop at %s", h.FixedJaw, h.Stop))
}

func kN(newton float64) string { return fmt.Sprintf("%.3g", newton/1000) }

// uses says how near the clamping is to each of its limits, and which cut governs.
func uses(h *planning.Hold) string {
	var list []string
	for _, u := range h.Uses {
		list = append(list, fmt.Sprintf("%s %.2f", u.Check, u.Value))
	}
	out := strings.Join(list, ", ")
	if g := h.Governing; g != nil {
		out += fmt.Sprintf("; by operation %s: %.0f N across and %.0f N up, %s over the grip", g.Operation,
			g.Horizontal, g.Axial, mm(g.Height))
	}
	return out
}
