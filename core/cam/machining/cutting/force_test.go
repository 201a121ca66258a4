package cutting

import (
	"math"
	"testing"
)

// within reports a value that is off by more than a share of what is wanted.
func within(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s is %.5g, want %.5g", what, got, want)
	}
}

// The examples were worked by hand and by an integration along the edges.
func TestPeakForces(t *testing.T) {
	const percent = 0.01
	for _, c := range []struct {
		name              string
		e                 Engagement
		horizontal, axial float64
	}{
		{"shoulder in aluminum", Engagement{20, 3, 0.16, 20, 5, 30, 700, 0.25}, 2682, 959},
		{"slot in steel", Engagement{12, 4, 0.05, 6, 12, 30, 1700, 0.25}, 3103, 1110},
		{"face with straight edges", Engagement{50, 5, 0.15, 2, 35, 0, 700, 0.25}, 774, 0},
		{"finish in aluminum", Engagement{6, 3, 0.06, 6.35, 0.18, 30, 700, 0.25}, 59.7, 21.4},
		{"shoulder with a thin mill", Engagement{10, 3, 0.1, 10, 2.5, 30, 700, 0.25}, 943, 337},
		{"shoulder at 13 mm", Engagement{20, 3, 0.16, 13, 5, 30, 700, 0.25}, 2304, 824},
	} {
		f := c.e.Peak()
		within(t, c.name+": horizontal", f.Horizontal, c.horizontal, percent)
		within(t, c.name+": axial", f.Axial, c.axial, percent)
	}
	d := DrillingForce(10, 0.2, 118, 700, 0.25)
	within(t, "thrust", -d.Axial, 841, percent)
	within(t, "torque", d.Torque, 4.2, percent)
	d = DrillingForce(10, 0.3, 118, 1700, 0.25)
	within(t, "thrust in steel", -d.Axial, 2768, percent)
	within(t, "torque in steel", d.Torque, 13.84, percent)
	within(t, "pull at the end", d.BreakingThrough(), 0.3*2768, percent)
	within(t, "M6 in steel", TappingTorque(1, 6, 1700), 1.275, percent)
}

func TestPeakForceIsAboveItsIntegral(t *testing.T) {
	for _, e := range []Engagement{
		{20, 3, 0.16, 20, 5, 30, 700, 0.25}, {20, 3, 0.16, 10, 20, 30, 700, 0.25}, {10, 3, 0.1, 10, 2.5, 30, 700, 0.25},
		{6, 3, 0.06, 6, 0.3, 30, 700, 0.25}, {12, 4, 0.05, 6, 12, 30, 1700, 0.25}, {12, 4, 0.12, 24, 1.2, 30, 1700, 0.25},
		{20, 3, 0.16, 2, 15, 30, 700, 0.25}, {10, 3, 0.1, 20, 1, 30, 700, 0.25}, {50, 5, 0.15, 2.5, 35, 0.01, 700, 0.25},
	} {
		horizontal := integrate(e)
		if ratio := e.Peak().Horizontal / (worn * horizontal); ratio < 1 || ratio > 2.5 {
			t.Errorf("%+v: the peak is %.2f times the integral", e, ratio)
		}
	}
}

// integrate returns the largest horizontal force of sharp edges over a turn, by steps of the angle and the height.
func integrate(e Engagement) float64 {
	const turns, slices = 360, 100
	arc, most := engaged(e.Radial, e.Diameter), 0.0
	helix := math.Tan(e.HelixDeg * math.Pi / 180)
	for i := range turns {
		x, y := 0.0, 0.0
		for k := range e.Flutes {
			for j := range slices {
				z := (float64(j) + 0.5) * e.Axial / slices
				at := 2*math.Pi*(float64(i)/turns+float64(k)/float64(e.Flutes)) - 2*z*helix/e.Diameter
				at = math.Mod(math.Mod(at, 2*math.Pi)+2*math.Pi, 2*math.Pi)
				if at >= arc || at <= 0 {
					continue
				}
				f := e.KC11 * e.Axial / slices * math.Pow(e.FeedPerTooth*math.Sin(at), 1-e.MC)
				x -= f * (math.Cos(at) + radialShare*math.Sin(at))
				y += f * (math.Sin(at) - radialShare*math.Cos(at))
			}
		}
		most = max(most, math.Hypot(x, y))
	}
	return most
}
