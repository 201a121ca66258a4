// Package catia reads the display representation of CATIA V5 parts (container V5_CFV2) into a boundary representation
// in mm.
//
// A CATIA part holds its exact shape in records that nobody outside has made out, and beside it, if it was saved with
// its visualisation, what CATIA draws: for each body a mesh with a packet of triangles per face, and for each face the
// plane, cylinder, cone, sphere or torus that it lies on, in single precision. Method: the streams of the inner
// container, which is the whole of a file for display (.cgr), are found by their descriptors (container.go); bodies are
// read from the main one (mesh.go), the surfaces of their faces from another (carrier.go); package faceted makes the
// topology from where the triangles of faces meet, and gives faces the surfaces on which their points lie, with edges
// where these meet. Freeform faces stay triangles, which are made finer with the normals at their corners (refine.go).
// What is read is not exact, and a warning says so.
//
// The layout was worked out from files; cadmpeg's notes on the format (CC-BY) named the records of carriers. Not read:
// the exact records, V4 models, V6, and assemblies, which are links to other files.
package catia

import (
	"bytes"
	"context"
	"io"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// maxFile (bytes) bounds what is held in memory.
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
	container := file // of a file that has nothing but what is displayed (.cgr)
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

// foreign says why a file with another head cannot be read.
func foreign(file []byte) error {
	if bytes.HasPrefix(file, []byte(magicPrefix)) {
		return fault.Errorf(fault.ConverterUnavailable, "The CATIA file is of a kind that takes a converter (%q), and none is "+
			"configured for it (--converter); export the part as STEP.", file[:min(len(file), len(magic)-1)])
	}
	return fault.Errorf(fault.UnreadableFile, "The file is no CATIA V5 part.")
}

// withoutMesh says what is missing in a file without anything displayed.
func withoutMesh(file []byte) error {
	if d, ok := directory(file); !ok || d.at+d.size < len(file) {
		return fault.Errorf(fault.UnreadableFile, "The CATIA file is damaged or cut off: its directory is not at its end.")
	}
	switch isPart := bytes.Contains(file, []byte("CATPrtCont")); {
	case !isPart && bytes.Contains(file, []byte("CATProdCont")):
		return fault.Errorf(fault.NoSolid, "The CATIA file is no part; an assembly (CATProduct) only links to the files "+
			"of its parts: upload those, or export the assembly as STEP.")
	case !isPart:
		return fault.Errorf(fault.ConverterUnavailable, "The CATIA file is neither a part nor an assembly, and shows no "+
			"solid or surface; such a file (.cgr, drawing …) takes a converter, and none is configured for it "+
			"(--converter); export the part as STEP.")
	}
	return fault.Errorf(fault.NoSolid, "The CATIA part has no display mesh of a solid or surface: it is empty, or was "+
		"saved without its visualisation; show its bodies and save it with the visualisation, or export it as STEP.")
}
