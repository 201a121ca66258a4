package tessellate

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// enlarged is a part a number of times as large.
func enlarged(part *brep.Model, times float64) *brep.Model {
	m := &brep.Model{Tolerance: part.Tolerance}
	m.Append(part, geom.Scaling(times))
	return m
}

// perforated is a plate with n × n bores of 8 mm.
func perforated(n int, pitch float64) *brep.Model {
	holes := make([]build.Hole, n*n)
	for i := range holes {
		at := geom.Vec2{X: pitch * (float64(i%n) + 0.5), Y: pitch * (float64(i/n) + 0.5)}
		holes[i] = build.Hole{Center: at, Profile: build.Through(8, 20)}
	}
	side := pitch * float64(n)
	return build.Plate(geom.Vec3{X: side, Y: side, Z: 20}, build.Style{}, holes...)
}

// shaft has a round groove and a rounded end.
func shaft(style build.Style) *brep.Model {
	return build.Revolve("shaft", geom.World, []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 20}},
		{P: geom.Vec2{X: 20, Y: 30}, Bulge: build.Bulge(-math.Pi / 2)}, {P: geom.Vec2{X: 20, Y: 50}},
		{P: geom.Vec2{X: 20, Y: 95}, Bulge: build.Bulge(math.Pi / 2)}, {P: geom.Vec2{X: 15, Y: 100}},
		{P: geom.Vec2{Y: 100}}}, style)
}

