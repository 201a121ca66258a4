package visibility

// Visibility on the processor.
//
// Method: the rays of one direction are parallel, so none is traced. Points and samples are turned once into
// a frame whose z runs along the rays and rounded to whole steps of 2^-24 of the half diagonal there.
// Coordinates are then integers of 25 bits with their sign, edge functions integers of 52 bits, and both are
// exact in float64: which triangle covers which sample is decided without error, shared edges leak nothing,
// and no predicate needs a second try. (S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle intersection",
// JCGT 2(1), 2013, gets there by falling back on doubles.) It is rasterization turned around (J. Pineda, "A
// parallel algorithm for polygon rasterization", SIGGRAPH 1988; T. Aila, S. Laine, "Alias-free shadow maps",
// EGSR 2004): the samples, sorted into cells, are the pixels, at the places where they happen to be, and
// every triangle that is entered along the rays is drawn over them, row of cells by row of cells. A row is
// one run of samples, so the inner loop reads straight through memory.
//
// What is drawn: only triangles that face against the rays, as no other is met first from outside; only
// over rows of cells that hold a sample below the triangle's highest corner. Large triangles are cut, band
// of rows by band, to what they cover where a sample lies below the part of them in the band, so that a
// needle across the part costs neither its bounding box nor its length over nothing. Cells are narrow where
// samples are close.
//
// Triangles go through in batches, one stage after the other, as what a stage decides nobody can foresee
// and a branch on it costs more than the work: a vector across each triangle in single precision lists
// those that may be entered, the next stage their cells, the next the groups of eight samples that single
// precision with a bound on its error does not tell outside, the last decides. Where the processor has
// vectors they do all of this without a branch, else plain Go does; the answers are the same bits.
//
// Cost: O(points + triangles + samples + covered pairs) per direction, some 30 ns per triangle with one
// sample each on the usual part, from a few thousand triangles on; shared by all directions 12 bytes per
// point and 16 per triangle, per goroutine 16 bytes per point and 40 per facing sample. Limits: a body of
// many layers costs every sample all layers above it; needles as long as the part cost one step per row of
// cells with a sample below.

import (
	"context"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom"
)

// scene is what the views of all directions share.
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

// see answers in on that many goroutines, whose tasks each runs. A task is a direction, or a part of
// the samples in one direction where there are fewer directions than goroutines.
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
		err = ctx.Err() // a view may have stopped half way
	}
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

// blocked is the height of a sample that is not visible: above all others.
const blocked = math.MaxInt32
