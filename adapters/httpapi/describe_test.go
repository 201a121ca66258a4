package httpapi_test

import (
	"fmt"
	"slices"
	"testing"
)

// description is the part of an interface description that the contract fixes.
type description struct {
	OpenAPI string
	Info    struct{ Version string }
	Paths   map[string]map[string]struct {
		OperationID string
		Product     string `json:"x-product"`
		Metered     *bool  `json:"x-metered"`
		Security    []map[string][]string
		Responses   map[string]any
	}
	Components struct {
		Schemas map[string]struct {
			Required   []string
			Properties map[string]map[string]any
		}
	}
}

func TestDescriptionContainsMarkers(t *testing.T) {
	h := newHarness(t, cube)
	var d description
	r := h.doAs("", "GET", "/v1/openapi.json", nil)
	r.decode(t, &d)
	if r.StatusCode != 200 || d.OpenAPI != "3.1.0" || d.Info.Version != "1.0.3" {
		t.Fatalf("description: %s openapi %q version %q", r.Status, d.OpenAPI, d.Info.Version)
	}
	want := map[string]string{
		"get /health": "public", "get /v1/health": "public", "get /v1/openapi.json": "public",
		"post /v1/keys/validate": "public", "get /docs": "public", "get /problems/{problem}": "public",
		"post /parts": "core", "post /v1/parts": "core",
		"post /parts/{id}/complete": "core", "post /v1/parts/{id}/complete": "core",
		"get /parts/{id}": "core", "get /v1/parts/{id}": "core", "get /v1/parts/{id}/thumbnail": "core",
		"get /v1/parts/{id}/export": "core",
		"patch /parts/{id}":         "dfm", "patch /v1/parts/{id}": "dfm",
		"get /parts/{id}/findings": "dfm", "get /v1/parts/{id}/findings": "dfm",
		"get /parts/{id}/features": "dfm", "get /v1/parts/{id}/features": "dfm",
		"patch /parts/{id}/features": "dfm", "patch /v1/parts/{id}/features": "dfm",
		"post /projects": "core", "post /v1/projects": "core",
		"put /projects/{id}": "core", "put /v1/projects/{id}": "core",
		"get /v1/tool-libraries": "core", "post /v1/tool-libraries": "core",
		"get /v1/tool-libraries/{id}": "core", "delete /v1/tool-libraries/{id}": "core",
		"put /v1/tool-libraries/{id}": "core",
		"get /v1/holders":             "core", "post /v1/holders": "core",
		"get /v1/holders/{id}": "core", "delete /v1/holders/{id}": "core",
		"get /v1/cut-configs": "core", "post /v1/cut-configs": "core", "get /v1/cut-configs/{id}": "core",
		"put /v1/cut-configs/{id}": "core", "patch /v1/cut-configs/{id}": "core", "delete /v1/cut-configs/{id}": "core",
		"post /parts/{id}/plans": "dfm", "post /v1/parts/{id}/plans": "dfm", "get /v1/parts/{id}/plans": "dfm",
		"get /v1/plans/{planId}":     "dfm",
		"post /parts/{id}/toolpaths": "quoting", "post /v1/parts/{id}/toolpaths": "quoting",
		"post /v1/plans/{planId}/toolpaths": "quoting", "get /v1/plans/{planId}/toolpaths": "quoting",
		"get /plans/{planId}/machining-time": "quoting", "get /v1/plans/{planId}/machining-time": "quoting",
		"post /parts/{id}/programs": "quoting", "post /v1/parts/{id}/programs": "quoting",
		"get /parts/{id}/programs": "quoting", "get /v1/parts/{id}/programs": "quoting",
		"get /parts/{id}/programs/{programId}": "quoting", "get /v1/parts/{id}/programs/{programId}": "quoting",
		"get /parts/{id}/programs/{programId}/gcode": "quoting", "get /v1/parts/{id}/programs/{programId}/gcode": "quoting",
		"get /parts/{id}/programs/{programId}/estimate":    "quoting",
		"get /v1/parts/{id}/programs/{programId}/estimate": "quoting",
		"get /jobs": "core", "get /v1/jobs": "core", "get /jobs/{jobId}": "core", "get /v1/jobs/{jobId}": "core",
	}
	metered := map[string]bool{
		"patch /parts/{id}": true, "patch /v1/parts/{id}": true,
		"patch /parts/{id}/features": true, "patch /v1/parts/{id}/features": true,
		"post /parts/{id}/programs": true, "post /v1/parts/{id}/programs": true,
		"post /parts/{id}/toolpaths": true, "post /v1/parts/{id}/toolpaths": true,
		"post /v1/plans/{planId}/toolpaths": true,
	}
	for _, face := range []string{"", "/v1"} {
		for _, op := range []string{
			"get %s/parts", "get %s/parts/{id}/record", "patch %s/parts/{id}/record", "delete %s/parts/{id}",
			"post %s/parts/{id}/upload", "get %s/projects", "get %s/projects/{id}", "post %s/jobs/{jobId}/cancel",
			"post %s/jobs/{jobId}/retry",
		} {
			want[fmt.Sprintf(op, face)] = "core"
		}
	}
	want["get /v1/jobs/{jobId}/events"] = "core"
	ids := map[string]bool{}
	for path, methods := range d.Paths {
		for method, op := range methods {
			name := method + " " + path
			if op.Product != want[name] || op.Metered == nil || *op.Metered != metered[name] {
				t.Errorf("%s: product %q metered %v, want product %q", name, op.Product, op.Metered, want[name])
			}
			if ids[op.OperationID] {
				t.Errorf("%s: operation id %q is used twice", name, op.OperationID)
			}
			ids[op.OperationID] = true
			if _, has := op.Responses["422"]; has {
				t.Errorf("%s: describes 422, which is never sent", name)
			}
			if op.Product != "public" && len(op.Security) == 0 {
				t.Errorf("%s: needs a key but does not say so", name)
			}
			delete(want, name)
		}
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

func TestDescriptionRequiresTheContractsFields(t *testing.T) {
	h := newHarness(t, cube)
	var d description
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &d)
	for schema, fields := range map[string][]string{
		"PartResult": {
			"partId", "reportId", "jobId", "kernelVersion", "units", "regions", "features", "candidateDirections",
			"directionZBounds", "meshPointCount", "meshTriangleCount", "thumbnailUrl", "meshStlUrl", "meshGlbUrl",
			"downloadMs", "recognitionMs", "enrichmentMs", "totalMs", "geometry", "process", "setups", "featureGroups", "unmachined", "warnings",
		},
		"Geometry":       {"volume", "area", "centroid", "bounds", "solids", "faces", "watertight", "exact"},
		"Setup":          {"index", "direction", "featureIds"},
		"Process":        {"kind", "reasons"},
		"DesignFindings": {"items"},
		"DesignFinding": {
			"kind", "severity", "featureIds", "regionIdxs", "value", "limit", "sentence", "remedy",
		},
		"Unmachined": {"regionIdxs", "area", "reason", "detail"},
		"Region":     {"idx", "splitOrigin", "shapeKind", "area", "triangleStart", "triangleEnd"},
		"PartFeature": {
			"featureId", "featureTag", "regionIdxs", "featureType", "machiningDirection", "axis",
		},
		"JobDetail": {
			"partUuid", "jobUuid", "productType", "status", "progress", "createdAt", "error", "reportId",
		},
		"JobList":            {"items", "page", "pageSize", "total"},
		"CreatePartResponse": {"partId", "uploadUrl", "sourceBucket", "sourceS3Key"},
		"Problem":            {"type", "title", "status", "code"},
		"KeyValidation":      {"valid", "status"},
		"QueuedJob":          {"jobId", "partId", "status"},
		"DirectionZBounds":   {"direction", "zMin", "zMax"},
		"PartFeatures":       {"datasheets", "notFound"},
		"PartFeatureEntry":   {"featureId", "featureTag", "featureType", "datasheet"},
	} {
		got := d.Components.Schemas[schema].Required
		for _, f := range fields {
			if !slices.Contains(got, f) {
				t.Errorf("%s: %s is not required", schema, f)
			}
		}
	}
	axis := d.Components.Schemas["PartFeature"].Properties["axis"]
	if _, ok := axis["anyOf"]; !ok {
		t.Errorf("PartFeature.axis cannot be null: %v", axis)
	}
}
