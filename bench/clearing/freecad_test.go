package clearing_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/clearing"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

// operations is the motion of FreeCAD for a plunge, a slot and a half turn, 1 mm deep.
const operations = `{"seconds": 0.5, "commands": [
	[0, null, null, 5, null, null, null], [0, 10, 20, null, null, null, null], [1, 10, 20, -1, null, null, 600],
	[1, 40, null, null, null, null, 1200], [3, 40, 30, null, 0, 5, 1200], [0, null, null, 5, null, null, null]]}`

func TestMotionOfPrograms(t *testing.T) {
	var p clearing.Program
	if err := json.Unmarshal([]byte(operations), &p); err != nil {
		t.Fatal(err)
	}
	o, err := p.Operation(geom.Vec3{X: 10, Y: 20})
	if err != nil {
		t.Fatal(err)
	}
	if o.Start != (geom.Vec3{Z: 5}) || len(o.Moves) != 4 {
		t.Fatalf("the motion starts at %v and has %d moves; want 0, 0, 5 and 4", o.Start, len(o.Moves))
	}
	m := machining.BuiltInCutConfig().Machine
	times := clearing.TimesOf(&m, 0, o)
	arc := 5 * math.Pi
	near(t, "the time of cuts", times.CutSeconds, (30+arc)/20, 1e-9)
	near(t, "the time of entries", times.EntrySeconds, 6.0/10, 1e-9)
	near(t, "the time of rapids", times.RapidSeconds, 6/(m.RapidFeed/60), 1e-9)
	near(t, "the time by feeds", times.Naive, times.CutSeconds+times.EntrySeconds+times.RapidSeconds, 1e-9)
	if times.Seconds <= times.Naive {
		t.Errorf("%g s with the limits of the machine, %g s without", times.Seconds, times.Naive)
	}
	levels := clearing.Levels([]clearing.Polygon{box(-10, -10, 60, 60)}, 0, o)
	if len(levels) != 1 || levels[0].Z != -1 || len(levels[0].Moves) != 3 {
		t.Fatalf("the levels are %+v; want one at -1 with an entry, a line and an arc", levels)
	}
	f := measured(t, []clearing.Polygon{box(-10, -10, 60, 60)}, 3, 1, levels[0].Moves...)
	near(t, "the cut", f.Cut, 30+arc-6*math.Pi, 1)
}

// answering is a program in the place of FreeCAD: it keeps its job and writes a fixed answer.
func answering(t *testing.T, answer string) (program, job string) {
	t.Helper()
	dir := t.TempDir()
	program, job = filepath.Join(dir, "peer"), filepath.Join(dir, "job.json")
	text := "#!/bin/sh\ngrep -q area.Adaptive2d \"$1\" || exit 1\ncp job.json " + job + "\n" +
		"cat > result.json <<'END'\n" + answer + "\nEND\n"
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return program, job
}

func TestAsk(t *testing.T) {
	pockets, err := clearing.Random(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	task := clearing.Task{Pockets: []clearing.PocketTask{pockets[0].Task()}}
	program, job := answering(t, `{"version": "0.20.2", "parts": [], "pockets": [{"seconds": 1.5, "moves": [
		["enter", 1, 2, 3.5], ["link", 4.5, 2, 0], ["cut", 9, 2, 0]]}]}`)
	got, err := task.Ask(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := got.Pockets[0].Path()
	want := []clearing.Move{
		{To: pt(1, 2), Kind: clearing.Enter, Helix: 3.5}, {To: pt(4.5, 2), Kind: clearing.Link}, {To: pt(9, 2)},
	}
	if err != nil || got.Version != "0.20.2" || got.Pockets[0].Seconds != 1.5 || len(moves) != len(want) {
		t.Fatalf("the answer is %+v, its moves %+v, %v", got, moves, err)
	}
	for i := range want {
		if moves[i] != want[i] {
			t.Errorf("move %d is %+v; want %+v", i, moves[i], want[i])
		}
	}
	sent, err := os.ReadFile(job)
	if err != nil || !strings.Contains(string(sent), `"pockets":[{"loops":[[[`) {
		t.Errorf("the job is %.60s, %v", sent, err)
	}
}

func TestAskFailures(t *testing.T) {
	task := clearing.Task{Pockets: make([]clearing.PocketTask, 1)}
	for name, answer := range map[string]string{
		"did not answer everything": `{"pockets": []}`, "read the result": `{`,
	} {
		program, _ := answering(t, answer)
		if _, err := task.Ask(t.Context(), program); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the answer %s gives %v; want %q", answer, err, name)
		}
	}
	if _, err := task.Ask(t.Context(), "/no/such/program"); err == nil || !strings.Contains(err.Error(), "no result") {
		t.Errorf("without a program: %v", err)
	}
	unknown := clearing.PocketAnswer{}
	if err := json.Unmarshal([]byte(`{"moves": [["jump", 0, 0, 0]]}`), &unknown); err != nil {
		t.Fatal(err)
	}
	if _, err := unknown.Path(); err == nil {
		t.Error("an unknown kind of move is accepted")
	}
}
