package iges

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/core/kernel/brep"
	outline "millwright.dev/millwright/core/kernel/brep/trimface"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A face of a surface model has its own edges and vertices; package sew finds its neighbors. Boundaries are the curves
// in space, since many writers get the surface's parametrization wrong. Curves in the parameter plane are used where
// there is no curve in space, and to find the side of a boundary where that is ambiguous (side.go).

// isFace reports whether an entity is a face by itself: surfaces without limits are not.
func isFace(e *deck.Entity) bool {
	switch e.Type {
	case 144, 143:
		return true
	case 108:
		return e.Form > 0
	case 190, 192, 194:
		return false
	}
	return isSurface(e.Type)
}

// face adds a face of a surface model to m: a trimmed (144) or bounded surface (143), a bounded plane (108)
// or a surface within its own limits.
func (r *reader) face(m *brep.Model, e *deck.Entity) error {
	t, err := r.placement(e)
	if err != nil {
		return err
	}
	var on patch
	var bounds []*deck.Entity
	var loops [][]piece
	natural := false
	name, color := e.Label(), r.color(e)
	switch rest := r.file.Params(e); e.Type {
	case 144, 143:
		on, bounds, err = r.trimmed(e, &rest, &natural, &color)
		name = r.name(e, &rest)
	case 108:
		on, bounds, err = r.boundedPlane(e)
	default:
		on, err = r.surface(e)
		natural, t = true, geom.Identity
	}
	if err != nil {
		return err
	}
	if natural && !on.isBounded() {
		return deck.Fail(e, "has no boundary, and its surface has none either")
	}
	for i, b := range bounds {
		pieces, err := r.boundary(b, on)
		if err != nil {
			return err
		}
		if on.flipped { // the left side of the boundary becomes its right side
			pieces = reversed(pieces)
		}
		if e.Type == 144 && b.Type == 142 && surface.IsClosed(on.s) {
			pieces = r.facing(b, on, pieces, i == 0 && !natural)
		}
		loops = append(loops, pieces)
	}
	if natural {
		sides, err := limits(on)
		if err != nil {
			return deck.Fail(e, "cannot be used: %v", err)
		}
		loops = append(sides, loops...)
	}
	if t != geom.Identity {
		on.s = on.s.Transform(t)
		for _, l := range loops {
			for i := range l {
				l[i].transform(t)
			}
		}
	}
	id := brep.FaceID(len(m.Faces))
	f := brep.Face{Surface: on.s, Origin: int32(id), Source: int64(e.DE), Name: name, Color: color}
	for _, l := range loops {
		if loop, ok := r.loop(m, e, l); ok {
			f.Loops = append(f.Loops, loop)
		}
	}
	if len(f.Loops) == 0 && !natural {
		r.warn("empty_face", "%s has a boundary of no length and was left out", deck.Describe(e))
		return nil
	}
	m.Faces = append(m.Faces, f)
	m.Shells[len(m.Shells)-1].Faces = append(m.Shells[len(m.Shells)-1].Faces, id)
	return nil
}

// trimmed reads a trimmed surface (144) or a bounded surface (143): its surface and boundaries. natural is set if the
// outer boundary is that of the surface itself. color is set to the color of the surface if it is nil.
func (r *reader) trimmed(e *deck.Entity, p *deck.Params, natural *bool, color **brep.Color) (
	on patch, bounds []*deck.Entity, err error,
) {
	if e.Type == 143 {
		p.Skip(1) // whether the boundaries have curves in the parameter plane
	}
	s, err := r.at(e, p.Pointer())
	if err != nil {
		return on, nil, err
	}
	var list []int
	if e.Type == 144 {
		given := p.Int() != 0
		list = make([]int, 1+p.Count(1))
		list[0] = p.Pointer()
		if !given || list[0] == 0 {
			*natural, list = true, list[1:]
		}
		for i := range list {
			if i > 0 || *natural {
				list[i] = p.Pointer()
			}
		}
		// A count of holes that is too large has no other consequence; the adjacent faces show whether a hole is
		// missing.
		counted := len(list)
		if list = slices.DeleteFunc(list, func(de int) bool { return de == 0 }); len(list) < counted {
			r.warn("missing_boundary", "%s counts more inner boundaries than it names; those it names were taken",
				deck.Describe(e))
		}
	} else {
		list = make([]int, p.Count(1))
		for i := range list {
			list[i] = p.Pointer()
		}
		*natural = len(list) == 0
	}
	if err := p.Err(); err != nil {
		return on, nil, err
	}
	for _, de := range list {
		b, err := r.at(e, de)
		if err != nil {
			return on, nil, err
		}
		bounds = append(bounds, b)
	}
	if *color == nil {
		*color = r.color(s)
	}
	on, err = r.surface(s)
	return on, bounds, err
}

