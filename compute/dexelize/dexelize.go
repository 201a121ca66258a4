// Package dexelize is the primitive that turns a closed mesh into dexels; it runs on the processor only.
package dexelize

import (
	"errors"
	"fmt"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Input is the request for the dexels enclosed by a closed mesh: the points where a ray has entered the mesh more often
// than it has left it. Bodies may overlap each other, and a void is a shell that faces inward.
//
// The ends of spans lie on the triangles, up to the rounding of float32 and about 2⁻⁴⁵ of the coordinates. A ray
// through an edge or a corner counts for one of the triangles there, so no ray leaks through the mesh.
type Input struct {
	Lattice dexel.Lattice
	Mesh    *mesh.Mesh
}

// Primitive makes dexels of a mesh. Its items are the rays of all bundles.
var Primitive = &primitive.Primitive[Input, *dexel.Stock]{
	Name: "dexelize", Check: (*Input).Check, CPU: onCPU,
	Items: func(in *Input) int {
		n := in.Lattice.Count
		return n[0]*n[1] + n[1]*n[2] + n[2]*n[0]
	},
}

// Check returns an error for a lattice or a mesh that the primitive does not accept. An open mesh is only detected
// during the computation.
func (in *Input) Check() error {
	if err := in.Lattice.Check(); err != nil {
		return err
	}
	if in.Mesh == nil {
		return errors.New("dexels: there is no mesh")
	}
	for i, p := range in.Mesh.Points {
		if !p.IsFinite() {
			return fmt.Errorf("dexels: point %d of the mesh is at (%g, %g, %g)", i, p.X, p.Y, p.Z)
		}
	}
	for i, t := range in.Mesh.Triangles {
		for _, k := range t {
			if k < 0 || int(k) >= len(in.Mesh.Points) {
				return fmt.Errorf("dexels: triangle %d names point %d of %d", i, k, len(in.Mesh.Points))
			}
		}
	}
	return nil
}
