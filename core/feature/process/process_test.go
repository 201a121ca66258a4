package process_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/process"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func classOf(t testing.TB, m *brep.Model) (process.Class, *recognize.Recognition) {
	t.Helper()
	ctx := context.Background()
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	return process.Classify(run.Graph, run.Features), run
}

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// shaft is a stepped shaft: each step is a diameter and a length.
func shaft(steps ...[2]float64) *brep.Model {
	profile := []geom.Vec2{v2(0, 0)}
	z := 0.0
	for _, s := range steps {
		profile = append(profile, v2(s[0]/2, z), v2(s[0]/2, z+s[1]))
		z += s[1]
	}
	return build.Revolve("shaft", geom.World, build.Polygon(append(profile, v2(0, z))...), build.Style{})
}

// disc is the outline of a round bar.
func disc(r float64) []build.Corner {
	return []build.Corner{{P: v2(r, 0), Bulge: 1}, {P: v2(-r, 0), Bulge: 1}}
}

// frustum is a block whose sides lean by a draft, rad.
func frustum(draft float64) *brep.Model {
	const a, h = 30.0, 20.0
	in := h * math.Tan(draft)
	var points []geom.Vec3
	for _, z := range [2]float64{0, h} {
		d := in * z / h
		points = append(points, geom.Vec3{X: d, Y: d, Z: z}, geom.Vec3{X: a - d, Y: d, Z: z},
			geom.Vec3{X: a - d, Y: a - d, Z: z}, geom.Vec3{X: d, Y: a - d, Z: z})
	}
	return build.Polyhedron("frustum", points, [][][]int{
		{{3, 2, 1, 0}}, {{4, 5, 6, 7}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}},
	})
}

func part(t testing.TB, name string) *brep.Model {
	m, _ := featuretest.Part(t, name)
	return m
}

func TestClassify(t *testing.T) {
	freeform, err := build.Freeform(shaft([2]float64{40, 20}, [2]float64{20, 30}), 0.4)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		model *brep.Model
		want  process.Kind
	}{
		{"a block", build.Box(geom.Vec3{X: 50, Y: 40, Z: 30}), process.Milled},
		{"a bar with square ends", build.Box(geom.Vec3{X: 20, Y: 20, Z: 200}), process.Milled},
		{"a thick plate", build.Plate(geom.Vec3{X: 100, Y: 80, Z: 10}, build.Style{}), process.Milled},
		{"a thin plate with a hole", build.Plate(geom.Vec3{X: 100, Y: 80, Z: 2}, build.Style{},
			build.Hole{Center: v2(30, 30), Profile: build.Through(10, 2)}), process.Sheet},
		{"a thin plate with a hole that ends in it", build.Plate(geom.Vec3{X: 30, Y: 20, Z: 2}, build.Style{},
			build.Hole{Center: v2(10, 10), Profile: build.Blind(10, 1, math.Pi)}), process.Milled},
		{"a disc with a pad and a pocket beside its middle", build.Milled("disc", disc(30), 20, build.Style{}, []build.Cut{
			{Profile: build.Moved(build.Rectangle(4, 2), v2(10, 5)), Depth: -2},
			{Profile: build.Moved(build.Rounded(6, 4, 1), v2(-15, 5)), Depth: 2}}), process.MillTurn},
		{"a stepped shaft", shaft([2]float64{40, 20}, [2]float64{20, 30}), process.Turned},
		{"a stepped shaft of freeform faces", freeform, process.Turned},
		{"a disc", shaft([2]float64{60, 3}), process.Turned},
		{"a ball", build.Sphere(10, build.Style{}), process.Turned},
		{"a block with draft", frustum(2 * math.Pi / 180), process.Cast},
		{"a block with slopes", frustum(15 * math.Pi / 180), process.Milled},
		{"a turned part", part(t, "turned_part"), process.Turned},
		{"a ring", part(t, "torus"), process.Turned},
		{"a bush with a thread", part(t, "threaded_bush"), process.Turned},
		{"a pin with a thread", part(t, "threaded_pin"), process.Turned},
		{"a lead screw", part(t, "lead_screw"), process.Turned},
		{"a rod with slots", part(t, "slotted_rod"), process.MillTurn},
		{"an angle with sharp corners", build.Prism("angle", build.Polygon(v2(0, 0), v2(40, 0), v2(40, 2), v2(2, 2), v2(2, 40),
			v2(0, 40)), 50, build.Style{}), process.Sheet},
		{"an angle with a rib between its legs", build.Blocks("ribbed", build.Add(geom.Vec3{}, geom.Vec3{X: 40, Y: 2, Z: 50}),
			build.Add(geom.Vec3{}, geom.Vec3{X: 2, Y: 40, Z: 50}),
			build.Add(geom.Vec3{Z: 20}, geom.Vec3{X: 30, Y: 30, Z: 22})), process.Milled},
		{"bent sheet", part(t, "bent_sheet"), process.Sheet},
		{"a plate with pockets", part(t, "pockets"), process.Milled},
		{"a plate with holes", part(t, "plate_holes"), process.Milled},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, _ := classOf(t, row.model)
			if got.Kind != row.want || len(got.Reasons) == 0 {
				t.Errorf("%s (%q), want %s", got.Kind, got.Reasons, row.want)
			}
			if (got.Lathe != nil) != (row.want == process.Turned || row.want == process.MillTurn) ||
				(got.Blank != nil) != (row.want == process.Sheet) {
				t.Errorf("%s with lathe %v and blank %v", got.Kind, got.Lathe, got.Blank)
			}
		})
	}
}

