package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/crosscheck"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// given is a reader that returns the same model for any file and counts its calls.
type given struct {
	model *brep.Model
	err   error
	reads int
}

func (g *given) Read(_ context.Context, _ io.ReaderAt, _ int64, _ string, found func(string)) (*brep.Model, error) {
	g.reads++
	found("step")
	return g.model, g.err
}

// tree returns a pipeline with the model of a reader; each file contains its name and the title.
func tree(r *given) *pipeline.Pipeline {
	t := millwright.Pipeline(millwright.Options{})
	t.Reader = r
	for _, n := range []pipeline.Name{
		pipeline.STL, pipeline.GLB, pipeline.ThreeMF, pipeline.Thumbnail, pipeline.FeatureGLB, pipeline.FeaturePicture,
	} {
		t.Writers[n] = func(w io.Writer, v *pipeline.View) error {
			_, err := io.WriteString(w, string(n)+" of "+v.Title)
			return err
		}
	}
	return t
}

// memory is files in memory.
type memory = pipelinetest.Files

func decode(t *testing.T, m memory, n pipeline.Name, to any) {
	t.Helper()
	if err := json.Unmarshal(m[n], to); err != nil {
		t.Fatalf("%s: %v", n, err)
	}
}

func source() memory { return memory{pipeline.Source: []byte("content")} }

// plate is 40 x 20 x 5 with a through hole of 6 in its middle.
func plate() *brep.Model {
	return build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)})
}

// made makes artifacts of a model.
func made(t *testing.T, m *brep.Model, r pipeline.Params, want ...pipeline.Name) memory {
	t.Helper()
	files := source()
	if _, err := tree(&given{model: m}).Make(t.Context(), r, want, files, nil); err != nil {
		t.Fatal(err)
	}
	return files
}

func analysis(t *testing.T, m *brep.Model) (a pipeline.Analysis) {
	t.Helper()
	decode(t, made(t, m, params(nil), pipeline.Summary), pipeline.Summary, &a)
	return a
}

func TestSummaryOfABox(t *testing.T) {
	a := analysis(t, build.Box(geom.Vec3{X: 20, Y: 30, Z: 10}))
	if a.Solids != 1 || a.Faces != 6 || a.Edges != 12 || a.Vertices != 8 || len(a.Regions) != 6 || a.Format != "step" {
		t.Errorf("counts: %d solids %d faces %d edges %d vertices %d regions of %q",
			a.Solids, a.Faces, a.Edges, a.Vertices, len(a.Regions), a.Format)
	}
	sum := 0.0
	for _, r := range a.Regions {
		sum += r.Area
	}
	for name, c := range map[string][2]float64{
		"volume": {a.Volume, 6000}, "mesh volume": {a.MeshVolume, 6000}, "area": {a.Area, 2200},
		"mesh area": {a.MeshArea, 2200}, "regions' area": {sum, 2200},
		"largest x": {a.Bounds.Max.X - a.Bounds.Min.X, 20},
	} {
		if math.Abs(c[0]-c[1]) > 1e-6*c[1] {
			t.Errorf("%s = %g, want %g", name, c[0], c[1])
		}
	}
	if !a.Watertight || a.MeshTriangleCount < 12 || a.Regions[5].TriangleEnd != a.MeshTriangleCount {
		t.Errorf("watertight %v, %d triangles, last region ends at %d",
			a.Watertight, a.MeshTriangleCount, a.Regions[5].TriangleEnd)
	}
	if len(a.CandidateDirections) != 6 {
		t.Errorf("%d directions, want 6", len(a.CandidateDirections))
	}
	if a.Unmachined == nil || a.Setups == nil || a.Holes == nil || a.Warnings == nil {
		t.Errorf("unmachined %v, setups %v, holes %v, warnings %v; want lists", a.Unmachined, a.Setups,
			a.Holes, a.Warnings)
	}
}

