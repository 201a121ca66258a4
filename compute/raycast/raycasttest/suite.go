// Package raycasttest is the suite that every twin of ray casting must pass, and inputs to measure it on.
package raycasttest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright/compute/bvh"
	"millwright/compute/primitive"
	"millwright/compute/primitivetest"
	"millwright/compute/primitivetest/body"
	"millwright/compute/raycast"
	"millwright/compute/visibility/visibilitytest"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// Suite holds what runs the primitive to raycast.Input: every hit must be one that the exact mesh can give when its
// corners move by as much as the bound allows, nothing nearer may be passed by, and no ray may leave a closed body.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 22))
	for _, row := range raycastScenes(rng) {
		in := raycast.Input{Mesh: row.mesh, Rays: raysThrough(rng, row.mesh, 40)}
		compareRays(t, b, row.name, in)
		in.Any = true
		compareRays(t, b, row.name+", any hit", in)
	}
	raysLeaveNothing(t, b, rng)
	manyRays(t, b, rng)
	refuseRays(t, b)
}

var along = []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}

type raycastScene struct {
	name string
	mesh *mesh.Mesh
}

// raycastScenes are those of visibility, and sizes out of the ordinary.
func raycastScenes(rng *rand.Rand) (rows []raycastScene) {
	for _, s := range visibilitytest.Scenes(rng) {
		rows = append(rows, raycastScene{s.Name, &mesh.Mesh{Points: s.In.Points, Triangles: s.In.Triangles}})
	}
	scaled := func(m *mesh.Mesh, by float64) *mesh.Mesh {
		for i := range m.Points {
			m.Points[i] = m.Points[i].Scale(by)
		}
		return m
	}
	stack := &mesh.Mesh{Points: []geom.Vec3{{}, {X: 9}, {Y: 9}, {X: 9, Y: 9}}}
	for i := range int32(40) { // all over each other
		stack.Triangles = append(stack.Triangles, [3]int32{0, 1 + i%2, 2 + i%2})
	}
	needles := &mesh.Mesh{}
	for i := range 60 {
		p, d := body.Directions(rng, 1)[0].Scale(20), body.Directions(rng, 1)[0]
		thin := math.Pow(10, -7*rng.Float64())
		n := int32(3 * i)
		needles.Points = append(needles.Points, p, p.AddScaled(40, d), p.AddScaled(20, d).AddScaled(thin, d.Perp()))
		needles.Triangles = append(needles.Triangles, [3]int32{n, n + 1, n + 2})
	}
	return append(rows,
		raycastScene{"a hundredth of a micron", scaled(body.Ball(rng, 2, 0.5), 1e-9)},
		raycastScene{"ten million kilometres", scaled(body.Ball(rng, 2, 0.5), 1e12)},
		raycastScene{"triangles on top of each other", stack},
		raycastScene{"needles", needles},
		raycastScene{"a point", &mesh.Mesh{Points: []geom.Vec3{{X: 1}}, Triangles: make([][3]int32, 30)}})
}

// raysThrough returns about 7·n rays of all kinds: at random, from the surface, at corners and sides, along sides, in
// the planes of facets, along the axes, and from far away, of all lengths.
func raysThrough(rng *rand.Rand, m *mesh.Mesh, n int) (rays []raycast.Ray) {
	box := geom.EmptyBox().Add(geom.Vec3{})
	if len(m.Points) > 0 {
		box = m.Bounds()
	}
	size, inf := box.Diagonal(), math.Inf(1)
	anywhere := func() geom.Vec3 {
		return box.Center().AddScaled(size*rng.Float64(), body.Directions(rng, 1)[0])
	}
	add := func(origin, direction geom.Vec3) {
		r := raycast.Ray{Origin: origin, Direction: direction, TMin: 0, TMax: inf}
		switch l := math.Pow(2, float64(rng.IntN(20)-10)); rng.IntN(4) {
		case 0:
			r.TMin = -inf
		case 1:
			r.TMax = size * rng.Float64() / l
			fallthrough
		case 2:
			r.Direction = direction.Scale(l)
		}
		if r.Direction.Norm() > 0 {
			rays = append(rays, r)
		}
	}
	for range n {
		d := append(body.Directions(rng, 1), along...)[rng.IntN(1+len(along))]
		p := anywhere()
		add(p, d)
		far := min(math.Pow(10, 5*rng.Float64()), 5e14/size)
		add(p.AddScaled(-far*size, d), d)
		if len(m.Triangles) == 0 {
			continue
		}
		t := m.Triangles[rng.IntN(len(m.Triangles))]
		a, b, c := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
		inside := a.Lerp(b, rng.Float64()).Lerp(c, rng.Float64())
		add(inside, d)
		add(p, a.Sub(p))
		add(p, a.Lerp(b, rng.Float64()).Sub(p).Unit())
		add(a.AddScaled(-1, b.Sub(a)), b.Sub(a))
		add(a.Lerp(b, -rng.Float64()), inside.Sub(c).Unit())
	}
	return rays
}

