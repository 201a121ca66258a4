package leftover

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// voxelSize (mm) is that of the cells that say which material is connected.
const voxelSize = searchStep

// voxel is a cell of space.
type voxel [3]int32

func voxelOf(p point) (v voxel) {
	for k := range 3 {
		v[k] = int32(math.Floor(p[k] / voxelSize))
	}
	return v
}

func compareFaces(a, b faces) int { return slices.Compare(a[:], b[:]) }

func compareVoxels(a, b voxel) int { return slices.Compare(a[:], b[:]) }

// pieces joins voxels to pieces (union and find).
type pieces struct {
	voxels map[voxel]int
	up     []int
	tiles  []*tile
}

func (p *pieces) add(t *tile) {
	if t.volume > 0 {
		p.tiles = append(p.tiles, t)
	}
}

func (p *pieces) root(i int) int {
	for p.up[i] != i {
		p.up[i] = p.up[p.up[i]]
		i = p.up[i]
	}
	return i
}

// connect joins each voxel with its 26 neighbors.
func (p *pieces) connect() {
	for _, t := range p.tiles {
		for v := range t.touched {
			if _, ok := p.voxels[v]; !ok {
				p.voxels[v] = len(p.up)
				p.up = append(p.up, len(p.up))
			}
		}
	}
	for v, i := range p.voxels {
		for n := range 27 {
			w := voxel{v[0] + int32(n%3) - 1, v[1] + int32(n/3%3) - 1, v[2] + int32(n/9) - 1}
			if k, ok := p.voxels[w]; ok {
				a, b := p.root(i), p.root(k)
				p.up[max(a, b)] = min(a, b)
			}
		}
	}
}

// list returns the pieces, the largest first.
func (p *pieces) list(first geom.Frame) []Piece {
	p.connect()
	sums := map[int]*sum{}
	for _, t := range p.tiles {
		for _, v := range slices.SortedFunc(maps.Keys(t.heaps), compareVoxels) {
			root := p.root(p.voxels[v])
			if sums[root] == nil {
				sums[root] = &sum{shares: map[faces]heap{}}
			}
			sums[root].add(t, t.heaps[v])
		}
	}
	out := make([]Piece, 0, len(sums))
	for _, s := range sums {
		out = append(out, s.piece(first))
	}
	slices.SortFunc(out, func(a, b Piece) int {
		return cmp.Or(cmp.Compare(b.Volume, a.Volume), cmp.Compare(a.At.X, b.At.X), cmp.Compare(a.At.Y, b.At.Y),
			cmp.Compare(a.At.Z, b.At.Z))
	})
	return out
}

// sum is a piece in the making.
type sum struct {
	heap
	shares       map[faces]heap
	change, step float64
}

func (s *sum) add(t *tile, list map[faces]heap) {
	s.step = max(s.step, t.step)
	for _, f := range slices.SortedFunc(maps.Keys(list), compareFaces) {
		h := list[f]
		share := s.shares[f]
		share.volume += h.volume
		share.height = max(share.height, h.height)
		s.shares[f] = share
		s.volume += h.volume
		s.change += t.change * h.volume / t.volume
		if h.height > s.height {
			s.height, s.at = h.height, h.at
		}
	}
}

func (s *sum) piece(first geom.Frame) Piece {
	out := Piece{
		Volume: s.volume, Height: s.height, Change: s.change / s.volume, Step: s.step,
		At: first.Point(geom.Vec3{X: s.at[0], Y: s.at[1], Z: s.at[2]}),
	}
	for f, h := range s.shares {
		share := Share{Volume: h.volume, Height: h.height}
		for _, face := range f {
			if face >= 0 {
				share.Faces = append(share.Faces, int(face))
			}
		}
		out.Shares = append(out.Shares, share)
	}
	slices.SortFunc(out.Shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Volume, a.Volume), slices.Compare(a.Faces, b.Faces))
	})
	return out
}
