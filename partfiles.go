package millwright

import (
	"image"
	"image/draw"
	"io"

	"millwright.dev/millwright/adapters/export"
	"millwright.dev/millwright/adapters/export/featurecolor"
	"millwright.dev/millwright/adapters/export/glb"
	"millwright.dev/millwright/adapters/export/stl"
	"millwright.dev/millwright/adapters/export/threemf"
	"millwright.dev/millwright/adapters/export/thumbnail"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// partFiles are the writers of files that show a part.
var partFiles = map[pipeline.Name]pipeline.Writer{
	pipeline.STL:            func(w io.Writer, v *pipeline.View) error { return stl.Write(w, v.Mesh) },
	pipeline.GLB:            writeGLB,
	pipeline.ThreeMF:        writeThreeMF,
	pipeline.Thumbnail:      writeThumbnail,
	pipeline.FeatureGLB:     writeFeatureGLB,
	pipeline.FeaturePicture: writeFeaturePicture,
}

func writeGLB(w io.Writer, v *pipeline.View) error {
	edges := export.Edges(v.Model, v.EdgeLines)
	return glb.Write(w, v.Mesh, glb.Options{Name: v.Title, Colors: colors(v.Model), Edges: edges})
}

// writeThreeMF writes the part with a material for each kind of feature.
func writeThreeMF(w io.Writer, v *pipeline.View) error {
	materials, ofRegion := featurecolor.Materials(v.Found.Features, len(v.Mesh.Regions))
	return threemf.Write(w, v.Mesh, threemf.Options{Name: v.Title, Materials: materials, OfRegion: ofRegion})
}

func writeThumbnail(w io.Writer, v *pipeline.View) error {
	edges := export.SharpEdges(v.Model, v.EdgeLines)
	picture, err := thumbnail.Render(v.Mesh, edges, thumbnail.Options{Colors: colors(v.Model)})
	if err != nil {
		return err
	}
	return thumbnail.WritePNG(w, picture)
}

// writeFeatureGLB writes the part with a node for each feature, colored by kind.
func writeFeatureGLB(w io.Writer, v *pipeline.View) error {
	return glb.Write(w, v.Mesh, glb.Options{
		Name: v.Title, Edges: export.Edges(v.Model, v.EdgeLines),
		Groups: featurecolor.Groups(v.Found), Extras: featurecolor.Legend(),
	})
}

// writeFeaturePicture draws the part with its faces colored by kind of feature, side by side from the front,
// right and above, and from the back, left and below.
func writeFeaturePicture(w io.Writer, v *pipeline.View) error {
	const size = 1024 // pixels: it is to be looked at
	owners := featurecolor.Owners(v.Found.Features, len(v.Mesh.Regions))
	colors := featurecolor.Colors(v.Found.Features, owners)
	borders := export.BorderEdges(v.Model, v.EdgeLines, func(f brep.FaceID) int { return owners[f] })
	both := image.NewNRGBA(image.Rect(0, 0, 2*size, size))
	for i, from := range []geom.Vec3{{X: 0.62, Y: -1, Z: 0.72}, {X: -0.62, Y: 1, Z: -0.72}} {
		view, err := thumbnail.Render(v.Mesh, borders, thumbnail.Options{
			Size: size, Direction: from, Colors: colors,
		})
		if err != nil {
			return err
		}
		draw.Draw(both, view.Bounds().Add(image.Pt(i*size, 0)), view, image.Point{}, draw.Src)
	}
	return thumbnail.WritePNG(w, both)
}

func colors(m *brep.Model) []*brep.Color {
	out := make([]*brep.Color, len(m.Faces))
	for i := range m.Faces {
		out[i] = m.Faces[i].Color
	}
	return out
}
