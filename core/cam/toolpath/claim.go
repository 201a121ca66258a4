package toolpath

import (
	"context"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/parallel"
)

// Material that an operation does not reach is recorded level by level as a claim. Claims are evaluated after the
// setup: material that later operations removed, most of it, is no longer reported. No motion depends on claims, so the
// next setup is computed concurrently.

// claim is the material of a level that may remain.
type claim struct {
	z, before float64       // mm, of the level and the one before it
	area      *arcpoly.Area // without walls
	walls     bool          // material left at the walls of the operation
	window    access.Window // in which it was looked at
	refused   *leftover     // reason that reachable material was not cut; nil: it was
}

// claim notes that something may stay of a level.
func (w *operationBuilder) claim(c claim) {
	c.refused, c.window = w.left.refused, w.window
	w.left.claims = append(w.left.claims, c)
}

// declare fills in the material that the operations of a setup leave.
func declare(ctx context.Context, stock *access.Stock, workers []*operationBuilder, paths []Path) error {
	if err := settle(ctx, stock, workers); err != nil {
		return err
	}
	for k, w := range workers {
		paths[k].RestMaterial = w.left.residue(w.in.Graph)
	}
	return nil
}

// settle makes leftovers of the claims of operations from the material that they have left together. Operations without
// cuts report all of it.
func settle(ctx context.Context, stock *access.Stock, workers []*operationBuilder) error {
	type item struct {
		w             *operationBuilder
		c             *claim
		above, higher *arcpoly.Area // stock above the level, and above where the tool is as wide as it gets
		found         []leftover
	}
	var items []item
	for _, w := range workers {
		for i := range w.left.claims {
			items = append(items, item{w: w, c: &w.left.claims[i]})
		}
	}
	for i := len(items) - 1; i >= 0; i-- { // areas above a height are computed from those above lower ones
		it := &items[i]
		var err error
		if it.above, err = stock.Above(it.c.z); err != nil {
			return err
		}
		if it.c.walls {
			it.higher, err = stock.Above(it.c.z + it.w.shoulder())
		}
		if err != nil {
			return err
		}
	}
	err := parallel.Try(ctx, len(items), 1, func() func(int) error {
		return func(i int) (err error) {
			it := &items[i]
			it.found, err = it.w.settle(it.c, it.above, it.higher)
			return err
		}
	})
	for _, w := range workers {
		w.left.claims = nil
	}
	for _, it := range slices.Backward(items) {
		it.w.left.list = append(it.found, it.w.left.list...)
	}
	return err
}

// settle returns the part of a claim that remains, if it is certainly stock and not between the part and its enlarged
// mesh.
func (w *operationBuilder) settle(c *claim, above, higher *arcpoly.Area) ([]leftover, error) {
	stays, err := c.area, error(nil)
	if c.walls {
		stays, err = w.strip(c, higher)
	}
	if err != nil || stays.Size() < trifle {
		return nil, err
	}
	if w.isIdle() {
		above = stays
	}
	rest, err := arcpoly.Intersection(stays, above)
	if err != nil || rest.Size() < trifle {
		return nil, err
	}
	if stays, err = w.site.Stock.Sure(stays, c.z); err != nil || stays.Size() < trifle {
		return nil, err
	}
	part, err := w.site.Part(c.z-w.op.LeaveAxial, w.op.LeaveRadial+w.in.Chord)
	if err != nil {
		return nil, err
	}
	if stays, err = stays.Minus(part); err != nil || stays.Size() < trifle {
		return nil, err
	}
	fits, err := w.site.Clear(w.assembly, c.z, w.stockToLeave(), w.margin(), c.window)
	if err != nil {
		return nil, err
	}
	if fits, err = fits.Offset(w.radius); err != nil {
		return nil, err
	}
	var found []leftover
	for _, part := range stays.Parts() {
		rest, err := arcpoly.Intersection(part, above)
		if err != nil {
			return nil, err
		}
		if rest.Size() < trifle {
			continue
		}
		l := leftover{area: rest.Size(), bottom: c.z, top: c.before, patches: map[int32]bool{}}
		for _, loop := range part.Loops() {
			for i := range loop {
				if loop[i].Tag != graph.None {
					l.patches[loop[i].Tag] = true
				}
			}
		}
		if err := w.under(part, c.z, l.patches); err != nil {
			return nil, err
		}
		if l.reason, l.detail, err = w.why(part, fits, c); err != nil {
			return nil, err
		}
		found = append(found, l)
	}
	return found, nil
}

// strip returns the remaining stock at a height close to the operation's walls.
func (w *operationBuilder) strip(c *claim, stock *arcpoly.Area) (*arcpoly.Area, error) {
	part, err := w.site.Part(c.z-w.op.LeaveAxial, w.op.LeaveRadial)
	if err != nil || part.IsEmpty() {
		return nil, err
	}
	if stock, err = c.window.Clip(stock); err != nil {
		return nil, err
	}
	around, err := part.Offset(w.radius)
	if err != nil {
		return nil, err
	}
	if stock, err = arcpoly.Intersection(stock, around); err != nil {
		return nil, err
	}
	stays, err := stock.Minus(part)
	if err != nil {
		return nil, err
	}
	return at(stays, w.patches())
}

// under adds the floors that a part of a level stays on, of those that are made or cleared.
func (w *operationBuilder) under(part *arcpoly.Area, z float64, patches map[int32]bool) error {
	if len(w.op.Beside) > 0 {
		floors, err := w.floorsUnder(part)
		for _, p := range floors {
			patches[p] = true
		}
		return err
	}
	if !w.op.Floor {
		return nil
	}
	for _, p := range w.floors(z) {
		floor, err := w.laid([]int32{p})
		if err != nil {
			return err
		}
		if floor, err = arcpoly.Intersection(floor, part); err != nil {
			return err
		}
		if floor.Size() >= trifle {
			patches[p] = true
		}
	}
	return nil
}

// why returns the reason that a part of a level remains; fits is the part that the flutes could sweep.
func (w *operationBuilder) why(part, fits *arcpoly.Area, c *claim) (completeness.Reason, string, error) {
	within, err := arcpoly.Intersection(part, fits)
	if err != nil {
		return "", "", err
	}
	d := 2 * w.radius
	switch {
	case within.Size() > part.Size()/2 && c.refused != nil:
		return c.refused.reason, c.refused.detail, nil
	case within.Size() > part.Size()/2:
		const text = "the shank or the holder of the tool of %.4g mm, or jaws, are in the way."
		return completeness.OutOfReach, fmt.Sprintf(text, d), nil
	}
	wider, err := part.Offset(1e-2)
	if err != nil {
		return "", "", err
	}
	beside, err := arcpoly.Intersection(wider, fits)
	if err != nil {
		return "", "", err
	}
	if beside.IsEmpty() {
		return completeness.NoToolFits, fmt.Sprintf("it is narrower than the tool of %.4g mm.", d), nil
	}
	return completeness.SharpCorner, fmt.Sprintf("its corners are sharper than the tool of %.4g mm.", d), nil
}
