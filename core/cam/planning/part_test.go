package planning_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/planningtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

var update = flag.Bool("update", false, "write the goldens anew")

// input returns a part of featuretest with a built-in cut config.
func input(t testing.TB, name string, config machining.CutConfig) planning.Input {
	t.Helper()
	m, msh := featuretest.Part(t, name)
	return inputOf(t, m, msh, config)
}

func inputOf(t testing.TB, m *brep.Model, msh *mesh.Mesh, config machining.CutConfig) planning.Input {
	t.Helper()
	run, err := recognize.Recognize(t.Context(), m, msh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return planning.Input{Run: run, Sheets: sheets, Config: config, Tools: toolsOf(config), Mill: compute.OnCPU(2)}
}

func toolsOf(c machining.CutConfig) []machining.Tool {
	var out []machining.Tool
	for _, id := range c.ToolLibraryIDs {
		for _, l := range machining.BuiltInToolLibraries() {
			if l.ID == id {
				out = append(out, l.Tools...)
			}
		}
	}
	return out
}

// TestPartsArePlanned compares the plans of all parts with their goldens and checks the invariants of plans.
func TestPartsArePlanned(t *testing.T) {
	for _, config := range machining.BuiltInCutConfigs() {
		for i, name := range featuretest.Names {
			label := name
			if testing.Short() && i%5 != 0 {
				continue // under the race detector all take 9 minutes
			}
			if config.ID == machining.LargeCutConfigID {
				label += "_large"
			}
			t.Run(label, func(t *testing.T) {
				in := input(t, name, config)
				plan, err := planning.Make(t.Context(), in)
				var fail *fault.Error
				var text string
				switch {
				case errors.As(err, &fail):
					text = fail.Error() + "\n"
				case err != nil:
					t.Fatal(err)
				default:
					planningtest.Check(t, plan, in.Run)
					text = planningtest.Text(plan, in.Run)
				}
				golden(t, filepath.Join("testdata", label+".txt"), text)
			})
		}
	}
}

// TestGoldensHaveJaws: what Check says of jaws is said of many.
func TestGoldensHaveJaws(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	jaws := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_large.txt") {
			jaws += strings.Count(string(text), "\n  jaw ")
		}
	}
	if jaws < 20 {
		t.Errorf("only %d jaws", jaws)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it anew); got\n%s", file, got)
	}
}

// TestPlansAreTheSameEachTime: the same input gives the same bytes, on any number of processors.
func TestPlansAreTheSameEachTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	names := []string{"pockets", "plate_holes", "lugs"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		first := ""
		for _, n := range []int{1, 2, 16} {
			runtime.GOMAXPROCS(n)
			plan, err := planning.Make(t.Context(), input(t, name, machining.BuiltInCutConfig()))
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(plan)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(data)
			}
			if string(data) != first {
				t.Errorf("%s: on %d processors the plan differs", name, n)
			}
		}
		if strings.Contains(first, "null,\"operations\"") {
			t.Errorf("%s: %s", name, first)
		}
	}
}

// TestTurnedAndMirroredPartsArePlannedAlike: the place of the part in its file and its hand do not change the number of
// setups, and hardly their price. Grids lie otherwise.
func TestTurnedAndMirroredPartsArePlannedAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("ten plans")
	}
	const percent = 2
	figures := func(m *brep.Model, msh *mesh.Mesh) (setups, cents int) {
		plan, err := planning.Make(t.Context(), inputOf(t, m, msh, machining.BuiltInCutConfig()))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range plan.Setups {
			cents += s.Choice.Cents
		}
		return len(plan.Setups), cents
	}
	mirror := geom.Identity
	mirror.X = mirror.X.Neg()
	for _, name := range []string{"pockets", "cross_holes"} {
		m, msh := featuretest.Part(t, name)
		setups, cents := figures(m, msh)
		for label, move := range map[string]geom.Transform{
			"turned by 90°":  geom.Rotation(geom.Vec3{Y: 1}, math.Pi/2),
			"turned by 180°": geom.Rotation(geom.Vec3{X: 1}, math.Pi),
			"turned by 17°":  geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Radians(17)),
			"mirrored":       mirror,
		} {
			other := &brep.Model{}
			other.Append(m, move)
			n, c := figures(other, moved(msh, move))
			if n != setups || 100*math.Abs(float64(c-cents)) > percent*float64(cents) {
				t.Errorf("%s, %s: %d setups for %d cents, else %d for %d", name, label, n, c, setups, cents)
			}
		}
	}
}

// moved returns a mesh at another place.
func moved(m *mesh.Mesh, by geom.Transform) *mesh.Mesh {
	out := &mesh.Mesh{Triangles: slices.Clone(m.Triangles), Regions: slices.Clone(m.Regions)}
	for _, p := range m.Points {
		out.Points = append(out.Points, by.Point(p))
	}
	for i := range out.Regions {
		r := &out.Regions[i]
		r.Normals = slices.Clone(r.Normals)
		for k, n := range r.Normals {
			r.Normals[k] = by.Dir(n)
		}
	}
	if by.X.Cross(by.Y).Dot(by.Z) < 0 {
		for i, t := range out.Triangles {
			out.Triangles[i] = [3]int32{t[0], t[2], t[1]}
		}
	}
	return out
}
