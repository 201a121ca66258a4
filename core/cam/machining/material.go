package machining

import (
	"encoding/json"
	"math"
)

// Material is the material of the part. In documents without the later fields, the force exponent is
// DefaultForceExponent, the density the group's, and the price 0.
type Material struct {
	Name                 string        `json:"name"`
	ISOGroup             MaterialGroup `json:"isoGroup"`             // presets of tools are chosen by it
	SpecificCuttingForce float64       `json:"specificCuttingForce"` // kc1.1 of Kienzle's law, N/mm²
	// mc of Kienzle's law: kc = kc1.1·h^-mc
	ForceExponent   float64 `json:"forceExponent" required:"false"`
	Density         float64 `json:"density" required:"false"`         // g/cm³
	PricePerKgCents float64 `json:"pricePerKgCents" required:"false"` // US cents; 0: not charged
}

// DefaultForceExponent is the default of mc: the usual value for steel, and within 0.05 of the value for most metals.
const DefaultForceExponent = 0.25

// densities are the densities of the commonest material of each group, g/cm³: unalloyed steel, austenitic stainless
// steel, gray iron, aluminum, nickel alloys, hardened tool steel.
var densities = map[MaterialGroup]float64{
	GroupP: 7.85, GroupM: 7.9, GroupK: 7.2, GroupN: 2.7, GroupS: 8.2, GroupH: 7.8,
}

// UnmarshalJSON reads a material, with defaults for missing fields.
func (m *Material) UnmarshalJSON(data []byte) error {
	type plain Material
	v := plain{ForceExponent: DefaultForceExponent, Density: math.NaN()} // no JSON is NaN
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if math.IsNaN(v.Density) {
		v.Density = densities[v.ISOGroup]
	}
	*m = Material(v)
	return nil
}

func (m *Material) check(f *findings) {
	defer f.in("material.")()
	f.text("name", m.Name, true)
	oneOf(f, "isoGroup", m.ISOGroup, Groups)
	f.figure("Material", "specificCuttingForce", m.SpecificCuttingForce)
	f.figure("Material", "forceExponent", m.ForceExponent)
	if _, known := densities[m.ISOGroup]; known { // other groups have no density
		f.figure("Material", "density", m.Density)
	}
	f.figure("Material", "pricePerKgCents", m.PricePerKgCents)
}
