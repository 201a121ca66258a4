package visibility

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn returns the heights of samples, in the order of the grid, after n triangles of random corners are drawn over
// them. The corners are taken in order; a triangle that faces along the rays has two of them exchanged.
func drawn(s, corners []viewPoint) (*grid, []int32) {
	v := &view{scene: &scene{}, points: corners}
	v.grid.sort(s)
	for i := int32(0); int(i) < len(corners); i += 3 {
		v.triangles = append(v.triangles, [3]int32{i, i + 1, i + 2})
		if p, q, r := corners[i], corners[i+1], corners[i+2]; side(&p, &q, r.x, r.y) < 0 {
			v.triangles[i/3] = [3]int32{i, i + 2, i + 1}
		}
	}
	v.batch.begin(v)
	for lo := 0; lo < len(v.triangles); lo += perBatch {
		n := min(perBatch, len(v.triangles)-lo)
		for k := range n {
			v.batch.numbers[k] = int32(lo + k)
		}
		v.batch.draw(v, n)
	}
	return &v.grid, v.grid.z
}

// side is positive right of the line from p to q, seen from the eye.
func side(p, q *viewPoint, x, y int32) int64 {
	return int64(q.y-p.y)*int64(x-p.x) - int64(q.x-p.x)*int64(y-p.y)
}

// crowd returns samples, and corners of triangles of that kind, in a square of 2·size.
func crowd(rng *rand.Rand, size int32, samples, triangles, kind int) (s, corners []viewPoint) {
	at := func() int32 { return rng.Int32N(2*size) - size }
	near := func(x int32) int32 { return min(max(x+rng.Int32N(size/16+3)-size/32, -size), size) }
	for i := range samples {
		s = append(s, viewPoint{at(), at(), at(), int32(i)})
	}
	for range triangles {
		var p, q, r viewPoint
		for _, c := range []*viewPoint{&p, &q, &r} {
			c.x, c.y, c.z = at(), at(), at()
		}
		switch kind {
		case 1: // small
			q.x, q.y, r.x, r.y = near(p.x), near(p.y), near(p.x), near(p.y)
		case 2: // needles
			r = viewPoint{near(p.x/2 + q.x/2), p.y/2 + q.y/2, r.z, 0}
		case 3: // along the rows, and flat
			q.y, q.z, r.z = p.y, p.z, p.z
		case 4: // along the columns
			q.x = p.x
		}
		corners = append(corners, p, q, r)
	}
	return s, corners
}

