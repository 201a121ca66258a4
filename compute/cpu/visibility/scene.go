package visibility

import (
	"context"
	"math"

	"millwright/compute/kernel"
	"millwright/core/geom"
)

// Each runs numbered tasks on all goroutines; every goroutine asks for its own worker.
type Each func(ctx context.Context, tasks int, worker func() func(task int)) error

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
	s := &scene{
		triangles: in.Triangles, samples: in.Samples, normals: in.Normals, grazing: float32(in.Grazing),
	}
	s.points, s.origin, s.scale = in.Steps()
	return s
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
