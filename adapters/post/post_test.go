package post_test

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

var update = flag.Bool("update", false, "rewrite the golden programs")

func at(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }

// program returns a program with each kind of move and of cycle once.
func program() *post.Program {
	mill := motion.Operation{
		Tool: 0, SpindleRPM: 8000, Coolant: motion.Flood, Start: at(-10, 0, 30),
		Moves: []motion.Move{
			{Kind: motion.Rapid, To: at(-10, 0, 5)},
			{Kind: motion.Plunge, To: at(-10, 0, -2), Feed: 300},
			{Kind: motion.LeadIn, To: at(0, 10, -2), Center: geom.Vec2{Y: 0}, Turn: -math.Pi / 2, Feed: 1200},
			{Kind: motion.Cut, To: at(40, 10, -2), Feed: 1200},
			{Kind: motion.Cut, To: at(40, 10, -2), Center: geom.Vec2{X: 40, Y: 20}, Turn: 2 * math.Pi, Feed: 1200},
			{Kind: motion.Ramp, To: at(40, 10, -3), Center: geom.Vec2{X: 40, Y: 15}, Turn: 2 * math.Pi, Feed: 600.5},
			{Kind: motion.Dwell, Seconds: 0.25},
			{Kind: motion.Cut, To: at(40, -10.125, -3), Feed: 1200},
			{Kind: motion.Rapid, To: at(40, -10.125, 30)},
		},
	}
	again := motion.Operation{
		Tool: 0, SpindleRPM: 9500, Coolant: motion.Mist, Start: at(40, -10.125, 30),
		Moves: []motion.Move{{Kind: motion.Rapid, To: at(0, 0, 30)}},
	}
	drill := motion.Operation{
		Tool: 1, SpindleRPM: 2500, Coolant: motion.Flood, Start: at(10, 10, 30),
		Cycles: []motion.Cycle{
			{Kind: motion.Drill, Retract: 2, Bottom: -12},
			{Kind: motion.Drill, Retract: 2, Bottom: -5, Dwell: 0.5},
			{Kind: motion.Peck, Retract: 2, Bottom: -30, Peck: 6},
			{Kind: motion.ChipBreak, Retract: 2, Bottom: -20, Peck: 4},
			{Kind: motion.Ream, Retract: 2, Bottom: -10},
		},
		Moves: []motion.Move{
			{Kind: motion.CannedCycle, To: at(10, 10, 2), Cycle: 0, Feed: 250},
			{Kind: motion.CannedCycle, To: at(20, 10, 2), Cycle: 0, Feed: 250},
			{Kind: motion.CannedCycle, To: at(30, 10, 30), Cycle: 0, Feed: 250},
			{Kind: motion.CannedCycle, To: at(30, 20, 30), Cycle: 1, Feed: 250},
			{Kind: motion.CannedCycle, To: at(20, 20, 15), Cycle: 2, Feed: 200},
			{Kind: motion.CannedCycle, To: at(10, 20, 15), Cycle: 3, Feed: 200},
			{Kind: motion.CannedCycle, To: at(0, 20, 15), Cycle: 4, Feed: 100},
			{Kind: motion.Rapid, To: at(0, 20, 30)},
		},
	}
	return &post.Program{
		Part: "Bracket (50 % of it)", Number: 7, Setups: 8, Hold: "In a vise, +z of it up.", WorkOffset: 1,
		Stock: geom.Box{Min: at(-20, -20, -40), Max: at(80, 40, 0)},
		Tools: []post.Tool{
			{Number: 3, Text: "flat end mill ⌀10"}, {Number: 12, Text: "drill ⌀6.8", Stickout: 41.25},
			{Number: 4, Text: "of another setup"},
		},
		Operations: []motion.Operation{
			mill.Round(), again.Round(), drill.Round(),
		},
		Titles: []string{"contour of the pocket", "nothing", "drill"},
	}
}

func withTap(p *post.Program) *post.Program {
	tap := motion.Operation{
		Tool: 1, SpindleRPM: 500, Start: p.Operations[len(p.Operations)-1].End(),
		Cycles: []motion.Cycle{{Kind: motion.Tap, Retract: 5, Bottom: -15, Pitch: 1.25}},
		Moves: []motion.Move{
			{Kind: motion.CannedCycle, To: at(20, 30, 30), Feed: 625},
			{Kind: motion.CannedCycle, To: at(40, 30, 30), Feed: 625},
		},
	}
	p.Operations = append(p.Operations, tap.Round())
	return p
}

func TestGoldenPrograms(t *testing.T) {
	for _, d := range post.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			p := program()
			if d.Name != "grbl" {
				p = withTap(p)
			}
			got, err := post.Write(d, p)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join("testdata", d.Name+d.Extension)
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the program has changed (-update rewrites it):\n%s", got)
			}
		})
	}
}

