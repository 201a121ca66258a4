package cutting

import (
	"math"
	"testing"
)

// TestWorkedExamples checks the formulas against examples in tool makers' technical information.
func TestWorkedExamples(t *testing.T) {
	n := SpindleSpeed(80, 250)
	for _, c := range []struct {
		name             string
		got, want, digit float64
	}{
		{"Mitsubishi, power of face milling, kW", MillingPower(2, 80, 280, 1800, 0.8), 1.68, 1e-12},
		{"Mitsubishi, spindle of a cutter of 250 mm at 80 m/min", n, 101.91, 0.06}, // it takes π as 3.14
		{"Mitsubishi, feed per tooth of its 12 inserts, digits cut off", 280 / (12 * n), 0.228, 0.0011},
		{"Mitsubishi, speed of a cutter of 125 mm at 350 rpm, m/min", SurfaceSpeed(350, 125), 137.4, 0.1},
		{"Mitsubishi, speed of a drill of 12 mm at 1350 rpm, m/min", SurfaceSpeed(1350, 12), 50.9, 0.05},
		{"Sandvik, mean chip of a full slot, mm", MeanChipThickness(0.1, 10, 10), 360 * 0.1 * 10 / (math.Pi * 10 * 180), 1e-15},
		{"Sandvik, mean chip of half a slot, mm", MeanChipThickness(0.1, 5, 10), 360 * 0.1 * 5 / (math.Pi * 10 * 90), 1e-15},
		{"force at 1 mm, N/mm²", SpecificForce(1700, 0.25, 1), 1700, 1e-9},
		{"force at 0.0001 mm, N/mm²", SpecificForce(1700, 0.25, 1e-4), 17000, 1e-9},
		{"thinning of half", ChipThinning(5, 10), 1, 0},
		{"thinning of more", ChipThinning(9, 10), 1, 0},
		{"thinning of a tenth", ChipThinning(1, 10), 1 / 0.6, 1e-12},
		{"thinning of a hair", ChipThinning(0.01, 10), 2, 0},
		{"torque of 1 kW at 1 rad/s, N·m", Torque(1, 30/math.Pi), 1000, 1e-9},
		{"a hole is an area that is fed", DrillingPower(10, 0.2, SurfaceSpeed(1000, 10), 2000),
			math.Pi * 25 * 200 * 2000 / 60e6, 1e-12},
		{"bending of an even beam, mm/N", TipCompliance(50, 20, 8, 8, 600e3),
			50 * 50 * 50 * 64 / (3 * 600e3 * math.Pi * 8 * 8 * 8 * 8), 1e-15},
		{"bending of flutes alone, mm/N", TipCompliance(20, 30, 8, 99, 600e3),
			20 * 20 * 20 * 64 / (3 * 600e3 * math.Pi * 8 * 8 * 8 * 8), 1e-15},
	} {
		if !(math.Abs(c.got-c.want) <= c.digit) {
			t.Errorf("%s: %.9g, want %.9g", c.name, c.got, c.want)
		}
	}
}

// TestTipComplianceAgainstIntegration adds up the bending of slices of a stepped tool.
func TestTipComplianceAgainstIntegration(t *testing.T) {
	const stickout, flutes, core, shank, modulus, slices = 60.0, 22.0, 7.0, 12.0, 600e3, 200_000
	sum := 0.0
	for i := range slices {
		x := (float64(i) + 0.5) * stickout / slices // from the tip
		d := shank
		if x < flutes {
			d = core
		}
		sum += x * x / (modulus * math.Pi * math.Pow(d, 4) / 64) * stickout / slices
	}
	if got := TipCompliance(stickout, flutes, core, shank, modulus); math.Abs(got/sum-1) > 1e-5 {
		t.Errorf("%g mm/N, want %g", got, sum)
	}
}

// TestMaterialsMatchTheirSource: Kienzle's law with the constants of a material is within some percent of every force
// that was measured.
func TestMaterialsMatchTheirSource(t *testing.T) {
	const scatter = 0.08 // of the measurements about a power law
	all := Materials()
	for i, m := range all {
		if m.Name == "" || m.Source == "" || !(m.Density > 1) || !(m.ForceExponent > 0) || m.ForceExponent > 0.5 {
			t.Errorf("material %d: %+v", i, m)
		}
		for k, h := range chips {
			got, want := SpecificForce(m.SpecificCuttingForce, m.ForceExponent, h), rows[i].force[k]
			if math.Abs(got/want-1) > scatter {
				t.Errorf("%s: %.0f N/mm² at %g mm, measured %g", m.Name, got, h, want)
			}
		}
	}
	if len(all) < 10 {
		t.Errorf("%d materials", len(all))
	}
	kc11, mc := kienzle([5]float64{
		SpecificForce(1500, 0.2, 0.1), SpecificForce(1500, 0.2, 0.2), SpecificForce(1500, 0.2, 0.3),
		SpecificForce(1500, 0.2, 0.4), SpecificForce(1500, 0.2, 0.6),
	})
	if math.Abs(kc11-1500) > 1e-9 || math.Abs(mc-0.2) > 1e-12 {
		t.Errorf("a true power law is fitted as %g, %g", kc11, mc)
	}
}