// TestHugePartsAreMeshedWithinTheBudget checks huge parts of several shapes. The mesh is closed, its volume is within
// the tolerance of the warning, and it is not much coarser than the budget requires.
func TestHugePartsAreMeshedWithinTheBudget(t *testing.T) {
	const budget = 40_000
	for name, m := range map[string]*brep.Model{
		"ball":            build.Sphere(12_000, build.Style{}),
		"ring":            build.Torus(100_000, 40_000, 0),
		"shaft":           enlarged(shaft(build.Style{}), 2000),
		"free-form shaft": enlarged(shaft(build.Styles()[len(build.Styles())-1]), 2000),
		"balls":           row(build.Sphere(500, build.Style{}), 100, 2000),
		"bores":           enlarged(perforated(20, 20), 500),
		"tube":            build.Tube(9_990, 10_000, 200_000, build.Style{}),
	} {
		res := mustMesh(t, m, Options{MaxTriangles: budget})
		n := len(res.Mesh.Triangles)
		if n > budget || n < budget/4 || !res.Report.Watertight {
			t.Errorf("%s: %d triangles of %d, %+v", name, n, budget, res.Report)
		}
		if coarsest := diameter(m) / SizeShare; res.ChordTolerance <= DefaultChord || res.ChordTolerance > coarsest {
			t.Errorf("%s: chord tolerance %g mm, not in %g … %g mm", name, res.ChordTolerance, DefaultChord, coarsest)
		}
		if len(res.Warnings) != 1 || res.Warnings[0].Code != WarnBudget ||
			!strings.Contains(res.Warnings[0].Message, "more than 40000 triangles at a chord tolerance of 0.1 mm") ||
			!strings.Contains(res.Warnings[0].Message, fmt.Sprintf("keeps %.3g mm", res.ChordTolerance)) {
			t.Errorf("%s: warnings %v", name, res.Warnings)
		}
		exact, err := mass.Compute(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(res.Mesh.Volume() - exact.Volume); off > res.ChordTolerance*exact.Area {
			t.Errorf("%s: volume %g mm³, exact %g mm³, chord tolerance %g mm", name, res.Mesh.Volume(), exact.Volume,
				res.ChordTolerance)
		}
	}
}

// TestOnlyHugePartsAreCoarsened: a small part keeps its tolerance however many triangles it takes, and a large one that
// is within the budget too.
func TestOnlyHugePartsAreCoarsened(t *testing.T) {
	for name, c := range map[string]struct {
		part *brep.Model
		most int
	}{
		"small and over": {build.Sphere(50, build.Style{}), 5000},
		"large and in":   {build.Sphere(1000, build.Style{}), 200_000},
	} {
		res, err := Mesh(t.Context(), c.part, Options{MaxTriangles: c.most})
		if err == nil && (res.ChordTolerance > DefaultChord || hasCode(res.Warnings, WarnBudget)) {
			t.Errorf("%s: chord tolerance %g mm, %v", name, res.ChordTolerance, res.Warnings)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func hasCode(ws []fault.Warning, code string) bool {
	for _, w := range ws {
		if w.Code == code {
			return true
		}
	}
	return false
}

// TestRequestedToleranceIsCoarsened checks that a requested tolerance is coarsened too, and that the mesh uses most of
// the allowed triangles.
func TestRequestedToleranceIsCoarsened(t *testing.T) {
	const most = 30_000
	for _, chord := range []float64{1e-3, 1e-6, 1e-15} {
		m := shaft(build.Style{})
		res := mustMesh(t, m, Options{ChordTolerance: chord, MaxTriangles: most})
		n := len(res.Mesh.Triangles)
		if n > most || n < most/3 || !hasCode(res.Warnings, WarnBudget) || !res.Report.Watertight {
			t.Errorf("%g mm: %d triangles, %v, %+v", chord, n, res.Warnings, res.Report)
		}
		if res.ChordTolerance <= chord || res.ChordTolerance > diameter(m)/SizeShare {
			t.Errorf("%g mm: meshed to %g mm", chord, res.ChordTolerance)
		}
	}
}

// TestSmallPartsOfHugeAssembliesKeepTheirShape checks that a coarser chord tolerance is not used where the triangles
// come from the angle tolerance. A part with too many triangles even so is rejected.
func TestSmallPartsOfHugeAssembliesKeepTheirShape(t *testing.T) {
	m := row(build.Sphere(5, build.Style{}), 300, 2000)
	f := refusal(t, m, Options{MaxTriangles: 20_000})
	if f.Code != fault.TooComplex || !strings.Contains(f.Reason, "more than 20000 triangles") {
		t.Errorf("%v", f)
	}
	r := &run{ctx: t.Context(), model: m, chord: DefaultChord, angle: DefaultAngle, size: diameter(m),
		coarsest: diameter(m) / SizeShare, budget: 20_000, most: DefaultMaxTriangles, runner: primitive.OnCPU(0)}
	r.bound()
	kept, res, err := r.fit(nil)
	if err != nil {
		t.Fatal(err)
	}
	if kept.chord > 5 || len(res.Mesh.Triangles) <= r.budget || !res.Report.Watertight {
		t.Errorf("chord tolerance %g mm, %d triangles, %+v", kept.chord, len(res.Mesh.Triangles), res.Report)
	}
}

// TestCoarserMeshesAreTheSameForAnyThreads, as all meshes are.
func TestCoarserMeshesAreTheSameForAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	m := row(enlarged(shaft(build.Style{}), 50), 12, 5000)
	var want *Result
	for _, threads := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(threads)
		res := mustMesh(t, m, Options{MaxTriangles: 50_000})
		if want == nil {
			want = res
		}
		if res.ChordTolerance != want.ChordTolerance || !reflect.DeepEqual(res.Mesh, want.Mesh) {
			t.Errorf("%d threads: %d triangles at %g mm, one thread %d at %g mm", threads, len(res.Mesh.Triangles),
				res.ChordTolerance, len(want.Mesh.Triangles), want.ChordTolerance)
		}
	}
}

func TestLengthIsWrittenInSuitableUnit(t *testing.T) {
	for mm, want := range map[float64]string{0.25: "0.25 mm", 200: "200 mm", 52_123: "52.1 m", 7.05e6: "7.05 km"} {
		if got := length(mm); got != want {
			t.Errorf("%g mm: %q, want %q", mm, got, want)
		}
	}
}
