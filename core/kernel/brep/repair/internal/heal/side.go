package heal

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// This file decides on which side of its loops a face lies where the loops bound either side, as on spheres and tori,
// and no neighbor continues it. In turn:
//
//  1. one of the sides cannot be a region: a cone cannot end away from its apex, nor a spline without its boundary;
//  2. other edges of the shell lie in one of the sides or pass through it, and not in the other;
//  3. the shell is inside out, is not once one face has the smaller side, and this is so for one face only: one wrong
//     flag is likelier than all flags wrong. Faces whose only smooth edges are with each other count as one;
//  4. all faces of the file on such surfaces, within as many edges, have the smaller side, but this one has the larger.
//
// A warning names a face that finally covers half of its surface or more, though the other side is possible too.
//
// Cost: the domains of the faces, twice, and a few inversions for each edge of their shells; where two sides remain,
// the volumes of these shells.

// mostMet is the maximum number of edges of a shell that are tested for each face.
const mostMet = 4096

// regions flips the unsure faces that bound no region of their surface now, but do when flipped. Otherwise faces that
// continue each other would confirm each other, right or wrong, as the two halves of a cone do.
func regions(m *brep.Model, senses []sense, unsure []brep.FaceID) {
	w := ways{m: m}
	for _, f := range unsure {
		if trim.IsEitherSide(m.Faces[f].Surface) {
			continue
		}
		if _, isWrong := w.region(f); isWrong {
			if _, mayNot := w.turned(f); !mayNot {
				senses[f] = contradicted
			}
		}
	}
}

// choice is a face that may lie on either side of its loops, or faces that do so together.
type choice struct {
	faces []brep.FaceID
	cones [2]mass.SignedCone // with the current sense of the faces, and with the opposite one
}

func (c *choice) face() brep.FaceID { return c.faces[0] }

// sides flips the unsure faces whose other side is the better one, and the likely faces likewise.
func sides(ctx context.Context, m *brep.Model, senses []sense, unsure, likely []brep.FaceID) error {
	w := ways{m: m}
	var open []choice
	for _, f := range unsure {
		if err := ctx.Err(); err != nil {
			return err
		}
		if left, _ := followNeighbors(m, senses, []brep.FaceID{f}); len(left) == 0 {
			continue
		}
		now, isWrong := w.region(f)
		turned, mayNot := w.turned(f)
		if isWrong || mayNot || m.IsSheet(f) || !trim.IsEitherSide(m.Faces[f].Surface) || !hasNeighbor(m, f) {
			if isWrong && !mayNot {
				senses[f] = contradicted
			}
			continue
		}
		here, there := w.meets(f, now, turned)
		if here > 0 && there == 0 {
			senses[f] = contradicted
		} else if here == 0 && there == 0 {
			open = append(open, choice{faces: []brep.FaceID{f}})
		}
	}
	open = slices.DeleteFunc(open, func(c choice) bool {
		left, _ := followNeighbors(m, senses, c.faces)
		return len(left) == 0
	})
	for _, g := range groups(m, likely) {
		isNoChoice := func(f brep.FaceID) bool { return m.IsSheet(f) || !trim.IsEitherSide(m.Faces[f].Surface) }
		if !slices.ContainsFunc(g, isNoChoice) {
			open = append(open, choice{faces: g})
		}
	}
	open, err := w.weigh(ctx, senses, open)
	if err != nil {
		return err
	}
	decideAlone(m, senses, open)
	return nil
}

// hasNeighbor reports whether another face uses an edge of a face. A face without neighbors is whole.
func hasNeighbor(m *brep.Model, f brep.FaceID) bool {
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			isOther := func(o brep.CoedgeID) bool { return m.FaceOf(o) != f }
			if slices.ContainsFunc(m.Edges[m.Coedges[c].Edge].Coedges, isOther) {
				return true
			}
		}
	}
	return false
}

// region is the region that the loops of a face bound. It is wrong where it is empty or loops had to be reversed.
func (w *ways) region(f brep.FaceID) (r trim.PointLocator, isWrong bool) {
	d, err := w.domain(f)
	if err != nil {
		return r, true
	}
	return d.PointLocator(), d.Turned > 0
}

// turned returns the region of a face with the opposite sense.
func (w *ways) turned(f brep.FaceID) (trim.PointLocator, bool) {
	face := &w.m.Faces[f]
	face.Reversed = !face.Reversed
	defer func() { face.Reversed = !face.Reversed }()
	return w.region(f)
}

