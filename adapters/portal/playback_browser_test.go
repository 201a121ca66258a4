package portal_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/bench/playback"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/stock/inprocess/inprocesstest"
)

// TestPlaybackOfTheBracket runs the worker on the program of the bracket. The tool is at the end of each move at the
// second of the clock. The stock at the end of every operation, before the server's replaces it, equals the server's.
func TestPlaybackOfTheBracket(t *testing.T) {
	b := browsertest.Start(t)
	file, err := os.ReadFile("../../cmd/millwright/example/bracket.step")
	if err != nil {
		t.Fatal(err)
	}
	p, err := playback.Make(t.Context(), file, "bracket.step", machining.BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	server := playback.Serve(p, 256)
	defer server.Close()
	tab := b.Tab(t, server.URL)
	tab.Open("/")
	tab.Wait("window.loaded")
	for i := range p.Set.Setups {
		comparePlayback(t, tab, p, i)
	}
}

// shownMove is the answer of the worker for the end of a move.
type shownMove struct {
	Operation, Move int
	Tip             [3]float64
	Time            float64
}

func comparePlayback(t *testing.T, tab *browsertest.Tab, p *playback.Program, setup int) {
	t.Helper()
	ready := browsertest.Eval[struct {
		Motion    string
		Bytes, Ms float64
	}](tab, fmt.Sprintf("setup(%d)", setup))
	if ready.Motion != motion.Digest(p.Set.Setups) {
		t.Fatalf("setup %d: the worker has the motion %s", setup+1, ready.Motion)
	}
	compareMoves(t, tab, p, setup)
	_, record, err := inprocess.Find(p.Stock, setup, 256)
	if err != nil {
		t.Fatal(err)
	}
	h, states, err := inprocesstest.Read(record)
	if err != nil {
		t.Fatal(err)
	}
	for k := range p.Set.Setups[setup].Operations {
		o := &p.Set.Setups[setup].Operations[k]
		text := browsertest.Eval[string](tab, fmt.Sprintf(
			"ask({operation: %d, move: 1e9, before: true, want: 'heights'}).then((a) => text(a.heights))", k))
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(data) != 2*h.Width*h.Height {
			t.Fatalf("operation %s: %d bytes of heights, %v", o.ID, len(data), err)
		}
		var cells, wrong int
		worst := 0.0
		for r := range states[k+2] {
			want, ok := topOf(h, states[k+2], r)
			if !ok {
				continue
			}
			cells++
			got := h.Low + float64(binary.LittleEndian.Uint16(data[2*r:]))*h.Unit
			if miss := math.Abs(got - want); miss > 0.05 {
				wrong++
				worst = max(worst, miss)
			}
		}
		t.Logf("operation %s: %d of %d cells are off, up to %.3f mm", o.ID, wrong, cells, worst)
		if cells > 0 && float64(wrong) > 0.005*float64(cells) {
			t.Errorf("operation %s: more than 0.5 %% of the cells are off by more than 0.05 mm", o.ID)
		}
	}
	t.Logf("setup %d: ready in %.0f ms, %.1f MB", setup+1, ready.Ms, ready.Bytes/1e6)
}

// compareMoves compares the tool at the ends of moves, some of each operation in a drawn order.
func compareMoves(t *testing.T, tab *browsertest.Tab, p *playback.Program, setup int) {
	t.Helper()
	const each = 12 // moves of an operation
	asked, random := "", rand.New(rand.NewPCG(1, uint64(setup)))
	for k := range p.Set.Setups[setup].Operations {
		n := len(p.Set.Setups[setup].Operations[k].Moves)
		for range min(each, n) {
			asked += fmt.Sprintf("[%d,%d],", k, random.IntN(n))
		}
	}
	shown := browsertest.Eval[[]shownMove](tab, fmt.Sprintf(`(async () => { const out = [];
		for (const [operation, move] of [%s]) {
			const a = await ask({ operation, move, want: "tip" });
			out.push({ operation: a.operation, move: a.move, tip: a.tip, time: a.time });
		}
		return out; })()`, asked))
	for _, s := range shown {
		o, clock := &p.Set.Setups[setup].Operations[s.Operation], p.Clock[setup][s.Operation]
		end := o.Start
		for i := range s.Move + 1 {
			if o.Moves[i].Kind != motion.Dwell {
				end = o.Moves[i].To
			}
		}
		if miss := math.Hypot(math.Hypot(s.Tip[0]-end.X, s.Tip[1]-end.Y), s.Tip[2]-end.Z); miss > 0.001 {
			t.Errorf("operation %s, move %d: the tip is at %v, want %v", o.ID, s.Move, s.Tip, end)
		}
		if want := clock.Begin + clock.Ends[s.Move]; math.Abs(s.Time-want) > 0.0011 { // two figures of a ms
			t.Errorf("operation %s, move %d ends at %.4f s, want %.4f", o.ID, s.Move, s.Time, want)
		}
	}
}

// wall (mm) is the difference of heights of neighbors, as a multiple of their distance, that is a wall.
const wall = 1.2

// topOf returns the uppermost height of a ray; false: it has no material, or is at a wall.
func topOf(h inprocesstest.Head, s inprocesstest.State, r int) (float64, bool) {
	if len(s[r]) == 0 {
		return 0, false
	}
	top := s[r][len(s[r])-1][1]
	x, y := r%h.Width, r/h.Width
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if x+dx < 0 || y+dy < 0 || x+dx >= h.Width || y+dy >= h.Height {
				return 0, false
			}
			n := s[(y+dy)*h.Width+x+dx]
			if len(n) == 0 || math.Abs(n[len(n)-1][1]-top) > wall*h.Step {
				return 0, false
			}
		}
	}
	return top, true
}
