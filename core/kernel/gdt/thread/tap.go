package thread

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/kernel/gdt"
)

// Threads by tap drill.
//
// Sources: ISO 261 (metric sizes and pitches), ISO 2306 (drills for tapping), ASME B1.1 and B94.9 (UNC and UNF and
// their drills). The drill of a metric thread is the nominal diameter less the pitch. A bore counts as a tap drill only
// if exactly one thread fits it: many drills serve a coarse and a fine thread. Round diameters (5.0, 10.5 mm) are
// common for plain holes too; the result reports this.

// Tapped is a thread with the bore it is cut in.
type Tapped struct {
	Designation string
	Nominal     float64 // mm
	Pitch       float64 // mm
	Drill       float64 // mm
}

// Metric coarse threads, M1.6 to M36, and the fine ones in common use, in the order in which they are
// preferred.
var metricTaps = []Tapped{
	{"M1.6x0.35", 1.6, 0.35, 1.25}, {"M2x0.4", 2, 0.4, 1.6}, {"M2.5x0.45", 2.5, 0.45, 2.05},
	{"M3x0.5", 3, 0.5, 2.5}, {"M4x0.7", 4, 0.7, 3.3}, {"M5x0.8", 5, 0.8, 4.2}, {"M6x1", 6, 1, 5},
	{"M8x1.25", 8, 1.25, 6.8}, {"M10x1.5", 10, 1.5, 8.5}, {"M12x1.75", 12, 1.75, 10.2},
	{"M14x2", 14, 2, 12}, {"M16x2", 16, 2, 14}, {"M18x2.5", 18, 2.5, 15.5}, {"M20x2.5", 20, 2.5, 17.5},
	{"M22x2.5", 22, 2.5, 19.5}, {"M24x3", 24, 3, 21}, {"M27x3", 27, 3, 24}, {"M30x3.5", 30, 3.5, 26.5},
	{"M33x3.5", 33, 3.5, 29.5}, {"M36x4", 36, 4, 32},
	{"M8x1", 8, 1, 7}, {"M10x1", 10, 1, 9}, {"M10x1.25", 10, 1.25, 8.8}, {"M12x1.25", 12, 1.25, 10.8},
	{"M12x1.5", 12, 1.5, 10.5}, {"M14x1.5", 14, 1.5, 12.5}, {"M16x1.5", 16, 1.5, 14.5},
	{"M18x1.5", 18, 1.5, 16.5}, {"M20x1.5", 20, 1.5, 18.5},
}

// Unified threads: the nominal diameter and the drill in inches, threads per inch.
var unifiedTaps = []struct {
	name           string
	nominal, drill float64
	perInch        float64
}{
	{"#4-40 UNC", 0.112, 0.0890, 40}, {"#6-32 UNC", 0.138, 0.1065, 32}, {"#8-32 UNC", 0.164, 0.1360, 32},
	{"#10-24 UNC", 0.190, 0.1495, 24}, {"#10-32 UNF", 0.190, 0.1590, 32}, {"1/4-20 UNC", 0.25, 0.2010, 20},
	{"1/4-28 UNF", 0.25, 0.2130, 28}, {"5/16-18 UNC", 0.3125, 0.2570, 18}, {"5/16-24 UNF", 0.3125, 0.2720, 24},
	{"3/8-16 UNC", 0.375, 0.3125, 16}, {"3/8-24 UNF", 0.375, 0.3320, 24}, {"7/16-14 UNC", 0.4375, 0.3680, 14},
	{"7/16-20 UNF", 0.4375, 0.3906, 20}, {"1/2-13 UNC", 0.5, 0.4219, 13}, {"1/2-20 UNF", 0.5, 0.4531, 20},
	{"5/8-11 UNC", 0.625, 0.5312, 11}, {"5/8-18 UNF", 0.625, 0.5781, 18}, {"3/4-10 UNC", 0.75, 0.6562, 10},
	{"3/4-16 UNF", 0.75, 0.6875, 16}, {"7/8-9 UNC", 0.875, 0.7656, 9}, {"1-8 UNC", 1, 0.8750, 8},
}

// sameDrill (mm) is the largest difference of a bore from the diameter of its tap drill: models contain drill sizes to
// two decimals of a millimeter or four of an inch.
const sameDrill = 0.006

