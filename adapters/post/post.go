// Package post prints motion as programs of machine controls. A Dialect is data: the texts of the blocks of one family
// of controls, with words to be filled in. One writer fills in all of them.
//
// Every block names its code. Positions and feeds that have not changed are left out, except on arcs: GRBL and RS274
// require both axes of an arc's end. motion.Operation.Round has rounded the numbers to a thousandth of a mm, so nothing
// is rounded here. Whole numbers carry a decimal point, because a Fanuc control reads them as thousandths without it.
// Lengths are mm and absolute; centers of arcs are relative to their start unless the dialect differs.
//
// The tests run LinuxCNC's interpreter on its dialect. The other dialects (GRBL 1.1, Fanuc 0i, Haas, HEIDENHAIN TNC
// 640, SINUMERIK 840D sl) are checked only by readers in the tests, and were not tried on a control. No test reads tool
// tables back; they follow the manuals of the controls.
package post

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// Tool is the description of a tool in a program.
type Tool struct {
	Number int    // T, in the machine's tool table; its length offset has the same number
	Text   string // for the operator

	Stickout float64 // mm, from the holder to the tip; 0: not known

	// For Tools alone.
	Kind         machining.ToolKind
	Diameter     float64 // mm
	CornerRadius float64 // mm
	Length       float64 // mm, from the gauge line of the spindle to the tip
}

// Program is the motion of the machine in one clamping of the part.
type Program struct {
	Part       string   // name of the part, for the operator
	Number     int      // of the setup, 1 to 9999
	Setups     int      // number of setups of the part
	WorkOffset int      // 1 to 6: G54 to G59, or the dialect's equivalent
	Stock      geom.Box // in the frame of the setup, mm
	Hold       string   // workholding of the stock, for the operator
	Tools      []Tool   // by the index that operations name
	Operations []motion.Operation
	Titles     []string // by operation: text for the operator after its number
}

// Write returns the program in a dialect. It fails if the control lacks a function that the program needs.
func Write(d *Dialect, p *Program) (string, error) {
	text, _, err := WriteLines(d, p)
	return text, err
}

// WriteLines is Write that also returns, for each move of each operation, the number of its line in the text, from 1.
// The tip is at the end of the move after that line: of an arc or a cycle on several lines it is the last one. A move
// that needs no line has that of the move before it.
func WriteLines(d *Dialect, p *Program) (text string, lines [][]int, err error) {
	w := writer{dialect: d, program: p, tool: none}
	w.block(d.Head, nil)
	w.comment(aboutPart, fmt.Sprintf("%s, setup %d of %d", p.Part, p.Number, p.Setups))
	low, high := p.Stock.Min, p.Stock.Max
	w.comment(aboutStock, fmt.Sprintf("from X %.2f Y %.2f Z %.2f to X %.2f Y %.2f Z %.2f",
		low.X, low.Y, low.Z, high.X, high.Y, high.Z))
	w.comment(aboutHold, p.Hold)
	for i := range p.Tools {
		w.toolNote(int32(i))
	}
	w.block(d.Setup, nil)
	for i := range p.Operations {
		if err := w.operation(i); err != nil {
			return "", nil, fmt.Errorf("operation %d: %w", i+1, err)
		}
	}
	w.coolant(motion.Dry)
	w.block(d.Foot, nil)
	return w.text.String(), w.ends, nil
}

// toolNote writes the description of a tool, if the program uses it.
func (w *writer) toolNote(tool int32) {
	needs := func(o motion.Operation) bool { return o.Tool == tool && len(o.Moves) > 0 }
	if !slices.ContainsFunc(w.program.Operations, needs) {
		return
	}
	t := &w.program.Tools[tool]
	note := fmt.Sprintf("T%d %s", t.Number, t.Text)
	if t.Stickout > 0 {
		note += fmt.Sprintf(", %g mm out of its holder", thousandths(t.Stickout))
	}
	w.comment(aboutTool, note)
}

// ErrCannot is the error that Write's errors wrap.
var ErrCannot = errors.New("the control cannot do this")

// writer fills in the blocks of a program.
type writer struct {
	dialect *Dialect
	program *Program
	text    strings.Builder
	lines   int     // that have a number
	count   int     // of all lines
	ends    [][]int // by operation and move, the last line of the move
	goesOn  bool    // the next line continues the last one and has no number

	at      geom.Vec3
	known   bool // at is the position of the machine
	feed    float64
	fed     bool  // feed is active in the machine
	tool    int32 // none before the first tool change
	passed  bool  // an operation had nothing to do since the last one that had
	speed   float64
	cooling motion.Coolant
	cycle   bool    // one is called
	called  string  // its text
	initial float64 // height before the first of the cycles
}

// none is the tool number before the first tool change.
const none = -1

