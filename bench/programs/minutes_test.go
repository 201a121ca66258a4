package programs

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/target"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestMinutesAreOfTheirKind(t *testing.T) {
	p := &planning.Plan{Setups: []planning.Setup{{Operations: []planning.Operation{
		{Strategy: planning.Face}, {Strategy: planning.Pocket}, {Strategy: planning.Pocket, Floor: true},
		{Strategy: planning.Contour},
	}}, {Operations: []planning.Operation{
		{Strategy: planning.Drill}, {Strategy: planning.Tap}, {Strategy: planning.Bore}, {Strategy: planning.Chamfer},
		{Strategy: planning.BreakEdges},
	}}}}
	times := &estimate.Times{ToolChange: 90, Load: 120, Setup: 3600}
	for range p.Setups {
		times.Setups = append(times.Setups, estimate.SetupTimes{Operations: []estimate.OperationTimes{
			{Seconds: 60}, {Seconds: 120}, {Seconds: 240}, {Seconds: 480}, {Seconds: 30},
		}})
	}
	got, err := splitOf(p, times)
	want := Split{Rough: 2, Finish: 4 + 8 + 8 + 0.5, Drill: 1 + 2 + 4, Face: 1, Change: 1.5, Load: 2, Setup: 60}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if got.Cycle() != 32 {
		t.Errorf("the cycle is %g, want 32", got.Cycle())
	}
	p.Setups[0].Operations[0].Strategy = "unheard of"
	if _, err := splitOf(p, times); err == nil {
		t.Error("a strategy of no known kind is no error")
	}
}

// slots is a plan of two slots across a block of 40 × 40 × 10. The tool of 20 mm cuts one 10 mm deep, the tool of 2 mm
// the other 0.5 mm deep. Each tool returns through the air.
func slots() (*planning.Plan, *toolpath.Set, *machining.CutConfig) {
	c := machining.BuiltInCutConfig()
	p := &planning.Plan{Workpiece: geom.World, Stock: geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 40, Y: 40, Z: 10})}
	setup := planning.Setup{Frame: geom.World}
	var moved motion.Setup
	for i, d := range []float64{20, 2} {
		for k := range machining.BuiltInTools() {
			tool := machining.BuiltInTools()[k]
			if tool.Kind == machining.FlatEndMill && tool.Diameter == d {
				p.Tools = append(p.Tools, planning.Tool{Number: i + 1, Stickout: tool.BodyLength, Tool: tool})
				break // mills for finishing follow
			}
		}
		data := cutting.CuttingData{Feed: cutting.SourcedValue{Value: 1000}, Radial: cutting.SourcedValue{Value: d / 4}}
		o := planning.Operation{Strategy: planning.Pocket, Tool: i, Cutting: data}
		setup.Operations = append(setup.Operations, o)
		y, z := 10+15*float64(i), []float64{0, 9.5}[i] // the thin tool may cut half as deep as it is wide
		move := func(k motion.Kind, x, z float64) motion.Move {
			return motion.Move{Kind: k, To: geom.Vec3{X: x, Y: y, Z: z}, Feed: 1000}
		}
		moves := []motion.Move{move(motion.Rapid, -10, z), move(motion.Cut, 50, z), move(motion.Cut, -10, z)}
		moved.Operations = append(moved.Operations, motion.Operation{
			Tool: int32(i), Start: geom.Vec3{Z: 50}, Moves: moves,
		})
	}
	p.Setups = []planning.Setup{setup}
	return p, &toolpath.Set{Setups: []motion.Setup{moved}}, &c
}

