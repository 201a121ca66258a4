// Package parasolid reads the exact shape of Parasolid XT data, in files of their own (.x_t, .x_b) or as streams in
// those of CAD systems built on that kernel, into a boundary representation in mm and radians.
//
// Files: Read. Containers of other systems hand the bytes of each stream to Open, choose among the bodies of the
// parts that they get (Part.Instances: names, kinds, numbers of faces, bounds), and have a model built of those (Build):
//
//	part, err := parasolid.Open(ctx, stream) // for each stream that is no IsDeltas
//	model, err := parasolid.Build(ctx, part.Instances())
//
// Method: package xt decodes the nodes; the topology of each body is followed from its solid regions, whose shells are
// those of solids, and from the faces that have void on both sides, which are sheets. Every curve and surface
// becomes its counterpart here; the range of an edge follows from its vertices. Faces keep their rings and apices as they
// are: the format has no seams or poles.
//
// Three things have no counterpart and become cubic B-splines within 1e-5 mm: intersections, followed on both surfaces
// from the few points that the file gives (trace.go, intersection.go), curves in the parameter planes of tolerant edges,
// and blends, which are the part of a pipe about the ball's path between its contacts (blend.go, rolled.go).
//
// The stream says nothing of its unit: it is the metre in all systems. Not read: blends of varying radius, foreign
// geometry, meshes and lattices; faces of those are left out, unless their edges determine them, and counted in
// warnings. So are wires.
package parasolid

import (
	"context"
	"io"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// maxSize bounds a file: all of it is in memory.
const maxSize = 1 << 30

// Read reads the Parasolid file, text or binary, in the first size bytes of src. Errors that are the file's fault are
// *fault.Error.
func Read(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
	if size > maxSize {
		return nil, fault.Errorf(fault.TooComplex, "The Parasolid file is larger than %d MB.", maxSize>>20)
	}
	data := make([]byte, size)
	if n, err := src.ReadAt(data, 0); err != nil && (err != io.EOF || int64(n) < size) {
		return nil, err
	}
	part, err := Open(ctx, data)
	if err != nil {
		return nil, err
	}
	m, err := Build(ctx, part.Instances())
	if err != nil {
		return nil, err
	}
	m.Name = part.Name
	return m, nil
}
