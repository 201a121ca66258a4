// Package pipelinetest provides sandboxes in memory: one with results from the test, and one with the real stages in
// the process of the test.
package pipelinetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// Request is the parameters, wanted artifacts and given artifacts of a run.
type Request struct {
	Params pipeline.Params
	Want   []pipeline.Name
	Given  map[pipeline.Name][]byte
}

// Wants reports whether an artifact is wanted.
func (r *Request) Wants(n pipeline.Name) bool { return slices.Contains(r.Want, n) }

// Output is the results of the stages. The content of a wanted artifact that is not in Files is the name of its stage.
type Output struct {
	Analysis pipeline.Analysis
	Sheets   pipeline.DatasheetSet
	Files    map[pipeline.Name]string
	Run      pipeline.Run // Made is set by the sandbox
}

// Kernel is a sandbox in memory with one function in place of all stages.
type Kernel func(context.Context, *Request, func(percent int, doing string)) (*Output, error)

// Open implements pipeline.Sandbox.
func (k Kernel) Open() (pipeline.Workspace, error) {
	return &workspace{run: k.run, files: Files{}}, nil
}

func (k Kernel) run(
	ctx context.Context, params pipeline.Params, want []pipeline.Name, files Files, tell func(pipeline.Progress),
) (pipeline.Run, error) {
	out, err := k(ctx, &Request{Params: params, Want: want, Given: files.clone()}, func(percent int, doing string) {
		tell(pipeline.Progress{Percent: percent, Doing: doing})
	})
	if err != nil {
		return pipeline.Run{}, err
	}
	for _, n := range want {
		content := []byte(out.Files[n])
		switch {
		case n == pipeline.Summary:
			content, err = json.Marshal(out.Analysis)
		case n == pipeline.Datasheets:
			content, err = json.Marshal(out.Sheets)
		case len(content) == 0:
			content = []byte(n)
		}
		if err != nil {
			return pipeline.Run{}, err
		}
		files.put(n, content)
		out.Run.Made = append(out.Run.Made, pipeline.Built{Name: n, Size: int64(len(content))})
		tell(pipeline.Progress{Percent: 100, Made: n})
	}
	return out.Run, nil
}

// InProcess is a sandbox in memory that runs the real stages in this process.
type InProcess struct{ *pipeline.Pipeline }

// Open implements pipeline.Sandbox.
func (p InProcess) Open() (pipeline.Workspace, error) {
	return &workspace{run: p.run, files: Files{}}, nil
}

func (p InProcess) run(
	ctx context.Context, params pipeline.Params, want []pipeline.Name, files Files, tell func(pipeline.Progress),
) (pipeline.Run, error) {
	made, err := p.Make(ctx, params, want, files, tell)
	return pipeline.Run{Made: made, Compute: pipeline.ComputeUse{Device: "cpu"}}, err
}

var (
	_ pipeline.Sandbox = Kernel(nil)
	_ pipeline.Sandbox = InProcess{}
	_ pipeline.Files   = Files(nil)
)

// Files is artifacts in memory. Open and Write are safe for concurrent use.
type Files map[pipeline.Name][]byte

// filesMu guards the maps of all Files.
var filesMu sync.Mutex

type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

// Open implements pipeline.Files.
func (f Files) Open(n pipeline.Name) (pipeline.File, error) {
	filesMu.Lock()
	data, ok := f[n]
	filesMu.Unlock()
	if !ok {
		return nil, fmt.Errorf("artefact %s: %w", n, fs.ErrNotExist)
	}
	return file{bytes.NewReader(data)}, nil
}

// Write implements pipeline.Files.
func (f Files) Write(n pipeline.Name, write func(io.Writer) error) (int64, error) {
	var b bytes.Buffer
	err := write(&b)
	f.put(n, b.Bytes())
	return int64(b.Len()), err
}

func (f Files) put(n pipeline.Name, data []byte) {
	filesMu.Lock()
	defer filesMu.Unlock()
	f[n] = data
}

func (f Files) clone() Files {
	filesMu.Lock()
	defer filesMu.Unlock()
	return maps.Clone(f)
}

type workspace struct {
	run   func(context.Context, pipeline.Params, []pipeline.Name, Files, func(pipeline.Progress)) (pipeline.Run, error)
	files Files
}

// Put implements pipeline.Workspace. It rejects an artifact that is already there, because concurrent writes of one
// file would sometimes fail in a folder.
func (w *workspace) Put(_ context.Context, n pipeline.Name, r io.Reader) error {
	data, err := io.ReadAll(r)
	if _, wrong := w.files.Open(n); wrong == nil {
		return fmt.Errorf("artefact %s is put twice", n)
	}
	w.files.put(n, data)
	return err
}

