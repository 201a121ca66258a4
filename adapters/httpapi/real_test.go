package httpapi_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// TestRealPartsAreAsDescribed measures parts and checks the responses against the served description.
func TestRealPartsAreAsDescribed(t *testing.T) {
	h := newHarnessOn(t, pipelinetest.InProcess{Pipeline: millwright.Pipeline(millwright.Options{})}, app.Config{}, nil)
	var description struct {
		Components struct{ Schemas schemas }
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &description)
	testdata := filepath.Join("..", "cad", "step", "testdata")
	for _, file := range []string{
		filepath.Join("..", "..", "cmd", "millwright", "example", "bracket.step"),
		filepath.Join(testdata, "pockets.step"), filepath.Join(testdata, "bosses.step"),
		filepath.Join(testdata, "chamfers.step"), filepath.Join(testdata, "cross_holes.step"),
		filepath.Join(testdata, "freeform_dome.step"), filepath.Join(testdata, "turned_part.step"),
		filepath.Join(testdata, "fillets.step"), filepath.Join(testdata, "sphere.step"),
	} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := h.upload(content)
		job := h.patch("/v1/parts/"+id+"?featureDetails=true", nil)
		for path, schema := range map[string]string{
			"/v1/parts/" + id: "PartResult", "/v1/parts/" + id + "/features": "PartFeatures",
			"/v1/jobs/" + job: "JobDetail",
		} {
			var got any
			r := h.do("GET", path, nil)
			r.decode(t, &got)
			ref := map[string]any{"$ref": "#/components/schemas/" + schema}
			if why := description.Components.Schemas.check(got, ref, schema); why != "" || r.StatusCode != 200 {
				t.Errorf("%s: %s, %s", filepath.Base(file), r.Status, why)
			}
		}
		for _, f := range h.features("/v1/parts/" + id + "/features").Datasheets {
			if f.Datasheet == nil || f.Datasheet["featureType"] != f.FeatureType {
				t.Errorf("%s: the %s %s has the datasheet %v",
					filepath.Base(file), f.FeatureType, f.FeatureTag, f.Datasheet)
			}
		}
	}
}

// TestWarningsReachClients reads a part with one face that refers to a missing surface. The face is reconstructed from
// its edges.
func TestWarningsReachClients(t *testing.T) {
	h := newHarnessOn(t, pipelinetest.InProcess{Pipeline: millwright.Pipeline(millwright.Options{})}, app.Config{}, nil)
	content, err := os.ReadFile(filepath.Join("..", "..", "cmd", "millwright", "example", "bracket.step"))
	if err != nil {
		t.Fatal(err)
	}
	face := regexp.MustCompile(`(#\d+) ?= ?ADVANCED_FACE\('[^']*',\([^)]*\),(#\d+),`).FindSubmatchIndex(content)
	if face == nil {
		t.Fatal("the bracket has no face")
	}
	entity := string(content[face[2]:face[3]])
	damaged := slices.Concat(content[:face[4]], []byte("#999999"), content[face[5]:])
	id := h.upload(damaged)
	var part httpapi.PartRead
	var job httpapi.JobDetail
	h.do("GET", "/v1/jobs/"+h.patch("/v1/parts/"+id, nil), nil).decode(t, &job)
	h.do("GET", "/parts/"+id, nil).decode(t, &part)
	for where, warnings := range map[string][]httpapi.Warning{"part": part.Data.Warnings, "job": job.Warnings} {
		i := slices.IndexFunc(warnings, func(w httpapi.Warning) bool { return w.Code == "made_surface" })
		if i < 0 || warnings[i].Entity != entity || !strings.Contains(warnings[i].Message, entity+" ADVANCED_FACE") {
			t.Errorf("%s: warnings %+v, want that the surface of %s was made anew", where, warnings, entity)
		}
	}
}
