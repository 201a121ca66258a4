package main

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/pipeline"
)

// boxTolerance (mm) and share are the maximum differences of the exact figures from the reference kernel's.
const (
	boxTolerance = 1e-3
	share        = 5e-4
)

// exactBoxes are the reference kernel's exact boxes (min x y z, max x y z; mm) of the parts whose extreme
// points lie inside curved faces, where the box of its mesh, which the corpus records, falls short.
var exactBoxes = map[string][6]float64{
	"nist_ctc_04_asme1_rd.stp": {-250, 0, -100.603933, 250, 780, 30},
	"nist_ctc_05_asme1_rd.stp": {-263.525, -279.4, 0, 263.525, 279.4, 482.6},
	"nist_ftc_10_asme1_rb.stp": {-79, 0, -37.5, 79, 31, 37.5},
	"nist_ftc_11_asme1_rb.stp": {-31.5, -31.5, -1.5, 31.5, 31.5, 1.5},
}

func TestRealPartsThroughTheService(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: reads eleven large parts twice")
	}
	data := t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	truths := corpus.Truths(t, "step/nist_ap203/")
	if len(truths) != 11 {
		t.Fatalf("%d parts in the corpus, want 11", len(truths))
	}
	for _, truth := range truths {
		t.Run(path.Base(truth.File), func(t *testing.T) {
			file := filepath.Join(corpus.Dir(t), truth.File)
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			id := submit(t, c, path.Base(truth.File), content)
			if part := await(t, c, id, "ready", "failed"); part.Data.Status != "ready" {
				t.Fatalf("part: %+v", part.Data)
			}
			checkResult(t, get[partResult](t, c, "/v1/parts/"+id), truth)
			checkFigures(t, analyzeFile(t, file), truth)
		})
	}
}

// partResult is the tested part of a part result.
type partResult struct {
	Regions           []pipeline.Region
	MeshTriangleCount int
	MeshStlURL        string
}

func checkResult(t *testing.T, r partResult, truth corpus.Truth) {
	t.Helper()
	if len(r.Regions) != truth.Faces {
		t.Errorf("%d regions, want %d", len(r.Regions), truth.Faces)
	}
	var area float64
	for _, region := range r.Regions {
		area += region.Area
	}
	if math.Abs(area-truth.Area) > share*truth.Area {
		t.Errorf("regions have %g mm², want %g", area, truth.Area)
	}
	resp, err := http.Get(r.MeshStlURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	stl, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if n := openEdges(t, stl, r.MeshTriangleCount); n != 0 {
		t.Errorf("the STL has %d edges that are not shared by two opposite triangles", n)
	}
}

// openEdges counts the directed edges of a binary STL that have no opposite.
func openEdges(t *testing.T, stl []byte, triangles int) int {
	t.Helper()
	const header, record, normal, corner = 84, 50, 12, 12
	if len(stl) != header+record*triangles || int(binary.LittleEndian.Uint32(stl[80:])) != triangles {
		t.Fatalf("STL of %d bytes does not hold %d triangles", len(stl), triangles)
	}
	count := map[[2][corner]byte]int{}
	for i := range triangles {
		var v [3][corner]byte
		for k := range v {
			copy(v[k][:], stl[header+record*i+normal+corner*k:])
		}
		for k := range v {
			count[[2][corner]byte{v[k], v[(k+1)%3]}]++
		}
	}
	open := 0
	for edge, n := range count {
		if n != count[[2][corner]byte{edge[1], edge[0]}] {
			open++
		}
	}
	return open
}

// analyzeFile runs millwright analyze -o json on one file.
func analyzeFile(t *testing.T, file string) pipeline.Analysis {
	t.Helper()
	out, err := exec.Command(os.Args[0], "analyze", "-o", "json", file).Output()
	if err != nil {
		t.Fatalf("analyze: %v\n%s", err, out)
	}
	var a pipeline.Analysis
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func checkFigures(t *testing.T, a pipeline.Analysis, truth corpus.Truth) {
	t.Helper()
	if a.Solids != truth.Solids || a.Faces != truth.Faces || !a.Watertight {
		t.Errorf("%d solids, %d faces, watertight %v; want %d, %d, true",
			a.Solids, a.Faces, a.Watertight, truth.Solids, truth.Faces)
	}
	for name, c := range map[string][2]float64{
		"volume": {a.Volume, truth.Volume}, "area": {a.Area, truth.Area},
	} {
		if math.Abs(c[0]-c[1]) > share*c[1] {
			t.Errorf("%s %g, want %g", name, c[0], c[1])
		}
	}
	want, exact := exactBoxes[path.Base(truth.File)]
	if !exact {
		want = truth.MeshBox
	}
	lo, hi := a.Bounds.Min, a.Bounds.Max
	for i, got := range [6]float64{lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z} {
		if math.Abs(got-want[i]) > boxTolerance {
			t.Errorf("bounds %v %v, want %v", lo, hi, want)
			break
		}
	}
}

// TestAnalyzeShowsWhatTheFileStates analyses a part with dimensions, tolerances and datums.
func TestAnalyzeShowsWhatTheFileStates(t *testing.T) {
	whole(t)
	a := analyzeFile(t, filepath.Join(corpus.Dir(t), "step", "nist_ap242", "nist_ctc_01_asme1_ap242-e1.stp"))
	if a.PMI == nil || len(a.PMI.Dimensions) != 12 || len(a.PMI.Tolerances) != 6 || len(a.PMI.Datums) != 3 {
		t.Fatalf("stated: %+v; want 12 dimensions, 6 tolerances, 3 datums", a.PMI)
	}
	for i, want := range []struct{ letter, kind string }{{"A", "Plane"}, {"B", "Cylinder"}, {"C", "Cylinder"}} {
		d := a.PMI.Datums[i]
		if d.Letter != want.letter || len(d.Faces) == 0 || a.Regions[d.Faces[0]].ShapeKind != want.kind {
			t.Errorf("datum %+v, want %s on a %s", d, want.letter, want.kind)
		}
	}
}
