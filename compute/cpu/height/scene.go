// Package height holds the processor's side of the height primitives: rasterising a mesh, offsetting its heights
// by a tool, and dropping a tool onto the mesh itself.
//
// All work on bands of rows. A band belongs to one goroutine at a time, and a cell takes the greatest of the
// values that are proposed for it, so the results do not depend on the number of threads.
package height

import (
	"context"
	"math"

	"millwright/compute/kernel"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// Each runs numbered tasks on several goroutines, each of which asks for a worker of its own.
type Each func(ctx context.Context, tasks int, worker func() func(task int)) error

const (
	bandRows  = 16      // rows per band: enough bands for all threads, little work repeated per band
	chunkSize = 1 << 14 // points or triangles per task
)

// point is a point of the mesh above the grid: columns and rows from the centre of cell 0, and z in mm.
type point struct{ u, v, z float64 }

// scene is the mesh above the grid.
type scene struct {
	points    []point
	triangles [][3]int32
	width     int
	height    int
}

func newScene(ctx context.Context, m *mesh.Mesh, f geom.Frame, g kernel.Grid, each Each) (*scene, error) {
	s := &scene{points: make([]point, len(m.Points)), triangles: m.Triangles, width: g.Width, height: g.Height}
	err := each(ctx, chunks(len(m.Points)), func() func(int) {
		return func(task int) {
			lo, hi := chunk(task, len(m.Points))
			for i, p := range m.Points[lo:hi] {
				q := f.Local(p)
				s.points[lo+i] = point{(q.X - g.X) / g.Step, (q.Y - g.Y) / g.Step, q.Z}
			}
		}
	})
	return s, err
}

func chunks(n int) int { return (n + chunkSize - 1) / chunkSize }

func chunk(task, n int) (lo, hi int) { return task * chunkSize, min((task+1)*chunkSize, n) }

// bands returns how many bands the rows make.
func bands(rows int) int { return (rows + bandRows - 1) / bandRows }

// bandOf returns the rows of a band.
func bandOf(task, rows int) (lo, hi int) { return task * bandRows, min((task+1)*bandRows, rows) }

// bins lists for each band the items that reach into it.
type bins struct {
	start []int32 // per band, and the end of the last
	items []int32
}

// of returns the items of a band.
func (b *bins) of(band int) []int32 { return b.items[b.start[band]:b.start[band+1]] }

// newBins sorts n items by the bands between the first and the last row they touch (none when the first is
// greater). Chunks of items are counted and placed side by side.
func newBins(ctx context.Context, n, rows int, each Each, span func(item int) (first, last int)) (*bins, error) {
	count, parts := bands(rows), chunks(n)
	at := make([]int32, parts*count) // per chunk and band: how many, then where they go
	visit := func(task int, do func(band, item int)) {
		lo, hi := chunk(task, n)
		for i := lo; i < hi; i++ {
			first, last := span(i)
			for band := max(first, 0) / bandRows; band <= min(last, rows-1)/bandRows && first <= last && last >= 0; band++ {
				do(band, i)
			}
		}
	}
	err := each(ctx, parts, func() func(int) {
		return func(task int) {
			visit(task, func(band, _ int) { at[task*count+band]++ })
		}
	})
	if err != nil {
		return nil, err
	}
	b := &bins{start: make([]int32, count+1)}
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
	return b, each(ctx, parts, func() func(int) {
		return func(task int) {
			visit(task, func(band, item int) {
				k := task*count + band
				b.items[at[k]] = int32(item)
				at[k]++
			})
		}
	})
}

// rowsBetween returns the rows whose centres lie between lo and hi, limited to what an int holds.
func rowsBetween(lo, hi float64) (first, last int) {
	const far = 1 << 40
	return int(math.Ceil(max(lo, -far))), int(math.Floor(min(hi, far)))
}

var nothing = float32(math.Inf(-1))

// newMap returns n cells that hold nothing.
func newMap(n int) []float32 {
	z := make([]float32, n)
	for i := range z {
		z[i] = nothing
	}
	return z
}
