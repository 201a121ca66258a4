package analysis_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright/compute"
	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/brep/repair/sew"
	"millwright/core/fault"
	"millwright/core/geom"
	"millwright/core/service"
	"millwright/core/service/analysis"
)

// given is a reader that returns a model whatever the file holds.
type given struct {
	model *brep.Model
	err   error
}

func (g given) Read(context.Context, io.ReaderAt, int64, string) (*brep.Model, string, error) {
	return g.model, "step", g.err
}

type tessellator struct{}

func (tessellator) Tessellate(
	ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
) (analysis.Tessellation, error) {
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{
		ChordTolerance: chord, AngleTolerance: angle, Progress: progress,
	})
	if err != nil {
		return analysis.Tessellation{}, err
	}
	return analysis.Tessellation{Mesh: r.Mesh, EdgeLines: r.EdgeLines, Watertight: r.Report.Watertight}, nil
}

func writes(text string) analysis.Writer {
	return func(w io.Writer, p *analysis.Part) error {
		_, err := io.WriteString(w, text+" "+p.Name)
		return err
	}
}

func pipeline(r analysis.Reader) *analysis.Pipeline {
	return &analysis.Pipeline{
		Reader: r, Tessellator: tessellator{}, Visibility: compute.OnCPU(0),
		STL: writes("stl"), GLB: writes("glb"), Thumbnail: writes("png"),
		FeatureGLB: writes("feature glb"), FeaturePicture: writes("feature png"), Version: "test",
	}
}

// request points at a file with some content and an output folder.
func request(t *testing.T) service.KernelRequest {
	t.Helper()
	source := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(source, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	return service.KernelRequest{Source: source, FileName: "block 1.step", OutDir: t.TempDir()}
}

func TestAnalyzeBox(t *testing.T) {
	box := build.Box(geom.Vec3{X: 20, Y: 30, Z: 10})
	req := request(t)
	var percents []int
	a, err := pipeline(given{model: box}).Analyze(t.Context(), req,
		func(p int, _ string) { percents = append(percents, p) })
	if err != nil {
		t.Fatal(err)
	}
	if a.Solids != 1 || a.Faces != 6 || a.Edges != 12 || a.Vertices != 8 || len(a.Regions) != 6 {
		t.Errorf("counts: %d solids %d faces %d edges %d vertices %d regions",
			a.Solids, a.Faces, a.Edges, a.Vertices, len(a.Regions))
	}
	for name, c := range map[string][2]float64{
		"volume": {a.Volume, 6000}, "mesh volume": {a.MeshVolume, 6000},
		"area": {a.Area, 2200}, "mesh area": {a.MeshArea, 2200}, "regions' area": {sumArea(a.Regions), 2200},
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
	for i := 1; i < len(percents); i++ {
		if percents[i] < percents[i-1] {
			t.Errorf("progress goes back: %v", percents)
		}
	}
	if len(percents) == 0 || percents[len(percents)-1] != 100 {
		t.Errorf("progress %v does not end at 100", percents)
	}
	for path, want := range map[string]string{
		a.STLFile: "stl block 1", a.GLBFile: "glb block 1", a.ThumbnailFile: "png block 1",
	} {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, []byte(want)) || filepath.Dir(path) != req.OutDir {
			t.Errorf("%s holds %q (%v), want %q in the output folder", path, got, err, want)
		}
	}
}

func sumArea(regions []service.Region) (sum float64) {
	for _, r := range regions {
		sum += r.Area
	}
	return sum
}

func TestAnalyzeFailures(t *testing.T) {
	sheet := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet.Solids = nil
	sheet.Link()
	broken := &fault.Error{Code: fault.UnreadableFile, Reason: "broken"}
	for _, c := range []struct {
		name   string
		reader given
		code   fault.Code
	}{
		{"the reader's failure comes through", given{err: broken}, fault.UnreadableFile},
		{"surfaces only", given{model: sheet}, fault.OpenShell},
	} {
		a, err := pipeline(c.reader).Analyze(t.Context(), request(t), nil)
		var f *fault.Error
		if a != nil || !errors.As(err, &f) || f.Code != c.code {
			t.Errorf("%s: got %v, %v, want code %s", c.name, a, err, c.code)
		}
	}
}

// TestOpenShellsAreMeasured asks for how far the surfaces are from a solid.
func TestOpenShellsAreMeasured(t *testing.T) {
	sheet := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet.Solids, sheet.Shells[0].Faces = nil, sheet.Shells[0].Faces[1:]
	sheet.Link()
	if _, err := sew.Model(t.Context(), sheet, sew.Options{}); err != nil {
		t.Fatal(err)
	}
	_, err := pipeline(given{model: sheet}).Analyze(t.Context(), request(t), nil)
	var f *fault.Error
	if !errors.As(err, &f) || !strings.Contains(f.Reason, "4 edges bound only one face") ||
		!strings.Contains(f.Reason, "gap") {
		t.Errorf("error %v, want the number of free edges and the gap", err)
	}
}

func TestAnalyzeStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := pipeline(given{model: build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})}).Analyze(ctx, request(t), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestWriterErrorNamesTheFile(t *testing.T) {
	p := pipeline(given{model: build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})})
	p.GLB = func(io.Writer, *analysis.Part) error { return errors.New("disk full") }
	_, err := p.Analyze(t.Context(), request(t), nil)
	if err == nil || !strings.Contains(err.Error(), "block 1.glb") ||
		!strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v, want the file's name and the cause", err)
	}
}

func TestDefectsBecomeWarnings(t *testing.T) {
	box := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	box.Edges[0].Range.Hi *= 0.9 // the edge ends short of its vertex
	a, err := pipeline(given{model: box}).Analyze(t.Context(), request(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Warnings) == 0 {
		t.Error("a broken edge gives no warning")
	}
}
