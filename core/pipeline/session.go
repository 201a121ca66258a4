package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Session builds the artifacts of one CAD file in memory, as Go values instead of stored bytes. It keeps every artifact
// that a store would keep, so each is built once. It is safe for concurrent use: calls run one after the other.
type Session struct {
	pipeline *Pipeline
	fileName string
	source   source
	turn     chan struct{}  // contains a token while no call builds
	built    map[string]any // by key
}

// NewSession returns a session for the CAD file in src, which must stay readable until Model is built.
func (t *Pipeline) NewSession(src io.ReaderAt, size int64, fileName string) *Session {
	s := &Session{
		pipeline: t, fileName: fileName, source: source{io.NewSectionReader(src, 0, size)},
		turn: make(chan struct{}, 1), built: map[string]any{},
	}
	s.turn <- struct{}{}
	return s
}

// Build returns the wanted artifacts by name. Their Go types are:
//
//	Model              Part
//	Properties         MassProperties
//	Mesh, DisplayMesh  Tessellation
//	Features           *recognize.Recognition
//	Datasheets         DatasheetSet
//	Summary            Analysis
//	Plan, MadePlan     *planning.Plan
//	Paths              *toolpath.Set
//	Proof              *verify.Report
//	ProgramTime        *estimate.Times
//
// Later calls return the same values, so callers must not change them. The parameters need no source and no file name.
// Errors are those of Pipeline.Make.
func (s *Session) Build(ctx context.Context, params Params, want ...Name) (map[Name]any, error) {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	params.Source, params.FileName = "", s.fileName
	for _, n := range want {
		if find(n) == nil {
			return nil, fmt.Errorf("no stage makes %q", n)
		}
	}
	m := &build{
		Pipeline: s.pipeline, params: params, files: s.source,
		load: func(r *run, _ context.Context) (any, error) { return s.built[params.Key(r.stage.name)], nil },
	}
	m.run(ctx, want, func(n Name) bool { return s.built[params.Key(n)] != nil })
	for n, r := range m.runs {
		if r.err == nil && r.stage.encode != nil {
			s.built[params.Key(n)] = r.value
		}
	}
	if _, err := m.outcome(ctx); err != nil {
		return nil, err
	}
	out := map[Name]any{}
	for _, n := range want {
		if r := m.runs[n]; r != nil {
			out[n] = r.value
		} else {
			out[n] = s.built[params.Key(n)]
		}
	}
	return out, nil
}

// source is the Files of a session. It contains only the CAD file.
type source struct{ *io.SectionReader }

func (s source) Open(n Name) (File, error) {
	if n != Source {
		return nil, fs.ErrNotExist
	}
	return s, nil
}

// Write is not called, because a session writes no artifacts.
func (source) Write(Name, func(io.Writer) error) (int64, error) { return 0, errors.ErrUnsupported }

func (source) Close() error { return nil }
