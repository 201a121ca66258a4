package heal

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// block is a sound part of 40 x 30 x 20 mm with a tolerance of 0.001 mm.
func block() *brep.Model { return clone(build.Box(geom.Vec3{X: 40, Y: 30, Z: 20})) }

// pin is a sound part whose edges are circles and seams.
func pin() *brep.Model { return clone(build.Cylinder(10, 20, build.Styles()[0])) }

// splitEdge cuts an edge of m for all of its uses and returns the new edge behind parameter t.
func splitEdge(m *brep.Model, e brep.EdgeID, t float64) brep.EdgeID {
	h := newHealer(m)
	m.Vertices = append(m.Vertices, brep.Vertex{Point: m.Edges[e].Curve.At(t)})
	return h.cut(e, t, brep.VertexID(len(m.Vertices)-1))
}

// addFace adds a face of one loop to the first shell; uses are edges, negative ^e for reversed ones.
func addFace(m *brep.Model, s surface.Surface, uses ...brep.EdgeID) brep.FaceID {
	f := brep.FaceID(len(m.Faces))
	l := brep.LoopID(len(m.Loops))
	loop := brep.Loop{Face: f, Vertex: brep.None}
	for _, e := range uses {
		ce := brep.Coedge{Loop: l, Edge: e}
		if e < 0 {
			ce.Edge, ce.Reversed = ^e, true
		}
		loop.Coedges = append(loop.Coedges, brep.CoedgeID(len(m.Coedges)))
		m.Coedges = append(m.Coedges, ce)
	}
	m.Loops = append(m.Loops, loop)
	m.Faces = append(m.Faces, brep.Face{Surface: s, Loops: []brep.LoopID{l}, Origin: int32(f)})
	m.Shells[0].Faces = append(m.Shells[0].Faces, f)
	return f
}

// bowed returns a straight edge's curve as an arc with the given height.
func bowed(m *brep.Model, e *brep.Edge, height float64) (curve.Curve, geom.Interval) {
	p, q := m.Vertices[e.Start].Point, m.Vertices[e.End].Point
	half := p.Dist(q) / 2
	radius := (half*half + height*height) / (2 * height)
	along := q.Sub(p).Unit()
	side := along.Perp()
	center := p.Lerp(q, 0.5).AddScaled(height-radius, side)
	frame := geom.Frame{Origin: center, X: along.Neg(), Y: side, Z: side.Cross(along)}
	angle := math.Asin(half / radius)
	return curve.Circle{Frame: frame, Radius: radius}, geom.Interval{Lo: math.Pi/2 - angle, Hi: math.Pi/2 + angle}
}

// doubled gives a coedge's face its own edge with another curve, and returns it with the old edge.
func doubled(m *brep.Model, c brep.CoedgeID, height float64) (own, old brep.EdgeID) {
	old = m.Coedges[c].Edge
	e := m.Edges[old]
	e.Coedges = nil
	if height > 0 {
		e.Curve, e.Range = bowed(m, &e, height)
	}
	own = brep.EdgeID(len(m.Edges))
	m.Edges = append(m.Edges, e)
	m.Coedges[c].Edge = own
	return own, old
}

