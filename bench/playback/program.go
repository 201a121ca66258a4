// Package playback makes programs with the files that the playback of the portal reads, for tests and benchmarks.
package playback

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"sync"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/pipeline"
)

// Program is a program with its files.
type Program struct {
	Title  string
	Config machining.CutConfig
	Set    *toolpath.Set
	Clock  [][]estimate.Moment
	Moves  []byte // of pipeline.TimedMoves
	Stock  []byte // of pipeline.InProcessStock
}

// Make makes the program of a CAD file on the processor.
func Make(ctx context.Context, file []byte, name string, config machining.CutConfig) (*Program, error) {
	sum := sha256.Sum256(file)
	params := pipeline.Params{Source: hex.EncodeToString(sum[:]), FileName: name}
	var err error
	if params.Cutting, err = pipeline.NewPlanParams(config, nil); err != nil {
		return nil, err
	}
	space := &memory{files: map[pipeline.Name][]byte{pipeline.Source: file}}
	want := []pipeline.Name{pipeline.Paths, pipeline.TimedMoves, pipeline.InProcessStock}
	line := millwright.Pipeline(millwright.Options{})
	if _, err := line.Make(ctx, params, want, space, func(pipeline.Progress) {}); err != nil {
		return nil, err
	}
	p := &Program{
		Title: params.Title(), Config: config, Moves: space.files[pipeline.TimedMoves],
		Stock: space.files[pipeline.InProcessStock],
	}
	if p.Set, err = toolpath.Decode(space.files[pipeline.Paths]); err != nil {
		return nil, err
	}
	p.Clock = estimate.Clock(p.Set, &config.Machine)
	return p, nil
}

// memory is the artifacts of one part.
type memory struct {
	mu    sync.Mutex
	files map[pipeline.Name][]byte
}

type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

// Open implements pipeline.Files.
func (m *memory) Open(n pipeline.Name) (pipeline.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, there := m.files[n]
	if !there {
		return nil, fs.ErrNotExist
	}
	return file{bytes.NewReader(data)}, nil
}

// Write implements pipeline.Files.
func (m *memory) Write(n pipeline.Name, write func(io.Writer) error) (int64, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[n] = b.Bytes()
	return int64(b.Len()), nil
}
