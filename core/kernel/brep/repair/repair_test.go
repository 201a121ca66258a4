package repair_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestSoundModelsStay(t *testing.T) {
	got, want := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3}), build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
	if err := repair.Model(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("a sound box became\n%+v, was\n%+v", got, want)
	}
}

// TestAllStepsWorkTogether repairs a sheet that closes, with a reversed edge, once and again.
func TestAllStepsWorkTogether(t *testing.T) {
	m := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
	m.Solids = nil
	c := &m.Coedges[m.Loops[m.Faces[2].Loops[0]].Coedges[1]]
	c.Reversed = !c.Reversed
	m.Link()
	for _, run := range []string{"first", "second"} {
		if err := repair.Model(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		p, err := mass.Compute(t.Context(), m)
		if err != nil || len(m.Solids) != 1 || math.Abs(p.Volume-6) > 1e-12 {
			t.Errorf("%s run: %d solids of %+v, %v; want one of 6 mm³", run, len(m.Solids), p, err)
		}
		if len(m.Warnings) != 2 {
			t.Errorf("%s run: warnings %+v, want that an edge was turned and that the sheet closes", run, m.Warnings)
		}
	}
}

func TestRepairEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := repair.Model(ctx, build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
