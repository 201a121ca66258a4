package pmi_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The entities that are statements, at the beginning of a simple instance or inside a complex one.
var (
	simple  = regexp.MustCompile(`#\d+\s*=\s*([A-Z_]+)\s*\(`)
	complex = regexp.MustCompile(`#\d+\s*=\s*\(`)

	dimensions = map[string]bool{"DIMENSIONAL_SIZE": true, "ANGULAR_SIZE": true, "DIMENSIONAL_LOCATION": true,
		"ANGULAR_LOCATION": true, "DIRECTED_DIMENSIONAL_LOCATION": true,
		"DIMENSIONAL_SIZE_WITH_DATUM_FEATURE": true}
)

// entities counts the statements in the text of a file.
func entities(text string) (dims, tolerances, datums int) {
	for _, m := range simple.FindAllStringSubmatch(text, -1) {
		switch {
		case dimensions[m[1]]:
			dims++
		case m[1] == "DATUM":
			datums++
		case strings.HasSuffix(m[1], "_TOLERANCE") && m[1] != "PLUS_MINUS_TOLERANCE":
			tolerances++
		}
	}
	for _, at := range complex.FindAllStringIndex(text, -1) {
		end := strings.Index(text[at[1]:], ";")
		if end >= 0 && strings.Contains(text[at[1]:at[1]+end], "GEOMETRIC_TOLERANCE(") {
			tolerances++
		}
	}
	return dims, tolerances, datums
}

// TestNISTParts checks the statements of the NIST test parts against the entities in the files, the referenced geometry
// and the texts in the drawings.
func TestNISTParts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "step", "nist_ap242", "*.stp"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the corpus has no NIST parts: %v", err)
	}
	var round, flat, drawn, square agreement
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := readText(t, string(data))
			dims, tolerances, datums := entities(string(data))
			p := &m.PMI
			if len(p.Dimensions) != dims || len(p.Tolerances) != tolerances || len(p.Datums) != datums {
				t.Errorf("read %d dimensions, %d tolerances, %d datums; the file has %d, %d, %d",
					len(p.Dimensions), len(p.Tolerances), len(p.Datums), dims, tolerances, datums)
			}
			if n := warned(m, "pmi_unreadable"); n != 0 {
				t.Errorf("%d statements are unreadable", n)
			}
			for _, d := range p.Dimensions {
				round.judgeRound(t, m, d)
				flat.judgeFlat(t, m, d)
				drawn.judgeText(t, d)
			}
			for _, g := range p.Tolerances {
				const widest = 3 // mm, on these parts
				if g.Kind == "" || g.Value < 0 || g.Value > widest {
					t.Errorf("tolerance %+v", g)
				}
				square.judgeFrame(t, m, g)
			}
			for _, d := range p.Datums {
				if len(d.Letter) != 1 || len(d.Faces) == 0 && len(d.Targets) == 0 {
					t.Errorf("datum %+v", d)
				}
			}
		})
	}
	for _, c := range []struct {
		name string
		agreement
		wrong int // by the files' own mistake
	}{
		{"diameters and radii", round, 0}, {"datum frames", square, 0},
		{"distances", flat, 2}, // FTC 06 has two depths to the floors of two holes, which lie in one plane
		{"texts", drawn, 1},    // STC 07 draws one radius by its limits
	} {
		t.Logf("%s: %d of %d agree", c.name, c.agree, c.all)
		if c.all == 0 || c.agree < c.all-c.wrong {
			t.Errorf("%s: only %d of %d agree", c.name, c.agree, c.all)
		}
	}
}

// agreement counts the statements that agree with other data of the part.
type agreement struct{ agree, all int }

func (a *agreement) count(t *testing.T, ok bool, format string, args ...any) {
	a.all++
	if ok {
		a.agree++
		return
	}
	t.Logf(format, args...)
}

// accuracy (mm) is the maximum deviation of nominal geometry from a dimension without a tolerance: drawings round.
const accuracy = 0.02

// slack returns the deviation (mm) that a dimension allows from its nominal value.
func slack(d gdt.Dimension) float64 { return math.Max(accuracy, math.Max(-d.Lower, d.Upper)) }

