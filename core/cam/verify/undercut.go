package verify

import (
	"context"
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// Comparison of the path of an undercutting tool with the mesh of the part, independent of the rays of the lattice.
//
// Method: the tool is a stack of slabs whose radius changes evenly with height. A slab that moves level along a line
// meets a triangle where the distance from the path in the plane is less than the radius at that height. The difference
// of both is convex over the part of the triangle at the heights of the slab. So its least value is found by two nested
// searches with the golden section (J. Kiefer, Sequential minimax search for a maximum, 1953). Other moves are tested
// at points, as near to each other as those of the drop-cutter.
//
// Cost: the steps of an operation times the triangles near its path.

// slab is a range of heights of a tool above its tip, mm.
type slab struct {
	heights geom.Interval
	from    float64 // radius at the lower end
	to      float64 // radius at the upper end
	kind    Kind
	whole   geom.Interval // heights of all slabs of the kind next to it
}

// slabs returns the tool, smaller by a distance (mm) all around.
func (t *tool) slabs(by float64) (list []slab) {
	kinds := map[toolprofile.Zone]Kind{toolprofile.Cutting: Gouge, toolprofile.Holder: HolderCollision}
	add := func(from, to geom.Vec2, kind Kind) {
		if to.Y-from.Y > snap {
			list = append(list,
				slab{heights: geom.Interval{Lo: from.Y, Hi: to.Y}, from: from.X - by, to: to.X - by, kind: kind})
		}
	}
	for i, k := range t.assembly.Outline {
		kind, ok := kinds[t.assembly.Zones[i]]
		if !ok {
			kind = ShankCollision
		}
		n := 1
		c, isArc := k.Center()
		if isArc { // chords as near to the arc as half of the distance
			n = int(math.Ceil(math.Abs(k.To.Y-k.From.Y) / max(math.Sqrt(math.Abs(k.Radius)*by), snap)))
		}
		at := func(j int) geom.Vec2 {
			y := k.From.Y + (k.To.Y-k.From.Y)*float64(j)/float64(n)
			if !isArc || j == 0 || j == n {
				return geom.Vec2{X: k.From.X + (k.To.X-k.From.X)*float64(j)/float64(n), Y: y}
			}
			half := math.Sqrt(max(k.Radius*k.Radius-(y-c.Y)*(y-c.Y), 0))
			return geom.Vec2{X: c.X + math.Copysign(half, k.Radius), Y: y}
		}
		for j := range n {
			add(at(j), at(j+1), kind)
		}
	}
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1].kind == list[i].kind {
			k++
		}
		first, last := &list[i], &list[k]
		low, high := first.radius(first.heights.Lo+by), last.radius(last.heights.Hi-by)
		first.heights.Lo, first.from = first.heights.Lo+by, low
		last.heights.Hi, last.to = last.heights.Hi-by, high
		for j := i; j <= k; j++ {
			list[j].whole = geom.Interval{Lo: list[i].heights.Lo, Hi: list[k].heights.Hi}
		}
		i = k + 1
	}
	return list
}

// radius returns the radius of a slab at a height above the tip.
func (b *slab) radius(y float64) float64 {
	return b.from + (b.to-b.from)*(y-b.heights.Lo)/b.heights.Length()
}

// below notes where an undercutting tool is in the part.
func (p *passage) below(ctx context.Context) error {
	frame, reach, path := p.Set.Setups[p.index].Frame, p.tool.assembly.Outline.MaxRadius(), geom.EmptyBox()
	for i := range p.steps {
		path = path.Union(bounds(&p.steps[i].Segment))
	}
	near := path.Grow(reach)
	var triangles [][3]geom.Vec3
	for _, t := range p.Part.Triangles {
		var at [3]geom.Vec3
		for k := range t {
			at[k] = frame.Local(p.Part.Points[t[k]])
		}
		box := geom.BoxOf(at[:]...)
		if box.Max.Z > path.Min.Z && box.Min.X < near.Max.X && box.Max.X > near.Min.X && box.Min.Y < near.Max.Y &&
			box.Max.Y > near.Min.Y {
			triangles = append(triangles, at)
		}
	}
	slabs := p.tool.slabs(p.Tolerance)
	for i := range p.steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &p.steps[i].Segment
		if s.Turn == 0 && math.Abs(s.To.Z-s.From.Z) < snap {
			p.meetsAny(i, 1, s, triangles, slabs)
			continue
		}
		n := max(1, int(math.Ceil(s.Length()/p.tool.spacing)))
		for k := range n + 1 {
			share := float64(k) / float64(n)
			at := s.At(share)
			p.meetsAny(i, share, &motion.Segment{From: at, To: at}, triangles, slabs)
		}
	}
	return nil
}

