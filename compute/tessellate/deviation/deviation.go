// Package deviation measures the deviation of a mesh from the exact solid that it approximates.
//
// Method: every triangle is sampled on a barycentric grid, with ten times as many points as the mesh has triangles. The
// distance from each point to the surface of its face is found in closed form, or by Newton's method from the foot
// point of its neighbor. A global search confirms large distances (Surface.Invert). Every piece of an edge's polyline
// is compared with ten points of the curve between its ends. Meshes with more triangles than the budget allows are
// sampled twice: all triangles at four points, then the worst ones densely.
//
// Errors of the file are kept apart. Where the corners of a triangle, which lie on edge curves, are off the face's
// surface, interpolation carries their distances into the triangle. Only the excess counts as an error of the mesh
// (Added). Edges and vertices are treated equally.
//
// Cost: some 25 closest points a triangle, 0.1 to 0.5 µs each on analytic surfaces, 1 to 3 µs on free forms. Limits: it
// measures only from mesh to surface, so it does not detect surface without triangles. The watertight check and the
// volume detect that.
package deviation

import (
	"context"
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// Options are the options of Measure. The zero value means the defaults.
type Options struct {
	// TiltAngle (rad) is the angle between triangle and surface from which triangles count as tilted; 0
	// means the mesh's angle tolerance.
	TiltAngle float64
	// MaxSamples bounds the points measured on faces; 0 means DefaultMaxSamples.
	MaxSamples int
}

// DefaultMaxSamples is about half a minute of free-form surfaces on one core.
const DefaultMaxSamples = 10_000_000

// Margin is the share of the chord tolerance by which a distance may exceed it before it counts as over:
// the rounding of closest points.
const Margin = 1e-6

// Deviation is the result of Measure: the figures of each face and edge, and the worst of them. Lengths
// are mm, angles rad.
type Deviation struct {
	Faces []Face // by face; zero for faces of sheet bodies
	Edges []Edge // by edge; zero for degenerate edges and edges of sheet bodies

	// WorstFace and WorstEdge have the largest Added; brep.None without measurements.
	WorstFace brep.FaceID
	WorstEdge brep.EdgeID
	// FaceGap, EdgeGap are the largest Gap; FaceAdded, EdgeAdded the largest Added.
	FaceGap, FaceAdded, EdgeGap, EdgeAdded float64
	// ModelOff is the largest distance between an edge curve and a surface it bounds, or a vertex and a curve it ends:
	// the error of the file.
	ModelOff float64
	// FacesOver and EdgesOver are the numbers of faces and edges whose Added exceeds the chord tolerance.
	FacesOver, EdgesOver int

	Triangles, Flipped, Tilted int
	Tilt                       float64 // the largest angle between a triangle and its surface
	// PlaneAspect and CylinderAspect are the largest aspects of triangles on planes and on cylinders, with their faces.
	PlaneAspect, CylinderAspect       float64
	WorstPlaneFace, WorstCylinderFace brep.FaceID
	ChordTolerance, TiltAngle         float64
	Samples                           int  // points measured on faces
	Thinned                           bool // not all triangles were sampled densely
}

// Face is the deviation of the triangles of one face from its surface.
type Face struct {
	Gap   float64 // largest distance from the surface, mm
	Added float64 // the same less the distances of the corners, mm
	// Flipped triangles have normals more than 90° from the surface's, Tilted ones more than TiltAngle. Triangles with
	// a height below geom.Resolution are ignored; for Tilted, those with a height below a hundredth of the chord
	// tolerance, which are too narrow to be visible.
	Flipped, Tilted int
	Tilt            float64 // largest angle of the triangles considered for Tilted, rad
	Aspect          float64 // largest ratio of longest side to height, if no side is below geom.Resolution
	Triangles       int
}

// Edge is the deviation of the polyline of one edge from its curve.
type Edge struct {
	Gap   float64 // largest distance of the curve from the polyline, mm
	Added float64 // the same less the distances of the end vertices, mm
	// Off is the largest distance of the curve from the surfaces of the faces at it, mm.
	Off float64
}

// Validate reports everything that is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	if !(o.TiltAngle >= 0 && o.TiltAngle <= math.Pi) {
		errs = append(errs, fmt.Errorf("tilt angle %g rad must be between 0 and π", o.TiltAngle))
	}
	if o.MaxSamples < 0 {
		errs = append(errs, fmt.Errorf("%d samples: the number must be positive or 0", o.MaxSamples))
	}
	return errors.Join(errs...)
}

