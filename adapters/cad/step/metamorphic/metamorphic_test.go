// Package metamorphic contains tests that write STEP files in another form, or move their content, and expect the same
// part.
package metamorphic

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// facts are the invariant properties of a part.
type facts struct {
	solids, shells, faces, edges, vertices int
	volume, area                           float64 // mm³, mm²
	centroid                               geom.Vec3
	kinds                                  map[string]int
}

// measure reads a text and measures the part in it.
func measure(t *testing.T, name, text string) (facts, bool) {
	t.Helper()
	m, err := step.Read(context.Background(), strings.NewReader(text), int64(len(text)), step.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return facts{}, false
	}
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return facts{}, false
	}
	f := facts{len(m.Solids), len(m.Shells), len(m.Faces), len(m.Edges), len(m.Vertices), p.Volume, p.Area,
		p.Centroid, map[string]int{}}
	for _, face := range m.Faces {
		f.kinds[surface.Underlying(face.Surface).Kind().String()]++
	}
	return f, true
}

// same compares a rewritten part, which is scaled by scale and has its centroid at c, with the first.
func (f facts) same(t *testing.T, name string, got facts, scale, rounding float64, c geom.Vec3) {
	t.Helper()
	if got.solids != f.solids || got.shells != f.shells || got.faces != f.faces || got.edges != f.edges ||
		got.vertices != f.vertices || !maps.Equal(got.kinds, f.kinds) {
		t.Errorf("%s: %+v, want %+v", name, got, f)
	}
	if v := f.volume * scale * scale * scale; math.Abs(got.volume-v) > rounding*math.Abs(v) {
		t.Errorf("%s: volume %.12g, want %.12g", name, got.volume, v)
	}
	if a := f.area * scale * scale; math.Abs(got.area-a) > rounding*a {
		t.Errorf("%s: area %.12g, want %.12g", name, got.area, a)
	}
	if size := scale * math.Sqrt(f.area); f.volume != 0 && got.centroid.Dist(c) > rounding*(size+c.Norm()) {
		t.Errorf("%s: centroid %v, want %v", name, got.centroid, c)
	}
}

