package servicetest

import (
	"context"
	"os"
	"path/filepath"

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

// Cube is a kernel that finds a cube with a hole in every file and writes all three outputs.
func Cube(
	_ context.Context, req service.KernelRequest, progress func(int, string),
) (*service.Analysis, error) {
	progress(0, "reading")
	source, err := os.ReadFile(req.Source)
	if err != nil {
		return nil, err
	}
	up := service.Vec3{Z: 1}
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
			{FeatureTag: "00ff", FeatureType: "Hole", MachiningDirection: up},
		},
		CandidateDirections: []service.Vec3{up},
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
