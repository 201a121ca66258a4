package trim

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// step is a sample of a loop in walking order and the piece that leaves it.
type step struct {
	p        geom.Vec3
	from, to float64 // curve parameters of the piece
	index    int32
	pole     int32 // index into Builder.poles, or noPole
	coedge   brep.CoedgeID
}

const noPole = -1

// Shares of a period: a longer step of an unwrapped coordinate between two samples is followed along
// the curve; one that stays that long in a small piece of the curve jumps across a pole.
const (
	longStep = 0.3
	jumpStep = 0.4
)

// pieces is the number of pieces of a long step.
const pieces = 16

// layOut adds the chain of a loop.
func (b *Builder) layOut(l brep.LoopID) error {
	loop := &b.model.Loops[l]
	if loop.Vertex != brep.None && len(loop.Coedges) == 0 {
		b.markPole(loop.Vertex)
		return nil
	}
	b.collect(loop)
	if len(b.steps) == 0 {
		return nil // only degenerate edges: a pole, noted in passing
	}
	c := chain{lo: len(b.verts)}
	if pl, ok := b.surf.(surface.Plane); ok {
		for i := range b.steps {
			q := pl.Frame.Local(b.steps[i].p)
			b.domain.Gap = math.Max(b.domain.Gap, math.Abs(q.Z))
			b.emit(&b.steps[i], geom.Vec2{X: q.X, Y: q.Y})
		}
	} else {
		c.turns = b.invert(c.lo)
	}
	c.hi = len(b.verts)
	return b.addChain(c)
}

func (b *Builder) addChain(c chain) error {
	vs := b.verts[c.lo:c.hi]
	c.min, c.max = extent(vs)
	if s := c.min.X + c.min.Y + c.max.X + c.max.Y; math.IsNaN(s) || math.IsInf(s, 0) {
		return b.fail("its boundary cannot be projected onto its surface")
	}
	switch {
	case c.isRing():
		b.rings = append(b.rings, len(b.chains))
	case len(vs) < 3:
		b.flat++
		return nil // encloses nothing
	default:
		c.area = Area(vs)
		b.discs = append(b.discs, len(b.chains))
	}
	b.chains = append(b.chains, c)
	return nil
}

func extent(vs []Vertex) (lo, hi geom.Vec2) {
	lo, hi = vs[0].UV, vs[0].UV
	for i := range vs {
		uv := vs[i].UV
		lo.X, lo.Y = math.Min(lo.X, uv.X), math.Min(lo.Y, uv.Y)
		hi.X, hi.Y = math.Max(hi.X, uv.X), math.Max(hi.Y, uv.Y)
	}
	return lo, hi
}

// collect lists the samples of a loop in the order that keeps the face on the left of the loop, seen along the
// surface's own normal.
func (b *Builder) collect(loop *brep.Loop) {
	b.steps = b.steps[:0]
	n := len(loop.Coedges)
	back := b.model.Faces[b.face].Reversed
	for i := range n {
		c := loop.Coedges[i]
		if back {
			c = loop.Coedges[n-1-i]
		}
		ce := &b.model.Coedges[c]
		e := &b.model.Edges[ce.Edge]
		if e.Curve == nil {
			b.markPole(e.Start)
			continue
		}
		samples := b.sampler.EdgeSamples(ce.Edge)
		tol := math.Max(b.off, e.Tolerance)
		last := len(samples) - 1
		for k := range last {
			j, next := k, k+1
			if ce.Reversed != back {
				j, next = last-k, last-k-1
			}
			b.steps = append(b.steps, step{
				p: samples[j].P, index: samples[j].Index, coedge: c,
				from: samples[j].T, to: samples[next].T,
				pole: b.poleAt(samples[j].P, tol),
			})
		}
	}
}

func (b *Builder) emit(s *step, uv geom.Vec2) {
	b.verts = append(b.verts, Vertex{
		UV: uv, P: s.p, Index: s.index, Coedge: s.coedge, From: s.from, To: s.to,
	})
}

// invert finds the parameters of the collected steps and emits their chain from verts[lo] on. It
// returns the numbers of periods from the chain's start to its end.
func (b *Builder) invert(lo int) [2]int {
	b.verts = slices.Grow(b.verts, len(b.steps))
	first := b.firstStep()
	start, gap := b.surf.Invert(b.steps[first].p)
	b.domain.Gap = math.Max(b.domain.Gap, gap)
	end := b.run(first, start)
	if !b.meets(start, end) {
		// The point has two places on the surface and the first inversion took the other one.
		b.verts, b.doubts = b.verts[:lo], b.doubts[:0]
		start = end
		end = b.run(first, start)
	}
	turns := b.turnsBetween(start, end)
	return b.settle(lo, turns)
}