func compareRays(t testing.TB, b primitive.Runner, name string, in raycast.Input) {
	t.Helper()
	out, err := raycast.Primitive.Run(context.Background(), b, in)
	if err != nil || len(out.T) != len(in.Rays) || len(out.Triangle) != len(in.Rays) {
		t.Errorf("%s: %d answers to %d rays, error %v", name, len(out.T), len(in.Rays), err)
		return
	}
	again, err := raycast.Primitive.Run(context.Background(), b, in)
	if err != nil || !slices.Equal(out.T, again.T) || !slices.Equal(out.Triangle, again.Triangle) {
		t.Errorf("%s: the second call answers otherwise, error %v", name, err)
	}
	const few = 5 // lines say enough
	wrong := 0
	for i := range in.Rays {
		if what := newSight(in.Mesh, &in.Rays[i]).fault(out.T[i], int(out.Triangle[i]), in.Any); what != "" {
			t.Errorf("%s: ray %d, %+v, meets triangle %d at %g: %s", name, i, in.Rays[i], out.Triangle[i], out.T[i], what)
			if wrong++; wrong > few {
				return
			}
		}
	}
}

// sight is the obvious reference: all triangles, in a frame along one ray, in double precision.
type sight struct {
	tris     [][3]geom.Vec3 // mm, z along the ray
	from, to float64        // mm
	length   float64        // mm, of the direction
	slack    float64        // mm, by which everything may move
}

func newSight(m *mesh.Mesh, r *raycast.Ray) *sight {
	box := geom.EmptyBox()
	for _, p := range m.Points {
		box = box.Add(p)
	}
	s := &sight{length: r.Direction.Norm(), slack: r.Bound(box)}
	s.from, s.to = r.TMin*s.length, r.TMax*s.length
	f := geom.NewFrame(r.Origin, r.Direction.Scale(1/s.length), geom.Vec3{})
	for _, k := range m.Triangles {
		s.tris = append(s.tris, [3]geom.Vec3{f.Local(m.Points[k[0]]), f.Local(m.Points[k[1]]), f.Local(m.Points[k[2]])})
	}
	return s
}

// fault says what is wrong with an answer.
func (s *sight) fault(t float64, triangle int, any bool) string {
	if triangle >= len(s.tris) || triangle < -1 || (triangle < 0) != math.IsInf(t, 1) {
		return "there is no such triangle"
	}
	at := t * s.length
	if triangle >= 0 {
		_, may, lo, hi := tested(&s.tris[triangle], s.slack)
		switch {
		case !may:
			return "the ray passes it by"
		case at < lo || at > hi:
			return "the triangle is elsewhere"
		case at < s.from-s.slack || at > s.to+s.slack:
			return "the ray does not reach there"
		}
		if any {
			return ""
		}
	}
	for i := range s.tris {
		must, _, lo, hi := tested(&s.tris[i], s.slack)
		if must && lo > s.from+s.slack && hi < s.to-s.slack && hi < at {
			return "another triangle is met before"
		}
	}
	return ""
}

// tested tells whether the ray must meet a triangle, wherever its corners move, whether it may, and where. Whatever
// place is met came from one of the original triangle that lies within the slack of it: on its plane, and so near to
// the ray.
func tested(t *[3]geom.Vec3, slack float64) (must, may bool, lo, hi float64) {
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	near, sides := math.Inf(1), 0
	for k := range 3 {
		p, q := t[k], t[(k+1)%3]
		ex, ey := q.X-p.X, q.Y-p.Y
		u := 0.0
		if length2 := ex*ex + ey*ey; length2 > 0 {
			u = min(max(-(p.X*ex+p.Y*ey)/length2, 0), 1)
		}
		near = min(near, math.Hypot(p.X+u*ex, p.Y+u*ey))
		if c := p.X*q.Y - p.Y*q.X; c*n.Z > 0 {
			sides++
		}
	}
	const (
		give = 1 + 1e-6 // rounding of the reference
		flat = 1e-7     // share of the square of a side, below which that leaves nothing of the plane
	)
	inside := sides == 3
	must, may = inside && near > slack*give, inside || near <= slack*give
	lo, hi = min(t[0].Z, t[1].Z, t[2].Z), max(t[0].Z, t[1].Z, t[2].Z)
	if math.Abs(n.Z) > flat*max(t[0].Dist2(t[1]), t[1].Dist2(t[2]), t[2].Dist2(t[0])) {
		room := math.Hypot(n.X, n.Y) / math.Abs(n.Z) * slack * give
		height := t[0].Z + (n.X*t[0].X+n.Y*t[0].Y)/n.Z
		lo, hi = max(lo, height-room), min(hi, height+room)
	}
	return must, may, lo - 2*slack*give, hi + 2*slack*give
}

