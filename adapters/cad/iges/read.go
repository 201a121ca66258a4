// Package iges reads the exact shape of IGES 5.1 to 5.3 files (ANS US PRO/IPO-100) into a boundary representation in mm
// and radians.
//
// Method: package deck reads the cards. The bodies and faces that depend on no other entity are the part, with the
// copies by instances. They are read in the order of the directory, so that ids are deterministic. Manifold solids
// (186) keep the topology of the file. Faces of surface models (144, 143, 108 and single surfaces) get their own edges
// and vertices in one sheet body, which package sew joins.
//
// Boundaries are the curves in space. Curves in the parameter plane are used where there is no curve in space and the
// parameters of the surface are known. They also show the side of the face at a boundary on a closed surface. Not read,
// and counted in warnings: constructive solids (150 to 180), annotation, drawings and views, entities of vendors,
// references to other files (416). Wireframes are not read either.
package iges

import (
	"context"
	"io"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// The tolerance of a file lies within these limits, in mm: some state 0, some 1e20.
const (
	minTolerance = 1e-7
	maxTolerance = 0.1
)

// Read reads the IGES file in the first size bytes of src. Errors that are the file's fault are
// *fault.Error.
func Read(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
	file, err := deck.Parse(ctx, src, size)
	if err != nil {
		return nil, err
	}
	r := newReader(file)
	r.reportFile()
	items, err := r.roots(ctx)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, r.noShape()
	}
	m, err := r.build(ctx, items)
	if err != nil {
		return nil, err
	}
	resolution := file.Global.Resolution * r.mm
	if !(resolution >= minTolerance) {
		resolution = minTolerance
	}
	m.Tolerance = geom.Tolerance{Length: min(resolution, maxTolerance), Angle: geom.DefaultTolerance.Angle}
	m.Name = file.Global.Product
	m.Warnings = r.warnings
	return m, nil
}

// reportFile adds warnings for defects of the cards.
func (r *reader) reportFile() {
	f := r.file
	if f.IsCutOff {
		r.warn("cut_off", "The file ends without its Terminate section; it may have been cut off")
	}
	for _, w := range f.Global.Guesses {
		r.note(w)
	}
	r.countLeftOut(f.Garbage, "garbage", "%d lines belong to no section of the file")
	r.countLeftOut(f.Broken, "broken_entities", "%d directory entries could not be made out")
}

// noShape explains why a file gives no part.
func (r *reader) noShape() error {
	if i, ok := r.counted[brep.SkippedShape]; ok {
		return &fault.Error{Code: fault.UnreadableFile, Reason: r.warnings[i].Message}
	}
	if i, ok := r.counted["external_reference"]; ok {
		return &fault.Error{Code: fault.NoSolid, Reason: "The IGES file is an assembly of other files and holds no " +
			"shape of its own. " + r.warnings[i].Message}
	}
	if _, ok := r.counted["constructive_solids"]; ok {
		return &fault.Error{Code: fault.NoSolid, Reason: "The IGES file holds only constructive solids (CSG), " +
			"which cannot be read; export the part as a B-rep."}
	}
	if len(r.file.Entities) == 0 {
		return &fault.Error{Code: fault.UnreadableFile, Reason: "The IGES file holds no entities."}
	}
	return &fault.Error{Code: fault.NoSolid,
		Reason: "The IGES file holds only curves, points or drawings, no solid and no surface."}
}
