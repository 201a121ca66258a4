package recognize_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"millwright/compute"
	"millwright/core/feature"
	"millwright/core/feature/featuretest"
	"millwright/core/feature/recognize"
)

// Parts made by boolean operations in another kernel, with what their makers cut into them.
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
		// A tube with two holes right through it. The bore parts the wide one by less than two of its
		// diameters, which makes it one hole, and the narrow one by more.
		{"cross_holes", "Hole 4 Face 2", []string{
			"simple D16.00 L40.00 through", "simple D24.00 L60.00 through", "simple D8.00 L8.68 through",
			"simple D8.00 L8.68 through"}},
		// The drill that reached each piece swept the others, and nothing stands between them.
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
			m, msh := featuretest.Part(t, row.part)
			run, err := recognize.Part(t.Context(), m, msh, compute.OnCPU(0))
			if err != nil {
				t.Fatal(err)
			}
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

// Sides of which others have cut away much are of the outline all the same.
func TestOutlineHasSidesThatAreCutShort(t *testing.T) {
	m, msh := featuretest.Part(t, "cut_pentagon")
	run, err := recognize.Part(t.Context(), m, msh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	const sides = 5
	if p := featuretest.Only(run.Result, feature.Profile); len(p) != 1 || len(p[0].Regions) != sides {
		t.Errorf("want one profile of %d sides\n%s", sides, dump(run.Result))
	}
}

// Holes that break into slots open them to no side.
func TestDrilledSlotsStayClosed(t *testing.T) {
	m, msh := featuretest.Part(t, "drilled_slots")
	run, err := recognize.Part(t.Context(), m, msh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range featuretest.Only(run.Result, feature.Pocket) {
		if f.Pocket.Open || !f.Pocket.Through {
			t.Errorf("regions %v: open %t, through %t; want only through", f.Regions, f.Pocket.Open, f.Pocket.Through)
		}
	}
}

// A flat on something round is cut from where the hole in it opens, not along its own length.
func TestFlatIsCutFromWhereItsHoleOpens(t *testing.T) {
	m, msh := featuretest.Part(t, "flat_rod")
	run, err := recognize.Part(t.Context(), m, msh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	pockets := featuretest.Only(run.Result, feature.Pocket)
	if len(pockets) != 1 || pockets[0].Direction.Z != 1 || math.Abs(pockets[0].Pocket.Depth-4) > 1e-9 {
		t.Errorf("want one pocket, 4 deep from +z\n%s", dump(run.Result))
	}
}

// Why a feature is an outer thread names the thread.
func TestOuterThreadsAreNamed(t *testing.T) {
	for part, want := range map[string]string{"threaded_pin": "A thread M8x1.25: ", "lead_screw": "A thread 12xPh6P3-LH: "} {
		m, msh := featuretest.Part(t, part)
		run, err := recognize.Part(t.Context(), m, msh, compute.OnCPU(0))
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
