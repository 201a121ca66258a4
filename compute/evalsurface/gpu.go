package evalsurface

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// EvalSurface on the device. The processor maps parameters to ranges where float32 is accurate enough: angles to [-π,
// π], lengths to offsets from the middle of their range, parameters of B-splines to [0, 1] within their polynomial
// piece, whose Bézier points are relative to its middle. The device returns each sample and whether it is certain of
// it. Uncertain ones are evaluated in float64 afterward: some next to poles, apexes and collapsed sides, and all
// samples of a patch that is degenerate throughout, at the cost of the processor.
//
// One dispatch evaluates all analytic surfaces, and one each the B-splines of the degrees up to 3, 7, 15 and 25: a
// shader stores the basis functions of its highest degree.

// Shares of the bounds that the shaders keep, which leaves a margin for the rounding of their estimates.
const (
	boundShare = 0.5
	axisShare  = 0x1p-12 // distance from an axis, of the reach, below which a sample is doubtful
)

// state of a sample; see surface_sample.glsl.
const (
	certain  = 1
	doubtful = 2
)

// patchOrders are the numbers of control points of a side that shaders are made for.
var patchOrders = [...]int{4, 8, 16, 26}

// samples are the inputs of one shader.
type samples struct {
	uv     [][2]float32
	owner  []uint32     // record of each
	index  []int32      // place in the output
	record [][4]float32 // records, some vectors each
	net    [][4]float32 // control points; for analytic surfaces a single unused one
}

// onGPU is the GPU backend; see Output for the errors.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	return fillOnGPU(ctx, gpu, in, newOutput(in))
}

// pointsOnGPU is the same for points alone; the device is certain of all of them.
func pointsOnGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	return fillOnGPU(ctx, gpu, in, newPoints(in), "POINTS_ONLY")
}