// damages are controlled faults, each with the repair that undoes it.
var damages = []struct {
	name  string
	part  func() *brep.Model
	wreck func(m *brep.Model)
	code  string
	count int
	size  float64 // mm: largest move
}{
	{"an edge ends early", block, func(m *brep.Model) { m.Edges[3].Range.Hi *= 0.8 }, EdgeRangeFitted, 1, 0},
	{"an edge begins late and ends behind its vertex", block, func(m *brep.Model) {
		m.Edges[3].Range.Lo += 1
		m.Edges[3].Range.Hi += 2
	}, EdgeRangeFitted, 1, 0},
	{"each loop has vertices of its own", block, func(m *brep.Model) {
		for e := range m.Edges {
			m.Vertices = append(m.Vertices, m.Vertices[m.Edges[e].End])
			m.Edges[e].End = brep.VertexID(len(m.Vertices) - 1)
		}
	}, LoopGap, 12, 0},
	{"a gap within the tolerance", block, func(m *brep.Model) {
		v := m.Vertices[m.Edges[0].End]
		v.Point.X += 5e-4
		m.Vertices = append(m.Vertices, v)
		m.Edges[0].End = brep.VertexID(len(m.Vertices) - 1)
	}, LoopGap, 1, 5e-4},
	{"a gap wider than the tolerance", block, func(m *brep.Model) {
		v := m.Vertices[m.Edges[0].End]
		v.Point.Z += 4e-3
		v.Tolerance = 4e-3
		m.Vertices = append(m.Vertices, v)
		m.Edges[0].End = brep.VertexID(len(m.Vertices) - 1)
	}, LoopGap, 1, 4e-3},
	{"a loop in another order", block, func(m *brep.Model) {
		c := m.Loops[2].Coedges
		c[0], c[2], c[1] = c[1], c[0], c[2]
	}, LoopOrder, 1, 0},
	{"the loop of a seam in another order", pin, func(m *brep.Model) {
		for i := range m.Loops {
			if c := m.Loops[i].Coedges; len(c) == 4 {
				c[0], c[1], c[2] = c[2], c[0], c[1]
			}
		}
	}, LoopOrder, 1, 0},
	{"rings in one loop without their seam", pin, func(m *brep.Model) {
		for i := range m.Loops {
			if len(m.Loops[i].Coedges) < 4 {
				continue
			}
			var rings []brep.CoedgeID
			for _, c := range m.Loops[i].Coedges {
				if e := m.Edges[m.Coedges[c].Edge]; e.Start == e.End {
					rings = append(rings, c)
				}
			}
			m.Loops[i].Coedges = rings
		}
	}, LoopOrder, 1, 0},
	{"an edge walked the wrong way", block, func(m *brep.Model) {
		c := &m.Coedges[m.Loops[1].Coedges[2]]
		c.Reversed = !c.Reversed
	}, EdgesReversed, 1, 0},
	{"two edges walked the wrong way, in two loops", block, func(m *brep.Model) {
		for _, id := range []brep.CoedgeID{m.Loops[1].Coedges[2], m.Loops[4].Coedges[3]} {
			m.Coedges[id].Reversed = !m.Coedges[id].Reversed
		}
	}, EdgesReversed, 2, 0},
	{"an edge of 0.0005 mm", block, func(m *brep.Model) {
		splitEdge(m, splitEdge(m, 0, 5), 5.0005)
	}, ShortEdge, 1, 5e-4},
	{"two short edges in a row", block, func(m *brep.Model) {
		splitEdge(m, splitEdge(m, splitEdge(m, 0, 5), 5.0002), 5.0004)
	}, ShortEdge, 2, 4e-4},
	{"a sliver between two straight edges", block, func(m *brep.Model) {
		own, old := doubled(m, m.Edges[0].Coedges[0], 0)
		addFace(m, planeThrough(m, old), ^own, old)
	}, SliverFace, 1, 0},
	{"a sliver between a straight and a bowed edge", block, func(m *brep.Model) {
		own, old := doubled(m, m.Edges[0].Coedges[0], 5e-4)
		addFace(m, planeThrough(m, old), ^own, old)
	}, SliverFace, 1, 5e-4},
	{"a sliver between one edge and two", block, func(m *brep.Model) {
		own, old := doubled(m, m.Edges[0].Coedges[0], 0)
		m.Link()
		rest := splitEdge(m, own, 7)
		addFace(m, planeThrough(m, old), ^rest, ^own, old)
	}, SliverFace, 1, 0},
	{"a sliver with short ends", block, func(m *brep.Model) {
		own, old := doubled(m, m.Edges[0].Coedges[0], 0)
		m.Link()
		rest := splitEdge(m, own, 3e-4)
		addFace(m, planeThrough(m, old), ^rest, ^own, old)
	}, ShortEdge, 1, 3e-4},
	{"a face twice", block, func(m *brep.Model) {
		var uses []brep.EdgeID
		for _, c := range m.Loops[m.Faces[2].Loops[0]].Coedges {
			if e := m.Coedges[c].Edge; m.Coedges[c].Reversed {
				uses = append(uses, ^e)
			} else {
				uses = append(uses, e)
			}
		}
		f := addFace(m, m.Faces[2].Surface, uses...)
		m.Faces[f].Reversed = m.Faces[2].Reversed
	}, DuplicateFace, 1, 0},
	{"an edge off its faces", block, func(m *brep.Model) {
		m.Edges[0].Curve, m.Edges[0].Range = bowed(m, &m.Edges[0], 0.02)
	}, TolerantEdge, 1, 0.02},
}

// planeThrough returns a plane through a straight edge.
func planeThrough(m *brep.Model, e brep.EdgeID) surface.Surface {
	p, q := m.Vertices[m.Edges[e].Start].Point, m.Vertices[m.Edges[e].End].Point
	along := q.Sub(p).Unit()
	return surface.Plane{Frame: geom.NewFrame(p, along.Cross(along.Perp()), along)}
}

