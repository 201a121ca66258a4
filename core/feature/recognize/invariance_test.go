package recognize_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// rich is an asymmetric part with every type of feature.
func rich(style build.Style) *brep.Model {
	profile := build.Polygon(v2(0, 0), v2(120, 0), v2(120, 30), v2(100, 30), v2(100, 80), v2(4, 80), v2(0, 76))
	return build.Milled("rich", profile, 25, style, []build.Cut{
		{Profile: build.Moved(build.Rounded(40, 30, 5), v2(8, 8)), Depth: 9, Cuts: []build.Cut{
			{Profile: build.Moved(build.Rectangle(6, 9), v2(24, 18)), Depth: -4}}},
		{Profile: build.Slot(v2(60, 15), v2(80, 20), 8), Depth: 25},
		{Profile: build.Moved(build.Rectangle(15, 12), v2(70, 50)), Depth: -11, Holes: []build.Hole{
			{Center: v2(77, 56), Profile: build.Blind(5, 14, 2)}}},
	},
		build.Hole{Center: v2(15, 60), Profile: build.Through(7, 25)},
		build.Hole{Center: v2(35, 60), Profile: []geom.Vec2{v2(6, 0), v2(6, 7), v2(3, 7), v2(3, 25)}},
		build.Hole{Center: v2(55, 60), Profile: []geom.Vec2{v2(6, 0), v2(4, 2), v2(4, 25)}},
		build.Hole{Center: v2(108, 12), Profile: build.Blind(9, 10, math.Pi)})
}

const richCounts = "Hole 5 Pocket 3 Boss 2 Chamfer 1"

func withoutFaces(res feature.Result) string {
	s, _, _ := strings.Cut(counts(res), " Face")
	return s
}

// holeList returns the holes, sorted, with lengths divided by scale.
func holeList(res feature.Result, scale float64) []string {
	var out []string
	for _, f := range featuretest.Only(res, feature.Hole) {
		h := *f.Hole
		h.Diameter, h.Depth = h.Diameter/scale, h.Depth/scale
		h.Counterbore, h.Countersink = nil, nil
		out = append(out, fmt.Sprintf("%s %d segments", featuretest.HoleText(&h), len(h.Segments)))
	}
	slices.Sort(out)
	return out
}

func TestRichPart(t *testing.T) {
	for _, style := range build.Styles() {
		if got := withoutFaces(recognized(t, rich(style))); got != richCounts {
			t.Errorf("style %v: found %s, want %s", style, got, richCounts)
		}
	}
}

// Position, size and mirroring of a part change only places and sizes.
func TestInvariance(t *testing.T) {
	want := recognized(t, rich(build.Style{}))
	rapid.Check(t, func(r *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		axis := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		scale := math.Exp(rapid.Float64Range(-1.5, 2).Draw(r, "log scale"))
		move := geom.Translation(geom.Vec3{X: 300 * rng.NormFloat64(), Y: 300 * rng.NormFloat64()}).
			Mul(geom.Rotation(axis, 6*rng.Float64())).Mul(geom.Scaling(scale))
		if rapid.Bool().Draw(r, "mirrored") {
			move.X = move.X.Neg()
		}
		src := rich(build.Styles()[rapid.IntRange(0, len(build.Styles())-1).Draw(r, "style")])
		m := &brep.Model{Name: src.Name, Tolerance: src.Tolerance}
		m.Append(src, move)
		m.Link()
		got := recognized(t, m)
		if counts(got) != counts(want) {
			r.Fatalf("found %s, want %s\n%s", counts(got), counts(want), dump(got))
		}
		if a, b := holeList(got, scale), holeList(want, 1); !slices.Equal(a, b) {
			r.Fatalf("holes %q, want %q", a, b)
		}
		if len(got.Directions) != len(want.Directions) {
			r.Fatalf("directions %v, want as many as %v", got.Directions, want.Directions)
		}
	})
}

