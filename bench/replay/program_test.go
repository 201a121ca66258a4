package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/export/programjson"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// builtin returns its model for any file.
type builtin struct{ model *brep.Model }

func (b builtin) Read(_ context.Context, _ io.ReaderAt, _ int64, _ string, found func(string)) (*brep.Model, error) {
	found("step")
	return b.model, nil
}

// written makes the program of a part with the default cut config and writes it to a folder.
func written(t *testing.T, m *brep.Model, dialect string) (folder string, proof verify.Report) {
	t.Helper()
	config, files := machining.BuiltInCutConfig(), pipelinetest.Files{pipeline.Source: []byte("part")}
	tree := millwright.Pipeline(millwright.Options{})
	tree.Reader = builtin{m}
	params := pipeline.Params{FileName: "part.step", Cutting: &pipeline.PlanParams{Config: config, Tools: machining.BuiltInTools()}}
	if _, err := tree.Make(t.Context(), params, []pipeline.Name{pipeline.MadePlan, pipeline.Paths, pipeline.Proof}, files, nil); err != nil {
		t.Fatal(err)
	}
	var p planning.Plan
	must(t, json.Unmarshal(files[pipeline.MadePlan], &p))
	must(t, json.Unmarshal(files[pipeline.Proof], &proof))
	set, err := toolpath.Decode(files[pipeline.Paths])
	must(t, err)
	folder = t.TempDir()
	facts := programjson.Facts{Part: "part", Post: dialect, Digest: proof.Digest}
	for i := range p.Setups {
		name := fmt.Sprintf("setup%d.nc", i+1)
		text, err := gcode.Setup(post.ByName(dialect), "part", &p, set, i)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
		facts.GCode = append(facts.GCode, name)
	}
	doc, err := programjson.Of(&p, &config, facts)
	must(t, err)
	data, err := json.Marshal(doc)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "program.json"), data, 0o600))
	return folder, proof
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func replayed(t *testing.T, folder string, part *mesh.Mesh) replay.Findings {
	t.Helper()
	p, err := replay.Load(t.Context(), folder)
	must(t, err)
	f, err := replay.Run(p, part, replay.Options{Step: 0.25, Tolerance: 0.012})
	must(t, err)
	return f
}

// Programs that are proved do nothing wrong for LinuxCNC's interpreter and the other simulator either, and leave as
// much.
func TestTheProofAndTheReplayAgree(t *testing.T) {
	if _, err := exec.LookPath(replay.Interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", replay.Interpreter)
	}
	for name, m := range map[string]*brep.Model{
		"block": build.Box(geom.Vec3{X: 40, Y: 30, Z: 20}),
		"plate": build.Plate(geom.Vec3{X: 50, Y: 30, Z: 12}, build.Style{},
			build.Hole{Center: geom.Vec2{X: 15, Y: 15}, Profile: build.Through(6, 12)},
			build.Hole{Center: geom.Vec2{X: 35, Y: 15}, Profile: build.Through(14, 12)}),
		"T-slot":   channel(6, 10.5, 10.5, 10, 19),
		"dovetail": channel(12, 12, 12+6*math.Tan(math.Pi/6), 0, 6),
		"groove": build.Plate(geom.Vec3{X: 50, Y: 40, Z: 12}, build.Style{}, build.Hole{Center: geom.Vec2{X: 25, Y: 20},
			Profile: []geom.Vec2{{X: 11}, {X: 11, Y: 3}, {X: 12, Y: 3}, {X: 12, Y: 5}, {X: 11, Y: 5}, {X: 11, Y: 12}}}),
	} {
		for _, dialect := range []string{"linuxcnc", "grbl"} {
			t.Run(name+" for "+dialect, func(t *testing.T) { agree(t, m, dialect) })
		}
	}
}

// channel returns a block with a channel along the middle of its top. Its half widths are those of the neck, of the top
// and of the bottom of the head, which are at some depths, mm.
func channel(neck, top, bottom, from, to float64) *brep.Model {
	const half, high = 40.0, 40.0
	right := slices.Compact([]geom.Vec2{
		{X: neck, Y: high}, {X: neck, Y: high - from}, {X: top, Y: high - from}, {X: bottom, Y: high - to},
	})
	profile := []geom.Vec2{{}, {X: 2 * half}, {X: 2 * half, Y: high}}
	for _, p := range right {
		profile = append(profile, geom.Vec2{X: half + p.X, Y: p.Y})
	}
	for _, p := range slices.Backward(right) {
		profile = append(profile, geom.Vec2{X: half - p.X, Y: p.Y})
	}
	return build.Prism("channel", build.Polygon(append(profile, geom.Vec2{Y: high})...), 50, build.Style{})
}

func agree(t *testing.T, m *brep.Model, dialect string) {
	folder, proof := written(t, m, dialect)
	if !proof.Passes() {
		t.Fatalf("the proof finds %+v", proof.Findings)
	}
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: 0.003, Runner: compute.OnCPU(0)})
	must(t, err)
	f := replayed(t, folder, r.Mesh)
	if !f.Sound() {
		t.Errorf("the replay finds %+v", f)
	}
	// A voxel all over the part.
	size := r.Mesh.Bounds().Size()
	if slack := 0.25 * 2 * (size.X*size.Y + size.Y*size.Z + size.Z*size.X); math.Abs(f.Uncut-proof.UncutVolume) > slack {
		t.Errorf("the replay leaves %.1f mm³ beyond the part, the proof %.1f", f.Uncut, proof.UncutVolume)
	}
	t.Logf("left: %.1f mm³ by the replay, %.1f by the proof", f.Uncut, proof.UncutVolume)
}
