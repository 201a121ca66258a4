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
	points    [][3]float32 // in whole steps, relative to the centre
	triangles [][3]int32
	facets    []facets
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
	var points []geom.Vec3
	points, s.origin, s.scale = in.Steps()
	s.points = make([][3]float32, len(points))
	for i, p := range points {
		s.points[i] = [3]float32{
			float32(math.RoundToEven(p.X)), float32(math.RoundToEven(p.Y)), float32(math.RoundToEven(p.Z)),
		}
	}
	s.facets = newFacets(s.points, s.triangles)
	return s
}

// leastPart is the number of samples from which on a direction is worth sharing: below, turning the mesh for
// every part costs more than the other goroutines save.
const leastPart = 1 << 12

// Samples answers in, which has been checked, on that many goroutines. A task is a direction, or a part of
// the samples in one direction where there are fewer directions than goroutines.
func Samples(
	ctx context.Context, in *kernel.VisibilityInput, goroutines int, each Each,
) (kernel.VisibilityOutput, error) {
	dirs, n := len(in.Directions), len(in.Samples)
	out := kernel.NewVisibilityOutput(dirs, n)
	parts := 1
	if dirs > 0 {
		parts = max(1, min((goroutines+dirs-1)/dirs, n/leastPart))
	}
	words := (n + 63) / 64 // no word of bits belongs to two parts
	s := newScene(in)
	err := each(ctx, dirs*parts, func() func(int) {
		v := view{scene: s}
		return func(i int) {
			dir, part := i/parts, i%parts
			first, last := words*part/parts*64, min(words*(part+1)/parts*64, n)
			v.see(ctx, in.Directions[dir], first, last, out.Rows[dir])
		}
	})
	if err == nil {
		err = ctx.Err() // a view may have stopped half way
	}
	if err != nil {
		return kernel.VisibilityOutput{}, err
	}
	return out, nil
}

// blocked is the height of a sample that is not visible: above all others.
const blocked = math.MaxInt32
