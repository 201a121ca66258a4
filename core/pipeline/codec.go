package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/mesh"
)

// encodeModel writes the length of the format's name, the name, and the model.
func encodeModel(_ *run, w io.Writer, v any) error {
	part := v.(Part)
	head := append(binary.AppendUvarint(nil, uint64(len(part.Format))), part.Format...)
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(codec.Encode(part.Model))
	return err
}

func decodeModel(_ context.Context, _ *run, data []byte) (any, error) {
	n, length := binary.Uvarint(data)
	if length <= 0 || n > uint64(len(data)-length) {
		return nil, errors.New("stored model: it ends in its head")
	}
	end := length + int(n)
	m, err := codec.Decode(data[end:])
	return Part{Model: m, Format: string(data[length:end])}, err
}

const (
	meshFormat  = "millwright mesh"
	meshVersion = 3 // of the byte format

	// tessellationVersion rises when a tessellator gives a different mesh for some model.
	tessellationVersion = 9<<16 | meshVersion
)

func codeMesh(c *pack.Archive, t *Tessellation) {
	mesh.Serialize(c, t.Mesh)
	mesh.SerializeLines(c, t.Mesh, &t.EdgeLines)
	c.Flags(&t.Watertight)
	c.Floats(&t.ChordTolerance, &t.AngleTolerance)
	pack.Slice(c, &t.Warnings, 4, func(w *fault.Warning) { codec.Warning(c, w) })
}

func encodeMesh(_ *run, w io.Writer, v any) error {
	tess := v.(Tessellation)
	c := pack.NewWriter(meshFormat, meshVersion)
	codeMesh(c, &tess)
	_, err := w.Write(c.Bytes())
	return err
}

func decodeMesh(_ context.Context, _ *run, data []byte) (any, error) {
	c, err := pack.NewReader(data, meshFormat, meshVersion)
	if err != nil {
		return nil, err
	}
	tess := Tessellation{Mesh: &mesh.Mesh{}}
	codeMesh(c, &tess)
	return tess, c.Close()
}

func encodeFeatures(_ *run, w io.Writer, v any) error {
	_, err := w.Write(v.(*recognize.Recognition).Encode())
	return err
}

func decodeFeatures(_ context.Context, r *run, data []byte) (any, error) {
	return recognize.Restore(value[Part](r, Model).Model, value[Tessellation](r, Mesh).Mesh, data)
}

const listFormat = "millwright feature list"

// listVersion rises when the list of the same features changes.
const listVersion = 28<<16 | recognize.Version

func codeList(c *pack.Archive, l *FeatureSet) {
	if pack.Integer(c, &l.Faces); c.Err() == nil {
		feature.Serialize(c, l.Result, l.Faces)
	}
}

func encodeList(_ *run, w io.Writer, v any) error {
	list := v.(FeatureSet)
	c := pack.NewWriter(listFormat, recognize.Version)
	codeList(c, &list)
	_, err := w.Write(c.Bytes())
	return err
}

func decodeList(_ context.Context, _ *run, data []byte) (any, error) {
	c, err := pack.NewReader(data, listFormat, recognize.Version)
	if err != nil {
		return nil, err
	}
	list := FeatureSet{Result: &feature.Result{}}
	codeList(c, &list)
	return list, c.Close()
}

func encodeJSON(_ *run, w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

func decodeJSON[T any](_ context.Context, _ *run, data []byte) (any, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, err
}
