// Package mesh implements indexed triangle meshes with one region per face of the part.
package mesh

import "millwright.dev/millwright/core/kernel/geom"

// Mesh is a triangle mesh in part coordinates (mm). Triangles are counter-clockwise seen from
// outside the material and ordered by region.
type Mesh struct {
	Points    []geom.Vec3
	Triangles [][3]int32 // indices into Points
	Regions   []Region   // region i covers face i of the model
}

// Region is the part of the mesh that covers one face. A face of a sheet, which bounds no
// material, has an empty triangle range.
type Region struct {
	Start, End int32       // triangle range [Start, End)
	Vertices   []int32     // the points the region uses, ascending
	Normals    []geom.Vec3 // unit outward surface normal at each of Vertices
}