// raysLeaveNothing aims rays at corners and sides of closed bodies, from outside, where the body is solid all round
// the ray, and from inside.
func raysLeaveNothing(t testing.TB, b primitive.Runner, rng *rand.Rand) {
	t.Helper()
	rows := []struct {
		mesh  *mesh.Mesh
		reach float64 // mm, round the origin the body is solid
	}{
		{body.Ball(rng, 3, 0.3), 5},
		{body.Ball(rng, 4, 0), 9},
		{body.Move(body.Post(60, 1, 60), geom.Vec3{Z: -30}), 0.9},
		{body.Move(body.Post(300, 50, 2), geom.Vec3{Z: -1}), 0.9},
		{body.Boxes([2]geom.Vec3{{X: -5, Y: -5, Z: -5}, {X: 5, Y: 5, Z: 5}}), 4.9},
	}
	for _, row := range rows {
		in := raycast.Input{Mesh: row.mesh}
		for _, d := range append(body.Directions(rng, 10), along...) {
			for _, k := range row.mesh.Triangles {
				p, q := row.mesh.Points[k[0]], row.mesh.Points[k[1]]
				for _, at := range []geom.Vec3{p, p.Lerp(q, 0.5), p.Lerp(q, rng.Float64())} {
					ray := raycast.Ray{Origin: d.Scale(row.reach * rng.Float64()), TMax: math.Inf(1)}
					ray.Direction = at.Sub(ray.Origin)
					in.Rays = append(in.Rays, ray)
					if foot := at.AddScaled(-at.Dot(d), d); foot.Norm() < row.reach {
						in.Rays = append(in.Rays, raycast.Ray{Origin: foot.AddScaled(-100, d), Direction: d, TMax: 200})
					}
				}
			}
		}
		for _, in.Any = range []bool{false, true} {
			out, err := raycast.Primitive.Run(context.Background(), b, in)
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.Index(out.Triangle, -1); i >= 0 {
				t.Errorf("ray %+v leaks through %d triangles", in.Rays[i], len(row.mesh.Triangles))
			}
		}
	}
}

// manyRays casts the same rays with a tree and without, alone and among many.
func manyRays(t testing.TB, b primitive.Runner, rng *rand.Rand) {
	t.Helper()
	m := body.Ball(rng, 4, 0.8)
	tree, err := bvh.New(m.Points, m.Triangles, 3)
	if err != nil {
		t.Fatal(err)
	}
	few := raysThrough(rng, m, 5)
	many := raysThrough(rng, m, 600)
	in := raycast.Input{Tree: tree, Rays: append(slices.Clone(few), many...)}
	all, err := raycast.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := raycast.Primitive.Run(context.Background(), b, raycast.Input{Mesh: m, Rays: few})
	if err != nil || !slices.Equal(alone.T, all.T[:len(few)]) || !slices.Equal(alone.Triangle, all.Triangle[:len(few)]) {
		t.Errorf("rays among others meet something else than alone, error %v", err)
	}
	hits := 0
	for i := range few {
		if all.Triangle[i] >= 0 {
			hits++
		}
	}
	if hits == 0 || hits == len(few) {
		t.Errorf("%d of %d rays meet something: the test says nothing", hits, len(few))
	}
	if out, err := raycast.Primitive.Run(context.Background(), b, raycast.Input{Mesh: m}); err != nil || len(out.T) != 0 {
		t.Errorf("no rays: %d answers, error %v", len(out.T), err)
	}
}

func refuseRays(t testing.TB, b primitive.Runner) {
	t.Helper()
	nan := math.NaN()
	sound := func() raycast.Input {
		return raycast.Input{
			Mesh: body.Boxes([2]geom.Vec3{{}, {X: 1, Y: 1, Z: 1}}),
			Rays: []raycast.Ray{{Direction: geom.Vec3{X: 1}, TMax: 9}, {Direction: geom.Vec3{Z: 1}, TMax: math.Inf(1)}},
		}
	}
	primitivetest.Refuses(t, b, raycast.Primitive, sound, map[string]func(*raycast.Input){
		"no mesh":                   func(in *raycast.Input) { in.Mesh = nil },
		"a point that is no number": func(in *raycast.Input) { in.Mesh.Points[3].Y = nan },
		"a point beyond reach":      func(in *raycast.Input) { in.Mesh.Points[3].Y = 1e16 },
		"a corner that is no point": func(in *raycast.Input) { in.Mesh.Triangles[2][1] = 8 },
		"a negative corner":         func(in *raycast.Input) { in.Mesh.Triangles[2][1] = -1 },
		"an origin that is none":    func(in *raycast.Input) { in.Rays[1].Origin.Z = nan },
		"an origin beyond reach":    func(in *raycast.Input) { in.Rays[1].Origin.Z = math.Inf(-1) },
		"no direction":              func(in *raycast.Input) { in.Rays[1].Direction = geom.Vec3{} },
		"an infinite direction":     func(in *raycast.Input) { in.Rays[1].Direction.X = math.Inf(1) },
		"a start that is no number": func(in *raycast.Input) { in.Rays[0].TMin = nan },
		"an end that is no number":  func(in *raycast.Input) { in.Rays[0].TMax = nan },
	})
}
