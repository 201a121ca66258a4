package portal_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/bench/playback"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/service/program"
)

// playedPlan is onePlan with six moves between jaws, by a built-in tool of a kind in a holder that is near its tip.
func playedPlan(kind machining.ToolKind) (*program.PlanSummary, *toolpath.Set) {
	plan, set := onePlan()
	tools := machining.BuiltInTools()
	tool := &plan.Tools[0].Tool
	*tool = tools[slices.IndexFunc(tools, func(t machining.Tool) bool { return t.Kind == kind && t.Diameter > 5 })]
	tool.FluteLength, tool.BodyLength = 6, 12
	plan.Setups[0].Clamping.Solid = []geom.Box{
		geom.BoxOf(geom.Vec3{Y: -10, Z: -20}, geom.Vec3{X: 60, Z: -8}),
		geom.BoxOf(geom.Vec3{Y: 40, Z: -20}, geom.Vec3{X: 60, Y: 50, Z: -8}),
	}
	o := &set.Setups[0].Operations[0]
	o.Moves = nil
	for i, y := range []float64{5, 20, 35} {
		from, to := 0.0, 60.0
		if i == 1 {
			from, to = to, from
		}
		for _, x := range []float64{from, to} {
			o.Moves = append(o.Moves, motion.Move{Kind: motion.Cut, To: geom.Vec3{X: x, Y: y, Z: -1}, Feed: 600})
		}
	}
	set.Paths[0][0].MoveCount = len(o.Moves)
	return plan, set
}

// TestPlaybackPagesInABrowser plays programs with findings, of an undercutting tool and of very many moves, and loses
// the picture.
func TestPlaybackPagesInABrowser(t *testing.T) {
	w := newLiveWorld(t)
	p := w.readyPart(w.Acme)
	plan, paths := playedPlan(machining.SlotMill)
	undercut := w.programOf(w.Acme, p, "", true, plan, paths)
	plan, paths = playedPlan(machining.FlatEndMill)
	failed := w.programOf(w.Acme, p, "", true, plan, paths,
		verify.Finding{Kind: verify.HolderCollision, Operation: "1.1", Move: 2, Depth: 12},
		verify.Finding{Kind: verify.FixtureCollision, Operation: "1.1", Move: 4})
	browsertest.RunPlaybackStates(t, browsertest.PlaybackStates{
		Server: w.pages("acme", "ann"), Part: p.ID, Failed: failed.ID, Undercut: undercut.ID, Axe: browsertest.Axe(t),
	})
}

// TestPlaybackOfAnUndercuttingTool: the stock is that of the start until the end of the operation, and then the
// recorded one.
func TestPlaybackOfAnUndercuttingTool(t *testing.T) {
	b := browsertest.Start(t)
	plan, set := playedPlan(machining.SlotMill)
	config := machining.BuiltInCutConfig()
	moves, stock := playedFiles(t, plan, set, &config)
	server := playback.Serve(&playback.Program{Set: set, Moves: moves, Stock: stock}, cells)
	defer server.Close()
	tab := b.Tab(t, server.URL)
	tab.Open("/")
	tab.Wait("window.loaded")
	browsertest.Eval[bool](tab, "setup(0).then((r) => r.operations[0].undercut)")
	for _, c := range []struct {
		move int
		top  float64 // mm, of the ray in the middle
	}{{0, 0}, {4, 0}, {5, -1}} {
		top := browsertest.Eval[float64](tab, fmt.Sprintf(`ask({ operation: 0, move: %d, want: "heights" }).then((a) => {
			const g = ready.grid, middle = (g.height >> 1) * g.width + (g.width >> 1);
			return g.low + a.heights[middle] * g.unit;
		})`, c.move))
		if math.Abs(top-c.top) > 0.001 {
			t.Errorf("after move %d the top is at %.3f mm, want %g", c.move, top, c.top)
		}
	}
}
