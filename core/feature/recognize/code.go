package recognize

import (
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Format and Version begin every stored run. Raise the version with every change of the stored form.
const (
	Format  = "millwright features"
	Version = 6
)

// Encode returns the stored form of a run: the features, and the costly results of graph and visibility. The model and
// the mesh are not part of it.
func (r *Recognition) Encode() []byte {
	c := pack.NewWriter(Format, Version)
	r.code(c)
	return c.Bytes()
}

// Restore returns the run that Encode wrote, on the same model and mesh. It is equal to the last bit. The error is
// pack.ErrVersion for bytes of another version.
func Restore(m *brep.Model, msh *mesh.Mesh, data []byte) (*Recognition, error) {
	c, err := pack.NewReader(data, Format, Version)
	if err != nil {
		return nil, fmt.Errorf("stored features: %w", err)
	}
	r := &Recognition{Graph: &graph.Graph{Model: m, Mesh: msh}, Visibility: &direction.Visibility{}}
	r.code(c)
	if err := c.Close(); err != nil {
		return nil, fmt.Errorf("stored features: %w", err)
	}
	return r, nil
}

func (r *Recognition) code(c *pack.Archive) {
	if graph.Serialize(c, r.Graph); c.Err() != nil {
		return
	}
	direction.Serialize(c, r.Visibility, len(r.Graph.Patches))
	feature.Serialize(c, &r.Result, len(r.Graph.Model.Faces))
}
