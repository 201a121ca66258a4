package httpapi_test

import (
	"context"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// TestGeometryReportsExactness reads exact and inexact parts, with known and unknown deviation, from current
// results and from results of earlier releases without these fields.
func TestGeometryReportsExactness(t *testing.T) {
	triangles := []fault.Warning{{Code: "tessellated_shape", Message: "It is given by triangles."}}
	for _, c := range []struct {
		name     string
		exact    *bool
		sag      *float64
		warnings []fault.Warning
		want     bool
	}{
		{"exact", new(true), nil, nil, true},
		{"within 0.2 mm", new(false), new(0.2), triangles, false},
		{"within nobody knows what", new(false), nil, nil, false},
		{"of an earlier release", nil, nil, nil, true},
		{"of an earlier release, of triangles", nil, nil, triangles, false},
	} {
		h := newHarness(t, func(ctx context.Context, r *pipelinetest.Request, progress func(int, string)) (*pipelinetest.Output, error) {
			out, err := cube(ctx, r, progress)
			out.Analysis.Shape = pipeline.Shape{Format: "step", Exact: c.exact, Sag: c.sag}
			out.Analysis.Warnings = c.warnings
			return out, err
		})
		id := h.upload([]byte("part"))
		h.do("POST", "/parts/"+id+"/complete", nil)
		h.waitJob()
		var result struct {
			Geometry struct {
				Exact *bool
				Sag   *float64
			}
		}
		r := h.do("GET", "/v1/parts/"+id, nil)
		r.decode(t, &result)
		g := result.Geometry
		if g.Exact == nil || *g.Exact != c.want || (g.Sag == nil) != (c.sag == nil) || g.Sag != nil && *g.Sag != *c.sag {
			t.Errorf("%s: %s", c.name, r.body)
		}
	}
}
