package steptest

import (
	"fmt"
	"strings"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Model writes the solids of a model and returns their names. It supports lines, circles, ellipses and B-splines, and
// analytic and B-spline surfaces. Other types panic, because tests do not use them. Flags follow w.Flip; the shape does
// not depend on it.
func (w *Text) Model(m *brep.Model) []string {
	vertices := make([]string, len(m.Vertices))
	for i, v := range m.Vertices {
		vertices[i] = w.Vertex(v.Point)
	}
	edges := make([]string, len(m.Edges))
	for i := range m.Edges {
		edges[i] = w.edge(&m.Edges[i], vertices)
	}
	var solids []string
	for _, s := range m.Solids {
		var shells []string
		for _, sh := range s.Shells {
			var faces []string
			for _, f := range m.Shells[sh].Faces {
				faces = append(faces, w.face(m, f, edges, vertices))
			}
			shells = append(shells, w.Add("CLOSED_SHELL('',%s)", List(faces...)))
		}
		if len(shells) == 1 {
			solids = append(solids, w.Add("MANIFOLD_SOLID_BREP('',%s)", shells[0]))
			continue
		}
		for i := range shells[1:] {
			shells[i+1] = w.Add("ORIENTED_CLOSED_SHELL('',*,%s,.T.)", shells[i+1])
		}
		solids = append(solids, w.Add("BREP_WITH_VOIDS('',%s,%s)", shells[0], List(shells[1:]...)))
	}
	return solids
}

// edge writes an edge. An edge without a curve becomes a line of zero length, as some systems mark a pole.
func (w *Text) edge(e *brep.Edge, vertices []string) string {
	if e.Curve == nil {
		return w.Add("EDGE_CURVE('',%s,%s,%s,.T.)", vertices[e.Start], vertices[e.Start], w.Line(geom.Vec3{}, UnitX))
	}
	start, end, sense := e.Start, e.End, true
	if w.coin() { // the edge runs against its curve
		start, end, sense = end, start, false
	}
	id := w.Add("EDGE_CURVE('',%s,%s,%s,%s)", vertices[start], vertices[end], w.Curve(e.Curve), Logical(sense))
	if !sense {
		return id + " turned"
	}
	return id
}

// face writes a face.
func (w *Text) face(m *brep.Model, id brep.FaceID, edges, vertices []string) string {
	f := &m.Faces[id]
	var bounds []string
	for i, l := range f.Loops {
		loop := &m.Loops[l]
		turned := w.coin() // the loop is written backward, and its bound states so
		var uses []string
		for _, c := range loop.Coedges {
			edge, against := strings.CutSuffix(edges[m.Coedges[c].Edge], " turned")
			forward := m.Coedges[c].Reversed == against
			use := w.Add("ORIENTED_EDGE('',*,*,%s,%s)", edge, Logical(forward != turned))
			if turned {
				uses = append([]string{use}, uses...)
			} else {
				uses = append(uses, use)
			}
		}
		text := ""
		if len(uses) > 0 {
			text = w.Add("EDGE_LOOP('',%s)", List(uses...))
		} else {
			text = w.Add("VERTEX_LOOP('',%s)", vertices[loop.Vertex])
		}
		kind := "FACE_BOUND" // many writers mark the wrong bound as the outer one
		if i == 0 || w.coin() {
			kind = "FACE_OUTER_BOUND"
		}
		bounds = append(bounds, w.Add("%s('',%s,%s)", kind, text, Logical(!turned)))
	}
	return w.Add("ADVANCED_FACE('',%s,%s,%s)", List(bounds...), w.Surface(f.Surface), Logical(!f.Reversed))
}

// frame writes the placement of a frame.
func (w *Text) frame(f geom.Frame) string { return w.Placement(f.Origin, f.Z, f.X) }

// Curve writes a curve.
func (w *Text) Curve(c curve.Curve) string {
	switch c := c.(type) {
	case curve.Line:
		return w.Line(c.Origin, c.Dir)
	case curve.Circle:
		return w.Add("CIRCLE('',%s,%v)", w.frame(c.Frame), c.Radius)
	case curve.Ellipse:
		return w.Add("ELLIPSE('',%s,%v,%v)", w.frame(c.Frame), c.Major, c.Minor)
	case *curve.BSpline:
		mults, knots := multiplicities(c.Knots().Flat())
		return w.Add("(BOUNDED_CURVE()B_SPLINE_CURVE(%d,%s,.UNSPECIFIED.,.U.,.U.)"+
			"B_SPLINE_CURVE_WITH_KNOTS(%s,%s,.UNSPECIFIED.)CURVE()RATIONAL_B_SPLINE_CURVE(%s)REPRESENTATION_ITEM(''))",
			c.Degree(), w.points(c.Points()), mults, knots, numbers(weights(c.Weights(), len(c.Points()))))
	}
	panic(fmt.Sprintf("no way to write a curve of kind %d", c.Kind()))
}

// Surface writes a surface.
func (w *Text) Surface(s surface.Surface) string {
	switch s := s.(type) {
	case surface.Plane:
		return w.Add("PLANE('',%s)", w.frame(s.Frame))
	case surface.Cylinder:
		return w.Add("CYLINDRICAL_SURFACE('',%s,%v)", w.frame(s.Frame), s.Radius)
	case surface.Cone:
		return w.Add("CONICAL_SURFACE('',%s,%v,%v)", w.frame(s.Frame), s.Radius, s.HalfAngle)
	case surface.Sphere:
		return w.Add("SPHERICAL_SURFACE('',%s,%v)", w.frame(s.Frame), s.Radius)
	case surface.Torus:
		if s.Part == surface.Whole {
			return w.Add("TOROIDAL_SURFACE('',%s,%v,%v)", w.frame(s.Frame), s.Major, s.Minor)
		}
		return w.Add("DEGENERATE_TOROIDAL_SURFACE('',%s,%v,%v,%s)", w.frame(s.Frame), s.Major, s.Minor,
			Logical(s.Part == surface.Apple))
	}
	panic(fmt.Sprintf("no way to write a surface of kind %v", s.Kind()))
}

func (w *Text) points(list []geom.Vec3) string {
	ids := make([]string, len(list))
	for i, p := range list {
		ids[i] = w.Point(p)
	}
	return List(ids...)
}

func numbers(list []float64) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = fmt.Sprint(x)
	}
	return List(out...)
}

// weights returns the given weights, or n ones.
func weights(given []float64, n int) []float64 {
	if given != nil {
		return given
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// multiplicities writes a flat knot vector as multiplicities and distinct knots.
func multiplicities(flat []float64) (mults, knots string) {
	var count []string
	var distinct []float64
	for i := 0; i < len(flat); {
		j := i
		for j < len(flat) && flat[j] == flat[i] {
			j++
		}
		count, distinct = append(count, fmt.Sprint(j-i)), append(distinct, flat[i])
		i = j
	}
	return List(count...), numbers(distinct)
}
