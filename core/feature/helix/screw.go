package helix

// Screw motions that map a surface to itself.
//
// Method: a motion turns about an axis and moves along it by k mm per radian; the point x then moves along a × (x - o)
// + k a. It maps a surface to itself if this vector is perpendicular to the normal everywhere, which is linear in the
// axis and in k (Pottmann and Randrup, "Rotational and helical surface approximation for reverse engineering",
// Computing 60, 1998). The motion is the eigenvector of the smallest eigenvalue of a 6 × 6 matrix. If an adjacent round
// face gives the axis, only k is fitted, which is more reliable.
//
// Cost: linear in the points of the mesh.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// follows is the largest deviation of a surface from a helix, as a share of its climb. A tapered thread deviates by
	// the tangent of its taper, 3 % for pipes, an approximated one by less.
	follows = 0.1

	// steepest is the largest climb, as a share of the distance from the axis, that a thread has: the lead of one with
	// several starts is no longer than its diameter. Flutes and the teeth of gears climb more.
	steepest = 1 / math.Pi

	// leastTurn (rad) is the least sweep of a surface whose climb can be measured: a short piece of any surface fits
	// some helix.
	leastTurn = 1.0
)

// screw is a motion: the axis and the climb, mm per radian, positive for a right-handed one.
type screw struct {
	axis  graph.Shape
	climb float64
}

// sample is a point of a surface, its normal, and its share of the area.
type sample struct {
	at, normal geom.Vec3
	area       float64
}

// samplesOf returns the corners of the triangles of a patch.
func samplesOf(g *graph.Graph, p int32) []sample {
	var out []sample
	for _, f := range g.Patches[p].Faces {
		r, first := &g.Mesh.Regions[f], len(out)
		for i, v := range r.Vertices {
			out = append(out, sample{at: g.Mesh.Points[v], normal: r.Normals[i]})
		}
		for t := r.Start; t < r.End; t++ {
			for _, v := range g.Mesh.Triangles[t] {
				i, _ := slices.BinarySearch(r.Vertices, v)
				out[first+i].area += g.Areas[t] / 3
			}
		}
	}
	return out
}

// about returns the climb around an axis of a surface that follows a helix there.
func about(axis *graph.Shape, samples []sample) (s screw, ok bool) {
	var cross, square float64
	for i := range samples {
		along, round := rates(axis, &samples[i])
		cross, square = cross+samples[i].area*along*round, square+samples[i].area*along*along
	}
	if square == 0 {
		return screw{}, false
	}
	s = screw{axis: *axis, climb: -cross / square}
	return s, s.leads(samples)
}

// rates returns the normal components of unit motions along an axis and around it, mm per rad.
func rates(axis *graph.Shape, s *sample) (along, round float64) {
	return s.normal.Dot(axis.Axis), s.normal.Dot(axis.Axis.Cross(s.at.Sub(axis.Origin)))
}

// leads reports whether a motion leaves a surface where it is, as one that makes a thread.
func (s *screw) leads(samples []sample) bool {
	var off, area, moment float64
	for i := range samples {
		along, round := rates(&s.axis, &samples[i])
		d := round + s.climb*along
		off += samples[i].area * d * d
		area += samples[i].area
		moment += samples[i].area * graph.DistanceToAxis(&s.axis, samples[i].at)
	}
	return math.Abs(s.climb) <= steepest*moment/area && off <= area*follows*follows*s.climb*s.climb && s.climb != 0
}

// free returns the motion of a surface without a known axis.
func free(samples []sample) (s screw, ok bool) {
	box := geom.EmptyBox()
	for i := range samples {
		box = box.Add(samples[i].at)
	}
	mid, size := box.Center(), box.Diagonal()
	if !(size > 0) {
		return screw{}, false
	}
	m := mat.NewSymDense(6, nil)
	for i := range samples {
		n := samples[i].normal
		x := samples[i].at.Sub(mid).Scale(1 / size).Cross(n)
		row := [6]float64{x.X, x.Y, x.Z, n.X, n.Y, n.Z}
		for j := range row {
			for k := j; k < len(row); k++ {
				m.SetSym(j, k, m.At(j, k)+samples[i].area*row[j]*row[k])
			}
		}
	}
	var e mat.EigenSym
	if !e.Factorize(m, true) {
		return screw{}, false
	}
	var v mat.Dense
	e.VectorsTo(&v)
	turn := geom.Vec3{X: v.At(0, 0), Y: v.At(1, 0), Z: v.At(2, 0)}
	move := geom.Vec3{X: v.At(3, 0), Y: v.At(4, 0), Z: v.At(5, 0)}
	if turn.Norm() <= graph.AxisTolerance {
		return screw{}, false // it is swept along a line
	}
	axis := turn.Unit()
	climb := move.Dot(axis) / turn.Norm()
	foot := turn.Cross(move).Scale(1 / turn.Dot(turn))
	s = screw{climb: climb * size,
		axis: graph.Shape{Kind: surface.KindCylinder, Origin: mid.AddScaled(size, foot), Axis: graph.Canonical(axis)}}
	return s, s.leads(samples)
}
