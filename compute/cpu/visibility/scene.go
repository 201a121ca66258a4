package visibility

import (
	"context"
	"math"

	"millwright/compute/kernel"
	"millwright/core/geom"
)

// Each runs numbered tasks on all goroutines; every goroutine asks for its own worker.
type Each func(ctx context.Context, tasks int, worker func() func(task int)) error

// steps is the number of steps in the half diagonal: what it measures in units of the views' coordinates. Two
// steps are kept free, so that no rounding leaves the 2^24 that float32 holds exactly.
const steps = 1<<24 - 2

// scene is what the views of all directions share.
type scene struct {
	points    []geom.Vec3 // in steps, relative to the centre
	triangles [][3]int32
	samples   [][3]float32
	normals   [][3]float32
	origin    geom.Vec3 // of the samples, in steps, relative to the centre
	scale     float64   // steps per mm
	grazing   float32
}

func newScene(in *kernel.VisibilityInput) *scene {
	box := geom.EmptyBox()
	for _, p := range in.Points {
		box = box.Add(p)
	}
	for _, s := range in.Samples {
		box = box.Add(in.Origin.Add(vec3(s)))
	}
	centre, radius := box.Center(), box.Diagonal()/2
	s := &scene{
		points: make([]geom.Vec3, len(in.Points)), triangles: in.Triangles,
		samples: in.Samples, normals: in.Normals, grazing: float32(in.Grazing),
	}
	if scale := steps / radius; scale < math.Inf(1) { // else all is in one place
		s.scale = scale
	}
	for i, p := range in.Points {
		s.points[i] = p.Sub(centre).Scale(s.scale)
	}
	s.origin = in.Origin.Sub(centre).Scale(s.scale)
	return s
}

func vec3(a [3]float32) geom.Vec3 {
	return geom.Vec3{X: float64(a[0]), Y: float64(a[1]), Z: float64(a[2])}
}

// Samples answers in, which has been checked. Every direction is one task.
func Samples(ctx context.Context, in *kernel.VisibilityInput, each Each) (kernel.VisibilityOutput, error) {
	out := kernel.NewVisibilityOutput(len(in.Directions), len(in.Samples))
	s := newScene(in)
	err := each(ctx, len(in.Directions), func() func(int) {
		v := view{scene: s}
		return func(i int) { v.see(ctx, in.Directions[i], out.Rows[i]) }
	})
	if err == nil {
		err = ctx.Err() // a view may have stopped half way
	}
	if err != nil {
		return kernel.VisibilityOutput{}, err
	}
	return out, nil
}

// round returns the nearest step. The bias makes the number positive, where cutting off is rounding down.
func round(x float64) int32 {
	const bias = 1 << 25
	return int32(x+(bias+0.5)) - bias
}

// blocked is the height of a sample that is not visible: above all others.
const blocked = math.MaxInt32
