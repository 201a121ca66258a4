package iges

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// solidDeck writes manifold solids (186) with all of their lists.
type solidDeck struct {
	igestest.Deck
	against  bool   // normals of the surfaces point into the material, and the shell marks each face as opposite
	planes   bool   // loops have the direction around the surface's normal, as some systems write them
	flat     string // curves in the parameter plane of each edge of a loop
	isTurned bool   // edges of the list are opposite to their curves
}

// shell adds the closed shell (514) of a box with a corner at o.
func (d *solidDeck) shell(o, size geom.Vec3) int {
	var points []string
	var corner [8]geom.Vec3
	for i := range corner {
		p := o.Add(geom.Vec3{X: size.X * float64(i&1), Y: size.Y * float64(i>>1&1), Z: size.Z * float64(i>>2)})
		corner[i] = p
		points = append(points, v(p))
	}
	vertices := d.Add(502, 1, "8,%s", strings.Join(points, ","))
	place := map[[2]int]int{}
	var entries []string
	for a := range corner {
		for _, step := range [3]int{1, 2, 4} {
			b := a | step
			if a == b {
				continue
			}
			from, to := corner[a], corner[b]
			if d.isTurned {
				from, to = to, from
			}
			line := d.Add(110, 0, "%s,%s", v(from), v(to))
			entries = append(entries, fmt.Sprintf("%d,%d,%d,%d,%d", line, vertices, a+1, vertices, b+1))
			place[[2]int{a, b}] = len(entries)
		}
	}
	edges := d.Add(504, 1, "%d,%s", len(entries), strings.Join(entries, ","))
	var faces []string
	for _, f := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		n := corner[f[1]].Sub(corner[f[0]]).Cross(corner[f[2]].Sub(corner[f[0]])).Unit()
		flag := 1
		if d.against {
			n, flag = n.Neg(), 0
		}
		if d.against && d.planes {
			f[1], f[3] = f[3], f[1]
		}
		surface := planeThrough(&d.Deck, corner[f[0]], n)
		var uses []string
		for i, a := range f {
			b, along := f[(i+1)%4], 1
			if a > b {
				a, b, along = b, a, 0
			}
			uses = append(uses, fmt.Sprintf("0,%d,%d,%d,%s", edges, place[[2]int{a, b}], along, d.flat))
		}
		loop := d.Add(508, 1, "4,%s", strings.Join(uses, ","))
		faces = append(faces, fmt.Sprintf("%d,%d", d.Add(510, 1, "%d,1,1,%d", surface, loop), flag))
	}
	return d.Add(514, 1, "6,%s", strings.Join(faces, ","))
}

