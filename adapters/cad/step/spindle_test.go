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

// TestPartsOfSpindleTori flips each flag that selects the part of a spindle torus for the only face of a body: the
// sense of its seam, the flag of its surface, a use of the seam. The body stays unchanged, with a warning.
func TestPartsOfSpindleTori(t *testing.T) {
	flips := map[string]*regexp.Regexp{
		"the seam":    regexp.MustCompile(`EDGE_CURVE\([^;]*;`),
		"the surface": regexp.MustCompile(`DEGENERATE_TOROIDAL_SURFACE\([^;]*;`),
		"a use":       regexp.MustCompile(`ORIENTED_EDGE\([^;]*;`),
	}
	done := 0
	for _, style := range build.Styles() {
		for name, m := range map[string]*brep.Model{"apple": build.Apple(1, 2, style),
			"lemon": build.Lemon(1, 2, style)} {
			w := &steptest.Text{}
			w.Part(w.Model(m)...)
			good := w.File()
			if len(m.Faces) != 1 || strings.Count(good, "EDGE_CURVE") != 1 {
				continue // two halves confirm each other, so a flipped flag is not decisive
			}
			want, err := volumeOf(t, good)
			if err != nil {
				t.Fatal(err)
			}
			for what, record := range flips {
				for i, at := range record.FindAllStringIndex(good, -1) {
					turned := strings.NewReplacer(".T.", ".F.", ".F.", ".T.").Replace(good[at[0]:at[1]])
					got, bad, err := partOf(t, good[:at[0]]+turned+good[at[1]:])
					if err != nil || math.Abs(got/want-1) > 1e-9 || len(bad.Warnings) == 0 {
						t.Errorf("%s, %v, flag %d of %s: volume %g, want %g, %v", name, style, i, what, got, want, err)
					}
					done++
				}
			}
		}
	}
	if done < 8 {
		t.Errorf("only %d flags were tried", done)
	}
}
