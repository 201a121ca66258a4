package thumbnail

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// camera maps part coordinates to the picture: x to the right and y down in samples, z in samples too,
// growing toward the viewer, so that a cube keeps its proportions in all three.
type camera struct {
	right, down, front geom.Vec3 // unit, in part coordinates
	scale              float64   // samples per mm
	x, y, z            float64   // offsets in samples
}

// fit returns the camera whose picture of m leaves the margin free on all sides.
func fit(m *mesh.Mesh, direction geom.Vec3, size int) (*camera, error) {
	front := direction.Unit()
	up := geom.Vec3{Z: 1}
	if front.Cross(up).Norm() < geom.AngularResolution {
		up = geom.Vec3{Y: 1} // looking along z
	}
	right := up.Cross(front).Unit()
	c := &camera{right: right, down: right.Cross(front), front: front, scale: 1}
	box := geom.EmptyBox()
	for i := range m.Regions {
		if r := &m.Regions[i]; r.Start < r.End {
			for _, v := range r.Vertices {
				box = box.Add(c.point(m.Points[v]))
			}
		}
	}
	if box.IsEmpty() {
		return nil, ErrEmpty
	}
	extent := box.Size()
	largest := max(extent.X, extent.Y, extent.Z)
	if largest == 0 {
		return nil, ErrEmpty
	}
	if !box.Min.IsFinite() || !box.Max.IsFinite() || math.IsInf(largest, 0) {
		return nil, fmt.Errorf("thumbnail: coordinates that are not finite: %v to %v", box.Min, box.Max)
	}
	// A mesh seen exactly from its edge has no extent in the picture; its depth then gives the scale.
	inPicture := max(extent.X, extent.Y)
	if inPicture < largest*1e-9 {
		inPicture = largest
	}
	samples := float64(size * perPixel)
	c.scale = samples * (1 - 2*margin) / inPicture
	center := box.Center()
	c.x = samples/2 - center.X*c.scale
	c.y = samples/2 - center.Y*c.scale
	c.z = -center.Z * c.scale
	return c, nil
}

// point returns the picture coordinates of a point, in samples.
func (c *camera) point(p geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: p.Dot(c.right)*c.scale + c.x,
		Y: p.Dot(c.down)*c.scale + c.y,
		Z: p.Dot(c.front)*c.scale + c.z,
	}
}

// dir returns a direction in the axes of the picture: right, down, toward the viewer.
func (c *camera) dir(d geom.Vec3) [3]float32 {
	return [3]float32{float32(d.Dot(c.right)), float32(d.Dot(c.down)), float32(d.Dot(c.front))}
}