// TestSolidStatements reads manifold solids and measures them.
func TestSolidStatements(t *testing.T) {
	size, inner := geom.Vec3{X: 2, Y: 3, Z: 4}, geom.Vec3{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		name   string
		deck   solidDeck
		add    func(d *solidDeck)
		volume float64
		shells int
	}{
		{"186", solidDeck{flat: "0"},
			func(d *solidDeck) { d.Add(186, 0, "%d,1,0", d.shell(geom.Vec3{}, size)) }, 24, 1},
		{"186 with a void", solidDeck{flat: "0"}, func(d *solidDeck) {
			outer, void := d.shell(geom.Vec3{}, size), d.shell(geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5}, inner)
			d.Add(186, 0, "%d,1,1,%d,0", outer, void)
		}, 23, 2},
		{"186 whose shell points inwards", solidDeck{flat: "0", against: true}, func(d *solidDeck) {
			d.Add(186, 0, "%d,1,0", d.shell(geom.Vec3{}, size))
		}, 24, 1},
		{"514: loops around the normal of the surface", solidDeck{flat: "0", against: true, planes: true},
			func(d *solidDeck) { d.Add(186, 0, "%d,1,0", d.shell(geom.Vec3{}, size)) }, 24, 1},
		{"504: curves that run from the end to the start", solidDeck{flat: "0", isTurned: true}, func(d *solidDeck) {
			d.Add(186, 0, "%d,1,0", d.shell(geom.Vec3{}, size))
		}, 24, 1},
		{"508: curves in the parameter plane are passed over", solidDeck{flat: "2,1,777,0,779"}, func(d *solidDeck) {
			d.Add(186, 0, "%d,1,0", d.shell(geom.Vec3{}, size))
		}, 24, 1},
		{"186 moved by a matrix", solidDeck{flat: "0"}, func(d *solidDeck) {
			at := d.Add(124, 0, "0.,-1.,0.,5.,1.,0.,0.,6.,0.,0.,1.,7.")
			d.Put(igestest.Entry{Type: 186, Transform: at,
				Parameters: fmt.Sprintf("%d,1,0", d.shell(geom.Vec3{}, size))})
		}, 24, 1},
		{"186 in an instance that mirrors", solidDeck{flat: "0"}, func(d *solidDeck) {
			at := d.Add(124, 1, "-1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,1.,0.")
			solid := d.Put(igestest.Entry{Type: 186, Status: "00010000",
				Parameters: fmt.Sprintf("%d,1,0", d.shell(geom.Vec3{}, size))})
			def := d.Add(308, 0, "0,1Ha,1,%d", solid)
			d.Put(igestest.Entry{Type: 408, Transform: at, Parameters: fmt.Sprintf("%d,0.,0.,0.,2.", def)})
		}, 24 * 8, 1},
		{"430 twice", solidDeck{flat: "0"}, func(d *solidDeck) {
			solid := d.Put(igestest.Entry{Type: 186, Status: "00010000",
				Parameters: fmt.Sprintf("%d,1,0", d.shell(geom.Vec3{}, size))})
			at := d.Add(124, 0, "1.,0.,0.,10.,0.,1.,0.,0.,0.,0.,1.,0.")
			d.Add(430, 0, "%d", solid)
			d.Put(igestest.Entry{Type: 430, Transform: at, Parameters: fmt.Sprint(solid)})
		}, 48, 2},
		{"184 of two solids", solidDeck{flat: "0"}, func(d *solidDeck) {
			a := d.Put(igestest.Entry{Type: 186, Status: "00010000",
				Parameters: fmt.Sprintf("%d,1,0", d.shell(geom.Vec3{}, size))})
			at := d.Add(124, 0, "1.,0.,0.,10.,0.,1.,0.,0.,0.,0.,1.,0.")
			d.Add(184, 0, "2,%d,%d,0,%d", a, a, at)
		}, 48, 2},
		{"a blanked solid beside a visible one", solidDeck{flat: "0"}, func(d *solidDeck) {
			d.Add(186, 0, "%d,1,0", d.shell(geom.Vec3{}, size))
			d.Put(igestest.Entry{Type: 186, Status: "01000000",
				Parameters: fmt.Sprintf("%d,1,0", d.shell(geom.Vec3{X: 9}, inner))})
		}, 24, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.add(&c.deck)
			m := mustRead(t, &c.deck.Deck)
			for _, p := range brep.Check(m) {
				t.Errorf("%s: %s", p.Code, p.Message)
			}
			p, err := mass.Compute(t.Context(), m)
			if err != nil || math.Abs(p.Volume-c.volume) > 1e-9*c.volume || len(m.Shells) != c.shells {
				t.Fatalf("%v, %d shells, volume %+v; want %d, %g", err, len(m.Shells), p, c.shells, c.volume)
			}
			for i, s := range p.Solids {
				if len(s.InsideOut) > 0 {
					t.Errorf("solid %d is inside out", i)
				}
			}
		})
	}
}

