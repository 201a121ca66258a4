package sweep

import (
	"cmp"
	"slices"
)

// Gouge is the deepest cut of a move into the target part, on the rays of one bundle. Where the ray runs along the
// surface, the depth below the surface is less than Depth.
type Gouge struct {
	Move, Bundle int
	Ray          int     // of the bundle, as dexel.Bundle numbers them
	Depth        float64 // mm, longest removed stretch of the ray inside the target
}

// gouged is the deepest cut of an action in a tile.
type gouged struct {
	depth float64 // mm; 0: no cut
	ray   int
}

// guard records the depth of the cut [lo, hi] into the target on ray k of the tile; ray is its number in the bundle.
func (c *cutter) guard(k, ray int, lo, hi float32) {
	kept := c.keep.Spans[c.keep.Start[ray]:c.keep.Start[ray+1]]
	for _, q := range kept {
		if q.Hi <= lo || q.Lo >= hi {
			continue
		}
		for _, s := range c.tile.ray(k) {
			d := float64(min(s.Hi, q.Hi, hi)) - float64(max(s.Lo, q.Lo, lo))
			if d > c.slack && d > c.worst.depth {
				c.worst = gouged{d, ray}
			}
		}
	}
}

// gouge takes the deepest cut of a move in a tile in.
func (o *Output) gouge(move int32, bundle int, g gouged) {
	if g.depth == 0 {
		return
	}
	if o.gouges == nil {
		o.gouges = map[[2]int]gouged{}
	}
	key := [2]int{int(move), bundle}
	if old, ok := o.gouges[key]; !ok || g.depth > old.depth || g.depth == old.depth && g.ray < old.ray {
		o.gouges[key] = g
	}
}

// listGouges puts the gouges into the order of moves and bundles.
func (o *Output) listGouges() {
	for key, g := range o.gouges {
		o.Gouges = append(o.Gouges, Gouge{Move: key[0], Bundle: key[1], Ray: g.ray, Depth: g.depth})
	}
	slices.SortFunc(o.Gouges, func(a, b Gouge) int {
		return cmp.Or(cmp.Compare(a.Move, b.Move), cmp.Compare(a.Bundle, b.Bundle))
	})
	o.gouges = nil
}