func measured(t testing.TB, m *brep.Model) *mass.Properties {
	t.Helper()
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDamagesAreRepaired(t *testing.T) {
	for _, c := range damages {
		t.Run(c.name, func(t *testing.T) {
			sound, m := measured(t, c.part()), c.part()
			c.wreck(m)
			m.Link()
			if err := Model(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			var found *fault.Warning
			for i := range m.Warnings {
				if m.Warnings[i].Code == c.code {
					found = &m.Warnings[i]
				}
			}
			if found == nil || found.Count != c.count {
				t.Errorf("warnings %+v, want %d of %s", m.Warnings, c.count, c.code)
			}
			for _, p := range brep.Check(m) {
				t.Errorf("%s: %s", p.Code, p.Message)
			}
			got := measured(t, m)
			if math.Abs(got.Volume-sound.Volume) > c.size*sound.Area+1e-9*sound.Volume {
				t.Errorf("volume %.9g, want %.9g", got.Volume, sound.Volume)
			}
			mesh, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !mesh.Report.Watertight {
				t.Errorf("the mesh is not watertight: %v", mesh.Warnings)
			}
			if v := mesh.Mesh.Volume(); math.Abs(v/sound.Volume-1) > 5e-3 {
				t.Errorf("volume of the mesh %g, want %g", v, sound.Volume)
			}
			before := clone(m)
			before.Warnings = m.Warnings
			if err := Model(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			after := clone(m)
			after.Warnings = m.Warnings
			if !reflect.DeepEqual(before, after) {
				t.Errorf("healing again changed it: %v", m.Warnings)
			}
		})
	}
}

// TestSeveralDamagesAtOnce draws damages of different edges and loops.
func TestSeveralDamagesAtOnce(t *testing.T) {
	sound := measured(t, block())
	rapid.Check(t, func(rt *rapid.T) {
		m := block()
		for e := range 12 {
			switch rapid.IntRange(0, 4).Draw(rt, fmt.Sprint("edge ", e)) {
			case 0:
				m.Edges[e].Range.Hi *= rapid.Float64Range(0.5, 0.99).Draw(rt, "early")
			case 1:
				m.Vertices = append(m.Vertices, m.Vertices[m.Edges[e].End])
				m.Edges[e].End = brep.VertexID(len(m.Vertices) - 1)
			case 2:
				splitEdge(m, splitEdge(m, brep.EdgeID(e), 5), 5.0007)
			}
		}
		for l := range m.Loops {
			if rapid.Bool().Draw(rt, "shuffle") {
				m.Loops[l].Coedges = rapid.Permutation(m.Loops[l].Coedges).Draw(rt, "order")
			}
		}
		m.Link()
		if err := Model(context.Background(), m); err != nil {
			rt.Fatal(err)
		}
		for _, p := range brep.Check(m) {
			rt.Errorf("%s: %s", p.Code, p.Message)
		}
		p, err := mass.Compute(context.Background(), m)
		if err != nil {
			rt.Fatal(err)
		}
		if math.Abs(p.Volume-sound.Volume) > 1e-3*sound.Area {
			rt.Errorf("volume %g, want %g", p.Volume, sound.Volume)
		}
	})
}

// TestReversedUseBesideSeamIsRestored reverses one edge of a loop with a seam.
func TestReversedUseBesideSeamIsRestored(t *testing.T) {
	tried := 0
	for name, sound := range soundModels(t) {
		for c := range sound.Coedges {
			e := &sound.Edges[sound.Coedges[c].Edge]
			face := sound.FaceOf(brep.CoedgeID(c))
			if e.Curve == nil || e.Start == e.End || !hasSeam(sound, &sound.Faces[face]) {
				continue
			}
			tried++
			m := clone(sound)
			m.Coedges[c].Reversed = !m.Coedges[c].Reversed
			Topology(m)
			if !reflect.DeepEqual(m.Coedges, clone(sound).Coedges) || len(m.Warnings) != 1 ||
				m.Warnings[0].Code != EdgesReversed {
				t.Errorf("%s: coedge %d is not turned back: %v", name, c, m.Warnings)
			}
		}
	}
	if tried < 20 {
		t.Errorf("%d uses were tried", tried)
	}
}

// TestUnrepairableLoopsStayUnchanged has loops whose repair is not unique.
func TestUnrepairableLoopsStayUnchanged(t *testing.T) {
	for name, wreck := range map[string]func(m *brep.Model){
		"an edge is missing": func(m *brep.Model) {
			l := &m.Loops[0]
			l.Coedges = l.Coedges[1:]
		},
		"a wide gap": func(m *brep.Model) {
			v := m.Vertices[m.Edges[0].End]
			v.Point.X += 3
			m.Vertices = append(m.Vertices, v)
			m.Edges[0].End = brep.VertexID(len(m.Vertices) - 1)
		},
	} {
		m := block()
		wreck(m)
		m.Link()
		want := clone(m)
		if err := Model(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		got := clone(m)
		if !reflect.DeepEqual(got.Loops, want.Loops) || !reflect.DeepEqual(got.Coedges, want.Coedges) {
			t.Errorf("%s: changed with %v", name, m.Warnings)
		}
	}
}