// Make implements pipeline.Workspace.
func (w *workspace) Make(
	ctx context.Context, params pipeline.Params, want []pipeline.Name, tell func(pipeline.Progress),
) (pipeline.Run, error) {
	return w.run(ctx, params, want, w.files, tell)
}

// Get implements pipeline.Workspace.
func (w *workspace) Get(n pipeline.Name) (io.ReadCloser, error) {
	f, err := w.files.Open(n)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(io.NewSectionReader(f, 0, f.Size())), nil
}

// Close implements pipeline.Workspace.
func (w *workspace) Close() error { return nil }

// Contents of the files that Cube makes. The STL ends with the source, or with the model if there is no source, so that
// a test can identify the file of a result.
const (
	CubeSTL = "solid cube of "
	CubeGLB = "glTF cube"
	CubePNG = "\x89PNG cube"
)

// Datasheets returns facts of each Hole or Face with one of the tags, or of all of them if there are no tags.
func Datasheets(features []pipeline.PartFeature, tags []string) pipeline.DatasheetSet {
	out := pipeline.DatasheetSet{
		Sheets:           []pipeline.FeatureSheet{},
		DirectionZBounds: []pipeline.DirectionZBounds{{Direction: geom.Vec3{Z: 1}, ZMax: 10}},
	}
	for _, f := range features {
		if len(tags) > 0 && !slices.Contains(tags, f.FeatureTag) {
			continue
		}
		sheet := &feature.Datasheet{
			FeatureType: feature.Type(f.FeatureType), ZMax: 10,
			ToleranceBand: feature.ToleranceBand{RadialLower: -0.1, Source: feature.ToleranceGeneral},
		}
		switch sheet.FeatureType {
		case feature.Hole:
			sheet.Facts = &feature.HoleFacts{
				Kind: feature.Hole, Diameter: 5, Depth: 10, IsThrough: true, Bottom: "through",
				Segments: []feature.SegmentFacts{{Shape: "cylinder", ZMax: 10, DiameterTop: 5, DiameterBottom: 5}},
			}
		case feature.Face:
			sheet.Facts = &feature.FaceFacts{Kind: feature.Face, Length: 10, Width: 10, Area: 100}
		default:
			sheet = nil
		}
		out.Sheets = append(out.Sheets, pipeline.FeatureSheet{FeatureTag: f.FeatureTag, Datasheet: sheet})
	}
	return out
}

// Cube is a kernel that finds a cube with a hole in every file.
func Cube(_ context.Context, req *Request, progress func(int, string)) (*Output, error) {
	progress(0, "reading")
	source, ok := req.Given[pipeline.Source]
	if !ok {
		source = req.Given[pipeline.Model]
	}
	up := geom.Vec3{Z: 1}
	a := pipeline.Analysis{
		KernelVersion: "test-1", Warnings: []fault.Warning{{Code: "format_mismatch",
			Message: "#7 PLANE: the name says IGES", Entity: "#7"}},
		Shape:     pipeline.Shape{Format: "step", Solids: 1, Shells: 1, Faces: 2, Volume: 1000, Area: 600},
		MeshFacts: pipeline.MeshFacts{Watertight: true, MeshPointCount: 8, MeshTriangleCount: 12},
		Regions: []pipeline.Region{
			{Idx: 0, ShapeKind: "Plane", Area: 100, TriangleEnd: 2},
			{Idx: 1, SplitOrigin: 1, ShapeKind: "Cylinder", Area: 50, TriangleStart: 2, TriangleEnd: 12},
		},
		Recognition: pipeline.Recognition{
			Features: []pipeline.PartFeature{
				{FeatureTag: "00ff", RegionIdxs: []int{0}, FeatureType: "Face", MachiningDirection: up},
				{FeatureTag: "00fe", RegionIdxs: []int{}, FeatureType: "Hole", MachiningDirection: up},
			},
			Holes: []pipeline.HoleSummary{},
			PartSummary: pipeline.PartSummary{
				CandidateDirections: []geom.Vec3{up}, Unmachined: []pipeline.Unmachined{},
				Setups: []pipeline.Setup{{Index: 1, Direction: up, FeatureTags: []string{"00ff", "00fe"}}},
			},
		},
	}
	out := &Output{Analysis: a, Sheets: Datasheets(a.Features, req.Params.FeatureTags), Files: map[pipeline.Name]string{
		pipeline.Model: string(source), pipeline.STL: CubeSTL + string(source), pipeline.GLB: CubeGLB,
		pipeline.Thumbnail: CubePNG,
	}}
	progress(100, "done")
	return out, nil
}