// firstStep picks a step in the middle of the longest coedge, away from seams and poles.
func (b *Builder) firstStep() int {
	best, length := 0, 0
	for i := 0; i < len(b.steps); {
		j := i
		for j < len(b.steps) && b.steps[j].coedge == b.steps[i].coedge {
			j++
		}
		if j-i > length {
			best, length = i+(j-i)/2, j-i
		}
		i = j
	}
	for k := range b.steps {
		i := (best + k) % len(b.steps)
		if b.steps[i].pole == noPole {
			return i
		}
	}
	for i := range b.steps { // a loop no larger than a pole is an ordinary loop
		b.steps[i].pole = noPole
	}
	return best
}

// run emits the chain from the given step and returns where it comes back to.
func (b *Builder) run(first int, uv geom.Vec2) geom.Vec2 {
	n := len(b.steps)
	b.emit(&b.steps[first], uv)
	for k := 1; k <= n; {
		i := (first + k) % n
		if b.steps[i].pole != noPole {
			group := 1
			for b.steps[(i+group)%n].pole == b.steps[i].pole {
				group++
			}
			uv = b.passPole(i, group, uv)
			k += group
			continue
		}
		uv = b.locate(uv, b.steps[i].p, &b.steps[(i+n-1)%n])
		if k < n {
			b.emit(&b.steps[i], uv)
		}
		k++
	}
	return uv
}

// locate inverts the sample p that the piece of prev leads to from hint.
func (b *Builder) locate(hint geom.Vec2, p geom.Vec3, prev *step) geom.Vec2 {
	uv, d := b.surf.InvertNear(p, hint)
	if d > b.off {
		const clearly = 0.5 // share of the distance by which the other place must be nearer
		if other, d2 := b.surf.Invert(p); d2 < clearly*d {
			uv, d = b.unwrap(other, hint), d2
		}
	}
	b.domain.Gap = math.Max(b.domain.Gap, d)
	for axis := range 2 {
		if math.Abs(coord(uv, axis)-coord(hint, axis)) > longStep*b.period[axis] && b.period[axis] > 0 {
			return b.track(hint, p, prev)
		}
	}
	return uv
}

// track follows the piece of prev in small steps from hint to its end p.
func (b *Builder) track(hint geom.Vec2, p geom.Vec3, prev *step) geom.Vec2 {
	c := b.model.Edges[b.model.Coedges[prev.coedge].Edge].Curve
	uv := hint
	for k := 1; k <= pieces; k++ {
		q := p
		if k < pieces {
			q = c.At(prev.from + (prev.to-prev.from)*float64(k)/pieces)
		}
		next, _ := b.surf.InvertNear(q, uv)
		for axis := range 2 {
			d := coord(next, axis) - coord(uv, axis)
			if b.period[axis] > 0 && math.Abs(d) > jumpStep*b.period[axis] {
				if side := b.nearPole(uv, axis); side*d < 0 {
					next = withCoord(next, axis, coord(next, axis)+side*b.period[axis])
				}
			}
		}
		uv = next
	}
	return uv
}

// unwrap moves uv by whole periods to within half a period of hint.
func (b *Builder) unwrap(uv, hint geom.Vec2) geom.Vec2 {
	t := b.turnsBetween(uv, hint)
	return b.shifted(uv, t)
}

// turnsBetween returns the numbers of periods that lead nearest from a to c.
func (b *Builder) turnsBetween(a, c geom.Vec2) (turns [2]int) {
	for axis, p := range b.period {
		if p > 0 {
			turns[axis] = int(math.Round((coord(c, axis) - coord(a, axis)) / p))
		}
	}
	return turns
}

// meets reports whether end equals start up to whole periods. Two images of one point lie far apart in the plane;
// rounding moves an image little.
func (b *Builder) meets(start, end geom.Vec2) bool {
	const elsewhere = 1e-3 // share of the size of the surface's domain
	back := b.unwrap(end, start)
	for axis := range 2 {
		size := b.ranges[axis].Length()
		if math.Abs(coord(back, axis)-coord(start, axis)) > elsewhere*size {
			return false
		}
	}
	return true
}

func coord(v geom.Vec2, axis int) float64 {
	if axis == 0 {
		return v.X
	}
	return v.Y
}

func withCoord(v geom.Vec2, axis int, x float64) geom.Vec2 {
	if axis == 0 {
		v.X = x
	} else {
		v.Y = x
	}
	return v
}
