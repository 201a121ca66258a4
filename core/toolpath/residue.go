package toolpath

import (
	"cmp"
	"fmt"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom/arcpoly"
	"millwright/core/planning"
	"millwright/core/planning/access"
)

// What stays is told by connected areas: why the tool does not get there, beside which faces, and how much it is. What
// later operations of the same setup take is told no more when the setup ends.

// leftover is a prism that stays.
type leftover struct {
	reason      planning.Reason
	detail      string
	patches     map[int32]bool
	area        float64       // mm²
	bottom, top float64       // mm
	plan        *arcpoly.Area // nil: not known by its area
}

// leftovers are those of an operation.
type leftovers struct {
	list    []leftover
	refused *leftover // why the rings that could not be entered were not
}

func (s *leftovers) add(l leftover) { s.list = append(s.list, l) }

// refuse says why something that could be reached stays.
func (s *leftovers) refuse(reason planning.Reason, detail string) {
	s.refused = &leftover{reason: reason, detail: detail}
}

// keep forgets what is gone from the stock.
func (s *leftovers) keep(stock *access.Stock) error {
	var kept []leftover
	for _, l := range s.list {
		if l.plan != nil {
			above, err := stock.Above(l.bottom)
			if err != nil {
				return err
			}
			rest, err := arcpoly.Intersection(l.plan, above)
			if err != nil {
				return err
			}
			if l.area = rest.Size(); l.area < trifle {
				continue
			}
		}
		kept = append(kept, l)
	}
	s.list = kept
	return nil
}

// residue returns what stays, all of one reason beside the same faces as one.
func (s *leftovers) residue(g *graph.Graph) []Residue {
	type sum struct {
		Residue
		bottom, top float64
	}
	var keys []string
	sums := map[string]*sum{}
	for _, l := range s.list {
		var patches []int32
		for p := range l.patches {
			patches = append(patches, p)
		}
		slices.Sort(patches)
		key := fmt.Sprint(l.reason, patches)
		r := sums[key]
		if r == nil {
			r = &sum{Residue{Regions: g.Regions(patches), Reason: l.reason, Detail: l.detail}, l.bottom, l.top}
			sums[key] = r
			keys = append(keys, key)
		}
		r.Volume += l.area * (l.top - l.bottom)
		r.bottom, r.top = min(r.bottom, l.bottom), max(r.top, l.top)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(sums[b].Volume, sums[a].Volume), cmp.Compare(a, b))
	})
	out := make([]Residue, 0, len(keys))
	for _, k := range keys {
		r := sums[k]
		r.Height = r.top - r.bottom
		out = append(out, r.Residue)
	}
	return out
}

// declare notes what of an area stays between two heights, as far as it is stock for sure and not between the part and
// what of its mesh is taken larger.
func (w *worker) declare(stays *arcpoly.Area, z, before float64) error {
	stays, err := w.site.Stock.Sure(stays, z)
	if err != nil || stays.Size() < trifle {
		return err
	}
	part, err := w.site.Part(z-w.op.LeaveAxial, w.op.LeaveRadial+w.in.Chord)
	if err != nil {
		return err
	}
	if stays, err = stays.Minus(part); err != nil {
		return err
	}
	if stays.Size() < trifle {
		return nil
	}
	gouging, err := w.site.Gouging(w.assembly, z, w.leave())
	if err != nil {
		return err
	}
	window, err := w.site.Free(w.assembly, w.site.Ceiling()+w.assembly.Total(), access.Leave{}, w.margin())
	if err != nil {
		return err
	}
	fits, err := window.Minus(gouging)
	if err != nil {
		return err
	}
	if fits, err = fits.Offset(w.radius); err != nil {
		return err
	}
	for _, part := range stays.Parts() {
		if part.Size() < trifle {
			continue
		}
		l := leftover{area: part.Size(), plan: part, bottom: z, top: before, patches: map[int32]bool{}}
		for _, loop := range part.Loops() {
			for i := range loop {
				if loop[i].Tag != graph.None {
					l.patches[loop[i].Tag] = true
				}
			}
		}
		if err := w.under(part, z, l.patches); err != nil {
			return err
		}
		if l.reason, l.detail, err = w.why(part, fits, z); err != nil {
			return err
		}
		w.left.add(l)
	}
	return nil
}

// under adds the floors that a part of a level stays on, if floors are made.
func (w *worker) under(part *arcpoly.Area, z float64, patches map[int32]bool) error {
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

// why tells why a part of a level stays; fits is what the flutes could sweep of it.
func (w *worker) why(part, fits *arcpoly.Area, z float64) (planning.Reason, string, error) {
	within, err := arcpoly.Intersection(part, fits)
	if err != nil {
		return "", "", err
	}
	d := 2 * w.radius
	switch {
	case within.Size() > part.Size()/2 && w.left.refused != nil:
		return w.left.refused.reason, w.left.refused.detail, nil
	case within.Size() > part.Size()/2:
		const text = "the shank or the holder of the tool of %.4g mm, or jaws, are in the way."
		return planning.OutOfReach, fmt.Sprintf(text, d), nil
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
		return planning.NoToolFits, fmt.Sprintf("it is narrower than the tool of %.4g mm.", d), nil
	}
	return planning.SharpCorner, fmt.Sprintf("its corners are sharper than the tool of %.4g mm.", d), nil
}
