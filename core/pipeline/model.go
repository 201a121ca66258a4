package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline/crosscheck"
)

// Part is the artifact Model: the content of a CAD file.
type Part struct {
	*brep.Model
	Format string // format of the content, such as step
}

// SplitName splits the name of a CAD file before its extension. A final ".gz" belongs to the extension before it.
func SplitName(file string) (stem, extension string) {
	packed := ""
	if path.Ext(file) != file && strings.EqualFold(path.Ext(file), ".gz") {
		file, packed = file[:len(file)-len(".gz")], file[len(file)-len(".gz"):]
	}
	stem = file[:len(file)-len(path.Ext(file))]
	return stem, path.Ext(file) + packed
}

// extension returns the extension of the file name, in lower case.
func (r Params) extension() string {
	_, extension := SplitName(r.FileName)
	return strings.ToLower(extension)
}

// Title returns the name of the file without folders and extension, never empty.
func (r Params) Title() string {
	base, _ := SplitName(path.Base(path.Clean("/" + r.FileName)))
	if base == "" || base == "/" {
		return "part"
	}
	return base
}

// modelVersion rises when a reader or healing gives a different model for some file.
const modelVersion = 28<<16 | codec.Version

// readModel reads the CAD file. A file without a closed solid is a fault of the file.
func readModel(ctx context.Context, r *run) (any, error) {
	f, err := r.files.Open(Source)
	if err != nil {
		return nil, fmt.Errorf("open the CAD file: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	var format string
	model, err := r.Reader.Read(ctx, f, f.Size(), r.params.FileName, func(found string) {
		format = found
		r.meter.found(r, found)
	})
	if err != nil {
		return nil, err
	}
	model.Warnings = append(model.Warnings, defects(model)...)
	if len(model.Solids) == 0 {
		return nil, openShell(model)
	}
	if found := crosscheck.Coordinates(model); len(found) > 0 {
		return nil, inconsistent(found)
	}
	return Part{Model: model, Format: format}, nil
}

// openShell returns the error of a model of surfaces without a solid. For a damaged file, it names a skipped face or
// shape.
func openShell(m *brep.Model) error {
	for _, w := range m.Warnings {
		if w.Code == brep.SkippedFace || w.Code == brep.SkippedShape {
			return fault.Errorf(fault.UnreadableFile,
				"The file is damaged, and its remaining faces enclose no volume. %s", w.Message)
		}
	}
	reason := fmt.Sprintf("The file holds only surfaces and no closed solid (faces: %d, open shells: %d).",
		len(m.Faces), len(m.Shells))
	for _, w := range m.Warnings {
		if w.Code == repair.OpenSolid || w.Code == repair.OpenSheet {
			reason += " " + w.Message
		}
	}
	return &fault.Error{Code: fault.OpenShell, Reason: reason}
}

// defects returns the defects of a healed model as warnings, one for each kind.
func defects(m *brep.Model) []fault.Warning {
	var out []fault.Warning
	for _, p := range brep.Check(m) {
		i := slices.IndexFunc(out, func(w fault.Warning) bool { return w.Code == p.Code })
		if i < 0 {
			out = append(out, p.Warning)
		} else {
			out[i].Count++
		}
	}
	return out
}

// MassProperties is the artifact Properties: figures computed from the boundary representation, not from a mesh.
type MassProperties struct {
	Volume    float64   `json:"volume"` // mm³ of the solids
	Area      float64   `json:"area"`   // mm² of all faces
	Centroid  geom.Vec3 `json:"centroid"`
	Bounds    Bounds    `json:"bounds"`
	FaceAreas []float64 `json:"faceAreas"` // mm², by face
	// mm, maximum distance between the boundary of a face and its surface, by face
	FaceGaps []float64 `json:"faceGaps"`
	// Bodies are the figures of each solid.
	Bodies []Body `json:"bodies"`
}

// Body is the measurements of one solid.
type Body struct {
	Volume float64 `json:"volume"` // mm³
	Bounds Bounds  `json:"bounds"`
}

// Bounds is an axis-aligned box, mm.
type Bounds struct {
	Min geom.Vec3 `json:"min"`
	Max geom.Vec3 `json:"max"`
}

// measure computes the exact properties of a model. A model without valid properties is a fault of the file.
func measure(ctx context.Context, r *run) (any, error) {
	m := value[Part](r, Model).Model
	props, err := mass.Compute(ctx, m)
	var unbounded *trim.Error
	if errors.As(err, &unbounded) {
		return nil, inconsistent([]crosscheck.Violation{{Check: crosscheck.Region, Detail: unbounded.Error()}})
	}
	if err != nil {
		return nil, fmt.Errorf("measure the solid: %w", err)
	}
	if found := crosscheck.Figures(m, props); len(found) > 0 {
		return nil, inconsistent(found)
	}
	out := MassProperties{
		Volume: props.Volume, Area: props.Area, Centroid: props.Centroid, Bounds: boundsOf(props.Bounds),
		FaceAreas: make([]float64, len(props.Faces)), FaceGaps: make([]float64, len(props.Faces)),
		Bodies: make([]Body, len(props.Solids)),
	}
	for i := range props.Faces {
		out.FaceAreas[i], out.FaceGaps[i] = props.Faces[i].Area, props.Faces[i].Gap
	}
	for i := range props.Solids {
		out.Bodies[i] = Body{props.Solids[i].Volume, boundsOf(props.Solids[i].Bounds)}
	}
	return out, nil
}

func boundsOf(b geom.Box) Bounds { return Bounds{Min: b.Min, Max: b.Max} }
