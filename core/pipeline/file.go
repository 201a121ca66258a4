package pipeline

import (
	"context"
	"errors"
	"io"
	"slices"

	"millwright.dev/millwright/core/feature"
)

// View is the input of the writers of part files. It contains only the inputs of the file's stage.
type View struct {
	Title string // of the part
	Part
	Tessellation
	Found *feature.Result
}

// Writer writes one kind of file.
type Writer func(w io.Writer, v *View) error

// writer is a stage that writes a file; no other stage uses the file.
func writer(name Name, version int, params func(Params) any, from ...Name) stage {
	s := stage{name: name, version: version, params: params, from: from, weight: 5, title: "writing files"}
	s.make = func(_ context.Context, r *run) (any, error) {
		v := &View{Title: r.params.Title()}
		if slices.Contains(from, Model) {
			v.Part = value[Part](r, Model)
		}
		if slices.Contains(from, Mesh) {
			v.Tessellation = value[Tessellation](r, Mesh)
		}
		if slices.Contains(from, DisplayMesh) {
			v.Tessellation = r.displayed()
		}
		var err error
		if slices.Contains(from, FeatureList) {
			v.Found, err = r.listed(len(v.Mesh.Regions))
		}
		return v, err
	}
	s.encode = func(r *run, w io.Writer, v any) error {
		write, ok := r.Writers[name]
		if !ok {
			return errors.New("there is no writer for it")
		}
		return write(w, v.(*View))
	}
	return s
}
