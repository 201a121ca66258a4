package pipeline_test

import (
	"context"
	"errors"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// spoiling changes each mesh with at most this chord tolerance (mm): only the mesh for verification.
type spoiling struct {
	pipeline.Tessellator
	finer float64
	spoil func(*pipeline.Tessellation)
}

func (s spoiling) Tessellate(
	ctx context.Context, m *brep.Model, chord, angle float64, step func(int, int),
) (pipeline.Tessellation, error) {
	t, err := s.Tessellator.Tessellate(ctx, m, chord, angle, step)
	if chord > 0 && chord <= s.finer {
		s.spoil(&t)
	}
	return t, err
}

// TestVerificationNeedsItsMesh checks that a program is verified only on a closed mesh within its tolerance of the
// part.
func TestVerificationNeedsItsMesh(t *testing.T) {
	const finer = 0.005
	cut := params(func(r *pipeline.Params) {
		r.Cutting = &pipeline.PlanParams{Config: machining.BuiltInCutConfig(), Tools: machining.BuiltInTools()}
	})
	for _, row := range []struct {
		name  string
		spoil func(*pipeline.Tessellation)
		code  fault.Code
	}{
		{"as it should be", func(*pipeline.Tessellation) {}, ""},
		{"open", func(t *pipeline.Tessellation) { t.Watertight = false }, fault.OpenShell},
		{"coarser", func(t *pipeline.Tessellation) { t.ChordTolerance = 2 * finer }, fault.TooComplex},
	} {
		t.Run(row.name, func(t *testing.T) {
			tr, files := tree(&given{model: build.Box(geom.Vec3{X: 30, Y: 20, Z: 10})}), source()
			tr.Tessellator = spoiling{tr.Tessellator, finer, row.spoil}
			_, err := tr.Make(t.Context(), cut, []pipeline.Name{pipeline.Proof}, files, nil)
			var f *fault.Error
			if errors.As(err, &f); row.code == "" && err != nil || row.code != "" && (f == nil || f.Code != row.code) {
				t.Errorf("error %v, want %q", err, row.code)
			}
			if _, proved := files[pipeline.Proof]; proved != (row.code == "") {
				t.Errorf("there is a proof: %v", proved)
			}
		})
	}
}
