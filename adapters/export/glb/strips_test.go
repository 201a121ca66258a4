package glb

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestStrips(t *testing.T) {
	red, blue := brep.Color{R: 1}, brep.Color{B: 1}
	branches := []Branch{
		{Name: "setup 1", Extras: map[string]any{"index": 0}, Strips: []Strip{
			{Name: "a", Points: []geom.Vec3{{X: 1}, {X: 2, Z: -3}, {Y: 4}}, Colors: []brep.Color{red, blue, blue}},
			{Name: "nothing"},
			{Name: "a point", Points: []geom.Vec3{{X: 9}}, Colors: []brep.Color{red}},
			{Name: "b", Points: []geom.Vec3{{X: 5}, {X: 6}}, Colors: []brep.Color{blue, red}},
		}},
		{Name: "setup 2"},
	}
	var file bytes.Buffer
	if err := WriteStrips(&file, "paths", branches); err != nil {
		t.Fatal(err)
	}
	var d gltf.Document
	if err := gltf.NewDecoder(&file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	top := children(t, &d)
	if len(top) != 1 || top[0].Name != "paths" || len(top[0].Children) != 2 {
		t.Fatalf("below the root: %+v", top)
	}
	setup := d.Nodes[top[0].Children[0]]
	if setup.Name != "setup 1" || setup.Extras == nil || len(setup.Children) != 4 {
		t.Fatalf("the first setup: %+v", setup)
	}
	for i, child := range setup.Children {
		n, want := d.Nodes[child], branches[0].Strips[i]
		if n.Name != want.Name || (n.Mesh != nil) != (len(want.Points) > 1) {
			t.Errorf("node %d: %+v, want that of %q", i, n, want.Name)
			continue
		}
		if n.Mesh == nil {
			continue
		}
		p := d.Meshes[*n.Mesh].Primitives[0]
		at, err := modeler.ReadPosition(&d, d.Accessors[p.Attributes[gltf.POSITION]], nil)
		if err != nil || p.Mode != gltf.PrimitiveLineStrip || p.Indices != nil {
			t.Fatalf("%s: mode %v, indices %v, %v", n.Name, p.Mode, p.Indices, err)
		}
		colors, err := modeler.ReadColor(&d, d.Accessors[p.Attributes[gltf.COLOR_0]], nil)
		if err != nil || len(colors) != len(want.Points) || len(at) != len(want.Points) {
			t.Fatalf("%s: %d points, %d colors, %v", n.Name, len(at), len(colors), err)
		}
		for k := range at {
			c := want.Colors[k]
			if vec(at[k]) != want.Points[k] || colors[k] != [4]uint8{uint8(255 * c.R), 0, uint8(255 * c.B), 255} {
				t.Errorf("%s: point %d is %v, %v", n.Name, k, at[k], colors[k])
			}
		}
	}
}

func TestStripsThatCannotBeWritten(t *testing.T) {
	two := []brep.Color{{}, {}}
	for want, strips := range map[string][]Strip{
		"no lines":             {{Name: "a", Points: []geom.Vec3{{}}, Colors: two[:1]}},
		"2 points and 0":       {{Name: "a", Points: []geom.Vec3{{}, {X: 1}}}},
		"not a finite float32": {{Name: "a", Points: []geom.Vec3{{}, {X: math.Inf(1)}}, Colors: two}},
	} {
		err := WriteStrips(&bytes.Buffer{}, "paths", []Branch{{Strips: strips}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestWriteEmptyScene(t *testing.T) {
	var file bytes.Buffer
	if err := WriteNothing(&file, "residue"); err != nil {
		t.Fatal(err)
	}
	var d gltf.Document
	if err := gltf.NewDecoder(&file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if top := children(t, &d); len(top) != 1 || top[0].Name != "residue" || len(d.Meshes)+len(d.Buffers) != 0 {
		t.Errorf("below the root %+v, %d meshes, %d buffers", top, len(d.Meshes), len(d.Buffers))
	}
}