// TestSummaryReportsShapeDeviation checks an exact box, a box with a known deviation, and one with an unknown
// deviation.
func TestSummaryReportsShapeDeviation(t *testing.T) {
	for _, sag := range []float64{0, 0.2, math.Inf(1)} {
		m := build.Box(geom.Vec3{X: 20, Y: 30, Z: 10})
		m.Sag = sag
		a := analysis(t, m)
		if a.IsExact() != (sag == 0) || (a.Sag != nil) != (sag == 0.2) || a.Sag != nil && *a.Sag != sag {
			t.Errorf("within %g mm: exact %v, sag %v", sag, a.IsExact(), a.Sag)
		}
	}
}

func TestDefectsBecomeWarnings(t *testing.T) {
	box := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	box.Edges[0].Range.Hi *= 0.9 // the edge ends short of its vertex
	if a := analysis(t, box); len(a.Warnings) == 0 {
		t.Error("a broken edge gives no warning")
	}
}

// TestSharedMaterialGivesWarning checks that results have a warning with the entity.
func TestSharedMaterialGivesWarning(t *testing.T) {
	box := build.Box(geom.Vec3{X: 20, Y: 30, Z: 10})
	for code, by := range map[string]float64{crosscheck.SameSolids: 0, crosscheck.OverlappingSolids: 5, "": 10} {
		both := &brep.Model{Tolerance: box.Tolerance}
		both.Append(box, geom.Identity)
		both.Append(box, geom.Translation(geom.Vec3{Z: by}))
		said := ""
		for _, w := range analysis(t, both).Warnings {
			if w.Code == crosscheck.SameSolids || w.Code == crosscheck.OverlappingSolids {
				if said += w.Code; w.Entity == "" {
					t.Errorf("%g mm apart: %q names no entity", by, w.Message)
				}
			}
		}
		if said != code {
			t.Errorf("%g mm apart: %q is said, want %q", by, said, code)
		}
	}
}

// TestContradictionsGiveErrors checks parts whose mesh and exact properties contradict each other.
func TestContradictionsGiveErrors(t *testing.T) {
	box := func(spoil func(*brep.Model)) *brep.Model {
		m := build.Box(geom.Vec3{X: 20, Y: 30, Z: 10})
		spoil(m)
		return m
	}
	for _, c := range []struct {
		name  string
		model *brep.Model
		code  fault.Code
		says  string
	}{
		{"a corner far away", box(func(m *brep.Model) { m.Vertices[2].Point.X = crosscheck.Largest + 1 }),
			fault.TooComplex,
			"The part is too far away: the vertex 2 lies at (10000001,"},
		{"a corner nowhere", box(func(m *brep.Model) { m.Vertices[2].Point.X = math.NaN() }),
			fault.InconsistentGeometry,
			"the vertex 2 lies at ((no finite number),"},
		{"two faces that are one", box(func(m *brep.Model) { m.Faces[5].Surface = m.Faces[0].Surface }),
			fault.InconsistentGeometry, "off its surface"},
		{"a cylinder around nothing", box(func(m *brep.Model) {
			m.Faces[1].Surface = surface.Cylinder{Frame: geom.World, Radius: math.Inf(1)}
		}), fault.InconsistentGeometry, "face 1"},
	} {
		for _, want := range [][]pipeline.Name{{pipeline.Summary}, {pipeline.Summary, pipeline.STL, pipeline.GLB}} {
			files := source()
			_, err := tree(&given{model: c.model}).Make(t.Context(), params(nil), want, files, nil)
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != c.code || !strings.Contains(f.Reason, c.says) {
				t.Errorf("%s: %v, want %s with %q", c.name, err, c.code, c.says)
			}
			if _, isThere := files[pipeline.Summary]; isThere {
				t.Errorf("%s: there is a summary", c.name)
			}
		}
	}
}

// patient is a tessellator that runs until it is canceled.
type patient struct{}

func (patient) Tessellate(ctx context.Context, _ *brep.Model, _, _ float64,
	_ func(int, int),
) (pipeline.Tessellation, error) {
	<-ctx.Done()
	return pipeline.Tessellation{}, ctx.Err()
}

