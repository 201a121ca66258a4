package tessellate_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// probedPart is a part with B-spline faces, and a tolerance at which they have probes.
type probedPart struct {
	name  string
	model *brep.Model
	chord float64
}

// probedFiles are parts of the corpus with B-spline faces.
var probedFiles = []string{"step/nist_ap203/nist_ctc_02_asme1_rc.stp", "step/analysis_situs/tie_rod.step",
	"labelled/mfcad_vlm/Test_Cases_STEP_Files/hard_5.stp"}

// probedParts are parts of our own, and some of the corpus where that is.
func probedParts(t testing.TB, files ...string) (all []probedPart) {
	t.Helper()
	style := build.Style{}
	for name, m := range map[string]*brep.Model{
		"torus": build.Torus(20, 5, 0), "frustum": build.Frustum(20, 8, 15, style),
		"knob": build.Revolve("knob", geom.World, []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 20}},
			{P: geom.Vec2{X: 20, Y: 15}, Bulge: build.Bulge(math.Pi / 2)}, {P: geom.Vec2{X: 15, Y: 20}},
			{P: geom.Vec2{Y: 20}}}, style),
	} {
		free, err := build.Freeform(m, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		const fine = 0.005
		all = append(all, probedPart{name, free, fine})
	}
	for _, file := range files {
		all = append(all, probedPart{file, readSTEP(t, file), 0})
	}
	return all
}

// runner evaluates on the processor, notes how often, and spoils the answers.
type runner struct {
	primitive.CPU
	batch  int // wanted
	spoil  func(b *evalsurface.Batch, points [][3]float32)
	fail   error
	calls  atomic.Int64
	probes atomic.Int64
}

func (r *runner) Batch(primitive.Cost) int { return r.batch }

func (r *runner) Do(ctx context.Context, j primitive.Job) error {
	r.calls.Add(1)
	r.probes.Add(int64(j.Items()))
	if err := r.CPU.Do(ctx, j); err != nil || r.spoil == nil {
		return errors.Join(err, r.fail)
	}
	c := j.(*primitive.Call[evalsurface.Input, evalsurface.Output])
	for i := range c.In.Batches {
		r.spoil(&c.In.Batches[i], c.Out.Point[c.Out.First[i]:c.Out.First[i+1]])
	}
	return nil
}

// astray moves points by all that the primitive allows, up or down along one direction, or about.
func astray(b *evalsurface.Batch, points [][3]float32) {
	rng := rand.New(rand.NewPCG(1, uint64(len(points))))
	off := b.PointError()
	axis := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
	for i := range points {
		if i%2 == 0 {
			axis = geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		}
		d := axis.Unit().Scale(off * (2*rng.Float64() - 1))
		points[i] = [3]float32{points[i][0] + float32(d.X), points[i][1] + float32(d.Y), points[i][2] + float32(d.Z)}
	}
}

// wrong makes points that are of no use: they prove nothing, and every triangle is looked at in float64.
func wrong(_ *evalsurface.Batch, points [][3]float32) {
	for i := range points {
		points[i] = [3]float32{float32(math.NaN()), float32(math.Inf(i%3 - 1)), 1e30}
	}
}

// TestMeshIsIndependentOfProbes checks that errors within their bound, the usefulness of probes and their number per
// call do not change the mesh.
func TestMeshIsIndependentOfProbes(t *testing.T) {
	files := probedFiles
	if testing.Short() {
		files = nil
	}
	for _, p := range probedParts(t, files...) {
		o := tessellate.Options{ChordTolerance: p.chord, Runner: &runner{batch: 1, spoil: wrong}}
		res, err := tessellate.Mesh(t.Context(), p.model, o)
		if err != nil {
			t.Fatal(err)
		}
		want := string(storedMesh(res))
		for _, r := range []*runner{
			nil, {batch: 1}, {batch: 500}, {batch: 1 << 30}, {batch: 1, spoil: astray}, {batch: 1 << 30, spoil: astray},
			{batch: 2000, spoil: wrong},
		} {
			o.Runner = nil
			if r != nil {
				o.Runner = r
			}
			res, err := tessellate.Mesh(t.Context(), p.model, o)
			if err != nil {
				t.Fatal(err)
			}
			if string(storedMesh(res)) != want {
				t.Errorf("%s: another mesh with %+v", p.name, r)
			}
			if r == nil {
				continue
			}
			const rounds = 3 * 7 // edges that get samples, chord tolerances that keep the volume
			if r.probes.Load() == 0 || r.batch == 1<<30 && r.calls.Load() > rounds {
				t.Errorf("%s: %d probes in %d calls for batches of %d", p.name, r.probes.Load(),
					r.calls.Load(), r.batch)
			}
		}
	}
}

// TestFailedProbesFailTheMesh checks that an error of the runner becomes the error of the mesh.
func TestFailedProbesFailTheMesh(t *testing.T) {
	broken := errors.New("broken")
	for _, batch := range []int{1, 1 << 30} {
		p := probedParts(t)[0]
		o := tessellate.Options{ChordTolerance: p.chord, Runner: &runner{batch: batch, fail: broken}}
		if _, err := tessellate.Mesh(t.Context(), p.model, o); !errors.Is(err, broken) {
			t.Errorf("batches of %d: error %v, want %v", batch, err, broken)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := tessellate.Mesh(ctx, p.model, o); !errors.Is(err, context.Canceled) {
			t.Errorf("batches of %d, ended context: error %v", batch, err)
		}
	}
}
