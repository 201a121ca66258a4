// Package recognition measures recognition against labeled parts: public sets with a class per face,
// real parts counted by people, and parts of our own whose recipe is known.
package recognition

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Times is the processing time of a part, ms.
type Times struct {
	Read      float64 `json:"readMs"`
	Mesh      float64 `json:"meshMs"`
	Recognize float64 `json:"recogniseMs"`
	Measure   float64 `json:"measureMs"` // datasheets
}

func (t *Times) add(o Times) {
	t.Read, t.Mesh = t.Read+o.Read, t.Mesh+o.Mesh
	t.Recognize, t.Measure = t.Recognize+o.Recognize, t.Measure+o.Measure
}

// Part is the product's result for a file. Faces are numbered as in the file, shell by shell.
type Part struct {
	Faces  int
	Names  []string // of the faces
	Edges  [][2]int // the faces at each edge, ascending; pairs in order, once each
	Found  []Found
	Result feature.Result
	Sheets []feature.Datasheet // of the features, where they were asked for
	Times  Times
	graph  *graph.Graph
	patch  []int32 // of the graph, by face
}

// Found is a feature that was recognized.
type Found struct {
	Kind  feature.Type `json:"kind"`
	Faces []int        `json:"faces"` // ascending
	Rule  string       `json:"rule,omitempty"`
	// Pieces is the number of pieces into which other features divide a hole along its direction, or a pocket; 1 for
	// other kinds.
	Pieces int `json:"pieces"`
}

// Read reads and meshes a part and recognizes its features; with sheets it measures them too.
func Read(ctx context.Context, path string, sheets bool) (*Part, error) {
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
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(0))
	if err != nil {
		return nil, fmt.Errorf("recognise %s: %w", path, err)
	}
	p.Result, p.graph = run.Result, run.Graph
	p.Times.Recognize, start = since(start)
	if sheets {
		if p.Sheets, err = datasheet.Measure(ctx, run, datasheet.Options{}); err != nil {
			return nil, fmt.Errorf("measure %s: %w", path, err)
		}
		p.Times.Measure, _ = since(start)
	}
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
			p.patch = append(p.patch, p.graph.PatchOf[i])
		}
		inFile[i] = n
	}
	p.Faces = len(seen)
	p.Edges = edgesOf(m, inFile)
	for _, f := range p.Result.Features {
		faces := make([]int, len(f.Regions))
		for i, r := range f.Regions {
			faces[i] = inFile[r]
		}
		p.Found = append(p.Found, Found{Kind: f.Type, Faces: ascending(faces), Rule: f.Rule, Pieces: p.pieces(&f)})
	}
}

// pieces counts the pieces of a hole that are apart along its direction, and the pieces of a pocket that share no edge.
func (p *Part) pieces(f *feature.Feature) int {
	switch f.Type {
	case feature.Hole:
	case feature.Pocket:
		return p.islands(f)
	default:
		return 1
	}
	var spans []geom.Interval
	for _, r := range f.Regions {
		spans = append(spans, p.graph.Extent(p.graph.PatchOf[r], f.Direction))
	}
	slices.SortFunc(spans, func(a, b geom.Interval) int { return cmp.Compare(a.Lo, b.Lo) })
	n, end := 1, spans[0].Hi
	for _, s := range spans[1:] {
		if s.Lo > end+p.graph.Length {
			n++
		}
		end = max(end, s.Hi)
	}
	return n
}

// islands counts the groups of faces of a feature that hang together.
func (p *Part) islands(f *feature.Feature) int {
	g := p.graph
	isOf := make([]bool, len(g.Patches))
	for _, r := range f.Regions {
		isOf[g.PatchOf[r]] = true
	}
	set := graph.NewUnionFind(len(g.Patches))
	for i := range g.Arcs {
		if a := &g.Arcs[i]; isOf[a.A] && isOf[a.B] {
			set.Join(a.A, a.B)
		}
	}
	return len(set.Groups(func(k int32) bool { return isOf[k] }))
}

// edgesOf returns the pairs of different faces that share an edge.
func edgesOf(m *brep.Model, inFile []int) [][2]int {
	var out [][2]int
	for i := range m.Edges {
		uses := m.Edges[i].Coedges
		if len(uses) != 2 {
			continue
		}
		a, b := inFile[m.Loops[m.Coedges[uses[0]].Loop].Face], inFile[m.Loops[m.Coedges[uses[1]].Loop].Face]
		if a != b {
			out = append(out, [2]int{min(a, b), max(a, b)})
		}
	}
	slices.SortFunc(out, comparePairs)
	return slices.Compact(out)
}

func comparePairs(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// adjoin reports whether two faces share an edge.
func (p *Part) adjoin(a, b int) bool {
	_, ok := slices.BinarySearchFunc(p.Edges, [2]int{min(a, b), max(a, b)}, comparePairs)
	return ok
}

// isInner reports whether most of the edges round a face, by length, are concave.
func (p *Part) isInner(face int) bool {
	patch := p.patch[face]
	if patch == graph.None {
		return false
	}
	concave, all := 0.0, 0.0
	for _, x := range p.graph.Patches[patch].Arcs {
		a := &p.graph.Arcs[x]
		all += a.Length
		if a.Convexity == graph.Concave {
			concave += a.Length
		}
	}
	return 2*concave > all
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
