// Package leftover measures the material that a program leaves on a part, to judge the account that the
// product gives of it. It plays the moves that LinuxCNC's interpreter reads (bench/replay) and shares no code
// with the proof.
//
// # Method
//
// The stock is cut into tiles. In a tile the stock is three sets of parallel columns, one along each axis. A
// level or vertical cutting move removes from a column what a closed formula gives, so the ends of a column
// are exact; a climbing move is played as level pieces of 0.02 mm rise. The part, a closed mesh, is removed
// as well. The rest is left.
//
// Each point of the rest belongs to the nearest face, and counts in the columns along the axis that is
// nearest to the direction of the nearest point. So a skin on a face has its exact height in columns that
// cross it. An interval of a column is halved where its ends belong to different faces or axes.
//
// A tile whose result changes when the step is halved is measured again with half the step, only where
// something is left. Neighboring voxels with material are one piece.
//
// # Limits
//
// The axes of all setups must be along those of the first. A piece that passes between the columns of
// searchStep in all three directions is not found. Rapid moves remove nothing. Pieces nearer than two voxels
// to each other are one.
package leftover

import (
	"context"
	"errors"
	"math"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	// Film (mm) is the height below which material is rounding of paths and meshes, not left.
	Film = 0.02

	firstStep  = 1.0  // mm, with which the result of searchStep is compared
	searchStep = 0.5  // mm, with which all of a tile is searched
	finestStep = 0.03 // mm
	tileSize   = 16.0 // mm
	mostCells  = 1e6  // columns along one axis in one tile
)

// Share is the part of a piece that is nearest to the same faces: one, or those that meet at the nearest
// edge.
type Share struct {
	Faces  []int   `json:"faces"`
	Volume float64 `json:"volume"` // mm³
	Height float64 `json:"height"` // mm, the largest distance from the part
}

// Piece is connected material.
type Piece struct {
	Volume float64   `json:"volume"` // mm³
	Height float64   `json:"height"` // mm, the largest distance from the part
	At     geom.Vec3 `json:"at"`     // the place of that height, in part coordinates
	Shares []Share   `json:"shares"` // the largest first
	Change float64   `json:"change"` // of the volume, by the last halving of the step: a share
	Step   float64   `json:"step"`   // mm, the coarsest of its tiles
}

// Result is all that is left.
type Result struct {
	StockVolume float64 `json:"stockVolume"` // mm³
	PartVolume  float64 `json:"partVolume"`  // mm³
	Left        float64 `json:"left"`        // mm³
	Pieces      []Piece `json:"pieces"`      // the largest first
}

// MadeShare is the share of the material to remove that is removed.
func (r *Result) MadeShare() float64 { return 1 - r.Left/(r.StockVolume-r.PartVolume) }

// Measure replays a program and returns the rest material outside the part.
func Measure(ctx context.Context, p *replay.Program, part *mesh.Mesh) (*Result, error) {
	s, err := newScene(p, part)
	if err != nil {
		return nil, err
	}
	size := sub(s.stock.max, s.stock.min)
	out := &Result{StockVolume: size[0] * size[1] * size[2]}
	for _, t := range s.triangles {
		out.PartVolume += dot(t.corner[0], t.normal) / 6
	}
	parts := pieces{voxels: map[voxel]int{}}
	for t := range s.tiles() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts.add(s.refine(t))
	}
	out.Pieces = parts.list(s.first)
	for _, piece := range out.Pieces {
		out.Left += piece.Volume
	}
	return out, nil
}

// scene is all that the tiles have in common, in the frame of the first setup.
type scene struct {
	first     geom.Frame
	stock     box
	passes    []pass
	triangles []triangle
	tree      *tree
	grains    bool // are asked for
}

func newScene(p *replay.Program, part *mesh.Mesh) (*scene, error) {
	if len(p.Setups) == 0 {
		return nil, errors.New("the program has no setups")
	}
	if len(part.Triangles) == 0 {
		return nil, errors.New("the mesh of the part has no triangles")
	}
	list, err := passes(p)
	if err != nil {
		return nil, err
	}
	first := frame(&p.Setups[0])
	s := &scene{first: first, stock: box{of(p.Stock.Min), of(p.Stock.Max)}, passes: list, triangles: triangles(part, first)}
	s.tree = newTree(s.triangles)
	return s, nil
}

// tiles visits boxes that fill the stock.
func (s *scene) tiles() func(func(box) bool) {
	size := sub(s.stock.max, s.stock.min)
	var count [3]int
	for k := range 3 {
		count[k] = max(int(math.Ceil(size[k]/tileSize)), 1)
	}
	return func(yield func(box) bool) {
		for i := range count[0] * count[1] * count[2] {
			at := [3]int{i % count[0], i / count[0] % count[1], i / count[0] / count[1]}
			var b box
			for k := range 3 {
				b.min[k] = s.stock.min[k] + float64(at[k])*tileSize
				b.max[k] = min(b.min[k]+tileSize, s.stock.max[k])
			}
			if !yield(b) {
				return
			}
		}
	}
}

// refine measures a tile with smaller and smaller steps until its result stays.
func (s *scene) refine(b box) *tile {
	const (
		sameShare  = 0.02  // of the volume of a tile
		sameVolume = 0.002 // mm³
		sameHeight = 0.065 // mm
	)
	all := [3]bool{true, true, true}
	w := s.window(b)
	last := w.measure(b, firstStep, all)
	last.around, last.axes = b, all
	for step := searchStep; step >= finestStep; step /= 2 {
		around := last.around
		for k := range 3 { // some steps of room for material that the coarser columns missed
			around.min[k] = max(around.min[k]-3*step, b.min[k])
			around.max[k] = min(around.max[k]+3*step, b.max[k])
		}
		size := sub(around.max, around.min)
		if cells := max(size[0]*size[1], size[1]*size[2], size[2]*size[0]) / (step * step); cells > mostCells {
			break
		}
		next := w.measure(around, step, last.axes)
		height := next.compare(last)
		last = next
		if last.volume == 0 || last.change <= max(sameShare*last.volume, sameVolume) && height <= sameHeight {
			break
		}
	}
	return last
}
