package planar

// The area that a disc leaves in corners.
//
// A disc of radius R that rolls into a corner of turn φ between straight sides leaves R²·(tan(φ/2) - φ/2) of it, less
// the same of the corner's own radius where it is rounded. The result is exact where the sides are long enough for the
// discs of their two corners, and where each of these discs is free.

import (
	"cmp"
	"math"
	"slices"
)

// bent is a corner between two straight sides.
type bent struct {
	before, after int // the sides
	turn          float64
	radius        float64 // mm, 0 for a sharp one
}

// left returns the share of R² - r² that a disc leaves.
func (b *bent) left() float64 { return math.Tan(b.turn/2) - b.turn/2 }

// bents returns the corners, and the largest radius of discs that roll through all else of the walls.
func (w *walls) bents() (corners []bent, most float64) {
	most = math.Inf(1)
	isSide := func(i int) bool { return i >= 0 && w.pieces[i].Turn == 0 }
	for i := range w.pieces {
		p, k := &w.pieces[i], w.next[i]
		if k >= 0 && w.turns[k] > smoothTurn {
			if !isSide(i) || !isSide(k) || w.turns[k] >= math.Pi-smoothTurn {
				most = 0
				continue
			}
			corners = append(corners, bent{i, k, w.turns[k], 0})
		}
		if p.Turn <= 0 {
			continue
		}
		b := w.prev[i]
		isCorner := isSide(b) && isSide(k) && b != k && math.Abs(w.turns[i]) <= smoothTurn &&
			math.Abs(w.turns[k]) <= smoothTurn && p.Turn < math.Pi-smoothTurn
		if !isCorner {
			most = min(most, cmp.Or(p.Tight, p.Radius()))
			continue
		}
		corners = append(corners, bent{b, k, p.Turn, p.Radius()})
	}
	return corners, most
}

// Rolled returns the diameter of the largest disc, at most most mm, that leaves at most rest (mm²) in the corners. It
// returns false if discs of that size leave more for other reasons: walls close to each other, except chokes, which the
// caller handles.
func (r *Region) Rolled(most, rest float64) (float64, bool) {
	w := wallsOf(r, false)
	corners, bound := w.bents()
	slices.SortStableFunc(corners, func(a, b bent) int { return cmp.Compare(a.radius, b.radius) })
	radius := most / 2
	slope, offset := 0.0, 0.0 // the area left is slope·R² - offset
	for i := range corners {
		c := &corners[i]
		if c.radius >= radius {
			break
		}
		slope, offset = slope+c.left(), offset+c.left()*c.radius*c.radius
		radius = min(radius, math.Sqrt((rest+offset)/slope))
	}
	if radius > bound+margin {
		return 0, false
	}
	return 2 * radius, w.rolls(corners, radius)
}

// rolls reports whether a disc reaches into all corners with a smaller radius.
func (w *walls) rolls(corners []bent, radius float64) bool {
	taken := make([]float64, len(w.pieces)) // of the sides
	for i := range corners {
		c := &corners[i]
		if c.radius >= radius {
			continue
		}
		off := (radius - c.radius) * math.Tan(c.turn/2)
		taken[c.before] += off
		taken[c.after] += off
		a := &w.pieces[c.before]
		u := a.Tangent(0)
		touching := addScaled(a.To, -off, u)
		if !w.free(addScaled(touching, radius, left(u)), radius) {
			return false
		}
	}
	for i, off := range taken {
		if off > w.pieces[i].Length()+margin {
			return false
		}
	}
	return true
}

// Inscribed returns the diameter of the largest disc in the outline, its open sides closed, mm.
func (r *Region) Inscribed() float64 {
	_, radius := wallsOf(r, true).inscribed(r.Contains)
	return 2 * radius
}
