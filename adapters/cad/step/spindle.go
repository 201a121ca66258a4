package step

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A torus whose tube crosses its axis has two parts, the outer skin and the inner spindle. The same applies to a
// revolved circle that crosses the axis. This file finds the part to which a face belongs.
//
// Method: the edges of the face decide, as they are on one part only. If the record of the surface contradicts them,
// the edges are right if more than one of their flags agrees. A seam, an arc that only this face uses, twice, runs
// around the two parts in opposite senses: there, one flag contradicts another. Nearly all systems write edges that run
// with their curves, so a seam that does not is reversed. Each contradiction is a warning.

// onArc returns the surface of a face, of the record r, or another part of it if the edges of the face are there.
func (d *draft) onArc(s surface.Surface, id brep.FaceID, r part21.Ref) surface.Surface {
	parts := geometry.Parts(s)
	if len(parts) == 0 {
		return s
	}
	used := d.edgesOf(id)
	off := d.offSurface(s, used)
	best, least := s, off
	for _, other := range parts {
		if o := d.offSurface(other, used); least-o > d.Tolerance {
			best, least = other, o
		}
	}
	if off <= d.Tolerance || !d.StatesPart(r, s) {
		return best
	}
	name := d.model.FaceName(id)
	if seams := d.seamsOff(s, used); len(seams) > 0 && (least > d.Tolerance || d.runAgainst(seams)) &&
		d.turnSeams(s, seams) {
		d.Warn("edge_way", 1, "%s took the other way around its curve: the surface of %s lies there",
			d.Entity(d.edges[seams[0]].entity), name)
		return s
	}
	if best != s {
		d.Warn("torus_part", 1,
			"The edges of %s lie on the other part of a torus that crosses its axis than its surface "+
				"says; the part that they lie on was taken", name)
	}
	return best
}

// edgesOf returns the edges of a face, one for each use.
func (d *draft) edgesOf(id brep.FaceID) (used []brep.EdgeID) {
	m := &d.model
	for _, l := range m.Faces[id].Loops {
		for _, c := range m.Loops[l].Coedges {
			used = append(used, m.Coedges[c].Edge)
		}
	}
	return used
}

// offSurface returns the distance (mm) of edges from a surface, sampled at a few points.
func (d *draft) offSurface(s surface.Surface, edges []brep.EdgeID) (off float64) {
	const parts = 8
	m := &d.model
	for _, id := range edges {
		e := &m.Edges[id]
		for k := range parts {
			p := m.Vertices[e.Start].Point
			if e.Curve != nil {
				p = e.Curve.At(e.Range.At((float64(k) + 0.5) / parts))
			}
			_, dist := s.Invert(p)
			off = max(off, dist)
		}
	}
	return off
}

// seamsOff returns the edges that are off a surface if all of them are arcs of circles that the face uses twice.
func (d *draft) seamsOff(s surface.Surface, used []brep.EdgeID) (seams []brep.EdgeID) {
	for _, id := range used {
		if d.offSurface(s, []brep.EdgeID{id}) <= d.Tolerance || slices.Contains(seams, id) {
			continue
		}
		e, uses := &d.model.Edges[id], 0
		for _, other := range used {
			uses += btoi(other == id)
		}
		if e.Curve == nil || e.Curve.Kind() != curve.KindCircle || e.Start == e.End || uses != 2 {
			return nil
		}
		seams = append(seams, id)
	}
	return seams
}

// runAgainst reports whether all edges run against their curves, by their own flags.
func (d *draft) runAgainst(edges []brep.EdgeID) bool {
	return !slices.ContainsFunc(edges, func(id brep.EdgeID) bool { return d.edges[id].sense })
}

// turnSeams switches edges to the complementary arcs of their curves, if that brings them onto a surface.
func (d *draft) turnSeams(s surface.Surface, seams []brep.EdgeID) bool {
	turn := func() (err error) {
		for _, id := range seams {
			e := &d.model.Edges[id]
			if d.fits[id].reversed {
				e.Start, e.End = e.End, e.Start
			}
			d.edges[id].sense = !d.edges[id].sense
			var why error
			d.fits[id], why = d.fitEdge(int(id))
			err = cmp.Or(err, why)
		}
		return err
	}
	if err := turn(); err == nil && d.offSurface(s, seams) <= d.Tolerance {
		return true
	}
	_ = turn() // restores the surface fitted before
	return false
}