// everyKind returns parts that together have all types of features.
func everyKind(style build.Style) map[string]*brep.Model {
	return map[string]*brep.Model{
		"T-slot": grooved(corners(v2(35, 30), v2(35, 25), v2(40, 25), v2(40, 18), v2(20, 18), v2(20, 25),
			v2(25, 25), v2(25, 30))...),
		"dovetail": grooved(filleted()...),
		"gear":     gear(9),
		"shaft": build.Revolve("shaft", geom.World, build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(12, 10),
			v2(12, 29), v2(11, 30), v2(0, 30)), style),
		"cone": build.Frustum(30, 8, 6, style),
		"slab": build.Prism("slab", build.Rounded(60, 40, 5), 10, style),
		"groove": build.Revolve("groove", geom.World, build.Polygon(v2(0, 0), v2(30, 0), v2(30, 20), v2(20, 20),
			v2(20, 14), v2(12, 14), v2(12, 20), v2(0, 20)), style),
	}
}

// The types of features of every part do not depend on its position, size, mirroring, face order or split faces.
func TestEveryKindIsInvariant(t *testing.T) {
	want := map[string]string{}
	for name, m := range everyKind(build.Style{}) {
		want[name] = all(recognized(t, m))
	}
	names := slices.Sorted(maps.Keys(want))
	rapid.Check(t, func(r *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		name := rapid.SampledFrom(names).Draw(r, "part")
		axis := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		scale := math.Exp(rapid.Float64Range(-1, 2).Draw(r, "log scale"))
		move := geom.Translation(geom.Vec3{X: 100 * rng.NormFloat64(), Z: 100 * rng.NormFloat64()}).
			Mul(geom.Rotation(axis, 6*rng.Float64())).Mul(geom.Scaling(scale))
		if rapid.Bool().Draw(r, "mirrored") {
			move.X = move.X.Neg()
		}
		src := everyKind(build.Styles()[rapid.IntRange(0, len(build.Styles())-1).Draw(r, "style")])[name]
		m := &brep.Model{Name: src.Name, Tolerance: src.Tolerance}
		m.Append(src, move)
		m.Link()
		if got := all(recognized(t, shuffled(m, rng))); got != want[name] {
			r.Fatalf("%s: found %s, want %s", name, got, want[name])
		}
	})
}

// shuffled returns the model with its faces, and the loops of every face, in another order.
func shuffled(m *brep.Model, rng *rand.Rand) *brep.Model {
	out := *m
	perm := rng.Perm(len(m.Faces)) // new place of each face
	out.Faces = make([]brep.Face, len(m.Faces))
	for i, f := range m.Faces {
		f.Origin = int32(perm[i])
		f.Loops = slices.Clone(f.Loops)
		rng.Shuffle(len(f.Loops), func(a, b int) { f.Loops[a], f.Loops[b] = f.Loops[b], f.Loops[a] })
		out.Faces[perm[i]] = f
	}
	out.Shells = slices.Clone(m.Shells)
	for i, s := range m.Shells {
		out.Shells[i].Faces = make([]brep.FaceID, len(s.Faces))
		for k, f := range s.Faces {
			out.Shells[i].Faces[k] = brep.FaceID(perm[f])
		}
		slices.Sort(out.Shells[i].Faces)
	}
	out.Loops, out.Edges = slices.Clone(m.Loops), slices.Clone(m.Edges)
	for i := range out.Edges {
		out.Edges[i].Coedges = nil
	}
	out.Link()
	return &out
}

