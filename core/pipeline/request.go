package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// PlanRequest contains the changes of a cut config for one plan or program, and further terms. The zero value changes
// nothing.
type PlanRequest struct {
	// Material is the name of a known material, or an object as in a cut config. It replaces that of the cut config.
	Material json.RawMessage `json:"material,omitempty"`
	// Stock and Machine are objects as in a cut config. Members that they lack stay as the cut config has them.
	Stock   json.RawMessage `json:"stock,omitempty"`
	Machine json.RawMessage `json:"machine,omitempty"`

	Quantity    int         `json:"quantity,omitempty"` // parts in a batch; 0: planning.DefaultQuantity
	Setups      []PlanSetup `json:"setups,omitempty"`   // that come first, in this order
	DoneRegions []int       `json:"doneRegions,omitempty"`
	Excluded    []string    `json:"excludedFeatures,omitempty"` // ids or tags of features
	// FallbackTools asks for tools that are made up for what the libraries cannot cut.
	FallbackTools bool `json:"fallbackTools,omitempty"`
}

// PlanSetup is a setup that a request fixes.
type PlanSetup struct {
	Direction   geom.Vec3                 `json:"direction"` // toward the spindle, in the part frame; of any length
	Workholding machining.WorkholdingKind `json:"workholding,omitempty"`
}

// Bounds of requests.
const (
	MaxQuantity    = 10_000
	MaxFixedSetups = 24
)

// ReadPlanRequest reads the JSON form of a request. It refuses unknown members.
func ReadPlanRequest(data []byte) (PlanRequest, error) {
	var r PlanRequest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(&r)
	return r, err
}

// With returns the parameters as a request changes them; tags are those of the features that it excludes. All that is
// wrong is a *machining.ValidationError, whose pointers lead into the request.
func (p *PlanParams) With(r *PlanRequest, tags []string) (*PlanParams, error) {
	out := *p
	var faults []machining.Fault
	add := func(at, format string, args ...any) {
		faults = append(faults, machining.Fault{Pointer: at, Message: fmt.Sprintf(format, args...)})
	}
	for _, m := range []struct {
		name string
		text json.RawMessage
		read func([]byte) machining.Change
	}{{"material", r.Material, machining.ReadMembers}, {"stock", r.Stock, machining.ReadPatch},
		{"machine", r.Machine, machining.ReadPatch}} {
		if len(m.text) == 0 || string(m.text) == "null" {
			continue
		}
		text, err := m.text, error(nil)
		if m.name == "material" {
			text, err = materialOf(m.text)
		}
		var invalid *machining.ValidationError
		if err == nil {
			ch := m.read(append(append([]byte(`{"`+m.name+`":`), text...), '}'))
			out.Config, err = ch.Apply(out.Config)
		}
		if errors.As(err, &invalid) {
			faults = append(faults, slices.DeleteFunc(slices.Clone(invalid.Faults), func(f machining.Fault) bool {
				return f.Pointer != "/"+m.name && !strings.HasPrefix(f.Pointer, "/"+m.name+"/") // not of this request
			})...)
		} else if err != nil {
			return nil, err
		}
		out.Replaced = append(out.Replaced, m.name)
	}
	if r.Quantity < 0 || r.Quantity > MaxQuantity {
		add("/quantity", "quantity must lie between 1 and %d, not %d.", MaxQuantity, r.Quantity)
	}
	if out.Quantity = r.Quantity; out.Quantity == planning.DefaultQuantity {
		out.Quantity = 0
	}
	if len(r.Setups) > MaxFixedSetups {
		add("/setups", "setups must have at most %d entries, not %d.", MaxFixedSetups, len(r.Setups))
	}
	for i, s := range r.Setups {
		f, why := s.fixed()
		if why != "" {
			add(fmt.Sprintf("/setups/%d", i), "setups[%d].%s", i, why)
		}
		out.Setups = append(out.Setups, f)
	}
	for i, region := range r.DoneRegions {
		if region < 0 {
			add(fmt.Sprintf("/doneRegions/%d", i), "doneRegions[%d] must be at least 0, not %d.", i, region)
		}
	}
	out.FallbackTools = r.FallbackTools
	out.DoneRegions = slices.Compact(slices.Sorted(slices.Values(r.DoneRegions)))
	out.ExcludedTags = slices.Compact(slices.Sorted(slices.Values(tags)))
	if len(faults) > 0 {
		return nil, &machining.ValidationError{Faults: faults}
	}
	return &out, nil
}

// fixed returns the setup for the planner, with a direction of unit length, or what is wrong with it.
func (s *PlanSetup) fixed() (f planning.FixedSetup, why string) {
	kinds := []machining.WorkholdingKind{
		"", machining.WorkholdingVise, machining.WorkholdingFixture, machining.WorkholdingNone,
	}
	n := s.Direction.Norm()
	switch {
	case !(n > geom.Resolution) || math.IsInf(n, 0):
		return f, "direction has no length."
	case !slices.Contains(kinds, s.Workholding):
		return f, "workholding must be one of vise, fixture, none."
	}
	return planning.FixedSetup{Direction: s.Direction.Scale(1 / n), Workholding: s.Workholding}, ""
}

// materialOf returns the object of a material, which a text names.
func materialOf(text json.RawMessage) (json.RawMessage, error) {
	var name string
	if json.Unmarshal(text, &name) != nil {
		return text, nil
	}
	m, err := cutting.FindMaterial(name)
	if err != nil {
		return nil, err
	}
	return json.Marshal(m)
}
