package replay

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/kernel/geom"
)

// Interpreter is the program that reads g-code: of Debian's package linuxcnc-uspace.
const Interpreter = "rs274"

// home is the height of the machine's zero, the retract height of a program, above the work offset. Its unit is inches,
// the default unit of parameter files.
const home = 1000

const inch = 25.4

// loaded matches the stop of a control without a tool changer, at which an operator loads the next tool.
var loaded = regexp.MustCompile(`(?m)^M0 \(LOAD (T[0-9]+) .*$`)

// Canon has LinuxCNC's interpreter read a program for it or for GRBL, and returns its moves. Tools are those that it
// may change to.
func Canon(ctx context.Context, gcode string, tools []int) ([]Move, error) {
	dir, err := os.MkdirTemp("", "replay")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	table := ""
	for _, n := range tools {
		table += fmt.Sprintf("T%d P%d Z0 D1\n", n, n)
	}
	gcode = loaded.ReplaceAllString(gcode, "$1 M6")
	files := map[string]string{"part.ngc": gcode, "tool.tbl": table, "part.var": fmt.Sprintf("5220\t1\n5223\t%d\n", -home)}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, Interpreter, "-g", "-v", filepath.Join(dir, "part.var"), "-t", filepath.Join(dir, "tool.tbl"),
		filepath.Join(dir, "part.ngc"))
	cmd.Env = append(os.Environ(), "HOME="+dir) // where it keeps the table of tools, for all that run at a time
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", Interpreter, err, tail(string(out)))
	}
	return read(string(out))
}

func tail(s string) string { return s[max(0, len(s)-400):] }

var call = regexp.MustCompile(`([A-Z0-9_]+)\(([^)]*)\)`)

// read parses the interpreter's output. After a tool change the position is unknown until a height is commanded.
func read(out string) (moves []Move, err error) {
	tool, at := 0, geom.Vec3{Z: home * inch}
	fresh, operation := 2, 0
	for line := range strings.Lines(out) {
		if m := comment.FindStringSubmatch(line); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				operation = n
			}
			continue
		}
		m := call.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var a []float64
		for _, word := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' }) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				v = math.NaN()
			}
			a = append(a, v)
		}
		switch m[1] {
		case "SELECT_TOOL":
			tool = int(a[0])
		case "CHANGE_TOOL":
			fresh = 2
		case "SET_G5X_OFFSET":
			if a[3] != 0 && a[3] != -home*inch {
				return nil, fmt.Errorf("another work offset: %s", line)
			}
		case "STRAIGHT_TRAVERSE", "STRAIGHT_FEED", "STRAIGHT_PROBE", "RIGID_TAP":
			if m[1] == "RIGID_TAP" {
				down := Move{Tool: tool, Operation: operation, To: geom.Vec3{X: a[0], Y: a[1], Z: a[2]}}
				moves = append(moves, down, Move{Tool: tool, Operation: operation, To: at})
				continue
			}
			to := geom.Vec3{X: a[0], Y: a[1], Z: a[2]}
			moves = append(moves, Move{Tool: tool, Operation: operation, Rapid: m[1] == "STRAIGHT_TRAVERSE", To: to, Unknown: fresh > 1})
			fresh = max(fresh-1, 0)
			at = to
		case "ARC_FEED":
			to := geom.Vec3{X: a[0], Y: a[1], Z: a[5]}
			center := geom.Vec2{X: a[2], Y: a[3]}
			moves = append(moves, Move{Tool: tool, Operation: operation, To: to, Center: center,
				Turn: turn(flat(at), flat(to), center, int(a[4]))})
			at = to
		}
	}
	return moves, nil
}

// comment matches a comment of a program; the first comment of an operation has its number.
var comment = regexp.MustCompile(`COMMENT\("(?:OPERATION ([0-9]+))?.*"\)`)

// turn returns the angle of an arc with the given number of turns, where a partial turn counts as one.
func turn(from, to, center geom.Vec2, rotation int) float64 {
	a, b := from.Sub(center), to.Sub(center)
	angle := math.Atan2(a.X*b.Y-a.Y*b.X, a.X*b.X+a.Y*b.Y)
	if rotation > 0 {
		for angle <= 1e-9 {
			angle += 2 * math.Pi
		}
		return angle + 2*math.Pi*float64(rotation-1)
	}
	for angle >= -1e-9 {
		angle -= 2 * math.Pi
	}
	return angle + 2*math.Pi*float64(rotation+1)
}