// boundedPlane reads a plane with a closed curve around it (108). The curve is in the same space as the
// plane's coefficients.
func (r *reader) boundedPlane(e *deck.Entity) (on patch, bounds []*deck.Entity, err error) {
	p := r.file.Params(e)
	on, err = r.plane(e, p)
	if err != nil {
		return on, nil, err
	}
	p.Skip(4)
	b, err := r.at(e, p.Pointer())
	return on, []*deck.Entity{b}, err
}

// boundary reads the pieces of one boundary of a surface: a curve on a surface (142), a boundary (141), or
// a plain curve.
func (r *reader) boundary(e *deck.Entity, on patch) ([]piece, error) {
	t, err := r.placement(e)
	if err != nil {
		return nil, err
	}
	var pieces []piece
	switch e.Type {
	case 141:
		pieces, err = r.boundaryCurves(e, on)
	case 142:
		p := r.file.Params(e)
		p.Skip(2) // how the curve was created, and the surface
		flat, space := p.Pointer(), p.Pointer()
		if err := p.Err(); err != nil {
			return nil, err
		}
		pieces, err = r.spaceOrPlane(e, space, []int{flat}, on)
	default:
		return r.curve(e)
	}
	for i := range pieces {
		pieces[i].transform(t)
	}
	return pieces, err
}

// curveOnSurface reads a curve on a surface (142) where a curve in space is wanted.
func (r *reader) curveOnSurface(e *deck.Entity) ([]piece, error) {
	p := r.file.Params(e)
	p.Skip(1)
	surface, flat, space := p.Pointer(), p.Pointer(), p.Pointer()
	if err := p.Err(); err != nil {
		return nil, err
	}
	var on patch
	if space == 0 {
		s, err := r.at(e, surface)
		if err != nil {
			return nil, err
		}
		if on, err = r.surface(s); err != nil {
			return nil, err
		}
	}
	return r.spaceOrPlane(e, space, []int{flat}, on)
}

// boundaryCurves reads a boundary (141): curves with senses, each with curves in the parameter plane.
func (r *reader) boundaryCurves(e *deck.Entity, on patch) ([]piece, error) {
	p := r.file.Params(e)
	p.Skip(3) // kind, preference, surface
	var pieces []piece
	for range p.Count(3) {
		space, sense := p.Pointer(), p.Int()
		flat := make([]int, p.Count(1))
		for i := range flat {
			flat[i] = p.Pointer()
		}
		if err := p.Err(); err != nil {
			return nil, err
		}
		more, err := r.spaceOrPlane(e, space, flat, on)
		if err != nil {
			return nil, err
		}
		if sense == 2 {
			more = reversed(more)
		}
		pieces = append(pieces, more...)
	}
	return pieces, p.Err()
}

// spaceOrPlane reads a curve in space. It reads the curves in the parameter plane of the surface instead if the curve
// in space is missing, is damaged or does not lie on the surface.
func (r *reader) spaceOrPlane(of *deck.Entity, space int, flat []int, on patch) ([]piece, error) {
	flat = slices.DeleteFunc(flat, func(de int) bool { return de == 0 })
	if space != 0 {
		pieces, err := r.spaceCurve(of, space)
		if isDamage(err) && len(flat) > 0 {
			if flatPieces, flatErr := r.parameterCurves(of, flat, on); flatErr == nil {
				salvage.Tell(r.note, salvage.MadeEdge, "The boundary of "+deck.Describe(of).Text+
					" was taken from the parameter plane of its surface", err)
				return flatPieces, nil
			}
		}
		if err != nil || len(flat) == 0 || on.params == nil || !misses(pieces, on) {
			return pieces, err
		}
		if better, err := r.parameterCurves(of, flat, on); err == nil {
			r.warn("curve_off_surface", "The boundary of %s does not lie on its surface; that in its parameter "+
				"plane was taken", deck.Describe(of))
			return better, nil
		}
		return pieces, nil
	}
	if len(flat) == 0 {
		return nil, deck.Fail(of, "has no curve")
	}
	return r.parameterCurves(of, flat, on)
}

