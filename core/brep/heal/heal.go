// Package heal repairs what writers of CAD files get wrong in an otherwise sound boundary representation:
// faces whose sense contradicts their loops, and edges in which a solid touches itself. It changes nothing
// that is right, and records what it changed as warnings of the model.
package heal

import (
	"context"
	"fmt"

	"millwright/core/brep"
)

// Warning codes.
const (
	TurnedFace   = "turned_face"   // a face's sense was negated
	TouchingEdge = "touching_edge" // an edge was split, where a solid touches itself
)

// Model repairs m in place. The error is that of ctx.
func Model(ctx context.Context, m *brep.Model) error {
	turned, err := turnedFaces(ctx, m)
	if err != nil {
		return err
	}
	for _, f := range turned {
		m.Faces[f].Reversed = !m.Faces[f].Reversed
	}
	if n := len(turned); n > 0 {
		warn(m, TurnedFace, n, "The sense of face #%d contradicted its edges and was negated",
			m.Faces[turned[0]].Source)
	}
	if split := SplitTouching(m); len(split) > 0 {
		warn(m, TouchingEdge, len(split), "The solid touches itself in edge #%d, which was split",
			m.Edges[split[0]].Source)
	}
	return nil
}

func warn(m *brep.Model, code string, count int, format string, args ...any) {
	m.Warnings = append(m.Warnings,
		brep.Warning{Code: code, Count: count, Detail: fmt.Sprintf(format, args...) + "."})
}
