// Package viewer shows the results of package compute's kernels for a part: on a screen, where the view can be rotated
// and stepped, or as a PNG file. It draws in the context in which the kernels run, directly from their output buffers.
//
// Directions, tools and moves are chosen for the part. The picture is a parallel view with a light next to the eye. The
// package needs the tag gpu, and a window also needs the tag glfw.
package viewer

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Kernel is the kernel whose result is shown.
type Kernel int

// The kernels, in the order of their keys.
const (
	Visibility Kernel = iota // of the surface from a direction
	HeightMap                // from a direction
	TipMap                   // of a tool from above, beside the height map
	Dexels                   // after the first rows of a tool's way over the part
)

// Names of the kernels, in their order.
var Names = []string{"visibility", "height-map", "tip-map", "dexels"}

// String returns the name of the kernel.
func (k Kernel) String() string { return Names[k] }

// Options say what is seen, and how.
type Options struct {
	Mesh          *mesh.Mesh
	Kernel        Kernel
	Step          int // a direction, a tool or the rows of the way; counts round
	Camera        Camera
	Width, Height int // pixels
}

// Camera is a parallel view from far away onto the middle of a part.
type Camera struct {
	Yaw, Pitch float64 // rad: of the eye about z, from x on, and above the plane of x and y
	Zoom       float64 // 1: the part fits the picture from everywhere
}

// Front is the initial view: from the front, somewhat from the side and above.
var Front = Camera{Yaw: -math.Pi / 3, Pitch: math.Pi / 6, Zoom: 1}

// Orbit turns the camera as if the mouse dragged the part by so many pixels to the right and down.
func (c *Camera) Orbit(right, down float64) {
	const perPixel = 0.01 // rad
	c.Yaw = math.Remainder(c.Yaw-right*perPixel, 2*math.Pi)
	c.Pitch = max(-math.Pi/2, min(math.Pi/2, c.Pitch+down*perPixel))
}

// Closer zooms in by so many notches of the wheel, or out.
func (c *Camera) Closer(notches float64) {
	const least, most = 0.1, 100
	c.Zoom = max(least, min(most, c.Zoom*math.Pow(1.1, notches)))
}

// frame returns the picture's right and up, and the direction to the eye.
func (c Camera) frame() geom.Frame {
	sy, cy := math.Sincos(c.Yaw)
	sp, cp := math.Sincos(c.Pitch)
	return geom.Frame{
		X: geom.Vec3{X: -sy, Y: cy},
		Y: geom.Vec3{X: -sp * cy, Y: -sp * sy, Z: cp},
		Z: geom.Vec3{X: cp * cy, Y: cp * sy, Z: sp},
	}
}

// scale returns the length of 1 mm along the axes of the frame in the coordinates of a picture, which range from -1 to
// 1, for a part with the given diagonal in mm.
func (c Camera) scale(diagonal float64, width, height int) [3]float32 {
	const filled, depth = 1.7, 0.5 // of the 2 units
	w, h := float64(max(width, 1)), float64(max(height, 1))
	s := filled * c.Zoom / diagonal * min(w, h)
	return [3]float32{float32(s / w), float32(s / h), float32(depth / diagonal)}
}
