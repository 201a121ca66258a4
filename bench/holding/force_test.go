package holding_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/bench/holding"
)

// Mills of known cuts. The bound comes from a hand calculation: worn edges, all at the thickest chip of the arc. It is
// above the integral by a factor of up to 1.85, where edges push against one another.
func TestForcesOfMills(t *testing.T) {
	for _, row := range []struct {
		name                      string
		kc, mc, d                 float64
		z                         int
		fz, ap, ae, helix         float64
		tangential, across, bound float64 // N; of sharp edges, sampled piece by piece
	}{
		{"side of aluminum", 700, .25, 20, 3, .16, 20, 5, 30, 1783, 1926, 2682},
		{"slot in steel", 1700, .25, 12, 4, .05, 6, 12, 30, 1642, 1307, 3103},
		{"face", 700, .25, 50, 5, .15, 2, 35, 0, 564, 512, 774},
		{"finish", 700, .25, 6, 3, .06, 6.35, .18, 30, 0, 0, 59.7},
	} {
		f := holding.Mill(row.kc, row.mc, row.d, row.z, row.fz, row.ap, row.ae, row.helix)
		const worn = 1.3
		for _, c := range [][2]float64{{f.Tangential, worn * row.tangential}, {f.Across, worn * row.across}} {
			if c[1] > 0 && math.Abs(c[0]/c[1]-1) > 0.01 {
				t.Errorf("%s: %.0f N, want %.0f", row.name, c[0], c[1])
			}
		}
		if ratio := row.bound / f.Across; ratio < 1 || ratio > 1.85 {
			t.Errorf("%s: the bound of %.0f N is %.2f of %.1f N", row.name, row.bound, ratio, f.Across)
		}
		if up := 0.4 * f.Tangential; row.helix > 0 && math.Abs(f.Up-up) > 1e-9 || row.helix == 0 && f.Up != 0 {
			t.Errorf("%s: %.0f N up of %.0f", row.name, f.Up, f.Tangential)
		}
	}
}

// The table of the integral agrees with a sum over small pieces of the edges.
func TestForcesAgreeWithSumOfPieces(t *testing.T) {
	for _, row := range [][7]float64{ // diameter, edges, feed per tooth, depths, helix, mc
		{10, 3, .1, 10, 2.5, 30, .25}, {12, 4, .12, 24, 1.2, 30, .25}, {20, 3, .16, 2, 15, 30, .22},
		{6, 2, .04, 9, 6, 45, .27}, {50, 5, .15, 2.5, 50, 0, .25},
	} {
		d, z, fz, ap, ae, mc := row[0], int(row[1]), row[2], row[3], row[4], row[6]
		arc, lag := math.Acos(1-2*ae/d), math.Tan(row[5]*math.Pi/180)/(d/2)
		most, across := 0.0, 0.0
		const pieces, turns = 400, 1440
		for r := range turns {
			var f, x, y float64
			for k := range z {
				for j := range pieces {
					a := 2*math.Pi*(float64(r)/turns+float64(k)/row[1]) - lag*ap*(float64(j)+.5)/pieces
					a = math.Mod(a, 2*math.Pi)
					if a = math.Mod(a+2*math.Pi, 2*math.Pi); a <= 0 || a >= arc {
						continue
					}
					part := 1.3 * 700 * ap / pieces * math.Pow(fz*math.Sin(a), 1-mc)
					f += part
					x += part * (-math.Cos(a) - .5*math.Sin(a))
					y += part * (math.Sin(a) - .5*math.Cos(a))
				}
			}
			most, across = max(most, f), max(across, math.Hypot(x, y))
		}
		got := holding.Mill(700, mc, d, z, fz, ap, ae, row[5])
		if math.Abs(got.Tangential/most-1) > 0.01 || math.Abs(got.Across/across-1) > 0.01 {
			t.Errorf("%v: %.1f and %.1f N, want %.1f and %.1f", row, got.Tangential, got.Across, most, across)
		}
	}
}

func TestForcesOfDrills(t *testing.T) {
	for _, row := range []struct{ kc, d, feed, thrust float64 }{{700, 10, .2, 841}, {1700, 10, .3, 2768}} {
		f := holding.Drill(row.kc, .25, row.d, row.feed, 118)
		if math.Abs(f.Down/row.thrust-1) > 0.01 || math.Abs(f.Up/(.3*row.thrust)-1) > 0.01 || f.Across != 0 {
			t.Errorf("%+v: %+v", row, f)
		}
	}
}
