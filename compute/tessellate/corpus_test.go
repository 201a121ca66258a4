package tessellate_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

func readSTEP(t testing.TB, file string) *brep.Model {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(context.Background(), bytes.NewReader(data), int64(len(data)), file)
	var fault *fault.Error
	if errors.As(err, &fault) {
		return nil
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return m
}

// TestNISTParts: the part of every file is watertight, encloses the reference volume and has triangles
// on every face.
func TestNISTParts(t *testing.T) {
	rows := corpus.Truths(t, "step/nist_ap203/")
	if len(rows) != 11 {
		t.Fatalf("%d files, want 11", len(rows))
	}
	for _, row := range rows {
		m := readSTEP(t, row.File)
		if m == nil {
			t.Errorf("%s was not read", row.File)
			continue
		}
		res, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil {
			t.Fatalf("%s: %v", row.File, err)
		}
		if !res.Report.Watertight || len(res.Warnings) > 0 {
			t.Errorf("%s: %+v %v", row.File, res.Report, res.Warnings)
		}
		if v := res.Mesh.Volume(); math.Abs(v-row.Volume) > 0.005*row.Volume {
			t.Errorf("%s: volume %g, want %g within 0.5 %%", row.File, v, row.Volume)
		}
		for f, r := range res.Mesh.Regions {
			if r.Start == r.End && !m.IsSheet(brep.FaceID(f)) {
				t.Errorf("%s: face %d has no triangles", row.File, f)
			}
		}
	}
}

// TestNISTPartsKeepTheirTolerances samples every triangle much more densely than the mesh. Edges of one of
// the files are up to 0.0285 mm off their surfaces, which no sampling of an edge can mend.
func TestNISTPartsKeepTheirTolerances(t *testing.T) {
	const edgesOff = 0.029 // mm
	for _, row := range corpus.Truths(t, "step/nist_ap203/") {
		if testing.Short() && row.Faces > 200 {
			continue
		}
		m := readSTEP(t, row.File)
		if m == nil {
			t.Fatalf("%s was not read", row.File)
		}
		res, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil {
			t.Fatalf("%s: %v", row.File, err)
		}
		for f := range m.Faces {
			gap, angle := faceDeviation(m, res, f)
			if gap > res.ChordTolerance+edgesOff {
				t.Errorf("%s face %d: %g mm off, want at most %g", row.File, f, gap, res.ChordTolerance)
			}
			if angle > res.AngleTolerance {
				t.Errorf("%s face %d: turned by %g rad, want at most %g", row.File, f, angle, res.AngleTolerance)
			}
		}
	}
}

// faceDeviation samples the triangles of a face at 15 points each. The angle of triangles too narrow to
// be seen is not measured.
func faceDeviation(m *brep.Model, res *tessellate.Result, f int) (gap, angle float64) {
	const n = 4
	s, r := m.Faces[f].Surface, res.Mesh.Regions[f]
	for t := r.Start; t < r.End; t++ {
		c := res.Mesh.Triangles[t]
		p, q, o := res.Mesh.Points[c[0]], res.Mesh.Points[c[1]], res.Mesh.Points[c[2]]
		for i := range n + 1 {
			for j := range n + 1 - i {
				_, d := s.Invert(p.AddScaled(float64(i)/n, q.Sub(p)).AddScaled(float64(j)/n, o.Sub(p)))
				gap = max(gap, d)
			}
		}
		height := q.Sub(p).Cross(o.Sub(p)).Norm() / max(p.Dist(q), q.Dist(o), o.Dist(p))
		if height < 0.01*res.ChordTolerance {
			continue
		}
		uv, _ := s.Invert(p.Add(q).Add(o).Scale(1.0 / 3))
		normal := s.Normal(uv.X, uv.Y)
		if m.Faces[f].Reversed {
			normal = normal.Neg()
		}
		angle = max(angle, res.Mesh.Normal(int(t)).Angle(normal))
	}
	return gap, angle
}

// TestEverySolidOfTheCorpusIsWatertight reads all STEP files with solids.
func TestEverySolidOfTheCorpusIsWatertight(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of files")
	}
	solids, tight := 0, 0
	for _, row := range corpus.Truths(t, "") {
		if !row.IsSTEP() {
			continue
		}
		m := readSTEP(t, row.File)
		if m == nil || len(m.Solids) == 0 {
			continue
		}
		solids++
		res, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
		if err != nil {
			t.Fatalf("%s: %v", row.File, err)
		}
		if !res.Report.Watertight {
			t.Errorf("%s: %+v", row.File, res.Report)
			continue
		}
		tight++
	}
	t.Logf("%d of %d files with solids are watertight", tight, solids)
}
