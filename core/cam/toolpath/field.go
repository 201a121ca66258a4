package toolpath

import (
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/parallel"
)

// field is the area in which the tip moves to remove an area.
type field struct {
	radius  float64 // mm, of the flutes
	places  *arcpoly.Area
	reached *arcpoly.Area // by the flutes, when the tip has been at all places
	missed  *arcpoly.Area // of the area then
	rings   []*ring       // of the connected parts of the places
	loops   int           // of all rings
	passed  parallel.Memo[float64, *arcpoly.Area]
	left    areaCache[*arcpoly.Area]
}

// ring is a connected area of places of the tip, to be walked around, with those within it.
type ring struct {
	area   *arcpoly.Area
	inside []*ring
}

// nearness is the distance of the outermost rings from the target (share of the radius): large enough to reach all of
// it, such as strips along walls that are narrower than the free area there.
var nearness = [...]float64{0.25, 0.5, 0.8, 0.95, 0.99}

// field returns the area in which the tip moves to remove an area: no further from it than near (mm), or than is needed
// to reach all of it.
func (w *operationBuilder) field(l *level, rest *arcpoly.Area, near float64) (*field, error) {
	f := &field{radius: w.radius}
	for i := -1; i < len(nearness); i++ {
		if i >= 0 {
			if nearness[i]*w.radius <= near {
				continue
			}
			near = nearness[i] * w.radius
		}
		places, err := rest.Offset(near)
		if err != nil {
			return nil, err
		}
		if f.places, err = arcpoly.Intersection(places, l.free); err != nil {
			return nil, err
		}
		if f.places, err = solid(f.places); err != nil {
			return nil, err
		}
		if f.reached, err = f.places.Offset(w.radius); err != nil {
			return nil, err
		}
		if f.missed, err = rest.Minus(f.reached); err != nil {
			return nil, err
		}
		if f.missed.Size() < max(trifle, few*rest.Size()) {
			break
		}
	}
	for _, part := range f.places.Parts() {
		r, err := w.rings(f, part, w.stepover())
		if err != nil {
			return nil, err
		}
		f.rings = append(f.rings, r)
	}
	return f, nil
}

// solid removes parts of an area that are points at printed resolution: offsets have pinholes where their arcs join, in
// which the tool would be in the part.
func solid(a *arcpoly.Area) (*arcpoly.Area, error) {
	parts := a.Parts()
	kept := slices.DeleteFunc(slices.Clone(parts), func(p *arcpoly.Area) bool {
		lo, hi := p.Extent()
		return max(hi.X-lo.X, hi.Y-lo.Y) < motion.Resolution
	})
	if len(kept) == len(parts) {
		return a, nil
	}
	return arcpoly.Union(kept...)
}

// few is the share of an area that may be left for the next pass.
const few = 1e-3

// over returns the area that a disc sweeps along all rings, which are a step apart (mm). It includes all area between
// consecutive rings if the disc is not smaller than that.
func (f *field) over(radius, step float64) (*arcpoly.Area, error) {
	return f.passed.Get(radius, func() (*arcpoly.Area, error) {
		switch {
		case radius < step+stray:
			return sweep(radius, ways(nil, f.rings))
		case radius == f.radius:
			return f.reached, nil
		}
		return f.places.Offset(radius)
	})
}

// ways appends the loops of rings and of those within them.
func ways(list [][]planar.Segment, rings []*ring) [][]planar.Segment {
	for _, r := range rings {
		for _, l := range r.area.Loops() {
			list = append(list, l)
		}
		list = ways(list, r.inside)
	}
	return list
}

// rings offsets a connected area inward until nothing is left. On floors it ends where the flat of the tool has passed
// all within a ring; rings in deep material bound the engagement of those around them.
func (w *operationBuilder) rings(f *field, part *arcpoly.Area, step float64) (*ring, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	f.loops += len(part.Loops())
	r := &ring{area: part}
	inner, err := part.Offset(-step)
	if err != nil {
		return nil, err
	}
	covered := 0.0
	if w.op.Floor {
		covered = max(w.radius-w.tool.Tool.CornerRadius-stray-step, 0)
	}
	for _, p := range inner.Parts() {
		if left, err := p.Offset(-covered); err != nil {
			return nil, err
		} else if covered > 0 && left.IsEmpty() {
			continue
		}
		child, err := w.rings(f, p, step)
		if err != nil {
			return nil, err
		}
		r.inside = append(r.inside, child)
	}
	return r, nil
}
