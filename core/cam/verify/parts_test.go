package verify_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// program returns the program that the product makes for a part of featuretest.
func program(t testing.TB, name string, config machining.CutConfig) (verify.Input, error) {
	t.Helper()
	model, coarse := featuretest.Part(t, name)
	return programOf(t, model, coarse, config)
}

func programOf(t testing.TB, model *brep.Model, coarse *mesh.Mesh, config machining.CutConfig) (verify.Input, error) {
	t.Helper()
	var tools []machining.Tool
	for _, l := range machining.BuiltInToolLibraries() {
		for _, id := range config.ToolLibraryIDs {
			if l.ID == id {
				tools = append(tools, l.Tools...)
			}
		}
	}
	return programWith(t, model, coarse, config, tools, planning.Terms{})
}

func programWith(
	t testing.TB, model *brep.Model, coarse *mesh.Mesh, config machining.CutConfig, tools []machining.Tool,
	terms planning.Terms,
) (verify.Input, error) {
	t.Helper()
	on := compute.OnCPU(0)
	run, err := recognize.Recognize(t.Context(), model, coarse, on)
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planning.Make(t.Context(),
		planning.Input{Run: run, Sheets: sheets, Config: config, Tools: tools, Mill: compute.OnCPU(2), Terms: terms})
	if err != nil {
		return verify.Input{}, err
	}
	fine, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.004})
	if err != nil {
		t.Fatal(err)
	}
	g := run.Graph
	set, err := toolpath.Make(t.Context(), toolpath.Input{
		Plan: plan, Graph: g, Samples: outline.Sample(g), Mill: on, Part: fine.Mesh,
		Chord: min(tessellate.DefaultChord, g.Diagonal/tessellate.SizeShare), // as the parts are meshed
	})
	if err != nil {
		t.Fatal(err)
	}
	return verify.Input{Plan: plan, Set: set, Part: fine.Mesh, Travel: config.Machine.Travel, Mill: on}, nil
}

// The product's programs of parts pass verification, with the tools of both configs. The fast estimate of most is near
// the refined one. With the edges broken, each part has one of the configs in turn.
func TestProgramsOfParts(t *testing.T) {
	const wanted = 0.8 // of the parts
	programs, near := 0, 0
	defer func() {
		t.Logf("the fast estimate of %d of %d programs is within a tenth of the refined one", near, programs)
		if float64(near) < wanted*float64(programs) {
			t.Errorf("%.0f %% are wanted", 100*wanted)
		}
	}()
	configs := []machining.CutConfig{machining.BuiltInCutConfig(), machining.LargeCutConfig()}
	for k, config := range configs {
		for i, name := range featuretest.Names {
			if testing.Short() && name != "chamfers" && name != "through_hole" { // their paths take the least time
				continue
			}
			t.Run(config.Name+"/"+name, func(t *testing.T) {
				in, _ := checkProgram(t, name, config)
				programs++
				if isEstimated(t, &in, &config) {
					near++
				}
			})
			if k == i%len(configs) {
				t.Run(config.Name+" with broken edges/"+name, func(t *testing.T) {
					in, proof := checkProgram(t, name, withEdges(config, 0.2))
					checkBroken(t, name, &in, proof)
				})
			}
		}
	}
}

