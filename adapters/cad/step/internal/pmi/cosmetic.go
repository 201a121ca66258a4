package pmi

// Cosmetic threads: drawn in the model and not cut. A thread is a circle around the axis of a hole or a shaft, most
// often three quarters of one, with lines along the axis. A statement about such a curve set refers to the enclosed
// wall. The wall is a cylinder on the axis of the circle that reaches the plane of the circle. Its diameter equals the
// diameter of the circle within the height of a thread. The lines give the thread depth. A diameter stated for the
// curve set, without further data, is the thread diameter.

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/thread"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// threadHeight is the least share of the larger of the diameters of a thread and its wall that the smaller has.
	threadHeight = 0.7
	// sameAxis (rad and, for the radius, mm) is the maximum difference between a drawn thread and its wall.
	sameAxis = 1e-3
)

// cosmetic is a thread that is drawn.
type cosmetic struct {
	circle curve.Circle
	depth  float64 // mm; 0 if no lines give it
	bore   float64 // mm, the diameter of its wall
}

// locateCosmetics finds the walls of the curve sets of cosmetic threads.
func (r *reader) locateCosmetics() {
	r.cosmetics = map[part21.Ref]cosmetic{}
	for _, item := range all(r.File, []part21.Keyword{schema.GeometricCurveSet, schema.GeometricSet}) {
		rep, ok := r.within[item]
		if !ok || r.spent > maxStated {
			continue
		}
		if c, ok := r.cosmetic(item, rep); ok {
			r.spent += len(r.model.Faces)
			r.faces[item] = r.wallsOf(&c)
			r.cosmetics[item] = c
		}
	}
}

// cosmetic reads a curve set of a representation; ok is false if it has no circle.
func (r *reader) cosmetic(set, rep part21.Ref) (c cosmetic, ok bool) {
	a := r.File.Args(rep)
	if r.File.IsComplex(rep) {
		a, _ = r.File.Partial(rep, schema.Representation)
	}
	a.Skip(2)
	scope := geometry.Scope{Document: r.Document, Units: r.UnitsOf(a.OptRef(), rep)}
	own := r.Own(set, r.File.Keyword(set))
	var ways []geom.Vec3
	for _, element := range refs(&own) {
		basis := element
		if r.Kind(element, nil) == schema.TrimmedCurve {
			trimmed := r.Own(element, schema.TrimmedCurve)
			basis = trimmed.OptRef()
		}
		switch r.Kind(basis, nil) {
		case schema.Circle:
			if read, err := scope.Curve(basis); err == nil {
				c.circle, ok = read.(curve.Circle)
			}
		case schema.Line:
			if read, err := scope.Curve(element); err == nil && basis != element {
				iv := read.Domain()
				ways = append(ways, read.At(iv.Hi).Sub(read.At(iv.Lo)))
			}
		}
	}
	for _, w := range ways {
		c.depth = max(c.depth, math.Abs(w.Dot(c.circle.Frame.Z)))
	}
	return c, ok
}

// wallsOf returns the cylinders that a drawn thread encloses, in every copy of the part, and sets their diameter.
func (r *reader) wallsOf(c *cosmetic) []brep.FaceID {
	var out []brep.FaceID
	for i, place := range r.placements {
		last := brep.FaceID(len(r.model.Faces))
		if i+1 < len(r.placements) {
			last = r.placements[i+1].First
		}
		frame, radius := c.circle.Frame.Transform(place.At), c.circle.Radius*place.At.Scale()
		for f := place.First; f < last; f++ {
			cylinder, ok := surface.Underlying(r.model.Faces[f].Surface).(surface.Cylinder)
			if !ok || min(cylinder.Radius, radius) < threadHeight*max(cylinder.Radius, radius) {
				continue
			}
			off := frame.Origin.Sub(cylinder.Frame.Origin).Cross(cylinder.Frame.Z).Norm()
			if off > sameAxis*radius || frame.Z.Cross(cylinder.Frame.Z).Norm() > sameAxis {
				continue
			}
			if r.reach(f, frame).Contains(0, sameAxis*radius) {
				out, c.bore = append(out, f), 2*cylinder.Radius
			}
		}
	}
	return out
}

// threaded adds the data of cosmetic threads to a dimension.
func (r *reader) threaded(d *gdt.Dimension, ref part21.Ref) {
	for _, aspect := range r.aspectsOf(ref) {
		for _, item := range r.itemsOf(aspect) {
			c, ok := r.cosmetics[item]
			if !ok {
				continue
			}
			if d.Thread == nil && d.Kind == "diameter" && d.HasNominal {
				if t, ok := thread.FromBore(d.Nominal, c.bore); ok {
					d.Thread = &t
				}
			}
			if d.Thread != nil && d.Thread.Depth == 0 {
				d.Thread.Depth = c.depth
			}
		}
	}
}

// reach returns the extent (mm) of a face's corners along the axis of a frame.
func (r *reader) reach(f brep.FaceID, frame geom.Frame) geom.Interval {
	m := r.model
	iv := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, l := range m.Faces[f].Loops {
		for _, e := range m.Loops[l].Coedges {
			z := frame.Local(m.Vertices[m.CoedgeStart(e)].Point).Z
			iv.Lo, iv.Hi = min(iv.Lo, z), max(iv.Hi, z)
		}
	}
	return iv
}
