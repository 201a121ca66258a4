// Package tag names features by their geometry.
package tag

// A tag is a hash of properties that do not depend on the mesh or the order of entities in the file: the type, the
// shapes of the faces and the exact vertices of their edges, in multiples of Length, sorted.
//
// Cost: n log n for n edges of the feature.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// Length (mm) is coarser than the rounding of coordinates and finer than any tolerance.
	Length = 1e-4

	bytesKept = 8 // of the hash: 16 hexadecimal digits
)

// Hash returns a hash of the geometry of a feature: its type, patches and direction.
func Hash(g *graph.Graph, kind feature.Type, patches []int32, dir geom.Vec3) string {
	type row [4]int64
	var rows []row
	q := func(x float64) int64 { return int64(math.Round(x / Length)) }
	point := func(kind int64, p geom.Vec3) row { return row{kind, q(p.X), q(p.Y), q(p.Z)} }
	const shapeRow, vertexRow, dirRow = 100, 200, 300 // distinguish the kinds of rows
	for _, p := range patches {
		s := &g.Patches[p].Shape
		shape := row{shapeRow + int64(s.Kind), q(s.Radius), q(s.Minor), q(math.Abs(s.Slope))}
		if s.Kind == surface.KindCone {
			shape[1] = 0 // measured at the middle of the mesh
		}
		rows = append(rows, shape)
		for _, face := range g.Patches[p].Faces {
			for _, l := range g.Model.Faces[face].Loops {
				for _, c := range g.Model.Loops[l].Coedges {
					e := &g.Model.Edges[g.Model.Coedges[c].Edge]
					rows = append(rows, point(vertexRow, g.Model.Vertices[e.Start].Point),
						point(vertexRow, g.Model.Vertices[e.End].Point))
					if e.Curve != nil {
						rows = append(rows, point(vertexRow, e.Curve.At(e.Range.Mid())))
					}
				}
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return slices.Compare(a[:], b[:]) })
	rows = slices.Compact(rows)
	h := sha256.New()
	h.Write([]byte(kind))
	var bytes []byte
	for _, row := range append(rows, point(dirRow, dir)) {
		for _, x := range row {
			bytes = binary.BigEndian.AppendUint64(bytes, uint64(x))
		}
	}
	h.Write(bytes)
	return hex.EncodeToString(h.Sum(nil)[:bytesKept])
}

// Disambiguate returns the tag of the nth feature after the first with one tag, as of a body that is in one place
// twice.
func Disambiguate(tag string, n int) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint32([]byte(tag), uint32(n)))
	return hex.EncodeToString(sum[:bytesKept])
}
