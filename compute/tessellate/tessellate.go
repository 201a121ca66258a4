// Package tessellate turns the solids of a boundary representation into one watertight triangle mesh.
//
// Method: every edge is sampled once, so that all adjacent faces use the same points. Each face is mapped into the
// parameter plane (core/kernel/brep/trim), scaled so that the desired edge lengths are about one in both directions. It
// is seeded with interior points from the surface's curvature and triangulated (package delaunay) with its boundary
// kept. It is refined where the triangles are still too far from the surface or turn too fast. Most points on B-spline
// surfaces are evaluated in large batches, on a graphics device where that pays (probe.go). Faces are independent and
// done in parallel; the result depends neither on the order nor on the backend. A face whose surface has creases is
// first cut along them in the parameter plane (crease.go): each cell is triangulated like a face, and all are one
// region of the mesh.
//
// Cost: about a microsecond per triangle and core. Sheet bodies, which bound no material, are omitted.
package tessellate

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Options are the tolerances of a mesh. The zero value means the defaults.
type Options struct {
	// ChordTolerance is the largest distance (mm) between mesh and surface; 0 means DefaultChord, or
	// the diameter of the smallest ball around the part divided by SizeShare when that is smaller. It is made
	// coarser, up to that diameter divided by SizeShare and with a warning, for a mesh that would have more than
	// MaxTriangles, or than Budget where it is 0.
	ChordTolerance float64
	// AngleTolerance is the largest angle (rad) by which the surface turns along the side of a
	// triangle; 0 means DefaultAngle.
	AngleTolerance float64
	// MaxTriangles is the maximum number of triangles of the mesh; 0 means DefaultMaxTriangles. Where the chord
	// tolerance cannot be made coarser, a single face may have a sixth of them.
	MaxTriangles int
	// Runner evaluates surfaces at many points at once; nil means the processor. The mesh does not depend on it.
	Runner primitive.Runner
	// Progress, when not nil, is called from one goroutine at a time with the number of faces done.
	Progress func(done, total int)
}

// The defaults of Options.
const (
	DefaultChord = 0.1                // mm
	DefaultAngle = 20 * math.Pi / 180 // rad
	SizeShare    = 2000
)

// Result is a mesh with its associated data.
type Result struct {
	Mesh *mesh.Mesh
	// Report is the mesh's Check.
	Report mesh.Report
	// EdgeLines contains for each edge of the model its sampled points, from Start to End; nil for degenerate edges and
	// edges of sheet bodies.
	EdgeLines [][]geom.Vec3
	// EdgeParams contains the curve parameters of EdgeLines.
	EdgeParams [][]float64
	// Warnings name faces that could not be triangulated as they should, ordered by face.
	Warnings []fault.Warning
	// ChordTolerance (mm) and AngleTolerance (rad) are the effective tolerances: those of the options, or smaller ones
	// where the mesh would otherwise have lost more than 0.4 % of the volume, or a larger chord tolerance where it
	// would have had too many triangles.
	ChordTolerance, AngleTolerance float64
}

// Codes of the warnings.
const (
	WarnBoundary = "face_boundary_unusable" // triangulated by its boundary points alone
	WarnEmpty    = "face_without_triangles" // the face has no area at this tolerance
	WarnCoarse   = "face_too_coarse"        // refinement stopped before the tolerance was met
	WarnBudget   = "mesh_coarsened"         // the chord tolerance is coarser than asked for, for fewer triangles
	WarnInverted = "shell_inside_out"       // a shell enclosed a negative volume and was reversed
	WarnOpen     = "mesh_not_closed"
)

// Validate reports everything that is wrong with the options.
func (o Options) Validate() error {
	bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) || x < 0 }
	switch {
	case bad(o.ChordTolerance) && bad(o.AngleTolerance):
		return fmt.Errorf("chord tolerance %g mm and angle tolerance %g rad must be positive or 0",
			o.ChordTolerance, o.AngleTolerance)
	case bad(o.ChordTolerance):
		return fmt.Errorf("chord tolerance %g mm must be positive or 0", o.ChordTolerance)
	case bad(o.AngleTolerance):
		return fmt.Errorf("angle tolerance %g rad must be positive or 0", o.AngleTolerance)
	case o.MaxTriangles < 0:
		return fmt.Errorf("%d triangles: the number must be positive or 0", o.MaxTriangles)
	}
	return nil
}

// Mesh tessellates the solids of a model; region i of the mesh covers face i. The same model and tolerances give the
// same bytes for any number of threads. An error means invalid options, the end of the context, or, as a *fault.Error,
// a part that needs too many triangles. Defects of the model become warnings.
func Mesh(ctx context.Context, m *brep.Model, opts Options) (*Result, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("tessellate: %w", err)
	}
	r := &run{ctx: ctx, model: m, angle: opts.AngleTolerance, chord: opts.ChordTolerance, runner: opts.Runner}
	if r.runner == nil {
		r.runner = primitive.OnCPU(0)
	}
	if r.angle == 0 {
		r.angle = DefaultAngle
	}
	r.size = diameter(m)
	usual := min(DefaultChord, r.size/SizeShare)
	if usual <= 0 { // a part of no size
		usual = DefaultChord
	}
	if r.most = opts.MaxTriangles; r.most == 0 {
		r.most = DefaultMaxTriangles
	}
	r.budget = r.most
	if r.chord == 0 {
		r.chord, r.budget = usual, min(Budget, r.most)
	}
	r.coarsest = max(r.chord, r.size/SizeShare)
	r.smallest = smallest * min(r.chord, usual)
	r.bound()
	r, res, err := r.fit(opts.Progress)
	if err == nil {
		res, err = r.keepVolume(res)
	}
	if err != nil {
		return nil, fmt.Errorf("tessellate: %w", err)
	}
	return res, nil
}

// mesh does all the work with the tolerances of the run.
func (r *run) mesh(progress func(done, total int)) (*Result, error) {
	if err := r.sampleEdges(); err != nil {
		return nil, err
	}
	if err := r.meshFaces(progress); err != nil {
		return nil, err
	}
	res, err := r.stitch()
	if err != nil {
		return nil, fmt.Errorf("tessellate: %w", err)
	}
	return res, nil
}

// run is the state of one call of Mesh, shared by its workers.
type run struct {
	ctx          context.Context
	model        *brep.Model
	chord, angle float64
	size         float64 // mm: the diameter of the part
	coarsest     float64 // mm: maximum chord tolerance for fewer triangles
	smallest     float64 // mm: the angle along shorter sides is not tested
	budget       int     // number of triangles up to which the chord tolerance stays unchanged
	most         int     // triangles of a mesh whose chord tolerance cannot be coarser
	total        int     // triangles of this one
	lastRound    bool    // faces must make do with the samples there are
	places       []float64
	sampler
	runner  primitive.Runner
	faces   []faceResult
	workers []*worker
	batch   batch
}
