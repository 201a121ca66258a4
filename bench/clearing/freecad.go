package clearing

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"millwright.dev/millwright/core/kernel/geom"
)

//go:embed freecad.py
var script []byte

// FreeCAD is the answer of FreeCAD to a Task.
type FreeCAD struct {
	Version string
	Parts   []PartAnswer
	Pockets []PocketAnswer
}

// PartAnswer is the paths of the operations on a part, for each of its pockets.
type PartAnswer struct {
	Error      string
	Operations [][]Program
}

// Program is the motion of one operation.
type Program struct {
	Seconds  float64 // of a processor, for the computation
	Commands []Command
}

// Command is a row of motion: the number of the G code, x, y, z, i, j (mm) and the feed (mm/min). A value that the
// command does not have is nil.
type Command [7]*float64

// PocketAnswer is a path over a pocket of one level.
type PocketAnswer struct {
	Error   string
	Seconds float64 // of a processor
	Moves   []peerMove
}

// peerMove is a move: its kind, x, y (mm) and the radius of a helix (mm).
type peerMove struct {
	kind         string
	x, y, radius float64
}

// UnmarshalJSON reads a row of four.
func (m *peerMove) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&m.kind, &m.x, &m.y, &m.radius})
}

// Path returns the moves.
func (a *PocketAnswer) Path() ([]Move, error) {
	kinds := map[string]Kind{"cut": Cut, "link": Link, "enter": Enter}
	var out []Move
	for _, m := range a.Moves {
		kind, ok := kinds[m.kind]
		if !ok {
			return nil, fmt.Errorf("FreeCAD: unknown kind of move %q", m.kind)
		}
		out = append(out, Move{To: geom.Vec2{X: m.x, Y: m.y}, Kind: kind, Helix: m.radius})
	}
	return out, nil
}

// Task is the work for FreeCAD.
type Task struct {
	Parts   []PartTask   `json:"parts"`
	Pockets []PocketTask `json:"pockets"`
}

// PartTask is operations on the pockets of a part whose floors are level in the frame of the file. Lengths are mm,
// feeds mm/min.
type PartTask struct {
	File       string          `json:"file"`
	Diameter   float64         `json:"diameter"`
	Feed       float64         `json:"feed"`
	PlungeFeed float64         `json:"plungeFeed"`
	RampFeed   float64         `json:"rampFeed"`
	RampDeg    float64         `json:"rampDeg"`
	Radial     float64         `json:"radial"`
	Leave      float64         `json:"leave"`
	Operations []OperationTask `json:"operations"`
	Pockets    []FloorTask     `json:"pockets"`
}

// OperationTask is an operation on each pocket of a part.
type OperationTask struct {
	Name     string  `json:"name"`     // for people
	Kind     string  `json:"kind"`     // pocket, by offsets, or adaptive
	Stepdown float64 `json:"stepdown"` // mm; 0: full depth
}

// FloorTask is a pocket of a part: a point of its floor, and the heights that an operation cuts between.
type FloorTask struct {
	Floor  [3]float64 `json:"floor"`
	Top    float64    `json:"top"`
	Bottom float64    `json:"bottom"`
}

// PocketTask is a pocket with straight walls, mm.
type PocketTask struct {
	Loops    [][][2]float64 `json:"loops"`
	Diameter float64        `json:"diameter"`
	Stepover float64        `json:"stepover"`
}

// Task returns the task of a pocket.
func (p *Pocket) Task() PocketTask {
	t := PocketTask{Diameter: p.Diameter, Stepover: p.Stepover}
	for _, l := range p.Loops {
		var loop [][2]float64
		for _, q := range l {
			loop = append(loop, [2]float64{q.X, q.Y})
		}
		t.Loops = append(t.Loops, loop)
	}
	return t
}

// Ask lets FreeCAD work. The program is its command without a window, or a python that finds its modules.
func (t *Task) Ask(ctx context.Context, program string) (_ *FreeCAD, err error) {
	dir, err := os.MkdirTemp("", "clearing")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	job, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{"job.json": job, "clear.py": script} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program, "clear.py")
	cmd.Dir = dir
	said, failed := cmd.CombinedOutput()
	answer, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		text := strings.TrimSpace(string(said))
		return nil, fmt.Errorf("FreeCAD gave no result: %w: %s", errors.Join(failed, err), text[max(0, len(text)-500):])
	}
	out := &FreeCAD{}
	if err := json.Unmarshal(answer, out); err != nil {
		return nil, fmt.Errorf("read the result of FreeCAD: %w", err)
	}
	if len(out.Parts) != len(t.Parts) || len(out.Pockets) != len(t.Pockets) {
		return nil, errors.New("FreeCAD did not answer everything")
	}
	return out, nil
}
