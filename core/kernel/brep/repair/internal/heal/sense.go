package heal

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// turnedFaces finds the faces whose sense contradicts their loops: some systems write a flag that disagrees with the
// edges, while the edges agree with all neighbors.
//
// Method: a face keeps its interior on the left of its loops. So the sum of the signed areas of its loops in the
// parameter plane is positive for the sense of the surface and negative for a reversed face. A few points of each edge
// give the loops in the plane; each point is inverted from the parameters of the one before. Where the surface closes
// in one direction and is open in the other, loops may run around it. Their areas then extend to a common line, which
// is the pole if there is one (Green's theorem for a band). Cost: some inversions for each edge of a curved face, on
// all cores.
//
// On surfaces that close in both directions or between two poles a loop may bound its outside, and then contradicts no
// sense, unless it uses a seam, which lies inside its face, in both directions. Faces there that the loops do not
// decide are flipped where they fold back on their neighbors (fold.go), where every other face of their shell is
// flipped, two at least, and where the other side is the better one (side.go). The same holds for faces with an edge
// that reaches a pole, and on B-splines with a collapsed side. Triangles are not judged.
//
// As a by-product, gaps contains the distance of each coedge's points from its face (mm).
func turnedFaces(ctx context.Context, m *brep.Model) (turned []brep.FaceID, gaps []float64, err error) {
	gaps = make([]float64, len(m.Coedges))
	senses := make([]sense, len(m.Faces))
	const batch = 64 // faces taken at a time
	err = parallel.For(ctx, len(m.Faces), batch, func(i int) {
		if senses[i] = judge(m, brep.FaceID(i), gaps); senses[i] == confirmed && hasDoubtfulArc(m, brep.FaceID(i)) {
			senses[i] = open
		}
	})
	if err != nil {
		return nil, nil, err
	}
	var inDoubt []brep.FaceID
	for i, s := range senses {
		if s == open || s == contradicted {
			inDoubt = append(inDoubt, brep.FaceID(i))
		}
	}
	for _, f := range complementaryArcs(m, inDoubt) {
		senses[f] = judge(m, f, gaps)
	}
	var unsure []brep.FaceID
	for i, s := range senses {
		if f := brep.FaceID(i); s == unjudged && hasDomain(m, f) {
			unsure = append(unsure, f)
		}
	}
	regions(m, senses, unsure)
	unsure, likely := followNeighbors(m, senses, unsure)
	followShells(m, senses)
	if err := sides(ctx, m, senses, unsure, likely); err != nil {
		return nil, nil, err
	}
	for i, s := range senses {
		if s == contradicted {
			turned = append(turned, brep.FaceID(i))
		}
	}
	return turned, gaps, nil
}

// sense is the judgment of a face's flag by its loops.
type sense int8

const (
	unjudged sense = iota
	confirmed
	contradicted
	open // its loops leave open where it ends, or cross each other
)

// hasSeam reports whether a loop of a face uses an edge in both directions and others once. No loop may use all of its
// edges in both directions: the edges of a whole torus meet in one vertex and come in any order.
func hasSeam(m *brep.Model, f *brep.Face) bool {
	found := false
	for _, l := range f.Loops {
		twice, once := false, false
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			n := 0
			for _, use := range e.Coedges {
				if m.Coedges[use].Loop == l {
					n++
				}
			}
			twice = twice || n == 2 && e.Curve != nil
			once = once || n == 1
		}
		if twice && !once {
			return false
		}
		found = found || twice
	}
	return found
}

// followShells flips the faces that cannot be judged if all others of their shell are flipped.
func followShells(m *brep.Model, senses []sense) {
	const enough = 2 // faces that a writer got wrong in one manner
	counts := make([]struct{ right, wrong int }, len(m.Shells))
	for i, s := range senses {
		if shell := m.Faces[i].Shell; shell != brep.None {
			switch s {
			case confirmed:
				counts[shell].right++
			case contradicted:
				counts[shell].wrong++
			}
		}
	}
	for i, s := range senses {
		if shell := m.Faces[i].Shell; (s == unjudged || s == open) && shell != brep.None && m.Faces[i].Surface != nil {
			if n := counts[shell]; n.right == 0 && n.wrong >= enough {
				senses[i] = contradicted
			}
		}
	}
}

