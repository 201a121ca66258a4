// Package glb writes meshes, and lines without a mesh, as glTF 2.0 binary files (GLB).
//
// The file has one buffer with four views: positions, normals and indices of all regions, and the points and segments
// of the edges share them. Each region with triangles is one primitive that refers to its slice of the views through
// accessors; its extras name the region. Accessors have the part's own coordinates, in mm with z up, as asset.extras
// states. The root node converts them to meters and maps +z to +y, as glTF requires.
//
// glTF 2.0 specification (Khronos, 2021), sections 3.6 (buffers and accessors) and 4 (GLB).
package glb

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Options are additions to the data of the mesh.
type Options struct {
	Name string // name of the part; "" writes "part"
	// Colors are the face colors by region; a nil or missing entry is steel gray.
	Colors []*brep.Color
	// Edges is polylines (mm) to be drawn as lines; nil writes no lines.
	Edges [][]geom.Vec3
	// Groups become nodes below the part's node, which keeps the regions without a group. nil: all regions belong to
	// the part's node.
	Groups []Group
	// Flat leaves out the normals, for meshes of plane pieces: glTF has viewers shade each triangle flat then.
	Flat bool
	// Extras is data of the scene: a value of encoding/json, nil for no data.
	Extras any
}

// Group is a set of regions with a name and a color. A region may be in several groups: each shows it.
type Group struct {
	Name     string
	Material string // name of its material
	Color    brep.Color
	Regions  []int // regions without triangles are invisible
	Extras   any   // data of the node: a value of encoding/json, nil for no data
}

const (
	magic       = 0x46546C67 // "glTF"
	version     = 2
	chunkJSON   = 0x4E4F534A // "JSON"
	chunkBinary = 0x004E4942 // "BIN\0"
	headerSize  = 12
	chunkHeader = 8

	vectorSize = 12 // three float32
	// maxNarrow is the largest vertex count of a primitive with uint16 indices: the index 65535 is
	// reserved as primitive restart value.
	maxNarrow = 65535
)

// Write writes m to w. It fails when w does, when m has neither triangles nor edges to show, when a triangle uses a
// point that is not among its region's vertices, when a coordinate is not a finite float32, and when the file would
// exceed the 4 GiB of the format. In memory it keeps the text part of the file (about 400 bytes per region) and one
// index per point.
func Write(w io.Writer, m *mesh.Mesh, opts Options) error {
	l, err := layOut(m, opts)
	if err != nil {
		return err
	}
	return writeFile(w, l.document(opts), l.size(), l.writeBinary)
}

// WriteNothing writes a file that shows nothing: an empty node with a name, below the root node.
func WriteNothing(w io.Writer, name string) error {
	d := newDocument(0)
	d.Nodes[0].Children = []int{d.addNode(name, nil, nil)}
	return writeFile(w, d, 0, nil)
}

// writeFile writes a file of a document and a body of size bytes, a multiple of four.
func writeFile(w io.Writer, d *document, size int64, body func(*bufio.Writer)) error {
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	total := int64(headerSize+chunkHeader) + int64(len(text))
	if size > 0 {
		total += chunkHeader + size
	}
	if total > math.MaxUint32 {
		return fmt.Errorf("glb: the file would have %d bytes, more than the 4 GiB of the format", total)
	}
	out := bufio.NewWriterSize(w, 1<<16) // keeps its first error until Flush
	head := make([]byte, 0, headerSize+chunkHeader)
	for _, v := range []uint32{magic, version, uint32(total), uint32(len(text)), chunkJSON} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	out.Write(head)
	out.Write(text)
	if size > 0 {
		head = binary.LittleEndian.AppendUint32(head[:0], uint32(size))
		out.Write(binary.LittleEndian.AppendUint32(head, chunkBinary))
		body(out)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	return nil
}