// The list of features and their tags do not depend on the order of faces in the file, the tolerance of the mesh or the
// number of threads.
func TestTagsAreStable(t *testing.T) {
	m := rich(build.Style{})
	text := func(res feature.Result) string {
		var b strings.Builder
		for _, f := range res.Features {
			fmt.Fprintf(&b, "%s %s %v\n", f.Type, f.Tag, f.Direction)
		}
		return b.String()
	}
	first := recognized(t, m)
	want := text(first)
	tags := map[string]bool{}
	for _, f := range first.Features {
		if len(f.Tag) != 16 || strings.Trim(f.Tag, "0123456789abcdef") != "" || tags[f.Tag] {
			t.Errorf("tag %q is not 16 lowercase hexadecimal digits of its own", f.Tag)
		}
		tags[f.Tag] = true
	}
	if got := text(recognized(t, m)); got != want {
		t.Errorf("second run:\n%s\nwant\n%s", got, want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		if got := text(recognized(t, shuffled(m, rng))); got != want {
			t.Fatalf("faces in another order:\n%s\nwant\n%s", got, want)
		}
	}
	fine, err := tessellate.Mesh(context.Background(), m, tessellate.Options{ChordTolerance: 0.002})
	if err != nil {
		t.Fatal(err)
	}
	res, err := recognize.Recognize(context.Background(), m, fine.Mesh, compute.OnCPU(1))
	if err != nil {
		t.Fatal(err)
	}
	if got := text(res.Result); got != want {
		t.Errorf("finer mesh:\n%s\nwant\n%s", got, want)
	}
}

func TestFeaturesAreOrdered(t *testing.T) {
	res := recognized(t, rich(build.Style{}))
	rank := func(f feature.Feature) int { return slices.Index(res.Directions, f.Direction) }
	seen := map[int]int{}
	for i, f := range res.Features {
		if rank(f) < 0 {
			t.Errorf("%s %s: direction %v is no candidate", f.Type, f.Tag, f.Direction)
		}
		if i > 0 && rank(f) < rank(res.Features[i-1]) {
			t.Errorf("%s %s of direction %d follows one of direction %d", f.Type, f.Tag, rank(f),
				rank(res.Features[i-1]))
		}
		for _, region := range f.Regions {
			isSide := f.Type == feature.Face || f.Type == feature.Profile
			if j, ok := seen[region]; ok && !isSide {
				t.Errorf("region %d belongs to features %d and %d", region, j, i)
			}
			seen[region] = i
		}
	}
	want := []geom.Vec3{{Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}, {X: 1}, {X: -1}}
	if !slices.Equal(res.Directions, want) {
		t.Errorf("directions %v, want %v", res.Directions, want)
	}
}

// failing is a Visibility that ends with an error.
type failing struct{ err error }

func (f failing) Visible(context.Context, *mesh.Mesh, []geom.Vec3) ([][]float32, error) {
	return nil, f.err
}

func TestRecognizeReportsErrors(t *testing.T) {
	m := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no device")
	if _, err := recognize.Recognize(context.Background(), m, r.Mesh, failing{broken}); !errors.Is(err, broken) {
		t.Errorf("failing visibility: got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := recognize.Recognize(ctx, m, r.Mesh, compute.OnCPU(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	if _, err := recognize.Recognize(context.Background(), m, &mesh.Mesh{}, compute.OnCPU(1)); err == nil {
		t.Error("a mesh without regions was accepted")
	}
	empty, err := recognize.Recognize(context.Background(), &brep.Model{}, &mesh.Mesh{}, compute.OnCPU(1))
	if err != nil || len(empty.Features)+len(empty.Directions) != 0 {
		t.Errorf("empty model: %+v, error %v", empty, err)
	}
}

// Faces of a sheet body are in no feature.
func TestSheetsAreLeftOut(t *testing.T) {
	m := build.Plate(geom.Vec3{X: 40, Y: 40, Z: 10}, build.Style{}, build.Hole{Center: v2(20, 20),
		Profile: build.Through(10, 10)})
	sheet := build.Cylinder(3, 30, build.Style{})
	sheet.Solids = nil
	sheet.Shells[0].Solid = brep.None
	faces := len(m.Faces)
	m.Append(sheet, geom.Translation(geom.Vec3{X: 100}))
	m.Link()
	res := recognized(t, m)
	if got := counts(res); got != "Hole 1 Face 6" {
		t.Errorf("found %s, want Hole 1 Face 6", got)
	}
	for _, f := range res.Features {
		if f.Regions[len(f.Regions)-1] >= faces {
			t.Errorf("%s has regions %v, some of a sheet", f.Type, f.Regions)
		}
	}
}
