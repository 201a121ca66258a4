package mass

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// Integration over a face
//
// With N = ∂S/∂u × ∂S/∂v the area of a face is ∬|N|. By the divergence theorem its share of three times the volume is
// ∬S·N, and of four times the first moment ∬S(S·N), over its domain in the parameter plane. Green's theorem turns a
// double integral of g into -∮G du along the boundary with G(u, v) = ∫g dv from a fixed line v₀ (see Timmer and Stern,
// Computation of global geometric properties of solid objects, CAD 12, 1980). The boundary is the boundary of package
// trim, but between two of its vertices it is the edge's own curve, projected onto the surface, so that the result does
// not depend on the samples:
//
//   - each piece of an edge is integrated by Gauss-Legendre quadrature in the curve's parameter, with the
//     rate of u from the tangent; straight pieces of cuts and poles in u;
//   - G has a closed form for plane, cylinder, cone, torus and extrusion (column.go), a sphere needs
//     no parameters at all (sphere.go); for all others G is a quadrature over each piece between v₀
//     and v, cut at the knots of the surface or of its profile and at the turns of the profile (free.go);
//   - near a pole u turns at once, while G from the pole vanishes as fast as du grows: for a piece
//     near one, G(u, v) - G(u, pole) is integrated along the edge and G(u, pole) along the pole;
//   - u and v are exchanged where the surface has fewer knot spans in u than in v.
//
// Accuracy: 1e-9 of the value and better where the edges lie on analytic faces; on others the order of the quadrature,
// 1e-6 and better. A gap between edge and surface enters by its square. Cost: a few evaluations and one hinted
// inversion at each node, six nodes for each eighth of a circle.

// nodes and weights of Gauss-Legendre quadrature of order 6 over [0, 1]; exact to degree 11.
var (
	gaussX = [6]float64{
		0.033765242898423975, 0.16939530676686776, 0.3806904069584015,
		0.6193095930415985, 0.8306046932331322, 0.966234757101576,
	}
	gaussW = [6]float64{
		0.08566224618958525, 0.18038078652406930, 0.23395696728634551,
		0.23395696728634551, 0.18038078652406930, 0.08566224618958525,
	}
)

// moments are area, three times the volume and four times the first moment about the center.
type moments struct {
	area, volume float64
	first        geom.Vec3
}

func (m *moments) add(w float64, a *moments) {
	m.area += w * a.area
	m.volume += w * a.volume
	m.first = m.first.AddScaled(w, a.first)
}

// integrator measures faces one after the other.
type integrator struct {
	m       *brep.Model
	s       *sampler
	builder trim.Builder
	options trim.Options

	surf   surface.Surface
	center geom.Vec3
	column column
	poles  []surface.Singularity
	sum    moments
	cuts   []float64
}

func newIntegrator(m *brep.Model, s *sampler) *integrator {
	return &integrator{
		m: m, s: s,
		// Nothing is integrated along the points of a cut but straight lines of the parameter plane.
		options: trim.Options{ChordTolerance: math.Inf(1), AngleTolerance: pieceAngle},
	}
}

// face measures one face.
func (g *integrator) face(f brep.FaceID) (part, Face, error) {
	face := &g.m.Faces[f]
	g.center = g.s.centers[f]
	if s, ok := face.Surface.(*facets.Surface); ok {
		p, result := g.facets(s, face.Reversed)
		return p, result, nil
	}
	d, err := g.builder.Build(g.m, f, g.s, g.options)
	if err != nil {
		return part{}, Face{}, err
	}
	g.surf, g.sum = face.Surface, moments{}
	if len(d.Polygons) == 0 {
		return part{}, Face{Gap: d.Gap, Bounds: g.boundary(face, d)}, nil
	}
	switch s := face.Surface.(type) {
	case surface.Plane:
		g.plane(s, d)
	case surface.Sphere:
		g.sphere(s, d)
	default:
		g.curved(d)
	}
	result := Face{Area: g.sum.area, Gap: d.Gap, Turned: d.Turned, Bounds: g.bounds(face, d)}
	if t, ok := face.Surface.(surface.Torus); ok && t.Minor >= t.Major {
		// On the spindle ∂S/∂u points against u. Files put it on tori without saying so (Part is Whole).
		result.Area = math.Abs(result.Area)
	}
	p := part{g.sum.volume, g.sum.first}
	if face.Reversed {
		p = part{-p.volume, p.moment.Neg()}
	}
	return p, result, nil
}

// plane integrates ∮ in the plane's own coordinates, straight pieces in closed form.
func (g *integrator) plane(pl surface.Plane, d *trim.Domain) {
	// The places of vertices may have been moved where coarse samples cross, their points never.
	place := func(v *trim.Vertex) geom.Vec2 {
		q := pl.Frame.Local(v.P)
		return geom.Vec2{X: q.X, Y: q.Y}
	}
	o := place(&d.Polygons[0][0]) // near the face, where the terms are small
	var area float64
	var first geom.Vec2 // ∬(x, y) about o
	piece := func(x, y, dx, dy, w float64) {
		area += w * 0.5 * (x*dy - y*dx)
		first.X += w * 0.5 * x * x * dy
		first.Y -= w * 0.5 * y * y * dx
	}
	for _, poly := range d.Polygons {
		for i := range poly {
			v := &poly[i]
			e := g.edge(v)
			if e == nil || isLine(e.Curve) {
				next := &poly[(i+1)%len(poly)]
				a, b := place(v).Sub(o), place(next).Sub(o)
				dx, dy := b.X-a.X, b.Y-a.Y
				area += 0.5 * a.Cross(b)
				first.X += dy * (a.X*a.X + a.X*b.X + b.X*b.X) / 6
				first.Y -= dx * (a.Y*a.Y + a.Y*b.Y + b.Y*b.Y) / 6
				continue
			}
			h := v.To - v.From
			for k, x := range gaussX {
				p, d1 := e.Curve.D1(v.From + h*x)
				q, t := pl.Frame.Local(p), pl.Frame.LocalDir(d1)
				piece(q.X-o.X, q.Y-o.Y, t.X, t.Y, gaussW[k]*h)
			}
		}
	}
	side := 1.0 // of Du × Dv on Z
	if !pl.Frame.IsRightHanded() {
		side = -1
	}
	at := pl.At(o.X, o.Y).Sub(g.center)
	height := side * at.Dot(pl.Frame.Z)
	g.sum.area = area
	g.sum.volume = height * area
	g.sum.first = at.Scale(area).AddScaled(first.X, pl.Frame.X).AddScaled(first.Y, pl.Frame.Y).Scale(height)
}

func isLine(c curve.Curve) bool {
	_, ok := c.(curve.Line)
	return ok
}

// edge returns the edge of the piece that leaves a vertex, nil for a cut or a pole.
func (g *integrator) edge(v *trim.Vertex) *brep.Edge {
	if v.Coedge == brep.None {
		return nil
	}
	return &g.m.Edges[g.m.Coedges[v.Coedge].Edge]
}
