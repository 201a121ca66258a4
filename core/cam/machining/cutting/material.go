package cutting

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
)

// ReferenceMaterial is a material as shops name it, with where its figures are from.
type ReferenceMaterial struct {
	machining.Material
	Source string
}

const source = "Mitsubishi Materials, technical information, cutting power for face milling, table of Kc, row "

// chips are the feeds per tooth (mm) of the columns of the source.
var chips = [5]float64{0.1, 0.2, 0.3, 0.4, 0.6}

// rows are the specific cutting forces (N/mm²) of the source, and the materials that shops use.
var rows = []struct {
	name    string
	group   machining.MaterialGroup
	density float64 // g/cm³
	row     string
	force   [5]float64
}{
	{"Mild steel S235, 1018", machining.GroupP, 7.85, "mild steel, 520 MPa", [5]float64{2200, 1950, 1820, 1700, 1580}},
	{"Carbon steel C45, 1045", machining.GroupP, 7.85, "medium steel, 620 MPa", [5]float64{1980, 1800, 1730, 1600, 1570}},
	{"Carbon steel C60, 1060", machining.GroupP, 7.85, "hard steel, 720 MPa", [5]float64{2520, 2200, 2040, 1850, 1740}},
	{"Tool steel, annealed", machining.GroupP, 7.8, "tool steel, 770 MPa", [5]float64{2030, 1800, 1750, 1700, 1580}},
	{"Alloy steel 42CrMo4, 4140", machining.GroupP, 7.85, "chrome molybdenum steel, 730 MPa",
		[5]float64{2540, 2250, 2140, 2000, 1800}},
	{"Alloy steel 34CrNiMo6, 4340", machining.GroupP, 7.85, "nickel chrome molybdenum steel, 940 MPa",
		[5]float64{2000, 1800, 1680, 1600, 1500}},
	{"Stainless steel 1.4301, 304", machining.GroupM, 7.9, "austenitic stainless steel, 155 HB",
		[5]float64{2030, 1970, 1900, 1770, 1710}},
	{"Grey cast iron GJL-250", machining.GroupK, 7.2, "grey cast iron, 200 HB", [5]float64{1750, 1400, 1240, 1050, 970}},
	{"Hard cast iron", machining.GroupK, 7.4, "hard cast iron, 46 HRC", [5]float64{3000, 2700, 2500, 2400, 2200}},
	{"Brass CuZn39Pb3", machining.GroupN, 8.5, "brass, 500 MPa", [5]float64{1150, 950, 800, 700, 630}},
	{"Aluminium 5052, AlMg", machining.GroupN, 2.68, "light alloy (Al-Mg), 160 MPa", [5]float64{580, 480, 400, 350, 320}},
	{"Aluminium 6061, cast AlSi", machining.GroupN, 2.7, "light alloy (Al-Si), 200 MPa", [5]float64{700, 600, 490, 450, 390}},
	{"Aluminium 7075, AlZnMgCu", machining.GroupN, 2.81, "light alloy (Al-Zn-Mg-Cu), 570 MPa",
		[5]float64{880, 840, 840, 810, 720}},
}

// Materials returns common materials, steels first. The constants of Kienzle's law fit the forces of the source best
// (least squares of logarithms). Superalloys, titanium and hardened steel are left out, since the source lacks them. So
// are prices, which change by the week.
func Materials() []ReferenceMaterial {
	var out []ReferenceMaterial
	for _, r := range rows {
		force, exponent := kienzle(r.force)
		out = append(out, ReferenceMaterial{machining.Material{
			Name: r.name, ISOGroup: r.group, SpecificCuttingForce: force, ForceExponent: exponent, Density: r.density,
		}, source + r.row})
	}
	return out
}

// kienzle fits kc = kc1.1·h^-mc.
func kienzle(force [5]float64) (kc11, mc float64) {
	var x, y, xx, xy float64
	n := float64(len(chips))
	for i, h := range chips {
		u, v := math.Log(h), math.Log(force[i])
		x, y, xx, xy = x+u, y+v, xx+u*u, xy+u*v
	}
	slope := (n*xy - x*y) / (n*xx - x*x)
	return math.Exp((y - slope*x) / n), -slope
}
