package post

import (
	"strconv"

	"millwright.dev/millwright/core/cam/machining"
)

// Table is the form in which a control reads its tools. Lengths are the planned ones; the person who sets the tools up
// measures them.
type Table struct {
	File            string // its usual name
	Head, Row, Foot string // {T}, {name}, {length}, {diameter}, {radius}, {corner}, {type}; {T:6} is six letters wide
	Types           map[machining.ToolKind]string
	Other           string // the type of all other kinds
}

// siemensTypes are the types of tools of SINUMERIK, which has end mills for all other kinds.
var siemensTypes = map[machining.ToolKind]string{
	machining.BallEndMill: "110", machining.BullNoseEndMill: "121", machining.FaceMill: "140",
	machining.ThreadMill: "145",
	machining.SlotMill:   "150", machining.ChamferMill: "156", machining.Drill: "200", machining.CenterDrill: "230",
	machining.SpotDrill: "220", machining.Countersink: "220", machining.TapRightHand: "240", machining.Reamer: "250",
}

// longestName is the maximum length of tool names on these controls.
const longestName = 32

// Tools returns the tools in the form of a control, and the usual name of the file.
func Tools(d *Dialect, tools []Tool) (file, text string) {
	w := writer{dialect: &Dialect{Point: d.Point, Plus: d.Plus}, program: &Program{}}
	w.block(d.Table.Head, nil)
	for i := range tools {
		t := &tools[i]
		name := letters(t.Text)
		kind, known := d.Table.Types[t.Kind]
		if !known {
			kind = d.Table.Other
		}
		w.block(d.Table.Row, words{
			"T": strconv.Itoa(t.Number), "name": name[:min(len(name), longestName)], "type": kind,
			"length": w.number(thousandths(t.Length)), "diameter": w.plain(thousandths(t.Diameter)),
			"radius": w.number(thousandths(t.Diameter / 2)), "corner": w.number(thousandths(t.CornerRadius)),
		})
	}
	w.block(d.Table.Foot, nil)
	return d.Table.File, w.text.String()
}