// TestFailureCancelsLaterStages checks that an inconsistent surface cancels a tessellation that would never end.
func TestFailureCancelsLaterStages(t *testing.T) {
	box := build.Box(geom.Vec3{X: 20, Y: 30, Z: 10})
	box.Faces[5].Surface = box.Faces[0].Surface
	tr := tree(&given{model: box})
	tr.Tessellator = patient{}
	_, err := tr.Make(t.Context(), params(nil), []pipeline.Name{pipeline.Summary}, source(), nil)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.InconsistentGeometry {
		t.Errorf("%v, want %s", err, fault.InconsistentGeometry)
	}
}

func TestDatasheetsOfEveryFeature(t *testing.T) {
	files := made(t, plate(), params(nil), pipeline.Summary, pipeline.Datasheets)
	var a pipeline.Analysis
	var d pipeline.DatasheetSet
	decode(t, files, pipeline.Summary, &a)
	decode(t, files, pipeline.Datasheets, &d)
	if len(d.Sheets) != len(a.Features) || len(a.Features) == 0 {
		t.Fatalf("%d datasheets of %d features", len(d.Sheets), len(a.Features))
	}
	for i, s := range d.Sheets {
		f := a.Features[i]
		if s.FeatureTag != f.FeatureTag || s.Datasheet == nil || string(s.Datasheet.FeatureType) != f.FeatureType {
			t.Errorf("datasheet %d is %+v, want of the %s %s", i, s, f.FeatureType, f.FeatureTag)
			continue
		}
		if hole, ok := s.Datasheet.Facts.(*feature.HoleFacts); ok && math.Abs(hole.Diameter-6) > 1e-9 {
			t.Errorf("the hole has diameter %g, want 6", hole.Diameter)
		}
	}
	if len(d.DirectionZBounds) != len(a.CandidateDirections) || len(d.DirectionZBounds) < 2 {
		t.Fatalf("%d bounds of %d directions", len(d.DirectionZBounds), len(a.CandidateDirections))
	}
	for i, b := range d.DirectionZBounds {
		d := a.CandidateDirections[i]
		lo := min(0, 40*d.X) + min(0, 20*d.Y) + min(0, 5*d.Z)
		hi := max(0, 40*d.X) + max(0, 20*d.Y) + max(0, 5*d.Z)
		if b.Direction != d || math.Abs(b.ZMin-lo) > 1e-9 || math.Abs(b.ZMax-hi) > 1e-9 {
			t.Errorf("along %v the part reaches from %g to %g, want %g to %g", d, b.ZMin, b.ZMax, lo, hi)
		}
	}
}

// TestStoredArtifactsReplaceTheirInputs makes the missing artifacts of a part from stored ones. The bytes are
// equal to the artifacts from the file, which is not read again.
func TestStoredArtifactsReplaceTheirInputs(t *testing.T) {
	partSummary := made(t, plate(), params(nil), pipeline.Names()...)
	var a pipeline.Analysis
	decode(t, partSummary, pipeline.Summary, &a)
	some := params(func(r *pipeline.Params) { r.FeatureTags = []string{"unknown", a.Features[0].FeatureTag} })
	for _, c := range []struct {
		name   string
		params pipeline.Params
		want   []pipeline.Name
	}{
		{"all that is made from others", params(nil), pipeline.Names()[1:]},
		{"datasheets of all features", params(nil), []pipeline.Name{pipeline.Datasheets}},
		{"datasheets of one feature", some, []pipeline.Name{pipeline.Datasheets}},
		{"files", params(nil), []pipeline.Name{pipeline.STL, pipeline.GLB, pipeline.Thumbnail, pipeline.FeatureGLB}},
	} {
		fetch, run := c.params.Plan(c.want, func(n pipeline.Name) bool {
			return !slices.Contains(c.want, n)
		})
		files := memory{}
		for _, n := range fetch {
			files[n] = partSummary[n]
		}
		reader := &given{err: errors.New("the file is read again")}
		did, err := tree(reader).Make(t.Context(), c.params, c.want, files, nil)
		if err != nil || reader.reads > 0 || len(did) != len(run) {
			t.Errorf("%s: %d stages ran, %d reads (%v); want %v and none", c.name, len(did), reader.reads, err, run)
			continue
		}
		fresh := made(t, plate(), c.params, c.want...)
		for _, n := range c.want {
			if !bytes.Equal(files[n], fresh[n]) {
				t.Errorf("%s: %s is not the same from stored artefacts as from the file:\n%s\n%s", c.name, n,
					files[n], fresh[n])
			}
		}
	}
}

