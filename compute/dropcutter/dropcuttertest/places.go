package dropcuttertest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// PlacesSuite tests a drop-cutter at single points against the bounds of dropcutter.PointsInput. The points are grid
// cells at the difficult features of the scenes, and points between and beyond them.
func PlacesSuite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 22))
	for _, s := range append(rastertest.ContactScenes(), dropScenes()...) {
		const every, between = 5, 40 // the reference is slow
		var at []geom.Vec3
		for c, p := range centers(s.Grid) {
			if c%every == 0 {
				at = append(at, geom.Vec3{X: p.X, Y: p.Y, Z: math.Inf(-1)})
			}
		}
		wide, high := s.Grid.Step*float64(s.Grid.Width), s.Grid.Step*float64(s.Grid.Height)
		for range between {
			x, y := 1.4*rng.Float64()-0.2, 1.4*rng.Float64()-0.2
			at = append(at, geom.Vec3{X: s.Grid.X + wide*x, Y: s.Grid.Y + high*y, Z: 4*rng.Float64() - 2})
		}
		over, err := dropcutter.NewTerrain(context.Background(), s.Mesh, s.Frame, primitive.OnCPU(2))
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		for name, tool := range rastertest.Tools() {
			in := dropcutter.PointsInput{Over: over, At: at, Tool: tool}
			out, err := dropcutter.AtPoints.Run(context.Background(), b, in)
			if err != nil {
				t.Errorf("%s over %s: %v", name, s.Name, err)
				continue
			}
			checkPlaces(t, name+" over "+s.Name, &in, rastertest.Local(s.Mesh, s.Frame), out.Z)
		}
	}
	refusePlaces(t, b)
}

func checkPlaces(t testing.TB, name string, in *dropcutter.PointsInput, part rastertest.Part, z []float64) {
	t.Helper()
	if len(z) != len(in.At) {
		t.Errorf("%s: %d tips for %d places", name, len(z), len(in.At))
		return
	}
	lateral, vertical := in.Bound()
	tool := in.Tool.Underside()
	thin := rastertest.Contact{Part: part, Tool: rastertest.Offset(tool, -lateral)}
	thick := rastertest.Contact{Part: part, Tool: rastertest.Offset(tool, lateral)}
	for i, p := range in.At {
		lo, hi := max(thin.Tip(p.X, p.Y)-vertical, p.Z), max(thick.Tip(p.X, p.Y)+vertical, p.Z)
		if !(z[i] >= lo && z[i] <= hi) {
			t.Errorf("%s: (%g, %g) has %.9g, want %.9g to %.9g", name, p.X, p.Y, z[i], lo, hi)
			return
		}
	}
}

func refusePlaces(t testing.TB, b primitive.Runner) {
	t.Helper()
	block := func() *mesh.Mesh { return rastertest.Block(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}) }
	over, err := dropcutter.NewTerrain(context.Background(), block(), geom.World, primitive.OnCPU(1))
	if err != nil {
		t.Fatal(err)
	}
	sound := func() dropcutter.PointsInput {
		return dropcutter.PointsInput{Over: over, At: []geom.Vec3{{}, {X: 1}}, Tool: toolprofile.EndMill(2, 1, 5)}
	}
	primitivetest.Refuses(t, b, dropcutter.AtPoints, sound, map[string]func(*dropcutter.PointsInput){
		"no mesh":   func(in *dropcutter.PointsInput) { in.Over = nil },
		"no tool":   func(in *dropcutter.PointsInput) { in.Tool = nil },
		"no place":  func(in *dropcutter.PointsInput) { in.At[1].Y = math.NaN() },
		"no height": func(in *dropcutter.PointsInput) { in.At[1].Z = math.NaN() },
		"far away":  func(in *dropcutter.PointsInput) { in.At[1].X = 1e9 },
	})
	missing, lost := block(), block()
	missing.Triangles[1][2], lost.Points[1].Z = 99, math.NaN()
	for name, m := range map[string]*mesh.Mesh{"no mesh": nil, "point missing": missing, "not a number": lost} {
		if _, err := dropcutter.NewTerrain(context.Background(), m, geom.World, primitive.OnCPU(1)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := dropcutter.NewTerrain(context.Background(), block(), geom.Frame{}, primitive.OnCPU(1)); err == nil {
		t.Error("no frame: taken")
	}
}
