package step

import (
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestRepeatedShapes checks that a shape listed again at its place occurs once, and that shapes elsewhere and different
// shapes are kept.
func TestRepeatedShapes(t *testing.T) {
	unit := geom.Vec3{X: 1, Y: 1, Z: 1}
	shell := func(w *steptest.Text) string { return w.BoxShell("CLOSED_SHELL", geom.Vec3{}, unit, false) }
	solid := func(w *steptest.Text, shell string) string { return w.Add("MANIFOLD_SOLID_BREP('',%s)", shell) }
	for name, c := range map[string]struct {
		items          func(w *steptest.Text) []string
		solids, shells int
		warning        string
	}{
		"listed in two representations": {func(w *steptest.Text) []string {
			s := solid(w, shell(w))
			return []string{s, w.Add("SOLID_REPLICA('',%s,%s)", s,
				w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,1.,$)", w.Point(geom.Vec3{})))}
		}, 1, 1, "repeated_shape"},
		"two solids of one shell": {func(w *steptest.Text) []string {
			s := shell(w)
			return []string{solid(w, s), solid(w, s)}
		}, 1, 1, "repeated_shape"},
		"its surface before it": {func(w *steptest.Text) []string {
			s := shell(w)
			return []string{w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", s), solid(w, s)}
		}, 1, 1, "repeated_shape"},
		"its surface the other way round": {func(w *steptest.Text) []string {
			s := shell(w)
			return []string{solid(w, s),
				w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.Add("ORIENTED_CLOSED_SHELL('',*,%s,.F.)", s))}
		}, 1, 1, "repeated_shape"},
		"a copy elsewhere": {func(w *steptest.Text) []string {
			s := solid(w, shell(w))
			return []string{s, w.Add("SOLID_REPLICA('',%s,%s)", s,
				w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,1.,$)", w.Point(geom.Vec3{X: 3})))}
		}, 2, 2, ""},
		"a surface of its own": {func(w *steptest.Text) []string {
			return []string{solid(w, shell(w)),
				w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.BoxShell("OPEN_SHELL", geom.Vec3{X: 5}, unit, false))}
		}, 1, 2, ""},
		"surfaces that share faces": {func(w *steptest.Text) []string {
			s := shell(w)
			faces := regexp.MustCompile(`CLOSED_SHELL\('',(.*)\);`).FindStringSubmatch(w.File())[1]
			return []string{solid(w, s),
				w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))",
					w.Add("OPEN_SHELL('',%s)", faces[:strings.LastIndex(faces, ",")]+")"))}
		}, 1, 2, "shared_faces"},
	} {
		w := &steptest.Text{}
		w.Part(c.items(w)...)
		m := mustRead(t, w.File())
		if len(m.Solids) != c.solids || len(m.Shells) != c.shells {
			t.Errorf("%s: %d solids, %d shells, want %d and %d", name, len(m.Solids), len(m.Shells), c.solids, c.shells)
		}
		if c.warning != "" && hasWarning(m, c.warning) == nil || c.warning == "" && len(m.Warnings) > 0 {
			t.Errorf("%s: warnings %v", name, m.Warnings)
		}
	}
}
