package mass

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Bounds of a face
//
// A coordinate of a point of a face is largest on its boundary, or where the surface normal is along the axis. The
// boundary is bounded by the boxes of the edge curves. The interior depends on the surface:
//
//   - plane, cylinder, cone and extrusion contain straight lines, along which the coordinate changes
//     linearly, so the boundary (or the apex) is the farthest point;
//   - sphere and torus have their extreme points in closed form;
//   - on all others they are found by Newton's method from the local extremes of a grid.
//
// An extreme point counts if it lies inside the domain and outside the current box.

// boundary returns the box of the edges and poles of a face.
func (g *integrator) boundary(face *brep.Face, d *trim.Domain) geom.Box {
	box := geom.EmptyBox()
	for _, l := range face.Loops {
		loop := &g.m.Loops[l]
		if len(loop.Coedges) == 0 && loop.Vertex != brep.None {
			box = box.Add(g.m.Vertices[loop.Vertex].Point)
		}
		for _, c := range loop.Coedges {
			box = box.Union(g.s.boxes[g.m.Coedges[c].Edge])
		}
	}
	for _, p := range d.Extra {
		box = box.Add(p)
	}
	return box
}

// bounds returns the box of the face just integrated.
func (g *integrator) bounds(face *brep.Face, d *trim.Domain) geom.Box {
	box := g.boundary(face, d)
	switch s := face.Surface.(type) {
	case surface.Plane, surface.Cylinder, surface.Cone, *surface.Extrusion:
		return box
	case surface.Sphere:
		return g.extremes(box, d, func(axis geom.Vec3, try func(geom.Vec2)) {
			uv, _ := s.Invert(s.Frame.Origin.AddScaled(s.Radius, axis))
			try(uv)
		})
	case surface.Torus:
		_, v := s.Domain()
		angle := func(y, x float64) float64 {
			at := math.Atan2(y, x)
			return at + 2*math.Pi*math.Round((v.Mid()-at)/(2*math.Pi))
		}
		return g.extremes(box, d, func(axis geom.Vec3, try func(geom.Vec2)) {
			n := s.Frame.LocalDir(axis)
			u, rho := math.Atan2(n.Y, n.X), math.Hypot(n.X, n.Y)
			for _, side := range [2]float64{1, -1} { // a spindle is farthest out where its tube is farthest in
				try(geom.Vec2{X: u, Y: angle(side*n.Z, side*rho)})
				try(geom.Vec2{X: u + math.Pi, Y: angle(side*n.Z, -side*rho)})
			}
		})
	}
	return g.freeExtremes(box, d)
}

// extremes adds the places of extreme points in the directions of all six half-axes that candidates
// proposes.
func (g *integrator) extremes(
	box geom.Box, d *trim.Domain, candidates func(axis geom.Vec3, try func(geom.Vec2)),
) geom.Box {
	for side := range 6 {
		axis := halfAxis(side)
		candidates(axis, func(uv geom.Vec2) {
			p := g.surf.At(uv.X, uv.Y)
			if p.Dot(axis) > reach(box, side) && g.inside(d, uv) {
				box = box.Add(p)
			}
		})
	}
	return box
}

// halfAxis returns +x, -x, +y, -y, +z, -z.
func halfAxis(side int) geom.Vec3 {
	s := float64(1 - 2*(side&1))
	switch side >> 1 {
	case 0:
		return geom.Vec3{X: s}
	case 1:
		return geom.Vec3{Y: s}
	}
	return geom.Vec3{Z: s}
}

// reach returns the extent of a box along a half-axis.
func reach(b geom.Box, side int) float64 {
	return math.Max(b.Min.Dot(halfAxis(side)), b.Max.Dot(halfAxis(side)))
}

