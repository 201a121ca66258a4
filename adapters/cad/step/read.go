// Package step reads the exact shape of STEP files (ISO 10303-21 with the schemas AP203, AP214, AP242 and similar ones)
// into a boundary representation in mm and radians.
//
// Method: package part21 reads the text. The product structure gives the solids and sheets of the part and their
// places. The topology of each is followed once, in file order, so that ids are deterministic. Then surfaces, curves
// and edge ranges are computed on all cores; the placed copies come last. Only data that the shape needs is read:
// presentation and construction geometry are skipped. Package pmi then reads the statements about the shape, such as
// dimensions and tolerances.
//
// All orientation flags are resolved as package brep requires. Pcurves are used only if nothing else is given: edge
// ranges follow from the vertices. A product without exact shape is taken from its triangles. Not read: solids by
// construction (CSG, sweeps), wireframes, and other files.
package step

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/pmi"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// Options are the limits of a read; the zero value means the defaults.
type Options struct {
	// MaxInstances bounds the solids and sheets, MaxFaces the faces, after all assemblies are resolved.
	MaxInstances, MaxFaces int
}

// Defaults of Options, above real parts. They bound the memory for a crafted assembly: about 1 GB for the faces, and 2
// GB more with their triangles.
const (
	defaultMaxInstances = 1 << 18
	defaultMaxFaces     = 1 << 19
)

// document is one file being mapped.
type document struct {
	*geometry.Document
	opts         Options
	colors       map[part21.Ref]*brep.Color
	unreferenced *unreferenced   // nil before the first search
	name         string          // of the first product at the top
	placed       []pmi.Placement // the instances in the model; empty for a single instance that is not moved
}

// Read reads the STEP file in the first size bytes of src. Errors that are the file's fault are
// *fault.Error.
func Read(ctx context.Context, src io.ReaderAt, size int64, opts Options) (*brep.Model, error) {
	if opts.MaxInstances == 0 {
		opts.MaxInstances = defaultMaxInstances
	}
	if opts.MaxFaces == 0 {
		opts.MaxFaces = defaultMaxFaces
	}
	d, instances, err := open(ctx, src, size, schema.Vocabulary, opts)
	if err == nil && slices.ContainsFunc(instances, instance.isTessellated) {
		// Everything is read again: where grammar is broken, the set of instances depends on the names that are kept.
		d, instances, err = open(ctx, src, size, schema.Tessellation, opts)
	}
	if err != nil {
		return nil, err
	}
	if err := d.checkComplete(instances); err != nil {
		return nil, err
	}
	if len(instances) == 0 {
		return nil, d.noShape()
	}
	d.reportOtherFiles()
	m, err := d.build(ctx, instances)
	if err != nil {
		return nil, err
	}
	m.Name = d.name
	pmi.Attach(d.Document, m, d.placed)
	m.Warnings = append(m.Warnings, d.Warnings...)
	if d.File.IsCutOff { // then the loss is more than a single record
		for _, w := range m.Warnings {
			if w.Code == brep.SkippedFace || w.Code == brep.SkippedShape || slices.Contains(salvage.Codes, w.Code) {
				return nil, fault.Errorf(fault.UnreadableFile, "The file looks cut off. %s", w.Message)
			}
		}
	}
	return m, nil
}

// open reads the text and resolves the product structure.
func open(
	ctx context.Context, src io.ReaderAt, size int64, keep *part21.Vocabulary, opts Options,
) (d *document, instances []instance, err error) {
	file, err := part21.Read(ctx, src, size, keep)
	var bad *part21.Error
	if errors.As(err, &bad) {
		return nil, nil, &fault.Error{Code: "unreadable_file",
			Reason: fmt.Sprintf("The STEP file cannot be read: %s (byte %d).", bad.Reason, bad.Offset)}
	}
	if err != nil {
		return nil, nil, err
	}
	d = &document{Document: geometry.New(file), opts: opts}
	d.reportFile()
	instances, d.name, err = d.instancesOf()
	return d, d.withoutRepeats(instances), err
}

