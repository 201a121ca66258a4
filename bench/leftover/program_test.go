package leftover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/export/programjson"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// reader returns a model for any file.
type reader struct{ model *brep.Model }

func (r reader) Read(_ context.Context, _ io.ReaderAt, _ int64, _ string, found func(string)) (*brep.Model, error) {
	found("step")
	return r.model, nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// written makes the program of a part with the default cut config and writes it to a folder.
func written(t *testing.T, m *brep.Model) (folder string) {
	t.Helper()
	config, files := machining.BuiltInCutConfig(), pipelinetest.Files{pipeline.Source: []byte("part")}
	tree := millwright.Pipeline(millwright.Options{})
	tree.Reader = reader{m}
	cutting := &pipeline.PlanParams{Config: config, Tools: machining.BuiltInTools()}
	params := pipeline.Params{FileName: "part.step", Cutting: cutting}
	_, err := tree.Make(t.Context(), params, []pipeline.Name{pipeline.Plan, pipeline.Paths}, files, nil)
	must(t, err)
	var p planning.Plan
	must(t, json.Unmarshal(files[pipeline.Plan], &p))
	set, err := toolpath.Decode(files[pipeline.Paths])
	must(t, err)
	folder = t.TempDir()
	write(t, filepath.Join(folder, "plan.json"), string(files[pipeline.Plan]))
	facts := programjson.Facts{Part: "part", Post: "linuxcnc"}
	for i := range p.Setups {
		name := fmt.Sprintf("setup%d.ngc", i+1)
		text, err := gcode.Setup(post.ByName("linuxcnc"), "part", &p, set, i)
		must(t, err)
		write(t, filepath.Join(folder, name), text)
		facts.GCode = append(facts.GCode, name)
	}
	doc, err := programjson.Of(&p, &config, facts)
	must(t, err)
	data, err := json.Marshal(doc)
	must(t, err)
	write(t, filepath.Join(folder, "program.json"), string(data))
	return folder
}

// TestALostOperationIsFound removes the cutting moves of an operation. Its missing moves and its rest material reveal
// it.
func TestALostOperationIsFound(t *testing.T) {
	if _, err := exec.LookPath(replay.Interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", replay.Interpreter)
	}
	model := build.Plate(geom.Vec3{X: 50, Y: 30, Z: 12}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 15, Y: 15}, Profile: build.Through(6, 12)},
		build.Hole{Center: geom.Vec2{X: 35, Y: 15}, Profile: build.Through(14, 12)})
	folder, part := written(t, model), meshOf(t, model)
	played := func() ([]string, *leftover.Result) {
		p, err := replay.Load(t.Context(), folder)
		must(t, err)
		idle, err := leftover.Idle(folder, p)
		must(t, err)
		r, err := leftover.Measure(t.Context(), p, part)
		must(t, err)
		return idle, r
	}
	idle, whole := played()
	if len(idle) > 0 {
		t.Fatalf("operations without cutting moves: %v", idle)
	}
	account := accountOf(whole)
	account.Completeness = "complete"
	if v := account.Check(whole); len(v.Broken) > 0 {
		t.Fatalf("the whole program: %v", v.Broken)
	}
	name := filepath.Join(folder, "setup1.ngc")
	text, err := os.ReadFile(name)
	must(t, err)
	for k := 1; strings.Contains(string(text), fmt.Sprintf("\n(OPERATION %d ", k)); k++ {
		write(t, name, without(string(text), k))
		idle, r := played()
		if want := []string{fmt.Sprintf("1.%d", k)}; !slices.Equal(idle, want) {
			t.Errorf("without operation %d: idle are %v", k, idle)
		}
		v := account.Check(r)
		t.Logf("without operation %d %.1f mm³ are left: %q", k, r.Left, v.Broken)
		if more := r.Left - whole.Left; more > 0.01*(r.StockVolume-r.PartVolume) && len(v.Broken) == 0 {
			t.Errorf("without operation %d %.1f mm³ more are left, but the account agrees", k, more)
		}
	}
}

// without removes the cutting moves of an operation.
func without(text string, operation int) string {
	var out []string
	in := false
	for line := range strings.Lines(text) {
		var number int
		if _, err := fmt.Sscanf(line, "(OPERATION %d ", &number); err == nil {
			in = number == operation
		}
		cuts := slices.ContainsFunc([]string{"G1 ", "G2 ", "G3 ", "G98 "}, func(w string) bool {
			return strings.HasPrefix(line, w)
		})
		if !in || !cuts {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
