package replay_test

import (
	"maps"
	"math"
	"os/exec"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// plate is 40 × 20 × 5 with a through hole of 6 in its middle, from (0, 0, 0) up.
func plate(t *testing.T) *mesh.Mesh {
	t.Helper()
	m := build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)})
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: 0.003, Runner: compute.OnCPU(0)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Mesh
}

// sound makes the plate from a block that stands 1 mm out on all sides, held at its foot, in a frame whose origin is on
// the block's upper corner: the hole by an end mill that goes straight down, the sides to 4.5 mm deep by one of 10.
const sound = `%
G21 G90 G17 G40 G49 G80 G54
G53 G0 Z0
T2 M6
S5000 M3
G0 X-10 Y-10
G43 H2
G0 Z20
(the top)
G0 Z-1
G1 X-10 Y5 F500
G1 X50
G1 Y14
G1 X-10
G1 Y21
G1 X55
G0 Z20
(the sides)
G0 X-10 Y-4
G0 Z2
G1 Z-5.5
G1 X41
G3 X46 Y1 I0 J5
G1 Y21
G3 X41 Y26 I-5 J0
G1 X1
G3 X-4 Y21 I0 J-5
G1 Y1
G3 X1 Y-4 I5 J0
G1 X10
G0 Z20
M5
G53 G0 Z0
T1 M6
S5000 M3
G0 X21 Y11
G43 H1
G0 Z0
G81 X21 Y11 Z-6 R0 F100
G80
G0 Z20
M5
M2
%
`

func played(t *testing.T, gcode string) replay.Findings {
	t.Helper()
	if _, err := exec.LookPath(replay.Interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", replay.Interpreter)
	}
	moves, err := replay.Canon(t.Context(), gcode, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	mill := func(d float64) replay.Tool {
		s := replay.Shape{Kind: "flatEndMill", Diameter: d, FluteLength: 12, ShankDiameter: d, Stickout: 25,
			Holder: [][3]float64{{30, 30, 20}}}
		return s.Body()
	}
	p := &replay.Program{
		Stock: geom.Box{Min: geom.Vec3{Z: -7}, Max: geom.Vec3{X: 42, Y: 22}},
		Tools: map[int]replay.Tool{1: mill(6), 2: mill(10)},
		Setups: []replay.Setup{{
			Origin: geom.Vec3{X: -1, Y: -1, Z: 6}, Z: geom.Vec3{Z: 1}, X: geom.Vec3{X: 1}, Moves: moves,
			Jaws: []geom.Box{{Min: geom.Vec3{X: -50, Y: -30, Z: -30}, Max: geom.Vec3{X: 90, Y: 0, Z: -6}}},
		}},
	}
	f, err := replay.Run(p, plate(t), replay.Options{Step: 0.08, Tolerance: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestASoundProgram(t *testing.T) {
	f := played(t, sound)
	if !f.Sound() {
		t.Errorf("a sound program: %+v", f)
	}
	// Left: 1 mm below the part, but for the hole to its foot, and 0.5 mm of the sides.
	want := 42*22*1.0 + 0.5*(42*22-40*20)
	if math.Abs(f.Uncut-want) > 0.02*want {
		t.Errorf("%.1f mm³ are left, want %.1f", f.Uncut, want)
	}
}

func TestEachMistakeIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		of       func(replay.Findings) int
	}{
		"deeper into the top":        {"G0 Z-1\n", "G0 Z-1.05\n", func(f replay.Findings) int { return f.Gouges }},
		"a side too near":            {"G1 X41\n", "G1 X41 Y-3.9\n", func(f replay.Findings) int { return f.Gouges }},
		"an arc the other way":       {"G3 X46 Y1 I0 J5", "G2 X46 Y1 I0 J5", func(f replay.Findings) int { return f.Gouges }},
		"a hole aside":               {"G81 X21 Y11", "G81 X21.1 Y11", func(f replay.Findings) int { return f.Gouges }},
		"a retract is lost":          {"G1 X10\nG0 Z20\n", "G1 X10\nG0 X30 Y10\n", func(f replay.Findings) int { return f.Rapids }},
		"the larger tool for a hole": {"T1 M6", "T2 M6", func(f replay.Findings) int { return f.Gouges }},
		"down to the jaws":           {"G1 Z-5.5", "G1 Z-6.5", func(f replay.Findings) int { return f.Fixtures }},
		"deeper than the flutes":     {"G81 X21 Y11 Z-6", "G81 X21 Y11 Z-32", func(f replay.Findings) int { return f.Shanks }},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(sound, c.old, c.new, 1)
			if text == sound {
				t.Fatal("nothing changed")
			}
			if f := played(t, text); c.of(f) == 0 {
				t.Errorf("not found: %+v", f)
			}
		})
	}
}

// TestMovesHaveOperations checks that moves belong to the operation of the last comment; numbers in the notes of the
// header do not count.
func TestMovesHaveOperations(t *testing.T) {
	if _, err := exec.LookPath(replay.Interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", replay.Interpreter)
	}
	text := strings.NewReplacer("%\nG21", "%\n(PART 44 MM APART)\nG21", "(the top)", "(OPERATION 1 THE TOP)\n(... 9 OF IT)", "G0 X-10 Y-4\n", "(OPERATION 2 THE SIDES)\nG0 X-10 Y-4\n",
		"G81", "(OPERATION 4 A HOLE)\nG81").Replace(sound)
	moves, err := replay.Canon(t.Context(), text, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	cuts := map[int]int{}
	for _, m := range moves {
		if !m.Rapid {
			cuts[m.Operation]++
		}
	}
	if want := map[int]int{1: 6, 2: 10, 4: 1}; !maps.Equal(cuts, want) {
		t.Errorf("cutting moves by operation are %v, want %v", cuts, want)
	}
}
