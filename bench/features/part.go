// Package features measures recognition against labelled parts: public sets with a class per face,
// real parts counted by people, and parts of our own whose recipe is known.
package features

import (
	"context"
	"fmt"
	"os"
	"time"

	"millwright/adapters/cad"
	"millwright/compute/cpu"
	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/datasheet"
	"millwright/core/feature/recognize"
)

// Times is the processing time of a part, ms.
type Times struct {
	Read      float64 `json:"readMs"`
	Mesh      float64 `json:"meshMs"`
	Recognise float64 `json:"recogniseMs"`
	Measure   float64 `json:"measureMs"` // datasheets
}

func (t *Times) add(o Times) {
	t.Read, t.Mesh = t.Read+o.Read, t.Mesh+o.Mesh
	t.Recognise, t.Measure = t.Recognise+o.Recognise, t.Measure+o.Measure
}

// Part is what the product finds in a file. Faces are numbered as in the file, shell by shell.
type Part struct {
	Faces  int
	Names  []string // of the faces
	Found  []Found
	Result feature.Result
	Sheets []feature.Datasheet // of the features
	Times  Times
}

// Found is a feature that was recognised.
type Found struct {
	Kind  feature.Type `json:"kind"`
	Faces []int        `json:"faces"` // ascending
	Rule  string       `json:"rule,omitempty"`
}

// Read reads and meshes a part, recognises its features and measures them.
func Read(ctx context.Context, path string) (*Part, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, start := &Part{}, time.Now()
	m, _, err := cad.Read(ctx, f, info.Size(), path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	p.Times.Read, start = since(start)
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		return nil, fmt.Errorf("mesh %s: %w", path, err)
	}
	p.Times.Mesh, start = since(start)
	run, err := recognize.Part(ctx, m, meshed.Mesh, cpu.New(0))
	if err != nil {
		return nil, fmt.Errorf("recognise %s: %w", path, err)
	}
	p.Result = run.Result
	p.Times.Recognise, start = since(start)
	if p.Sheets, err = datasheet.Measure(ctx, run, datasheet.Options{}); err != nil {
		return nil, fmt.Errorf("measure %s: %w", path, err)
	}
	p.Times.Measure, _ = since(start)
	p.number(m)
	return p, nil
}

// number turns faces of the model into faces of the file: reading may split one into several.
func (p *Part) number(m *brep.Model) {
	inFile := make([]int, len(m.Faces))
	seen := map[int32]int{}
	for i, f := range m.Faces {
		n, ok := seen[f.Origin]
		if !ok {
			n = len(seen)
			seen[f.Origin] = n
			p.Names = append(p.Names, f.Name)
		}
		inFile[i] = n
	}
	p.Faces = len(seen)
	for _, f := range p.Result.Features {
		faces := make([]int, len(f.Regions))
		for i, r := range f.Regions {
			faces[i] = inFile[r]
		}
		p.Found = append(p.Found, Found{Kind: f.Type, Faces: ascending(faces), Rule: f.Rule})
	}
}

// kinds returns the kinds of the features that have each face: none, one, or a Profile and a Face.
func (p *Part) kinds() [][]feature.Type {
	out := make([][]feature.Type, p.Faces)
	for _, f := range p.Found {
		for _, i := range f.Faces {
			out[i] = append(out[i], f.Kind)
		}
	}
	return out
}

func since(start time.Time) (ms float64, now time.Time) {
	now = time.Now()
	return float64(now.Sub(start).Microseconds()) / 1000, now
}
