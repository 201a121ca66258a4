package xttest

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Options are choices for the nodes of a body.
type Options struct {
	// Charts writes the edges between different surfaces, other than lines, as intersections with so many points.
	Charts int
	// Tolerant writes straight edges between planes as curves in the parameter planes of both.
	Tolerant bool
	// Rings leaves the vertices of closed edges out that are a loop by themselves.
	Rings bool
}

// metre is a mm in the unit of the format.
const metre = 1e-3

// writer writes the nodes of a body.
type writer struct {
	*Stream
	Options
	m        *brep.Model
	body     *Node
	surfaces []*Node // by face
	edges    []*Node
	vertices []*Node
}

// Body adds the nodes of the solids and sheets of a model as a body and returns it.
func (s *Stream) Body(m *brep.Model, o Options) *Node {
	w := &writer{Stream: s, Options: o, m: m}
	w.body = s.Add(12, Values{"body_type": 1, "nom_geom_state": 1, "res_size": 1e3, "res_linear": 1e-8, "state": 1})
	w.topology()
	return w.body
}

// link makes a list of nodes.
func link(nodes []*Node, next, previous string) *Node {
	for i, n := range nodes {
		if i > 0 {
			n.Values[previous] = nodes[i-1]
		}
		if i < len(nodes)-1 {
			n.Values[next] = nodes[i+1]
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	return nodes[0]
}

func (w *writer) topology() {
	for i, v := range w.m.Vertices {
		p := w.Add(29, Values{"pvec": v.Point.Scale(metre)})
		w.vertices = append(w.vertices, w.Add(18, Values{"node_id": i, "point": p}))
	}
	for i := range w.m.Edges {
		w.edges = append(w.edges, w.Add(16, Values{"node_id": i}))
	}
	w.surfaces = make([]*Node, len(w.m.Faces))
	void := w.Add(19, Values{"body": w.body, "type": byte('V')})
	regions := []*Node{void}
	var outside []*Node
	for _, solid := range w.m.Solids {
		region := w.Add(19, Values{"body": w.body, "type": byte('S')})
		regions = append(regions, region)
		var shells []*Node
		for i, sh := range solid.Shells {
			in := w.Add(13, Values{"body": w.body, "region": region})
			beyond := void
			if i > 0 {
				beyond = w.Add(19, Values{"body": w.body, "type": byte('V')})
				regions = append(regions, beyond)
			}
			out := w.Add(13, Values{"body": w.body, "region": beyond})
			if i > 0 {
				beyond.Values["shell"] = out
			} else {
				outside = append(outside, out)
			}
			w.shell(in, out, sh)
			shells = append(shells, in)
		}
		region.Values["shell"] = link(shells, "next", "")
	}
	for i := range w.m.Shells {
		if sh := brep.ShellID(i); w.m.Shells[i].Solid == brep.None {
			both := w.Add(13, Values{"body": w.body, "region": void})
			w.shell(both, both, sh)
			outside = append(outside, both)
		}
	}
	void.Values["shell"] = link(outside, "next", "")
	if len(w.m.Solids) == 0 {
		w.body.Values["body_type"] = 3
	}
	w.body.Values["region"] = link(regions, "next", "previous")
	w.body.Values["vertex"] = link(w.vertices, "next", "previous")
	w.body.Values["edge"] = link(w.edges, "next", "previous")
	for i := range w.m.Edges {
		w.curve(brep.EdgeID(i))
	}
}

func (w *writer) shell(in, out *Node, sh brep.ShellID) {
	var faces []*Node
	for _, f := range w.m.Shells[sh].Faces {
		face := &w.m.Faces[f]
		n := w.Add(14, Values{"node_id": int(f), "shell": in, "front_shell": out, "sense": sense(!face.Reversed)})
		n.Values["surface"] = w.surface(face.Surface)
		w.surfaces[f] = n.Values["surface"].(*Node)
		var loops []*Node
		for _, l := range face.Loops {
			loops = append(loops, w.loop(n, &w.m.Loops[l]))
		}
		n.Values["loop"] = link(loops, "next", "")
		faces = append(faces, n)
	}
	in.Values["face"] = link(faces, "next", "previous")
	out.Values["front_face"] = link(faces, "next_front", "previous_front")
}

func sense(forward bool) byte {
	if forward {
		return '+'
	}
	return '-'
}

func (w *writer) loop(face *Node, l *brep.Loop) *Node {
	n := w.Add(15, Values{"face": face})
	var fins []*Node
	for _, c := range l.Coedges {
		use := w.m.Coedges[c]
		if w.m.Edges[use.Edge].Curve == nil {
			l = &brep.Loop{Vertex: w.m.Edges[use.Edge].Start} // a pole
			continue
		}
		fin := w.Add(17, Values{"loop": n, "edge": w.edges[use.Edge], "sense": sense(!use.Reversed),
			"vertex": w.vertices[w.m.CoedgeEnd(c)]})
		if w.Rings && w.isRing(use.Edge) {
			delete(fin.Values, "vertex")
		}
		if first, ok := w.edges[use.Edge].Values["fin"].(*Node); ok {
			first.Values["other"], fin.Values["other"] = fin, first
		} else {
			w.edges[use.Edge].Values["fin"] = fin
		}
		fins = append(fins, fin)
	}
	if len(fins) == 0 {
		fin := w.Add(17, Values{"loop": n, "vertex": w.vertices[l.Vertex], "sense": byte('+')})
		fins = append(fins, fin)
	}
	for i, fin := range fins {
		fin.Values["forward"], fin.Values["backward"] = fins[(i+1)%len(fins)], fins[(i+len(fins)-1)%len(fins)]
	}
	n.Values["fin"] = fins[0]
	return n
}

// isRing reports whether every loop with the edge consists of this edge only.
func (w *writer) isRing(e brep.EdgeID) bool {
	for _, c := range w.m.Edges[e].Coedges {
		if len(w.m.Loops[w.m.Coedges[c].Loop].Coedges) > 1 {
			return false
		}
	}
	return true
}

// curve writes the curve of an edge, or the curves of its fins.
func (w *writer) curve(id brep.EdgeID) {
	e := &w.m.Edges[id]
	if e.Curve == nil || len(e.Coedges) == 0 {
		return
	}
	if len(e.Coedges) == 1 { // on its other side a border has a fin of no loop
		fin := w.edges[id].Values["fin"].(*Node)
		fin.Values["other"] = w.Add(17, Values{"edge": w.edges[id], "sense": sense(w.m.Coedges[e.Coedges[0]].Reversed),
			"vertex": w.vertices[w.m.CoedgeStart(e.Coedges[0])], "other": fin})
	}
	f0 := w.m.FaceOf(e.Coedges[0])
	f1 := f0
	if len(e.Coedges) > 1 {
		f1 = w.m.FaceOf(e.Coedges[1])
	}
	line, isLine := e.Curve.(curve.Line)
	switch {
	case isLine && w.Tolerant && w.surfaces[f0].Kind == 50 && w.surfaces[f1].Kind == 50:
		w.edges[id].Values["tolerance"] = 1e-6
		for _, c := range e.Coedges {
			f := w.m.FaceOf(c)
			fin := w.edges[id].Values["fin"].(*Node)
			if fin.Values["sense"] != sense(!w.m.Coedges[c].Reversed) {
				fin = fin.Values["other"].(*Node)
			}
			a, b := line.At(e.Range.Lo), line.At(e.Range.Hi)
			if w.m.Coedges[c].Reversed {
				a, b = b, a
			}
			fin.Values["curve"] = w.flat(w.m.Faces[f].Surface, w.surfaces[f], a, b)
		}
	case !isLine && w.Charts > 0 && f0 != f1:
		w.edges[id].Values["curve"] = w.intersection(e, f0, f1)
	default:
		w.edges[id].Values["curve"] = w.Curve(e.Curve)
	}
}

// flat is a straight curve in the parameter plane of a plane.
func (w *writer) flat(s surface.Surface, on *Node, a, b geom.Vec3) *Node {
	p, _ := s.Invert(a)
	q, _ := s.Invert(b)
	return w.Flat(on, p.Scale(metre), q.Scale(metre))
}

// Flat adds a straight curve in the parameter plane of a surface, in two pieces, as the curve of a fin.
func (s *Stream) Flat(on *Node, p, q geom.Vec2) *Node {
	m := p.Lerp(q, 0.3)
	nurbs := s.nurbs(1, 3, []float64{0, 0, 0.5, 1, 1}, Values{"vertex_dim": 2, "rational": false},
		[]float64{p.X, p.Y, m.X, m.Y, q.X, q.Y})
	sp := s.Add(137, Values{"sense": byte('+'), "surface": on,
		"b_curve": s.Add(134, Values{"sense": byte('+'), "nurbs": nurbs})})
	return s.Add(133, Values{"sense": byte('+'), "basis_curve": sp, "parm_1": 0.0, "parm_2": 1.0})
}

// intersection is the curve of an edge as that in which its faces meet.
func (w *writer) intersection(e *brep.Edge, f0, f1 brep.FaceID) *Node {
	var points []float64
	for i := range w.Charts + 1 {
		p := e.Curve.At(e.Range.At(float64(i) / float64(w.Charts))).Scale(metre)
		points = append(points, p.X, p.Y, p.Z)
	}
	chart := w.Add(40, Values{"base_parameter": 0.0, "base_scale": 1.0, "chart_count": w.Charts + 1, "hvec": points})
	limit := func(p []float64) *Node {
		kind := byte('L')
		if e.Start == e.End {
			kind = 'H'
		}
		return w.Add(41, Values{"type": kind, "hvec": p[:3]})
	}
	return w.Add(38, Values{"sense": byte('+'), "surface": []*Node{w.surfaces[f0], w.surfaces[f1]}, "chart": chart,
		"start": limit(points), "end": limit(points[len(points)-3:])})
}

// Curve adds the node of a curve.
func (s *Stream) Curve(c curve.Curve) *Node {
	g := Values{"sense": byte('+')}
	switch c := c.(type) {
	case curve.Line:
		g["pvec"], g["direction"] = c.Origin.Scale(metre), c.Dir
		return s.Add(30, g)
	case curve.Circle:
		axes(g, c.Frame, "centre", "normal", "x_axis")
		g["radius"] = c.Radius * metre
		return s.Add(31, g)
	case curve.Ellipse:
		axes(g, c.Frame, "centre", "normal", "x_axis")
		g["major_radius"], g["minor_radius"] = c.Major*metre, c.Minor*metre
		return s.Add(32, g)
	case *curve.BSpline:
		g["nurbs"] = s.nurbs(c.Degree(), len(c.Points()), c.Knots().Flat(),
			Values{"vertex_dim": 4, "rational": true, "closed": c.Period() > 0}, numbers(c.Points(), c.Weights()))
		return s.Add(134, g)
	}
	panic(fmt.Sprintf("xttest: curve %T", c))
}

func axes(g Values, f geom.Frame, origin, z, x string) {
	g[origin], g[z], g[x] = f.Origin.Scale(metre), f.Z, f.X
}

// numbers are homogeneous control points in meters.
func numbers(points []geom.Vec3, weights []float64) []float64 {
	var out []float64
	for i, p := range points {
		weight := 1.0
		if weights != nil {
			weight = weights[i]
		}
		p = p.Scale(weight * metre)
		out = append(out, p.X, p.Y, p.Z, weight)
	}
	return out
}

// knots adds the nodes of a flat knot vector; their arrays are longer than needed, as they may be.
func (s *Stream) knots(flat []float64) (set, mult *Node, count int) {
	var values []float64
	var times []int
	for i, k := range flat {
		if i == 0 || k != flat[i-1] {
			values, times = append(values, k), append(times, 0)
		}
		times[len(times)-1]++
	}
	count = len(values)
	return s.Add(128, Values{"knots": append(values, math.NaN())}),
		s.Add(127, Values{"mult": append(times, null)}), count
}

func (s *Stream) nurbs(degree, points int, flat []float64, v Values, vertices []float64) *Node {
	v["degree"], v["n_vertices"] = degree, points
	v["bspline_vertices"] = s.Add(45, Values{"vertices": vertices})
	v["knots"], v["knot_mult"], v["n_knots"] = s.knots(flat)
	return s.Add(136, v)
}

func (w *writer) surface(s surface.Surface) *Node {
	g := Values{"sense": byte('+')}
	switch s := s.(type) {
	case surface.Plane:
		axes(g, s.Frame, "pvec", "normal", "x_axis")
		return w.Add(50, g)
	case surface.Cylinder:
		axes(g, s.Frame, "pvec", "axis", "x_axis")
		g["radius"] = s.Radius * metre
		return w.Add(51, g)
	case surface.Cone:
		f, angle := s.Frame, s.HalfAngle
		if angle < 0 { // the radius grows along the axis
			f.Z, f.Y, angle = f.Z.Neg(), f.Y.Neg(), -angle
		}
		axes(g, f, "pvec", "axis", "x_axis")
		g["radius"], g["sin_half_angle"], g["cos_half_angle"] = s.Radius*metre, math.Sin(angle), math.Cos(angle)
		return w.Add(52, g)
	case surface.Sphere:
		axes(g, s.Frame, "centre", "axis", "x_axis")
		g["radius"] = s.Radius * metre
		return w.Add(53, g)
	case surface.Torus:
		axes(g, s.Frame, "centre", "axis", "x_axis")
		g["major_radius"], g["minor_radius"] = s.Major*metre, s.Minor*metre
		if s.Part == surface.Lemon {
			g["major_radius"], g["sense"] = -s.Major*metre, byte('-')
		}
		return w.Add(54, g)
	case *surface.BSpline:
		return w.spline(s)
	case *surface.Extrusion:
		g["section"], g["sweep"], g["scale"] = w.Curve(s.Profile()), s.Dir(), 1.0
		return w.Add(67, g)
	case *surface.Revolution:
		o, d := s.Axis()
		profile := s.Profile()
		if part, ok := profile.(*curve.Trimmed); ok && len(s.Singularities()) > 1 {
			profile, g["start_param"], g["end_param"] = part.Base, part.Range.Lo, part.Range.Hi
		}
		g["profile"], g["base"], g["axis"], g["sense"] = w.Curve(profile), o.Scale(metre), d, byte('-')
		return w.Add(68, g)
	case *surface.Offset:
		base, d := s.Base()
		on := w.surface(base)
		g["surface"], g["offset"], g["sense"] = on, d*metre, on.Values["sense"]
		return w.Add(60, g)
	}
	panic(fmt.Sprintf("xttest: surface %T", s))
}

func (w *writer) spline(s *surface.BSpline) *Node {
	net := s.Net()
	degU, degV := s.Degrees()
	v := Values{"u_degree": degU, "v_degree": degV, "n_u_vertices": net.U.Points(), "n_v_vertices": net.V.Points(),
		"rational": true, "vertex_dim": 4}
	points, homogeneous := net.ControlPoints()
	vertices := numbers(points, nil)
	for _, h := range homogeneous {
		p := h.Vec().Scale(metre)
		vertices = append(vertices, p.X, p.Y, p.Z, h.W)
	}
	v["bspline_vertices"] = w.Add(45, Values{"vertices": vertices})
	v["u_knots"], v["u_knot_mult"], v["n_u_knots"] = w.knots(net.U.Flat())
	v["v_knots"], v["v_knot_mult"], v["n_v_knots"] = w.knots(net.V.Flat())
	return w.Add(124, Values{"sense": byte('+'), "nurbs": w.Add(126, v)})
}
