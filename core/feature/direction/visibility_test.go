package direction_test

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func run(t tester, m *brep.Model) *recognize.Recognition {
	t.Helper()
	ctx := context.Background()
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{ChordTolerance: 0.15, AngleTolerance: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	res, err := recognize.Recognize(ctx, m, r.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// file returns one of the parts that another kernel made.
func file(t testing.TB, name string) *brep.Model {
	m, _ := featuretest.Part(t, name)
	return m
}

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// turned returns a model turned about an axis.
func turned(m *brep.Model, axis geom.Vec3, angle float64) *brep.Model {
	out := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	out.Append(m, geom.Rotation(axis, angle))
	out.Link()
	return out
}

// grooved is a ring whose bore is wider in the middle.
func grooved() *brep.Model {
	return build.Revolve("grooved", geom.World, build.Polygon(v2(10, 0), v2(20, 0), v2(20, 30), v2(10, 30),
		v2(10, 20), v2(14, 20), v2(14, 10), v2(10, 10)), build.Style{})
}

var (
	right = geom.Vec3{X: 1}
	up    = geom.Vec3{Z: 1}
)

func TestDirectionZ(t *testing.T) {
	res := run(t, build.Box(geom.Vec3{X: 10, Y: 20, Z: 30}))
	if len(res.DirectionZ) != len(res.Directions) || len(res.Directions) != 6 {
		t.Fatalf("%d directions, %d ranges", len(res.Directions), len(res.DirectionZ))
	}
	for i, d := range res.Directions {
		size := math.Abs(d.X)*10 + math.Abs(d.Y)*20 + math.Abs(d.Z)*30
		want := geom.Interval{Hi: size}
		if d.X+d.Y+d.Z < 0 {
			want = geom.Interval{Lo: -size}
		}
		if got := res.DirectionZ[i]; math.Abs(got.Lo-want.Lo)+math.Abs(got.Hi-want.Hi) > 1e-12 {
			t.Errorf("along %v: %v, want %v", d, got, want)
		}
	}
}

func TestViews(t *testing.T) {
	// Sides 0-3, bottom 4, top 5, the bevel of a conical hole 6.
	res := run(t, build.Plate(geom.Vec3{X: 30, Y: 30, Z: 20}, build.Style{},
		build.Hole{Center: v2(15, 15), Profile: []geom.Vec2{v2(8, 0), v2(4, 4), v2(4, 20)}}))
	g, s := res.Graph, res.Visibility
	rows := []struct {
		name     string
		dir      geom.Vec3
		face     int
		relation direction.Relation
		facing   float64
		hidden   bool
	}{
		{"top from above", up, 5, direction.Normal, 1, false},
		{"top from below", up.Neg(), 5, direction.FacingAway, 0, false},
		{"side from above", up, 0, direction.Parallel, 1, false},
		{"cone from above", up, 6, direction.Oblique, 1, false},
		{"cone from below", up.Neg(), 6, direction.FacingAway, 0, false},
		{"bore from above", up, 7, direction.Parallel, 1, false},
		{"bore from the side", right, 7, direction.Oblique, 0.5, true},
	}
	for _, row := range rows {
		i := s.Find(row.dir)
		if i == graph.None {
			t.Fatalf("%s: no direction %v", row.name, row.dir)
		}
		v := s.View(g, i, g.PatchOf[row.face])
		if v.Relation != row.relation || v.Obstructed != row.hidden || math.Abs(v.Facing-row.facing) > 0.1 {
			t.Errorf("%s: %v, %.3f seen of %.3f, obstructed %t; want %v, %.1f, %t", row.name, v.Relation, v.Share,
				v.Facing, v.Obstructed, row.relation, row.facing, row.hidden)
		}
	}
}

func TestUnmachined(t *testing.T) {
	rows := []struct {
		name  string
		model *brep.Model
		want  map[int]string // by face: outer faces are seen
	}{
		// Faces follow the profile: 4 upper side of the groove, 5 its bottom, 6 its lower side.
		{"grooved ring", grooved(), map[int]string{
			4: feature.ReasonUndercut, 5: feature.ReasonUndercut, 6: feature.ReasonUndercut}},
		{"block", build.Box(geom.Vec3{X: 30, Y: 30, Z: 30}), nil},
		{"block with a void", file(t, "void_box"), map[int]string{
			6: feature.ReasonNotVisible, 7: feature.ReasonNotVisible, 8: feature.ReasonNotVisible,
			9: feature.ReasonNotVisible, 10: feature.ReasonNotVisible, 11: feature.ReasonNotVisible, 12: feature.ReasonNotVisible}},
		{"sheet", file(t, "sheet"), map[int]string{
			0: feature.ReasonSheet, 1: feature.ReasonSheet, 2: feature.ReasonSheet}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := run(t, row.model)
			taken := make([]bool, len(res.Graph.Patches))
			for p := range taken {
				for i := range res.Directions {
					taken[p] = taken[p] || res.Visibility.Share[i][p] >= direction.MinFloorVisibility
				}
			}
			got := map[int]string{}
			for _, u := range direction.Unmachined(res.Graph, res.Visibility, taken) {
				got[u.Region] = u.Reason
				if u.Detail == "" {
					t.Errorf("face %d has no detail", u.Region)
				}
			}
			if len(got) != len(row.want) {
				t.Errorf("unmachined %v, want %v", got, row.want)
			}
			for f, reason := range row.want {
				if got[f] != reason {
					t.Errorf("face %d is %q, want %q", f, got[f], reason)
				}
			}
		})
	}
}
