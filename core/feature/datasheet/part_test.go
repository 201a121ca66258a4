package datasheet_test

import (
	"encoding/json"
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/mesh"
)

// sheets are the datasheets of a part with the features they belong to.
type sheets struct {
	model *brep.Model
	run   *recognize.Recognition
	all   []feature.Datasheet
}

// measured goes from an exact solid to datasheets.
func measured(t testing.TB, m *brep.Model) sheets {
	t.Helper()
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatalf("mesh of %s: %v", m.Name, err)
	}
	return sheetsOf(t, m, r.Mesh)
}

// example returns one of the parts that another kernel made.
func example(t testing.TB, name string) sheets {
	t.Helper()
	m, msh := featuretest.Part(t, name)
	return sheetsOf(t, m, msh)
}

func sheetsOf(t testing.TB, m *brep.Model, msh *mesh.Mesh) sheets {
	t.Helper()
	ctx := t.Context()
	run, err := recognize.Recognize(ctx, m, msh, compute.OnCPU(2))
	if err != nil {
		t.Fatalf("recognition of %s: %v", m.Name, err)
	}
	all, err := datasheet.Measure(ctx, run, datasheet.Options{})
	if err != nil {
		t.Fatalf("datasheets of %s: %v", m.Name, err)
	}
	if len(all) != len(run.Features) {
		t.Fatalf("%s: %d datasheets for %d features", m.Name, len(all), len(run.Features))
	}
	for i := range all {
		if all[i].FeatureType != run.Features[i].Type {
			t.Errorf("%s: datasheet %d is of a %s, the feature is a %s", m.Name, i, all[i].FeatureType,
				run.Features[i].Type)
		}
	}
	return sheets{model: m, run: run, all: all}
}

// facts returns the datasheets of one kind, as generic JSON values.
func (s sheets) facts(t testing.TB, kind feature.Type) []map[string]any {
	t.Helper()
	var out []map[string]any
	for i := range s.all {
		if s.all[i].FeatureType != kind {
			continue
		}
		out = append(out, generic(t, &s.all[i]))
	}
	return out
}

func generic(t testing.TB, d *feature.Datasheet) map[string]any {
	t.Helper()
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatalf("%+v: %v", d, err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// near compares to the precision that datasheets promise: 1e-3 mm or degrees.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-3 }
