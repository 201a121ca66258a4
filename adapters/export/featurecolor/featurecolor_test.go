package featurecolor

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/qmuntal/gltf"

	"millwright.dev/millwright/adapters/export/glb"
	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

var found = feature.Result{
	Features: []feature.Feature{
		{Tag: "aa", Type: feature.Face, Regions: []int{0, 1}, Rule: "open plane"},
		{Tag: "bb", Type: feature.Profile, Regions: []int{1, 2}},
		{Tag: "cc", Type: "Groove", Regions: []int{3}},
	},
	Unmachined: []feature.Unmachined{
		{Region: 4, Reason: feature.ReasonUndercut}, {Region: 5, Reason: feature.ReasonUndercut},
	},
}

func TestEveryKindHasItsColor(t *testing.T) {
	kinds := []feature.Type{
		feature.Hole, feature.Pocket, feature.Boss, feature.Wall, feature.Face, feature.Three, feature.Chamfer,
		feature.Profile, feature.Dovetail, feature.Tslot,
	}
	colors := []brep.Color{color.Steel}
	for _, k := range kinds {
		c := colorOf(k)
		for i, other := range colors {
			d := math.Abs(c.R-other.R) + math.Abs(c.G-other.G) + math.Abs(c.B-other.B)
			if d < 0.2 {
				t.Errorf("%s looks like color %d: %v and %v", k, i, c, other)
			}
		}
		colors = append(colors, c)
	}
	legend := Legend()["legend"]
	if len(legend) != len(kinds)+1 || legend["Hole"] != "#e15759" || legend["no feature"] == "" {
		t.Errorf("legend %v, want a color of each kind and of no feature", legend)
	}
}

func TestColors(t *testing.T) {
	owners := Owners(found.Features, 6)
	if want := []int{0, 1, 1, -1, -1, -1}; !slices.Equal(owners, want) {
		t.Errorf("Owners = %v, want %v", owners, want)
	}
	got := Colors(found.Features, owners)
	face, profile := colorOf(feature.Face), colorOf(feature.Profile)
	for region, want := range []*brep.Color{&face, &profile, &profile, nil, nil, nil} {
		if (got[region] == nil) != (want == nil) || want != nil && *got[region] != *want {
			t.Errorf("region %d: %v, want %v", region, got[region], want)
		}
	}
}

func TestMaterials(t *testing.T) {
	all, ofRegion := Materials(found.Features, 6)
	var names []string
	for _, m := range ofRegion {
		names = append(names, all[m].Name)
	}
	if want := []string{"Face", "Profile", "Profile", noFeature, noFeature, noFeature}; !slices.Equal(names, want) {
		t.Errorf("the regions are of %q, want %q", names, want)
	}
	if last := all[len(all)-1]; len(all) != len(Kinds)+1 || last.Color != color.Steel {
		t.Errorf("%d materials, the last %+v; want one of each kind and steel", len(all), last)
	}
}

// TestGroupsInAFile writes a cube with its features and reads it with an independent library.
func TestGroupsInAFile(t *testing.T) {
	var file bytes.Buffer
	m := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	if err := glb.Write(&file, m, glb.Options{Name: "cube", Groups: Groups(&found), Extras: Legend()}); err != nil {
		t.Fatal(err)
	}
	var d gltf.Document
	if err := gltf.NewDecoder(&file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	top := d.Nodes[d.Scenes[0].Nodes[0]]
	root := d.Nodes[top.Children[0]]
	if root.Name != "cube" || root.Mesh != nil || len(top.Children) != 1 {
		t.Errorf("root %+v of %v", root, d.Scenes[0].Nodes)
	}
	want := []struct {
		name, material string
		regions        []int
	}{
		{"1 Face aa", "Face", []int{0, 1}}, {"2 Profile bb", "Profile", []int{1, 2}},
		{"3 Groove cc", "Groove", []int{3}}, {"no feature: undercut", "no feature", []int{4, 5}},
	}
	if len(root.Children) != len(want) {
		t.Fatalf("%d children, want %d", len(root.Children), len(want))
	}
	for i, w := range want {
		n := d.Nodes[root.Children[i]]
		var regions []int
		for _, p := range d.Meshes[*n.Mesh].Primitives {
			regions = append(regions, int(p.Extras.(map[string]any)["region"].(float64)))
			if name := d.Materials[*p.Material].Name; name != w.material {
				t.Errorf("%s is of material %q", n.Name, name)
			}
		}
		if n.Name != w.name || !slices.Equal(regions, w.regions) {
			t.Errorf("node %q shows %v, want %q with %v", n.Name, regions, w.name, w.regions)
		}
	}
	extras := d.Nodes[root.Children[0]].Extras.(map[string]any)
	if extras["featureTag"] != "aa" || extras["number"] != 1.0 || extras["rule"] != "open plane" {
		t.Errorf("extras %v", extras)
	}
	legend, err := json.Marshal(d.Scenes[0].Extras)
	if err != nil || !bytes.Contains(legend, []byte(`"Hole":"#e15759"`)) {
		t.Errorf("scene extras %s, %v; want the legend", legend, err)
	}
}
