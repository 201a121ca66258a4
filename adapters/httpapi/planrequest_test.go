package httpapi

import (
	"encoding/json"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// TestRequestsReachTheUseCase decodes each field of both requests and compares what the use case gets.
func TestRequestsReachTheUseCase(t *testing.T) {
	for text, want := range map[string]pipeline.PlanRequest{
		`{}`:                              {},
		`{"material":"Brass CuZn39Pb3"}`:  {Material: json.RawMessage(`"Brass CuZn39Pb3"`)},
		`{"stock":{"kind":"box"}}`:        {Stock: json.RawMessage(`{"kind":"box"}`)},
		`{"machine":{"name":"Old"}}`:      {Machine: json.RawMessage(`{"name":"Old"}`)},
		`{"fallbackTools":true}`:          {FallbackTools: true},
		`{"quantity":7}`:                  {Quantity: 7},
		`{"doneRegions":[3,1]}`:           {DoneRegions: []int{3, 1}},
		`{"excludedFeatures":["AB","c"]}`: {Excluded: []string{"ab", "c"}},
		`{"setups":[{"direction":{"x":0,"y":-1,"z":0},"workholding":"vise"},{"direction":{"x":1,"y":0,"z":0}}]}`: {
			Setups: []pipeline.PlanSetup{
				{Direction: geom.Vec3{Y: -1}, Workholding: machining.WorkholdingVise}, {Direction: geom.Vec3{X: 1}},
			}},
	} {
		var plan PlanRequest
		var program ProgramRequest
		if err := json.Unmarshal([]byte(text), &plan); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &program); err != nil {
			t.Fatal(err)
		}
		if got := plan.order("p"); !reflect.DeepEqual(got.PlanRequest, want) || got.PartID != "p" {
			t.Errorf("%s for a plan: %+v", text, got)
		}
		if got := program.order("p"); !reflect.DeepEqual(got.PlanRequest, want) || got.PartID != "p" {
			t.Errorf("%s for a program: %+v", text, got)
		}
	}
	var plan *PlanRequest
	var program *ProgramRequest
	if plan.order("p").PartID != "p" || program.order("p").PartID != "p" {
		t.Error("without a body the part is lost")
	}
}
