package step

import (
	"math"
	"regexp"
	"testing"

	"millwright/adapters/cad/step/steptest"
	"millwright/core/brep"
	"millwright/core/brep/build"
)

// TestEachReference lets each reference of edges and vertices name another instance of its type in turn: the part is as
// it was, or refused, or lacks a face and says so.
func TestEachReference(t *testing.T) {
	for name, part := range map[string]*brep.Model{
		"plate":   drilled(build.Style{}),
		"halves":  drilled(build.Style{Seams: build.HalfFaces}),
		"rounded": build.Prism("", build.Rounded(20, 10, 2), 5, build.Style{}),
	} {
		w := &steptest.Text{}
		w.Part(w.Model(part)...)
		good := w.File()
		whole, err := volumeOf(t, good)
		if err != nil {
			t.Fatal(err)
		}
		types := map[string]string{} // by number
		of := map[string][]string{}
		for _, m := range regexp.MustCompile(`(?m)^#(\d+)=(\w+)\(`).FindAllStringSubmatch(good, -1) {
			types[m[1]] = m[2]
			of[m[2]] = append(of[m[2]], m[1])
		}
		tried, right := 0, 0
		for _, at := range regexp.MustCompile(`=(?:EDGE_CURVE|VERTEX_POINT)\('',[^;]*;`).FindAllStringIndex(good, -1) {
			for _, ref := range regexp.MustCompile(`#\d+`).FindAllStringIndex(good[at[0]:at[1]], -1) {
				from, to := at[0]+ref[0]+1, at[0]+ref[1]
				same := of[types[good[from:to]]]
				other := same[(len(same)*2/3+tried)%len(same)]
				if other == good[from:to] {
					continue
				}
				tried++
				got, m, err := partOf(t, good[:from]+other+good[to:])
				switch {
				case err != nil:
				case math.Abs(got-whole) <= 1e-3*whole:
					right++
				case hasWarning(m, brep.LostFace) == nil:
					t.Errorf("%s: #%s becomes #%s in %s: volume %g, want %g; %v", name, good[from:to], other,
						good[at[0]:at[1]], got, whole, m.Warnings)
				}
			}
		}
		t.Logf("%s: %d of %d right", name, right, tried)
		if right*10 < 8*tried {
			t.Errorf("%s: %d of %d are right, want eight of ten", name, right, tried)
		}
	}
}
