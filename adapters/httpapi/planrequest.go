package httpapi

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/program"
)

// ProgramRequest is the request for a program or for toolpaths.
type ProgramRequest struct {
	CutConfigID NullableID `json:"cutConfigId,omitempty" doc:"By default the default of the part's project, else of the user who made the key, else the first built-in one."`
	PlanTerms
}

// PlanRequest is the request for a plan.
type PlanRequest struct {
	CutConfigID NullableID `json:"cutConfigId,omitempty" doc:"As of a program."`
	FeatureIDs  []string   `json:"featureIds,omitempty" format:"uuid" doc:"Features of one run to plan; all of the latest by default."`
	Name        string     `json:"name,omitempty" maxLength:"200" doc:"For people; need not be unique."`
	PlanTerms
}

// PlanTerms are the changes of a cut config for one request, and further terms of a plan. (huma sees exported types
// only.)
type PlanTerms struct {
	Material         configMember[machining.Material] `json:"material,omitempty" doc:"The material, in place of that of the cut config: the name of a known one, or an object."`
	Stock            configMember[machining.Stock]    `json:"stock,omitempty" doc:"The stock: members that are left out are those of the cut config."`
	Machine          configMember[machining.Machine]  `json:"machine,omitempty" doc:"The machine: members that are left out are those of the cut config."`
	Quantity         int                              `json:"quantity,omitempty" minimum:"1" maximum:"10000" default:"10" doc:"Parts in a batch. Setups and devices are chosen by their cost for it. The price has a quantity of its own."`
	Setups           []FixedSetup                     `json:"setups,omitempty" maxItems:"24" doc:"Setups that come first, in this order; others follow where something is left. One in which nothing can be made is left out, with a warning."`
	DoneRegions      []int                            `json:"doneRegions,omitempty" minimum:"0" maxItems:"100000" doc:"Regions of the part that are finished before the first setup. Nothing makes them, and they can be gripped."`
	FallbackTools    bool                             `json:"fallbackTools,omitempty" doc:"Makes up tools for what the libraries cannot cut. They are marked in tools, with the reason."`
	ExcludedFeatures []string                         `json:"excludedFeatures,omitempty" format:"uuid" doc:"Features that are not made, of one run with featureIds. They are in the account as not_requested."`
}

// FixedSetup is a setup that a request fixes.
type FixedSetup struct {
	Direction   Direction `json:"direction" doc:"From the part towards the spindle, of any length."`
	Workholding string    `json:"workholding,omitempty" enum:"vise,fixture,none" doc:"Device that holds the part; by default whatever holds it."`
}

// Direction is a direction in coordinates of the part, in a request.
type Direction struct {
	X float64 `json:"x" doc:"Component along x."`
	Y float64 `json:"y" doc:"Component along y."`
	Z float64 `json:"z" doc:"Component along z."`
}

// TransformSchema makes the whole body nullable.
func (ProgramRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Nullable = true
	return s
}

// TransformSchema makes the whole body nullable.
func (PlanRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Nullable = true
	return s
}

// configMember is a member of a cut config in a request. The use case decodes it and reports all of its errors at once;
// huma accepts any value.
type configMember[T any] struct{ text json.RawMessage }

// UnmarshalJSON implements json.Unmarshaler.
func (m *configMember[T]) UnmarshalJSON(text []byte) error { return m.text.UnmarshalJSON(text) }

// Schema implements huma.SchemaProvider. The form stands in an extension, so that it is described and not checked.
func (m configMember[T]) Schema(huma.Registry) *huma.Schema {
	ref := func(name string) map[string]any { return map[string]any{"$ref": "#/components/schemas/" + name} }
	null := map[string]any{"type": "null"}
	forms := []any{null}
	switch any(m).(type) {
	case configMember[machining.Material]:
		names := []any{}
		for _, known := range cutting.KnownMaterials() {
			names = append(names, known.Name)
		}
		forms = append(forms, ref("Material"), map[string]any{"type": "string", "examples": names})
	case configMember[machining.Stock]:
		forms = append(forms, ref("StockPart"))
	default:
		forms = append(forms, ref("MachinePart"))
	}
	return &huma.Schema{Extensions: map[string]any{"anyOf": forms}}
}

// order is the use case's form of a request for a program; of none it is the default.
func (r *ProgramRequest) order(partID string) program.CreateInput {
	if r == nil {
		return program.CreateInput{PartID: partID}
	}
	return program.CreateInput{PartID: partID, CutConfigID: r.CutConfigID.Value, PlanRequest: r.PlanTerms.asked()}
}

// order is the use case's form of a request for a plan; of none it is the default.
func (r *PlanRequest) order(partID string) program.CreatePlanInput {
	if r == nil {
		return program.CreatePlanInput{CreateInput: program.CreateInput{PartID: partID}}
	}
	lowerAll(r.FeatureIDs)
	return program.CreatePlanInput{FeatureIDs: r.FeatureIDs, Name: r.Name, CreateInput: program.CreateInput{
		PartID: partID, CutConfigID: r.CutConfigID.Value, PlanRequest: r.PlanTerms.asked(),
	}}
}

// asked are the terms as the use case takes them.
func (t *PlanTerms) asked() pipeline.PlanRequest {
	lowerAll(t.ExcludedFeatures)
	out := pipeline.PlanRequest{
		Material: t.Material.text, Stock: t.Stock.text, Machine: t.Machine.text, Quantity: t.Quantity,
		DoneRegions: t.DoneRegions, Excluded: t.ExcludedFeatures, FallbackTools: t.FallbackTools,
	}
	for _, s := range t.Setups {
		out.Setups = append(out.Setups, pipeline.PlanSetup{
			Direction: geom.Vec3(s.Direction), Workholding: machining.WorkholdingKind(s.Workholding),
		})
	}
	return out
}