func (r *reader) spaceCurve(of *deck.Entity, de int) ([]piece, error) {
	e, err := r.at(of, de)
	if err != nil {
		return nil, err
	}
	return r.curve(e)
}

// parameterCurves reads curves in the parameter plane of a surface as curves in space.
func (r *reader) parameterCurves(of *deck.Entity, flat []int, on patch) ([]piece, error) {
	pieces, err := r.planeCurves(of, flat, on)
	for i := range pieces {
		pieces[i].c = surface.NewOnSurface(on.s, pieces[i].c)
	}
	return pieces, err
}

// planeCurves reads curves in the parameter plane of a surface, with z = 0 and in the parameters of on.s.
func (r *reader) planeCurves(of *deck.Entity, flat []int, on patch) ([]piece, error) {
	var pieces []piece
	for _, de := range flat {
		e, err := r.at(of, de)
		if err != nil {
			return nil, err
		}
		mm := r.mm
		r.mm = 1 // parameters have no unit
		more, err := r.curve(e)
		r.mm = mm
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, more...)
	}
	return r.inParameters(of, pieces, on)
}

// limits returns the boundary of a surface at its own limits: four sides, two circles if it is closed in one direction,
// nothing if it is closed in both.
func limits(on patch) ([][]piece, error) {
	sides, err := outline.Rectangle(on.s, on.u, on.v)
	loops := make([][]piece, len(sides))
	for i, loop := range sides {
		for _, p := range loop {
			loops[i] = append(loops[i], piece{c: p.Curve, iv: p.Range, reversed: p.Reversed})
		}
	}
	return loops, err
}

// The tolerances of a chain of curves, in mm.
const (
	// shortest is the size of a piece below which it is the rounding of a point.
	shortest = 1e-5
	// joint is the gap between two pieces within which their ends are one vertex. A wider gap is a missing piece, and
	// is closed with a line.
	joint = 0.1
)

// withLength returns the pieces that are more than a point.
func withLength(pieces []piece) []piece {
	chain := make([]piece, 0, len(pieces))
	for _, p := range pieces {
		if p.size() > shortest {
			chain = append(chain, p)
		}
	}
	return chain
}

// loop adds a closed chain of pieces to m; false when nothing of it is long enough.
func (r *reader) loop(m *brep.Model, of *deck.Entity, pieces []piece) (brep.LoopID, bool) {
	chain := withLength(pieces)
	if len(chain) == 0 {
		return 0, false
	}
	arrange(chain)
	for i := 0; i < len(chain); i++ {
		a, b := chain[i].end(), chain[(i+1)%len(chain)].start()
		if d := a.Dist(b); d > joint && d > shortest*chain[i].size() {
			r.warn("closed_boundary", "The boundary of %s has a gap of %.3g mm, which was closed with a line",
				deck.Describe(of), d)
			chain = append(chain[:i+1], append([]piece{segment(a, b)}, chain[i+1:]...)...)
			i++
		}
	}
	l := brep.Loop{Vertex: brep.None, Source: int64(of.DE)}
	first := brep.VertexID(len(m.Vertices))
	for i := range chain {
		before := &chain[(i+len(chain)-1)%len(chain)]
		a, b := before.end(), chain[i].start()
		m.Vertices = append(m.Vertices, brep.Vertex{Point: a.Lerp(b, 0.5), Tolerance: a.Dist(b) / 2})
	}
	for i, p := range chain {
		e := brep.Edge{Curve: p.c, Range: p.iv, Start: first + brep.VertexID(i),
			End: first + brep.VertexID((i+1)%len(chain)), Source: int64(of.DE)}
		e.Tolerance = max(m.Vertices[e.Start].Tolerance, m.Vertices[e.End].Tolerance)
		if p.reversed {
			e.Start, e.End = e.End, e.Start
		}
		l.Coedges = append(l.Coedges, brep.CoedgeID(len(m.Coedges)))
		m.Coedges = append(m.Coedges, brep.Coedge{Edge: brep.EdgeID(len(m.Edges)), Reversed: p.reversed})
		m.Edges = append(m.Edges, e)
	}
	m.Loops = append(m.Loops, l)
	return brep.LoopID(len(m.Loops) - 1), true
}