// fillOnGPU fills in an output, with shaders that have these macros too.
func fillOnGPU(ctx context.Context, gpu *device.GPU, in *Input, out Output, defines ...string) (Output, error) {
	analytic, patches, err := prepare(ctx, in, &out)
	if err != nil {
		return Output{}, err
	}
	err = evaluate(ctx, gpu, device.Shader{
		Name: "surface_eval.comp", Defines: append([]string{fmt.Sprintf("AXIS %g", axisShare)}, defines...),
	}, analytic, in, &out)
	for c := range patches {
		if err != nil {
			break
		}
		err = evaluate(ctx, gpu, device.Shader{Name: "surface_patch.comp", Defines: append([]string{
			fmt.Sprintf("ORDER %d", patchOrders[c]),
			fmt.Sprintf("NORMAL_ERROR %g", boundShare*NormalError),
			fmt.Sprintf("CURVATURE_ERROR %g", boundShare*CurvatureError),
		}, defines...)}, &patches[c], in, &out)
	}
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

// task is a run of samples of a batch to be brought to where float32 is enough.
type task struct {
	m      *samples
	batch  *Batch
	lo, hi int // of the batch
	at     int // place of sample 0 in m
	first  int // place of sample 0 in the output
	local  func(u, v float64) (x, y float64, owner uint32)
}

// taskSize is the maximum number of samples in a task: some tenths of a millisecond.
const taskSize = 8192

// prepare sorts the samples by shader, on all processors. The owners of samples of B-splines are first the pieces
// they lie in, and then the records of those.
func prepare(ctx context.Context, in *Input, out *Output) (
	analytic *samples, patches []samples, err error,
) {
	analytic, patches = &samples{net: make([][4]float32, 1)}, make([]samples, len(patchOrders))
	var tasks []task
	var nets []func() error
	for b := range in.Batches {
		batch := &in.Batches[b]
		t := task{m: analytic, batch: batch, first: out.First[b]}
		if s, ok := batch.Surface.(*surface.BSpline); ok {
			t.m = &patches[classOf(s)]
			t.at, t.local = t.m.extend(len(batch.U)), pieceOf(s)
			nets = append(nets, func() error {
				return t.m.addPatches(ctx, s, t.at, len(batch.U), out.Origin[b], out.isWhole())
			})
		} else {
			t.at, t.local = t.m.extend(len(batch.U)), analytic.addAnalytic(batch)
		}
		for lo := 0; lo < len(batch.U); lo += taskSize {
			t.lo, t.hi = lo, min(lo+taskSize, len(batch.U))
			tasks = append(tasks, t)
		}
	}
	if err := primitive.OnHost(ctx, len(tasks), func(k int) { tasks[k].run() }); err != nil {
		return nil, nil, err
	}
	for _, add := range nets {
		if err := add(); err != nil {
			return nil, nil, err
		}
	}
	return analytic, patches, nil
}

// run fills in the samples of a task.
func (t *task) run() {
	for i := t.lo; i < t.hi; i++ {
		x, y, owner := t.local(t.batch.U[i], t.batch.V[i])
		t.m.uv[t.at+i] = [2]float32{float32(x), float32(y)}
		t.m.owner[t.at+i] = owner
		t.m.index[t.at+i] = int32(t.first + i)
	}
}

// extend makes room for n more samples and returns the place of the first.
func (m *samples) extend(n int) (at int) {
	at = len(m.uv)
	m.uv = slices.Grow(m.uv, n)[:at+n]
	m.owner = slices.Grow(m.owner, n)[:at+n]
	m.index = slices.Grow(m.index, n)[:at+n]
	return at
}

// evaluate runs one shader over its samples, in chunks that fit the device.
func evaluate(
	ctx context.Context, gpu *device.GPU, shader device.Shader, m *samples, in *Input, out *Output,
) error {
	if len(m.uv) == 0 {
		return nil
	}
	const vector = 16 // bytes of the largest value of a sample
	var doubts []int32
	err := gpu.Do(ctx, func(s *device.Session) error {
		records, err := device.Upload(s, m.record)
		if err != nil {
			return err
		}
		net, err := device.Upload(s, m.net)
		if err != nil {
			return err
		}
		return s.Chunks(len(m.uv), vector, func(lo, hi int) error {
			a, err := m.run(s, shader, lo, hi, records, net, out.isWhole())
			if err != nil {
				return err
			}
			more, err := a.take(ctx, m, lo, out)
			doubts = append(doubts, more...)
			return err
		})
	})
	if err != nil {
		return err
	}
	gpu.CountRedone(len(doubts))
	return primitive.OnHost(ctx, (len(doubts)+taskSize-1)/taskSize, func(k int) {
		for _, at := range doubts[k*taskSize : min(len(doubts), (k+1)*taskSize)] {
			b := sort.SearchInts(out.First, int(at)+1) - 1
			i := int(at) - out.First[b]
			out.evaluate(in, b, i, i+1)
		}
	})
}

// answers are the device's results for a chunk of samples: points with the state, normals with the smaller curvature,
// and the larger curvature. Only complete answers contain the latter two.
type answers struct {
	points, normals [][4]float32
	larger          []float32
}

// run evaluates samples lo to before hi.
func (m *samples) run(
	s *device.Session, shader device.Shader, lo, hi int, records, net device.Buffer, whole bool,
) (a answers, err error) {
	n := hi - lo
	steps := []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, m.uv[lo:hi]) },
		func() (device.Buffer, error) { return device.Upload(s, m.owner[lo:hi]) },
		func() (device.Buffer, error) { return device.Alloc[[4]float32](s, n) },
		func() (device.Buffer, error) { return device.Alloc[[4]float32](s, n) },
		func() (device.Buffer, error) { return device.Alloc[float32](s, n) },
	}
	if !whole {
		steps = steps[:3]
	}
	var own []device.Buffer
	defer func() {
		for _, b := range own {
			s.Free(b)
		}
	}()
	for _, step := range steps {
		b, err := step()
		if err != nil {
			return a, err
		}
		own = append(own, b)
	}
	job := device.Job{Shader: shader, Buffers: slices.Insert(slices.Clone(own), 2, records, net), Items: n}
	if err := s.Run(job); err != nil {
		return a, err
	}
	a.points = make([][4]float32, n)
	if err := device.Download(s, own[2], a.points); err != nil || !whole {
		return a, err
	}
	a.normals, a.larger = make([][4]float32, n), make([]float32, n)
	if err := device.Download(s, own[3], a.normals); err != nil {
		return a, err
	}
	return a, device.Download(s, own[4], a.larger)
}

// take puts answers to their places and returns the places of the samples in doubt.
func (a *answers) take(ctx context.Context, m *samples, lo int, out *Output) ([]int32, error) {
	tasks := (len(a.points) + taskSize - 1) / taskSize
	doubts := make([][]int32, tasks)
	var missing atomic.Int64
	err := primitive.OnHost(ctx, tasks, func(t int) {
		for k := t * taskSize; k < min(len(a.points), (t+1)*taskSize); k++ {
			p, at := a.points[k], m.index[lo+k]
			switch p[3] {
			case certain:
				out.Point[at] = [3]float32{p[0], p[1], p[2]}
				if !out.isWhole() {
					continue
				}
				n := a.normals[k]
				out.Normal[at] = [3]float32{n[0], n[1], n[2]}
				out.Curvature[at] = [2]float32{n[3], a.larger[k]}
			case doubtful:
				doubts[t] = append(doubts[t], at)
			default:
				missing.Add(1)
			}
		}
	})
	if n := missing.Load(); err == nil && n > 0 {
		err = device.Errorf(device.Lost, "the device left %d samples out", n)
	}
	return slices.Concat(doubts...), err
}

// angle takes whole turns off.
func angle(t float64) float64 { return math.Remainder(t, 2*math.Pi) }
