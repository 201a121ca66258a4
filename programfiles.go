package millwright

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/export/paths"
	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/adapters/export/stockview"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/pipeline"
)

// programFiles are the writers of the files of programs.
var programFiles = map[pipeline.Name]pipeline.JobWriter{
	pipeline.PathsJSON: func(w io.Writer, j *pipeline.ProgramView) error {
		return paths.WriteJSON(w, j.Plan, j.Set)
	},
	pipeline.PathsGLB: func(w io.Writer, j *pipeline.ProgramView) error {
		return paths.WriteGLB(w, j.Title, j.Plan, j.Set)
	},
	pipeline.StockGLB: func(w io.Writer, j *pipeline.ProgramView) error {
		return stockview.WriteStock(w, j.Left.Frame, j.Left.After)
	},
	pipeline.ResidueGLB: writeResidue,
	pipeline.TimedMoves: func(w io.Writer, j *pipeline.ProgramView) error {
		return paths.WriteTimed(w, j.Plan, j.Set, estimate.Clock(j.Set, &j.Config.Machine))
	},
	pipeline.InProcessStock: func(w io.Writer, j *pipeline.ProgramView) error {
		return inprocess.Write(w, j.Proof.Digest, j.Left.Recorded)
	},
	pipeline.SetupSheet:  writeSetupSheet,
	pipeline.ToolTable:   writeToolTable,
	pipeline.ProgramJSON: writeProgramJSON,
	pipeline.Devices:     writeDevices,
	pipeline.Bundle:      writeBundle,
}

// writeResidue writes the rest material that is higher than completeness.LeastHeight.
func writeResidue(w io.Writer, j *pipeline.ProgramView) error {
	left := j.Left.Stock
	if n := len(j.Left.After); n > 0 {
		left = j.Left.After[n-1]
	}
	return stockview.WriteResidue(w, j.Left.Frame, left, j.Left.Part, completeness.LeastHeight)
}

func writeSetupSheet(w io.Writer, j *pipeline.ProgramView) error {
	return setupsheet.Write(w, &setupsheet.Sheet{
		Title: j.Title, Config: &j.Config, Plan: j.Plan, Times: j.Times, Proof: j.Proof, Edges: j.Part.EdgeLines,
	})
}

// writeToolTable writes nothing for an unknown post, which a cut config of an earlier release may name; the program
// fails then.
func writeToolTable(w io.Writer, j *pipeline.ProgramView) error {
	d := post.ByName(j.Config.Post)
	if d == nil {
		return nil
	}
	_, text := gcode.Tools(d, j.Plan)
	_, err := io.WriteString(w, text)
	return err
}

// writeProgramJSON writes nothing where writeToolTable does not.
func writeProgramJSON(w io.Writer, j *pipeline.ProgramView) error {
	d := post.ByName(j.Config.Post)
	if d == nil {
		return nil
	}
	text, err := gcode.Document(d, j.Title, j.Plan, &j.Config, j.Proof.Digest)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// writeBundle writes nothing for a program that fails, which has no g-code.
func writeBundle(w io.Writer, j *pipeline.ProgramView) error {
	d := post.ByName(j.Config.Post)
	if d == nil || !j.Proof.Passes() {
		return nil
	}
	files, err := gcode.Files(d, j.Title, j.Plan, j.Set, &j.Config, j.Proof.Digest)
	if errors.Is(err, post.ErrCannot) {
		return nil
	}
	if err != nil {
		return err
	}
	var sheet bytes.Buffer
	if err := writeSetupSheet(&sheet, j); err != nil {
		return err
	}
	account, err := gcode.Indented(j.Plan.Account)
	if err != nil {
		return err
	}
	files = append(files, gcode.File{Name: "account.json", Data: account},
		gcode.File{Name: "setup-sheet.html", Data: sheet.Bytes()})
	for i, picture := range setupsheet.Pictures(sheet.String()) {
		files = append(files, gcode.File{Name: fmt.Sprintf("setup%d.svg", i+1), Data: []byte(picture)})
	}
	devices, err := deviceFiles(j.Title, j.Plan)
	if err != nil {
		return err
	}
	return gcode.Pack(w, append(files, devices...))
}
