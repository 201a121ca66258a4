package iges

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestSewnBoxes sews boxes of six trimmed surfaces, in several units, scales and placements, and measures them.
func TestSewnBoxes(t *testing.T) {
	size := geom.Vec3{X: 4, Y: 3, Z: 2}
	inch := strings.Replace(igestest.Global, "2,2HMM", "1,2HIN", 1)
	half := strings.Replace(igestest.Global, "1.,2,2HMM", "2.,2,2HMM", 1) // model twice as large as the part
	def := func(d *igestest.Deck) int {
		members := box(d, geom.Vec3{}, size)
		for i := range d.Entries {
			d.Entries[i].Status = "00010200"
		}
		text := strings.Trim(strings.ReplaceAll(fmt.Sprint(members), " ", ","), "[]")
		return d.Put(igestest.Entry{Type: 308, Status: "00000200", Parameters: "0,3Hbox,6," + text})
	}
	for _, c := range []struct {
		name, global string
		add          func(d *igestest.Deck)
		solids       int
		volume       float64
		at           geom.Vec3 // smallest corner of the box
	}{
		{"box", "", func(d *igestest.Deck) { box(d, geom.Vec3{X: 1}, size) }, 1, 24, geom.Vec3{X: 1}},
		{"inches", inch, func(d *igestest.Deck) { box(d, geom.Vec3{X: 1}, size) }, 1, 24 * math.Pow(25.4, 3),
			geom.Vec3{X: 25.4}},
		{"scale of the model", half, func(d *igestest.Deck) { box(d, geom.Vec3{X: 1}, size) }, 1, 3, geom.Vec3{X: 0.5}},
		{"two boxes", "", func(d *igestest.Deck) {
			box(d, geom.Vec3{X: 1}, size)
			box(d, geom.Vec3{X: 10}, size)
		}, 2, 48, geom.Vec3{X: 1}},
		{"box in a box", "", func(d *igestest.Deck) {
			box(d, geom.Vec3{}, size)
			box(d, geom.Vec3{X: 1, Y: 1, Z: 0.5}, geom.Vec3{X: 1, Y: 1, Z: 1})
		}, 1, 23, geom.Vec3{}},
		{"every face twice", "", func(d *igestest.Deck) {
			box(d, geom.Vec3{}, size)
			box(d, geom.Vec3{}, size)
		}, 1, 24, geom.Vec3{}},
		{"moved instances", "", func(d *igestest.Deck) {
			of := def(d)
			d.Add(408, 0, "%d,10.,20.,30.,1.", of)
			d.Add(408, 0, "%d,-10.,0.,0.,2.", of)
		}, 2, 24 * 9, geom.Vec3{X: -10}},
		{"mirrored instance", "", func(d *igestest.Deck) {
			of := def(d)
			m := matrix(d, geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}, 1)
			d.Put(igestest.Entry{Type: 408, Transform: m, Parameters: fmt.Sprintf("%d,1.,0.,0.,1.", of)})
		}, 1, 24, geom.Vec3{X: -5}},
		{"turned instance", "", func(d *igestest.Deck) {
			of := def(d)
			m := matrix(d, geom.Rotation(geom.World.Z, math.Pi/2), 0)
			d.Put(igestest.Entry{Type: 408, Transform: m, Parameters: fmt.Sprintf("%d,1.,0.,0.,1.", of)})
		}, 1, 24, geom.Vec3{X: -3, Y: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{Global: c.global}
			c.add(d)
			m, p := sewn(t, d)
			if len(m.Solids) != c.solids || !isClose(p.Volume, c.volume) || p.Bounds.Min.Dist(c.at) > 1e-9 {
				t.Errorf("%d solids, volume %g mm³, at %v; want %d, %g, %v", len(m.Solids), p.Volume, p.Bounds.Min,
					c.solids, c.volume, c.at)
			}
		})
	}
}

// TestFormsAgree reads one part in the fixed and in the compressed form.
func TestFormsAgree(t *testing.T) {
	d := &igestest.Deck{}
	box(d, geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	packed := d.Compressed()
	got, err := Read(t.Context(), strings.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if want := mustRead(t, d); !reflect.DeepEqual(got, want) {
		t.Errorf("%d faces and %v, want %d and %v", len(got.Faces), got.Warnings, len(want.Faces), want.Warnings)
	}
}