// checkProgram makes the program of a part of featuretest and proves it. It skips parts that no setup makes.
func checkProgram(t *testing.T, name string, config machining.CutConfig) (verify.Input, *verify.Report) {
	t.Helper()
	in, err := program(t, name, config)
	var refused *fault.Error
	if errors.As(err, &refused) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	proof, left, err := verify.Replay(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Passes() || !(proof.RemovedVolume > 0) {
		t.Errorf("%+v", proof)
	}
	checkGrips(t, in.Plan, left)
	return in, proof
}

// isEstimated reports whether the fast estimate of a program is within a tenth of the refined one.
func isEstimated(t *testing.T, in *verify.Input, config *machining.CutConfig) bool {
	t.Helper()
	const within = 0.1
	times, err := estimate.MachiningTimes(in.Plan, in.Set, &config.Machine)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := estimate.Fast(&estimate.Part{Plan: in.Plan}, nil, config, planning.DefaultQuantity)
	if err != nil {
		t.Fatal(err)
	}
	refined := estimate.Refined(&times, in.Plan, config, planning.DefaultQuantity)
	return math.Abs(float64(fast.CostCents-refined.CostCents)) <= within*float64(refined.CostCents)
}

// TestHoleEndsThatNoDrillHasAreNamed checks that holes with drawn ends that no drill has are drilled, and that the
// material left at their ends is named.
func TestHoleEndsThatNoDrillHasAreNamed(t *testing.T) {
	tips := []float64{60, 90, 118, 120, 140, 180}
	var holes []build.Hole
	for i, tip := range tips {
		holes = append(holes, build.Hole{
			Center: geom.Vec2{X: 10 + 15*float64(i), Y: 15}, Profile: build.Blind(6, 10, geom.Radians(tip)),
		})
	}
	model := build.Plate(geom.Vec3{X: 95, Y: 30, Z: 30}, build.Style{}, holes...)
	coarse, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	in, err := programOf(t, model, coarse.Mesh, machining.BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := verify.Replay(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Passes() {
		t.Errorf("%+v", proof.Findings)
	}
	if n := len(in.Plan.Unmachinable); n != 2 { // 60° and 90°; a mill makes the flat one
		t.Errorf("%d ends are named: %+v", n, in.Plan.Unmachinable)
	}
}

// TestFilletAtWallBaseIsCut checks that a fillet at the base of a wall is cut by an equal corner radius, also where it
// ends tangent to the floor.
func TestFilletAtWallBaseIsCut(t *testing.T) {
	profile := build.Polygon(geom.Vec2{}, geom.Vec2{X: 60}, geom.Vec2{X: 60, Y: 7}, geom.Vec2{X: 41, Y: 7},
		geom.Vec2{X: 40, Y: 8}, geom.Vec2{X: 40, Y: 12}, geom.Vec2{Y: 12})
	profile[3].Bulge = -build.Bulge(math.Pi / 2)
	model := build.Prism("step", profile, 50, build.Style{})
	coarse, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	in, err := programOf(t, model, coarse.Mesh, machining.BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := verify.Replay(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Passes() || len(in.Plan.Unmachinable) > 0 {
		t.Errorf("%+v, not made: %+v", proof.Findings, in.Plan.Unmachinable)
	}
}

// TestTightCountersinksAreEnteredInsideTheirCircle checks that chamfer mills enter and leave countersinks inside the
// circles that they follow there.
func TestTightCountersinksAreEnteredInsideTheirCircle(t *testing.T) {
	const thick, bore = 12.0, 2.2
	var holes []build.Hole
	for i, wide := range []float64{3.5, 3.74, 3.9, 4.2} {
		holes = append(holes, build.Hole{Center: geom.Vec2{X: 12 + 20*float64(i), Y: 15}, Profile: []geom.Vec2{
			{X: wide}, {X: bore, Y: wide - bore}, {X: bore, Y: thick},
		}})
	}
	model := build.Plate(geom.Vec3{X: 85, Y: 30, Z: thick}, build.Style{}, holes...)
	coarse, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	in, err := programOf(t, model, coarse.Mesh, machining.BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := verify.Replay(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Passes() {
		t.Errorf("%+v", proof.Findings)
	}
}

// TestRoundBarIsVerifiedAsCylinder checks that a part from a round bar is verified on the bar, with less removal than
// from the box around it.
func TestRoundBarIsVerifiedAsCylinder(t *testing.T) {
	removed := map[machining.StockKind]float64{}
	for _, kind := range []machining.StockKind{machining.StockBox, machining.StockCylinder} {
		config := machining.BuiltInCutConfig()
		config.Stock.Kind = kind
		in, err := program(t, "turned_part", config)
		if err != nil {
			t.Fatal(err)
		}
		proof, left, err := verify.Replay(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !proof.Passes() {
			t.Errorf("%s: %+v", kind, proof.Findings)
		}
		got, want := left.Stock.Volume()[2], in.Plan.RawVolume()
		if math.Abs(got-want) > 0.01*want || proof.StockVolume != want {
			t.Errorf("%s: it begins with %g mm³, says %g, want %g", kind, got, proof.StockVolume, want)
		}
		removed[kind] = proof.RemovedVolume
	}
	if removed[machining.StockCylinder] > 0.9*removed[machining.StockBox] {
		t.Errorf("removed: %v", removed)
	}
}

// TestMouthsOfAnyAngleAreMadeByBalls checks that a ball makes the conical mouths of holes for whose angle there is no
// pointed tool.
func TestMouthsOfAnyAngleAreMadeByBalls(t *testing.T) {
	const thick, bore, deep = 12.0, 4.0, 3.0
	var holes []build.Hole
	for i, degrees := range []float64{35, 52} { // between the flank and the axis
		wide := bore + deep*math.Tan(geom.Radians(degrees))
		holes = append(holes, build.Hole{Center: geom.Vec2{X: 15 + 25*float64(i), Y: 15}, Profile: []geom.Vec2{
			{X: wide}, {X: bore, Y: deep}, {X: bore, Y: thick},
		}})
	}
	model := build.Plate(geom.Vec3{X: 55, Y: 30, Z: thick}, build.Style{}, holes...)
	coarse, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	in, err := programOf(t, model, coarse.Mesh, machining.BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := verify.Replay(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Passes() || len(in.Plan.Unmachinable) > 0 {
		t.Errorf("%+v, not made: %+v", proof.Findings, in.Plan.Unmachinable)
	}
	if !slices.ContainsFunc(in.Plan.Setups, func(s planning.Setup) bool {
		return slices.ContainsFunc(s.Operations, func(o planning.Operation) bool {
			return o.Strategy == planning.Surface && len(o.Regions) == 2
		})
	}) {
		t.Error("no operation makes both mouths")
	}
}