// judgeRound compares diameters and radii with the faces of revolution that they are about.
func (a *agreement) judgeRound(t *testing.T, m *brep.Model, d gdt.Dimension) {
	t.Helper()
	factor := map[string]float64{
		"diameter": 2, "radius": 1, "spherical diameter": 2, "spherical radius": 1,
	}[d.Kind]
	if factor == 0 || !d.HasNominal || d.Thread != nil { // a thread diameter is not the bore diameter
		return
	}
	best, found := math.Inf(1), false
	for _, f := range d.Faces {
		var r float64
		switch s := surface.Underlying(m.Faces[f].Surface).(type) {
		case surface.Cylinder:
			r = s.Radius
		case surface.Sphere:
			r = s.Radius
		case surface.Torus:
			r = s.Minor
		default:
			continue
		}
		found = true
		best = math.Min(best, math.Abs(factor*r-d.Nominal))
	}
	if found {
		a.count(t, best <= slack(d), "%s %g (±%g) is %g off its faces %v",
			d.Kind, d.Nominal, slack(d), best, d.Faces)
	}
}

// judgeFlat compares distances with the planes between which they are.
func (a *agreement) judgeFlat(t *testing.T, m *brep.Model, d gdt.Dimension) {
	t.Helper()
	if d.Kind != "linear distance" || !d.HasNominal || len(d.Faces) == 0 || len(d.To) == 0 {
		return
	}
	best, found := math.Inf(1), false
	for _, f := range d.Faces {
		for _, g := range d.To {
			p, isPlane := surface.Underlying(m.Faces[f].Surface).(surface.Plane)
			q, isPlaneToo := surface.Underlying(m.Faces[g].Surface).(surface.Plane)
			const parallel = 1e-6 // sine of the angle between the planes
			if !isPlane || !isPlaneToo || p.Frame.Z.Cross(q.Frame.Z).Norm() > parallel {
				continue
			}
			found = true
			gap := math.Abs(q.Frame.Origin.Sub(p.Frame.Origin).Dot(p.Frame.Z))
			best = math.Min(best, math.Abs(gap-d.Nominal))
		}
	}
	if found {
		a.count(t, best <= slack(d), "distance %g (±%g) is %g off between faces %v and %v",
			d.Nominal, slack(d), best, d.Faces, d.To)
	}
}

// judgeFrame checks that the planar datums of a frame are perpendicular to each other.
func (a *agreement) judgeFrame(t *testing.T, m *brep.Model, g gdt.Tolerance) {
	t.Helper()
	var planes []surface.Plane
	for _, ref := range g.Datums {
		for _, u := range ref.Datums {
			for _, f := range m.PMI.Datums[u.Datum].Faces {
				if p, ok := surface.Underlying(m.Faces[f].Surface).(surface.Plane); ok && len(ref.Datums) == 1 {
					planes = append(planes, p)
					break
				}
			}
		}
	}
	for i := range planes {
		for j := range i {
			const square = 1e-6 // cosine or sine of the angle
			n, o := planes[i].Frame.Z, planes[j].Frame.Z
			a.count(t, math.Abs(n.Dot(o)) < square || n.Cross(o).Norm() < square,
				"%s %s: datum planes %v and %v", g.Kind, g.Name, n, o)
		}
	}
}

var number = regexp.MustCompile(`\d*\.?\d+`)

// judgeText looks for the nominal value, in mm or inches, in the text that the drawing shows.
func (a *agreement) judgeText(t *testing.T, d gdt.Dimension) {
	t.Helper()
	if d.Text == "" || !d.HasNominal || d.Angle {
		return
	}
	ok := false
	for _, text := range number.FindAllString(d.Text, -1) {
		v, err := strconv.ParseFloat(text, 64)
		const inch, rounded = 25.4, 0.013 // mm; half of the last place of .001 inch
		ok = ok || err == nil && (math.Abs(v-d.Nominal) <= rounded || math.Abs(v*inch-d.Nominal) <= rounded)
	}
	a.count(t, ok, "nominal %g is not in %q", d.Nominal, d.Text)
}
