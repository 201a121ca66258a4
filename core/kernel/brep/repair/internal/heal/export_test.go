package heal

import (
	"context"

	"millwright.dev/millwright/core/kernel/brep"
)

// Model heals a model that needs no sewing between Topology and Faces.
func Model(ctx context.Context, m *brep.Model) error {
	Topology(m)
	return Faces(ctx, m)
}
