package heal

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"millwright/adapters/cad/step"
	"millwright/bench/corpus"
)

// needy are the files that have something to repair, by the codes of the repairs.
var needy = map[string][]string{
	"labelled/mfcad_vlm/Test_Cases_STEP_Files/easy_33.STEP":   {TolerantEdge},
	"labelled/mfcad_vlm/Test_Cases_STEP_Files/medium_32.STEP": {TolerantEdge},
	"pairs/sldprt_step_ps2/Display Stand REF2019.STEP":        {TurnedFace, TolerantEdge},
	"pairs/sldprt_step_ps2/L2 Button REF2011.STEP":            {TurnedFace},
	"pairs/sldprt_step_ps2/R1-L1 Bar REF2010.STEP":            {TurnedFace},
	"pairs/sldprt_step_ps2/Speaker Cover Left REF2006.STEP":   {TurnedFace, TolerantEdge},
	"pairs/sldprt_step_ps2/Speaker Cover Right REF2007.STEP":  {TolerantEdge},
	"step/analysis_situs/gehause_rohteil.stp":                 {TouchingEdge},
	"step/analysis_situs/tie_rod.step":                        {TolerantEdge},
	"step/nist_ap242/nist_ctc_05_asme1_ap242-e1.stp":          {TolerantEdge},
	"step/nist_ap242/nist_ftc_11_asme1_ap242-e2.stp":          {TolerantEdge},
	"step/stepcode/ap214e3/s1-c5-214/HEAD_BACK.stp":           {TolerantEdge},
}

// TestCorpusIsLeftAlone heals every STEP file: nothing but what is listed is repaired, sound files keep
// their topology, and healing again does nothing.
func TestCorpusIsLeftAlone(t *testing.T) {
	dir := corpus.Dir(t)
	files := 0
	for _, row := range corpus.Truths(t, "") {
		if !row.IsSTEP() || testing.Short() && row.Faces > 300 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(row.File)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := step.Read(context.Background(), bytes.NewReader(data), int64(len(data)), step.Options{})
		if err != nil {
			continue // other tests tell
		}
		files++
		before := clone(m)
		n := len(m.Warnings)
		if err := Model(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, w := range m.Warnings[n:] {
			codes = append(codes, w.Code)
		}
		if want := needy[row.File]; !slices.Equal(codes, want) {
			t.Errorf("%s: repaired %s, want %v", row.File, strings.Join(codes, ", "), want)
		}
		same := reflect.DeepEqual(m.Loops, before.Loops) && reflect.DeepEqual(m.Coedges, before.Coedges)
		if len(codes) == 0 && !same {
			t.Errorf("%s: the topology was changed", row.File)
		}
		n = len(m.Warnings)
		if err := Model(context.Background(), m); err != nil || len(m.Warnings) != n {
			t.Errorf("%s: healing again: %v, %v", row.File, err, m.Warnings[n:])
		}
	}
	t.Logf("%d files", files)
}
