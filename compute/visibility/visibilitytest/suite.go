// Package visibilitytest is the suite that every twin of visibility must pass, and inputs to measure it on.
package visibilitytest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/kernel/geom"
)

// Suite tests a runner of the primitive against visibility.Input. Every answer must be possible for the exact method
// when points and samples move within the bound. No ray may leave a closed body through its edges and corners.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, row := range scenes(rng) {
		in := row.in
		in.Directions = append(spread(rng, 4), along...)
		in.Origin = geom.Vec3{X: 0.1, Y: -0.2, Z: 0.3}.Add(row.at)
		in.Samples = append(aroundMesh(rng, &in, 60), aboveMesh(rng, &in, 60)...)
		compareVisibility(t, b, row.name, in)
	}
	leaksNothing(t, b, rng)
	turnsAway(t, b, rng)
	refuseVisibility(t, b)
}

var along = []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}

// scene is a body to look at.
type scene struct {
	name string
	in   visibility.Input
	at   geom.Vec3 // mm, the middle
}

// scenes returns closed bodies, and open triangle sets.
func scenes(rng *rand.Rand) []scene {
	far := geom.Vec3{X: 5e5, Y: -3e5, Z: 1e6}
	list := []scene{
		{name: "no triangles"},
		{name: "one triangle", in: bodies([]geom.Vec3{{X: 10}, {Y: 10}, {Z: 10}}, [3]int32{0, 2, 1})},
		{name: "triangles without area", in: bodies([]geom.Vec3{{}, {X: 1}, {X: 2}, {Y: 1}},
			[3]int32{0, 1, 2}, [3]int32{0, 0, 3}, [3]int32{1, 1, 1}, [3]int32{0, 3, 1})},
		{name: "ball", in: ball(rng, 3, 0)},
		{name: "rough ball", in: ball(rng, 3, 1.2)},
		{name: "rough ball far out", in: moved(ball(rng, 2, 1.2), far), at: far},
		{name: "boxes that share a face", in: boxes([2]geom.Vec3{{}, {X: 10, Y: 10, Z: 10}},
			[2]geom.Vec3{{X: 10}, {X: 20, Y: 10, Z: 10}}, [2]geom.Vec3{{Z: 10}, {X: 10, Y: 10, Z: 12}})},
		{name: "boxes that touch at an edge and at a corner", in: boxes([2]geom.Vec3{{}, {X: 10, Y: 10, Z: 10}},
			[2]geom.Vec3{{X: 10, Y: 10}, {X: 20, Y: 20, Z: 10}}, [2]geom.Vec3{{X: -5, Y: -5, Z: -5}, {}})},
		{name: "sheet, 10 nm thin", in: boxes([2]geom.Vec3{{}, {X: 50, Y: 50, Z: 1e-5}})},
		{name: "needle fans on a post", in: post(400, 1, 300)},
		{name: "wide disc of tiny facets", in: post(300, 200, 0.01)},
		{name: "tiny balls on a large box", in: join(boxes([2]geom.Vec3{{X: -500, Y: -500, Z: -100}, {X: 500, Y: 500}}),
			moved(ball(rng, 3, 0.3), geom.Vec3{Z: 15}), moved(ball(rng, 3, 0.3), geom.Vec3{X: 300, Z: 12}))},
	}
	return append(list, scene{name: "ball turned inside out", in: insideOut(ball(rng, 2, 0.5))})
}

func compareVisibility(t testing.TB, b primitive.Runner, name string, in visibility.Input) {
	t.Helper()
	out, err := visibility.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	again, err := visibility.Primitive.Run(context.Background(), b, in)
	if err != nil || !slices.EqualFunc(out.Rows, again.Rows, slices.Equal[[]uint64]) {
		t.Errorf("%s: the second call answers otherwise, error %v", name, err)
	}
	const few = 5 // lines say enough
	sure, wrong := 0, 0
	for d, dir := range in.Directions {
		view := newShadow(&in, dir)
		for i := range in.Samples {
			must, may := view.blocks(in.Samples[i])
			if must == may {
				sure++
			}
			if got := !out.Visible(d, i); must && !got || !may && got {
				if wrong++; wrong > few {
					return
				}
				t.Errorf("%s: sample %d at %v along %v: blocked is %v, must be %v, may be %v",
					name, i, in.Samples[i], dir, got, must, may)
			}
		}
	}
	if all := len(in.Directions) * len(in.Samples); sure < all/2 {
		t.Errorf("%s: only %d of %d answers are certain: the test says nothing", name, sure, all)
	}
}