// meets counts the other edges of a face's shell that touch the first of two regions of its surface, and the second.
func (w *ways) meets(f brep.FaceID, now, turned trim.PointLocator) (here, there int) {
	own, size := w.boundary(f)
	seen := map[brep.EdgeID]bool{}
	for _, g := range w.m.Shells[w.m.Faces[f].Shell].Faces {
		for _, l := range w.m.Faces[g].Loops {
			for _, c := range w.m.Loops[l].Coedges {
				id := w.m.Coedges[c].Edge
				if own[id] || seen[id] || w.m.Edges[id].Curve == nil {
					continue
				}
				if seen[id] = true; len(seen) > mostMet {
					return 0, 0
				}
				p, ok := w.touch(id, f)
				if !ok || w.isNear(p, own, beside*size) {
					continue
				}
				s := w.m.Faces[f].Surface
				uv, _ := s.Invert(p)
				u, v := s.Periods()
				isIn, isOut := now.Contains(uv, u, v), turned.Contains(uv, u, v)
				if isIn && !isOut {
					here++
				} else if isOut && !isIn {
					there++
				}
			}
		}
	}
	return here, there
}

// beside is the distance from the boundary of a face, as a fraction of its size, below which a point's side is
// uncertain.
const beside = 0.02

// boundary returns the edges of a face, and the diagonal of the box around them, mm.
func (w *ways) boundary(f brep.FaceID) (own map[brep.EdgeID]bool, size float64) {
	own = map[brep.EdgeID]bool{}
	box := geom.EmptyBox()
	for _, l := range w.m.Faces[f].Loops {
		for _, c := range w.m.Loops[l].Coedges {
			id := w.m.Coedges[c].Edge
			if e := &w.m.Edges[id]; e.Curve != nil {
				box = box.Union(e.Curve.Bounds(e.Range))
			}
			own[id] = true
		}
	}
	return own, box.Diagonal()
}

func (w *ways) isNear(p geom.Vec3, edges map[brep.EdgeID]bool, reach float64) bool {
	for id := range edges {
		e := &w.m.Edges[id]
		if e.Curve == nil {
			continue
		}
		if _, d := curve.InvertIn(e.Curve, p, e.Range); d <= reach {
			return true
		}
	}
	return false
}

// touch returns a point at which an edge lies on the surface of a face or passes through it. It tests some points of
// the edge.
func (w *ways) touch(id brep.EdgeID, f brep.FaceID) (geom.Vec3, bool) {
	const (
		parts    = 8
		halvings = 30
	)
	e, s := &w.m.Edges[id], w.m.Faces[f].Surface
	height := func(t float64) (geom.Vec3, float64) {
		p := e.Curve.At(t)
		uv, _ := s.Invert(p)
		at, du, dv := s.D1(uv.X, uv.Y)
		return p, p.Sub(at).Dot(du.Cross(dv).Unit())
	}
	tol := max(w.m.Tolerance.Length, e.Tolerance, geom.Resolution)
	last, below := e.Range.Lo, 0.0
	for k := range parts {
		t := e.Range.At((float64(k) + 0.5) / parts)
		p, h := height(t)
		if math.Abs(h) <= tol {
			return p, true
		}
		if below*h < 0 {
			lo, hi := last, t
			for range halvings {
				if _, mid := height(0.5 * (lo + hi)); mid*h > 0 {
					hi = 0.5 * (lo + hi)
				} else {
					lo = 0.5 * (lo + hi)
				}
			}
			p, h := height(hi)
			return p, math.Abs(h) <= tol // false: the foot point has jumped
		}
		last, below = t, h
	}
	return geom.Vec3{}, false
}

// weigh flips the faces that make their shells inside out, and returns the undecided ones, with their cones.
func (w *ways) weigh(ctx context.Context, senses []sense, open []choice) (left []choice, err error) {
	byShell := map[brep.ShellID][]choice{}
	var shells []brep.ShellID
	for _, c := range open {
		sh := w.m.Faces[c.face()].Shell
		if byShell[sh] == nil {
			shells = append(shells, sh)
		}
		byShell[sh] = append(byShell[sh], c)
	}
	for _, sh := range shells {
		volume, ok, err := w.volume(ctx, senses, sh, byShell[sh])
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		var better, groups []int
		for i, c := range byShell[sh] {
			then := volume - c.cones[0].Volume + c.cones[1].Volume
			switch {
			case volume >= 0 || then <= 0 || c.cones[1].Area >= c.cones[0].Area:
			case len(c.faces) == 1:
				better = append(better, i)
			default:
				groups = append(groups, i)
			}
		}
		if len(better) == 0 { // one wrong flag is likelier than several
			better = groups
		}
		if len(better) == 1 {
			for _, f := range byShell[sh][better[0]].faces {
				senses[f] = opposite[senses[f]]
			}
		} else if len(better) == 0 {
			left = append(left, byShell[sh]...)
		}
	}
	return left, nil
}