// TestPoles reads a solid with loops of vertices and edges, or of a vertex only (508, type 1): a hemisphere above a
// disc, and a whole sphere with a pole as its only loop.
func TestPoles(t *testing.T) {
	for _, c := range []struct {
		name   string
		add    func(d *igestest.Deck)
		volume float64
	}{
		{"a pole as the only loop", func(d *igestest.Deck) {
			vertices := d.Add(502, 1, "1,0.,0.,2.")
			s := d.Add(196, 1, "%d,2.,%d,%d", pointAndAxes(d, geom.Vec3{}, geom.World.Z, geom.World.X)...)
			loop := d.Add(508, 1, "1,1,%d,1,1,0", vertices)
			d.Add(186, 0, "%d,1,0", d.Add(514, 1, "1,%d,1", d.Add(510, 1, "%d,1,1,%d", s, loop)))
		}, 32 * math.Pi / 3},
		{"a pole beside a circle", func(d *igestest.Deck) {
			vertices := d.Add(502, 1, "2,2.,0.,0.,0.,0.,2.")
			circle := d.Add(100, 0, "0.,0.,0.,2.,0.,2.,0.")
			edges := d.Add(504, 1, "1,%d,%d,1,%d,1", circle, vertices, vertices)
			s := d.Add(196, 1, "%d,2.,%d,%d", pointAndAxes(d, geom.Vec3{}, geom.World.Z, geom.World.X)...)
			rim, pole := d.Add(508, 1, "1,0,%d,1,1,0", edges), d.Add(508, 1, "1,1,%d,2,1,0", vertices)
			dome := d.Add(510, 1, "%d,2,0,%d,%d", s, rim, pole)
			floor := d.Add(510, 1, "%d,1,1,%d", planeThrough(d, geom.Vec3{}, geom.World.Z.Neg()),
				d.Add(508, 1, "1,0,%d,1,0,0", edges))
			d.Add(186, 0, "%d,1,0", d.Add(514, 1, "2,%d,1,%d,1", dome, floor))
		}, 16 * math.Pi / 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.add(d)
			m := mustRead(t, d)
			p, err := mass.Compute(t.Context(), m)
			if err != nil || len(m.Solids) != 1 || math.Abs(p.Volume-c.volume) > 1e-6*c.volume {
				t.Errorf("%d solids, %v, volume %+v, want %g", len(m.Solids), err, p, c.volume)
			}
		})
	}
}

// TestBadSolids has failures that name the entity at fault.
func TestBadSolids(t *testing.T) {
	disc := func(entry, loop, face, shell, solid string) func(d *igestest.Deck) {
		return func(d *igestest.Deck) { // D1 curve, D3 vertices, D5 edges, D7 loop, D9 plane, D11 face, D13 shell
			d.Add(100, 0, "0.,0.,0.,2.,0.,2.,0.")
			d.Add(502, 1, "1,2.,0.,0.")
			d.Add(504, 1, "%s", entry)
			d.Add(508, 1, "%s", loop)
			planeThrough(d, geom.Vec3{}, geom.World.Z)
			d.Add(510, 1, "%s", face)
			d.Add(514, 1, "%s", shell)
			d.Add(186, 0, "%s", solid)
		}
	}
	const entry, loop, face, shell, solid = "1,1,3,1,3,1", "1,0,5,1,1,0", "9,1,1,7", "1,11,1", "13,1,0"
	for _, c := range []struct {
		name string
		add  func(d *igestest.Deck)
		err  string
	}{
		{"186: no shell", disc(entry, loop, face, shell, "0,1,0"), "D15"},
		{"186: a face for a shell", disc(entry, loop, face, shell, "11,1,0"), "D11"},
		{"514: no faces", disc(entry, loop, face, "0", solid), "D13"},
		{"514: more faces than it has", disc(entry, loop, face, "1000000,11,1", solid), "D13"},
		{"514: a loop for a face", disc(entry, loop, face, "1,7,1", solid), "D7"},
		{"510: no surface", disc(entry, loop, "0,1,1,7", shell, solid), "D11"},
		{"510: a loop that is not there", disc(entry, loop, "9,1,1,99", shell, solid), "D99"},
		{"508: an edge behind the end of its list", disc(entry, "1,0,5,2,1,0", face, shell, solid), "edge 2 of D5"},
		{"508: a list of edges that is one of vertices", disc(entry, "1,0,3,1,1,0", face, shell, solid), "D3"},
		{"504: a vertex behind the end of its list", disc("1,1,3,9,3,1", loop, face, shell, solid), "vertex 9 of D3"},
		{"504: a vertex numbered zero", disc("1,1,3,0,3,1", loop, face, shell, solid), "vertex 0 of D3"},
		{"504: no curve", disc("1,0,3,1,3,1", loop, face, shell, solid), "lacks a reference"},
		{"504: a surface for a curve", disc("1,9,3,1,3,1", loop, face, shell, solid), "D9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.add(d)
			m, err := readDeck(t, d)
			if err == nil { // read without the damaged entity
				if !strings.Contains(fmt.Sprint(m.Warnings), c.err) {
					t.Errorf("warnings %v, want one with %q", m.Warnings, c.err)
				}
				return
			}
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != "unreadable_file" || !strings.Contains(f.Reason, c.err) {
				t.Errorf("got %v, want a failure with %q", err, c.err)
			}
		})
	}
}
