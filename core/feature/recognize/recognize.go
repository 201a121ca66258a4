// Package recognize finds the machining features of a part by rules on its adjacency graph and on the surfaces that
// each direction sees.
package recognize

// Recognition of a whole part.
//
// Rules (rule.go) read the facts of the part (context.go) and the claims of earlier rules (claims.go), and propose
// candidates. The verifier (verify.go) accepts or refuses each candidate. A patch belongs to the first feature that
// claims it. Holes, channels and chamfers need the graph only, all other rules also the visibility from each direction.
// For an uncertain hypothesis, the part is read both ways, and the selector (select.go) takes the reading with the
// lower cost (cost.go).
// Limits: one direction per feature. A feature that needs several setups has the direction that sees most of it.

import (
	"context"
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/mesh"
)

// RulesVersion is part of the key of stored features. It rises whenever some part has other features.
const RulesVersion = 50

// Recognition is the features of one part, with its graph and visibility.
type Recognition struct {
	Graph      *graph.Graph
	Visibility *direction.Visibility
	feature.Result
}

// Recognize finds the candidate directions and the features of a part. msh must have one region per face of m, with
// normals; faces of sheet bodies are ignored. The error is that of vis or ctx.
func Recognize(ctx context.Context, m *brep.Model, msh *mesh.Mesh, vis feature.Visibility) (*Recognition, error) {
	if len(msh.Regions) != len(m.Faces) {
		return nil, fmt.Errorf("recognition: mesh has %d regions for %d faces", len(msh.Regions), len(m.Faces))
	}
	pc, err := newPartContext(ctx, m, msh, vis)
	if err != nil {
		return nil, err
	}
	r, err := best(ctx, pc)
	if err != nil {
		return nil, err
	}
	res, err := result(ctx, r)
	if err != nil {
		return nil, err
	}
	res.Hidden = direction.Hidden(pc.g, pc.v, res.Features)
	pc.v.Fractions = nil
	return &Recognition{Graph: pc.g, Visibility: pc.v, Result: res}, nil
}
