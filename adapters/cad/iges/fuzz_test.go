package iges

import (
	"fmt"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/adapters/cad/internal/fuzztest"
	"millwright.dev/millwright/core/kernel/geom"
)

// seeds are small files that between them use most of the entities.
func seeds() []string {
	var out []string
	add := func(build func(d *igestest.Deck)) {
		d := &igestest.Deck{}
		build(d)
		out = append(out, d.Fixed())
	}
	add(func(d *igestest.Deck) { box(d, geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}) })
	add(func(d *igestest.Deck) { // every kind of curve in one boundary
		base := d.Add(100, 0, "0.,0.,0.,2.,0.,-2.,0.")
		d.Add(130, 0, "%d,1,0,0,1,1.,0.,0.,0.,0.,0.,1.,0.,3.", base)
		d.Add(104, 1, "0.25,0.,1.,0.,0.,-1.,0.,2.,0.,-2.,0.")
		d.Add(106, 11, "1,3,5.,0.,0.,4.,0.,4.,2.")
		d.Add(112, 0, "3,0,3,1,0.,1.,0.,1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,1.,0.,0.,0.")
		d.Add(126, 0, "2,2,0,0,0,0,0.,0.,0.,1.,1.,1.,1.,2.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.,0.,1.,0.,0.,1.")
		chain := d.Add(102, 0, "6,1,3,5,7,9,11")
		s := planeThrough(d, geom.Vec3{}, geom.World.Z)
		d.Add(144, 0, "%d,1,0,%d", s, bound(d, s, chain))
	})
	add(func(d *igestest.Deck) { // every kind of surface
		p := pointAndAxes(d, geom.Vec3{X: 1}, geom.World.Z, geom.World.X)
		d.Add(196, 1, "%d,2.,%d,%d", p...)
		d.Add(198, 1, "%d,%d,5.,2.,%d", p...)
		d.Add(194, 1, "%d,%d,2.,45.,%d", p...)
		l := d.Add(110, 0, "2.,0.,0.,2.,0.,5.")
		axis := d.Add(110, 0, "0.,0.,0.,0.,0.,1.")
		d.Add(120, 0, "%d,%d,0.,6.", axis, l)
		arc := d.Add(100, 0, "0.,0.,0.,2.,0.,0.,2.")
		d.Add(122, 0, "%d,3.,1.,4.", arc)
		d.Add(118, 0, "%d,%d,0,0", l, arc)
		d.Add(140, 0, "1.,0.,0.,0.5,%d", flatSpline(d, ",0.,4.,0.,3."))
	})
	add(func(d *igestest.Deck) { // instances, bounded surfaces, colors
		s := planeThrough(d, geom.Vec3{}, geom.World.Z)
		b := d.Add(141, 0, "0,1,%d,4,%s", s, senses(d, [2]geom.Vec3{corners[0], corners[1]},
			[2]geom.Vec3{corners[1], corners[2]}, [2]geom.Vec3{corners[2], corners[3]},
			[2]geom.Vec3{corners[0], corners[3]}))
		color := d.Add(314, 0, "50.,25.,100.,")
		f := d.Put(igestest.Entry{Type: 143, Status: "00010200", Color: -color,
			Parameters: fmt.Sprintf("0,%d,1,%d", s, b)})
		m := matrix(d, geom.Rotation(geom.World.Z, 1), 0)
		def := d.Add(308, 0, "0,1Ha,1,%d", f)
		d.Put(igestest.Entry{Type: 408, Transform: m, Parameters: fmt.Sprintf("%d,1.,2.,3.,2.", def)})
	})
	add(func(d *igestest.Deck) { // a solid of one face: a disc, seen from both sides
		circle := d.Add(100, 0, "0.,0.,0.,2.,0.,2.,0.")
		vertices := d.Add(502, 1, "1,2.,0.,0.")
		edges := d.Add(504, 1, "1,%d,%d,1,%d,1", circle, vertices, vertices)
		s := planeThrough(d, geom.Vec3{}, geom.World.Z)
		top := d.Add(510, 1, "%d,1,1,%d", s, d.Add(508, 1, "1,0,%d,1,1,0", edges))
		bottom := d.Add(510, 1, "%d,1,1,%d", s, d.Add(508, 1, "1,0,%d,1,0,0", edges))
		d.Add(186, 0, "%d,1,0", d.Add(514, 1, "2,%d,1,%d,0", top, bottom))
	})
	box := solidDeck{flat: "1,0,0", against: true} // with a text whose count is wrong
	box.Global = strings.Replace(igestest.Global, "8Hpart.igs", "11Hpart.igs", 1)
	box.Add(186, 0, "%d,1,0", box.shell(geom.Vec3{}, geom.Vec3{X: 2, Y: 3, Z: 4}))
	add(func(d *igestest.Deck) { *d = box.Deck })
	return out
}

// FuzzRead reads any bytes: a model whose references are sound, or a *fault.Error, in bounded time.
func FuzzRead(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	const allowed = 1 << 30 // bytes: instances may multiply
	f.Fuzz(func(t *testing.T, data string) { fuzztest.Read(t, data, allowed, Read) })
}
