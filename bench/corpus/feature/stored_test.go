package feature_test

import (
	"reflect"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
)

// stored is a part as follow-up jobs find it.
type stored struct{ model, mesh, run []byte }

func store(s *sheets) stored {
	model, meshed := featuretest.Encode(s.run.Graph.Model, s.run.Graph.Mesh)
	return stored{model, meshed, s.run.Encode()}
}

func (s stored) restore(t testing.TB) *recognize.Recognition {
	t.Helper()
	m, msh := featuretest.Decode(t, s.model, s.mesh)
	run, err := recognize.Restore(m, msh, s.run)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// What was stored is what was found, and measures to the same datasheets.
func checkStored(t *testing.T, s *sheets) {
	t.Helper()
	saved := store(s)
	run := saved.restore(t)
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"patches", run.Graph.Patches, s.run.Graph.Patches},
		{"arcs", run.Graph.Arcs, s.run.Graph.Arcs},
		{"patches of the faces", run.Graph.PatchOf, s.run.Graph.PatchOf},
		{"areas", run.Graph.Areas, s.run.Graph.Areas},
		{"visibility", run.Visibility, s.run.Visibility},
		{"result", run.Result, s.run.Result},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("stored %s differ: %.300v, were %.300v", c.name, c.got, c.want)
		}
	}
	if again := store(&sheets{run: run}); !reflect.DeepEqual(again, saved) {
		t.Error("what was restored is stored as other bytes")
	}
	all, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil || !reflect.DeepEqual(all, s.all) {
		t.Errorf("the datasheets of the stored part differ (%v)", err)
	}
	checkTwo(t, run, s.all)
}

// checkTwo measures two features alone and compares them with all.
func checkTwo(t *testing.T, run *recognize.Recognition, all []feature.Datasheet) {
	t.Helper()
	if len(all) < 2 {
		return
	}
	asked := make([]bool, len(all))
	asked[len(all)/3], asked[len(all)-1] = true, true
	two, err := datasheet.Measure(t.Context(), run, datasheet.Options{Only: asked})
	if err != nil {
		t.Fatal(err)
	}
	for i := range asked {
		if asked[i] && !reflect.DeepEqual(two[i], all[i]) {
			t.Errorf("feature %d measured alone differs", i)
		}
	}
}