// TestTolerancesChangeOnlyDisplayedFiles analyzes a part again with a finer tolerance. The display mesh is finer; the
// features are the same and are not made again.
func TestTolerancesChangeOnlyDisplayedFiles(t *testing.T) {
	files := made(t, plate(), params(nil), pipeline.Model, pipeline.Properties, pipeline.FeatureList,
		pipeline.PartSummaryStage, pipeline.Summary)
	var coarse, fine pipeline.Analysis
	decode(t, files, pipeline.Summary, &coarse)
	finer := params(func(r *pipeline.Params) { r.AngleTolerance = 2 })
	did, err := tree(&given{err: errors.New("the file is read again")}).
		Make(t.Context(), finer, []pipeline.Name{pipeline.Summary}, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(did) != 2 || did[0].Name != pipeline.DisplayMesh || did[1].Name != pipeline.Summary ||
		files[pipeline.DisplayMesh] != nil {
		t.Errorf("the stages %v ran, want the mesh to show and the summary", did)
	}
	decode(t, files, pipeline.Summary, &fine)
	if fine.MeshTriangleCount <= coarse.MeshTriangleCount ||
		fine.Regions[len(fine.Regions)-1].TriangleEnd != fine.MeshTriangleCount {
		t.Errorf("%d triangles, the last region ends at %d; at 20° there are %d",
			fine.MeshTriangleCount, fine.Regions[len(fine.Regions)-1].TriangleEnd, coarse.MeshTriangleCount)
	}
	if !reflect.DeepEqual(fine.Recognition, coarse.Recognition) || !reflect.DeepEqual(fine.Shape, coarse.Shape) {
		t.Errorf("on a finer mesh the part is\n%+v, want\n%+v", fine.Recognition, coarse.Recognition)
	}
}

func TestOnlyWantedArtifactsAreWritten(t *testing.T) {
	files := made(t, plate(), params(nil), pipeline.STL)
	if len(files) != 2 || string(files[pipeline.STL]) != "stl of block" {
		t.Errorf("the files are %q, want the source and the STL", files)
	}
}

func TestProgressGrowsToTheEnd(t *testing.T) {
	var percents []int
	var written []pipeline.Name
	files := source()
	_, err := tree(&given{model: plate()}).Make(t.Context(), params(nil), pipeline.Names(), files,
		func(p pipeline.Progress) {
			percents = append(percents, p.Percent)
			if p.Made != "" {
				written = append(written, p.Made)
				if _, err := files.Open(p.Made); err != nil {
					t.Errorf("%s is said to be written and is not: %v", p.Made, err)
				}
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(percents) || len(percents) < len(pipeline.Names()) || percents[len(percents)-1] != 100 {
		t.Errorf("progress %v, want it to grow to 100", percents)
	}
	if want := pipeline.Names(); len(written) != len(want) {
		t.Errorf("%v are said to be written, want each of %v once", written, want)
	}
}

func TestFaultsOfTheFileAreReturned(t *testing.T) {
	sheet := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet.Solids = nil
	sheet.Link()
	damaged := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	damaged.Solids, damaged.Warnings = nil,
		[]fault.Warning{{Code: brep.SkippedFace, Message: "A face was left out.", Count: 1}}
	damaged.Link()
	broken := &fault.Error{Code: fault.UnreadableFile, Reason: "broken"}
	for _, c := range []struct {
		name   string
		reader given
		code   fault.Code
	}{
		{"what the reader says", given{err: broken}, fault.UnreadableFile},
		{"surfaces only", given{model: sheet}, fault.OpenShell},
		{"surfaces of a damaged file", given{model: damaged}, fault.UnreadableFile},
		{"what the machine is to blame for", given{err: &fault.Error{Code: fault.OutOfMemory}}, fault.OutOfMemory},
	} {
		_, err := tree(&c.reader).Make(t.Context(), params(nil), []pipeline.Name{pipeline.Summary}, source(), nil)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != c.code {
			t.Errorf("%s: got %v, want code %s", c.name, err, c.code)
			continue
		}
		judges := params(nil).Judges([]pipeline.Name{pipeline.Summary})
		if blamed := slices.Contains(judges, f.Judge); blamed != c.code.BlamesFile() {
			t.Errorf("%s: the judge is %q, one of the stages that ran: %t", c.name, f.Judge, blamed)
		}
	}
	if broken.Judge != "" {
		t.Errorf("the reader's own failure was written to: %+v", broken)
	}
}

// TestJudgesIgnoreTheFile checks that judges depend on stage, format and tolerances, and not on the file.
func TestJudgesIgnoreTheFile(t *testing.T) {
	r := pipeline.Params{Source: "one", FileName: "a.step"}
	same := []pipeline.Params{{Source: "two", FileName: "b.step"}, {FileName: "a.step", ChordTolerance: 1}}
	for _, other := range same {
		if r.Judge(pipeline.Model) != other.Judge(pipeline.Model) ||
			r.Judge(pipeline.Model) == r.Judge(pipeline.Properties) {
			t.Errorf("%+v and %+v: want the same judge of the model, and another of its properties", r, other)
		}
	}
	if iges := (pipeline.Params{FileName: "a.igs"}); iges.Judge(pipeline.Model) == r.Judge(pipeline.Model) {
		t.Error("a file of another format has the same judge")
	}
	coarse := pipeline.Params{FileName: "a.step", ChordTolerance: 1}
	if coarse.Judge(pipeline.Summary) == r.Judge(pipeline.Summary) {
		t.Error("what is shown to another tolerance has the same judge")
	}
}

// TestOpenShellErrorReportsGap checks that the error of open shells states their gaps.
func TestOpenShellErrorReportsGap(t *testing.T) {
	sheet := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet.Solids, sheet.Shells[0].Faces = nil, sheet.Shells[0].Faces[1:]
	sheet.Link()
	if _, err := sew.Sew(t.Context(), sheet, sew.Options{}); err != nil {
		t.Fatal(err)
	}
	_, err := tree(&given{model: sheet}).Make(t.Context(), params(nil), []pipeline.Name{pipeline.Model}, source(), nil)
	var f *fault.Error
	if !errors.As(err, &f) || !strings.Contains(f.Reason, "4 edges bound only one face") ||
		!strings.Contains(f.Reason, "gap") {
		t.Errorf("error %v, want the number of free edges and the gap", err)
	}
}

func TestMakeStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := tree(&given{model: plate()}).Make(ctx, params(nil), []pipeline.Name{pipeline.Summary}, source(), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestErrorNamesArtifact(t *testing.T) {
	full := tree(&given{model: plate()})
	full.Writers[pipeline.GLB] = func(io.Writer, *pipeline.View) error { return errors.New("disk full") }
	partSummary := made(t, plate(), params(nil), pipeline.Names()...)
	for _, c := range []struct {
		name  string
		tree  *pipeline.Pipeline
		files memory
		want  pipeline.Name
		says  []string
	}{
		{"a file that cannot be written", full, source(), pipeline.GLB, []string{"glb", "disk full"}},
		{"a damaged model", full, memory{pipeline.Model: partSummary[pipeline.Model][:40]}, pipeline.Mesh,
			[]string{"model"}},
		{"a damaged mesh", full, memory{pipeline.Mesh: partSummary[pipeline.Mesh][:40]}, pipeline.STL,
			[]string{"mesh"}},
		{"properties of something else", full, memory{
			pipeline.Model: partSummary[pipeline.Model], pipeline.Properties: []byte(`{}`),
			pipeline.Mesh:     partSummary[pipeline.Mesh],
			pipeline.Features: partSummary[pipeline.Features],
		}, pipeline.Summary, []string{"faces"}},
		{"no stage", full, source(), "gcode", []string{`"gcode"`}},
	} {
		_, err := c.tree.Make(t.Context(), params(nil), []pipeline.Name{c.want}, c.files, nil)
		for _, s := range c.says {
			if err == nil || !strings.Contains(err.Error(), s) {
				t.Errorf("%s: error %v, want %q in it", c.name, err, s)
			}
		}
	}
}