// TestVectorsEqualGo checks that vectors and plain Go give the same bits, also exactly on sides, corners and heights:
// small whole coordinates meet them often, large ones use all digits.
func TestVectorsEqualGo(t *testing.T) {
	if !vectors {
		t.Skip("this processor has no vectors that are used")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	hits, seen := 0, 0
	for trial := range 1500 {
		size := []int32{4, 40, 1 << 12, 1 << 24}[trial%4]
		s, corners := crowd(rng, size, 1+rng.IntN(400), 1+rng.IntN(2*perBatch), trial%5)
		_, fast := drawn(s, corners)
		setVectors(t, false)
		_, plain := drawn(s, corners)
		setVectors(t, true)
		if !slices.Equal(fast, plain) {
			t.Fatalf("trial %d: vectors answer otherwise", trial)
		}
		for _, z := range plain[:len(s)] {
			if z == blocked {
				hits++
			} else {
				seen++
			}
		}
	}
	if hits == 0 || seen == 0 {
		t.Errorf("%d samples were blocked, %d were not: the test says nothing", hits, seen)
	}
}

// TestVectorPreparationMatchesGo checks that the vector code gives the same triangles and runs as the Go code.
func TestVectorPreparationMatchesGo(t *testing.T) {
	if !vectors {
		t.Skip("this processor has no vectors that are used")
	}
	rng := rand.New(rand.NewPCG(15, 16))
	runs, large := 0, 0
	for trial := range 200 {
		s, corners := crowd(rng, []int32{40, 1 << 12, 1 << 24}[trial%3], 1+rng.IntN(3000), perBatch, trial%5)
		v := &view{scene: &scene{}, points: corners}
		v.grid.sort(s)
		for i := range int32(perBatch) {
			v.triangles = append(v.triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
			v.batch.numbers[i] = i
		}
		v.batch.begin(v)
		n := v.batch.prepare(v, perBatch)
		fast := v.batch
		fast.runs, v.batch.runs = slices.Clone(v.batch.runs), v.batch.runs[:0]
		v.batch.records = [perBatch]occluder{}
		setVectors(t, false)
		m := v.batch.prepare(v, perBatch)
		setVectors(t, true)
		if n != m || !slices.Equal(fast.large[:n], v.batch.large[:m]) || !slices.Equal(fast.runs, v.batch.runs) {
			t.Fatalf("trial %d: vectors lay out other runs", trial)
		}
		for _, r := range fast.runs {
			if a, b := fast.records[r.record], v.batch.records[r.record]; a != b {
				t.Fatalf("trial %d: vectors lay out %v, plain Go %v", trial, a, b)
			}
		}
		runs, large = runs+len(fast.runs), large+n
	}
	if runs == 0 || large == 0 {
		t.Errorf("%d runs, %d large triangles: the test says nothing", runs, large)
	}
}

// TestManyHits covers far more samples in one place than the capacity for hits.
func TestManyHits(t *testing.T) {
	for _, on := range []bool{vectors, false} {
		setVectors(t, on)
		const n = 3 * manyHits * lanes
		s := make([]viewPoint, n)
		for i := range s {
			s[i] = viewPoint{5, 5, int32(i % 2), int32(i)}
		}
		roof := []viewPoint{{0, 0, 1, 0}, {0, 20, 1, 0}, {20, 0, 1, 0}}
		g, z := drawn(s, append(roof, roof...))
		for i := range n {
			if want := g.id[i]%2 == 0; (z[i] == blocked) != want {
				t.Fatalf("vectors %v: sample %d is blocked: %v, want %v", on, g.id[i], !want, want)
			}
		}
	}
}

// Every sample under triangles of all sizes against the sides computed in integers. Flat triangles have a
// height that is exact too.
func TestDrawIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 400 {
		size := []int32{3, 50, 1 << 12, 1 << 24}[trial%4]
		kind := trial / 4 % 5
		s, corners := crowd(rng, size, 300, 1+rng.IntN(40), kind)
		for i := 0; i+2 < len(corners); i += 3 {
			corners[i+1].z, corners[i+2].z = corners[i].z, corners[i].z
			if i/3 < len(s) { // on a corner, and on a side where its middle is whole
				p, q, middle := &corners[i], &corners[i+1], &s[len(s)-1-i/3]
				s[i/3].x, s[i/3].y = p.x, p.y
				middle.x, middle.y = (p.x+q.x)/2, (p.y+q.y)/2
			}
		}
		g, z := drawn(s, corners)
		for i, id := range g.id {
			p, want := s[id], false
			for k := 0; k < len(corners) && !want; k += 3 {
				a, b, c := &corners[k], &corners[k+1], &corners[k+2]
				u, v, w := side(a, b, p.x, p.y), side(b, c, p.x, p.y), side(c, a, p.x, p.y)
				area := side(a, b, c.x, c.y)
				want = area != 0 && a.z > p.z && (min(u, v, w) >= 0 || max(u, v, w) <= 0)
			}
			if got := z[i] == blocked; got != want {
				t.Fatalf("trial %d: the sample at %v is blocked: %v, want %v", trial, p, got, want)
			}
		}
	}
}

// TestClippedCellsContainCoveredSamples checks that the clipped cells of a large triangle contain all samples that it
// covers.
func TestClippedCellsContainCoveredSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	large := 0
	for trial := range 600 {
		s, c := crowd(rng, 1<<24, 3000, 1, []int{0, 2, 3, 4}[trial%4])
		v := &view{scene: &scene{}}
		v.grid.sort(s)
		v.batch.begin(v1(v, c))
		o := &v.batch.records[0]
		if o.p, o.q, o.r = c[0], c[1], c[2]; side(&o.p, &o.q, o.r.x, o.r.y) < 0 {
			o.q, o.r = o.r, o.q
		}
		box, ok := o.set(&v.grid)
		if !ok {
			continue
		}
		if box.r1-box.r0 >= smallRows || box.c1-box.c0 >= smallColumns {
			large++
		}
		g := &v.grid
		whole, cut := slices.Clone(g.z), slices.Clone(g.z)
		o.block(g.x, g.y, whole)
		v.batch.cutLarge(g, 0)
		for _, r := range v.batch.runs {
			o.block(g.x[r.lo:r.hi], g.y[r.lo:r.hi], cut[r.lo:r.hi])
		}
		if !slices.Equal(whole, cut) {
			t.Fatalf("trial %d: the triangle %v misses samples", trial, c)
		}
	}
	if large < 100 {
		t.Errorf("only %d triangles were large", large)
	}
}

// v1 gives a view one triangle.
func v1(v *view, corners []viewPoint) *view {
	v.points, v.triangles = corners, [][3]int32{{0, 1, 2}}
	return v
}