// Cut configs name dialects before any is written in.
func TestCutConfigsNameAllDialects(t *testing.T) {
	var names []string
	for _, d := range post.Dialects {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, machining.Posts) {
		t.Errorf("the dialects are %q, cut configs may name %q", names, machining.Posts)
	}
}

func TestWriteRejectsUnsupportedOperation(t *testing.T) {
	if _, err := post.Write(post.ByName("grbl"), withTap(program())); !errors.Is(err, post.ErrCannot) {
		t.Errorf("tapping on GRBL gives %v", err)
	}
	p := program()
	p.Operations[1].Start.X++
	if _, err := post.Write(post.ByName("fanuc"), p); err == nil {
		t.Error("an operation that starts elsewhere than the one before ended is printed")
	}
	if post.ByName("g-code") != nil {
		t.Error("there is a dialect g-code")
	}
	if d, err := post.Find("haas"); err != nil || d.Name != "haas" {
		t.Errorf("haas is %v, %v", d, err)
	}
	const want = `unknown post "mach3"; use one of fanuc, grbl, haas, heidenhain, linuxcnc, siemens`
	if d, err := post.Find("mach3"); err == nil || err.Error() != want {
		t.Errorf("mach3 is %v, %v, want %s", d, err, want)
	}
}

// An operation without moves changes no tool, and the one after it finds its start.
func TestNothingIsChangedForOperationsWithoutMoves(t *testing.T) {
	p := program()
	idle := motion.Operation{Tool: 2, SpindleRPM: 3000, Start: at(0, 0, 35)}
	again := p.Operations[1]
	again.Start = at(7, 8, 35)
	p.Operations = []motion.Operation{idle, p.Operations[0], idle, again}
	for _, d := range post.Dialects {
		text, err := post.Write(d, p)
		if err != nil {
			t.Fatal(err)
		}
		if d.Name == "linuxcnc" {
			want := "(OPERATION 2 NOTHING)\nM5\nG53 G0 Z0\nT3 M6"
			if !strings.Contains(text, want) || !strings.Contains(text, "\nG0 Z35\nG0 X7 Y8\nG0 X0 Y0 Z30\n") {
				t.Errorf("got\n%s", text)
			}
		}
		if n := strings.Count(text, "NOTHING TO CUT"); n != 2 || strings.Contains(text, "T4") ||
			strings.Contains(text, "L 4") {
			t.Errorf("%s: %d operations without moves are named, want 2, without their tool:\n%s", d.Name, n, text)
		}
	}
}

// Notes for people are complete, and no direction is inverted.
func TestNotes(t *testing.T) {
	p := program()
	p.Hold = "In a fixture made for the part, −z of the workpiece up; its clamps are no part of the proof."
	text, err := post.Write(post.ByName("linuxcnc"), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"(HOLD IN A FIXTURE MADE FOR THE PART. -Z OF THE WORKPIECE UP. ITS)\n(... CLAMPS ARE NO PART OF THE PROOF.)\n",
		"(TOOL T3 FLAT END MILL D10)\n", "(TOOL T12 DRILL D6.8. 41.25 MM OUT OF ITS HOLDER)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "ANOTHER SETUP") {
		t.Errorf("a tool that is not needed is named:\n%s", text)
	}
}

// Traps that have cost others parts and spindles.
func TestTraps(t *testing.T) {
	for _, d := range post.Dialects {
		p := program()
		text, err := post.Write(d, p)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		for _, line := range lines {
			code, _, _ := strings.Cut(strings.Split(line, "(")[0], ";")
			words := strings.Fields(code)
			if len(line) > 80 {
				t.Errorf("%s: a line of %d letters: %s", d.Name, len(line), line)
			}
			for _, r := range line {
				if r > '~' {
					t.Errorf("%s: %q is no letter of a control: %s", d.Name, r, line)
				}
			}
			for _, w := range words {
				if d.Point && strings.ContainsAny(w[:1], "XYZIJRQ") && !strings.Contains(w, ".") {
					t.Errorf("%s: %s has no point: %s", d.Name, w, line)
				}
				if strings.Contains(w, "-0.000") || strings.HasSuffix(w, "-0") || strings.HasSuffix(w, "-0.") {
					t.Errorf("%s: %s is minus zero: %s", d.Name, w, line)
				}
			}
			if d.Name == "grbl" && strings.ContainsAny(line, "GM") {
				for _, never := range []string{"G8", "G73", "G43", "M6", "G98", "G99", "G28"} {
					if strings.Contains(code, never) {
						t.Errorf("grbl does not know %s: %s", never, line)
					}
				}
			}
			if strings.Contains(line, "G28") && !strings.Contains(line, "G91") {
				t.Errorf("%s: G28 without G91 goes through the part: %s", d.Name, line)
			}
		}
	}
}

