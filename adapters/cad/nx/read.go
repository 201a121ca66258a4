// Package nx reads the exact shape of Siemens NX parts into a boundary representation in mm and radians. It reads the
// bodies of the part, not the features that made them.
//
// A part is a container of files: a format of NX since NX 12, a compound file (OLE2) before. The file UG_PART contains
// the bodies as Parasolid streams, which package parasolid reads. Bodies with their history (partitions) are all
// current. Other bodies were imported, or were tools of features. NX also stores one JT document for each displayed
// body. The number of these documents shows whether other bodies belong to the part, and their boxes show which.
//
// Not read: assemblies, drawings and machining setups, which contain no bodies; features; names, colors and
// attributes outside the Parasolid data.
package nx

import (
	"context"
	"errors"
	"io"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/adapters/cad/parasolid"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Read reads the NX part in the first size bytes of src. Errors that are the file's fault are *fault.Error.
func Read(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
	c, err := open(src, size)
	if err != nil {
		return nil, err
	}
	budget := inflate.NewBudget(inflate.Most(size))
	found, err := streams(ctx, c.part, budget)
	if err != nil {
		return nil, err
	}
	all, broken, err := decode(ctx, found)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 && broken != nil {
		return nil, broken
	}
	if len(all) == 0 {
		return nil, &fault.Error{Code: fault.NoSolid,
			Reason: "The NX file has no body of its own; if it is an assembly, " +
				"a drawing or a setup, upload the parts that it shows, or export it as STEP."}
	}
	chosen, isGuess := choose(all, c.shown, budget)
	m, err := parasolid.Build(ctx, chosen)
	if err != nil {
		return nil, err
	}
	if isGuess {
		m.Warnings = append(m.Warnings, fault.Warnf("tool_bodies", 1,
			"What is shown of the part is not in the file; among its bodies may be some that features were cut with"))
	}
	if broken != nil {
		m.Warnings = append(m.Warnings, fault.Warnf(brep.SkippedShape, 1, "a body was left out: %s", broken.Reason))
	}
	return m, nil
}

// source is a stream with its bodies.
type source struct {
	instances   []parasolid.Instance // instances of bodies with faces
	isPartition bool
}

// decode opens the streams. It skips streams without a face and unreadable streams, and returns the error of an
// unreadable one as broken.
func decode(ctx context.Context, found []stream) (all []source, broken *fault.Error, err error) {
	for _, s := range found {
		part, err := parasolid.Open(ctx, s.data)
		var f *fault.Error
		if errors.As(err, &f) && f.Code != fault.TooComplex {
			broken = f
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		of := source{isPartition: s.isPartition}
		for _, in := range part.Instances() {
			if in.Body.Faces > 0 {
				of.instances = append(of.instances, in)
			}
		}
		if len(of.instances) > 0 {
			all = append(all, of)
		}
	}
	return all, broken, nil
}

// choose returns the current bodies. All partitions are current. When more bodies are displayed, other bodies are
// current too: all of them if they are no more than the displayed ones, otherwise those of the size of a displayed one.
// If the file does not state the displayed bodies, the other bodies are current only if there is no partition, and
// isGuess is true.
func choose(all []source, shown []byte, budget *inflate.Budget) (of []parasolid.Instance, isGuess bool) {
	partitions := 0
	for _, s := range all {
		if s.isPartition {
			partitions++
			of = append(of, s.instances...)
		}
	}
	documents, isSaid := documents(shown)
	others := len(all) - partitions
	switch {
	case others == 0 || isSaid && len(documents) <= partitions && partitions > 0 || !isSaid && partitions > 0:
		return of, false
	case isSaid && len(documents) >= len(all):
		return everything(all), false
	case !isSaid || len(documents) == 0:
		return everything(all), true
	}
	var scenes [][]byte
	for _, d := range documents {
		scenes = append(scenes, scene(d, budget))
	}
	isOther := len(of)
	for _, s := range all {
		if !s.isPartition && isShown(s, scenes) {
			of = append(of, s.instances...)
		}
	}
	if len(of) == isOther && isOther == 0 { // nothing that is shown has the size of any body
		return everything(all), true
	}
	return of, false
}

func everything(all []source) (of []parasolid.Instance) {
	for _, s := range all {
		of = append(of, s.instances...)
	}
	return of
}

// isShown reports whether one of the scenes is as large as the bodies of a stream.
func isShown(s source, scenes [][]byte) bool {
	box := geom.EmptyBox()
	for _, in := range s.instances {
		box = box.Union(in.Body.Bounds())
	}
	for _, scene := range scenes {
		if showsBox(scene, box) {
			return true
		}
	}
	return false
}