// reportFile turns defects of the text into warnings.
func (d *document) reportFile() {
	f := d.File
	d.Warn("cut_off", btoi(f.IsCutOff), "The file ends without ENDSEC; it may have been cut off")
	d.Warn("broken_instances", f.Broken, "%d instances break the grammar of ISO 10303-21", f.Broken)
	d.Warn("duplicate_instances", f.Duplicates,
		"%d instance numbers occur more than once; the last instance was taken", f.Duplicates)
	if !f.IsCutOff {
		d.Warn("dangling_reference", f.Dangling, "%s refers to something that is not in the file",
			d.Entity(f.FirstDangling))
	}
	d.Warn("garbage", f.Garbage, "%d pieces of text before or between the instances mean nothing", f.Garbage)
}

// reportOtherFiles warns of the files that the file refers to: parts of an assembly, most of the time.
func (d *document) reportOtherFiles() {
	for _, e := range d.File.Externals {
		d.Warn("external_reference", 1, "%s is in the file %q, which was not read", geometry.Numbered(e.ID, ""),
			e.URI)
	}
	for _, r := range d.File.Of(schema.DocumentFile) {
		d.Warn("external_reference", 1, "%s refers to the file %q, which was not read", d.Entity(r),
			d.otherFile(r))
	}
}

// otherFile returns the name of a DOCUMENT_FILE.
func (d *document) otherFile(r part21.Ref) string {
	a := d.File.Args(r)
	id, name := a.Text(), a.Text()
	if id == "" {
		return name
	}
	return id
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkComplete fails for a truncated file with shapes that the remaining product structure does not reach: the missing
// part could have placed them, or given their units.
func (d *document) checkComplete(instances []instance) error {
	if !d.File.IsCutOff {
		return nil
	}
	reached := map[part21.Ref]bool{}
	for _, in := range instances {
		reached[in.item] = true
	}
	for _, k := range []part21.Keyword{schema.ManifoldSolidBrep, schema.BrepWithVoids, schema.FacetedBrep} {
		for _, r := range d.File.Of(k) {
			if !reached[r] || d.HasWarning("no_product_structure") {
				return d.Fail(r, "belongs to no product; the file looks cut off")
			}
		}
	}
	if len(instances) == 0 {
		return fault.Errorf(fault.UnreadableFile, "The file looks cut off: it ends after %d instances without a shape.",
			d.File.Len())
	}
	return nil
}

// noShape explains why a file gives no part.
func (d *document) noShape() error {
	has := func(kinds ...part21.Keyword) bool {
		for _, k := range kinds {
			if len(d.File.Of(k)) > 0 {
				return true
			}
		}
		return false
	}
	reason := "The file holds no solid and no surface."
	switch {
	case has(schema.ComplexTriangulatedFace, schema.TriangulatedFace, schema.CubicBezierTriangulatedFace,
		schema.ComplexTriangulatedSurfaceSet, schema.TriangulatedSurfaceSet):
		reason = "The file holds triangles for notes and pictures, but none that belong to a product."
	case has(schema.Constructions...):
		reason = d.firstConstruction() + " describes a solid by construction (CSG), not by its boundary, " +
			"which is not read; export a boundary representation."
	case has(schema.GeometricCurveSet, schema.GeometricSet):
		reason = "The file holds only wireframe curves or surfaces without bounds, no solid."
	case len(d.File.Externals) > 0:
		reason = fmt.Sprintf("The file refers to the file %q and contains no solid itself.",
			d.File.Externals[0].URI)
	case has(schema.DocumentFile):
		reason = fmt.Sprintf("The file is an assembly that refers to other files, the first of them %q, "+
			"and contains no solid itself.", d.otherFile(d.File.Of(schema.DocumentFile)[0]))
	case d.File.Len() == 0:
		reason = "The file holds no data."
	}
	return &fault.Error{Code: fault.NoSolid, Reason: reason}
}

// firstConstruction names the first solid of the file given by construction, if possible one that is not an operand.
func (d *document) firstConstruction() string {
	for _, k := range schema.Constructions {
		if all := d.File.Of(k); len(all) > 0 {
			return d.Entity(all[0]).Text
		}
	}
	return "The file"
}
