package httpapi_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"millwright/adapters/cad"
	"millwright/compute"
	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/service"
	"millwright/core/service/analysis"
)

// realKernel is the whole way of a part, with files that hold their part's name only.
func realKernel() kernelFunc {
	write := func(w io.Writer, p *analysis.Part) error {
		_, err := io.WriteString(w, p.Name)
		return err
	}
	p := &analysis.Pipeline{
		Reader: cadReader{}, Tessellator: mesher{}, Visibility: compute.OnCPU(0),
		STL: write, GLB: write, Thumbnail: write, Version: "test",
	}
	return func(ctx context.Context, req service.KernelRequest) (*service.Analysis, error) {
		return p.Analyze(ctx, req, nil)
	}
}

type cadReader struct{}

func (cadReader) Read(
	ctx context.Context, src io.ReaderAt, size int64, name string,
) (*brep.Model, string, error) {
	m, format, err := cad.Read(ctx, src, size, name)
	return m, string(format), err
}

type mesher struct{}

func (mesher) Tessellate(
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

// TestRealPartsAreAsDescribed measures parts and checks what is served against the served description.
func TestRealPartsAreAsDescribed(t *testing.T) {
	h := newHarness(t, realKernel())
	var description struct {
		Components struct{ Schemas schemas }
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &description)
	testdata := filepath.Join("..", "cad", "step", "testdata")
	for _, file := range []string{
		filepath.Join("..", "..", "cmd", "millwright", "example", "bracket.step"),
		filepath.Join(testdata, "pockets.step"), filepath.Join(testdata, "bosses.step"),
		filepath.Join(testdata, "chamfers.step"), filepath.Join(testdata, "cross_holes.step"),
		filepath.Join(testdata, "freeform_dome.step"), filepath.Join(testdata, "turned_part.step"),
		filepath.Join(testdata, "fillets.step"), filepath.Join(testdata, "sphere.step"),
	} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := h.upload(content)
		job := h.patch("/v1/parts/"+id+"?featureDetails=true", nil)
		for path, schema := range map[string]string{
			"/v1/parts/" + id: "PartResult", "/v1/parts/" + id + "/features": "PartFeatures",
			"/v1/jobs/" + job: "JobDetail",
		} {
			var got any
			r := h.do("GET", path, nil)
			r.decode(t, &got)
			ref := map[string]any{"$ref": "#/components/schemas/" + schema}
			if why := description.Components.Schemas.check(got, ref, schema); why != "" || r.StatusCode != 200 {
				t.Errorf("%s: %s, %s", filepath.Base(file), r.Status, why)
			}
		}
		for _, f := range h.features("/v1/parts/" + id + "/features").Datasheets {
			if f.Datasheet == nil || f.Datasheet["featureType"] != f.FeatureType {
				t.Errorf("%s: the %s %s has the datasheet %v",
					filepath.Base(file), f.FeatureType, f.FeatureTag, f.Datasheet)
			}
		}
	}
}