// judge compares the loops of a face with its sense.
func judge(m *brep.Model, id brep.FaceID, gaps []float64) sense {
	f := &m.Faces[id]
	if f.Surface == nil || len(f.Loops) == 0 || f.Surface.Kind() == surface.KindFacets {
		return unjudged
	}
	ring, pole, ok := bandOf(f.Surface)
	if !ok && !hasSeam(m, f) {
		offFace(m, id, gaps)
		return unjudged
	}
	first := 0
	if closes := ring != noRing || !ok; closes {
		first = 1 // two pieces of an edge around the surface do not show its direction
	}
	for i, look := range looks[first:] {
		w := walker{m: m, surface: f.Surface, parts: look.parts, gaps: gaps,
			ring: ring, pole: pole, bends: first > 0}
		var area, around float64
		for _, l := range f.Loops {
			a, p := w.loop(l)
			area += a
			around += p
		}
		if w.isOpen() && !w.touches {
			return open
		}
		if w.isOpen() {
			return unjudged
		}
		if math.Abs(area) > w.mostArea() {
			return unjudged
		}
		if f.Reversed {
			area = -area
		}
		limit := look.decisive
		if !w.bends {
			limit = exact
		}
		ratio := area / (around * around)
		if ratio > limit {
			return confirmed
		}
		if ratio < -limit && (first+i == len(looks)-1 || !w.bends) {
			if winds(m, f) {
				return unjudged
			}
			return contradicted
		}
	}
	return unjudged
}

// noRing is the direction of a surface without a closed direction.
const noRing = -1

// bandOf returns the direction in which a surface closes on itself, 0 or 1, and the pole at which it ends
// in the other, or nil; false if its loops do not decide.
func bandOf(s surface.Surface) (ring int, pole *surface.Singularity, ok bool) {
	u, v := s.Periods()
	poles := s.Singularities()
	switch {
	case u == 0 && v == 0:
		return noRing, nil, len(poles) == 0
	case u != 0 && v != 0 || len(poles) > 1:
		return noRing, nil, false
	case v != 0:
		ring = 1
	}
	if len(poles) == 0 {
		return ring, nil, true
	}
	return ring, &poles[0], poles[0].ConstV == (ring == 0)
}

// looks are applied in order until one decides. Only the last one may flip a face, because edges that wind more than
// once between the points of the first may mislead it. The area of a face relative to its squared circumference is w/4l
// for a strip of width w and length l. With parabolas through n + 1 points for each of its edges, the error of the area
// is at most 1/10n⁴ of the squared circumference, for edges that turn by half a circle.
var looks = []struct {
	parts    int     // of an edge that is not straight; even
	decisive float64 // ratio of area to squared circumference that is certain
}{{2, 1e-2}, {4, 1e-3}, {16, 1e-4}}

// winds reports whether a piece of an edge, as the last look divides it, goes around a quarter of the surface or
// farther, as on a thread: its ends do not show its path then.
func winds(m *brep.Model, f *brep.Face) bool {
	const quarter = 0.25
	parts := float64(looks[len(looks)-1].parts)
	uPeriod, vPeriod := f.Surface.Periods()
	isFar := func(speed, span, period float64) bool {
		return period > 0 && math.Abs(speed)*span > quarter*period
	}
	for _, l := range f.Loops {
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			if e.Curve == nil || e.Curve.Kind() == curve.KindLine {
				continue
			}
			for k := range looks[len(looks)-1].parts {
				p, d := e.Curve.D1(e.Range.At(float64(k) / parts))
				uv, _ := f.Surface.Invert(p)
				_, du, dv := f.Surface.D1(uv.X, uv.Y)
				span := e.Range.Length() / parts
				if isFar(d.Dot(du)/du.Dot(du), span, uPeriod) || isFar(d.Dot(dv)/dv.Dot(dv), span, vPeriod) {
					return true
				}
			}
		}
	}
	return false
}

// exact is the decisive ratio of a face all of whose edges are straight in the parameter plane: rounding.
const exact = 1e-9

// walker unwraps loops into the parameter plane of a surface.
type walker struct {
	m       *brep.Model
	surface surface.Surface
	parts   int  // of an edge that is not straight in the parameter plane
	bends   bool // there was such an edge
	gaps    []float64
	ring    int                  // the direction in which the surface closes, or noRing
	pole    *surface.Singularity // beyond the loops that run around it
	touches bool                 // a point of the loops is a pole
	wound   float64              // mm: length of all loops around the surface
	missed  float64              // mm: distance of a loop's end from its start in the parameter plane
	base    float64              // mm: the line down to which areas are taken
	last    geom.Vec2
	off     float64   // mm: distance of the last point from the surface
	scale   geom.Vec2 // mm for one unit of each parameter, at the first point
	started bool
}

