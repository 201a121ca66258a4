package dexel

import "millwright.dev/millwright/core/cam/stock/grid"

// HeightMap returns the height of the material along an axis, over a grid of the lattice's cells across the axis, in
// the order of Side. A height is the part coordinate (mm) of the end of a ray's last span, and grid.Nothing for an
// empty ray. With down it looks against the axis: heights are then negated.
func (d *Stock) HeightMap(bundle int, down bool) (grid.Grid, []float32) {
	b, c := Side(bundle)
	l := d.Lattice
	o := [3]float64{l.Origin.X, l.Origin.Y, l.Origin.Z}
	g := grid.Grid{
		X: o[b] + l.Step/2, Y: o[c] + l.Step/2, Step: l.Step, Width: l.Count[b], Height: l.Count[c],
	}
	z := grid.NewMap(g.Len())
	k := &d.Bundles[bundle]
	for r := range z {
		switch spans := k.Spans[k.Start[r]:k.Start[r+1]]; {
		case len(spans) == 0:
		case down:
			z[r] = float32(-o[bundle] - float64(spans[0].Lo))
		default:
			z[r] = float32(o[bundle] + float64(spans[len(spans)-1].Hi))
		}
	}
	return g, z
}