func TestRoughingIsOfAllItsTools(t *testing.T) {
	p, set, c := slots()
	r := Row{Split: Split{Rough: 2}}
	r.presets(p, func(_, k int) float64 { return []float64{90, 30}[k] }, c)
	if err := r.engage(t.Context(), p, set, c); err != nil {
		t.Fatal(err)
	}
	g := &r.Roughing
	const large, small = 20 * 5 * 3 * 0.16 * 300e3 / (math.Pi * 20) / 1000, 2 * 0.5 * 3 * 0.02 * 12000 / 1000
	for name, c := range map[string][3]float64{
		"volume":       {g.Volume, (40*20*10 + 40*2*0.5) / 1000.0, 0.02},
		"rate":         {g.Rate, g.Volume / 2, 1e-9},
		"preset":       {g.PresetRate, 0.75*large + 0.25*small, 1e-3},
		"rate share":   {g.RateShare, g.Rate / g.PresetRate, 1e-9},
		"small":        {g.Small, 0.25, 1e-9},
		"air":          {g.Air, 0.5 + (10.0+19)/240, 0.03}, // all ways back, and before and behind the block
		"air of rough": {g.AirRough, g.Air, 1e-9},
		"levels":       {g.Levels, 1, 1e-9},
	} {
		if math.Abs(c[0]-c[1]) > c[2]*c[1] {
			t.Errorf("%s is %g, want %g", name, c[0], c[1])
		}
	}
	sum := 0.0
	for _, share := range g.Arcs {
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 || g.Slots < 0.7 || g.FarOver < g.Slots || g.Over < g.FarOver || g.Slow+g.Entry != 0 {
		t.Errorf("%+v", g)
	}
}

// rowsOf are programs of a config with the given ratios of the cycle to the target.
func rowsOf(config string, ratios ...float64) (out []*Row) {
	for _, v := range ratios {
		out = append(out, &Row{
			Part: "<part>", Config: config, Target: &target.Target{Rough: 1}, CycleRatio: v, Split: Split{Rough: v},
			Roughing: Roughing{RateShare: 1 / v, Arcs: []float64{0.25, 0.75}},
		})
	}
	return out
}

func TestFiguresHaveMedianAndWorst(t *testing.T) {
	var ratios []float64
	for i := range 40 {
		ratios = append(ratios, 1+float64((i*7)%40)/100) // 1.00 to 1.39
	}
	rows := append(rowsOf("a", ratios...), rowsOf("b", 1, 2, 3)...)
	rows = append(rows, &Row{Config: "a", Failure: "no_setup"})
	got := map[string]Figure{}
	for _, f := range Figures(rows) {
		got[f.Config+" "+f.Name] = f
	}
	for name, want := range map[string]struct {
		median, worst float64
		missed        bool
	}{
		"a cycle / target": {1.195, 1.37, false}, "b cycle / target": {2, 3, true},
		"a rate / preset": {1 / 1.195, 1 / 1.37, false}, "b rate / preset": {0.5, 1.0 / 3, false},
		"a air": {0, 0, false}, "b levels / needed": {0, 0, false},
	} {
		f := got[name]
		if math.Abs(f.Median-want.median) > 1e-3 || math.Abs(f.Worst-want.worst) > 1e-9 || f.Missed != want.missed {
			t.Errorf("%s: %+v, want %+v", name, f, want)
		}
	}
	if f := got["a cycle / target"]; *f.MedianWanted != 1.3 || *f.WorstWanted != 2 {
		t.Errorf("%+v", f)
	}
}

func TestWorstAloneIsMissed(t *testing.T) {
	for _, f := range Figures(rowsOf("a", 1, 1, 2.1)) {
		if f.Name == "cycle / target" && !f.Missed {
			t.Errorf("%+v", f)
		}
	}
}

// TestPictureHasABarForEachProgram: bars are as long as minutes over target, and end at the border.
func TestPictureHasABarForEachProgram(t *testing.T) {
	var b strings.Builder
	if err := Picture(&b, append(rowsOf("a", 1, 2, 9), &Row{Failure: "no_setup"})); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		`width="150.0"`, `width="300.0"`, `width="600.0"`, "a &lt;part&gt;", "2.0 × 1.0 min",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the picture", want)
		}
	}
	if n := strings.Count(text, parts[0].color); n != 1+3+2 { // the legend, the bars, and two classes of arcs
		t.Errorf("%d times the color of roughing", n)
	}
}