// Measure compares a mesh made by tessellate.Mesh with its model. The result does not depend on the
// number of threads. Errors: invalid options, a mesh of another model, or the end of the context.
func Measure(ctx context.Context, m *brep.Model, r *tessellate.Result, opts Options) (Deviation, error) {
	if err := opts.Validate(); err != nil {
		return Deviation{}, fmt.Errorf("deviation: %w", err)
	}
	if len(r.Mesh.Regions) != len(m.Faces) || len(r.EdgeLines) != len(m.Edges) {
		return Deviation{}, fmt.Errorf("deviation: the mesh has %d faces and %d edges, the model %d and %d",
			len(r.Mesh.Regions), len(r.EdgeLines), len(m.Faces), len(m.Edges))
	}
	g := &gauge{ctx: ctx, model: m, result: r, mesh: r.Mesh, chord: r.ChordTolerance, tilt: opts.TiltAngle}
	if g.tilt == 0 {
		g.tilt = r.AngleTolerance
	}
	budget := opts.MaxSamples
	if budget == 0 {
		budget = DefaultMaxSamples
	}
	g.share = float64(budget) / float64(max(1, places*len(r.Mesh.Triangles)))
	d := Deviation{Faces: make([]Face, len(m.Faces)), Edges: make([]Edge, len(m.Edges)),
		ChordTolerance: g.chord, TiltAngle: g.tilt, Thinned: g.share < 1}
	samples := make([]int, len(m.Faces))
	err := parallel.For(ctx, len(m.Faces)+len(m.Edges), 1, func(i int) {
		if k := i - len(m.Faces); k >= 0 {
			d.Edges[k] = g.edge(brep.EdgeID(k))
			return
		}
		d.Faces[i], samples[i] = g.face(brep.FaceID(i))
	})
	if err != nil {
		return Deviation{}, fmt.Errorf("deviation: %w", err)
	}
	for _, n := range samples {
		d.Samples += n
	}
	d.summarize(m)
	return d, nil
}

// summarize computes the figures of the whole mesh from those of faces and edges.
func (d *Deviation) summarize(m *brep.Model) {
	d.WorstFace, d.WorstEdge = brep.None, brep.None
	d.WorstPlaneFace, d.WorstCylinderFace = brep.None, brep.None
	over := d.ChordTolerance * (1 + Margin)
	for i := range d.Faces {
		f, id := &d.Faces[i], brep.FaceID(i)
		if f.Triangles == 0 {
			continue
		}
		if d.WorstFace == brep.None || f.Added > d.FaceAdded {
			d.WorstFace, d.FaceAdded = id, f.Added
		}
		d.FaceGap, d.Tilt = max(d.FaceGap, f.Gap), max(d.Tilt, f.Tilt)
		if f.Added > over {
			d.FacesOver++
		}
		d.Triangles, d.Flipped, d.Tilted = d.Triangles+f.Triangles, d.Flipped+f.Flipped, d.Tilted+f.Tilted
		switch m.Faces[i].Surface.Kind() {
		case surface.KindPlane:
			if f.Aspect > d.PlaneAspect {
				d.PlaneAspect, d.WorstPlaneFace = f.Aspect, id
			}
		case surface.KindCylinder:
			if f.Aspect > d.CylinderAspect {
				d.CylinderAspect, d.WorstCylinderFace = f.Aspect, id
			}
		}
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		if d.WorstEdge == brep.None || e.Added > d.EdgeAdded {
			d.WorstEdge, d.EdgeAdded = brep.EdgeID(i), e.Added
		}
		d.EdgeGap, d.ModelOff = max(d.EdgeGap, e.Gap), max(d.ModelOff, e.Off, e.Gap-e.Added)
		if e.Added > over {
			d.EdgesOver++
		}
	}
}
