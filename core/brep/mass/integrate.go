package mass

import (
	"math"
	"slices"

	"millwright/core/brep"
	"millwright/core/brep/trim"
	"millwright/core/geom"
	"millwright/core/geom/curve"
	"millwright/core/geom/surface"
)

// How a face is integrated
//
// With N = ∂S/∂u × ∂S/∂v the area of a face is ∬|N|, and by the divergence theorem its share of three
// times the volume is ∬S·N and of four times the first moment ∬S(S·N), over its domain in the
// parameter plane. Green's theorem turns a double integral of g into -∮G du along the boundary with
// G(u, v) = ∫g dv from a fixed line v₀ (see Timmer and Stern, Computation of global geometric
// properties of solid objects, CAD 12, 1980). The boundary is that of package trim, but between two
// of its vertices it is the edge's own curve, projected onto the surface, so that the result does not
// depend on the samples:
//
//   - each piece of an edge is integrated by Gauss-Legendre quadrature in the curve's parameter, the
//     rate of u coming from the tangent; straight pieces of cuts and poles in u;
//   - G has a closed form for plane, cylinder, cone, torus and extrusion (column.go), a sphere needs
//     no parameters at all (sphere.go); for all others G is a quadrature over each knot span between
//     v₀ and v;
//   - v₀ is at a pole where the surface has one: there G vanishes as fast as du may grow.
//
// Accuracy: 1e-9 of the value and better where the edges lie on analytic faces; on others the order
// of the quadrature, 1e-6 and better. A gap between edge and surface enters by its square. Cost: a
// few evaluations and one hinted inversion at each node, six nodes for each eighth of a circle.

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

// moments are area, three times the volume and four times the first moment about the centre.
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
	base   float64 // v₀
	sum    moments
	cuts   []float64
}

func newIntegrator(m *brep.Model, s *sampler) *integrator {
	return &integrator{
		m: m, s: s, center: s.center,
		// Nothing is integrated along the points of a cut but straight lines of the parameter plane.
		options: trim.Options{ChordTolerance: math.Inf(1), AngleTolerance: pieceAngle},
	}
}

// face measures one face.
func (g *integrator) face(f brep.FaceID) (part, Face, error) {
	face := &g.m.Faces[f]
	d, err := g.builder.Build(g.m, f, g.s, g.options)
	if err != nil {
		return part{}, Face{}, err
	}
	g.surf, g.sum = face.Surface, moments{}
	switch s := face.Surface.(type) {
	case surface.Plane:
		g.plane(s, d)
	case surface.Sphere:
		g.sphere(s, d)
	default:
		g.curved(d)
	}
	result := Face{Area: g.sum.area, Gap: d.Gap, Turned: d.Turned, Bounds: g.bounds(face, d)}
	p := part{g.sum.volume, g.sum.first}
	if face.Reversed {
		p = part{-p.volume, p.moment.Neg()}
	}
	return p, result, nil
}

