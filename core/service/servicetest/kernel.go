package servicetest

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"millwright/core/feature"
	"millwright/core/geom"
	"millwright/core/service"
)

// KernelFunc makes a kernel of a function.
type KernelFunc func(context.Context, service.KernelRequest, func(int, string)) (*service.Analysis, error)

// Analyze implements service.Kernel.
func (f KernelFunc) Analyze(ctx context.Context, req service.KernelRequest, progress func(int, string),
) (*service.Analysis, error) {
	return f(ctx, req, progress)
}

// Contents of the files that Cube writes. The STL also repeats the source, so that a test can tell
// which file a result was made from.
const (
	CubeSTL = "solid cube of "
	CubeGLB = "glTF cube"
	CubePNG = "\x89PNG cube"
)

// Datasheets has facts of each feature that is a Hole or a Face and has one of the tags, or any tag when
// there are none.
func Datasheets(features []service.PartFeature, tags []string) []service.FeatureSheet {
	out := []service.FeatureSheet{}
	for _, f := range features {
		if len(tags) > 0 && !slices.Contains(tags, f.FeatureTag) {
			continue
		}
		sheet := feature.Datasheet{
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
			continue
		}
		out = append(out, service.FeatureSheet{FeatureTag: f.FeatureTag, Datasheet: sheet})
	}
	return out
}

// Cube is a kernel that finds a cube with a hole in every file, measures what it is asked to, and writes
// all three outputs when there is a folder for them.
func Cube(
	_ context.Context, req service.KernelRequest, progress func(int, string),
) (*service.Analysis, error) {
	progress(0, "reading")
	source, err := os.ReadFile(req.Source)
	if err != nil {
		return nil, err
	}
	up := geom.Vec3{Z: 1}
	a := &service.Analysis{
		KernelVersion: "test-1", Format: "step", Solids: 1, Shells: 1, Faces: 2, Volume: 1000, Area: 600,
		Watertight: true, MeshPointCount: 8, MeshTriangleCount: 12,
		Warnings: []string{"#7 PLANE: the name says IGES"},
		Regions: []service.Region{
			{Idx: 0, ShapeKind: "Plane", Area: 100, TriangleEnd: 2},
			{Idx: 1, SplitOrigin: 1, ShapeKind: "Cylinder", Area: 50, TriangleStart: 2, TriangleEnd: 12},
		},
		Features: []service.PartFeature{
			{FeatureTag: "00ff", RegionIdxs: []int{0}, FeatureType: "Face", MachiningDirection: up},
			{FeatureTag: "00fe", FeatureType: "Hole", MachiningDirection: up},
		},
		CandidateDirections: []geom.Vec3{up},
	}
	if req.Options.Details {
		a.Datasheets = Datasheets(a.Features, req.Options.FeatureTags)
		a.DirectionZBounds = []service.DirectionZBounds{{Direction: up, ZMax: 10}}
	}
	if req.OutDir == "" {
		progress(100, "done")
		return a, nil
	}
	for _, f := range []struct {
		made    *string
		name    string
		content string
	}{
		{&a.STLFile, "cube.stl", CubeSTL + string(source)},
		{&a.GLBFile, "cube.glb", CubeGLB},
		{&a.ThumbnailFile, "cube.png", CubePNG},
	} {
		*f.made = filepath.Join(req.OutDir, f.name)
		if err := os.WriteFile(*f.made, []byte(f.content), 0o600); err != nil {
			return nil, err
		}
	}
	progress(100, "done")
	return a, nil
}
