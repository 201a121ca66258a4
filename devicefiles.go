package millwright

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/export/step"
	"millwright.dev/millwright/adapters/export/stl"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/pipeline"
)

// Devices returns the files of the devices that are made for the part: a STEP and an STL file of each piece, in its own
// frame. Each can be a part of its own program.
func (p *Program) Devices() ([]gcode.File, error) { return deviceFiles(p.Title, p.Plan) }

func deviceFiles(title string, plan *planning.Plan) (files []gcode.File, err error) {
	for i := range plan.Setups {
		pieces := plan.Setups[i].Clamping.Pieces
		for k := range pieces {
			p := &pieces[k]
			solid, err := p.Solid()
			if err != nil {
				return nil, err
			}
			mesh, err := tessellate.Mesh(context.Background(), solid, tessellate.Options{})
			if err != nil {
				return nil, err
			}
			var exact, facets bytes.Buffer
			if err := step.Write(&exact, fmt.Sprintf("%s, setup %d, %s", title, i+1, p.Name), solid); err != nil {
				return nil, err
			}
			if err := stl.Write(&facets, mesh.Mesh); err != nil {
				return nil, err
			}
			name := p.FileName(i + 1)
			files = append(files, gcode.File{Name: name + ".step", Data: exact.Bytes()},
				gcode.File{Name: name + ".stl", Data: facets.Bytes()})
		}
	}
	return files, nil
}

// writeDevices writes nothing for a plan without devices that are made for the part.
func writeDevices(w io.Writer, j *pipeline.ProgramView) error {
	files, err := deviceFiles(j.Title, j.Plan)
	if err != nil || len(files) == 0 {
		return err
	}
	return gcode.Pack(w, files)
}
