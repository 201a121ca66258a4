package fault_test

import (
	"encoding/json"
	"testing"

	"millwright.dev/millwright/core/fault"
)

func TestWarningsNameTheirEntity(t *testing.T) {
	face := fault.Location{ID: "#12", Text: "#12 ADVANCED_FACE"}
	edge := fault.Location{ID: "#7", Text: "edge #7"}
	for name, c := range map[string]struct{ got, want fault.Warning }{
		"none": {
			fault.Warnf("cut_off", 2, "the file ends too early."),
			fault.Warning{Code: "cut_off", Message: "The file ends too early.", Count: 2},
		},
		"the first of two": {
			fault.Warnf("edge_way", 1, "%s of %s lies %g mm off", edge, face, 0.5),
			fault.Warning{Code: "edge_way", Message: "Edge #7 of #12 ADVANCED_FACE lies 0.5 mm off.", Entity: "#7", Count: 1},
		},
		"summed, one": {
			fault.Warnf("empty_face", 1, "%s is empty", face).Summed(),
			fault.Warning{Code: "empty_face", Message: "#12 ADVANCED_FACE is empty.", Entity: "#12"},
		},
		"summed": {
			fault.Warnf("empty_face", 3, "ärmel %s", face).Summed(),
			fault.Warning{Code: "empty_face", Message: "Ärmel #12 ADVANCED_FACE. (3 times)", Entity: "#12"},
		},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

func TestStoredWarnings(t *testing.T) {
	for stored, want := range map[string]fault.Warning{
		`"A gap of 0.1 mm."`: {Code: fault.Unspecified, Message: "A gap of 0.1 mm."},
		`{"code":"loop_gap","message":"A gap.","entity":"#1"}`: {Code: "loop_gap", Message: "A gap.", Entity: "#1"},
	} {
		var got fault.Warning
		if err := json.Unmarshal([]byte(stored), &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", stored, got, err, want)
		}
	}
	var got fault.Warning
	if err := json.Unmarshal([]byte(`12`), &got); err == nil {
		t.Errorf("a number is read as %+v", got)
	}
}
