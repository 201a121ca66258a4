// Package solidworks reads the exact shape of SolidWorks parts into a boundary representation in mm and radians. It
// reads the bodies of the part, not the features that made them.
//
// A part is a container of named streams: chunks since release 2015, a compound file (OLE2) before. Its bodies are
// Parasolid data in streams named for the configuration. They are in packed sections, imploded around 2001, and plain
// before; package parasolid reads them. The configuration that was open when the part was saved is read. The stream
// "Partition" has all its bodies with their history. If it has no face, the imported bodies in "LocalBodies" are the
// part. Texts give the name of the part and its material. Colors are the colors of faces and bodies in the Parasolid
// data, or else the color of the whole part.
//
// Not read: assemblies and drawings, which contain no bodies; features, sketches, cosmetic threads and the triangles
// for display.
package solidworks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"strconv"

	"millwright.dev/millwright/adapters/cad/parasolid"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
)

// Read reads the SolidWorks part in the first size bytes of src. Errors that are the file's fault are *fault.Error.
func Read(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
	f, err := open(ctx, src, size)
	if err != nil {
		return nil, err
	}
	shapes := f.shapes()
	var broken error
	for _, s := range shapes {
		bodies, err := f.instances(ctx, s)
		if err != nil && !isUnreadable(err) {
			return nil, err
		}
		if err != nil {
			broken = err
		}
		if len(bodies) == 0 {
			continue
		}
		m, err := parasolid.Build(ctx, bodies)
		if err != nil {
			return nil, err
		}
		f.dress(m)
		color, err := f.color(s.configuration)
		if err != nil && !isUnreadable(err) { // an unreadable color does not fail the part
			return nil, err
		}
		for i := range m.Faces { // a color of the face or of its body counts first
			m.Faces[i].Color = cmp.Or(m.Faces[i].Color, color)
		}
		return m, nil
	}
	if broken != nil {
		return nil, broken
	}
	return nil, f.noShape(len(shapes) > 0)
}

// instances are the bodies of a stream that have faces. A stream that cannot be read does not hide the others; the
// error is its own.
func (f *file) instances(ctx context.Context, s shape) (of []parasolid.Instance, broken error) {
	streams, err := f.bodies(s)
	if err != nil {
		return nil, err
	}
	for _, data := range streams {
		part, err := parasolid.Open(ctx, data)
		if err != nil && !isUnreadable(err) {
			return nil, err
		}
		if err != nil {
			broken = err
			continue
		}
		for _, in := range part.Instances() {
			if in.Body.Faces > 0 {
				of = append(of, in)
			}
		}
	}
	return of, broken
}

// isUnreadable reports whether an error concerns one stream only, so that reading may continue.
func isUnreadable(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && (f.Code == fault.UnreadableFile || f.Code == fault.UnsupportedVersion ||
		f.Code == fault.NoSolid)
}

// dress adds the name, the material and the colors of the file to the shape.
func (f *file) dress(m *brep.Model) {
	m.Name = f.name
	if f.material != "" {
		m.PMI.Notes = append(m.PMI.Notes, gdt.Note{Kind: gdt.NoteAttribute, Name: "material", Text: f.material})
	}
	if configurations := f.configurations(); configurations > 1 {
		m.Warnings = append(m.Warnings, fault.Warnf("other_configurations", 1,
			"The part is stored in %d configurations; the one that was open when it was saved was read",
			configurations))
	}
}

// visualProperties is the length and the name of the class whose first object in Contents/Config-N describes the
// appearance of the whole part. Its color follows: red, green and blue, a byte each, and 0.
const visualProperties = "\x14\x00moVisualProperties_c"

// color is the color of the whole part in a configuration, or nil if the file does not state it.
func (f *file) color(configuration int) (*brep.Color, error) {
	objects, err := f.text("Contents/Config-" + strconv.Itoa(configuration))
	_, rest, _ := bytes.Cut(objects, []byte(visualProperties))
	if len(rest) < 4 || rest[3] != 0 {
		return nil, err
	}
	channel := func(i int) float64 { return float64(rest[i]) / math.MaxUint8 }
	return &brep.Color{R: channel(0), G: channel(1), B: channel(2)}, err
}

// noShape explains why a file gives no part.
func (f *file) noShape(hasStreams bool) error {
	isAssembly, err := f.isAssembly()
	switch {
	case err != nil:
		return err
	case isAssembly:
		return &fault.Error{Code: fault.NoSolid, Reason: "The file is a SolidWorks assembly, whose parts are " +
			"in files of their own; upload the parts, or export the assembly as STEP."}
	case hasStreams:
		return &fault.Error{Code: fault.NoSolid, Reason: "The SolidWorks part has no solid and no surface body."}
	}
	return &fault.Error{Code: fault.NoSolid,
		Reason: "The SolidWorks file holds no body; if it is no part that is empty, " +
			"save it again with a SolidWorks of 2003 or later, or export it as STEP."}
}
