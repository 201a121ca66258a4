package machining

import (
	"fmt"
	"math"
	"slices"
)

// Drills and reamers of the built-in library. Their lengths are steps over the diameter.

// lengths is a row of a standard for drills or reamers: the flute and overall length of diameters up to a value, mm.
type lengths struct{ upTo, flute, overall float64 }

// lengthsOf returns the first row for a diameter (mm). The rows ascend.
func lengthsOf(d float64, rows []lengths) lengths {
	return rows[slices.IndexFunc(rows, func(r lengths) bool { return d <= r.upTo })]
}

// jobberDrills is DIN 338, which ISO 235 agrees with, from 0.95 to 20 mm.
var jobberDrills = []lengths{
	{1.06, 12, 34}, {1.18, 14, 36}, {1.32, 16, 38}, {1.5, 18, 40}, {1.7, 20, 43}, {1.9, 22, 46}, {2.12, 24, 49},
	{2.36, 27, 53}, {2.65, 30, 57}, {3, 33, 61}, {3.35, 36, 65}, {3.75, 39, 70}, {4.25, 43, 75}, {4.75, 47, 80},
	{5.3, 52, 86}, {6, 57, 93}, {6.7, 63, 101}, {7.5, 69, 109}, {8.5, 75, 117}, {9.5, 81, 125}, {10.6, 87, 133},
	{11.8, 94, 142}, {13.2, 101, 151}, {14, 108, 160}, {15, 114, 169}, {16, 120, 178}, {17, 125, 184}, {18, 130, 191},
	{19, 135, 198}, {20, 140, 205},
}

// carbideDrills is DIN 6537 long, from 3 to 20 mm.
var carbideDrills = []lengths{
	{3.75, 28, 66}, {4.75, 36, 74}, {6, 44, 82}, {8, 53, 91}, {10, 61, 103}, {12, 71, 118}, {14, 77, 124},
	{16, 83, 133}, {18, 93, 143}, {20, 101, 153},
}

// reamerSizes is DIN 212, from 1.9 to 20 mm.
var reamerSizes = []lengths{
	{2.12, 11, 49}, {2.36, 12, 53}, {2.65, 14, 57}, {3, 15, 61}, {3.35, 16, 65}, {3.75, 18, 70}, {4.25, 19, 75},
	{4.75, 21, 80}, {5.3, 23, 86}, {6, 26, 93}, {6.7, 28, 101}, {7.5, 31, 109}, {8.5, 33, 117}, {9.5, 36, 125},
	{10.6, 38, 133}, {11.8, 41, 142}, {13.2, 44, 151}, {14, 47, 160}, {15, 50, 162}, {16, 52, 170}, {17, 54, 175},
	{18, 56, 182}, {19, 58, 189}, {20, 60, 195},
}

// commonDrills are the first drills of the library, mm.
var commonDrills = []float64{1, 1.6, 2, 2.5, 3, 3.3, 4, 4.2, 5, 6, 6.8, 8, 8.5, 10, 10.2, 12}

// otherDrills are the rest of a set from 1 to 13 mm by tenths, and of DIN 338 by halves above, mm. With commonDrills
// they have the clearance holes of ISO 273 for M1 to M18.
func otherDrills() []float64 {
	out := slices.DeleteFunc(tenths(1, 13), func(d float64) bool { return slices.Contains(commonDrills, d) })
	for d := 13.5; d <= 20; d += 0.5 {
		out = append(out, d)
	}
	return out
}

// tenths returns the diameters from one to another by tenths, mm.
func tenths(from, to int) (out []float64) {
	for n := 10 * from; n <= 10*to; n++ {
		out = append(out, float64(n)/10)
	}
	return out
}

func stockDrills(sizes []float64) []stockTool {
	var out []stockTool
	for _, d := range sizes {
		l := lengthsOf(d, jobberDrills)
		out = append(out, stockTool{
			kind: Drill, diameter: d, flute: l.flute, overall: l.overall, shank: d, flutes: 2, tip: 118,
			name: fmt.Sprintf("Drill %g mm", d), cut: drilling,
		})
	}
	return out
}

// stockCarbideDrills are a set from 3 to 13 mm by tenths, and the cores and clearance holes of thicker screws.
func stockCarbideDrills() []stockTool {
	var out []stockTool
	for _, d := range append(tenths(3, 13), 13.5, 14, 15.5, 16, 17.5, 20) {
		l := lengthsOf(d, carbideDrills)
		shank := max(6, 2*math.Ceil(d/2)) // of DIN 6535
		out = append(out, stockTool{
			kind: Drill, diameter: d, flute: l.flute, overall: l.overall, shank: shank, flutes: 2, tip: 140,
			material: Carbide, name: fmt.Sprintf("Carbide drill %g mm", d), cut: carbideDrilling,
		})
	}
	return out
}

func stockReamers(sizes ...float64) []stockTool {
	var out []stockTool
	for _, d := range sizes {
		l := lengthsOf(d, reamerSizes)
		out = append(out, stockTool{
			kind: Reamer, diameter: d, flute: l.flute, overall: l.overall, shank: d, flutes: 6,
			name: fmt.Sprintf("Reamer %g mm H7", d), cut: reaming,
		})
	}
	return out
}
