package portal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/bench/playback"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
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
	server := playback.Serve(p, cells)
	defer server.Close()
	tab := b.Tab(t, server.URL)
	tab.Open("/")
	tab.Wait("window.loaded")
	for i := range p.Set.Setups {
		comparePlayback(t, tab, p, i)
	}
}

// cells is the resolution of the stock that is played.
const cells = 256

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
	operations, err := playback.CompareStock(p, setup, cells, func(expression string) (string, error) {
		return browsertest.Eval[string](tab, expression), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range operations {
		if c.Share() < playback.Required {
			t.Errorf("operation %s: %d of %d cells are off, up to %.3f mm", c.Operation, c.Off, c.Cells, c.Most)
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
