package gpu

import (
	"context"
	"fmt"
	"math"
	"slices"

	"millwright/compute/gpu/device"
	"millwright/compute/kernel"
	"millwright/core/geom/surface"
)

// EvalSurface on the device. The processor brings parameters to where float32 is enough: angles to [-π, π], lengths
// to offsets from the middle of their range, parameters of B-splines to [0, 1] within their polynomial piece,
// whose Bézier points count from its own middle. The device answers each sample and whether it is certain of it;
// those it is not are evaluated in float64 afterwards: some next to poles, apexes and collapsed sides, and
// all of a patch that is degenerate throughout, which then cost what they cost in compute/cpu.
//
// One dispatch does all analytic surfaces, and one each the B-splines of the degrees up to 3, 7, 15 and 25: a
// shader holds the basis functions of its highest degree.

// Shares of the bounds that the shaders keep to, so that the rounding of their own estimates has room.
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

// samples are what one shader evaluates.
type samples struct {
	uv     [][2]float32
	owner  []uint32 // record of each
	index  []int32  // place in the output
	batch  []int32
	record [][4]float32 // records, some vectors each
	net    [][4]float32 // control points
}

// EvalSurface evaluates batches of surface samples; see kernel.SurfaceOutput for the errors.
func (e *Engine) EvalSurface(ctx context.Context, in kernel.SurfaceInput) (kernel.SurfaceOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.SurfaceOutput{}, err
	}
	out := kernel.NewSurfaceOutput(&in)
	analytic := &samples{}
	patches := make([]*samples, len(patchOrders))
	for b := range in.Batches {
		if err := ctx.Err(); err != nil {
			return kernel.SurfaceOutput{}, err
		}
		switch s := in.Batches[b].Surface.(type) {
		case *surface.BSpline:
			c := classOf(s)
			if patches[c] == nil {
				patches[c] = &samples{}
			}
			patches[c].addPatches(s, &in.Batches[b], b, out.Origin[b], out.First[b])
		default:
			analytic.addAnalytic(&in.Batches[b], b, out.First[b])
		}
	}
	err := e.evaluate(ctx, device.Shader{
		Name: "surface_eval.comp", Defines: []string{fmt.Sprintf("AXIS %g", axisShare)},
	}, analytic, &in, &out)
	for c, p := range patches {
		if err != nil {
			break
		}
		err = e.evaluate(ctx, device.Shader{Name: "surface_patch.comp", Defines: []string{
			fmt.Sprintf("ORDER %d", patchOrders[c]),
			fmt.Sprintf("NORMAL_ERROR %g", boundShare*kernel.NormalError),
			fmt.Sprintf("CURVATURE_ERROR %g", boundShare*kernel.CurvatureError),
		}}, p, &in, &out)
	}
	if err != nil {
		return kernel.SurfaceOutput{}, err
	}
	return out, nil
}

// evaluate runs one shader over its samples, in chunks that fit the device.
func (e *Engine) evaluate(
	ctx context.Context, shader device.Shader, m *samples, in *kernel.SurfaceInput, out *kernel.SurfaceOutput,
) error {
	if m == nil || len(m.uv) == 0 {
		return nil
	}
	const vector = 16 // bytes of the largest value of a sample
	var doubts []int32
	err := e.do(ctx, func(s *device.Session) error {
		records, err := device.Upload(s, m.record)
		if err != nil {
			return err
		}
		net, err := device.Upload(s, m.net)
		if err != nil {
			return err
		}
		return s.Chunks(len(m.uv), vector, func(lo, hi int) error {
			a, err := m.run(s, shader, lo, hi, records, net)
			if err != nil {
				return err
			}
			doubts, err = a.take(m, lo, out, doubts)
			return err
		})
	})
	if err != nil {
		return err
	}
	e.doubts.Add(int64(len(doubts)))
	for i, k := range doubts {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b := int(m.batch[k])
		out.Evaluate(in, b, int(m.index[k])-out.First[b])
	}
	return nil
}

// answers are what the device says of a chunk of samples.
type answers struct {
	points, normals [][4]float32 // with the state, and with the smaller curvature
	larger          []float32
}

// run evaluates samples lo to before hi.
func (m *samples) run(
	s *device.Session, shader device.Shader, lo, hi int, records, net device.Buffer,
) (a answers, err error) {
	n := hi - lo
	var buffers [5]device.Buffer
	defer func() {
		for _, b := range buffers {
			s.Free(b)
		}
	}()
	steps := []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, m.uv[lo:hi]) },
		func() (device.Buffer, error) { return device.Upload(s, m.owner[lo:hi]) },
		func() (device.Buffer, error) { return device.Alloc[[4]float32](s, n) },
		func() (device.Buffer, error) { return device.Alloc[[4]float32](s, n) },
		func() (device.Buffer, error) { return device.Alloc[float32](s, n) },
	}
	for i, step := range steps {
		if buffers[i], err = step(); err != nil {
			return a, err
		}
	}
	job := device.Job{Shader: shader, Buffers: append(buffers[:], records), Items: n}
	if len(m.net) > 0 {
		job.Buffers = append(job.Buffers, net)
	}
	if err := s.Run(job); err != nil {
		return a, err
	}
	a = answers{make([][4]float32, n), make([][4]float32, n), make([]float32, n)}
	if err := device.Download(s, buffers[2], a.points); err != nil {
		return a, err
	}
	if err := device.Download(s, buffers[3], a.normals); err != nil {
		return a, err
	}
	return a, device.Download(s, buffers[4], a.larger)
}

// take puts answers to their places and appends the samples in doubt.
func (a *answers) take(m *samples, lo int, out *kernel.SurfaceOutput, doubts []int32) ([]int32, error) {
	for k, p := range a.points {
		n, at := a.normals[k], m.index[lo+k]
		switch p[3] {
		case certain:
			out.Point[at] = [3]float32{p[0], p[1], p[2]}
			out.Normal[at] = [3]float32{n[0], n[1], n[2]}
			out.Curvature[at] = [2]float32{n[3], a.larger[k]}
		case doubtful:
			doubts = append(doubts, int32(lo+k))
		default:
			return nil, device.Errorf(device.Lost, "the device left sample %d out", lo+k)
		}
	}
	return doubts, nil
}

// grow makes room for n more samples.
func (m *samples) grow(n int) {
	m.uv, m.owner = slices.Grow(m.uv, n), slices.Grow(m.owner, n)
	m.index, m.batch = slices.Grow(m.index, n), slices.Grow(m.batch, n)
}

// add takes in sample i of batch b.
func (m *samples) add(u, v float64, owner, b, at int) {
	m.uv = append(m.uv, [2]float32{float32(u), float32(v)})
	m.owner = append(m.owner, uint32(owner))
	m.index = append(m.index, int32(at))
	m.batch = append(m.batch, int32(b))
}

// angle takes whole turns off.
func angle(t float64) float64 { return math.Remainder(t, 2*math.Pi) }
