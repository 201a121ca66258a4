package toolpath

import (
	"context"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
)

// The material that a setup certainly leaves to later ones is computed on dexels. Each operation is removed from them
// when it is complete, concurrently with the next one. Only rays along which a later setup looks are cut. The stock
// reports material that may remain between the rays.

const (
	// cells is the number of cells along the longest side of the stock whose material is simulated.
	cells = 120
	// A bound of the material has more cells, but none is smaller than leastCell (mm): it is computed from areas.
	boundCells = 360
	leastCell  = 0.5
)

// stockHandover is the stock that setups hand on.
type stockHandover struct {
	ctx        context.Context
	in         *Input
	assemblies []toolprofile.Assembly
	session    removal.Simulation    // nil: nothing is handed on
	setup      int                   // that is made, -1 before the first one
	ceilings   []*access.StockHeight // material that all setups before each one may have left

	made chan removal.ToolMotion // of the setup; nil: it hands nothing on
	left chan handed
}

// handed is the stock when a setup has ended.
type handed struct {
	stock *dexel.Stock
	err   error
}

func newHandover(ctx context.Context, in *Input, assemblies []toolprofile.Assembly) (*stockHandover, error) {
	h := &stockHandover{ctx: ctx, in: in, assemblies: assemblies, setup: -1}
	if in.Mill == nil || len(in.Plan.Setups) < 2 {
		return h, nil
	}
	size := in.Plan.Stock.Size()
	longest := max(size.X, size.Y, size.Z)
	bound, err := raw(in.Plan, max(longest/boundCells, min(leastCell, longest/cells)))
	if err != nil {
		return nil, err
	}
	for i := range in.Plan.Setups {
		h.ceilings = append(h.ceilings, access.NewCeiling(bound, in.Plan.Workpiece, in.Plan.Setups[i].Frame))
	}
	block, err := raw(in.Plan, longest/cells)
	if err != nil {
		return nil, err
	}
	h.session, err = in.Mill.Start(block, nil, 0)
	return h, err
}

// raw returns the dexels of a plan's stock in cells of a size, mm.
func raw(p *planning.Plan, step float64) (*dexel.Stock, error) {
	size := p.Stock.Size()
	l := dexel.Lattice{Origin: p.Stock.Min, Step: step}
	for axis, side := range [3]float64{size.X, size.Y, size.Z} {
		l.Count[axis] = max(int(side/step+0.999), 1)
	}
	return p.Raw(l)
}

// next ends a setup, begins the next one, and returns its initial stock; nil for the whole stock.
func (h *stockHandover) next() (*access.Stock, error) {
	left := h.end()
	if left.err != nil {
		return nil, left.err
	}
	setups := h.in.Plan.Setups
	h.setup++
	var found *access.Stock
	if left.stock != nil {
		found = access.Remaining(left.stock, h.ceilings[h.setup], setups[h.setup].Frame)
	}
	rest := setups[h.setup:]
	if h.session == nil || len(rest) < 2 {
		return found, nil
	}
	made, result := make(chan removal.ToolMotion, len(rest[0].Operations)), make(chan handed, 1)
	h.made, h.left = made, result
	go func() {
		for c := range made {
			if _, err := h.session.Cut(h.ctx, c); err != nil {
				result <- handed{err: err}
				return
			}
		}
		stock, err := h.session.Stock(h.ctx)
		result <- handed{stock, err}
	}()
	return found, nil
}

// stockToLeave records the material that the setup may leave to later ones.
func (h *stockHandover) stockToLeave(s *access.Stock) error {
	if h.session == nil {
		return nil
	}
	setups := h.in.Plan.Setups
	for i := h.setup + 1; i < len(setups); i++ {
		if err := h.ceilings[i].Lower(s, setups[h.setup].Frame); err != nil {
			return err
		}
	}
	return nil
}

// end waits until all that a setup cuts is taken.
func (h *stockHandover) end() (left handed) {
	if h.made == nil {
		return left
	}
	close(h.made)
	h.made = nil
	return <-h.left
}

// take removes the swept volume of an operation of the setup.
func (h *stockHandover) take(o *motion.Operation) {
	if h.made == nil {
		return
	}
	place, setups := h.in.Plan.Workpiece, h.in.Plan.Setups
	frame := setups[h.setup].Frame
	c := removal.ToolMotion{Tool: &h.assemblies[o.Tool], Frame: geom.Frame{
		Origin: place.Local(frame.Origin),
		X:      place.LocalDir(frame.X), Y: place.LocalDir(frame.Y), Z: place.LocalDir(frame.Z),
	}}
	for i := range setups[h.setup+1:] {
		c.Axes[dexel.Along(place.LocalDir(setups[h.setup+1+i].Frame.Z))] = true
	}
	o.Steps(func(s motion.Step) bool {
		if s.Kind != motion.Dwell && s.Kind != motion.Rapid { // which remove nothing
			c.Moves = append(c.Moves, s.Segment)
		}
		return true
	})
	h.made <- c
}