// Permitted differences of a modeled thread from the intended one: in diameter, the widening by a class of fit; in
// pitch, the approximation error of the helix.
const (
	helixWider = 0.2  // of the pitch
	samePitch  = 0.01 // of the pitch
)

// coarseTaps is the number of coarse threads in metricTaps.
const coarseTaps = 20

// helixDigits is the number of steps per mm in the name of a thread outside the standards.
const helixDigits = 1e3

// The angle between the flanks of metric and unified threads (ISO 68-1, ASME B1.1), and its largest error on a modeled
// thread, rad: Whitworth's has 55°.
const (
	flanks     = 60 * math.Pi / 180
	sameFlanks = 4.5 * math.Pi / 180
)

// FromHelix returns the thread of a major diameter and a pitch, mm, and the angle between its flanks, rad. It is the
// standard thread that fits best, else the measured one, with the pitch of a standard if one fits.
func FromHelix(major, pitch, angle float64) Tapped {
	round := func(mm float64) float64 { return math.Round(mm*helixDigits) / helixDigits }
	out := Tapped{Nominal: round(major), Pitch: pitch}
	apart, off := samePitch*pitch, helixWider*pitch
	for _, t := range allTaps() {
		if d := math.Abs(t.Pitch - pitch); d <= apart {
			out.Pitch, apart = t.Pitch, d
		}
	}
	out.Pitch = round(out.Pitch)
	for _, t := range allTaps() {
		if math.Abs(angle-flanks) > sameFlanks {
			break
		}
		if d := math.Abs(t.Nominal - major); d <= off && round(t.Pitch) == out.Pitch {
			out, off = t, d
		}
	}
	if out.Designation == "" {
		out.Designation = strconv.FormatFloat(out.Nominal, 'f', -1, 64) + "x" +
			strconv.FormatFloat(out.Pitch, 'f', -1, 64)
	}
	return out
}

// Called returns the designation of a thread of so many starts, left-handed or not, as ISO 965-1 writes them.
func (t Tapped) Called(starts int, isLeft bool) string {
	name := t.Designation
	if size, pitch, isMetric := strings.Cut(name, "x"); starts > 1 && isMetric {
		lead := math.Round(float64(starts)*t.Pitch*helixDigits) / helixDigits
		name = size + "xPh" + strconv.FormatFloat(lead, 'f', -1, 64) + "P" + pitch
	} else if starts > 1 {
		name += " " + strconv.Itoa(starts) + " starts"
	}
	if isLeft {
		name += "-LH"
	}
	return name
}

// FromBore returns the thread of a nominal diameter that is cut in a bore, both mm. Of several pitches, it is the one
// whose minor diameter is nearest to the bore's.
func FromBore(nominal, bore float64) (gdt.Thread, bool) {
	const (
		height   = 1.0825 // of the pitch: from the major to the minor diameter of ISO 68-1 and ASME B1.1
		sameSize = 1e-3   // of the diameter
	)
	best, off := Tapped{}, math.Inf(1)
	for _, t := range allTaps() {
		d := math.Abs(t.Nominal - height*t.Pitch - bore)
		if math.Abs(t.Nominal-nominal) <= sameSize*nominal && d < off {
			best, off = t, d
		}
	}
	if off > best.Pitch {
		return gdt.Thread{}, false
	}
	return Parse(best.Designation)
}

// allTaps returns the metric and the unified threads.
func allTaps() []Tapped {
	out := slices.Clone(metricTaps)
	for _, u := range unifiedTaps {
		out = append(out, Tapped{u.name, u.nominal * mmPerInch, mmPerInch / u.perInch, u.drill * mmPerInch})
	}
	return out
}

// FromTapDrill returns the thread whose tap drill has the diameter (mm) of a bore. isPlain reports a diameter of a
// whole or half number of millimeters, which plain holes have as often as drills: a thread needs more evidence then,
// and is a coarse one. A drill common to metric and inch threads gives no thread.
func FromTapDrill(diameter float64) (t Tapped, isPlain, ok bool) {
	found, coarse := 0, false
	for i, tap := range allTaps() {
		if math.Abs(tap.Drill-diameter) <= sameDrill {
			t, coarse = tap, i < coarseTaps
			found++
		}
	}
	half := 2 * diameter
	isPlain = math.Abs(half-math.Round(half)) <= 2*sameDrill
	if found != 1 || isPlain && !coarse {
		return Tapped{}, false, false
	}
	return t, isPlain, true
}