// opposite is the sense of a face after the sense of another one is reversed.
var opposite = map[sense]sense{unjudged: contradicted, confirmed: contradicted, contradicted: confirmed}

// volume returns the volume of a shell with its contradicted faces flipped, negative when it is inside out, and false
// where faces have no volume. It fills the cones of the choices.
func (w *ways) volume(
	ctx context.Context, senses []sense, sh brep.ShellID, open []choice,
) (sum float64, ok bool, err error) {
	m := w.m
	faces := m.Shells[sh].Faces
	turn := func(f brep.FaceID) { m.Faces[f].Reversed = !m.Faces[f].Reversed }
	for _, f := range faces {
		if senses[f] == contradicted {
			turn(f)
			defer turn(f)
		}
	}
	sign := 1.0
	if m.Shells[sh].IsVoid {
		sign = -1
	}
	all, err := mass.FaceCones(ctx, m, faces)
	at := map[brep.FaceID]mass.SignedCone{}
	for i, f := range faces {
		all[i].Volume *= sign
		sum += all[i].Volume
		at[f] = all[i]
	}
	for i := range open {
		if err != nil || ctx.Err() != nil {
			break
		}
		c := &open[i]
		for _, f := range c.faces {
			turn(f)
		}
		other, bad := mass.FaceCones(ctx, m, c.faces)
		for _, f := range c.faces {
			turn(f)
		}
		if bad != nil { // these faces have no other side; the repair of the shell continues
			c.cones = [2]mass.SignedCone{{}, {Area: math.Inf(1)}}
			continue
		}
		for k := range other {
			was := at[c.faces[k]]
			c.cones[0] = mass.SignedCone{Area: c.cones[0].Area + was.Area, Volume: c.cones[0].Volume + was.Volume}
			c.cones[1] = mass.SignedCone{Area: c.cones[1].Area + other[k].Area,
				Volume: c.cones[1].Volume + sign*other[k].Volume}
		}
	}
	return sum, err == nil, ctx.Err()
}

// decideAlone flips faces if all faces like them have the smaller side. It warns of faces that still cover half of
// their surface or more.
func decideAlone(m *brep.Model, senses []sense, open []choice) {
	const (
		half    = 1 - 1e-3 // the least ratio of the sides of a face that has half of its surface
		large   = 1.5      // the least ratio of one that has the larger side for certain
		several = 2        // likes
		corners = 3        // edges: two may make one circle, behind which knobs are as usual as dents
	)
	first, count := brep.FaceID(brep.None), 0
	for i := range open {
		c := &open[i]
		if c.ratio() < half || len(c.faces) > 1 {
			continue
		}
		likes, small := 0, 0
		for k := range open {
			if k != i && c.isLike(m, &open[k]) {
				likes++
				if open[k].ratio() < 1/large {
					small++
				}
			}
		}
		if c.ratio() > large && small >= several && small == likes && edgesOf(m, c.face()) >= corners {
			senses[c.face()] = contradicted
			continue
		}
		if count++; first == brep.None {
			first = c.face()
		}
	}
	if count > 0 {
		warn(m, AmbiguousSide, count, "%s has half of its surface or more, but the other side of its boundary would "+
			"be valid too; only its flag decides", m.FaceName(first))
	}
}

// ratio is the area of a face's present side over the area of the other one.
func (c *choice) ratio() float64 { return c.cones[0].Area / c.cones[1].Area }

// isLike reports whether two faces lie on surfaces of one kind and size, and are bounded by as many edges.
func (c *choice) isLike(m *brep.Model, o *choice) bool {
	const same = 1e-3 // share of an area
	whole, other := c.cones[0].Area+c.cones[1].Area, o.cones[0].Area+o.cones[1].Area
	return m.Faces[c.face()].Surface.Kind() == m.Faces[o.face()].Surface.Kind() &&
		math.Abs(whole-other) <= same*whole && edgesOf(m, c.face()) == edgesOf(m, o.face())
}

func edgesOf(m *brep.Model, f brep.FaceID) (n int) {
	for _, l := range m.Faces[f].Loops {
		n += len(m.Loops[l].Coedges)
	}
	return n
}