// place returns the parameters of p, both scaled to about mm.
func (w *walker) place(p geom.Vec3) geom.Vec2 {
	if !w.started {
		w.last, w.off = w.surface.Invert(p)
		_, du, dv := w.surface.D1(w.last.X, w.last.Y)
		w.scale = geom.Vec2{X: du.Norm(), Y: dv.Norm()}
		w.started = true
		w.setBase()
	} else {
		w.last, w.off = w.surface.InvertNear(p, w.last)
	}
	for _, pole := range w.surface.Singularities() {
		w.touches = w.touches || p.Dist(pole.Point) <= atPole
	}
	return geom.Vec2{X: w.last.X * w.scale.X, Y: w.last.Y * w.scale.Y}
}

// atPole (mm) is the distance from a pole at which a point has no angle.
const atPole = 1e-4

// setBase chooses the line down to which areas are taken: the pole, or one through the first point.
func (w *walker) setBase() {
	at, scale := w.last.Y, w.scale.Y
	if w.ring == 1 {
		at, scale = w.last.X, w.scale.X
	}
	if w.pole != nil {
		at = w.pole.Param
	}
	w.base = at * scale
}

// isOpen reports whether the loops leave open where the face ends: at a pole, or at nothing.
func (w *walker) isOpen() bool {
	u, v := w.surface.Periods()
	across, along := u*w.scale.X, v*w.scale.Y
	switch w.ring {
	case 0:
		return w.touches || w.pole == nil && 2*math.Abs(w.wound) > across
	case 1:
		return w.touches || w.pole == nil && 2*math.Abs(w.wound) > along
	}
	return w.touches || u > 0 && 2*w.missed > across || v > 0 && 2*w.missed > along
}

// mostArea (mm²) is the largest area on a surface that closes in both directions that loops may enclose and still be
// judged: half of the surface. A loop along both of its seams encloses more, and may have either direction.
func (w *walker) mostArea() float64 {
	if u, v := w.surface.Periods(); u > 0 && v > 0 {
		return u * w.scale.X * v * w.scale.Y / 2
	}
	return math.Inf(1)
}

// under returns twice the signed area between a piece of a loop and the first corner or, on a surface that
// closes on itself, the base line; and the length of the piece around the surface.
func (w *walker) under(first, from, to geom.Vec2) (area, along float64) {
	switch w.ring {
	case 0:
		return (2*w.base - from.Y - to.Y) * (to.X - from.X), to.X - from.X
	case 1:
		return (from.X + to.X - 2*w.base) * (to.Y - from.Y), to.Y - from.Y
	}
	return from.Sub(first).Cross(to.Sub(first)), 0
}

// loop returns the signed area of a loop in the parameter plane, and its length there; both in mm.
func (w *walker) loop(id brep.LoopID) (area, length float64) {
	coedges := w.m.Loops[id].Coedges
	if len(coedges) == 0 {
		return 0, 0
	}
	first := w.place(w.m.Vertices[w.m.CoedgeStart(coedges[0])].Point)
	last, before := first, first
	step := func(c brep.CoedgeID, p geom.Vec3, isBehindMiddle bool) {
		uv := w.place(p)
		w.gaps[c] = max(w.gaps[c], w.off)
		below, along := w.under(first, last, uv)
		area += 0.5 * below
		w.wound += along
		if isBehindMiddle { // the area under a parabola through three points is four thirds of their triangle
			area += last.Sub(before).Cross(uv.Sub(before)) / 6
		}
		length += uv.Dist(last)
		before, last = last, uv
	}
	for _, c := range coedges {
		ce := &w.m.Coedges[c]
		e := &w.m.Edges[ce.Edge]
		n := 1
		if e.Curve != nil {
			n = w.partsOf(e)
			for k := 1; k < n; k++ {
				s := float64(k) / float64(n)
				if ce.Reversed {
					s = 1 - s
				}
				step(c, e.Curve.At(e.Range.At(s)), k%2 == 0)
			}
		}
		step(c, w.m.Vertices[w.m.CoedgeEnd(c)].Point, n%2 == 0)
	}
	w.missed = max(w.missed, last.Dist(first))
	return area, length
}

// partsOf returns the number of pieces into which an edge is divided.
func (w *walker) partsOf(e *brep.Edge) int {
	if w.surface.Kind() == surface.KindPlane && e.Curve.Kind() == curve.KindLine {
		return 1
	}
	w.bends = true
	if w.parts == looks[0].parts && e.Curve.Kind() == curve.KindLine {
		return 1 // hardly ever bent in the parameter plane either
	}
	if e.Start == e.End {
		return 2 * w.parts
	}
	return w.parts
}
