package step

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
)

// TestEachReference redirects each reference of edges and vertices to another instance of its type in turn. The part
// must be unchanged, rejected, or lack a face with a warning.
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
				case hasWarning(m, brep.SkippedFace) == nil:
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

// TestWrongPlaces moves a corner a little, and changes the radius of a circular edge: the other records decide.
func TestWrongPlaces(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Model(drilled(build.Style{}))...)
	good := w.File()
	want, err := volumeOf(t, good)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, record, from, to string }{
		{"a corner", `VERTEX_POINT\('',(#\d+)\)`, `,0(\.0*)?\)`, `,0.2)`},
		{"a radius", `CIRCLE\('',#\d+,`, `,[0-9.]+\)`, `,1.1)`},
	} {
		tried := 0
		for _, at := range regexp.MustCompile(c.record).FindAllStringSubmatchIndex(good, -1) {
			from, to := at[0], at[1]+strings.Index(good[at[1]:], ";")
			if len(at) > 2 {
				from = strings.Index(good, good[at[2]:at[3]]+"=")
				to = from + strings.Index(good[from:], ";")
			}
			record := good[from:to]
			bad := regexp.MustCompile(c.from).ReplaceAllString(record, c.to)
			if bad == record {
				continue
			}
			tried++
			got, m, err := partOf(t, good[:from]+bad+good[to:])
			if err != nil || math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s: %s becomes %s: volume %g, want %g; %v", c.name, record, bad, got, want, err)
			} else if len(m.Warnings) == 0 {
				t.Errorf("%s: %s becomes %s, and nothing says so", c.name, record, bad)
			}
		}
		if tried < 4 {
			t.Errorf("%s: %d were tried", c.name, tried)
		}
	}
}
