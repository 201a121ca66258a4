package metamorphic

import (
	"context"
	"math"
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
)

// spindles are bodies with faces on a torus whose tube crosses its axis, on its skin (apple) and on its spindle
// (lemon).
func spindles(s build.Style) map[string]*brep.Model {
	const offset, radius, low, high = 1.0, 2.0, -1.0, 1.5
	pole := math.Sqrt(radius*radius - offset*offset)
	apple := func(z float64) float64 { return math.Sqrt(radius*radius-z*z) + offset }
	lemon := func(z float64) float64 { return math.Sqrt(radius*radius-z*z) - offset }
	turned := func(profile ...build.Corner) *brep.Model { return build.Revolve("", geom.World, profile, s) }
	at := func(r, z float64) build.Corner { return build.Corner{P: geom.Vec2{X: r, Y: z}} }
	arc := func(c build.Corner, from, to float64) build.Corner {
		c.Bulge = build.Bulge(to - from)
		return c
	}
	angle := func(z float64) float64 { return math.Asin(z / radius) }
	return map[string]*brep.Model{
		"apple": build.Apple(offset, radius, s),
		"lemon": build.Lemon(offset, radius, s),
		"apple zone": turned(at(0, low), arc(at(apple(low), low), angle(low), angle(high)), at(apple(high), high),
			at(0, high)),
		"lemon zone": turned(at(0, low), arc(at(lemon(low), low), angle(low), angle(high)), at(lemon(high), high),
			at(0, high)),
		"apple end": turned(at(0, low), arc(at(apple(low), low), angle(low), math.Pi-angle(pole)), at(0, pole)),
		"lemon end": turned(at(0, low), arc(at(lemon(low), low), angle(low), angle(pole)), at(0, pole)),
	}
}

var (
	spindle   = regexp.MustCompile(`DEGENERATE_TOROIDAL_SURFACE\('',(#\d+),([^,]+),([^,]+),\..\.\)`)
	spindleID = regexp.MustCompile(`(#\d+)=DEGENERATE_TOROIDAL_SURFACE`)
)

// TestSpindleTorusByRadiusOrEdges reads the other form in which kernels write the parts of such a torus, a
// TOROIDAL_SURFACE. The lemon has a negative major radius and an outward normal, or the edges determine the part.
func TestSpindleTorusByRadiusOrEdges(t *testing.T) {
	for _, s := range build.Styles() {
		for name, m := range spindles(s) {
			want, err := mass.Compute(context.Background(), m)
			if err != nil {
				t.Fatal(err)
			}
			w := &steptest.Text{}
			w.Part(w.Model(m)...)
			text := w.File()
			forms := map[string]string{"by its edges": spindle.ReplaceAllString(text, "TOROIDAL_SURFACE('',$1,$2,$3)")}
			if strings.HasPrefix(name, "lemon") {
				forms["by its sign"] = spindle.ReplaceAllString(turnFaces(text), "TOROIDAL_SURFACE('',$1,-$2,$3)")
			}
			if s.Seams == build.Rings && name == "lemon" {
				delete(forms, "by its edges") // this form has no edges
			}
			for form, text := range forms {
				got := mustHeal(t, text)
				p, err := mass.Compute(context.Background(), got)
				if err != nil || math.Abs(p.Volume/want.Volume-1) > exact || math.Abs(p.Area/want.Area-1) > exact {
					t.Errorf("%s told %s, %v: volume %g, area %g, want %g and %g; %v %v", name, form, s,
						p.Volume, p.Area, want.Volume, want.Area, err, got.Warnings)
				}
				for _, w := range got.Warnings {
					if w.Code == "turned_face" {
						t.Errorf("%s told %s, %v: %s", name, form, s, w.Message)
					}
				}
				r, err := tessellate.Mesh(context.Background(), got, tessellate.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if len(got.Solids) != 1 || !r.Report.Watertight {
					t.Errorf("%s told %s, %v: %d solids, %+v", name, form, s, len(got.Solids), r.Report)
				}
			}
		}
	}
}

// turnFaces negates the sense of every face on a spindle torus.
func turnFaces(text string) string {
	for _, id := range spindleID.FindAllStringSubmatch(text, -1) {
		for _, sense := range []string{"T", "F"} {
			text = strings.ReplaceAll(text, ","+id[1]+",."+sense+".);", ","+id[1]+",.-"+sense+".);")
		}
	}
	return strings.NewReplacer(".-T.", ".F.", ".-F.", ".T.").Replace(text)
}

func mustHeal(t *testing.T, text string) *brep.Model {
	t.Helper()
	m, err := step.Read(context.Background(), strings.NewReader(text), int64(len(text)), step.Options{})
	if err == nil {
		err = repair.Model(context.Background(), m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}
