package visibility

// Visibility on the processor.
//
// Method: the rays of one direction are parallel, so no ray is traced. Points and samples are rotated once into a frame
// whose z axis runs along the rays, and rounded to whole steps of 2^-24 of the half diagonal there. Coordinates are
// then integers of 25 bits with their sign, edge functions integers of 52 bits, and both are exact in float64. So
// coverage of a sample by a triangle is decided without error, shared edges leak no ray, and no predicate needs a
// second attempt. (S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle intersection", JCGT 2(1), 2013, falls back on
// doubles for that.) It is inverted rasterization (J. Pineda, "A parallel algorithm for polygon rasterization",
// SIGGRAPH 1988; T. Aila, S. Laine, "Alias-free shadow maps", EGSR 2004): the samples, sorted into cells, are the
// pixels, at arbitrary positions. Every triangle that rays enter is drawn over them, row of cells by row of cells. A
// row is one run of samples, so the inner loop reads memory sequentially.
//
// Only triangles that face against the rays are drawn, because a ray from outside meets no other triangle first. They
// are drawn only over rows of cells with a sample below the triangle's highest corner. Large triangles are clipped,
// band of rows by band, to the cells with a sample below their part in the band. So the cost of a needle across the
// part is neither its bounding box nor its length over empty cells. Cells are narrow where samples are close.
//
// Triangles pass through the stages in batches, because the decisions of a stage are unpredictable and a branch on them
// costs more than the work. A vector across each triangle in single precision lists the triangles that rays may enter.
// The next stage lists their cells. The next lists the groups of eight samples that single precision, with an error
// bound, does not exclude. The last one decides. Processors with vector instructions do all of this without a branch,
// others run plain Go; the results are the same bits.
//
// Cost: O(points + triangles + samples + covered pairs) per direction, some 30 ns per triangle with one sample each on
// the usual part, from a few thousand triangles on; shared by all directions 12 bytes per point and 16 per triangle,
// per goroutine 16 bytes per point and 40 per facing sample. Limits: in a body of many layers every sample pays for all
// layers above it; needles as long as the part cost one step per row of cells with a sample below.

import (
	"context"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom"
)

// scene is the data shared by the views of all directions.
type scene struct {
	points    [][3]float32 // in whole steps, relative to the center
	triangles [][3]int32
	facets    []facets
	samples   [][3]float32
	normals   [][3]float32
	origin    geom.Vec3 // of the samples, in steps, relative to the center
	scale     float64   // steps per mm
	grazing   float32
}

func newScene(in *Input) *scene {
	s := &scene{
		triangles: in.Triangles, samples: in.Samples, normals: in.Normals, grazing: float32(in.Grazing),
	}
	var points []geom.Vec3
	points, s.origin, s.scale = in.steps()
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

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	return see(ctx, in, on.Threads(), on.Each)
}

// see processes in on the given number of goroutines, which run the tasks of each. A task is a direction, or a part of
// the samples in one direction if there are fewer directions than goroutines.
func see(
	ctx context.Context, in *Input, goroutines int,
	each func(ctx context.Context, tasks int, worker func() func(task int)) error,
) (Output, error) {
	dirs, n := len(in.Directions), len(in.Samples)
	out := newOutput(dirs, n)
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
		err = ctx.Err() // a view may have stopped early
	}
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

// blocked is the height of a sample that is not visible: above all others.
const blocked = math.MaxInt32
