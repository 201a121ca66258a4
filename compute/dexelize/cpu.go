package dexelize

// Stock from a mesh.
//
// Method: scan conversion in the view along each bundle. In units of cells, the rays of a row lie at integers. A
// triangle's side crosses row j when exactly one of its ends lies below the row. The crossing is computed from the
// lower end to the upper one, so both triangles at the side get the same value. A row meets two sides of a triangle or
// no side, and its rays at i with left < i ≤ right belong to the triangle. So every ray that enters a closed mesh
// leaves it for any rounding. The rays of one band of rows are processed together: their crossings are sorted and
// counted.
//
// Cost: O(triangles + crossings·log(crossings of a ray)). Limits: 2³¹ spans per bundle.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// bandRows is the number of rows of rays done at a time.
const bandRows = 16

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (*dexel.Stock, error) {
	out := &dexel.Stock{Lattice: in.Lattice}
	for a := range 3 {
		s := newScan(in, a)
		b, err := s.run(ctx, on)
		if err != nil {
			return nil, err
		}
		out.Bundles[a] = b
	}
	return out, nil
}

// scan converts the mesh for the rays of one bundle.
type scan struct {
	in            *Input
	columns, rows int
	length        float64      // mm
	points        [][3]float64 // column and row, in cells from the first ray, and mm along the rays
	mirrored      bool         // the axes of columns, rows and rays are left-handed
}

func newScan(in *Input, bundle int) *scan {
	l := in.Lattice
	b, c := dexel.Side(bundle)
	s := &scan{
		in: in, columns: l.Count[b], rows: l.Count[c], length: float64(l.Count[bundle]) * l.Step,
		points: make([][3]float64, len(in.Mesh.Points)), mirrored: bundle == 1,
	}
	for i, p := range in.Mesh.Points {
		q := p.Sub(l.Origin)
		x := [3]float64{q.X, q.Y, q.Z}
		s.points[i] = [3]float64{x[b]/l.Step - 0.5, x[c]/l.Step - 0.5, x[bundle]}
	}
	return s
}

// crossing is the intersection of a ray with a triangle.
type crossing struct {
	ray  int32 // in the band
	step int32 // 1 where it enters the mesh, -1 where it leaves it
	at   float64
}

// run converts band after band.
func (s *scan) run(ctx context.Context, on primitive.CPU) (dexel.Bundle, error) {
	out := dexel.Bundle{Start: make([]int32, s.columns*s.rows+1)}
	bands := (s.rows + bandRows - 1) / bandRows
	start, triangles := s.bin(bands)
	spans := make([][]dexel.Span, bands)
	open := make([]int, bands) // 1 + a ray that does not leave the mesh as often as it enters
	err := on.Each(ctx, bands, func() func(int) {
		var list, ordered []crossing
		next := make([]int32, bandRows*s.columns+1)
		return func(b int) {
			list = list[:0]
			lo, hi := b*bandRows, min((b+1)*bandRows, s.rows)
			for _, t := range triangles[start[b]:start[b+1]] {
				list = s.cross(list, s.in.Mesh.Triangles[t], lo, hi)
			}
			ordered = order(ordered, list, next)
			spans[b], open[b] = s.count(ordered, out.Start[lo*s.columns+1:])
		}
	})
	if err != nil {
		return out, err
	}
	total := 0
	for b := range bands {
		if open[b] > 0 {
			r := b*bandRows*s.columns + open[b] - 1
			return out, fmt.Errorf("dexels: the mesh is not closed where ray (%d, %d) passes", r%s.columns, r/s.columns)
		}
		total += len(spans[b])
	}
	if total > math.MaxInt32 {
		return out, errors.New("dexels: the mesh gives more than 2³¹ spans")
	}
	for r := range s.columns * s.rows {
		out.Start[r+1] += out.Start[r]
	}
	out.Spans = slices.Concat(spans...)
	return out, nil
}

// order sorts crossings by ray, and along each ray, into to. next has space for one number per ray and one more.
func order(to, list []crossing, next []int32) []crossing {
	clear(next)
	for i := range list {
		next[list[i].ray+1]++
	}
	for r := range len(next) - 1 {
		next[r+1] += next[r]
	}
	to = slices.Grow(to[:0], len(list))[:len(list)]
	for _, c := range list {
		to[next[c.ray]] = c
		next[c.ray]++
	}
	for first := 0; first < len(to); {
		ray := to[first:next[to[first].ray]]
		slices.SortFunc(ray,
			func(x, y crossing) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(y.step, x.step)) })
		first += len(ray)
	}
	return to
}

