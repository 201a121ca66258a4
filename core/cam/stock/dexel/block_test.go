package dexel

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestNewBlock(t *testing.T) {
	l := Lattice{Origin: geom.Vec3{X: 1, Y: 2, Z: 3}, Step: 0.5, Count: [3]int{8, 6, 4}}
	box := func(x0, y0, z0, x1, y1, z1 float64) geom.Box {
		return geom.EmptyBox().Add(geom.Vec3{X: x0, Y: y0, Z: z0}).Add(geom.Vec3{X: x1, Y: y1, Z: z1})
	}
	for _, row := range []struct {
		name string
		box  geom.Box
		want [3]float64
	}{
		{"all", l.Box(), [3]float64{24, 24, 24}},
		{"more", box(-9, -9, -9, 9, 9, 9), [3]float64{24, 24, 24}},
		{"whole cells", box(1.5, 2.5, 3.5, 3, 4, 4.5), [3]float64{2.25, 2.25, 2.25}},
		{"parts of cells", box(1.6, 2.5, 3.5, 3, 4, 4.5), [3]float64{1.4 * 1.5, 2.25, 2.25}},
		{"beside", box(-5, 2, 3, -4, 3, 4), [3]float64{}},
		{"nothing", geom.EmptyBox(), [3]float64{}},
	} {
		d, err := NewBlock(l, row.box)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		for a, v := range d.Volume() {
			if math.Abs(v-row.want[a]) > 1e-5 {
				t.Errorf("%s: bundle %d holds %g mm³, want %g", row.name, a, v, row.want[a])
			}
		}
	}
	if _, err := NewBlock(Lattice{}, l.Box()); err == nil {
		t.Error("a lattice without a step was accepted")
	}
}

func TestNewBar(t *testing.T) {
	l := Lattice{Origin: geom.Vec3{X: -5, Y: -5, Z: -5}, Step: 0.1, Count: [3]int{100, 100, 100}}
	const radius, length = 3.0, 6.0
	want := math.Pi * radius * radius * length
	for axis := range 3 {
		var base [3]float64
		base[axis] = -2
		d, err := NewBar(l, geom.Vec3{X: base[0], Y: base[1], Z: base[2]}, axis, radius, length)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(); err != nil {
			t.Errorf("axis %d: %v", axis, err)
		}
		for a, v := range d.Volume() {
			if math.Abs(v-want) > 2e-3*want {
				t.Errorf("axis %d: bundle %d holds %g mm³, want %g", axis, a, v, want)
			}
		}
		if h, ok := d.Height(axis, 50, 50); !ok || math.Abs(h-4) > 1e-5 {
			t.Errorf("axis %d: the bar ends at %g, %v, want 4", axis, h, ok)
		}
	}
}
