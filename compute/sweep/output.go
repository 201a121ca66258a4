package sweep

import (
	"context"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/dexel"
)

// output returns the initial output of a backend: the unchanged stock, and no removal.
func (in *Input) output() Output {
	out := Output{Removed: make([]float64, len(in.Moves))}
	for _, z := range in.Zones {
		if z != toolprofile.Cutting && out.Touched[z] == nil {
			out.Touched[z] = make([]float64, len(in.Moves))
		}
	}
	if in.shelves != nil {
		out.shelves = *in.shelves
		return out
	}
	for a := range out.shelves {
		l := layoutOf(in.Stock.Lattice, a)
		out.shelves[a] = spanStore{in.Stock.Bundles[a], make([]dexel.Bundle, l.across*l.down)}
	}
	return out
}

// count adds the volume (mm³) that a part of the tool removed or touched on a move.
func (o *Output) count(zone toolprofile.Zone, move int32, volume float64) {
	if zone == toolprofile.Cutting {
		o.Removed[move] += volume
	} else {
		o.Touched[zone][move] += volume
	}
}

// finish sorts the gouges, and creates the stock of a single call.
func (o Output) finish(ctx context.Context, in *Input, on primitive.CPU) (Output, error) {
	o.listGouges()
	if in.shelves != nil {
		return o, nil
	}
	var err error
	o.Stock, err = joined(ctx, in.Stock.Lattice, &o.shelves, on)
	if err != nil {
		return Output{}, err
	}
	o.shelves = [3]spanStore{}
	return o, nil
}

// joined creates a stock from the spans on shelves.
func joined(ctx context.Context, l dexel.Lattice, shelves *[3]spanStore, on primitive.CPU) (*dexel.Stock, error) {
	stock := &dexel.Stock{Lattice: l}
	for a := range shelves {
		var err error
		rays := layoutOf(l, a)
		if stock.Bundles[a], err = shelves[a].join(ctx, &rays, on); err != nil {
			return nil, err
		}
	}
	return stock, nil
}
