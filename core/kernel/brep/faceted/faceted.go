// Package faceted builds boundary representations from triangles that are grouped into faces, as in tessellated CAD
// files.
//
// Method: corners at one position become one vertex, first exact matches, then matches within a tolerance along free
// sides. Triangles are flipped to agree with their neighbors. The sides between two faces are chained into edges
// (polylines) that end at points common to three or more faces, so that an edge bounds two faces as usual. Connected
// faces become a shell. The sign of the volume and the nesting of shells separate solids from voids. Each face keeps
// its triangles as its surface (package facets): measures and meshes use only the data of the file.
//
// A side with corners of other triangles in its interior (T-junctions) is divided there (tee.go).
//
// Cost: O(n log n) for n triangles. Not handled: gaps where both edges are chains of several sides; they stay open.
//
// Lengths are mm.
package faceted

import (
	"context"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Face is the triangles of one face.
type Face struct {
	Points    []geom.Vec3
	Normals   []geom.Vec3 // unit, outward: one for all, or one for each point; zero where unknown
	Triangles [][3]int32  // corners as indices into Points, counter-clockwise seen from outside
	Carrier   surface.Surface
	Name      string
	Color     *brep.Color
	Source    int64
}

// Body is a set of faces that may share sides.
type Body struct {
	Name   string
	Source int64
	Faces  []Face
	Solid  bool // false: the faces are a sheet and bound no material, whether closed or not
	// Slack (mm) is the largest distance of corners from a side of another triangle that they divide; 0 = the
	// tolerance.
	Slack float64
}

// Codes of the warnings.
const (
	// WarnFlipped counts triangles opposite to their neighbors, or with normals into the material.
	WarnFlipped = "turned_triangles"
	// WarnDegenerate counts triangles without area, and repeated ones, that were left out.
	WarnDegenerate = "degenerate_triangles"
)

// Append adds a body to m, unlinked: solids with their shells, or one sheet for each connected set of faces. An
// underlying surface that misses the points of its face by more than tolerance (mm) is dropped; faces in one plane get
// the plane as their underlying surface. Faces whose triangles all have no area are left out. The error is the error of
// ctx, or states why the triangles are unusable.
func Append(ctx context.Context, m *brep.Model, b Body, tolerance float64) error {
	s := &stitcher{body: b, tolerance: tolerance}
	if err := s.load(); err != nil {
		return err
	}
	s.weld()
	s.divideSides()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.orient()
	parts := s.components()
	if b.Solid {
		s.nest(parts)
	}
	s.pair()
	if err := ctx.Err(); err != nil {
		return err
	}
	a := assembler{stitcher: s, m: m, parts: parts}
	a.chainEdges()
	if err := a.addFaces(); err != nil {
		return err
	}
	a.addShells()
	turned := 0
	for _, f := range s.flipped {
		if f {
			turned++
		}
	}
	warn(m, WarnFlipped, turned, "%d triangles of %s had the wrong direction and were flipped", turned,
		s.label())
	warn(m, WarnDegenerate, s.flat, "%d triangles of %s have no area or repeat another one and were left out",
		s.flat, s.label())
	return nil
}

func warn(m *brep.Model, code string, count int, format string, args ...any) {
	if count > 0 {
		m.Warnings = append(m.Warnings, fault.Warnf(code, count, format, args...))
	}
}

// label names the body in messages.
func (s *stitcher) label() fault.Location {
	if s.body.Source > 0 {
		id := fmt.Sprintf("#%d", s.body.Source)
		return fault.Location{ID: id, Text: id}
	}
	return fault.Location{Text: "the body"}
}
