package step

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// facet gives a face of poly loops only the plane through its largest loop, with the normal of that loop (M. E.
// Newell's sum of projected areas). If all corners are on one line, the face gets any plane through the line, because
// its neighbors need it to be connected.
func (t *tracer) facet(r part21.Ref, id brep.FaceID) {
	normal, at := t.largestLoop(&t.model.Faces[id])
	if normal.Unit() == (geom.Vec3{}) {
		c := t.model.Loops[t.model.Faces[id].Loops[0]].Coedges[0]
		at, normal = t.startOf(c), t.endOf(c).Sub(t.startOf(c)).Unit().Perp()
		t.Warn("flat_facet", 1, "The corners of %s lie on one line", t.Entity(r))
	}
	t.model.Faces[id].Surface = planeAt(at, normal)
	t.model.Faces[id].Reversed = false
}

func (t *tracer) startOf(c brep.CoedgeID) geom.Vec3 {
	return t.model.Vertices[t.model.CoedgeStart(c)].Point
}

func (t *tracer) endOf(c brep.CoedgeID) geom.Vec3 {
	return t.model.Vertices[t.model.CoedgeEnd(c)].Point
}

func planeAt(at, normal geom.Vec3) surface.Surface {
	return surface.Plane{Frame: geom.NewFrame(at, normal, geom.Vec3{X: 1})}
}

// turnPolyLoops reverses the poly loops of faces that contradict the normals of their planes, if more neighbors agree
// then, or if all of them contradict. Some systems write loops around the plane's own normal and ignore the sense of
// the face.
func (d *draft) turnPolyLoops() {
	if len(d.polyLoops) == 0 {
		return
	}
	m := &d.model
	isPoly := make([]bool, len(m.Loops))
	for _, l := range d.polyLoops {
		isPoly[l] = true
	}
	var against []brep.FaceID
	judged := 0
	for i := range m.Faces {
		f := &m.Faces[i]
		plane, ok := f.Surface.(surface.Plane)
		if !ok || slices.ContainsFunc(f.Loops, func(l brep.LoopID) bool { return !isPoly[l] }) {
			continue
		}
		judged++
		around, _ := d.largestLoop(f)
		if n := plane.Frame.Z.Dot(around); n < 0 != f.Reversed && n != 0 {
			against = append(against, brep.FaceID(i))
		}
	}
	if len(against) == 0 {
		return
	}
	before := d.disagreements()
	d.turnLoops(against)
	if after := d.disagreements(); after > before || after == before && len(against) < judged {
		d.turnLoops(against)
		return
	}
	d.Warn("turned_poly_loops", len(against), "The loops of %s ran the wrong way round for its normal",
		m.FaceName(against[0]))
}

// largestLoop returns twice the area vector of the largest loop of a face, and a point on the loop.
func (d *draft) largestLoop(f *brep.Face) (normal, at geom.Vec3) {
	m := &d.model
	for _, l := range f.Loops {
		coedges := m.Loops[l].Coedges
		if len(coedges) == 0 {
			continue
		}
		first := m.Vertices[m.CoedgeStart(coedges[0])].Point
		var n geom.Vec3
		for _, c := range coedges {
			a, b := m.Vertices[m.CoedgeStart(c)].Point, m.Vertices[m.CoedgeEnd(c)].Point
			n = n.Add(a.Sub(first).Cross(b.Sub(first)))
		}
		if n.Norm2() > normal.Norm2() {
			normal, at = n, first
		}
	}
	return normal, at
}

// disagreements counts the edges with at least two uses more in one direction than in the other.
func (d *draft) disagreements() int {
	balance := make([]int32, len(d.model.Edges))
	for _, l := range d.model.Loops {
		for _, c := range l.Coedges {
			ce := &d.model.Coedges[c]
			if ce.Reversed {
				balance[ce.Edge]--
			} else {
				balance[ce.Edge]++
			}
		}
	}
	n := 0
	for _, b := range balance {
		if b > 1 || b < -1 {
			n++
		}
	}
	return n
}

// turnLoops reverses the loops of faces.
func (d *draft) turnLoops(faces []brep.FaceID) {
	for _, f := range faces {
		for _, l := range d.model.Faces[f].Loops {
			coedges := d.model.Loops[l].Coedges
			slices.Reverse(coedges)
			for _, c := range coedges {
				d.model.Coedges[c].Reversed = !d.model.Coedges[c].Reversed
			}
		}
	}
}
