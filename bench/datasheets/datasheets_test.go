package datasheets_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/bench/datasheets"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// all selects every feature for the check.
func all(*feature.Datasheet) bool { return true }

// shortly selects features by their datasheets in short tests, and every feature in long ones: the check takes seconds
// for each large pocket.
func shortly(some func(*feature.Datasheet) bool) func(*feature.Datasheet) bool {
	if testing.Short() {
		return some
	}
	return all
}

// checked returns the result of the check for the figures of some features of a part, spoiled before, and the number of
// these features that are not visible.
func checked(
	t *testing.T, m *brep.Model, of func(*feature.Datasheet) bool, spoil func(*feature.Datasheet),
) (rows []datasheets.Row, unseen int) {
	t.Helper()
	coarse, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(t.Context(), m, coarse.Mesh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fine, err := tessellate.Mesh(context.Background(), m, tessellate.Options{ChordTolerance: datasheets.FineChord,
		AngleTolerance: datasheets.FineAngle})
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Features {
		if !of(&sheets[i]) {
			continue
		}
		if spoil != nil {
			spoil(&sheets[i])
		}
		found := datasheets.Check(fine.Mesh, &run.Features[i], &sheets[i])
		rows = append(rows, found...)
		if datasheets.Checks(&run.Features[i]) && len(found) == 0 {
			unseen++
		}
	}
	return rows, unseen
}

// turned is a part anywhere in space, mirrored or not.
func turned(src *brep.Model, rng *rand.Rand) *brep.Model {
	move := geom.Translation(geom.Vec3{X: 100 * rng.NormFloat64(), Z: 50}).Mul(geom.Rotation(geom.Vec3{
		X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}, 6*rng.Float64()))
	if rng.IntN(2) == 0 {
		move.X = move.X.Neg()
	}
	m := &brep.Model{Name: src.Name, Tolerance: src.Tolerance}
	m.Append(src, move)
	m.Link()
	return m
}

// pocketed is a plate with pockets of random sizes: rounded, sharp, with an island, a slot, through.
func pocketed(rng *rand.Rand) *brep.Model {
	size := func(lo, hi float64) float64 { return lo + math.Round(8*(hi-lo)*rng.Float64())/8 }
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	w, h := size(24, 44), size(20, 38)
	return build.Milled("pocketed", build.Rectangle(150, 100), 25, build.Style{}, []build.Cut{
		{Profile: build.Moved(build.Rounded(w, h, size(2, 6)), at(5, 5)), Depth: size(4, 15)},
		{Profile: build.Moved(build.Rectangle(size(20, 40), size(15, 38)), at(5, 55)), Depth: size(4, 15)},
		{Profile: build.Moved(build.Rounded(45, 40, size(4, 7)), at(55, 5)), Depth: 9, Cuts: []build.Cut{
			{Profile: build.Moved(build.Rectangle(size(4, 12), size(4, 12)), at(size(66, 75), size(14, 24))), Depth: -5}}},
		{Profile: build.Slot(at(60, 65), at(size(80, 95), size(60, 85)), size(5, 12)), Depth: 25},
		{Profile: build.Polygon(at(110, 10), at(140, 10), at(140, size(22, 30)), at(size(120, 130), size(32, 40)),
			at(size(120, 130), size(70, 80)), at(110, 80)), Depth: size(5, 20)},
	})
}

func TestDatasheetsAgreeWithTheCheck(t *testing.T) {
	parts := map[string]*brep.Model{}
	for _, name := range []string{"pockets", "bosses", "notched_foot", "lugs", "slotted_rod"} {
		parts[name], _ = featuretest.Part(t, name)
	}
	rng := rand.New(rand.NewPCG(16, 4))
	for i := range 4 {
		parts[fmt.Sprint("random ", i)] = turned(pocketed(rng), rng)
	}
	for name, m := range parts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, unseen := checked(t, m, all, nil)
			if len(rows) == 0 || unseen > 0 {
				t.Errorf("%d figures, %d features not seen", len(rows), unseen)
			}
			for _, r := range rows {
				if !r.Agrees() {
					t.Errorf("%s %s: %v, by force %v to %v", r.Kind, r.Figure, r.Sheet, r.Lo, r.Hi)
				}
			}
		})
	}
}

// Figures that are off do not agree.
func TestTheCheckTellsWrongFigures(t *testing.T) {
	m := pocketed(rand.New(rand.NewPCG(1, 2)))
	right, _ := checked(t, m, all, nil)
	wrong, _ := checked(t, m, all, func(d *feature.Datasheet) {
		if k, ok := d.Facts.(*feature.PocketFacts); ok {
			k.MaxClearingDiameter *= 1.4
			k.NarrowestWidth *= 0.88
			k.FloorRadius += 0.5
			if k.MinCornerRadius != nil {
				*k.MinCornerRadius = 1.1**k.MinCornerRadius + 0.3
			}
		}
	})
	told := 0
	for i := range wrong {
		if wrong[i].Kind == feature.Pocket && right[i].Agrees() && wrong[i].Agrees() {
			t.Errorf("%s of %v is taken for right: %v to %v", wrong[i].Figure, wrong[i].Sheet, wrong[i].Lo, wrong[i].Hi)
		}
		if !wrong[i].Agrees() {
			told++
		}
	}
	if told == 0 {
		t.Error("nothing was told")
	}
}

// Radii and widths that are off by 2 % do not agree, wherever a cell of the grid and a chord are less.
func TestTheCheckTellsTwoPercent(t *testing.T) {
	const off = 1.02
	told := map[string]int{}
	spoil := func(x *float64) {
		if x != nil {
			*x *= off
		}
	}
	parts := map[string]*brep.Model{"casting": partOf(t, "step", "nist_ap203", "nist_ctc_04_asme1_rd.stp")}
	for _, name := range []string{"pockets", "bosses", "notched_foot"} {
		m, _ := featuretest.Part(t, name)
		parts[name] = &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
		parts[name].Append(m, geom.Scaling(5))
		parts[name].Link()
	}
	for name, m := range parts {
		wrong, _ := checked(t, m, all, func(d *feature.Datasheet) {
			switch k := d.Facts.(type) {
			case *feature.PocketFacts:
				k.NarrowestWidth, k.FloorRadius = off*k.NarrowestWidth, off*k.FloorRadius
				spoil(k.MinCornerRadius)
			case *feature.BossFacts:
				spoil(k.MinConcaveRadius)
			case *feature.WallFacts:
				spoil(k.MinConcaveRadius)
			case *feature.ProfileFacts:
				spoil(k.MinConcaveRadius)
				spoil(k.MinConvexRadius)
			}
		})
		for _, r := range wrong {
			if math.IsNaN(r.Sheet) || r.Sheet < 2 || r.Figure == "maxClearingDiameter" {
				continue
			}
			if r.Agrees() {
				t.Errorf("%s: %s %s of %v is taken for right: %v to %v", name, r.Kind, r.Figure, r.Sheet, r.Lo, r.Hi)
			}
			told[r.Figure]++
		}
	}
	for _, figure := range []string{"minCornerRadius", "narrowestWidth", "floorRadius", "minConcaveRadius", "minConvexRadius"} {
		if told[figure] == 0 {
			t.Errorf("no %s was off", figure)
		}
	}
}
