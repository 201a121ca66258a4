package kernel

import (
	"io"

	"millwright/adapters/export/milled"
	"millwright/adapters/export/moves"
	"millwright/adapters/export/setupsheet"
	"millwright/core/completeness"
	"millwright/core/stage"
)

// jobWriters write the files of programs.
var jobWriters = map[stage.Name]stage.JobWriter{
	stage.PathsJSON:  func(w io.Writer, j *stage.Job) error { return moves.WriteJSON(w, j.Plan, j.Set) },
	stage.PathsGLB:   func(w io.Writer, j *stage.Job) error { return moves.WriteGLB(w, j.Title, j.Plan, j.Set) },
	stage.StockGLB:   func(w io.Writer, j *stage.Job) error { return milled.WriteStock(w, j.Left.Frame, j.Left.After) },
	stage.ResidueGLB: writeResidue,
	stage.SetupSheet: writeSetupSheet,
}

// writeResidue writes what is left above the part where it would be a finding, were it not declared.
func writeResidue(w io.Writer, j *stage.Job) error {
	left := j.Left.Stock
	if n := len(j.Left.After); n > 0 {
		left = j.Left.After[n-1]
	}
	return milled.WriteResidue(w, j.Left.Frame, left, j.Left.Part, completeness.LeastHeight)
}

func writeSetupSheet(w io.Writer, j *stage.Job) error {
	return setupsheet.Write(w, &setupsheet.Sheet{
		Title: j.Title, Config: &j.Config, Plan: j.Plan, Times: j.Times, Proof: j.Proof, Edges: j.Part.EdgeLines,
	})
}
