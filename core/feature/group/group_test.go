package group_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/group"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// groups shows the groups of a part.
func groups(t testing.TB, m *brep.Model) string {
	t.Helper()
	ctx := context.Background()
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, g := range group.Find(run.Graph, run.Features, nil) {
		line := g.Label
		if g.Pattern != "" {
			line += " " + string(g.Pattern)
		}
		if !strings.Contains(line, "face") { // the sides of the plate
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// plate has holes at places, all of one profile.
func plate(profile []geom.Vec2, at ...geom.Vec2) *brep.Model {
	var holes []build.Hole
	for _, p := range at {
		holes = append(holes, build.Hole{Center: p, Profile: profile})
	}
	return build.Plate(geom.Vec3{X: 200, Y: 160, Z: 10}, build.Style{}, holes...)
}

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// ring returns places on a circle, from an angle on by steps (rad).
func ring(n int, radius, from, step float64) (at []geom.Vec2) {
	for i := range n {
		a := from + float64(i)*step
		at = append(at, v2(100+radius*math.Cos(a), 80+radius*math.Sin(a)))
	}
	return at
}

func TestFind(t *testing.T) {
	bore := build.Through(6, 10)
	sunk := []geom.Vec2{v2(5, 0), v2(3, 2), v2(3, 10)}
	sixty := math.Pi / 3
	rows := []struct {
		name  string
		model *brep.Model
		want  string
	}{
		{"one hole is no group", plate(bore, v2(30, 30)), ""},
		{"two have no pattern", plate(bore, v2(30, 30), v2(60, 30)), "2 × ⌀6 THRU"},
		{"a row", plate(bore, v2(30, 30), v2(60, 40), v2(90, 50)), "3 × ⌀6 THRU linear"},
		{"a row with a gap", plate(bore, v2(30, 30), v2(60, 40), v2(120, 60)), "3 × ⌀6 THRU"},
		{"a bolt circle", plate(bore, ring(6, 40, 0.2, sixty)...), "6 × ⌀6 THRU circular"},
		{"three on a circle", plate(bore, ring(3, 40, 0.2, 2*sixty)...), "3 × ⌀6 THRU circular"},
		{"an arc", plate(bore, ring(4, 40, 0.2, sixty/2)...), "4 × ⌀6 THRU circular"},
		{"an arc of three may be anything", plate(bore, ring(3, 40, 0.2, sixty/2)...), "3 × ⌀6 THRU"},
		{"uneven on a circle", plate(bore, append(ring(4, 40, 0.2, sixty), ring(1, 40, 4.8, 0)...)...), "5 × ⌀6 THRU"},
		{"a grid", plate(sunk, v2(30, 30), v2(60, 30), v2(90, 30), v2(30, 50), v2(60, 50), v2(90, 50)),
			"6 × ⌀6 THRU, csk 10 × 90° grid"},
		{"a grid with a hole missing", plate(bore, v2(30, 30), v2(60, 30), v2(90, 30), v2(30, 50), v2(60, 50)), "5 × ⌀6 THRU"},
		{"a square", plate(bore, ring(4, 40, math.Pi/4, math.Pi/2)...), "4 × ⌀6 THRU grid"},
		{"blind holes", plate(build.Blind(6, 5, math.Pi), v2(30, 30), v2(60, 30)), "2 × ⌀6, 5 deep"},
		{"a bored one apart", build.Plate(geom.Vec3{X: 200, Y: 160, Z: 10}, build.Style{},
			build.Hole{Center: v2(30, 30), Profile: bore},
			build.Hole{Center: v2(60, 30), Profile: build.Through(6.1, 10)}), ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got := groups(t, row.model); got != row.want {
				t.Errorf("groups %q, want %q", got, row.want)
			}
		})
	}
}

// A square about a bore is a flange.
func TestSquareAboutABoreIsCircular(t *testing.T) {
	holes := []build.Hole{{Center: v2(100, 80), Profile: build.Through(30, 10)}}
	for _, p := range ring(4, 40, math.Pi/4, math.Pi/2) {
		holes = append(holes, build.Hole{Center: p, Profile: build.Through(6, 10)})
	}
	m := build.Plate(geom.Vec3{X: 200, Y: 160, Z: 10}, build.Style{}, holes...)
	if got, want := groups(t, m), "4 × ⌀6 THRU circular"; got != want {
		t.Errorf("groups %q, want %q", got, want)
	}
}

// Parts of another kernel: equal features of all kinds are reported.
func TestGroupsOfParts(t *testing.T) {
	for name, want := range map[string]string{
		"chamfers": "", "lugs": "", "fillets": "", "slotted_rod": "", "turned_part": "",
		"pierced_slots": "3 × ⌀5 THRU", "cross_holes": "2 × ⌀8 THRU", "notched_foot": "2 × pocket 6 × 6, through",
		"assembly": "2 × profile 8 × 8, 3 high; 2 × ⌀6 THRU; 2 × wall 7.97 long, 7.95 high; 2 × wall 3.94 long, 4 high",
	} {
		m, _ := featuretest.Part(t, name)
		if got := groups(t, m); got != want {
			t.Errorf("%s: groups %q, want %q", name, got, want)
		}
	}
}

// Labels and patterns do not follow how the part lies in its file.
func TestGroupsTurnWithThePart(t *testing.T) {
	m := plate(build.Blind(6, 5, math.Pi), ring(5, 40, 0.1, 2*math.Pi/5)...)
	want := groups(t, m)
	rapid.Check(t, func(r *rapid.T) {
		axis := geom.Vec3{X: rapid.Float64Range(-1, 1).Draw(r, "x"), Y: rapid.Float64Range(-1, 1).Draw(r, "y"), Z: 1}
		turned := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
		turned.Append(m, geom.Rotation(axis.Unit(), rapid.Float64Range(0, 6).Draw(r, "angle")))
		turned.Link()
		if got := groups(t, turned); got != want {
			r.Errorf("groups %q, want %q", got, want)
		}
	})
}

// A chamfer's callout depends on its edge, not on its direction: the longer leg and the angle at it.
func TestChamfersAreCalledOutByTheirEdge(t *testing.T) {
	for _, row := range []struct {
		name   string
		corner []geom.Vec2 // of a corner of the outline that is cut off
		want   string
	}{
		{"45°", []geom.Vec2{v2(57, 0), v2(60, 3)}, "2 × chamfer 3 × 45°"},
		{"longer along x", []geom.Vec2{v2(54, 0), v2(60, 3)}, "2 × chamfer 6 × 26.57°"},
		{"longer along y", []geom.Vec2{v2(57, 0), v2(60, 6)}, "2 × chamfer 6 × 26.57°"},
	} {
		a, b := row.corner[0], row.corner[1]
		outline := []build.Corner{{P: v2(60-a.X, 0)}, {P: a}, {P: b}, {P: v2(60, 40)}, {P: v2(0, 40)}, {P: v2(0, b.Y)}}
		m := build.Prism(row.name, outline, 12, build.Style{})
		if got := groups(t, m); got != row.want {
			t.Errorf("%s: groups %q, want %q", row.name, got, row.want)
		}
	}
}

// The far side of a hole and its thread are called out too.
func TestHolesAreCalledOutWithThreadAndFarSide(t *testing.T) {
	profile := []geom.Vec2{v2(5, 0), v2(5, 3), v2(2.5, 3), v2(2.5, 8), v2(4.5, 10)}
	m := plate(profile, v2(30, 30), v2(60, 30))
	meshed, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(t.Context(), m, meshed.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	threads := make([]*feature.ThreadFacts, len(run.Features))
	for i, f := range run.Features {
		if f.Hole != nil {
			threads[i] = &feature.ThreadFacts{Designation: "M6x1", Source: feature.ThreadInferred}
		}
	}
	const want = "2 × ⌀5 THRU, M6x1?, cbore 10 × 3, csk 9 × 90° far side"
	if got := group.Find(run.Graph, run.Features, threads); len(got) == 0 || !slices.ContainsFunc(got, func(g group.Group) bool { return g.Label == want }) {
		t.Errorf("groups %+v, want one called %q", got, want)
	}
}
