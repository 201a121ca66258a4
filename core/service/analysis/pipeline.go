// Package analysis is the way of a part: CAD bytes are read into a B-rep, measured, tessellated,
// recognised, and written out as mesh files, a thumbnail and the figures of a part result.
//
// Pipeline implements service.Kernel. Each step is one function over plain values; what is done
// outside the domain comes in through the ports below.
package analysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"millwright/core/brep"
	"millwright/core/brep/mass"
	"millwright/core/brep/repair"
	"millwright/core/fault"
	"millwright/core/feature"
	"millwright/core/feature/recognize"
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
	"millwright/core/service"
)

// Reader turns a CAD file into a healed model in mm. The content decides the format, the name only helps.
// A file at fault gives a *fault.Error.
type Reader interface {
	Read(
		ctx context.Context, src io.ReaderAt, size int64, fileName string,
	) (m *brep.Model, format string, err error)
}

// Tessellation is a model's mesh with the sampled polylines of its edges (mm).
type Tessellation struct {
	Mesh      *mesh.Mesh
	EdgeLines [][]geom.Vec3
	// Watertight says that every edge of the mesh is shared by exactly two triangles.
	Watertight bool
	Warnings   []brep.Warning
}

// Tessellator meshes a model to a chord tolerance (mm) and an angle tolerance (rad), 0 for defaults.
type Tessellator interface {
	Tessellate(
		ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
	) (Tessellation, error)
}

// Part is everything known of a part when its files are written.
type Part struct {
	Name  string
	Model *brep.Model
	Tessellation
	Found *recognize.Run
}

// Writer writes one kind of file from a part.
type Writer func(w io.Writer, p *Part) error

// Pipeline runs the whole way of a part.
type Pipeline struct {
	Reader      Reader
	Tessellator Tessellator
	Visibility  feature.Visibility
	STL         Writer
	GLB         Writer
	Thumbnail   Writer
	// FeatureGLB and FeaturePicture show the features of a part, for those who ask for pictures.
	FeatureGLB     Writer
	FeaturePicture Writer
	Version        string // kernel version, recorded in every result
}

var _ service.Kernel = (*Pipeline)(nil)

// The share of the progress bar (percent) that is behind us when a step begins.
const (
	atReading     = 0
	atMeasuring   = 25
	atMeshing     = 35
	atRecognising = 60
	atDetails     = 75
	atWriting     = 85
	atEnd         = 100
)

// Analyze implements service.Kernel.
func (p *Pipeline) Analyze(
	ctx context.Context, req service.KernelRequest, progress func(percent int, stage string),
) (*service.Analysis, error) {
	if progress == nil {
		progress = func(int, string) {}
	}
	a := &service.Analysis{KernelVersion: p.Version}
	progress(atReading, "reading")
	model, err := p.read(ctx, req, a)
	if err != nil {
		return nil, err
	}
	progress(atMeasuring, "measuring")
	if err := measure(ctx, model, a); err != nil {
		return nil, err
	}
	part := &Part{Name: baseName(req.FileName), Model: model}
	if part.Tessellation, err = p.tessellate(ctx, model, req.Options, a, progress); err != nil {
		return nil, err
	}
	progress(atRecognising, "recognising features")
	if err := p.recognise(ctx, part, a); err != nil {
		return nil, err
	}
	if req.Options.Details {
		progress(atDetails, "measuring features")
		if err := enrich(ctx, part, req.Options.FeatureTags, a); err != nil {
			return nil, err
		}
	}
	progress(atWriting, "writing files")
	if err := p.write(part, req, a); err != nil {
		return nil, err
	}
	progress(atEnd, "done")
	return a, ctx.Err()
}

func (p *Pipeline) read(
	ctx context.Context, req service.KernelRequest, a *service.Analysis,
) (*brep.Model, error) {
	start := time.Now()
	f, err := os.Open(req.Source)
	if err != nil {
		return nil, fmt.Errorf("open the CAD file: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the CAD file: %w", err)
	}
	model, format, err := p.Reader.Read(ctx, f, info.Size(), req.FileName)
	if err != nil {
		return nil, err
	}
	model.Warnings = append(model.Warnings, defects(model)...)
	if len(model.Solids) == 0 {
		return nil, openShell(model)
	}
	a.Format = format
	a.Solids, a.Shells, a.Faces = len(model.Solids), len(model.Shells), len(model.Faces)
	a.Edges, a.Vertices = len(model.Edges), len(model.Vertices)
	a.PMI = statements(&model.PMI)
	a.ReadMs = time.Since(start).Milliseconds()
	return model, nil
}

