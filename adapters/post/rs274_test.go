package post_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/kernel/geom"
)

// LinuxCNC's own interpreter is the judge of its dialect.
func TestLinuxCNCReadsItsDialect(t *testing.T) {
	const interpreter = "rs274"
	if _, err := exec.LookPath(interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", interpreter)
	}
	dir := t.TempDir()
	tools := filepath.Join(dir, "tool.tbl")
	if err := os.WriteFile(tools, []byte("T3 P3 D10 Z0\nT12 P12 D6.8 Z0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, p *post.Program) (string, string) {
		text, err := post.Write(post.ByName("linuxcnc"), p)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "part.ngc")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), interpreter, "-g", "-t", tools, file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v:\n%s\n%s", err, out, text)
		}
		return string(out), text
	}
	run(t, withTap(program()))
	for seed := range 25 {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			p := program()
			p.Titles = nil
			p.Operations = rapid.Custom(operations).Example(seed)
			out, text := run(t, p)
			c := canonical(t, out)
			compare(t, c, p, text)
		})
	}
}

var call = regexp.MustCompile(`([A-Z_]+)\((.*)\)`)

// canonical reads the calls that rs274 prints.
func canonical(t *testing.T, out string) *control {
	c := &control{t: t}
	// moves since the tool was changed; the first goes level, the next down, and then it is known where it is
	moved := 0
	for line := range strings.Lines(out) {
		m := call.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var a []float64
		for s := range strings.SplitSeq(m[2], ",") {
			var v float64
			_, _ = fmt.Sscan(s, &v)
			a = append(a, v)
		}
		switch m[1] {
		case "CHANGE_TOOL":
			c.known, moved = [3]bool{}, 0
		case "STOP_SPINDLE_TURNING":
			c.known, moved = [3]bool{}, -1000 // the move to the tool change is not in the program
		case "SET_FEED_RATE":
			c.feed = a[0]
		case "DWELL":
			c.dwelt += a[0]
		case "STRAIGHT_TRAVERSE", "STRAIGHT_FEED":
			c.line(geom.Vec3{X: a[0], Y: a[1], Z: a[2]}, m[1] == "STRAIGHT_TRAVERSE")
			if moved++; moved == 2 {
				c.known = [3]bool{true, true, true}
			}
		case "ARC_FEED":
			c.arc(geom.Vec3{X: a[0], Y: a[1], Z: a[5]}, geom.Vec2{X: a[2], Y: a[3]}, a[4] > 0)
		}
	}
	return c
}
