package stage_test

import (
	"context"
	"errors"
	"testing"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/fault"
	"millwright/core/geom"
	"millwright/core/machining"
	"millwright/core/stage"
)

// spoiling changes each mesh that is at least so fine (mm): that of the proof, and no other.
type spoiling struct {
	stage.Tessellator
	finer float64
	spoil func(*stage.Tessellation)
}

func (s spoiling) Tessellate(
	ctx context.Context, m *brep.Model, chord, angle float64, step func(int, int),
) (stage.Tessellation, error) {
	t, err := s.Tessellator.Tessellate(ctx, m, chord, angle, step)
	if chord > 0 && chord <= s.finer {
		s.spoil(&t)
	}
	return t, err
}

// A program is proved on a closed mesh that is within its tolerance of the part, or not at all.
func TestProofsNeedTheirMesh(t *testing.T) {
	const finer = 0.005
	cut := recipe(func(r *stage.Recipe) {
		r.Cutting = &stage.Cutting{Config: machining.BuiltInCutConfig(), Tools: machining.BuiltInTools()}
	})
	for _, row := range []struct {
		name  string
		spoil func(*stage.Tessellation)
		code  fault.Code
	}{
		{"as it should be", func(*stage.Tessellation) {}, ""},
		{"open", func(t *stage.Tessellation) { t.Watertight = false }, fault.OpenShell},
		{"coarser", func(t *stage.Tessellation) { t.ChordTolerance = 2 * finer }, fault.TooComplex},
	} {
		t.Run(row.name, func(t *testing.T) {
			tr, files := tree(&given{model: build.Box(geom.Vec3{X: 30, Y: 20, Z: 10})}), source()
			tr.Tessellator = spoiling{tr.Tessellator, finer, row.spoil}
			_, err := tr.Make(t.Context(), cut, []stage.Name{stage.Proof}, files, nil)
			var f *fault.Error
			if errors.As(err, &f); row.code == "" && err != nil || row.code != "" && (f == nil || f.Code != row.code) {
				t.Errorf("error %v, want %q", err, row.code)
			}
			if _, proved := files[stage.Proof]; proved != (row.code == "") {
				t.Errorf("there is a proof: %v", proved)
			}
		})
	}
}