// operation writes one operation: the tool change if there is one, the approach to its start, its moves. An operation
// without moves changes no tool.
func (w *writer) operation(i int) error {
	o := &w.program.Operations[i]
	d := w.dialect
	title := strconv.Itoa(i + 1)
	if i < len(w.program.Titles) {
		title += " " + w.program.Titles[i]
	}
	w.ends = append(w.ends, make([]int, len(o.Moves)))
	if len(o.Moves) == 0 {
		w.passed = true
		w.comment(aboutOperation, title+", nothing to cut")
		return nil
	}
	w.comment(aboutOperation, title)
	passed := w.passed
	w.passed = false
	changed := o.Tool != w.tool
	if changed {
		w.coolant(motion.Dry)
		w.block(d.Retract, nil)
		w.tool, w.speed = o.Tool, o.SpindleRPM
		w.block(d.ToolChange, w.words(o))
		w.known, w.fed = false, false
	} else if o.SpindleRPM != w.speed {
		w.speed = o.SpindleRPM
		w.block(d.Spindle, w.words(o))
	}
	w.coolant(o.Coolant)
	switch {
	case changed:
		w.to(d.Approach, o, o.Start)
	case w.at == o.Start:
	case passed: // both are where tools are changed, above everything
		top := max(w.at.Z, o.Start.Z)
		over := geom.Vec3{X: o.Start.X, Y: o.Start.Y, Z: top}
		for _, p := range [...]geom.Vec3{{X: w.at.X, Y: w.at.Y, Z: top}, over, o.Start} {
			if p != w.at {
				w.to(d.Rapid, o, p)
			}
		}
	default:
		return fmt.Errorf("it starts at %v, the operation before ended at %v", o.Start, w.at)
	}
	for k := range o.Moves {
		if err := w.move(o, &o.Moves[k]); err != nil {
			return fmt.Errorf("move %d: %w", k+1, err)
		}
		w.ends[i][k] = w.count
	}
	w.endCycle()
	return nil
}

// to writes a block that takes the tip to a point.
func (w *writer) to(block string, o *motion.Operation, p geom.Vec3) {
	words := w.words(o)
	w.point(words, p)
	w.block(block, words)
	w.at, w.known = p, true
}

// move writes one move.
func (w *writer) move(o *motion.Operation, m *motion.Move) error {
	d := w.dialect
	if m.Kind == motion.CannedCycle {
		return w.canned(o, m)
	}
	w.endCycle()
	switch {
	case m.Kind == motion.Dwell:
		w.block(d.Dwell, dwell(m.Seconds))
	case m.Turn != 0:
		w.arc(o, m)
	case m.Kind == motion.Rapid:
		if m.To != w.at || !w.known {
			w.to(d.Rapid, o, m.To)
		}
	default:
		w.feedTo(d.Line, o, m)
	}
	return nil
}

// feedTo writes a line at a feed.
func (w *writer) feedTo(block string, o *motion.Operation, m *motion.Move) {
	words := w.words(o)
	w.feedWord(words, m.Feed)
	w.point(words, m.To)
	w.block(block, words)
	w.at, w.known = m.To, true
}

// canned writes a cycle, or its expansion where the control has no such cycle.
func (w *writer) canned(o *motion.Operation, m *motion.Move) error {
	c := &o.Cycles[m.Cycle]
	d := w.dialect
	texts, ok := d.Cycles[c.Kind]
	if !ok {
		if c.Kind == motion.Tap {
			return fmt.Errorf("%w: %s does not tap", ErrCannot, d.Title)
		}
		for _, e := range c.Expand(nil, w.at, *m) {
			if err := w.move(o, &e); err != nil {
				return err
			}
		}
		return nil
	}
	if w.at.Z < c.Retract { // no cycle may come from below
		w.endCycle()
		w.to(d.Rapid, o, geom.Vec3{X: w.at.X, Y: w.at.Y, Z: c.Retract})
	}
	words := w.cycleWords(o, m, c)
	back := m.To.Z // where the control returns to
	if d.Returns != nil && texts.Modal {
		// Controls return to the retract plane or to the initial height; any other height is a separate rapid. The
		// initial height is the height before the first of consecutive cycles.
		initial := m.To.Z == w.at.Z && m.To.Z != c.Retract
		if initial && w.initial != w.at.Z {
			w.endCycle()
		}
		if !w.cycle {
			w.initial = w.at.Z
		}
		words["return"] = d.Returns[initial]
		if !initial {
			back = c.Retract
		}
	}
	if call := fill(texts.Call, words); call != w.called {
		w.endCycle()
		w.block(texts.Call, words)
		w.called = call
	}
	w.block(texts.At, words)
	w.cycle, w.fed = texts.Modal, false
	w.at = geom.Vec3{X: m.To.X, Y: m.To.Y, Z: back}
	if back != m.To.Z {
		w.endCycle()
		w.to(d.Rapid, o, m.To)
	}
	return nil
}

// endCycle ends a cycle that the control would repeat at every further position.
func (w *writer) endCycle() {
	if w.cycle {
		w.block(w.dialect.CycleEnd, nil)
	}
	w.cycle, w.called = false, ""
}

// coolant switches it.
func (w *writer) coolant(c motion.Coolant) {
	if c == w.cooling {
		return
	}
	w.block(w.dialect.Coolant[w.cooling].Off, nil)
	w.block(w.dialect.Coolant[c].On, nil)
	w.cooling = c
}