// operations draws the operations of strategies, with cycles of every kind except taps.
func operations(t *rapid.T) []motion.Operation {
	length := rapid.Float64Range(-200, 200)
	var all []motion.Operation
	var end geom.Vec3
	for i := range rapid.IntRange(1, 3).Draw(t, "operations") {
		o := motion.Operation{Tool: int32(rapid.IntRange(0, 1).Draw(t, "tool")), SpindleRPM: 1000, Start: at(1, 2, 50)}
		if i > 0 && o.Tool == all[i-1].Tool {
			o.Start = end
		}
		p := o.Start
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			m := motion.Move{Kind: motion.Cut, Feed: rapid.Float64Range(10, 4000).Draw(t, "feed")}
			switch rapid.IntRange(0, 3).Draw(t, "shape") {
			case 0:
				m.To = at(length.Draw(t, "x"), length.Draw(t, "y"), length.Draw(t, "z"))
			case 1:
				m.Kind, m.Feed, m.To = motion.Rapid, 0, at(length.Draw(t, "x"), p.Y, p.Z)
			case 2:
				angle, r := rapid.Float64Range(0, 6).Draw(t, "angle"), rapid.Float64Range(0.05, 90).Draw(t, "radius")
				s := motion.Segment{From: p, To: at(0, 0, p.Z+rapid.SampledFrom([]float64{0, -3.3}).Draw(t, "rise"))}
				s.Center = geom.Vec2{X: p.X + r*math.Cos(angle), Y: p.Y + r*math.Sin(angle)}
				s.Turn = rapid.SampledFrom([]float64{-2 * math.Pi, -4, -1, -0.1, 0.1, 1, 4,
					2 * math.Pi}).Draw(t, "turn")
				m.To, m.Center, m.Turn = s.At(1), s.Center, s.Turn
			case 3:
				c := motion.Cycle{
					Kind:    motion.CycleKind(rapid.IntRange(0, 3).Draw(t, "cycle")),
					Retract: rapid.Float64Range(0, 20).Draw(t, "retract"),
					Peck:    rapid.Float64Range(1, 20).Draw(t, "peck"),
				}
				c.Bottom = c.Retract - rapid.Float64Range(1, 30).Draw(t, "depth")
				if rapid.Bool().Draw(t, "dwells") && c.Kind == motion.Drill {
					c.Dwell = 0.5
				}
				m.Kind, m.Cycle = motion.CannedCycle, int32(len(o.Cycles))
				back := rapid.SampledFrom([]float64{c.Retract, max(p.Z, c.Retract), c.Retract + 7}).Draw(t, "back")
				m.To = at(length.Draw(t, "x"), length.Draw(t, "y"), back)
				o.Cycles = append(o.Cycles, c)
			}
			o.Moves = append(o.Moves, m)
			p = m.To
		}
		r := o.Round()
		if i > 0 && o.Tool == all[i-1].Tool {
			r.Start = all[i-1].End()
		}
		end = r.End()
		all = append(all, r)
	}
	return all
}

func TestReadBackProgramMatchesMotion(t *testing.T) {
	for _, d := range post.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := program()
				p.Titles = nil
				p.Operations = operations(t)
				text, lines, err := post.WriteLines(d, p)
				if err != nil {
					t.Fatal(err)
				}
				c := read(t, d.Name, text)
				compare(t, c, p, text)
				compareLines(t, c, p, lines, text)
			})
		})
	}
}

// TestLinesOfEachKindOfMove: so does the program with every kind of move once.
func TestLinesOfEachKindOfMove(t *testing.T) {
	for _, d := range post.Dialects {
		text, lines, err := post.WriteLines(d, program())
		if err != nil {
			t.Fatal(err)
		}
		compareLines(t, read(t, d.Name, text), program(), lines, text)
		if plain, err := post.Write(d, program()); err != nil || plain != text {
			t.Errorf("%s: Write and WriteLines differ: %v", d.Name, err)
		}
	}
}

// compareLines checks that the control is at the end of each move after the line of the move.
func compareLines(t fataler, c *control, p *post.Program, lines [][]int, text string) {
	if len(lines) != len(p.Operations) || len(c.ends) != strings.Count(text, "\n") {
		t.Fatalf("lines of %d operations, want %d; %d lines are read", len(lines), len(p.Operations), len(c.ends))
	}
	last := 0
	for i := range p.Operations {
		o := &p.Operations[i]
		end := o.Start
		for k := range o.Moves {
			if o.Moves[k].Kind != motion.Dwell {
				end = o.Moves[k].To
			}
			n := lines[i][k]
			if n < last || n < 1 || n > len(c.ends) {
				t.Fatalf("operation %d, move %d has line %d, the move before it %d:\n%s", i, k, n, last, text)
			}
			last = n
			if at := c.ends[n-1]; at.Dist(end) > 2*motion.Resolution {
				t.Fatalf("operation %d, move %d: after line %d the control is at %v, want %v:\n%s",
					i, k, n, at, end, text)
			}
		}
	}
}
