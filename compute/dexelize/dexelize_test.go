package dexelize_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/dexelize"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// TestDexelizeBox checks that the dexels of a mesh that fills the lattice equal those of a block, also with corners and
// edges on rays.
func TestDexelizeBox(t *testing.T) {
	for _, row := range []struct {
		name     string
		min, max geom.Vec3
	}{
		{"whole lattice", geom.Vec3{X: -2, Y: 1, Z: 3}, geom.Vec3{X: 3, Y: 5, Z: 6}},
		{"off the rays", geom.Vec3{X: -1.1, Y: 1.6, Z: 3.7}, geom.Vec3{X: 2.3, Y: 4.4, Z: 5.1}},
		{"larger", geom.Vec3{X: -9, Y: -9, Z: -9}, geom.Vec3{X: 9, Y: 9, Z: 9}},
		{"beside", geom.Vec3{X: 10, Y: 1, Z: 3}, geom.Vec3{X: 12, Y: 5, Z: 6}},
	} {
		l := dexel.Lattice{Origin: geom.Vec3{X: -2, Y: 1, Z: 3}, Step: 0.5, Count: [3]int{10, 8, 6}}
		m := solids.Boxes([2]geom.Vec3{row.min, row.max})
		got, err := dexelize.Primitive.Run(context.Background(), primitive.OnCPU(2),
			dexelize.Input{Lattice: l, Mesh: m})
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		want, err := dexel.NewBlock(l, geom.EmptyBox().Add(row.min).Add(row.max))
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Check(); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		for a, v := range got.Volume() {
			if math.Abs(v-want.Volume()[a]) > 1e-4 {
				t.Errorf("%s: bundle %d holds %g mm³, want %g", row.name, a, v, want.Volume()[a])
			}
		}
	}
}

// TestDexelizeOnTheRays checks that rays through corners and edges neither leak nor count twice: a box with corners on
// rays, in any position on the lattice, keeps whole spans.
func TestDexelizeOnTheRays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := dexel.Lattice{Step: 1, Count: [3]int{9, 9, 9}}
		at := func(name string) geom.Vec3 {
			n := rapid.IntRange(0, 8)
			return geom.Vec3{
				X: 0.5 + float64(n.Draw(t, name+"x")), Y: 0.5 + float64(n.Draw(t, name+"y")),
				Z: 0.5 + float64(n.Draw(t, name+"z")),
			}
		}
		a, b := at("a"), at("b")
		box := geom.EmptyBox().Add(a).Add(b)
		size := box.Max.Sub(box.Min)
		if size.X*size.Y*size.Z == 0 {
			return
		}
		m := solids.Boxes([2]geom.Vec3{box.Min, box.Max})
		got, err := dexelize.Primitive.Run(context.Background(), primitive.OnCPU(1),
			dexelize.Input{Lattice: l, Mesh: m})
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got.Volume() { // half of the rays on the sides belong to it
			if want := size.X * size.Y * size.Z; v != want {
				t.Fatalf("bundle %d of %v holds %g mm³, want %g", k, box, v, want)
			}
		}
	})
}

// The volume of a bumpy body comes out, and the bundles agree on where its surface is.
func TestDexelizeBody(t *testing.T) {
	m := solids.Ball(rand.New(rand.NewPCG(9, 9)), 4, 0.3)
	box := geom.EmptyBox()
	for _, p := range m.Points {
		box = box.Add(p)
	}
	const cells = 120
	step := box.Diagonal() / cells
	l := dexel.Lattice{Origin: box.Min.Sub(geom.Vec3{X: 1, Y: 1, Z: 1}.Scale(step)), Step: step,
		Count: [3]int{cells + 2, cells + 2, cells + 2}}
	d, err := dexelize.Primitive.Run(context.Background(), primitive.OnCPU(2), dexelize.Input{Lattice: l, Mesh: m})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, k := range m.Triangles {
		want += m.Points[k[0]].Dot(m.Points[k[1]].Cross(m.Points[k[2]])) / 6
	}
	for a, v := range d.Volume() {
		if math.Abs(v-want) > 2e-3*want {
			t.Errorf("bundle %d holds %g mm³, the mesh %g", a, v, want)
		}
	}
}

func TestDexelizeRefuses(t *testing.T) {
	m := solids.Boxes([2]geom.Vec3{{X: 0.2, Y: 0.2, Z: 0.2}, {X: 3, Y: 3, Z: 3}})
	l := dexel.Lattice{Step: 1, Count: [3]int{4, 4, 4}}
	open := *m
	open.Triangles = open.Triangles[1:]
	for name, in := range map[string]dexelize.Input{
		"open":       {Lattice: l, Mesh: &open},
		"no mesh":    {Lattice: l},
		"no lattice": {Mesh: m},
		"not finite": {Lattice: l, Mesh: &mesh.Mesh{Points: []geom.Vec3{{X: math.NaN()}}}},
		"no points":  {Lattice: l, Mesh: &mesh.Mesh{Triangles: [][3]int32{{0, 1, 2}}}},
	} {
		if _, err := dexelize.Primitive.Run(context.Background(), primitive.OnCPU(1), in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := dexelize.Primitive.Run(ctx, primitive.OnCPU(1),
		dexelize.Input{Lattice: l, Mesh: m}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: got error %v", err)
	}
}
