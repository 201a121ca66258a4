package sew

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// domain is the region of a face in the parameter plane of its surface, by polygons of a few points for
// each edge, and a box around the face.
type domain struct {
	trim.PointLocator
	box     geom.Box
	isWhole bool // all of the surface
	isKnown bool
	turned  []brep.LoopID // loops in the wrong direction
}

// layOutAll computes the regions of all faces of sheets, on all cores. It returns ctx.Err().
func (s *sewer) layOutAll(ctx context.Context) error {
	s.domains = make([]domain, len(s.m.Faces))
	for _, f := range s.faces {
		for c := range s.uses(f) {
			s.polyline(s.m.Coedges[c].Edge) // so that the workers only read them
		}
	}
	const batch = 16 // faces taken at a time
	return parallel.ForWith(ctx, len(s.faces), batch, func() func(int) {
		var b trim.Builder
		return func(i int) { s.layOut(s.faces[i], &b) }
	})
}

// domain returns the region of a face. The first call computes it.
func (s *sewer) domain(f brep.FaceID) *domain {
	if s.domains == nil {
		s.domains = make([]domain, len(s.m.Faces))
	}
	if !s.domains[f].isKnown {
		s.layOut(f, &s.builder)
	}
	return &s.domains[f]
}

// layOut fills the region of a face.
func (s *sewer) layOut(f brep.FaceID, b *trim.Builder) {
	d, face := &s.domains[f], &s.m.Faces[f]
	d.isKnown = true
	if face.Surface.Kind() == surface.KindFacets { // which are all of the face
		d.isWhole = true
		d.box = face.Surface.Bounds(face.Surface.Domain())
		return
	}
	options := trim.Options{ChordTolerance: math.Inf(1), AngleTolerance: sampleTurn}
	laid, err := b.Build(s.m, f, s, options)
	if err != nil {
		d.box = geom.EmptyBox() // the loops bound no region: nothing is in it
		return
	}
	d.isWhole = len(face.Loops) == 0
	d.PointLocator = laid.PointLocator()
	if laid.Turned > 0 {
		d.turned = s.turnedLoops(f, laid)
	}
	d.box = geom.EmptyBox()
	if d.Lo.X <= d.Hi.X {
		d.box = face.Surface.Bounds(geom.Interval{Lo: d.Lo.X, Hi: d.Hi.X}, geom.Interval{Lo: d.Lo.Y, Hi: d.Hi.Y})
	}
	for _, e := range s.uses(f) { // which bulge out between the points of the polygons
		d.box = d.box.Union(e.Curve.Bounds(e.Range))
	}
}

// turnedLoops returns the loops that a layout uses in the opposite direction.
func (s *sewer) turnedLoops(f brep.FaceID, laid *trim.Domain) []brep.LoopID {
	var turned []brep.LoopID
	face := &s.m.Faces[f]
	for _, l := range face.Loops {
		if s.isTurned(l, face.Reversed, laid) {
			turned = append(turned, l)
		}
	}
	return turned
}

// isTurned decides by the first piece of an edge of the loop.
func (s *sewer) isTurned(l brep.LoopID, reversed bool, laid *trim.Domain) bool {
	for _, polygon := range laid.Polygons {
		for i := range polygon {
			v := &polygon[i]
			if v.Coedge == brep.None || v.From == v.To {
				continue
			}
			if c := &s.m.Coedges[v.Coedge]; c.Loop == l {
				return (v.To < v.From) != (c.Reversed != reversed)
			}
		}
	}
	return false
}

// contains reports whether a place of the parameter plane, or one whole periods away, is in the region.
func (d *domain) contains(uv geom.Vec2, periodU, periodV float64) bool {
	return d.isWhole || d.Contains(uv, periodU, periodV)
}

// inside returns a place well within the region: the middle of the longest stretch of a line across it.
func (d *domain) inside() (geom.Vec2, bool) {
	best, at := 0.0, geom.Vec2{}
	for _, share := range [3]float64{0.5, 0.31, 0.73} { // no line through all corners
		v := d.Lo.Y + share*(d.Hi.Y-d.Lo.Y)
		var cuts []float64
		for _, polygon := range d.Polygons {
			for i, b := range polygon {
				a := polygon[(i+len(polygon)-1)%len(polygon)]
				if (a.Y > v) != (b.Y > v) {
					cuts = append(cuts, a.X+(b.X-a.X)*(v-a.Y)/(b.Y-a.Y))
				}
			}
		}
		slices.Sort(cuts)
		for i := 0; i+1 < len(cuts); i += 2 {
			if w := cuts[i+1] - cuts[i]; w > best {
				best, at = w, geom.Vec2{X: 0.5 * (cuts[i] + cuts[i+1]), Y: v}
			}
		}
	}
	return at, best > 0
}
