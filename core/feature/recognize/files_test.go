package recognize_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// runOf recognizes a test part.
func runOf(t *testing.T, name string) *recognize.Recognition {
	t.Helper()
	m, msh := featuretest.Part(t, name)
	run, err := recognize.Recognize(t.Context(), m, msh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Parts made by boolean operations in another kernel, with the features of their design.
func TestPartFiles(t *testing.T) {
	rows := []struct {
		part, counts string
		holes        []string
	}{
		{"plate_holes", "Hole 7 Face 6", []string{
			"counterbored D6.60 L20.00 through cbore D11.00 L6.50",
			"countersunk D5.50 L20.00 through sink D11.20 90° L2.85",
			"simple D5.00 L25.00 flat", "simple D6.80 L14.00 conical", "simple D8.00 L12.00 flat",
			"simple D8.00 L23.27 through", "stepped D6.00 L20.00 through cbore D20.00 L4.00"}},
		// A tube with two holes through it. The bore splits the wide one by less than two of its diameters, which makes
		// it one hole, and the narrow one by more.
		{"cross_holes", "Hole 4 Face 2", []string{
			"simple D16.00 L40.00 through", "simple D24.00 L60.00 through", "simple D8.00 L8.68 through",
			"simple D8.00 L8.68 through"}},
		// The drill that reached each piece swept the others, with only air between.
		{"opened_holes", "Hole 3 Pocket 3 Face 6", []string{
			"counterbored D5.00 L30.00 through cbore D10.00 L6.00", "simple D5.00 L30.00 through",
			"simple D8.00 L12.00 conical"}},
		{"cross_link", "Pocket 4 Face 6", nil},
		{"freeform_dish", "Hole 1 Face 5", []string{"simple D10.00 L18.34 through"}},
		{"bevelled_bore", "Hole 1 Face 2", []string{"simple D8.00 L10.90 flat"}},
		{"drilled_slots", "Hole 2 Pocket 2 Face 6", []string{"simple D5.00 L15.00 conical", "simple D5.00 L17.00 conical"}},
		{"notched_foot", "Pocket 2 Boss 1 Face 3", nil},
		{"cut_groove", "Pocket 2 Face 6", nil},
		{"slotted_rod", "Pocket 1 Face 2", nil},
		{"threaded_bush", "Hole 1 Face 2", []string{"simple D10.40 L12.00 through"}},
		{"threaded_pin", "Boss 1 Face 3", nil},
		{"lead_screw", "Face 2", nil},
		{"lugs", "Hole 3 Pocket 1 Boss 2 Face 6", []string{
			"simple D10.00 L8.00 through", "simple D6.00 L12.00 through", "simple D8.00 L8.00 through"}},
		{"relieved_rod", "Hole 2 Pocket 2 Face 4", []string{"simple D12.00 L16.00 through", "simple D18.00 L16.00 through"}},
		{"cut_pentagon", "Pocket 3 Face 7", nil},
		{"open_arc", "Pocket 2 Face 2", nil},
		{"parted_arc", "Pocket 2 Face 2", nil},
		{"crossed_ring", "Pocket 2 Face 6", nil},
		{"grooved_block", "Hole 1 Pocket 2 Face 6", []string{"simple D8.00 L34.04 through"}},
		{"slotted_land", "Pocket 4 Face 6", nil},
		{"eared_drum", "Boss 1 Face 3", nil},
		{"bent_sheet", "Pocket 1 Face 12", nil},
		{"bosses", "Hole 1 Boss 3 Face 9", []string{"simple D10.00 L14.00 flat"}},
		{"chamfers", "Hole 1 Chamfer 3 Face 6", []string{
			"countersunk D12.00 L25.00 through sink D14.00 90° L1.00"}},
		{"pockets", "Pocket 6 Boss 1 Face 7", nil},
		{"inch_block", "Hole 1 Face 6", []string{"simple D10.00 L20.00 through"}},
		{"void_box", "Face 6", nil},
		{"assembly", "Hole 2 Face 23", []string{"simple D6.00 L12.00 through", "simple D6.00 L12.00 through"}},
	}
	for _, row := range rows {
		t.Run(row.part, func(t *testing.T) {
			run := runOf(t, row.part)
			res := run.Result
			if got := counts(res); got != row.counts {
				t.Errorf("found %s, want %s\n%s", got, row.counts, dump(res))
			}
			var holes []string
			for _, f := range featuretest.Only(res, feature.Hole) {
				holes = append(holes, featuretest.HoleText(f.Hole))
			}
			if slices.Sort(holes); !slices.Equal(holes, row.holes) {
				t.Errorf("holes %q, want %q", holes, row.holes)
			}
		})
	}
}

// regionsOf returns the regions of the features of a type, ascending.
func regionsOf(res feature.Result, typ feature.Type) (all [][]int) {
	for _, f := range featuretest.Only(res, typ) {
		all = append(all, f.Regions)
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// Pads around a collar as far out as its width are not a counterbore of its bore, and tabs on both sides of a tube have
// separate tops.
func TestPadsAndEarsAreApart(t *testing.T) {
	run := runOf(t, "collar")
	const bore, left, right = 10, 2, 12
	if holes := regionsOf(run.Result, feature.Hole); !slices.ContainsFunc(holes,
		func(h []int) bool { return slices.Equal(h, []int{bore}) }) {
		t.Errorf("want a hole of the bore alone\n%s", dump(run.Result))
	}
	faces := regionsOf(run.Result, feature.Face)
	for _, ear := range []int{left, right} {
		if !slices.ContainsFunc(faces, func(f []int) bool { return slices.Equal(f, []int{ear}) }) {
			t.Errorf("want a face of ear %d alone\n%s", ear, dump(run.Result))
		}
	}
}

// Bevels around a top are one chamfer though the outside, along whose edges other bevels continue, is larger. A bevel
// that turns upward at a fillet is one chamfer from above up to the turn, and another from the side.
func TestBevelsOfASteppedDisc(t *testing.T) {
	run := runOf(t, "stepped_disc")
	want := [][]int{{1, 5, 15}, {3, 4}, {6}, {7, 8}, {10}, {13}} // the top, a side, the floor, a side, two corners
	if got := regionsOf(run.Result, feature.Chamfer); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("chamfers of %v, want %v\n%s", got, want, dump(run.Result))
	}
}

// Bevels of one slant, separated by other chamfers, are one chamfer each.
func TestBevelsApartAreChamfersEach(t *testing.T) {
	run := runOf(t, "humped")
	want := [][]int{{2}, {10}, {11, 12, 14, 15, 16}} // both ends, the back
	if got := regionsOf(run.Result, feature.Chamfer); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("chamfers of %v, want %v\n%s", got, want, dump(run.Result))
	}
}

// A keyway along a whole stage, down to the shoulder, is a separate pocket: the shoulder stays a face, and a flat
// belongs to its stage.
func TestKeywayAlongAStage(t *testing.T) {
	run := runOf(t, "keyed_shaft")
	for _, row := range []struct {
		typ  feature.Type
		want [][]int
	}{{feature.Pocket, [][]int{{11, 12, 13}}}, {feature.Boss, [][]int{{7}, {8, 9, 16}}}} {
		if got := regionsOf(run.Result, row.typ); !slices.EqualFunc(got, row.want, slices.Equal) {
			t.Errorf("%s of %v, want %v\n%s", row.typ, got, row.want, dump(run.Result))
		}
	}
}

// Sides that other features largely cut away are still in the outline.
func TestOutlineHasSidesThatAreCutShort(t *testing.T) {
	run := runOf(t, "cut_pentagon")
	const sides = 5
	if p := featuretest.Only(run.Result, feature.Profile); len(p) != 1 || len(p[0].Regions) != sides {
		t.Errorf("want one profile of %d sides\n%s", sides, dump(run.Result))
	}
}

// A slot along an arc that others open to the side is a pocket, and not in the outline.
func TestOutlineHasNoArcSlots(t *testing.T) {
	run := runOf(t, "open_arc")
	const walls = 4
	if !slices.ContainsFunc(featuretest.Only(run.Result, feature.Pocket), func(f feature.Feature) bool {
		return f.Pocket.Through && len(f.Regions) == walls
	}) {
		t.Errorf("want a pocket through, of %d walls\n%s", walls, dump(run.Result))
	}
}

// Lands between slots across a side are in the outline, at any height.
func TestOutlineHasLandsBetweenSlots(t *testing.T) {
	run := runOf(t, "slotted_bar")
	g := run.Graph
	sides := 0 // faces of the mantle, and lands of the flat at y = 4
	for p := range g.Patches {
		if s := &g.Patches[p].Shape; s.IsMantle() || s.Kind == surface.KindPlane && s.Axis.Y > 0.9 && s.Origin.Y > 0 {
			sides += len(g.Patches[p].Faces)
		}
	}
	if p := featuretest.Only(run.Result, feature.Profile); len(p) != 1 || len(p[0].Regions) != sides {
		t.Errorf("want one profile of %d faces\n%s", sides, dump(run.Result))
	}
}

// Holes that break into slots do not open them.
func TestDrilledSlotsStayClosed(t *testing.T) {
	run := runOf(t, "drilled_slots")
	for _, f := range featuretest.Only(run.Result, feature.Pocket) {
		if f.Pocket.Open || !f.Pocket.Through {
			t.Errorf("regions %v: open %t, through %t; want only through", f.Regions, f.Pocket.Open, f.Pocket.Through)
		}
	}
}

// A flat on a round body is cut from the direction in which its hole opens, not along its length.
func TestFlatIsCutFromWhereItsHoleOpens(t *testing.T) {
	run := runOf(t, "flat_rod")
	pockets := featuretest.Only(run.Result, feature.Pocket)
	if len(pockets) != 1 || pockets[0].Direction.Z != 1 || math.Abs(pockets[0].Pocket.Depth-4) > 1e-9 {
		t.Errorf("want one pocket, 4 deep from +z\n%s", dump(run.Result))
	}
}

// The reasons of an outer thread name the thread.
func TestOuterThreadsAreNamed(t *testing.T) {
	for part, want := range map[string]string{"threaded_pin": "A thread M8x1.25: ",
		"lead_screw": "A thread 12xPh6P3-LH: "} {
		m, msh := featuretest.Part(t, part)
		run, err := recognize.Recognize(t.Context(), m, msh, compute.OnCPU(0))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range run.Result.Features {
			if f.HasOuterThread() && strings.HasPrefix(f.Reasons[0], want) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s: %d features begin %q\n%s", part, n, want, dump(run.Result))
		}
	}
}
