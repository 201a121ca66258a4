package tessellate

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// wreck damages a model as a faulty file would: entities that no longer fit each other.
func wreck(t *rapid.T, m *brep.Model) {
	number := rapid.SampledFrom([]float64{0, 1, -1, 0.5, -3, 1e-9, 100})
	vector := func() geom.Vec3 {
		return geom.Vec3{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: number.Draw(t, "z")}
	}
	pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "which") }
	for range rapid.IntRange(1, 3).Draw(t, "damages") {
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			if len(m.Vertices) > 0 {
				m.Vertices[pick(len(m.Vertices))].Point = vector()
			}
		case 1:
			f := &m.Faces[pick(len(m.Faces))]
			turn := geom.Rotation(vector(), math.Abs(number.Draw(t, "angle")))
			turn.T = vector()
			f.Surface = f.Surface.Transform(turn)
		case 2:
			f := &m.Faces[pick(len(m.Faces))]
			f.Surface = m.Faces[pick(len(m.Faces))].Surface
		case 3:
			f := &m.Faces[pick(len(m.Faces))]
			f.Reversed = !f.Reversed
		case 4:
			if len(m.Edges) > 0 {
				if e := &m.Edges[pick(len(m.Edges))]; e.Curve != nil {
					e.Curve = curve.Circle{Frame: geom.NewFrame(vector(), vector(), vector()), Radius: 100}
				}
			}
		case 5:
			f := &m.Faces[pick(len(m.Faces))]
			frame := geom.NewFrame(vector(), vector(), vector())
			f.Surface = surface.Torus{Frame: frame, Major: 2, Minor: 1 + math.Abs(number.Draw(t, "minor"))}
		case 6:
			if len(m.Coedges) > 0 {
				c := &m.Coedges[pick(len(m.Coedges))]
				c.Reversed = !c.Reversed
			}
		}
	}
}

// wreckable lists parts with faces of all kinds that are meshed by different methods: analytic ones, B-splines with
// probes, and faces with creases.
func wreckable(t testing.TB) []solid {
	probed, err := build.Freeform(build.Torus(40, 20, 0), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	waves := func(x, y float64) float64 { return 10 + 2*math.Abs(math.Sin(x/3)) + y*y/40 }
	creased := relief(t, field(t, 3, 3, 4, 4, 5, waves), 4.3, geom.Vec2{X: 9.4, Y: 10.2})
	both := &brep.Model{Tolerance: creased.Tolerance}
	both.Append(probed, geom.Translation(geom.Vec3{X: 200}))
	both.Append(creased, geom.Identity)
	return append(someSolids(), solid{name: "creased", model: creased}, solid{name: "probed and creased", model: both},
		solid{name: "spire", model: tower(t, []float64{20, 9, 20, 9, 20, 9}, []float64{1, 0.5, 0.8, 0}, 10, 0.3, true)})
}

// TestInvalidModelsEnd meshes models that no valid file produces. There must be no panic. Within the time limit of the
// test, the result is a region for each face and no more triangles than allowed, or a rejection with a reason. A
// surface far larger than its boundary may require any number of triangles.
func TestInvalidModelsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; other tests mesh on many threads")
	}
	const most = 200_000
	count := len(wreckable(t))
	rapid.Check(t, func(rt *rapid.T) {
		s, t := wreckable(t)[rapid.IntRange(0, count-1).Draw(rt, "solid")], rt
		wreck(t, s.model)
		o := Options{MaxTriangles: most, ChordTolerance: rapid.SampledFrom([]float64{0, 0.02}).Draw(t, "chord")}
		r, err := Mesh(context.Background(), s.model, o)
		var refusal *fault.Error
		if errors.As(err, &refusal) {
			if refusal.Code != fault.TooComplex || !strings.Contains(refusal.Reason, "(face ") &&
				!strings.Contains(refusal.Reason, "(edge ") {
				t.Fatalf("%s: %v", s.name, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if len(r.Mesh.Regions) != len(s.model.Faces) || r.Report.OutOfRange > 0 || len(r.Mesh.Triangles) > most {
			t.Fatalf("%s: %d regions for %d faces, %d triangles, %+v", s.name, len(r.Mesh.Regions),
				len(s.model.Faces), len(r.Mesh.Triangles), r.Report)
		}
	})
}