// A slotted rod is turned except for its slots.
func TestLathe(t *testing.T) {
	c, _ := classOf(t, shaft([2]float64{40, 20}, [2]float64{20, 30}))
	if l := c.Lathe; math.Abs(l.StockDiameter-40) > 1e-6 || math.Abs(l.Length-50) > 1e-6 || l.Axis != (geom.Vec3{Z: 1}) {
		t.Errorf("stock %+v, want ⌀40 and 50 long along z", l)
	}
	c, run := classOf(t, part(t, "slotted_rod"))
	for i, f := range run.Features {
		if onLathe := slices.Contains(c.Lathe.Features, i); onLathe && f.Type == feature.Pocket {
			t.Errorf("the slot %d is turned", i)
		}
	}
	if n := len(c.Lathe.Features); n == 0 || n == len(run.Features) {
		t.Errorf("%d of %d features are turned", n, len(run.Features))
	}
}

func TestBlank(t *testing.T) {
	c, _ := classOf(t, part(t, "bent_sheet"))
	if b := c.Blank; b.Bends == 0 || b.Flats != b.Bends+1 || b.Thickness <= 0 {
		t.Errorf("blank %+v; want a leg more than bends", b)
	}
	c, _ = classOf(t, build.Plate(geom.Vec3{X: 100, Y: 80, Z: 2}, build.Style{}))
	if b := c.Blank; b.Bends != 0 || b.Flats != 1 || math.Abs(b.Thickness-2) > 1e-9 {
		t.Errorf("blank %+v; want 2 mm, flat", b)
	}
}

// How a part lies in its file does not change how it is made.
func TestProcessTurnsWithThePart(t *testing.T) {
	parts := map[process.Kind]*brep.Model{
		process.Sheet: part(t, "bent_sheet"), process.MillTurn: part(t, "slotted_rod"),
		process.Milled: part(t, "pockets"),
		process.Turned: shaft([2]float64{40, 20}, [2]float64{20, 30}), process.Cast: frustum(2 * math.Pi / 180),
	}
	rapid.Check(t, func(r *rapid.T) {
		want := rapid.SampledFrom([]process.Kind{
			process.Sheet, process.MillTurn, process.Milled, process.Turned, process.Cast,
		}).Draw(r, "kind")
		axis := geom.Vec3{X: rapid.Float64Range(-1, 1).Draw(r, "x"), Y: rapid.Float64Range(-1, 1).Draw(r, "y"), Z: 1}
		m := &brep.Model{Tolerance: parts[want].Tolerance}
		m.Append(parts[want], geom.Rotation(axis.Unit(), rapid.Float64Range(0, 6).Draw(r, "angle")))
		m.Link()
		if got, _ := classOf(t, m); got.Kind != want {
			r.Errorf("%s (%q), want %s", got.Kind, got.Reasons, want)
		}
	})
}
