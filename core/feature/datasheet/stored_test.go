package datasheet_test

import (
	"errors"
	"testing"

	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// Damaged bytes give an error wherever they end, as do bytes of another part.
func TestDecodeRejectsDamagedBytes(t *testing.T) {
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
