package sweep

import (
	"context"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/dexel"
)

// Simulation is a stock that persists between batches of moves. The cost of a batch depends on the reach of its moves,
// not on the size of the stock: tiles of rays out of reach are neither copied nor sent to a device. It is not safe for
// concurrent use.
type Simulation struct {
	stock, keep *dexel.Stock
	slack       float64
	shelves     [3]spanStore
}

// NewMilling starts with a stock, with keep and slack as in Input. Neither stock may change afterward.
func NewMilling(stock, keep *dexel.Stock, slack float64) (*Simulation, error) {
	if err := checkStocks(stock, keep); err != nil {
		return nil, err
	}
	in := Input{Stock: stock}
	return &Simulation{stock: stock, keep: keep, slack: slack, shelves: in.output().shelves}, nil
}

// Cut removes the swept volume of in's tool from the stock. The session's own Stock, Keep and Slack replace those of
// in, and the output has no stock. After an error the stock is unchanged.
func (m *Simulation) Cut(ctx context.Context, on primitive.Runner, in Input) (Output, error) {
	in.Stock, in.Keep, in.Slack, in.shelves = m.stock, m.keep, m.slack, &m.shelves
	out, err := Primitive.Run(ctx, on, in)
	if err != nil {
		return Output{}, err
	}
	m.shelves, out.shelves = out.shelves, [3]spanStore{}
	return out, nil
}

// Stock returns the remaining stock.
func (m *Simulation) Stock(ctx context.Context) (*dexel.Stock, error) {
	return joined(ctx, m.stock.Lattice, &m.shelves, primitive.OnCPU(0))
}
