package machining

import (
	"cmp"
	"encoding/json"
	"math"
)

// Material is the material of the part. In documents without the later fields, the force exponent is
// DefaultForceExponent, density, yield strength and modulus the group's, and the price 0.
type Material struct {
	Name                 string        `json:"name"`
	ISOGroup             MaterialGroup `json:"isoGroup"`             // presets of tools are chosen by it
	SpecificCuttingForce float64       `json:"specificCuttingForce"` // kc1.1 of Kienzle's law, N/mm²
	// mc of Kienzle's law: kc = kc1.1·h^-mc
	ForceExponent   float64 `json:"forceExponent" required:"false"`
	Density         float64 `json:"density" required:"false"`         // g/cm³
	PricePerKgCents float64 `json:"pricePerKgCents" required:"false"` // US cents; 0: not charged
	Yield           float64 `json:"yield" required:"false"`           // strength, MPa
	Modulus         float64 `json:"modulus" required:"false"`         // of elasticity, MPa
}

// DefaultForceExponent is the default of mc: the usual value for steel, and within 0.05 of the value for most metals.
const DefaultForceExponent = 0.25

// usual are the properties of the commonest material of each group: unalloyed steel, austenitic stainless steel, gray
// iron, aluminum 6061-T6, nickel alloys, hardened tool steel. Gray iron does not yield: it is its tensile strength.
var usual = map[MaterialGroup]struct {
	density        float64 // g/cm³
	yield, modulus float64 // MPa
}{
	GroupP: {7.85, 350, 210_000}, GroupM: {7.9, 210, 200_000}, GroupK: {7.2, 250, 110_000},
	GroupN: {2.7, 276, 69_000}, GroupS: {8.2, 550, 205_000}, GroupH: {7.8, 1500, 210_000},
}

// UnmarshalJSON reads a material, with defaults for missing fields.
func (m *Material) UnmarshalJSON(data []byte) error {
	type plain Material
	none := math.NaN() // no JSON is NaN
	v := plain{ForceExponent: DefaultForceExponent, Density: none, Yield: none, Modulus: none}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	u := usual[v.ISOGroup]
	for _, f := range []struct{ value, instead *float64 }{
		{&v.Density, &u.density}, {&v.Yield, &u.yield}, {&v.Modulus, &u.modulus},
	} {
		if math.IsNaN(*f.value) {
			*f.value = *f.instead
		}
	}
	*m = Material(v)
	return nil
}

// WithUsual returns the material with the properties of its group in place of those that are 0.
func (m Material) WithUsual() Material {
	u := usual[m.ISOGroup]
	m.Density, m.Yield, m.Modulus = cmp.Or(m.Density, u.density), cmp.Or(m.Yield, u.yield), cmp.Or(m.Modulus, u.modulus)
	return m
}

func (m *Material) check(f *findings) {
	defer f.in("material.")()
	f.text("name", m.Name, true)
	oneOf(f, "isoGroup", m.ISOGroup, Groups)
	f.figure("Material", "specificCuttingForce", m.SpecificCuttingForce)
	f.figure("Material", "forceExponent", m.ForceExponent)
	if _, known := usual[m.ISOGroup]; known { // other groups have no properties
		f.figure("Material", "density", m.Density)
		f.figure("Material", "yield", m.Yield)
		f.figure("Material", "modulus", m.Modulus)
	}
	f.figure("Material", "pricePerKgCents", m.PricePerKgCents)
}