// shadow is the obvious reference: all triangles, in the frame of one direction, in double precision.
type shadow struct {
	frame geom.Frame
	tris  [][3]geom.Vec3
	slack float64 // mm, by which points and samples may move together
}

func newShadow(in *visibility.Input, dir geom.Vec3) *shadow {
	s := &shadow{frame: geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})}
	box := geom.EmptyBox()
	for _, p := range in.Points {
		box = box.Add(p)
	}
	for _, q := range in.Samples {
		box = box.Add(in.Origin.Add(single(q)))
	}
	const doubles = 1e-14 // rounding of the rotation in double precision, with a margin
	s.slack = visibility.Rounding*box.Diagonal() + doubles*(in.Origin.Norm()+box.Diagonal())
	for _, k := range in.Triangles {
		var t [3]geom.Vec3
		for c := range t {
			t[c] = s.frame.LocalDir(in.Points[k[c]].Sub(in.Origin))
		}
		s.tris = append(s.tris, t)
	}
	return s
}

func single(a [3]float32) geom.Vec3 {
	return geom.Vec3{X: float64(a[0]), Y: float64(a[1]), Z: float64(a[2])}
}

// blocks reports whether the sample must be blocked for any displacement of it and the points, and whether it may be.
func (s *shadow) blocks(sample [3]float32) (must, may bool) {
	p := s.frame.LocalDir(single(sample))
	for i := range s.tris {
		m, y := s.tested(&s.tris[i], p)
		must, may = must || m, may || y
	}
	return must, may
}

// tested is the same for one triangle. Its distances to the three sides, inside positive, give the margin by which the
// ray is outside or inside; its slope gives the possible change of the height there.
func (s *shadow) tested(t *[3]geom.Vec3, p geom.Vec3) (must, may bool) {
	a, b, c := t[0], t[1], t[2]
	n := b.Sub(a).Cross(c.Sub(a))
	longest := math.Sqrt(max(a.Dist2(b), b.Dist2(c), c.Dist2(a)))
	top, bottom := max(a.Z, b.Z, c.Z), min(a.Z, b.Z, c.Z)
	if n.Z > s.slack*longest*4 || top < p.Z-s.slack {
		return false, false // faces along the rays for any displacement, or lies below
	}
	inside, near := math.Inf(1), math.Inf(1)
	for k := range 3 {
		q, r := t[k], t[(k+1)%3]
		ex, ey := r.X-q.X, r.Y-q.Y
		length := math.Hypot(ex, ey)
		if length > 0 {
			inside = min(inside, ((p.X-q.X)*ey-(p.Y-q.Y)*ex)/length)
		}
		u := 0.0
		if length > 0 {
			u = min(max(((p.X-q.X)*ex+(p.Y-q.Y)*ey)/(length*length), 0), 1)
		}
		near = min(near, math.Hypot(p.X-q.X-u*ex, p.Y-q.Y-u*ey))
	}
	if math.IsInf(inside, 1) || n.Norm() == 0 {
		inside = -near // a point, a line
	}
	if inside < -s.slack && near > s.slack {
		return false, false
	}
	if -n.Z <= s.slack*longest*8 { // so steep or small that it may flip: only its extent counts
		return false, near <= s.slack || inside >= -s.slack
	}
	slope := math.Hypot(n.X, n.Y) / -n.Z
	height := a.Z - (n.X*(p.X-a.X)+n.Y*(p.Y-a.Y))/n.Z
	give := (4 + 8*slope) * s.slack
	may = min(top, height+give) > p.Z-s.slack && (inside >= -s.slack || near <= s.slack)
	must = inside > s.slack && max(bottom, height-give) > p.Z+s.slack
	return must, may
}

