package tessellate

import (
	"errors"
	"math"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// This file keeps the volume. Where the angle tolerance governs, because the fillets of a part are small relative to
// its size, an inscribed polygon of n sides lacks 6.6/n² of its circle's area. At the default of 20° that is 2 % of the
// volume of a shaft, but does not matter on a fillet. So the volume between the mesh and its surfaces is estimated. A
// part that loses too large a share is meshed again with a chord tolerance that affects the faces with the loss; faces
// closer to their surfaces stay unchanged.
//
// Method: with unit normals n at the ends of a side d, the surface is d·Δn/8 above its midpoint. The quadratic that
// vanishes at the corners and has these heights at the midpoints of the sides encloses a third of their sum times the
// triangle's area. One pass over the triangles is enough; gains in concave areas offset losses in convex ones. The
// estimate is inexact at poles and creases, which have no normals. With a chord tolerance below the height of a face,
// its loss shrinks in proportion.

const (
	// volumeLoss is the maximum relative volume error of a mesh, as estimated, and volumeGoal the target of the
	// correction. volumeLoss leaves the estimate a fifth of half a percent.
	volumeLoss = 4e-3
	volumeGoal = 3e-3
	// meanHeight is the mean height of a surface over a triangle as a share of the largest: two thirds
	// over a strip along a cylinder, three quarters over an equilateral triangle on a sphere.
	meanHeight = 0.7
	// meanHeightBoth is the same for a surface with two different curvatures: each direction has a share of the
	// tolerance and seldom uses it up.
	meanHeightBoth = 0.4
	// finest limits the reduction of the chord tolerance, relative to the largest height, because a tube may lose most
	// of a very small volume.
	finest = 0.09
	// least bounds it from below as a share of the chord tolerance: lower heights are rounding.
	least = 1e-3
	// costliest limits the factor on the number of triangles for the volume: a tenth of the height requires ten times
	// the triangles on a doubly curved surface.
	costliest = 16
)

// keepVolume meshes again as long as the mesh loses too much volume.
func (r *run) keepVolume(res *Result) (*Result, error) {
	allowed := r.total
	for _, apart := range []bool{false, false, true} {
		chord := r.finer(res.Mesh, apart)
		if chord >= r.chord {
			break
		}
		r = r.retry(chord)
		r.coarsest = chord // an excessive goal does not justify a mesh coarser than the current one
		r.total = min(allowed, costliest*len(res.Mesh.Triangles))
		again, err := r.mesh(nil)
		var refusal *fault.Error
		if errors.As(err, &refusal) {
			break // the surfaces do not agree with their normals
		}
		if err != nil {
			return nil, err
		}
		res = again
	}
	return res, nil
}

// finer returns the chord tolerance (mm) with which the mesh keeps the volume, or the tolerance of the run if it
// already does. With another tolerance, inner and outer faces may be divided differently, so that their losses no
// longer offset each other. If apart is set, each counts separately.
func (r *run) finer(m *mesh.Mesh, apart bool) float64 {
	lost, height := r.losses(m)
	total := 0.0
	for f, v := range lost {
		total += v
		if apart {
			lost[f] = math.Abs(v)
		}
	}
	if loss := math.Abs(total) / m.Volume(); !(loss > volumeLoss) || math.IsInf(loss, 0) {
		return r.chord
	}
	share := func(chord float64) float64 {
		sum := 0.0
		for f, v := range lost {
			if v != 0 {
				sum += v * min(1, chord/height[f])
			}
		}
		return math.Abs(sum) / m.Volume()
	}
	hi := slices.Max(height)
	lo := max(hi*finest, r.chord*least)
	if slices.ContainsFunc(r.faces, func(f faceResult) bool { return f.warning.Code == WarnBoundary }) {
		lo = max(lo, r.chord*finest) // the faces are inconsistent, and their fine boundaries cost much
	}
	const steps = 20 // to a millionth of the range
	for range steps {
		if c := (lo + hi) / 2; share(c) > volumeGoal {
			hi = c
		} else {
			lo = c
		}
	}
	return min(lo, r.chord)
}

// losses estimates for each face the volume (mm³) between its triangles and the surface outside of them, and
// the largest height (mm) of the surface over a triangle, as a mean over the face.
func (r *run) losses(m *mesh.Mesh) (lost, height []float64) {
	lost, height = make([]float64, len(m.Regions)), make([]float64, len(m.Regions))
	place := make([]int32, len(m.Points)) // of a point among the vertices of the region in work
	for f := range m.Regions {
		reg := &m.Regions[f]
		if s := r.model.Faces[f].Surface; s == nil || s.Kind() == surface.KindPlane {
			continue
		}
		for i, v := range reg.Vertices {
			place[v] = int32(i)
		}
		tips := tipsOf(r.model.Faces[f].Surface)
		all := r.faces[f].cells
		for _, t := range m.Triangles[reg.Start:reg.End] {
			if r.faces[f].cells.area > 0 { // its normals at creases do not belong to a cell
				break
			}
			var p, n [3]geom.Vec3
			var isTip [3]bool
			for k, v := range t {
				p[k], n[k] = m.Points[v], reg.Normals[place[v]]
				for _, tip := range tips {
					isTip[k] = isTip[k] || p[k].Dist(tip) <= onCrease*r.chord
				}
			}
			all.add(p, n, isTip, r.angle)
		}
		lost[f] = all.lost
		if all.area > 0 {
			mean := meanHeight
			if k := r.model.Faces[f].Surface.Kind(); k != surface.KindCylinder && k != surface.KindCone &&
				k != surface.KindSphere {
				mean = meanHeightBoth
			}
			height[f] = min(math.Abs(lost[f])/(mean*all.area), r.chord)
		}
	}
	return lost, height
}

// loss is the volume between triangles and the surface outside of them, mm³, and their area, mm².
type loss struct{ lost, area float64 }

// tipsOf returns the points at which a line of the parameter plane ends in a surface without a tangent plane, such as
// the apex of a cone.
func tipsOf(s surface.Surface) (tips []geom.Vec3) {
	u, v := s.Domain()
	for _, g := range s.Singularities() {
		along := u
		if !g.ConstV {
			along = v
		}
		if !along.IsFinite() {
			continue
		}
		const places, smooth = 8, 1e-3 // rad
		var first geom.Vec3
		for i := range places {
			at := uvOf(0, along.At((float64(i)+0.5)/places), g.Param)
			if !g.ConstV {
				at = uvOf(1, along.At((float64(i)+0.5)/places), g.Param)
			}
			n := s.Normal(at.X, at.Y)
			if i == 0 {
				first = n
			} else if n.Angle(first) > smooth {
				tips = append(tips, g.Point)
				break
			}
		}
	}
	return tips
}

// add adds the loss of a triangle with normals at its corners; the normal at a tip belongs to no tangent plane.
func (a *loss) add(p, n [3]geom.Vec3, isTip [3]bool, angle float64) {
	facet := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
	double := facet.Norm()
	// Corners whose normals are farther from the triangle's are singular: the surface does not turn
	// toward them.
	astray := math.Cos(min(math.Pi/2, 2*angle))
	var singular [3]bool
	for k := range n {
		singular[k] = isTip[k] || n[k].Dot(facet) < astray*double
	}
	sum := 0.0
	for k := range 3 {
		l, o := (k+1)%3, (k+2)%3
		if singular[k] || singular[l] {
			continue
		}
		height := p[l].Sub(p[k]).Dot(n[l].Sub(n[k])) / 8
		if singular[o] {
			height *= 4.0 / 3 // as on a cone, whose height grows from nothing along its rulings
		}
		sum += height
	}
	a.lost += double / 2 * sum / 3
	a.area += double / 2
}
