// Package catia reads the display representation of CATIA V5 parts (container V5_CFV2) into a boundary representation
// in mm.
//
// A CATIA part stores its exact shape in records of an unpublished format. If it was saved with its visualization, it
// also stores the display data: a mesh of each body with a packet of triangles for each face, and the plane, cylinder,
// cone, sphere or torus under each face in single precision.
//
// Method: the streams of the inner container are found by their descriptors (container.go); a file for display (.cgr)
// is the inner container alone. Bodies are read from the main stream (mesh.go), the surfaces of their faces from
// another (carrier.go). Package faceted builds the topology from the common sides of the triangles of faces. It gives
// faces the surfaces that their points lie on, and edges on the intersections. Freeform faces stay triangles, refined
// by the normals at their corners (refine.go). The result is not exact, and a warning states that.
//
// The layout was derived from files; cadmpeg's notes on the format (CC-BY) named the records of carriers. Not read: the
// exact records, V4 models, V6, and assemblies, which are links to other files.
package catia

import (
	"bytes"
	"context"
	"io"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// maxFile (bytes) bounds the data in memory.
const maxFile = 1 << 30

// Streams of the inner container.
const (
	mainStream    = "MainDataStream"
	carrierStream = "SurfacicReps"
)

// Read reads the CATIA part in the first size bytes of src. Errors that are the file's fault are *fault.Error.
func Read(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
	if size > maxFile {
		return nil, fault.Errorf(fault.TooComplex, "The CATIA file has more than %d MB.", maxFile>>20)
	}
	file := make([]byte, size)
	if n, err := io.ReadFull(io.NewSectionReader(src, 0, size), file); err == io.ErrUnexpectedEOF || err == io.EOF {
		file = file[:n]
	} else if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(file, []byte(magic)) {
		return nil, foreign(file)
	}
	container := file // of a file with display data only (.cgr)
	if at := inner(file); at > 0 {
		container = file[at:]
	}
	found := streams(container)
	bodies, err := display(ctx, largest(container, found, mainStream))
	if err != nil {
		return nil, err
	}
	if len(bodies) == 0 {
		return nil, withoutMesh(file)
	}
	tolerance := toleranceOf(bodies)
	return build(ctx, bodies, assign(bodies, largest(container, found, carrierStream), tolerance), tolerance)
}

// foreign returns the reason why a file with another header cannot be read.
func foreign(file []byte) error {
	if bytes.HasPrefix(file, []byte(magicPrefix)) {
		return fault.Errorf(fault.ConverterUnavailable,
			"The CATIA file is of a kind that takes a converter (%q), and none is "+
				"configured for it (--converter); export the part as STEP.", file[:min(len(file), len(magic)-1)])
	}
	return fault.Errorf(fault.UnreadableFile, "The file is not a CATIA V5 part.")
}

// withoutMesh returns the error of a file without display data; it names the missing stream.
func withoutMesh(file []byte) error {
	if d, ok := directory(file); !ok || d.at+d.size < len(file) {
		return fault.Errorf(fault.UnreadableFile,
			"The CATIA file is damaged or cut off: its directory is not at its end.")
	}
	switch isPart := bytes.Contains(file, []byte("CATPrtCont")); {
	case !isPart && bytes.Contains(file, []byte("CATProdCont")):
		return fault.Errorf(fault.NoSolid,
			"The CATIA file is no part; an assembly (CATProduct) only links to the files "+
				"of its parts: upload those, or export the assembly as STEP.")
	case !isPart:
		return fault.Errorf(fault.ConverterUnavailable,
			"The CATIA file is neither a part nor an assembly, and shows no "+
				"solid or surface; such a file (.cgr, drawing …) takes a converter, and none is configured for it "+
				"(--converter); export the part as STEP.")
	}
	return fault.Errorf(fault.NoSolid, "The CATIA part has no display mesh of a solid or surface: it is empty, or was "+
		"saved without its visualisation; show its bodies and save it with the visualisation, or export it as STEP.")
}
