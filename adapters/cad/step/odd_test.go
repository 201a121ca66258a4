package step

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// quarterBall is a quarter of a ball: either sense of its arcs around their circles bounds a solid.
func quarterBall(radius float64, poles geom.Vec3) *brep.Model {
	b := build.New("quarter")
	south, north := b.Vertex(geom.Vec3{Z: -radius}), b.Vertex(geom.Vec3{Z: radius})
	down := geom.Vec3{Z: -1}
	axis := b.Line(south, north)
	overX := b.Edge(curve.Circle{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Y: -1}, down), Radius: radius}, 0, math.Pi,
		south, north)
	overY := b.Edge(curve.Circle{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1}, down), Radius: radius}, 0, math.Pi,
		south, north)
	b.Face(surface.Plane{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Y: -1}, down)}, false,
		build.Chain(build.Fwd(overX), build.Rev(axis)))
	b.Face(surface.Plane{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{X: -1}, down)}, false,
		build.Chain(build.Fwd(axis), build.Rev(overY)))
	b.Face(surface.Sphere{Frame: geom.NewFrame(geom.Vec3{}, poles, poles.Perp()), Radius: radius}, false,
		build.Chain(build.Fwd(overY), build.Rev(overX)))
	b.Solid()
	return b.Model()
}

// TestOddEdges flips the sense of one arc in a file whose edges all run with their curves. The flip is undone because
// no other edge has this sense, although the quarter of a ball would still be a solid.
func TestOddEdges(t *testing.T) {
	for _, poles := range []geom.Vec3{{X: 1, Y: -1}, {Z: 1}} {
		w := &steptest.Text{}
		beside := build.Blocks("", build.Add(geom.Vec3{X: 20}, geom.Vec3{X: 21, Y: 1, Z: 1}),
			build.Add(geom.Vec3{X: 21}, geom.Vec3{X: 22, Y: 2, Z: 1}))
		w.Part(slices.Concat(w.Model(quarterBall(10, poles)), w.Model(beside))...)
		good := w.File()
		want, err := volumeOf(t, good)
		if err != nil || !near(want, 3+math.Pi*1000/3, 1e-6) {
			t.Fatalf("volume %g, %v", want, err)
		}
		for _, circle := range regexp.MustCompile(`#\d+=CIRCLE`).FindAllString(good, -1) {
			id := strings.TrimSuffix(circle, "=CIRCLE")
			edge := regexp.MustCompile(fmt.Sprintf(`(EDGE_CURVE\([^;]*,%s),\.([TF])\.`, id))
			bad := edge.ReplaceAllStringFunc(good, func(s string) string {
				return strings.NewReplacer(".T.", ".F.", ".F.", ".T.").Replace(s)
			})
			if got, err := volumeOf(t, bad); bad == good || err != nil || !near(got, want, 1e-6) {
				t.Errorf("poles %v, arc %s: volume %g, want %g; %v", poles, id, got, want, err)
			}
		}
	}
}

// TestOddEdgeOfFew flips an edge in a file of three edges, too few for a decision: a warning names the edge.
func TestOddEdgeOfFew(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Model(quarterBall(10, geom.Vec3{X: 1, Y: -1}))...)
	good := w.File()
	tried := 0
	for _, at := range regexp.MustCompile(`#\d+=EDGE_CURVE\([^;]*\.T\.`).FindAllStringIndex(good, -1) {
		bad := good[:at[1]-3] + ".F." + good[at[1]:]
		got, m, err := partOf(t, bad)
		if err != nil {
			t.Errorf("%s: %v", good[at[0]:at[1]], err)
			continue
		}
		id, _, _ := strings.Cut(good[at[0]:at[1]], "=")
		isArc := m.Edges[slices.IndexFunc(m.Edges, func(e brep.Edge) bool { return fmt.Sprint("#", e.Source) == id })].
			Curve.Kind() == curve.KindCircle
		said := hasWarning(m, "either_side")
		isSaid := said != nil && strings.Contains(said.Message, id)
		if isRight := near(got, math.Pi*1000/3, 1e-6); isArc && !isSaid && !isRight || !isArc && (isSaid || !isRight) {
			t.Errorf("%s, an arc %v: volume %g, warnings %v", good[at[0]:at[1]], isArc, got, m.Warnings)
		}
		tried++
	}
	if tried != 3 {
		t.Errorf("%d edges were tried", tried)
	}
}
