package datasheet_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"millwright/bench/corpus"
	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/brep/codec"
	"millwright/core/feature"
	"millwright/core/feature/datasheet"
	"millwright/core/feature/recognize"
	"millwright/core/geom"
	"millwright/core/geom/pack"
	"millwright/core/mesh"
)

// stored is a part as follow-up jobs find it.
type stored struct{ model, mesh, run []byte }

func store(s *sheets) stored {
	c := pack.NewWriter("mesh", 1)
	mesh.Code(c, s.run.Graph.Mesh)
	return stored{codec.Encode(s.model), c.Bytes(), s.run.Encode()}
}

func (s stored) restore(t testing.TB) (*brep.Model, *recognize.Run) {
	t.Helper()
	m, err := codec.Decode(s.model)
	if err != nil {
		t.Fatal(err)
	}
	c, err := pack.NewReader(s.mesh, "mesh", 1)
	if err != nil {
		t.Fatal(err)
	}
	msh := &mesh.Mesh{}
	if mesh.Code(c, msh); c.Close() != nil {
		t.Fatal(c.Err())
	}
	run, err := recognize.Restore(m, msh, s.run)
	if err != nil {
		t.Fatal(err)
	}
	return m, run
}

// What was stored is what was found, and measures to the same datasheets.
func checkStored(t *testing.T, s *sheets) {
	t.Helper()
	saved := store(s)
	m, run := saved.restore(t)
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
	if !bytes.Equal(run.Encode(), saved.run) || !bytes.Equal(codec.Encode(m), saved.model) {
		t.Error("what was restored is stored as other bytes")
	}
	all, err := datasheet.Measure(context.Background(), run, datasheet.Options{})
	if err != nil || !reflect.DeepEqual(all, s.all) {
		t.Errorf("the datasheets of the stored part differ (%v)", err)
	}
	checkTwo(t, run, s.all)
}

// checkTwo measures two features alone and compares them with all.
func checkTwo(t *testing.T, run *recognize.Run, all []feature.Datasheet) {
	t.Helper()
	if len(all) < 2 {
		return
	}
	asked := make([]bool, len(all))
	asked[len(all)/3], asked[len(all)-1] = true, true
	two, err := datasheet.Measure(context.Background(), run, datasheet.Options{Only: asked})
	if err != nil {
		t.Fatal(err)
	}
	for i := range asked {
		if asked[i] && !reflect.DeepEqual(two[i], all[i]) {
			t.Errorf("feature %d measured alone differs", i)
		}
	}
}

func TestStoredPartsMeasureAlike(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 10
	}
	for _, pattern := range []string{
		"step/nist_ap203/nist_ctc_02*", "pairs/sldprt_step_ps2/*.STEP", "labelled/mfcad_vlm/Test_Cases_STEP_Files/*",
		"labelled/mftrcad_sample/steps/*.step",
	} {
		files, err := filepath.Glob(filepath.Join(corpus.Dir(t), pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		for i := 0; i < len(files); i += step {
			t.Run(filepath.Base(files[i]), func(t *testing.T) {
				s := read(t, files[i])
				checkStored(t, &s)
			})
		}
	}
}

// Damaged bytes are told, wherever they end, as are those of another part.
func TestDamagedRunsAreTold(t *testing.T) {
	s := measured(t, build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, build.Styles()[0],
		build.Hole{Center: geom.Vec2{X: 12, Y: 9}, Profile: build.Through(6, 10)}))
	data := s.run.Encode()
	for n := range data {
		if _, err := recognize.Restore(s.model, s.run.Graph.Mesh, data[:n]); err == nil {
			t.Errorf("%d of %d bytes are read without a fault", n, len(data))
		}
	}
	other := measured(t, build.Box(geom.Vec3{X: 1, Y: 2, Z: 3}))
	if _, err := recognize.Restore(other.model, other.run.Graph.Mesh, data); err == nil {
		t.Error("the features of another part are taken")
	}
	late := pack.NewWriter(recognize.Format, recognize.Version+1).Bytes()
	if _, err := recognize.Restore(s.model, s.run.Graph.Mesh, late); !errors.Is(err, pack.ErrVersion) {
		t.Errorf("a later version gives %v", err)
	}
}

func FuzzRestore(f *testing.F) {
	s := measured(f, build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, build.Styles()[0],
		build.Hole{Center: geom.Vec2{X: 12, Y: 9}, Profile: build.Through(6, 10)}))
	f.Add(s.run.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := recognize.Restore(s.model, s.run.Graph.Mesh, data)
		if err != nil {
			return
		}
		if _, err := recognize.Restore(s.model, s.run.Graph.Mesh, run.Encode()); err != nil {
			t.Errorf("what was read cannot be read again: %v", err)
		}
	})
}
