package apitest_test

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"testing"
)

// steeredPlan is the part of a plan or program that the cases read.
type steeredPlan struct {
	Status, SnapshotHash string
	Stock                *struct{ Min, Max vector }
	Warnings             []struct{ Code string }
	Left                 []struct {
		FeatureID *string
		Reason    string
	}
	Setups []struct {
		Direction   vector
		Workholding struct{ Kind string }
		Operations  []struct {
			Strategy   string
			SpindleRpm float64
			FeatureIDs []string
			RegionIdxs []int
		}
	}
}

type vector struct{ X, Y, Z float64 }

// makes reports whether an operation makes a face.
func (p *steeredPlan) makes(region int) bool {
	for _, s := range p.Setups {
		for _, o := range s.Operations {
			if slices.Contains(o.RegionIdxs, region) {
				return true
			}
		}
	}
	return false
}

// fastest returns the highest spindle speed.
func (p *steeredPlan) fastest() (rpm float64) {
	for _, s := range p.Setups {
		for _, o := range s.Operations {
			rpm = max(rpm, o.SpindleRpm)
		}
	}
	return rpm
}

// steered sends each field that steers a plan, alone and with all others, and looks for its effect: a block with a hole
// of 60 × 40 × 20 mm.
func (w *world) steered(t *testing.T, face, key, part string) {
	type feature struct {
		FeatureID, FeatureType string
		RegionIdxs             []int
	}
	found := decode[struct{ Features []feature }](t,
		w.want(t, call{method: "GET", path: "/v1/parts/" + part, key: key}, http.StatusOK, "")).Features
	i := slices.IndexFunc(found, func(f feature) bool { return f.FeatureType == "Hole" })
	if i < 0 {
		t.Fatalf("features: %+v", found)
	}
	hole, bore := found[i], found[i].RegionIdxs[0]
	post := func(of string, body any) call {
		return call{method: "POST", path: face + "/parts/" + part + of, key: key, body: encode(t, body)}
	}
	plan := func(body any) *steeredPlan {
		t.Helper()
		r := w.want(t, post("/plans", body), http.StatusCreated, "")
		id := decode[struct{ PlanID string }](t, r).PlanID
		if face == "" {
			id = decode[struct{ Data struct{ PlanID string } }](t, r).Data.PlanID
		}
		r = w.await(t, call{method: "GET", path: "/v1/plans/" + id, key: key}, func(r reply) bool {
			return decode[steeredPlan](t, r).Status != "processing"
		})
		p := decode[steeredPlan](t, r)
		if p.Status != "ready" {
			t.Errorf("%v: %s", body, r.body)
		}
		return &p
	}
	before := plan(map[string]any{})
	fields := []struct {
		name  string
		value any
		heeds func(p *steeredPlan) bool
	}{
		{"material", "Mild steel S235, 1018", func(p *steeredPlan) bool { return p.fastest() < before.fastest() }},
		{"stock", map[string]any{"size": map[string]any{"x": 70, "y": 50, "z": 35}}, func(p *steeredPlan) bool {
			return p.Stock != nil && math.Abs(p.Stock.Max.X-p.Stock.Min.X-70) < 1e-6
		}},
		{"machine", map[string]any{"maxSpindleRpm": 900}, func(p *steeredPlan) bool { return p.fastest() <= 900 }},
		{"quantity", 500, func(p *steeredPlan) bool { return true }}, // the planner's own tests see its effect
		{"setups", []any{map[string]any{"direction": map[string]any{"x": 0, "y": 0, "z": -3}, "workholding": "none"}},
			func(p *steeredPlan) bool {
				return len(p.Setups) > 0 && p.Setups[0].Direction.Z < -0.9 && p.Setups[0].Workholding.Kind == "none"
			}},
		// the library lacks nothing here, and a made-up tool the planner's own tests see
		{"fallbackTools", true, func(p *steeredPlan) bool { return true }},
		{"doneRegions", []int{bore}, func(p *steeredPlan) bool { return !p.makes(bore) }},
	}
	if before.makes(bore) == false || before.Setups[0].Direction.Z < 0.9 || before.fastest() < 1000 {
		t.Fatalf("without fields: %+v", before)
	}
	all, seen := map[string]any{}, map[string]bool{before.SnapshotHash: true}
	for _, f := range fields {
		p := plan(map[string]any{f.name: f.value})
		if !f.heeds(p) || seen[p.SnapshotHash] {
			t.Errorf("%s is ignored: %+v", f.name, p)
		}
		seen[p.SnapshotHash] = true
		all[f.name] = f.value
	}
	excluding := map[string]any{"excludedFeatures": []string{hole.FeatureID}}
	excludes := func(p *steeredPlan) bool {
		return !p.makes(bore) && slices.ContainsFunc(p.Left, func(l struct {
			FeatureID *string
			Reason    string
		}) bool {
			return l.Reason == "not_requested" && l.FeatureID != nil && *l.FeatureID == hole.FeatureID
		})
	}
	if p := plan(excluding); !excludes(p) {
		t.Errorf("excludedFeatures is ignored: %+v", p)
	}
	maps.Copy(all, excluding)
	delete(all, "doneRegions") // of the same hole
	made := w.await(t, post("/programs", all), func(r reply) bool { return r.StatusCode != http.StatusTooManyRequests })
	id := decode[struct{ ID string }](t, made).ID
	if face == "" {
		id = decode[struct{ Data struct{ ID string } }](t, made).Data.ID
	}
	p := decode[steeredPlan](t, w.programmed(t, key, part, id))
	for _, f := range fields {
		if all[f.name] != nil && f.name != "stock" && !f.heeds(&p) {
			t.Errorf("%s of a program is ignored: %+v", f.name, p)
		}
	}
	if !excludes(&p) {
		t.Errorf("excludedFeatures of a program is ignored: %+v", p)
	}
	unknownFeature := map[string]any{"excludedFeatures": []string{unknown}}
	w.want(t, post("/toolpaths", unknownFeature), http.StatusNotFound, "feature_not_found")
	w.await(t, post("/programs", unknownFeature), func(r reply) bool { return r.code == "feature_not_found" })
	w.misled(t, post)
}

// misled sends fields that mean nothing, and wants the pointer to each.
func (w *world) misled(t *testing.T, post func(of string, body any) call) {
	for pointer, body := range map[string]map[string]any{
		"/material":          {"material": "Cheese"},
		"/material/isoGroup": {"material": map[string]any{"name": "x", "isoGroup": "Q", "specificCuttingForce": 9}},
		"/stock/size/x":      {"stock": map[string]any{"size": map[string]any{"x": 0, "y": 1, "z": 1}}},
		"/machine/maxRpm":    {"machine": map[string]any{"maxRpm": 5}},
		"/quantity":          {"quantity": 0},
		"/setups/0/workholding": {"setups": []any{
			map[string]any{"direction": map[string]any{"x": 0, "y": 0, "z": 1}, "workholding": "magnet"},
		}},
		"/setups/0":           {"setups": []any{map[string]any{"direction": map[string]any{"x": 0, "y": 0, "z": 0}}}},
		"/doneRegions/1":      {"doneRegions": []int{0, 4000}},
		"/excludedFeatures/0": {"excludedFeatures": []string{"hole"}},
	} {
		r := w.want(t, post("/plans", body), http.StatusBadRequest, "invalid_request")
		faults := decode[struct{ Errors []struct{ Pointer string } }](t, r).Errors
		if !slices.ContainsFunc(faults, func(f struct{ Pointer string }) bool { return f.Pointer == pointer }) {
			t.Errorf("%v: %s, want an error at %s", body, r.body, pointer)
		}
	}
}
