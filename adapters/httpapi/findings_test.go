package httpapi_test

import (
	"net/http"
	"testing"
)

// TestFindings reads the findings of an unmeasured part: its deep hole, and an unreachable face.
func TestFindings(t *testing.T) {
	h := newHarness(t, cube)
	id := h.upload([]byte("part"))
	early := h.do("GET", "/v1/parts/"+id+"/findings", nil)
	h.wantProblem("before there is a result", early, http.StatusNotFound, "no_result")
	h.do("POST", "/parts/"+id+"/complete", nil)
	h.waitJob()
	var result struct{ Features []struct{ FeatureID string } }
	h.do("GET", "/v1/parts/"+id, nil).decode(t, &result)
	for _, face := range []string{"", "/v1"} {
		var found struct {
			Items []struct {
				Kind, Severity, Sentence, Remedy string
				FeatureIDs                       []string
				RegionIdxs                       []int
				Value, Limit                     float64
			}
		}
		r := h.do("GET", face+"/parts/"+id+"/findings", nil)
		r.decode(t, &found)
		if len(found.Items) != 2 || found.Items[0].Kind != "unreachable" || found.Items[1].Kind != "deepHole" {
			t.Fatalf("findings %s; want a face that is not reached and a deep hole", r.body)
		}
		hole := found.Items[1]
		if hole.Severity != "problem" || hole.Value != 20 || hole.Limit != 10 || hole.Remedy == "" ||
			len(hole.FeatureIDs) != 1 || hole.FeatureIDs[0] != result.Features[0].FeatureID || hole.RegionIdxs[0] != 0 {
			t.Errorf("the hole: %+v", hole)
		}
	}
}