// bin lists the triangles of each band of rows, in their order.
func (s *scan) bin(bands int) (start, triangles []int32) {
	start = make([]int32, bands+1)
	visit := func(f func(t int32, band int)) {
		for t, k := range s.in.Mesh.Triangles {
			a, b, c := s.points[k[0]][1], s.points[k[1]][1], s.points[k[2]][1]
			lo, hi := dexel.Cells(min(a, b, c)+0.5, max(a, b, c)+0.5, 1, 0, s.rows)
			for band := lo / bandRows; band*bandRows < hi; band++ {
				f(int32(t), band)
			}
		}
	}
	visit(func(_ int32, band int) { start[band+1]++ })
	for b := range bands {
		start[b+1] += start[b]
	}
	triangles = make([]int32, start[bands])
	next := slices.Clone(start)
	visit(func(t int32, band int) { triangles[next[band]] = t; next[band]++ })
	return start, triangles
}

// cross appends the crossings of a triangle with the rays of rows lo to hi.
func (s *scan) cross(list []crossing, k [3]int32, lo, hi int) []crossing {
	p := [3][3]float64{s.points[k[0]], s.points[k[1]], s.points[k[2]]}
	first, last := dexel.Cells(min(p[0][1], p[1][1], p[2][1])+0.5, max(p[0][1], p[1][1], p[2][1])+0.5, 1, lo, hi)
	for j := first; j < last; j++ {
		var at [2]geom.Vec2 // column and depth of the row's crossings with sides
		var up [2]bool
		n := 0
		for e := range 3 {
			a, b := p[e], p[(e+1)%3]
			below, above := a[1] < float64(j), b[1] < float64(j)
			if below == above {
				continue
			}
			if !below {
				a, b = b, a
			}
			t := (float64(j) - a[1]) / (b[1] - a[1])
			at[n], up[n] = geom.Vec2{X: a[0] + t*(b[0]-a[0]), Y: a[2] + t*(b[2]-a[2])}, below
			n++
		}
		if n != 2 {
			continue
		}
		if at[0].X > at[1].X {
			at[0], at[1], up[0] = at[1], at[0], up[1]
		}
		// Seen against the rays of a right-handed bundle a triangle that faces the eye has its left side
		// downward; there the ray leaves the mesh.
		step := int32(-1)
		if up[0] != s.mirrored {
			step = 1
		}
		list = s.fill(list, at[0], at[1], (j-lo)*s.columns, step)
	}
	return list
}

// fill appends the crossings of the rays of a row between two sides.
func (s *scan) fill(list []crossing, left, right geom.Vec2, base int, step int32) []crossing {
	i := 0
	if left.X >= 0 {
		i = int(min(math.Floor(left.X)+1, float64(s.columns)))
	}
	width := right.X - left.X
	for ; i < s.columns && float64(i) <= right.X; i++ {
		z := left.Y + (float64(i)-left.X)/width*(right.Y-left.Y)
		list = append(list, crossing{int32(base + i), step, z})
	}
	return list
}

// count turns ordered crossings into spans and notes their number per ray. The second result is 0, or 1 + a
// ray with an open end.
func (s *scan) count(list []crossing, counts []int32) (spans []dexel.Span, open int) {
	for len(list) > 0 {
		ray, inside, from := list[0].ray, int32(0), 0.0
		for len(list) > 0 && list[0].ray == ray {
			c := list[0]
			list = list[1:]
			if inside == 0 && c.step > 0 {
				from = c.at
			}
			if inside += c.step; inside != 0 || c.step > 0 {
				continue
			}
			d := dexel.Span{Lo: float32(max(from, 0)), Hi: float32(min(c.at, s.length))}
			if n := len(spans); counts[ray] > 0 && spans[n-1].Hi >= d.Lo { // the spans touch, or touch after rounding
				spans[n-1].Hi = max(spans[n-1].Hi, d.Hi)
			} else if d.Lo < d.Hi {
				spans = append(spans, d)
				counts[ray]++
			}
		}
		if inside != 0 {
			open = int(ray) + 1
		}
	}
	return spans, open
}
