package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
)

// recognizeFeatures finds the directions and the features of a part.
func recognizeFeatures(ctx context.Context, r *run) (any, error) {
	found, err := recognize.Recognize(ctx, value[Part](r, Model).Model, value[Tessellation](r, Mesh).Mesh, r.Visibility)
	if err != nil {
		return nil, fmt.Errorf("recognise features: %w", err)
	}
	return found, nil
}

// FeatureSet is the artifact FeatureList: the features of a part, without the graph, the model and the mesh, which only
// datasheets need.
type FeatureSet struct {
	*feature.Result
	Faces int // number of faces of the part; regions of the result are less
}

func listFeatures(_ context.Context, r *run) (any, error) {
	found := value[*recognize.Recognition](r, Features)
	return FeatureSet{Result: &found.Result, Faces: len(found.Graph.Model.Faces)}, nil
}

// listed returns the features of a part with the given number of faces.
func (r *run) listed(faces int) (*feature.Result, error) {
	list := value[FeatureSet](r, FeatureList)
	if list.Faces != faces {
		return nil, fmt.Errorf("the part has %d faces, but its features refer to %d", faces, list.Faces)
	}
	return list.Result, nil
}

// datasheetsVersion is the version of the measurement, shifted by 16 bits, and the version of the JSON.
const datasheetsVersion = datasheet.Version<<16 | 1

// DatasheetSet is the artifact Datasheets.
type DatasheetSet struct {
	Sheets []FeatureSheet `json:"datasheets"`
	// DirectionZBounds are the extents of the part along its candidate directions, in their order.
	DirectionZBounds []DirectionZBounds `json:"directionZBounds"`
}

// FeatureSheet is the datasheet of the feature with a tag.
type FeatureSheet struct {
	FeatureTag string             `json:"featureTag"`
	Datasheet  *feature.Datasheet `json:"datasheet"` // nil: it could not be measured
}

// DirectionZBounds is the extent (mm) of the part along one candidate direction.
type DirectionZBounds struct {
	Direction geom.Vec3 `json:"direction"`
	ZMin      float64   `json:"zMin"`
	ZMax      float64   `json:"zMax"`
}

// measureFeatures measures the features with the tags of the parameters, or all features without tags.
func measureFeatures(ctx context.Context, r *run) (any, error) {
	found, tags := value[*recognize.Recognition](r, Features), r.params.FeatureTags
	asked := make([]bool, len(found.Features))
	for i := range found.Features {
		asked[i] = len(tags) == 0 || slices.Contains(tags, found.Features[i].Tag)
	}
	measured := r.sheets
	if len(tags) > 0 {
		measured = func() ([]feature.Datasheet, error) { return r.measureSheets(ctx, asked) }
	}
	sheets, err := measured()
	if err != nil {
		return nil, err
	}
	out := DatasheetSet{Sheets: []FeatureSheet{}, DirectionZBounds: value[partSummary](r, PartSummaryStage).Bounds}
	for i := range found.Features {
		if !asked[i] {
			continue
		}
		sheet := FeatureSheet{FeatureTag: found.Features[i].Tag}
		if isWritable(&sheets[i]) {
			sheet.Datasheet = &sheets[i]
		}
		out.Sheets = append(out.Sheets, sheet)
	}
	return out, nil
}

// measureSheets measures the features of the part for which only is true; nil measures all.
func (m *build) measureSheets(ctx context.Context, only []bool) ([]feature.Datasheet, error) {
	sheets, err := datasheet.Measure(ctx, m.runs[Features].value.(*recognize.Recognition),
		datasheet.Options{Only: only})
	if err != nil {
		return nil, fmt.Errorf("measure features: %w", err)
	}
	return sheets, nil
}

// isWritable reports whether all numbers of a datasheet are finite, as JSON requires.
func isWritable(d *feature.Datasheet) bool {
	_, err := json.Marshal(d)
	return err == nil
}

// shown returns the warnings in the form of results.
func shown(ws ...[]fault.Warning) []fault.Warning {
	out := []fault.Warning{}
	for _, w := range slices.Concat(ws...) {
		out = append(out, w.Summed())
	}
	return out
}
