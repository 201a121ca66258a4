package pipeline

import (
	"context"
	"encoding/json"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/group"
	"millwright.dev/millwright/core/feature/process"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/feature/setup"
	"millwright.dev/millwright/core/kernel/geom"
)

// PartSummary is the result of recognition for the part as a whole. Lists are never nil. Results of early versions have
// an empty PartSummary.
type PartSummary struct {
	Process Process `json:"process"`
	// CandidateDirections are the machining directions that a feature or a setup needs.
	CandidateDirections []geom.Vec3    `json:"candidateDirections"`
	Setups              Setups         `json:"setups"`
	FeatureGroups       []FeatureGroup `json:"featureGroups"`
	Unmachined          []Unmachined   `json:"unmachined"`
}

// Process is the manufacturing process of a part, as inferred from its shape.
type Process struct {
	Kind    process.Kind `json:"kind"`
	Reasons []string     `json:"reasons"` // one sentence each
	Turned  *Turned      `json:"turned,omitempty"`
	Sheet   *SheetBlank  `json:"sheet,omitempty"`
}

// Turned is the round stock and the axis of a turned part.
type Turned struct {
	Origin        geom.Vec3 `json:"origin"` // a point of the axis
	Axis          geom.Vec3 `json:"axis"`
	StockDiameter float64   `json:"stockDiameter"` // mm
	Length        float64   `json:"length"`        // mm along the axis
	FeatureTags   []string  `json:"featureTags"`   // made by turning; other features are milled or drilled
}

// SheetBlank is the blank of a sheet metal part.
type SheetBlank struct {
	Thickness float64 `json:"thickness"` // mm
	Bends     int     `json:"bends"`
	Flats     int     `json:"flats"` // planar flanges between the bends
}

// FeatureGroup is a group of equal features.
type FeatureGroup struct {
	FeatureTags []string      `json:"featureTags"` // in the order of the features, at least two
	Label       string        `json:"label"`       // callout as on a drawing
	Pattern     group.Pattern `json:"pattern,omitempty"`
}

// Unmachined is faces, or areas of faces, that no feature machines from its direction.
type Unmachined struct {
	RegionIdxs []int   `json:"regionIdxs"`           // ascending
	FeatureTag string  `json:"featureTag,omitempty"` // feature that contains the faces and machines them in part
	Area       float64 `json:"area"`                 // mm²
	Reason     string  `json:"reason"`               // one of the Reason constants of package feature
	Detail     string  `json:"detail"`               // one sentence for a machinist
}

// partSummary is the artifact Overall.
type partSummary struct {
	PartSummary
	// Bounds are the extents of the part along the candidate directions, in their order.
	Bounds   []DirectionZBounds `json:"directionZBounds"`
	Warnings []fault.Warning    `json:"warnings"` // of recognition
}

// Setup is the features that are visible from one direction.
type Setup struct {
	Index       int       `json:"index"` // from 1, the best first
	Direction   geom.Vec3 `json:"direction"`
	FeatureTags []string  `json:"featureTags"` // in the order of the features
}

// partSummaryVersion rises when the same features give a different part summary.
const partSummaryVersion = 12 << 16

// summarizePart makes the artifact PartSummaryStage.
func summarizePart(_ context.Context, r *run) (any, error) {
	found := value[*recognize.Recognition](r, Features)
	setups := setup.Choose(found.Graph, found.Visibility, found.Features)
	out := partSummary{Bounds: []DirectionZBounds{}, Warnings: unknownSurfaces(found), PartSummary: PartSummary{
		CandidateDirections: []geom.Vec3{}, Setups: []Setup{}, FeatureGroups: []FeatureGroup{},
		Process: processOf(found), Unmachined: unmachined(found),
	}}
	for i, s := range setups {
		out.Setups = append(out.Setups, Setup{i + 1, s.Direction, tagsOf(found.Features, s.Features)})
	}
	for _, g := range group.Find(found.Graph, found.Features, datasheet.Threads(found)) {
		tags := tagsOf(found.Features, g.Features)
		out.FeatureGroups = append(out.FeatureGroups, FeatureGroup{tags, g.Label, g.Pattern})
	}
	for i, d := range found.Directions {
		if isNeeded(d, found.Features, setups) {
			out.CandidateDirections = append(out.CandidateDirections, d)
			z := found.DirectionZ[i]
			out.Bounds = append(out.Bounds, DirectionZBounds{Direction: d, ZMin: z.Lo, ZMax: z.Hi})
		}
	}
	return out, nil
}

func processOf(found *recognize.Recognition) Process {
	c := process.Classify(found.Graph, found.Features)
	out := Process{Kind: c.Kind, Reasons: c.Reasons}
	if l := c.Lathe; l != nil {
		out.Turned = &Turned{l.Origin, l.Axis, l.StockDiameter, l.Length, tagsOf(found.Features, l.Features)}
	}
	if b := c.Blank; b != nil {
		out.Sheet = (*SheetBlank)(b)
	}
	return out
}

func isNeeded(d geom.Vec3, features []feature.Feature, setups []setup.Setup) bool {
	for i := range features {
		if direction.Same(features[i].Direction, d) {
			return true
		}
	}
	for _, s := range setups {
		if direction.Same(s.Direction, d) {
			return true
		}
	}
	return false
}

// tagsOf names features.
func tagsOf(features []feature.Feature, which []int) []string {
	out := make([]string, len(which))
	for k, i := range which {
		out[k] = features[i].Tag
	}
	return out
}

// Setups are the setups of a part, best first.
type Setups []Setup

// UnmarshalJSON reads setups. Results of early versions contain numbers of directions instead, which name no features;
// they are read as no setups.
func (s *Setups) UnmarshalJSON(data []byte) error {
	var numbers []int
	if json.Unmarshal(data, &numbers) == nil && len(numbers) > 0 {
		*s = Setups{}
		return nil
	}
	return json.Unmarshal(data, (*[]Setup)(s))
}

// unmachined returns the faces without a feature, by reason, and then the areas that are hidden from their feature.
func unmachined(found *recognize.Recognition) []Unmachined {
	out := []Unmachined{}
	for _, u := range found.Unmachined {
		area := 0.0
		if in := &found.Graph.Mesh.Regions[u.Region]; in.End > in.Start {
			area = found.Graph.Mesh.AreaOf(int(in.Start), int(in.End))
		}
		k := slices.IndexFunc(out, func(o Unmachined) bool { return o.Reason == u.Reason && o.Detail == u.Detail })
		if k < 0 {
			k = len(out)
			out = append(out, Unmachined{Reason: u.Reason, Detail: u.Detail})
		}
		out[k].RegionIdxs = append(out[k].RegionIdxs, u.Region)
		out[k].Area += area
	}
	for _, r := range found.Hidden {
		out = append(out, Unmachined{r.Regions, found.Features[r.Feature].Tag, r.Area, r.Reason, r.Detail})
	}
	return out
}
