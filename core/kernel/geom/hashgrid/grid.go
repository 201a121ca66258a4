// Package hashgrid finds items near a point, among many items that are added one by one.
//
// Method: a uniform grid of cubic cells over all of space; a hash table contains the used cells (Teschner et al. 2003,
// "Optimized spatial hashing for collision detection of deformable objects"). The user defines the content of a cell,
// for example a list of numbers. The same calls visit the same cells in the same order.
//
// Cost: one look-up per cell, so the cell size should be about the search distance. It is not suited to boxes of very
// different sizes, nor to a search for the nearest of all items.
package hashgrid

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Grid contains a T for every used cell. Concurrent visits are safe as long as no item is added.
type Grid[T any] struct {
	size  float64
	head  []int32 // by hash: the last cell of its chain, -1 = empty; the length is a power of two
	cells []cell[T]
}

type cell[T any] struct {
	at   place
	next int32 // in the chain; -1 = last
	item T
}

// place counts cells from the origin along each axis.
type place [3]int64

// New returns a grid with cells of a side longer than 0, in the unit of the points it will be asked about.
func New[T any](size float64) *Grid[T] {
	g := &Grid[T]{size: size}
	g.rehash(16)
	return g
}

// Size returns the side of a cell.
func (g *Grid[T]) Size() float64 { return g.size }

// At returns the content of the cell of p, the zero T at first. The next call of At may move it.
func (g *Grid[T]) At(p geom.Vec3) *T {
	at := g.place(p)
	if c := g.find(at); c != nil {
		return &c.item
	}
	if len(g.cells) == len(g.head) {
		g.rehash(2 * len(g.head))
	}
	slot := g.slot(at)
	g.cells = append(g.cells, cell[T]{at: at, next: g.head[slot]})
	g.head[slot] = int32(len(g.cells) - 1)
	return &g.cells[len(g.cells)-1].item
}

// Around visits the cells in use among the 27 about p: all points within the side of a cell of p are in them.
func (g *Grid[T]) Around(p geom.Vec3, visit func(*T)) {
	at := g.place(p)
	g.visit(place{at[0] - 1, at[1] - 1, at[2] - 1}, place{at[0] + 1, at[1] + 1, at[2] + 1}, visit)
}

// Meeting visits the used cells that meet a box, which should be a few cells wide.
func (g *Grid[T]) Meeting(box geom.Box, visit func(*T)) {
	g.visit(g.place(box.Min), g.place(box.Max), visit)
}

// Each visits all cells in use in the order in which they came into it.
func (g *Grid[T]) Each(visit func(*T)) {
	for i := range g.cells {
		visit(&g.cells[i].item)
	}
}

func (g *Grid[T]) visit(lo, hi place, visit func(*T)) {
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for x := lo[0]; x <= hi[0]; x++ {
				if c := g.find(place{x, y, z}); c != nil {
					visit(&c.item)
				}
			}
		}
	}
}

func (g *Grid[T]) find(at place) *cell[T] {
	for i := g.head[g.slot(at)]; i >= 0; i = g.cells[i].next {
		if c := &g.cells[i]; c.at == at {
			return c
		}
	}
	return nil
}

func (g *Grid[T]) place(p geom.Vec3) place {
	return place{index(p.X / g.size), index(p.Y / g.size), index(p.Z / g.size)}
}

// index rounds down; numbers out of range, and NaN, share a cell.
func index(x float64) int64 {
	const most = 1 << 60
	if !(x > -most) {
		return -most
	}
	return int64(math.Floor(min(x, most)))
}

// slot hashes a place: odd multipliers and the finaliser of SplitMix64 (Steele et al. 2014) spread neighbors out.
func (g *Grid[T]) slot(at place) int {
	h := uint64(at[0])*0x9e3779b97f4a7c15 ^ uint64(at[1])*0xc2b2ae3d27d4eb4f ^ uint64(at[2])*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int(h>>32) & (len(g.head) - 1)
}

// rehash rebuilds the table for up to n cells, a power of two.
func (g *Grid[T]) rehash(n int) {
	g.head = make([]int32, n)
	for i := range g.head {
		g.head[i] = -1
	}
	for i := range g.cells {
		slot := g.slot(g.cells[i].at)
		g.cells[i].next = g.head[slot]
		g.head[slot] = int32(i)
	}
}
