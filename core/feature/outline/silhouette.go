package outline

// Silhouettes: curves along which curved faces turn away from the view.
//
// Method: the sign of the normal along the view is known at the points of the mesh. If it changes within a triangle,
// the silhouette crosses two of its sides. Each crossing is found on the exact surface, by regula falsi between the
// parameters of the side's ends. There the normal lies in the plane and is also the normal of the projected silhouette,
// which arcs then follow through the crossings. G. Elber, E. Cohen, "Hidden curve removal for free form surfaces",
// SIGGRAPH 1990, finds the same curve from its surface's normals. Only convex regions count: where a concave one turns
// away from the view, material lies on all sides.
//
// Cost: a pass over the triangles of a face whose normals change sides. Limits: a silhouette within one triangle is not
// found. Spheres, cylinders and cones have exact silhouettes. Other silhouettes are exact in the crossings and have the
// mesh tolerance between them.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	upright   = 1e-6  // n·z of a normal that lies in the plane
	rootError = 1e-10 // n·z of a crossing
	rootSteps = 60
)

// Silhouette is a curve along which the view is tangent to a convex face.
type Silhouette struct {
	Pieces []planar.Segment
	Top    float64 // mm along the view, its highest point
}

// Silhouettes returns the silhouettes of a patch, nil if all of it is seen from one side.
func (v Projection) Silhouettes(q int32) []Silhouette {
	p := &v.Graph.Patches[q]
	isBent := p.Kind != surface.KindPlane && (p.Kind == surface.KindBSpline || p.Kind == surface.KindTorus || !p.Hollow)
	if !isBent {
		return nil
	}
	if iv := v.Graph.Slopes(q, v.Frame.Z); iv.Lo >= -upright || iv.Hi <= upright {
		return nil
	}
	var out []Silhouette
	for _, f := range p.Faces {
		g := grazing{view: v, face: f, at: make(map[[2]int32]int32)}
		g.cross()
		out = g.chain(out)
	}
	return out
}

// grazing finds the silhouettes of one face.
type grazing struct {
	view   Projection
	face   brep.FaceID
	at     map[[2]int32]int32 // the crossing of a side of the mesh
	points []crossing
}

// crossing is a point of a silhouette.
type crossing struct {
	flat, normal geom.Vec2 // in the plane
	z            float64
	to, from     int32 // the next and the previous crossing, graph.None at an end
}

// cross collects the crossings of all triangles, linked with the side that is seen on the left.
func (g *grazing) cross() {
	msh := g.view.Graph.Mesh
	r := &msh.Regions[g.face]
	lean := func(point int32) float64 {
		k, _ := slices.BinarySearch(r.Vertices, point)
		return r.Normals[k].Dot(g.view.Frame.Z)
	}
	for _, t := range msh.Triangles[r.Start:r.End] {
		var end [2]int32 // where the silhouette enters the seen part of the triangle, and where it leaves it
		leans := [3]float64{lean(t[0]), lean(t[1]), lean(t[2])}
		count := 0
		for i := range 3 {
			k := (i + 1) % 3
			switch isSeen := leans[i] > upright; {
			case isSeen == (leans[k] > upright):
			case isSeen:
				end[1] = g.crossing(t[i], t[k], leans[i], leans[k])
				count++
			default:
				end[0] = g.crossing(t[i], t[k], leans[i], leans[k])
				count++
			}
		}
		if count == 2 && end[0] != end[1] && g.bulges(t, leans) {
			g.points[end[0]].from, g.points[end[1]].to = end[1], end[0]
		}
	}
}

// bulges reports whether the surface is convex within a triangle: its normals turn up toward the higher side.
func (g *grazing) bulges(t [3]int32, lean [3]float64) bool {
	pts := g.view.Graph.Mesh.Points
	u, v := pts[t[1]].Sub(pts[t[0]]), pts[t[2]].Sub(pts[t[0]])
	du, dv := lean[1]-lean[0], lean[2]-lean[0]
	// The gradient of the lean in the plane of the triangle.
	uu, uv, vv := u.Norm2(), u.Dot(v), v.Norm2()
	det := uu*vv - uv*uv
	if det <= 0 {
		return false
	}
	slope := u.Scale((vv*du - uv*dv) / det).Add(v.Scale((uu*dv - uv*du) / det))
	return slope.Dot(g.view.Frame.Z) > 0
}

// crossing returns the number of the point at which the lean of the normal is zero, between the opposite signs of a and
// b.
func (g *grazing) crossing(a, b int32, leanA, leanB float64) int32 {
	if a > b {
		a, b, leanA, leanB = b, a, leanB, leanA
	}
	key := [2]int32{a, b}
	if k, ok := g.at[key]; ok {
		return k
	}
	s := g.view.Graph.Model.Faces[g.face].Surface
	pts := g.view.Graph.Mesh.Points
	from, _ := s.Invert(pts[a])
	to, _ := s.InvertNear(pts[b], from)
	sense := 1.0
	if g.view.Graph.Model.Faces[g.face].Reversed {
		sense = -1
	}
	lean := func(x float64) float64 {
		uv := from.Lerp(to, x)
		return sense * s.Normal(uv.X, uv.Y).Dot(g.view.Frame.Z)
	}
	uv := from.Lerp(to, root(lean, leanA, leanB))
	n := g.view.Point(s.Normal(uv.X, uv.Y)).Scale(sense)
	at := s.At(uv.X, uv.Y)
	k := int32(len(g.points))
	g.at[key] = k
	g.points = append(g.points, crossing{g.view.Point(at), n, at.Dot(g.view.Frame.Z), graph.None, graph.None})
	return k
}

// root returns the zero of f between 0, where it is fa, and 1, where it is fb, by the Illinois form of regula falsi (M.
// Dowell, P. Jarratt, BIT 11, 1971).
func root(f func(float64) float64, fa, fb float64) float64 {
	a, b := 0.0, 1.0
	if (fa > 0) == (fb > 0) { // one end is nearly zero
		if math.Abs(fa) < math.Abs(fb) {
			return a
		}
		return b
	}
	x := a
	for range rootSteps {
		x = a + (b-a)*fa/(fa-fb)
		switch y := f(x); {
		case math.Abs(y) <= rootError:
			return x
		case (y > 0) == (fb > 0):
			b, fb, fa = x, y, fa/2
		default:
			a, fa, fb = x, y, fb/2
		}
	}
	return x
}

// chain adds the silhouettes that the crossings make.
func (g *grazing) chain(out []Silhouette) []Silhouette {
	used := make([]bool, len(g.points))
	for _, open := range [2]bool{true, false} { // open ones are walked from their beginning
		for i := range g.points {
			p := &g.points[i]
			if used[i] || p.to == graph.None || open && p.from != graph.None {
				continue
			}
			s := Silhouette{Top: math.Inf(-1)}
			var line flat
			for k := int32(i); k != graph.None; k = g.points[k].to {
				c := &g.points[k]
				s.Top = max(s.Top, c.z)
				line.add(c.flat, geom.Vec2{X: -c.normal.Y, Y: c.normal.X}, upright)
				if used[k] {
					break // it is closed
				}
				used[k] = true
			}
			if s.Pieces = line.appendTo(nil); len(s.Pieces) > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}