// parts are the project's own parts and a handful of real ones, by name.
func parts(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../testdata/*.step")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test parts: %v", err)
	}
	if !testing.Short() {
		dir := corpus.Dir(t)
		for _, name := range []string{
			"step/nist_ap203/nist_ctc_01_asme1_rd.stp", "step/nist_ap242/nist_ftc_08_asme1_ap242-e1-tg.stp",
			"step/nist_ap242/nist_ctc_03_asme1_ap242-e2.stp", "step/stepcode/ap214e3/as1-oc-214.stp",
		} {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	out := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte("_SHELL")) {
			continue // wireframe
		}
		out[filepath.Base(path)] = string(data)
	}
	return out
}

// Shares by which volumes and areas may differ.
const (
	exact = 1e-9 // for sums in another order, and numbers with 17 digits
	moved = 1e-7 // edges of real files are off their faces, and their projections depend on rounding
)

// TestAnotherText writes the same instances in other text forms.
func TestAnotherText(t *testing.T) {
	for name, text := range parts(t) {
		want, ok := measure(t, name, text)
		if !ok {
			continue
		}
		r := rand.New(rand.NewSource(int64(len(text))))
		for how, rewrite := range map[string]func(f *steptest.File) string{
			"as it is": (*steptest.File).String,
			"shuffled": func(f *steptest.File) string { f.Shuffle(r); return f.String() },
			"backwards": func(f *steptest.File) string {
				f.Renumber(func(n int64) int64 { return 1e12 - n })
				return f.String()
			},
			"sparse": func(f *steptest.File) string {
				f.Renumber(func(n int64) int64 { return n*7919 + 1e15 })
				f.Shuffle(r)
				return f.String()
			},
			"small letters":    func(f *steptest.File) string { f.Lower(); return f.String() },
			"wrapped":          func(f *steptest.File) string { return f.Wrap(r, "\r\n") },
			"carriage returns": func(f *steptest.File) string { return f.Wrap(r, "\r") },
			"two sections": func(f *steptest.File) string {
				half := len(f.Instances) / 2
				first := steptest.File{Head: f.Head, Instances: f.Instances[:half], Tail: "ENDSEC;\nDATA;\n"}
				second := steptest.File{Instances: f.Instances[half:], Tail: f.Tail}
				return first.String() + second.String()
			},
		} {
			if got, ok := measure(t, name+" "+how, rewrite(steptest.Parse(text))); ok {
				want.same(t, name+" "+how, got, 1, exact, want.centroid)
			}
		}
	}
}

// lengths is the number of leading numbers of an entity that are lengths, or all of them.
var lengths = map[string]int{
	"CARTESIAN_POINT": 3, "CIRCLE": 1, "ELLIPSE": 2, "HYPERBOLA": 2, "PARABOLA": 1, "CYLINDRICAL_SURFACE": 1,
	"CONICAL_SURFACE": 1, "SPHERICAL_SURFACE": 1, "TOROIDAL_SURFACE": 2, "DEGENERATE_TOROIDAL_SURFACE": 2,
	"VECTOR": 1, "OFFSET_SURFACE": 1, "UNCERTAINTY_MEASURE_WITH_UNIT": 1,
}

// TestInches writes lengths in inches instead of millimeters.
func TestInches(t *testing.T) {
	const inch = 25.4
	tried := 0
	for name, text := range parts(t) {
		f := steptest.Parse(text)
		unit := -1
		for i, in := range f.Instances {
			if strings.Contains(in.Body, "LENGTH_UNIT") && strings.Contains(in.Body, ".MILLI.") {
				unit = i
			}
		}
		if unit < 0 || strings.Contains(text, "CONVERSION_BASED_UNIT('INCH") ||
			strings.Contains(text, "COORDINATES_LIST") {
			continue
		}
		tried++
		f.Each(func(name, body string) string {
			if n := lengths[name]; n > 0 && (name != "CARTESIAN_POINT" || strings.Count(body, ",") == 3) {
				return steptest.Numbers(body, func(i int, x float64) float64 {
					if i < n {
						x /= inch
					}
					return x
				})
			}
			return body
		})
		for i, in := range f.Instances { // several contexts may have a unit each
			if strings.Contains(in.Body, "LENGTH_UNIT") && strings.Contains(in.Body, ".MILLI.") {
				mm := f.Add("%s", in.Body)
				f.Instances[i].Body = fmt.Sprintf("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT(*))",
					f.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),%s)", mm))
			}
		}
		want, ok := measure(t, name, text)
		got, also := measure(t, name+" in inches", f.String())
		if ok && also {
			want.same(t, name+" in inches", got, 1, exact, want.centroid)
		}
	}
	if tried == 0 {
		t.Error("no part is in millimetres")
	}
}

// placed replaces the shape of the only product of a file by a mapped copy; it returns false for several products.
func placed(f *steptest.File, target string) bool {
	at := -1
	for i, in := range f.Instances {
		if strings.HasPrefix(in.Body, "SHAPE_DEFINITION_REPRESENTATION") {
			if at >= 0 {
				return false
			}
			at = i
		}
	}
	if at < 0 {
		return false
	}
	refs := strings.Split(strings.Trim(strings.TrimPrefix(f.Instances[at].Body, "SHAPE_DEFINITION_REPRESENTATION"),
		" ()"), ",")
	rep := strings.TrimSpace(refs[1])
	context := ""
	for _, in := range f.Instances {
		if fmt.Sprintf("#%d", in.ID) == rep {
			context = strings.TrimSpace(in.Body[strings.LastIndex(in.Body, ",")+1 : strings.LastIndex(in.Body, ")")])
		}
	}
	zero := f.Add("CARTESIAN_POINT('',(0.,0.,0.))")
	origin := f.Add("AXIS2_PLACEMENT_3D('',%s,$,$)", zero)
	item := f.Add("MAPPED_ITEM('',%s,%s)", f.Add("REPRESENTATION_MAP(%s,%s)", origin, rep), target)
	f.Instances[at].Body = fmt.Sprintf("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", refs[0],
		f.Add("SHAPE_REPRESENTATION('',(%s),%s)", item, context))
	return true
}

// direction and point write the components of placements.
func direction(f *steptest.File, v geom.Vec3) string {
	return f.Add("DIRECTION('',(%.17g,%.17g,%.17g))", v.X, v.Y, v.Z)
}

func point(f *steptest.File, v geom.Vec3) string {
	return f.Add("CARTESIAN_POINT('',(%.17g,%.17g,%.17g))", v.X, v.Y, v.Z)
}

// TestMappedCopies moves, mirrors and scales parts by a MAPPED_ITEM.
func TestMappedCopies(t *testing.T) {
	turn := geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: 3}.Unit(), 0.7)
	away := geom.Vec3{X: 100, Y: -20, Z: 3}
	tried := 0
	for name, text := range parts(t) {
		if strings.Contains(text, "inch") || strings.Contains(text, "INCH") {
			continue // the placement would be in inches
		}
		want, ok := measure(t, name, text)
		for _, c := range []struct {
			how            string
			mirror, scale  float64
			asOperatorOnly bool
		}{
			{"turned", 1, 1, false}, {"turned by an operator", 1, 1, true}, {"mirrored", -1, 1, true},
			{"scaled", 1, 2.5, true}, {"mirrored and scaled", -1, 0.125, true},
		} {
			f := steptest.Parse(text)
			axes := [3]geom.Vec3{turn.X, turn.Y, turn.Z.Scale(c.mirror)}
			target := ""
			if c.asOperatorOnly {
				target = f.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',%s,%s,%s,%g,%s)", direction(f, axes[0]),
					direction(f, axes[1]), point(f, away), c.scale, direction(f, axes[2]))
			} else {
				target = f.Add("AXIS2_PLACEMENT_3D('',%s,%s,%s)", point(f, away), direction(f, axes[2]),
					direction(f, axes[0]))
			}
			if !ok || strings.Contains(text, "METRE") && strings.Contains(text, "SI_UNIT($,.METRE.)") ||
				!placed(f, target) {
				continue
			}
			tried++
			move := geom.Transform{X: axes[0].Scale(c.scale), Y: axes[1].Scale(c.scale),
				Z: axes[2].Scale(c.scale), T: away}
			if got, ok := measure(t, name+" "+c.how, f.String()); ok {
				want.same(t, name+" "+c.how, got, c.scale, moved, move.Point(want.centroid))
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d copies were tried", tried)
	}
}

// TestMovedGeometry moves every point and rotates every direction of a part.
func TestMovedGeometry(t *testing.T) {
	move := geom.Translation(geom.Vec3{X: -7, Y: 30, Z: 11}).Mul(geom.Rotation(geom.Vec3{X: 3, Y: -1, Z: 1}.Unit(), 2))
	for name, text := range parts(t) {
		if strings.Contains(text, "COORDINATES_LIST") || strings.Contains(text, "NEXT_ASSEMBLY_USAGE") ||
			strings.Contains(text, "INCH") || strings.Contains(text, "SI_UNIT($,.METRE.)") {
			continue // its points are not all in millimeters, or in one system of coordinates
		}
		f := steptest.Parse(text)
		f.Each(func(name, body string) string {
			if name != "CARTESIAN_POINT" && name != "DIRECTION" || strings.Count(body, ",") != 3 {
				return body
			}
			var v [3]float64
			steptest.Numbers(body, func(i int, x float64) float64 { v[i] = x; return x })
			p := geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
			if p = move.Dir(p); name == "CARTESIAN_POINT" {
				p = p.Add(move.T)
			}
			v = [3]float64{p.X, p.Y, p.Z}
			return steptest.Numbers(body, func(i int, _ float64) float64 { return v[i] })
		})
		want, ok := measure(t, name, text)
		got, also := measure(t, name+" moved", f.String())
		if ok && also {
			want.same(t, name+" moved", got, 1, moved, move.Point(want.centroid))
		}
	}
}