// inside reports whether a point of the parameter plane, or one next to it, lies in the domain: it may lie on a cut.
func (g *integrator) inside(d *trim.Domain, uv geom.Vec2) bool {
	const beside = 1e-6 // fraction of the extent; its square limits the distance of the point outside
	lo, hi := extent(d.Polygons[0])
	size := hi.Sub(lo)
	for _, off := range [3]geom.Vec2{{}, {X: beside, Y: beside / 2}, {X: -beside, Y: -beside / 3}} {
		q := geom.Vec2{X: uv.X + off.X*size.X, Y: uv.Y + off.Y*size.Y}
		if g.insideAnyCopy(d, q, lo, hi) {
			return true
		}
	}
	return false
}

func extent(poly []trim.Vertex) (lo, hi geom.Vec2) {
	lo = geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}
	hi = lo.Scale(-1)
	for i := range poly {
		uv := poly[i].UV
		lo = geom.Vec2{X: math.Min(lo.X, uv.X), Y: math.Min(lo.Y, uv.Y)}
		hi = geom.Vec2{X: math.Max(hi.X, uv.X), Y: math.Max(hi.Y, uv.Y)}
	}
	return lo, hi
}

// insideAnyCopy tests the copies of q by whole periods that may lie in the extent of the domain. The
// boundary may bulge out of the polygon's extent by as much as a piece turns.
func (g *integrator) insideAnyCopy(d *trim.Domain, q, lo, hi geom.Vec2) bool {
	pu, pv := g.surf.Periods()
	var from, to [2]int
	for axis, period := range [2]float64{pu, pv} {
		if period > 0 {
			l, h, x := lo.X, hi.X, q.X
			if axis == 1 {
				l, h, x = lo.Y, hi.Y, q.Y
			}
			bulge := period / 8
			from[axis] = int(math.Ceil((l - bulge - x) / period))
			to[axis] = int(math.Floor((h + bulge - x) / period))
		}
	}
	for i := from[0]; i <= to[0]; i++ {
		for j := from[1]; j <= to[1]; j++ {
			if g.insideCopy(d, geom.Vec2{X: q.X + float64(i)*pu, Y: q.Y + float64(j)*pv}) {
				return true
			}
		}
	}
	return false
}

// insideCopy counts the crossings of the true boundary with the ray from q in the direction of u.
func (g *integrator) insideCopy(d *trim.Domain, q geom.Vec2) bool {
	const depth = 30 // halvings of a piece that comes near q
	crossings := 0
	for _, poly := range d.Polygons {
		for i := range poly {
			v, next := &poly[i], &poly[(i+1)%len(poly)]
			if e := g.edge(v); e != nil {
				crossings += g.crossings(e, q, v.From, v.To, v.UV, next.UV, depth)
			} else if crosses(q, v.UV, next.UV) {
				crossings++
			}
		}
	}
	return crossings%2 == 1
}

// crossings counts the crossings of the piece of an edge from a to b. A piece is halved while q may lie between it and
// its chord.
func (g *integrator) crossings(e *brep.Edge, q geom.Vec2, from, to float64, a, b geom.Vec2, depth int) int {
	mid := 0.5 * (from + to)
	m, _ := g.surf.InvertNear(e.Curve.At(mid), a.Lerp(b, 0.5))
	off := m.Sub(a.Lerp(b, 0.5))
	bulge := geom.Vec2{X: 2 * math.Abs(off.X), Y: 2 * math.Abs(off.Y)} // a parabola has 1 times that
	isAway := q.Y < math.Min(a.Y, b.Y)-bulge.Y || q.Y > math.Max(a.Y, b.Y)+bulge.Y ||
		q.X > math.Max(a.X, b.X)+bulge.X
	if isAway {
		return 0
	}
	if depth == 0 || q.X < math.Min(a.X, b.X)-bulge.X {
		if crosses(q, a, b) {
			return 1
		}
		return 0
	}
	return g.crossings(e, q, from, mid, a, m, depth-1) + g.crossings(e, q, mid, to, m, b, depth-1)
}

// crosses reports whether the ray from q in the direction of u crosses ab.
func crosses(q, a, b geom.Vec2) bool {
	if (a.Y > q.Y) == (b.Y > q.Y) {
		return false
	}
	return (b.Sub(a).Cross(q.Sub(a)) > 0) == (a.Y < b.Y)
}
