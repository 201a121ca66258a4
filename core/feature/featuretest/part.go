// Package featuretest provides parts that another kernel made, as exact models with their meshes, so that tests of
// features read no CAD file. Their files, and the cuts in each, are in adapters/cad.
package featuretest

import (
	"embed"
	"testing"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/mesh"
)

// The fixtures are made outside core, since reading and meshing are. The test that makes them also checks them.
//
//go:generate go test millwright.dev/millwright/cmd/millwright/stagechild -run TestFixtures -update

//go:embed testdata
var files embed.FS

// Names are the parts that there are.
var Names = []string{
	"assembly", "bent_sheet", "bevelled_bore", "bosses", "chamfers", "collar", "cone_truncated", "cross_holes",
	"cross_link", "crossed_ring", "cut_groove", "cut_pentagon", "drilled_slots", "eared_drum", "fillets", "flat_rod",
	"freeform_dish", "grooved_block", "humped", "inch_block", "keyed_shaft", "lead_screw", "lugs", "notched_foot",
	"open_arc", "opened_holes", "parted_arc", "pierced_slots", "plate_holes", "pockets", "relieved_rod", "sheet",
	"slotted_bar", "slotted_land", "slotted_rod", "sphere", "stepped_disc", "threaded_bush", "threaded_pin",
	"through_hole", "torus", "turned_part", "void_box",
}

const (
	format  = "fixture mesh"
	version = 1
)

// Encode returns a part as it is stored.
func Encode(m *brep.Model, msh *mesh.Mesh) (model, meshed []byte) {
	c := pack.NewWriter(format, version)
	mesh.Serialize(c, msh)
	return codec.Encode(m), c.Bytes()
}

// Decode returns an encoded model and mesh.
func Decode(t testing.TB, model, meshed []byte) (*brep.Model, *mesh.Mesh) {
	t.Helper()
	m, err := codec.Decode(model)
	if err != nil {
		t.Fatal(err)
	}
	c, err := pack.NewReader(meshed, format, version)
	if err != nil {
		t.Fatal(err)
	}
	msh := &mesh.Mesh{}
	mesh.Serialize(c, msh)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return m, msh
}

// Part returns a part after reading and repair, with its mesh within the default tolerances of a job. Every call
// decodes it again.
func Part(t testing.TB, name string) (*brep.Model, *mesh.Mesh) {
	t.Helper()
	model, err := files.ReadFile("testdata/" + name + ".model")
	if err != nil {
		t.Fatal(err)
	}
	meshed, err := files.ReadFile("testdata/" + name + ".mesh")
	if err != nil {
		t.Fatal(err)
	}
	return Decode(t, model, meshed)
}

// Graph returns the adjacency graph of a part.
func Graph(t testing.TB, name string) *graph.Graph {
	t.Helper()
	m, msh := Part(t, name)
	g, err := graph.New(t.Context(), m, msh)
	if err != nil {
		t.Fatalf("graph of %s: %v", name, err)
	}
	return g
}

// Measured returns the adjacency graph of a part with its exact measures.
func Measured(t testing.TB, name string) (*graph.Graph, *mass.Properties) {
	t.Helper()
	g := Graph(t, name)
	p, err := mass.Compute(t.Context(), g.Model)
	if err != nil {
		t.Fatalf("measures of %s: %v", name, err)
	}
	return g, p
}
