// Package parasolid reads the exact shape of Parasolid XT data into a boundary representation in mm and radians. The
// data is a file (.x_t, .x_b) or a stream in the file of a CAD system built on that kernel.
//
// Files: Read. Readers of other containers give the bytes of each stream to Open. They choose among the bodies of the
// parts that they get (Part.Instances: names, kinds, numbers of faces, bounds), and build a model of the chosen bodies
// (Build):
//
//	part, err := parasolid.Open(ctx, stream) // for each stream that has no roll-back data
//	model, err := parasolid.Build(ctx, part.Instances())
//
// Method: package xt decodes the nodes. The topology of each body follows from its solid regions, whose shells bound
// solids, and from the faces with void on both sides, which are sheets. Every curve and surface becomes its counterpart
// here. The range of an edge follows from its vertices. Faces keep their rings and apices: the format has no seams or
// poles.
//
// Three kinds of geometry have no counterpart and become cubic B-splines within 1e-5 mm. Intersections are traced on
// both surfaces from the few points in the file (trace.go, intersection.go). So are curves in the parameter planes of
// tolerant edges. A blend is a part of the pipe around the ball's path between its contacts (blend.go, rolled.go).
//
// The stream states no unit: it is the meter in all systems. Blends of varying radius, foreign geometry, meshes and
// lattices are not read. Their faces are skipped unless their edges determine them, and counted in warnings. Wires are
// skipped and counted too.
package parasolid

import (
	"context"
	"io"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// maxSize limits a file, which is read into memory as a whole.
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