// leaksNothing aims rays from behind closed bodies at their corners and at points of their edges, on either
// side.
func leaksNothing(t testing.TB, b primitive.Runner, rng *rand.Rand) {
	t.Helper()
	const behind = 100 // mm, more than any of the bodies measures
	rows := []struct {
		in    visibility.Input
		reach float64 // mm, radius around the origin within which the body is solid
	}{
		{ball(rng, 3, 0.3), 5},
		{ball(rng, 4, 0), 9},
		{moved(post(60, 1, 60), geom.Vec3{Z: -30}), 0.9},
		{moved(post(300, 50, 2), geom.Vec3{Z: -1}), 0.9},
		{boxes([2]geom.Vec3{{X: -5, Y: -5, Z: -5}, {X: 5, Y: 5, Z: 5}}), 4.9},
	}
	for _, row := range rows {
		for _, dir := range append(spread(rng, 20), along...) {
			in := row.in
			in.Directions = []geom.Vec3{dir}
			for _, k := range in.Triangles {
				p, q := in.Points[k[0]], in.Points[k[1]]
				for _, at := range []geom.Vec3{p, p.Lerp(q, 0.5), p.Lerp(q, rng.Float64())} {
					if start := at.AddScaled(-at.Dot(dir), dir); start.Norm() < row.reach {
						in.Samples = append(in.Samples, float(start.AddScaled(-behind, dir)))
					}
				}
			}
			out, err := visibility.Primitive.Run(context.Background(), b, in)
			if err != nil {
				t.Fatal(err)
			}
			for i := range in.Samples {
				if out.Visible(0, i) {
					t.Errorf("the ray from %v along %v leaks through %d triangles", in.Samples[i], dir,
						len(in.Triangles))
				}
			}
		}
	}
}

func float(p geom.Vec3) [3]float32 { return [3]float32{float32(p.X), float32(p.Y), float32(p.Z)} }

// turnsAway checks the rule of the normals where nothing blocks.
func turnsAway(t testing.TB, b primitive.Runner, rng *rand.Rand) {
	t.Helper()
	const grazing, slack = 0.125, 1.0 / (1 << 21)
	in := visibility.Input{Directions: append(spread(rng, 20), along...), Grazing: grazing}
	for _, n := range append(append(spread(rng, 200), along...), geom.Vec3{}) {
		in.Normals = append(in.Normals, float(n))
		in.Samples = append(in.Samples, float(n.Scale(7)))
	}
	out, err := visibility.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Fatal(err)
	}
	for d, dir := range in.Directions {
		for i, n := range in.Normals {
			c := single(n).Dot(dir)
			if want := c >= -grazing; math.Abs(c+grazing) > slack && out.Visible(d, i) != want {
				t.Errorf("normal %v along %v: visible is %v, want %v", n, dir, !want, want)
			}
		}
	}
}

func refuseVisibility(t testing.TB, b primitive.Runner) {
	t.Helper()
	nan, huge := math.NaN(), 1e16
	good := boxes([2]geom.Vec3{{}, {X: 1, Y: 1, Z: 1}})
	good.Directions, good.Samples = along, [][3]float32{{0, 0, 2}, {0, 0, -2}}
	rows := []struct {
		name string
		bad  func(in *visibility.Input)
	}{
		{"a point with NaN", func(in *visibility.Input) { in.Points[3].Y = nan }},
		{"a point beyond reach", func(in *visibility.Input) { in.Points[3].Y = huge }},
		{"a corner that is no point", func(in *visibility.Input) { in.Triangles[2][1] = 8 }},
		{"a negative corner", func(in *visibility.Input) { in.Triangles[2][1] = -1 }},
		{"an infinite sample", func(in *visibility.Input) { in.Samples[1][0] = float32(math.Inf(1)) }},
		{"an origin with NaN", func(in *visibility.Input) { in.Origin.Z = nan }},
		{"a normal too few", func(in *visibility.Input) { in.Normals = make([][3]float32, 1) }},
		{"a negative grazing cosine", func(in *visibility.Input) { in.Grazing = -1 }},
		{"no direction", func(in *visibility.Input) { in.Directions[0] = geom.Vec3{} }},
		{"a long direction", func(in *visibility.Input) { in.Directions[0] = geom.Vec3{X: 2} }},
	}
	for _, row := range rows {
		in := good
		in.Points, in.Triangles = slices.Clone(good.Points), slices.Clone(good.Triangles)
		in.Samples, in.Directions = slices.Clone(good.Samples), slices.Clone(good.Directions)
		row.bad(&in)
		if _, err := visibility.Primitive.Run(context.Background(), b, in); err == nil {
			t.Errorf("%s was taken", row.name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := visibility.Primitive.Run(ctx, b, good); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: error %v", err)
	}
	none := good
	none.Samples = nil
	if out, err := visibility.Primitive.Run(context.Background(), b, none); err != nil || len(out.Rows) != len(along) {
		t.Errorf("no samples: %d rows, error %v", len(out.Rows), err)
	}
	none = good
	none.Directions = nil
	if out, err := visibility.Primitive.Run(context.Background(), b, none); err != nil || len(out.Rows) != 0 {
		t.Errorf("no directions: %d rows, error %v", len(out.Rows), err)
	}
}
