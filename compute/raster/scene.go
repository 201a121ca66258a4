package raster

import (
	"context"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	bandRows  = 16      // rows per band: enough bands for all threads, little work repeated per band
	chunkSize = 1 << 14 // points or triangles per task
)

// Point is a point of the mesh above the grid: columns and rows from the center of cell 0, and z in mm.
type Point struct{ U, V, Z float64 }

// Scene is the mesh above the grid.
type Scene struct {
	Points    []Point
	Triangles [][3]int32
	Width     int
	Height    int
}

// NewScene transforms mesh m (part frame, mm) to frame f, then to the columns and rows of grid g. After a cancellation
// it returns the error of ctx.
func NewScene(ctx context.Context, m *mesh.Mesh, f geom.Frame, g grid.Grid, on primitive.CPU) (*Scene, error) {
	s := &Scene{Points: make([]Point, len(m.Points)), Triangles: m.Triangles, Width: g.Width, Height: g.Height}
	err := on.Each(ctx, chunks(len(m.Points)), func() func(int) {
		return func(task int) {
			lo, hi := chunk(task, len(m.Points))
			for i, p := range m.Points[lo:hi] {
				q := f.Local(p)
				s.Points[lo+i] = Point{(q.X - g.X) / g.Step, (q.Y - g.Y) / g.Step, q.Z}
			}
		}
	})
	return s, err
}

func chunks(n int) int { return (n + chunkSize - 1) / chunkSize }

func chunk(task, n int) (lo, hi int) { return task * chunkSize, min((task+1)*chunkSize, n) }

// Bands returns the number of bands for the given number of rows.
func Bands(rows int) int { return (rows + bandRows - 1) / bandRows }

// BandOf returns the rows of a band.
func BandOf(task, rows int) (lo, hi int) { return task * bandRows, min((task+1)*bandRows, rows) }

// EachBand calls do with each band and its rows, from lo up to but not including hi, on all processors. It runs the
// host's share of a call on a graphics device.
func EachBand(ctx context.Context, rows int, do func(band, lo, hi int)) error {
	return primitive.OnHost(ctx, Bands(rows), func(band int) {
		lo, hi := BandOf(band, rows)
		do(band, lo, hi)
	})
}

// Bins lists for each band the items that reach into it.
type Bins struct {
	start []int32 // per band, and the end of the last
	items []int32
}

// Of returns the items of a band.
func (b *Bins) Of(band int) []int32 { return b.items[b.start[band]:b.start[band+1]] }

// NewBins sorts n items by the bands between the first and the last row they touch, no band if first is greater. Chunks
// of items are counted and placed side by side.
func NewBins(ctx context.Context, n, rows int, on primitive.CPU, span func(item int) (first, last int)) (*Bins, error) {
	count, parts := Bands(rows), chunks(n)
	at := make([]int32, parts*count) // per chunk and band: the count, then the position of the entries
	visit := func(task int, do func(band, item int)) {
		lo, hi := chunk(task, n)
		for i := lo; i < hi; i++ {
			first, last := span(i)
			for band := max(first, 0) / bandRows; band <= min(last, rows-1)/bandRows && first <= last &&
				last >= 0; band++ {
				do(band, i)
			}
		}
	}
	err := on.Each(ctx, parts, func() func(int) {
		return func(task int) {
			visit(task, func(band, _ int) { at[task*count+band]++ })
		}
	})
	if err != nil {
		return nil, err
	}
	b := &Bins{start: make([]int32, count+1)}
	total := int32(0)
	for band := range count {
		b.start[band] = total
		for part := range parts {
			k := part*count + band
			at[k], total = total, total+at[k]
		}
	}
	b.start[count] = total
	b.items = make([]int32, total)
	return b, on.Each(ctx, parts, func() func(int) {
		return func(task int) {
			visit(task, func(band, item int) {
				k := task*count + band
				b.items[at[k]] = int32(item)
				at[k]++
			})
		}
	})
}

// RowsBetween returns the rows whose centers lie between lo and hi, limited to the range of int.
func RowsBetween(lo, hi float64) (first, last int) {
	const far = 1 << 40
	return int(math.Ceil(max(lo, -far))), int(math.Floor(min(hi, far)))
}

// Triangle returns the corners of a triangle.
func (s *Scene) Triangle(i int) [3]Point {
	t := &s.Triangles[i]
	return [3]Point{s.Points[t[0]], s.Points[t[1]], s.Points[t[2]]}
}

// Bin sorts the triangles by the bands they come within reach cells of.
func (s *Scene) Bin(ctx context.Context, reach float64, on primitive.CPU) (*Bins, error) {
	return NewBins(ctx, len(s.Triangles), s.Height, on, func(i int) (int, int) {
		t := &s.Triangles[i]
		a, b, c := &s.Points[t[0]], &s.Points[t[1]], &s.Points[t[2]]
		if max(a.U, b.U, c.U)+reach < 0 || min(a.U, b.U, c.U)-reach > float64(s.Width-1) {
			return 1, 0
		}
		return RowsBetween(min(a.V, b.V, c.V)-reach, max(a.V, b.V, c.V)+reach)
	})
}
