package tessellate_test

import (
	"context"
	"reflect"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/mesh"
)

// storedMesh returns the stored form of a mesh with its polylines.
func storedMesh(r *tessellate.Result) []byte {
	c := pack.NewWriter("mesh", 1)
	mesh.Serialize(c, r.Mesh)
	mesh.SerializeLines(c, r.Mesh, &r.EdgeLines)
	return c.Bytes()
}

func restoredMesh(t testing.TB, data []byte) (r tessellate.Result) {
	t.Helper()
	c, err := pack.NewReader(data, "mesh", 1)
	if err != nil {
		t.Fatal(err)
	}
	r.Mesh = &mesh.Mesh{}
	mesh.Serialize(c, r.Mesh)
	mesh.SerializeLines(c, r.Mesh, &r.EdgeLines)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

// A model that was stored meshes to the same bytes, and so does its mesh when that was stored.
func TestStoredPartsMeshAlike(t *testing.T) {
	ctx := context.Background()
	for _, file := range []string{
		"step/nist_ap203/nist_ctc_02_asme1_rc.stp", "pairs/catpart_igs_kramakr/gear.igs",
		"step/analysis_situs/ANC101-ill.stp",
	} {
		m := readSTEP(t, file)
		want, err := tessellate.Mesh(ctx, m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := codec.Decode(codec.Encode(m))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tessellate.Mesh(ctx, again, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if string(storedMesh(got)) != string(storedMesh(want)) {
			t.Errorf("%s: the mesh of the stored model differs", file)
		}
		restored := restoredMesh(t, storedMesh(want))
		if !reflect.DeepEqual(restored.Mesh, want.Mesh) || !reflect.DeepEqual(restored.EdgeLines, want.EdgeLines) {
			t.Errorf("%s: the stored mesh differs", file)
		}
	}
}

// BenchmarkStored reads a stored mesh, beside BenchmarkMeshed, which makes it from the model.
func BenchmarkStored(b *testing.B) {
	m := readSTEP(b, "step/nist_ap203/nist_ctc_02_asme1_rc.stp")
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		b.Fatal(err)
	}
	data := storedMesh(r)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		restoredMesh(b, data)
	}
	b.ReportMetric(float64(len(data)), "bytes")
	b.ReportMetric(float64(len(r.Mesh.Triangles)), "triangles")
}

func BenchmarkMeshed(b *testing.B) {
	m := readSTEP(b, "step/nist_ap203/nist_ctc_02_asme1_rc.stp")
	for b.Loop() {
		if _, err := tessellate.Mesh(context.Background(), m, tessellate.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
