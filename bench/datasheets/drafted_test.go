package datasheets_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/bench/datasheets"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep"
)

// partOf reads a part of the corpus.
func partOf(t *testing.T, name ...string) *brep.Model {
	t.Helper()
	return read(t, filepath.Join(append([]string{corpus.Dir(t)}, name...)...))
}

func read(t *testing.T, path string) *brep.Model {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(t.Context(), f, info.Size(), path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPassageOverFilletsOfABoss checks that the width of a groove around a raised face includes the fillets at both its
// walls, also where one belongs to a boss.
func TestPassageOverFilletsOfABoss(t *testing.T) {
	m := partOf(t, "step", "nist_ap242", "nist_ftc_07_asme1_ap242-e2.stp")
	const width = 4.638 // mm: 4.2204 between the outer wall and the fillet of the inner one, which is as wide as 0.4175
	between := func(d *feature.Datasheet) bool {
		k, ok := d.Facts.(*feature.PocketFacts)
		return ok && math.Abs(k.NarrowestWidth-width) < 0.05
	}
	found := func(of func(*feature.Datasheet) bool, spoil func(*feature.Datasheet)) (agree, off int) {
		rows, _ := checked(t, m, of, spoil)
		for _, r := range rows {
			if r.Figure == "narrowestWidth" && r.Lo < width && width < r.Hi {
				agree++
				if !r.Agrees() {
					off++
				}
			}
		}
		return agree, off
	}
	if agree, off := found(shortly(between), nil); agree == 0 || off > 0 {
		t.Errorf("%d figures, %d of them off", agree, off)
	}
	if agree, off := found(between, func(d *feature.Datasheet) {
		*pocketFigures(d)["narrowestWidth"] -= 0.4175
	}); off == 0 {
		t.Errorf("the width between the fillets is taken for right: %d figures", agree)
	}
}

// The sides of a casting are one profile that narrows downward, whose round corners lean as the sides do.
func TestRoundCornersOfACasting(t *testing.T) {
	m := partOf(t, "step", "nist_ap203", "nist_ctc_02_asme1_rc.stp")
	rows, _ := checked(t, m, func(d *feature.Datasheet) bool { _, ok := d.Facts.(*feature.ProfileFacts); return ok }, nil)
	const radius = 10 // mm, of all round corners about the direction
	figures := 0
	for _, r := range rows {
		if r.Kind != feature.Profile {
			continue
		}
		figures++
		if !r.Agrees() || r.Lo > radius || r.Hi < radius {
			t.Errorf("%s: %v, by force %v to %v, want %v", r.Figure, r.Sheet, r.Lo, r.Hi, radius)
		}
	}
	if figures == 0 {
		t.Error("no profile")
	}
}

// TestGrooveWithoutWalls checks a groove around a shaft that is nowhere as steep as a wall. Its width is the distance
// of its edges, and it takes the ball of its bottom.
func TestGrooveWithoutWalls(t *testing.T) {
	m := partOf(t, "step", "odri", "lower_leg_structure_fork.STEP")
	for figure, want := range map[string]float64{"narrowestWidth": 6.1267, "maxClearingDiameter": 6} { // mm
		rows, _ := checked(t, m, with(figure, want), nil)
		if !slices.ContainsFunc(rows, func(r datasheets.Row) bool {
			return r.Kind == feature.Pocket && r.Figure == figure && math.Abs(r.Sheet-want) < 1e-3 && r.Agrees()
		}) {
			t.Errorf("no %s of %v that agrees", figure, want)
		}
	}
}

// A flat wall that leans over a round floor meets it in a curve, and has no corner.
func TestFlatWallsHaveNoCorner(t *testing.T) {
	m := partOf(t, "step", "analysis_situs", "0048_cable_tie_slot_10_v6_colored.step")
	rows, _ := checked(t, m, func(d *feature.Datasheet) bool { return pocketFigures(d) != nil }, nil)
	for _, r := range rows {
		if r.Kind == feature.Pocket && r.Figure == "minCornerRadius" && !r.Agrees() {
			t.Errorf("%v, by force %v to %v", r.Sheet, r.Lo, r.Hi)
		}
	}
}
