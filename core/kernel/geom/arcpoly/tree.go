package arcpoly

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// box is an axis-aligned rectangle; the empty one meets nothing.
type box struct{ x0, y0, x1, y1 float64 }

var emptyBox = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (a *box) meets(b *box) bool {
	return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1
}

func (a *box) join(b box) {
	a.x0, a.y0 = min(a.x0, b.x0), min(a.y0, b.y0)
	a.x1, a.y1 = max(a.x1, b.x1), max(a.y1, b.y1)
}

// leafItems is the largest number of items in a leaf of a tree.
const leafItems = 4

// tree is a tree of the boxes of consecutive items along loops: neighbors in the order are neighbors in the plane, so
// that pairs and fours of them make a good hierarchy in this order. Node k has the children 2k and 2k+1; the leaves are
// the nodes from leaves on.
type tree struct {
	leaves int
	items  int
	boxes  []box
	stack  [][2]int32 // scratch of pairs
}

// fill builds the tree of items from their boxes.
func (t *tree) fill(own []box) {
	t.leaves, t.items = 1, len(own)
	for t.leaves*leafItems < len(own) {
		t.leaves *= 2
	}
	t.boxes = resized(t.boxes, 2*t.leaves)
	for k := range t.leaves {
		b := emptyBox
		for i := k * leafItems; i < min((k+1)*leafItems, len(own)); i++ {
			b.join(own[i])
		}
		t.boxes[t.leaves+k] = b
	}
	for k := t.leaves - 1; k > 0; k-- {
		b := t.boxes[2*k]
		b.join(t.boxes[2*k+1])
		t.boxes[k] = b
	}
}

// resized returns a slice of n items, in the same memory if that is large enough. Its items keep their old values.
func resized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// span returns the items of a leaf.
func (t *tree) span(leaf int32) (lo, hi int) {
	lo = (int(leaf) - t.leaves) * leafItems
	return lo, min(lo+leafItems, t.items)
}

// meeting visits the items of all leaves that meet a box.
func (t *tree) meeting(b box, visit func(i int)) {
	if t.items == 0 {
		return
	}
	var place [64]int32
	stack := append(place[:0], 1)
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case !t.boxes[k].meets(&b):
		case int(k) < t.leaves:
			stack = append(stack, 2*k+1, 2*k)
		default:
			lo, hi := t.span(k)
			for i := lo; i < hi; i++ {
				visit(i)
			}
		}
	}
}

// pairs visits all pairs of leaves whose boxes meet, the lower one first, and each leaf with itself. It skips pairs
// within nodes marked isApart, whose items do not meet one another. If isAsked is set, it visits only pairs with at
// least one asked leaf.
func (t *tree) pairs(isApart, isAsked []bool, visit func(a, b int32)) {
	if t.items == 0 {
		return
	}
	stack := append(t.stack[:0], [2]int32{1, 1})
	for len(stack) > 0 {
		a, b := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		switch {
		case a == b && isApart[a]:
		case isAsked != nil && !isAsked[a] && !isAsked[b]:
		case int(a) >= t.leaves:
			visit(a, b)
		case a == b:
			if t.boxes[2*a].meets(&t.boxes[2*a+1]) {
				stack = append(stack, [2]int32{2 * a, 2*a + 1})
			}
			stack = append(stack, [2]int32{2*a + 1, 2*a + 1}, [2]int32{2 * a, 2 * a})
		default:
			for k := range int32(4) {
				if i, j := 2*a+k>>1, 2*b+k&1; t.boxes[i].meets(&t.boxes[j]) {
					stack = append(stack, [2]int32{i, j})
				}
			}
		}
	}
	t.stack = stack
}

// nearby orders loops along a Z-order curve (G. Morton, 1966) through their start points, so that consecutive loops are
// close to each other.
func nearby(loops []planar.Loop) []planar.Loop {
	const cells = 1 << 16 // along each side
	bounds := emptyBox
	for _, l := range loops {
		if len(l) > 0 {
			bounds.join(box{l[0].From.X, l[0].From.Y, l[0].From.X, l[0].From.Y})
		}
	}
	perCell := (cells - 1) / max(bounds.x1-bounds.x0, bounds.y1-bounds.y0, geom.Resolution)
	type placed struct {
		code uint64
		loop planar.Loop
	}
	all := make([]placed, 0, len(loops))
	for _, l := range loops {
		if len(l) > 0 {
			x, y := uint64((l[0].From.X-bounds.x0)*perCell), uint64((l[0].From.Y-bounds.y0)*perCell)
			all = append(all, placed{spread(x) | spread(y)<<1, l})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.code, b.code) })
	out := make([]planar.Loop, len(all))
	for i := range all {
		out[i] = all[i].loop
	}
	return out
}

// spread puts a zero between the lower bits of x.
func spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}
