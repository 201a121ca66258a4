// Package thumbnail renders a shaded picture of a mesh with its feature edges on the CPU.
//
// Method: orthographic projection fitted to the part, a z-buffer of 4×4 samples per pixel in tiles that fit in the
// cache, one shading per visible triangle and pixel (deferred: the z-buffer stores triangle numbers), three lights
// fixed to the camera. Lines are tested sample by sample against the z-buffer and drawn with analytic coverage
// afterward, so that they are smooth over the background too.
//
// Cost: linear in triangles plus samples; memory: about 40 bytes per corner of the mesh, one tile per core and the
// picture. Tiles are independent, so the picture does not depend on the number of cores. There are no shadows,
// transparency or textures.
package thumbnail

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Options selects the picture; the zero value is the service's picture.
type Options struct {
	Size int // edge length of the square picture in pixels, at most 4096; 0 = 512
	// Direction points from the part to the viewer, in part coordinates; zero = from the front, right
	// and above. The z axis of the part points up in the picture.
	Direction geom.Vec3
	// Colors are the face colors by region; a nil or missing entry is steel gray.
	Colors []*brep.Color
}

const (
	defaultSize = 512
	maxSize     = 4096
	margin      = 0.06 // of the picture, on the tighter pair of sides
)

// defaultDirection is close to the isometric direction, but rotated so that the edges of a cube do not coincide.
var defaultDirection = geom.Vec3{X: 0.62, Y: -1, Z: 0.72}

// ErrEmpty reports that a mesh has no triangle with an extent.
var ErrEmpty = errors.New("thumbnail: the mesh has no triangles to show")

// Render draws m and the lines edges (polylines in mm, typically the edges of the part). It fails with
// ErrEmpty, and for coordinates that are not finite or regions without normals.
func Render(m *mesh.Mesh, edges [][]geom.Vec3, opts Options) (*image.NRGBA, error) {
	if opts.Size == 0 {
		opts.Size = defaultSize
	}
	if opts.Size < 1 || opts.Size > maxSize {
		return nil, fmt.Errorf("thumbnail: size %d is not within 1 to %d", opts.Size, maxSize)
	}
	if opts.Direction == (geom.Vec3{}) {
		opts.Direction = defaultDirection
	}
	cam, err := fit(m, opts.Direction, opts.Size)
	if err != nil {
		return nil, err
	}
	s, err := newScene(m, cam, opts.Colors)
	if err != nil {
		return nil, err
	}
	s.addLines(cam, edges)
	s.addOutlines(m)
	img := image.NewNRGBA(image.Rect(0, 0, opts.Size, opts.Size))
	visible := s.renderTiles(img, opts.Size)
	strokes(img, visible, opts.Size)
	return img, nil
}

// WritePNG writes a picture as PNG.
func WritePNG(w io.Writer, img image.Image) error {
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("thumbnail: %w", err)
	}
	return nil
}
