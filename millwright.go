// Package millwright turns a CAD file into a verified machining program. It opens a part, meshes it, recognizes its
// features, plans how to mill them, and writes g-code only after a simulation of every move:
//
//	part, err := millwright.Open(ctx, "bracket.step", millwright.Options{})
//	features, err := part.Features(ctx)
//	program, err := part.Program(ctx, millwright.PlanOptions{})
//	files, err := program.GCode("haas")
//
// The methods of a [Part] compute their results at the first call, with all earlier steps, and the part keeps them.
// They may be called in any order and from several goroutines; a call waits for those before it. Later calls return the
// same values, so do not change them. The same file and options give the same results, byte for byte.
//
// Lengths are mm, areas mm², volumes mm³, and coordinates those of the part frame, unless a field says otherwise.
// Angles are radians in models and meshes, degrees in options and datasheets. Face i of a model is region i of its
// meshes, features and plans.
//
// # Errors
//
// An input that cannot be used gives a [*fault.Error], which errors.As finds. It has a stable code, and a sentence that
// names the entity at fault. Any other error comes from the operating system, from the context, from invalid options,
// or from a defect in this module.
//
// # Isolation
//
// There is none: everything runs in the process of the caller, who bounds its memory and its time. A context ends the
// work early, but a hostile file can exhaust the memory. The commands and the service of cmd/millwright read each file
// in a confined child process; its stages are those of [Pipeline].
//
// # Dependencies
//
// This package depends on gonum and golang.org/x/sys, and on no database, server or object store. A build with the tag
// gpu adds the bindings of OpenGL. A program that only reads CAD files imports package adapters/cad, which depends on
// gonum alone.
package millwright

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/pipeline"
)

// Options choose how parts are read and computed. The zero value reads the formats that need no other program, and
// computes on all processors.
type Options struct {
	// Engine carries out the large computations; nil uses the processors only. The caller closes it.
	Engine *compute.Engine
	// Converter translates formats that are not read here; nil leaves them unreadable.
	Converter cad.Converter
}

// Part is a CAD file in memory. Its methods do not read the file again.
type Part struct {
	// Model is the healed boundary representation, in mm. Its Warnings list repairs and doubts.
	Model *brep.Model
	// Format is the format of the content. The name of the file has no say in it.
	Format cad.Format

	session *pipeline.Session
	title   string
}

// Open reads a CAD file. One without a closed solid gives a *fault.Error.
func Open(ctx context.Context, path string, o Options) (*Part, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return Read(ctx, f, info.Size(), filepath.Base(path), o)
}

// Read is Open for a CAD file of size bytes in src. The content decides the format; the name gives the part its title
// and helps where the content is ambiguous.
func Read(ctx context.Context, src io.ReaderAt, size int64, name string, o Options) (*Part, error) {
	p := &Part{session: Pipeline(o).NewSession(src, size, name), title: pipeline.Params{FileName: name}.Title()}
	built, err := p.session.Build(ctx, pipeline.Params{}, pipeline.Model)
	if err != nil {
		return nil, err
	}
	read := built[pipeline.Model].(pipeline.Part)
	p.Model, p.Format = read.Model, cad.Format(read.Format)
	return p, nil
}

// MassProperties returns volume, area, centroid and bounds of the part and of each solid, computed from the exact
// surfaces and not from a mesh.
func (p *Part) MassProperties(ctx context.Context) (*pipeline.MassProperties, error) {
	built, err := p.session.Build(ctx, pipeline.Params{}, pipeline.Properties)
	if err != nil {
		return nil, err
	}
	m := built[pipeline.Properties].(pipeline.MassProperties)
	return &m, nil
}

// MeshOptions bound how far a mesh is from the part. The zero value is the mesh that features are recognized on.
type MeshOptions struct {
	Chord float64 // mm between a triangle and its surface; 0: 0.1, and at most 1/2000 of the part's diagonal
	Angle float64 // degrees between neighboring triangles of a face; 0: 20
}

// Tessellate returns a mesh of the part. A part that takes too many triangles for a chord tolerance gets a coarser mesh
// with a warning.
func (p *Part) Tessellate(ctx context.Context, o MeshOptions) (*pipeline.Tessellation, error) {
	isBad := func(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) }
	if isBad(o.Chord) || isBad(o.Angle) {
		return nil, fmt.Errorf("mesh: chord %g mm and angle %g° must be finite and not negative", o.Chord, o.Angle)
	}
	n := pipeline.Mesh
	if o != (MeshOptions{}) {
		n = pipeline.DisplayMesh
	}
	built, err := p.session.Build(ctx, pipeline.Params{ChordTolerance: o.Chord, AngleTolerance: o.Angle}, n)
	if err != nil {
		return nil, err
	}
	t := built[n].(pipeline.Tessellation)
	return &t, nil
}

// Feature is a machining feature with its measurements.
type Feature struct {
	*feature.Feature
	Datasheet feature.Datasheet // with nil Facts where the feature could not be measured
}

// Features recognizes and measures the machining features of the part, ordered by direction, then from top to bottom.
// Plans name features by their index here.
func (p *Part) Features(ctx context.Context) ([]Feature, error) {
	built, err := p.session.Build(ctx, pipeline.Params{}, pipeline.Features, pipeline.Datasheets)
	if err != nil {
		return nil, err
	}
	found := built[pipeline.Features].(*recognize.Recognition).Features
	sheets := built[pipeline.Datasheets].(pipeline.DatasheetSet).Sheets
	out := make([]Feature, len(found))
	for i := range found {
		out[i].Feature = &found[i]
		if sheet := sheets[i].Datasheet; sheet != nil {
			out[i].Datasheet = *sheet
		}
	}
	return out, nil
}

// Summary returns the figures, features and setups of the part as the command analyze prints them in JSON. A part whose
// exact figures contradict its mesh gives a *fault.Error.
func (p *Part) Summary(ctx context.Context) (*pipeline.Analysis, error) {
	built, err := p.session.Build(ctx, pipeline.Params{}, pipeline.Summary)
	if err != nil {
		return nil, err
	}
	a := built[pipeline.Summary].(pipeline.Analysis)
	return &a, nil
}
