package model_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
)

// needy are the files that need repair, by the codes of healing and sewing.
var needy = map[string][]string{
	"labelled/mfcad_vlm/Test_Cases_STEP_Files/easy_33.STEP":        {"tolerant_edge"},
	"labelled/mfcad_vlm/Test_Cases_STEP_Files/medium_32.STEP":      {"tolerant_edge"},
	"pairs/sldprt_step_ps2/Display Stand REF2019.STEP":             {"turned_face", "tolerant_edge"},
	"pairs/sldprt_step_ps2/L2 Button REF2011.STEP":                 {"turned_face"},
	"pairs/sldprt_step_ps2/R1-L1 Bar REF2010.STEP":                 {"turned_face"},
	"pairs/sldprt_step_ps2/Speaker Cover Left REF2006.STEP":        {"turned_face", "tolerant_edge"},
	"pairs/sldprt_step_ps2/Speaker Cover Right REF2007.STEP":       {"tolerant_edge"},
	"step/analysis_situs/0054_isolated_blends_test_30_colored.stp": {"closed_sheet"},
	"step/analysis_situs/ANC101-ill.stp":                           {"sewn_edges", "closed_sheet"},
	"step/analysis_situs/gehause_rohteil.stp":                      {"touching_edge"},
	"step/analysis_situs/tie_rod.step":                             {"tolerant_edge"},
	"step/analysis_situs/wavy-cube.stp":                            {"closed_sheet"},
	"step/nist_ap242/nist_ctc_05_asme1_ap242-e1.stp":               {"tolerant_edge"},
	"step/nist_ap242/nist_ftc_11_asme1_ap242-e2.stp":               {"tolerant_edge"},
	"step/sgm/Lemon Torus.stp":                                     {"closed_sheet"},
	"step/sgm/Torus Apple.stp":                                     {"closed_sheet"},
	"step/sgm/Torus Donut.stp":                                     {"closed_sheet"},
	"step/sgm/Torus Lemon.stp":                                     {"closed_sheet"},
	"step/stepcode/ap214e3/s1-c5-214/HEAD_BACK.stp":                {"tolerant_edge"},
}

// TestCorpusIsLeftAlone repairs every STEP file. Only the listed defects are repaired, valid files keep their topology,
// and a second repair changes nothing.
func TestCorpusIsLeftAlone(t *testing.T) {
	files := 0
	for _, row := range corpus.Truths(t, "") {
		if !row.IsSTEP() || testing.Short() && row.Faces > 300 {
			continue
		}
		data := content(t, row.File)
		m, err := step.Read(t.Context(), bytes.NewReader(data), int64(len(data)), step.Options{})
		if err != nil {
			continue // other tests tell
		}
		files++
		before := &brep.Model{}
		before.Append(m, geom.Identity)
		n := len(m.Warnings)
		if err := repair.Model(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, w := range m.Warnings[n:] {
			if heals(w.Code) {
				codes = append(codes, w.Code)
			}
		}
		if want := needy[row.File]; !slices.Equal(codes, want) {
			t.Errorf("%s: repaired %s, want %v", row.File, strings.Join(codes, ", "), want)
		}
		same := reflect.DeepEqual(m.Loops, before.Loops) && reflect.DeepEqual(m.Coedges, before.Coedges)
		if len(codes) == 0 && !same {
			t.Errorf("%s: the topology was changed", row.File)
		}
		n = len(m.Warnings)
		if err := repair.Model(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		for _, w := range m.Warnings[n:] {
			if heals(w.Code) {
				t.Errorf("%s: repairing again: %v", row.File, w)
			}
		}
	}
	t.Logf("%d files", files)
}

// heals separates warnings of healing and sewing from other warnings. Those concern recovered geometry and unrepaired
// defects: an open sheet body, a sheet next to a solid, or a face whose side only its flag determines.
func heals(code string) bool {
	return code != repair.OpenSheet && code != "sheet_beside" && code != "either_side" &&
		!strings.HasPrefix(code, "recovered_")
}
