package visibility

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func anyDirection(rng *rand.Rand) geom.Vec3 {
	return geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
}

// places returns whole places in a ball.
func places(rng *rand.Rand, n int, radius float64) [][3]float32 {
	all := make([][3]float32, n)
	for i := range all {
		p := anyDirection(rng).Scale(radius * rng.Float64())
		all[i] = [3]float32{float32(math.Trunc(p.X)), float32(math.Trunc(p.Y)), float32(math.Trunc(p.Z))}
	}
	return all
}

// TestTurnRoundsToHalfStep checks that each sample is moved to within half a step of its exact position along every
// axis, with the same bits in vector and plain code.
func TestTurnRoundsToHalfStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for trial := range 200 {
		src := places(rng, rng.IntN(40), 1<<24-2)
		f := geom.NewFrame(geom.Vec3{}, anyDirection(rng), geom.Vec3{})
		origin := anyDirection(rng).Scale(float64(trial))
		scale := 1 - rng.Float64()/4
		m := newTurning(&f, scale, origin)
		got := make([]viewPoint, len(src))
		turn(got, src, &m)
		for i, s := range src {
			p := geom.Vec3{X: float64(s[0]), Y: float64(s[1]), Z: float64(s[2])}.Scale(scale).Add(origin)
			const half = 0.5 + 1e-6
			at := geom.Vec3{X: float64(got[i].x), Y: float64(got[i].y), Z: float64(got[i].z)}
			if d := f.LocalDir(p).Sub(at); max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)) > half {
				t.Fatalf("%v came to %v, which is %v off", s, got[i], d)
			}
		}
		if !vectors {
			continue
		}
		plain := make([]viewPoint, len(src))
		setVectors(t, false)
		turn(plain, src, &m)
		setVectors(t, true)
		if !slices.Equal(got, plain) {
			t.Fatalf("trial %d: vectors turn otherwise", trial)
		}
	}
}

func TestFacing(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	nan := float32(math.NaN())
	for range 300 {
		normals := make([][3]float32, rng.IntN(65))
		for i := range normals {
			n := anyDirection(rng)
			normals[i] = [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
		}
		if len(normals) > 8 {
			normals[3], normals[len(normals)-1] = [3]float32{nan, 0, 0}, [3]float32{0, 0, nan}
		}
		n := anyDirection(rng)
		d := [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
		least := rng.Float32()/2 - 0.25
		got := facing(normals, &d, least)
		for i, n := range normals {
			c := float64(n[0])*float64(d[0]) + float64(n[1])*float64(d[1]) + float64(n[2])*float64(d[2])
			if math.Abs(c-float64(least)) < 1e-6 {
				continue
			}
			if want := !(c < float64(least)); (got>>i&1 != 0) != want {
				t.Fatalf("normal %v along %v: facing is %v, want %v", n, d, !want, want)
			}
		}
		if got>>len(normals) != 0 && len(normals) < 64 {
			t.Fatalf("%d normals set the bits %x", len(normals), got)
		}
		on := vectors
		setVectors(t, false)
		plain := facing(normals, &d, least)
		setVectors(t, on)
		if plain != got {
			t.Fatalf("vectors say %x, plain Go %x", got, plain)
		}
	}
}

// TestEnteredListsEveryHitTriangle checks that every triangle that passes the exact test is listed, with few others,
// and that vector code lists the same.
func TestEnteredListsEveryHitTriangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	listed, taken := 0, 0
	for trial := range 300 {
		radius := []float64{2, 100, 1 << 14, 1<<24 - 2}[trial%4]
		points := places(rng, 3*rng.IntN(200), radius)
		var triangles [][3]int32
		for i := int32(0); int(i) < len(points); i += 3 {
			triangles = append(triangles, [3]int32{i, i + 1, i + 2})
		}
		facets := newFacets(points, triangles)
		dir := anyDirection(rng)
		if trial%3 == 0 { // many sides and faces lie along it
			dir = [3]geom.Vec3{{X: 1}, {Y: -1}, {Z: 1}}[rng.IntN(3)]
		}
		f := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
		d := [3]float32{float32(f.Z.X), float32(f.Z.Y), float32(f.Z.Z)}
		dst := make([]int32, 8*len(facets)+lanes)
		const first = 1000
		dst = dst[:entered(dst, facets, &d, first)]
		m := newTurning(&f, 1, geom.Vec3{})
		turned := make([]viewPoint, len(points))
		turn(turned, points, &m)
		for i, c := range triangles {
			p, q, r := &turned[c[0]], &turned[c[1]], &turned[c[2]]
			if side(p, q, r.x, r.y) <= 0 {
				continue
			}
			taken++
			if !slices.Contains(dst, first+int32(i)) {
				t.Fatalf("triangle %v %v %v is entered along %v and not listed", *p, *q, *r, dir)
			}
		}
		listed += len(dst)
		if !slices.IsSorted(dst) || len(dst) > 0 && int(dst[len(dst)-1]) >= first+len(triangles) {
			t.Fatalf("listed are %v of %d", dst, len(triangles))
		}
		on, plain := vectors, make([]int32, 8*len(facets)+lanes)
		setVectors(t, false)
		plain = plain[:entered(plain, facets, &d, first)]
		setVectors(t, on)
		if !slices.Equal(plain, dst) {
			t.Fatalf("trial %d: vectors list otherwise", trial)
		}
	}
	if taken == 0 || listed > 2*taken {
		t.Errorf("%d triangles are listed, %d of them entered", listed, taken)
	}
}