// TestGridContainsEverySample checks that every sample is in the run of its cell, that the runs are in the order of the
// cells, and that the lowest sample of several cells is correct.
func TestGridContainsEverySample(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	rows := []struct {
		name       string
		n          int
		wide, high int32
	}{
		{"one", 1, 1, 1}, {"one place", 100, 1, 1},
		{"a row", 1000, 1 << 24, 1}, {"a column", 1000, 1, 1 << 24},
		{"a square", 5000, 1 << 24, 1 << 24}, {"few steps", 5000, 3, 3}, {"a strip", 5000, 1 << 24, 500},
		{"a huge square", 5000, 1<<25 - 3, 1<<25 - 3},
	}
	var g grid // its memory goes from row to row
	for _, row := range rows {
		s := make([]viewPoint, row.n)
		for i := range s {
			s[i] = viewPoint{rng.Int32N(row.wide) - row.wide/2, rng.Int32N(row.high), rng.Int32(), int32(i)}
		}
		g.sort(s)
		seen := make([]bool, len(s))
		for c := range g.w * g.h {
			for k := g.start[c]; k < g.start[c+1]; k++ {
				p := s[g.id[k]]
				seen[g.id[k]] = true
				if g.x[k] != p.x || g.y[k] != p.y || g.z[k] != p.z {
					t.Fatalf("%s: sample %d moved", row.name, g.id[k])
				}
				if g.up.at(p.y)*g.w+g.across.at(p.x) != c {
					t.Fatalf("%s: sample %d is in cell %d", row.name, g.id[k], c)
				}
				if g.blocks[c/g.w>>rowBits*g.bw+c%g.w>>columnBits] > p.z {
					t.Fatalf("%s: the block of cell %d does not reach down to %d", row.name, c, p.z)
				}
				for w := range windows + 1 {
					from := max(c-1<<w+1, 0)
					if low := slices.Max(g.low[w*g.stride+from : w*g.stride+c+1]); low > p.z {
						t.Fatalf("%s: %d cells round cell %d do not reach down to %d", row.name, 1<<w, c, p.z)
					}
				}
			}
		}
		if i := slices.Index(seen, false); i >= 0 {
			t.Fatalf("%s: sample %d is in no cell", row.name, i)
		}
	}
}

// TestGridIsFineWhereSamplesAre checks that cells are finer along one axis where samples are clustered along the other:
// the cells that a needle crosses contain few samples.
func TestGridIsFineWhereSamplesAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	const n, size = 1 << 15, 1 << 24
	rows := []struct {
		name  string
		place func() (x, y int32)
	}{
		{"even", func() (x, y int32) { return rng.Int32N(size), rng.Int32N(size) }},
		{"two columns far apart", func() (x, y int32) { return rng.Int32N(2) * (size - 1), rng.Int32N(size / 100) }},
		{"three rows far apart", func() (x, y int32) { return rng.Int32N(size / 100), rng.Int32N(3) * (size / 3) }},
	}
	for _, row := range rows {
		s := make([]viewPoint, n)
		for i := range s {
			x, y := row.place()
			s[i] = viewPoint{x, y, 0, int32(i)}
		}
		var g grid
		g.sort(s)
		most := int32(0)
		for c := range g.w * g.h {
			most = max(most, g.start[c+1]-g.start[c])
		}
		if most > 30*perCell {
			t.Errorf("%s: one of %d × %d cells holds %d samples", row.name, g.w, g.h, most)
		}
	}
}

// TestNeedleBelowSamplesAddsNoRun checks that a needle adds no run to a row where its part in the row is below all
// samples, however high its other end is.
func TestNeedleBelowSamplesAddsNoRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	const size, above = 1 << 22, 1 << 20 // steps; no row is higher than some 2^19
	for _, along := range []func(u, w int32) (x, y int32){
		func(u, w int32) (x, y int32) { return w, u },
		func(u, w int32) (x, y int32) { return u + w, u },
	} {
		var s []viewPoint
		for i := range int32(4000) {
			u := rng.Int32N(2*size) - size
			x, y := along(u, rng.Int32N(1<<20))
			s = append(s, viewPoint{x, y, u + above, i}) // along the needle both rise by a step a step
		}
		v := &view{scene: &scene{}}
		v.grid.sort(s)
		v.batch.begin(v1(v, make([]viewPoint, 3)))
		o := &v.batch.records[0]
		for k, c := range []*viewPoint{&o.p, &o.q, &o.r} {
			u := []int32{-size, size, size}[k]
			x, y := along(u, 1<<19)
			*c = viewPoint{x + int32(k/2)*40, y, u, 0}
		}
		if _, ok := o.set(&v.grid); !ok {
			t.Fatal("the needle is not entered")
		}
		v.batch.cutLarge(&v.grid, 0)
		if n := len(v.batch.runs); n != 0 {
			t.Errorf("a needle below all samples of its rows adds %d runs", n)
		}
	}
}
