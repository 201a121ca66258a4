package tessellate

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// row is several copies of a part beside each other.
func row(part *brep.Model, n int, pitch float64) *brep.Model {
	m := &brep.Model{}
	for i := range n {
		m.Append(part, geom.Translation(geom.Vec3{X: pitch * float64(i)}))
	}
	return m
}

func refusal(t *testing.T, m *brep.Model, o Options) *fault.Error {
	t.Helper()
	_, err := Mesh(context.Background(), m, o)
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("error %v, want a refusal", err)
	}
	return f
}

// TestPartsWithTooManyTrianglesAreRefused names the same face for any number of threads.
func TestPartsWithTooManyTrianglesAreRefused(t *testing.T) {
	m := row(build.Sphere(5, build.Style{}), 40, 20)
	m.Faces[7].Source = 4711
	for i := range m.Faces { // one is larger than the others
		if i == 7 {
			m.Faces[i].Surface = m.Faces[i].Surface.Transform(geom.Scaling(1.01))
		}
	}
	// The coarsest tolerance of a part of this size.
	o := Options{ChordTolerance: diameter(m) / SizeShare, MaxTriangles: 5000}
	var want string
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(threads)
		f := refusal(t, m, o)
		if f.Code != fault.TooComplex || !strings.Contains(f.Reason, "more than 5000 triangles") {
			t.Fatalf("%v", f)
		}
		if want == "" {
			want = f.Reason
		}
		if f.Reason != want {
			t.Errorf("%d threads: %q, one thread: %q", threads, f.Reason, want)
		}
	}
	if !strings.Contains(want, "face #4711 takes") {
		t.Errorf("%q does not name the largest face", want)
	}
	o.MaxTriangles = 0
	if res := mustMesh(t, m, o); len(res.Mesh.Triangles) < 5000 || !res.Report.Watertight {
		t.Errorf("%d triangles with the default limit", len(res.Mesh.Triangles))
	}
}

func TestEdgesWithTooManyPointsAreRefused(t *testing.T) {
	f := refusal(t, build.Cylinder(5, 5, build.Style{Seams: build.SeamEdge}),
		Options{ChordTolerance: 1, MaxTriangles: 30})
	if f.Code != fault.TooComplex || !strings.Contains(f.Reason, "EDGE_CURVE (edge ") {
		t.Errorf("%v", f)
	}
}

// TestDemandingFaceIsLimitedToItsShare meshes a face that needs far more triangles than its share, even at the coarsest
// tolerance. The mesh is closed and near the surface, and there is a warning.
func TestDemandingFaceIsLimitedToItsShare(t *testing.T) {
	for _, most := range []int{16_000, 32_000} {
		for name, m := range map[string]*brep.Model{
			"sphere": build.Sphere(100, build.Style{}), "torus": build.Torus(100, 40, 0),
		} {
			res := mustMesh(t, m, Options{ChordTolerance: diameter(m) / SizeShare, MaxTriangles: most})
			if !res.Report.Watertight {
				t.Errorf("%s of %d: %+v", name, most, res.Report)
			}
			share := int(faceShare * float64(most))
			if n := len(res.Mesh.Triangles); n > 2*share || n < share/4 {
				t.Errorf("%s of %d: %d triangles, the share is %d", name, most, n, share)
			}
			if len(res.Warnings) != 1 || res.Warnings[0].Code != WarnCoarse ||
				!strings.Contains(res.Warnings[0].Message, "more than the") {
				t.Errorf("%s of %d: warnings %v", name, most, res.Warnings)
			}
		}
	}
}

func TestTallyDoesNotDependOnTheOrder(t *testing.T) {
	counts := []int{5, 1, 9, 3, 9, 2, 40, 1}
	cases := []struct {
		limit, largest int
		full           bool
	}{{3, 0, true}, {5, 0, true}, {17, 2, true}, {69, 6, true}, {70, 6, false}}
	for _, c := range cases {
		for _, order := range [][]int{{0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {3, 0, 7, 1, 6, 2, 5, 4}} {
			ta := newTally(len(counts), c.limit)
			ok := true
			for _, i := range order {
				ok = ta.add(i, counts[i])
			}
			if worst, _ := ta.largest(); ok == c.full || ta.full.Load() != c.full || worst != c.largest {
				t.Errorf("limit %d, order %v: full %v, worst %d; want %v, %d", c.limit, order, !ok, worst,
					c.full, c.largest)
			}
		}
	}
}

func TestThinningKeepsTheShape(t *testing.T) {
	d := density{nu: 1, nv: 1, u: []float64{3}, v: []float64{12}}
	before := d.seeds(10)
	d.thin(0.25)
	if got := d.seeds(10); math.Abs(got-0.25*before) > 1e-12 || math.Abs(d.v[0]/d.u[0]-4) > 1e-12 {
		t.Errorf("%g seeds of %g, ratio %g", got, before, d.v[0]/d.u[0])
	}
}

// TestTallyWaitsForUnknownCounts checks that an item with an unknown count holds the tally up once later items exceed
// the limit.
func TestTallyWaitsForUnknownCounts(t *testing.T) {
	c := newTally(5, 10)
	for _, step := range []struct {
		item, count  int
		heldUp, full bool
	}{{0, 4, false, false}, {2, 9, false, false}, {3, 2, true, false}, {1, 1, false, true}} {
		c.add(step.item, step.count)
		if c.isHeldUp() != step.heldUp || c.full.Load() != step.full {
			t.Errorf("after item %d: held up %t, full %t; want %t, %t",
				step.item, c.isHeldUp(), c.full.Load(), step.heldUp, step.full)
		}
	}
}