// plane integrates ∮ in the plane's own coordinates, straight pieces in closed form.
func (g *integrator) plane(pl surface.Plane, d *trim.Domain) {
	o := d.Polygons[0][0].UV // near the face, where the terms are small
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
				a, b := v.UV.Sub(o), next.UV.Sub(o)
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

// edge returns the edge of the piece that leaves a vertex, nil for a piece that is none.
func (g *integrator) edge(v *trim.Vertex) *brep.Edge {
	if v.Coedge == brep.None {
		return nil
	}
	return &g.m.Edges[g.m.Coedges[v.Coedge].Edge]
}

func (g *integrator) curved(d *trim.Domain) {
	g.chooseBase(d)
	g.column.set(g.surf, g.center, g.base)
	for _, poly := range d.Polygons {
		for i := range poly {
			v, next := &poly[i], &poly[(i+1)%len(poly)]
			if e := g.edge(v); e != nil {
				g.along(e, v, next)
			} else {
				g.straight(v.UV, next.UV)
			}
		}
	}
}

// chooseBase puts v₀ at the pole nearest to the boundary, or at the lower end of the domain when no
// pole is near.
func (g *integrator) chooseBase(d *trim.Domain) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range d.Polygons[0] {
		v := d.Polygons[0][i].UV.Y
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	g.base = lo
	if _, period := g.surf.Periods(); period > 0 {
		return
	}
	nearest := hi - lo
	for _, s := range g.surf.Singularities() {
		if !s.ConstV {
			continue
		}
		for _, poly := range d.Polygons {
			for i := range poly {
				if d := math.Abs(poly[i].UV.Y - s.Param); d > 0 && d < nearest {
					nearest, g.base = d, s.Param
				}
			}
		}
	}
}

// straight integrates along a straight line of the parameter plane.
func (g *integrator) straight(a, b geom.Vec2) {
	du := b.X - a.X
	if du == 0 || a.Y == g.base && b.Y == g.base {
		return
	}
	g.cuts = append(g.cuts[:0], 0)
	if g.column.isTurned {
		n := math.Ceil(math.Abs(du) / pieceAngle)
		for k := 1.0; k < n; k++ {
			g.cuts = append(g.cuts, k/n)
		}
	} else {
		lo := math.Min(a.X, b.X)
		for t, ok := g.column.breakU(lo); ok && t < math.Max(a.X, b.X); t, ok = g.column.breakU(t) {
			g.cuts = append(g.cuts, (t-a.X)/du)
		}
		if du < 0 {
			slices.Reverse(g.cuts[1:])
		}
	}
	g.cuts = append(g.cuts, 1)
	for i := 1; i < len(g.cuts); i++ {
		from, h := g.cuts[i-1], g.cuts[i]-g.cuts[i-1]
		for k, x := range gaussX {
			m := g.column.at(a.Lerp(b, from+h*x))
			g.sum.add(-gaussW[k]*h*du, &m)
		}
	}
}

// along integrates along the piece of an edge between two vertices.
func (g *integrator) along(e *brep.Edge, v, next *trim.Vertex) {
	const still = 1e-13 // share of a turn, or of the domain: rounding of an iso-line
	du := next.UV.X - v.UV.X
	if math.Abs(du) <= still*g.column.width && g.isIso(e, v, next) {
		return
	}
	g.cuts = append(g.cuts[:0], v.From)
	if !g.column.isTurned {
		g.cutAtBreaks(e, v, next)
	}
	g.cuts = append(g.cuts, v.To)
	uv := v.UV
	for i := 1; i < len(g.cuts); i++ {
		from, h := g.cuts[i-1], g.cuts[i]-g.cuts[i-1]
		for k, x := range gaussX {
			p, d1 := e.Curve.D1(from + h*x)
			uv, _ = g.surf.InvertNear(p, uv)
			if rate := g.column.rate(uv, p, d1); rate != 0 {
				m := g.column.at(uv)
				g.sum.add(-gaussW[k]*h*rate, &m)
			}
		}
	}
}

// cutAtBreaks appends to cuts where a piece crosses the lines between which the surface is smooth.
func (g *integrator) cutAtBreaks(e *brep.Edge, v, next *trim.Vertex) {
	n := len(g.cuts)
	lo, hi := math.Min(v.UV.X, next.UV.X), math.Max(v.UV.X, next.UV.X)
	for t, ok := g.column.breakU(lo); ok && t < hi; t, ok = g.column.breakU(t) {
		s := g.crossing(e, v, next, (t-v.UV.X)/(next.UV.X-v.UV.X), func(uv geom.Vec2) float64 { return uv.X - t })
		g.cuts = append(g.cuts, s)
	}
	lo, hi = math.Min(v.UV.Y, next.UV.Y), math.Max(v.UV.Y, next.UV.Y)
	for t, ok := g.column.breakV(lo); ok && t < hi; t, ok = g.column.breakV(t) {
		s := g.crossing(e, v, next, (t-v.UV.Y)/(next.UV.Y-v.UV.Y), func(uv geom.Vec2) float64 { return uv.Y - t })
		g.cuts = append(g.cuts, s)
	}
	slices.Sort(g.cuts[n:])
	if v.To < v.From {
		slices.Reverse(g.cuts[n:])
	}
}

// crossing returns the curve parameter of a piece at which off, which changes sign along it, is 0: by
// false position (the Illinois variant) from a guess at the share of the piece.
func (g *integrator) crossing(
	e *brep.Edge, v, next *trim.Vertex, guess float64, off func(geom.Vec2) float64,
) float64 {
	const (
		steps = 20
		found = 1e-12 // share of the piece
	)
	a, b := 0.0, 1.0
	fa, fb := off(v.UV), off(next.UV)
	x, hint, kept := guess, v.UV.Lerp(next.UV, guess), 0
	for range steps {
		hint, _ = g.surf.InvertNear(e.Curve.At(v.From+x*(v.To-v.From)), hint)
		f := off(hint)
		if f == 0 || b-a < found {
			break
		}
		if (f > 0) == (fb > 0) {
			if b, fb = x, f; kept == 1 { // a was kept twice: give it less weight
				fa *= 0.5
			}
			kept = 1
		} else {
			if a, fa = x, f; kept == 2 {
				fb *= 0.5
			}
			kept = 2
		}
		last := x
		if x = (a*fb - b*fa) / (fb - fa); math.Abs(x-last) < found {
			break
		}
	}
	return v.From + math.Max(0, math.Min(1, x))*(v.To-v.From)
}

// isIso reports whether a piece between two vertices of equal u keeps it.
func (g *integrator) isIso(e *brep.Edge, v, next *trim.Vertex) bool {
	if isLine(e.Curve) && g.column.isRuled {
		return true
	}
	const same = 1e-12 // of the domain's width
	mid, _ := g.surf.InvertNear(e.Curve.At(0.5*(v.From+v.To)), v.UV.Lerp(next.UV, 0.5))
	third, _ := g.surf.InvertNear(e.Curve.At(v.From+(v.To-v.From)/3), v.UV)
	return math.Abs(mid.X-v.UV.X) <= same*g.column.width && math.Abs(third.X-v.UV.X) <= same*g.column.width
}