// meetsAny notes the deepest contact of each kind of a level piece of a step with some triangles.
func (p *passage) meetsAny(step int, share float64, piece *motion.Segment, triangles [][3]geom.Vec3, slabs []slab) {
	worst := map[Kind]float64{}
	path := geom.BoxOf(piece.From, piece.To)
	for i := range triangles {
		box := geom.BoxOf(triangles[i][:]...)
		aside := math.Hypot(max(box.Min.X-path.Max.X, path.Min.X-box.Max.X, 0),
			max(box.Min.Y-path.Max.Y, path.Min.Y-box.Max.Y, 0))
		for k := range slabs {
			b := &slabs[k]
			z := geom.Interval{Lo: piece.From.Z + b.heights.Lo, Hi: piece.From.Z + b.heights.Hi}
			if aside < max(b.from, b.to) && box.Max.Z > z.Lo && box.Min.Z < z.Hi {
				if d := b.depth(piece, &triangles[i]); d > snap {
					worst[b.kind] = max(worst[b.kind], d+p.Tolerance)
				}
			}
		}
	}
	for _, kind := range []Kind{Gouge, ShankCollision, HolderCollision} {
		if d, ok := worst[kind]; ok {
			if kind != Gouge {
				d = 0 // collisions report volumes, which are not measured here
			}
			p.near = append(p.near, noted{kind, step, share, d})
		}
	}
}

// depth returns how deep a slab that moves level along a piece is in a triangle, mm; 0 or less if they do not meet.
func (b *slab) depth(piece *motion.Segment, t *[3]geom.Vec3) float64 {
	z := piece.From.Z
	polygon := clippedAt(clippedAt(t[:], z+b.heights.Lo, 1), z+b.heights.Hi, -1)
	if len(polygon) < 3 {
		return 0
	}
	high := 0.0 // how far it is within the heights of the body
	for _, q := range polygon {
		high = max(high, min(q.Z-z-b.whole.Lo, z+b.whole.Hi-q.Z))
	}
	out := math.Inf(1)
	for i := 2; i < len(polygon); i++ {
		a, u, v := polygon[0], polygon[i-1].Sub(polygon[0]), polygon[i].Sub(polygon[0])
		out = min(out, least(func(s float64) float64 {
			return least(func(t float64) float64 {
				q := a.Add(u.Scale(s)).Add(v.Scale(t * (1 - s)))
				return aside(piece, q) - b.radius(q.Z-z)
			})
		}))
	}
	return min(-out, high)
}

// aside returns the distance of a point from a straight piece in the plane, mm.
func aside(piece *motion.Segment, q geom.Vec3) float64 {
	at := beside(piece, q)
	return math.Hypot(q.X-at.X, q.Y-at.Y)
}

// clippedAt returns the part of a convex polygon above a height, or below it for a negative sense.
func clippedAt(polygon []geom.Vec3, z, sense float64) (out []geom.Vec3) {
	for i, q := range polygon {
		next := polygon[(i+1)%len(polygon)]
		here, there := sense*(q.Z-z), sense*(next.Z-z)
		if here >= 0 {
			out = append(out, q)
		}
		if here > 0 && there < 0 || here < 0 && there > 0 {
			out = append(out, q.Lerp(next, here/(here-there)))
		}
	}
	return out
}

// least returns the least value of a convex function between 0 and 1, to a millionth of the range.
func least(f func(x float64) float64) float64 {
	const rounds = 29
	golden := (math.Sqrt(5) - 1) / 2
	lo, hi := 0.0, 1.0
	a, b := hi-golden, lo+golden
	fa, fb := f(a), f(b)
	for range rounds {
		if fa <= fb {
			hi, b, fb = b, a, fa
			a = hi - golden*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + golden*(hi-lo)
			fb = f(b)
		}
	}
	return min(fa, fb, f(0), f(1))
}