// openShell says why a model of surfaces is no solid.
func openShell(m *brep.Model) *fault.Error {
	reason := fmt.Sprintf("The file holds only surfaces and no closed solid (faces: %d, open shells: %d).",
		len(m.Faces), len(m.Shells))
	for _, w := range m.Warnings {
		if w.Code == repair.OpenSolid || w.Code == repair.OpenSheet {
			reason += " " + w.Detail
		}
	}
	return &fault.Error{Code: fault.OpenShell, Reason: reason}
}

// defects are what the integrity check finds in a healed model, one warning for each kind.
func defects(m *brep.Model) []brep.Warning {
	var out []brep.Warning
	for _, p := range brep.Check(m) {
		i := slices.IndexFunc(out, func(w brep.Warning) bool { return w.Code == p.Code })
		if i < 0 {
			out = append(out, brep.Warning{Code: p.Code, Detail: p.Detail})
			i = len(out) - 1
		}
		out[i].Count++
	}
	return out
}

// measure fills the exact figures: they come from the B-rep and do not depend on the mesh.
func measure(ctx context.Context, m *brep.Model, a *service.Analysis) error {
	props, err := mass.Of(ctx, m)
	if err != nil {
		return fmt.Errorf("measure the solid: %w", err)
	}
	a.Volume, a.Area = props.Volume, props.Area
	a.Centroid = props.Centroid
	a.Bounds = service.Bounds{Min: props.Bounds.Min, Max: props.Bounds.Max}
	a.Regions = make([]service.Region, len(m.Faces))
	for i := range m.Faces {
		a.Regions[i] = service.Region{
			Idx:         i,
			SplitOrigin: int(m.Faces[i].Origin),
			ShapeKind:   surface.ShapeKind(m.Faces[i].Surface),
			Area:        props.Faces[i].Area,
		}
	}
	return nil
}

func (p *Pipeline) tessellate(
	ctx context.Context, m *brep.Model, opts service.KernelOptions, a *service.Analysis,
	progress func(percent int, stage string),
) (Tessellation, error) {
	start := time.Now()
	tess, err := p.Tessellator.Tessellate(ctx, m, opts.ChordTolerance, geom.Radians(opts.AngleTolerance),
		func(done, total int) {
			progress(atMeshing+(atRecognising-atMeshing)*done/max(total, 1), "tessellating")
		})
	if err != nil {
		return Tessellation{}, fmt.Errorf("tessellate: %w", err)
	}
	for i, r := range tess.Mesh.Regions {
		a.Regions[i].TriangleStart, a.Regions[i].TriangleEnd = int(r.Start), int(r.End)
	}
	a.MeshPointCount, a.MeshTriangleCount = len(tess.Mesh.Points), len(tess.Mesh.Triangles)
	a.MeshVolume, a.MeshArea = tess.Mesh.Volume(), tess.Mesh.Area()
	a.Watertight = tess.Watertight
	a.Warnings = append(warnings(m.Warnings), warnings(tess.Warnings)...)
	a.MeshMs = time.Since(start).Milliseconds()
	return tess, nil
}

func warnings(ws []brep.Warning) []string {
	out := []string{}
	for _, w := range ws {
		s := w.Detail
		if w.Count > 1 {
			s = fmt.Sprintf("%s (%d times)", s, w.Count)
		}
		out = append(out, s)
	}
	return out
}

// write makes the part's files. An empty mesh or folder makes none.
func (p *Pipeline) write(part *Part, req service.KernelRequest, a *service.Analysis) error {
	if req.OutDir == "" {
		return nil
	}
	type file struct {
		name  string
		write Writer
		path  *string
	}
	files := []file{
		{part.Name + ".stl", p.STL, &a.STLFile},
		{part.Name + ".glb", p.GLB, &a.GLBFile},
		{part.Name + ".png", p.Thumbnail, &a.ThumbnailFile},
	}
	if req.Options.Pictures {
		files = append(files, file{part.Name + ".features.glb", p.FeatureGLB, &a.FeatureGLBFile},
			file{part.Name + ".features.png", p.FeaturePicture, &a.FeaturePictureFile})
	}
	for _, f := range files {
		path := filepath.Join(req.OutDir, f.name)
		if err := writeFile(path, part, f.write); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
		*f.path = path
	}
	return nil
}

func writeFile(path string, part *Part, write Writer) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f, part)
}

// baseName is the file's name without folders and extension, never empty.
func baseName(name string) string {
	base := filepath.Base(filepath.Clean("/" + name))
	base = base[:len(base)-len(filepath.Ext(base))]
	if base == "" || base == "/" {
		return "part"
	}
	return base
}
