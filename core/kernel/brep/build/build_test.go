package build

import (
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// parts is every part this package can make, by name.
func parts() map[string]*brep.Model {
	all := map[string]*brep.Model{
		"box":     Box(geom.Vec3{X: 1, Y: 2, Z: 3}),
		"rounded": Prism("rounded", Rounded(20, 10, 2), 5, Style{}),
	}
	for _, s := range Styles() {
		name := func(part string) string { return fmt.Sprintf("%s seams %d poles %d", part, s.Seams, s.Poles) }
		all[name("cylinder")] = Cylinder(2, 5, s)
		all[name("frustum up")] = Frustum(3, 1, 5, s)
		all[name("frustum down")] = Frustum(1, 3, 5, s)
		all[name("cone")] = Frustum(3, 0, 5, s)
		all[name("cone on its apex")] = Frustum(0, 3, 5, s)
		all[name("tube")] = Tube(1, 2, 3, s)
		all[name("sphere")] = Sphere(2, s)
		all[name("apple")] = Apple(1, 2, s)
		all[name("lemon")] = Lemon(1, 2, s)
		all[name("hemispheres")] = Hemispheres(2, s)
		all[name("plate")] = Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, s,
			Hole{geom.Vec2{X: 10, Y: 10}, Through(6, 10)},
			Hole{geom.Vec2{X: 25, Y: 10}, Blind(6, 5, math.Pi)},
			Hole{geom.Vec2{X: 10, Y: 20}, Blind(6, 5, 2)},
			Hole{geom.Vec2{X: 25, Y: 20}, []geom.Vec2{{X: 5}, {X: 5, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 10}}})
	}
	all["milled"] = Milled("milled", Rectangle(80, 60), 20, Style{}, []Cut{
		{Profile: Moved(Rounded(30, 20, 4), geom.Vec2{X: 5, Y: 5}), Depth: 8, Cuts: []Cut{
			{Profile: Moved(Rectangle(6, 6), geom.Vec2{X: 15, Y: 12}), Depth: -4},
			{Profile: Slot(geom.Vec2{X: 24, Y: 12}, geom.Vec2{X: 28, Y: 16}, 4), Depth: 12},
		}},
		{Profile: Moved(Rectangle(10, 10), geom.Vec2{X: 50, Y: 30}), Depth: -10, Holes: []Hole{
			{geom.Vec2{X: 55, Y: 35}, Blind(5, 12, 2)},
		}},
	}, Hole{geom.Vec2{X: 70, Y: 10}, Through(8, 20)})
	all["blocks"] = Blocks("blocks", Add(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10}),
		Add(geom.Vec3{Z: 10}, geom.Vec3{X: 5, Y: 20, Z: 25}),
		Subtract(geom.Vec3{X: 10, Y: 5, Z: 6}, geom.Vec3{X: 20, Y: 15, Z: 10}))
	for f := range TorusForms {
		all[fmt.Sprintf("torus %d", f)] = Torus(5, 2, f)
	}
	return all
}

func TestTopology(t *testing.T) {
	for name, m := range parts() {
		for i, e := range m.Edges {
			checkEdge(t, name, m, i, e)
		}
		for li, l := range m.Loops {
			for k, c := range l.Coedges {
				next := l.Coedges[(k+1)%len(l.Coedges)]
				if got, want := m.CoedgeStart(next), m.CoedgeEnd(c); got != want {
					t.Errorf("%s: loop %d coedge %d starts at vertex %d, want %d", name, li, next, got, want)
				}
			}
		}
	}
}

// TestBlocksVolume compares the volume of blocks with the divergence theorem over the corners of their faces.
func TestBlocksVolume(t *testing.T) {
	m := parts()["blocks"]
	volume := 0.0
	for _, l := range m.Loops {
		origin := m.Vertices[m.CoedgeStart(l.Coedges[0])].Point
		for _, c := range l.Coedges {
			a, b := m.Vertices[m.CoedgeStart(c)].Point, m.Vertices[m.CoedgeEnd(c)].Point
			volume += origin.Dot(a.Cross(b)) / 6
		}
	}
	if want := 30*20*10 + 5*20*15 - 10*10*4.0; math.Abs(volume-want) > 1e-9 {
		t.Errorf("volume %g, want %g", volume, want)
	}
}

func checkEdge(t *testing.T, name string, m *brep.Model, i int, e brep.Edge) {
	if e.Curve == nil {
		return
	}
	if len(e.Coedges) != 2 || m.Coedges[e.Coedges[0]].Reversed == m.Coedges[e.Coedges[1]].Reversed {
		t.Errorf("%s: edge %d is used by %v, want two opposite uses", name, i, e.Coedges)
	}
	for _, end := range []struct {
		t float64
		v brep.VertexID
	}{{e.Range.Lo, e.Start}, {e.Range.Hi, e.End}} {
		if d := e.Curve.At(end.t).Dist(m.Vertices[end.v].Point); d > 1e-12 {
			t.Errorf("%s: edge %d misses its vertex %d by %g", name, i, end.v, d)
		}
	}
	for _, c := range e.Coedges {
		f := m.FaceOf(c)
		p := e.Curve.At(e.Range.At(0.3))
		if _, d := m.Faces[f].Surface.Invert(p); d > 1e-12 {
			t.Errorf("%s: edge %d is %g off face %d", name, i, d, f)
		}
		if s := leftOf(m, c); s < 0 {
			t.Errorf("%s: loop of edge %d has the face %d on its right", name, i, f)
		}
	}
}

// leftOf is negative when the two faces at a coedge disagree on whether their edge is convex. This is so if one of them
// lies on the wrong side of the edge or has its normal flipped.
func leftOf(m *brep.Model, c brep.CoedgeID) float64 {
	e, f := &m.Edges[m.Coedges[c].Edge], &m.Faces[m.FaceOf(c)]
	p, tangent := e.Curve.D1(e.Range.At(0.3))
	uv, _ := f.Surface.Invert(p)
	n := f.Surface.Normal(uv.X, uv.Y)
	if f.Reversed {
		n = n.Neg()
	}
	if m.Coedges[c].Reversed {
		tangent = tangent.Neg()
	}
	in := n.Cross(tangent.Unit())
	other := e.Coedges[0]
	if other == c {
		other = e.Coedges[1]
	}
	g := &m.Faces[m.FaceOf(other)]
	uv, _ = g.Surface.Invert(p)
	k := g.Surface.Normal(uv.X, uv.Y)
	if g.Reversed {
		k = k.Neg()
	}
	inOther := k.Cross(tangent.Unit().Neg())
	a, b := inOther.Dot(n), in.Dot(k)
	const smooth = 1e-9
	if math.Abs(a) < smooth && math.Abs(b) < smooth {
		return 0
	}
	return a * b
}
