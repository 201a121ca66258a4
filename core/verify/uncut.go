package verify

import (
	"cmp"
	"context"
	"slices"

	"millwright/core/geom"
	"millwright/core/parallel"
	"millwright/core/stock/dexel"
)

// What is left beyond the part.
//
// Method: along each ray what is stock and not part is cut into pieces of two cells, or of a quarter of how far they are
// from the part where that is more. Each belongs to the face that is nearest to its middle and stands as high over it as
// that is far. Pieces within the tolerance of a face are rounding, of rays that run along the face above all, and count
// for nothing.
//
// A piece is declared where the plan or its paths say that it stays (declared.go). What is left without being declared
// is a finding where it stands higher than UncutHeight.

// remains is what is left beside a face, declared or not.
type remains struct {
	region   int
	declared bool
	volume   float64 // mm³
	height   float64 // mm
	at       geom.Vec3
}

// add takes in the remains of the same face.
func (r *remains) add(o *remains) {
	r.volume += o.volume
	if o.height > r.height {
		r.height, r.at = o.height, o.at
	}
}

type place struct {
	region   int
	declared bool
}

// uncut lists what is left beyond the part.
func (r *replay) uncut(ctx context.Context) error {
	d := newDeclared(r.Plan, r.Set, max(len(r.Part.Regions), 1))
	left := r.left.Stock
	if n := len(r.left.After); n > 0 {
		left = r.left.After[n-1]
	}
	l := left.Lattice
	const rows = 8 // rays of a task: rows of the lattice
	all := map[place]*remains{}
	for axis := range left.Bundles {
		part, now := &r.left.Part.Bundles[axis], &left.Bundles[axis]
		b, c := dexel.Side(axis)
		tasks := make([]map[place]*remains, (l.Count[c]+rows-1)/rows)
		err := parallel.For(ctx, len(tasks), 1, func(t int) {
			s := search{r, d, map[place]*remains{}, nowhere}
			tasks[t] = s.found
			var over []dexel.Span
			for n := t * rows * l.Count[b]; n < min((t+1)*rows, l.Count[c])*l.Count[b]; n++ {
				kept := spans(part, n)
				over = appendMinus(over[:0], spans(now, n), kept)
				for _, g := range over {
					s.stretch(axis, n, g, kept)
				}
			}
		})
		if err != nil {
			return err
		}
		for _, some := range tasks {
			for key, v := range some {
				if all[key] == nil {
					all[key] = &remains{region: key.region, declared: key.declared}
				}
				all[key].add(v)
			}
		}
	}
	r.remainders(all)
	return nil
}

// search finds what is left along some rays.
type search struct {
	*replay
	declared *declared
	found    map[place]*remains
	last     contact // of the place before
}

// stretch adds a stretch of a ray that the part has some spans of.
func (s *search) stretch(axis, ray int, g dexel.Span, part []dexel.Span) {
	l := s.left.Part.Lattice
	const bundles = 3 // each sees all of the volume
	if float64(g.Hi)-float64(g.Lo) <= s.Tolerance {
		return
	}
	touches := func(end float32) bool {
		return slices.ContainsFunc(part, func(k dexel.Span) bool { return k.Lo == end || k.Hi == end })
	}
	hi, before := float64(g.Hi), 0.0
	half := (hi - float64(g.Lo)) / 2
	for at := float64(g.Lo); ; {
		var near contact // where the ray leaves the part it is on a face
		p := pointOn(l, axis, ray, at)
		if !(before == 0 && touches(g.Lo) || at >= hi && touches(g.Hi)) {
			near = s.finder.nearestFrom(p, s.last)
			s.last = near
		}
		next := min(max(2*l.Step, near.distance/4), half, hi-at)
		if length := (before + next) / 2; near.distance > s.Tolerance && near.region >= 0 {
			key := place{near.region, s.declared.covers(s.finder, p, near)}
			if s.found[key] == nil {
				s.found[key] = &remains{}
			}
			s.found[key].add(&remains{volume: length * l.Step * l.Step / bundles, height: near.distance, at: p})
		}
		if at >= hi {
			return
		}
		at, before = at+next, next
	}
}

// remainders tells what is left, by faces.
func (r *replay) remainders(all map[place]*remains) {
	list := make([]*remains, 0, len(all))
	for _, v := range all {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *remains) int {
		if a.region != b.region {
			return cmp.Compare(a.region, b.region)
		}
		if a.declared {
			return -1
		}
		return 1
	})
	for _, v := range list {
		r.proof.Remainders = append(r.proof.Remainders, Remainder{
			Region: v.region, Volume: v.volume, Height: v.height, Declared: v.declared,
		})
		r.proof.UncutVolume += v.volume
		if v.declared {
			continue
		}
		r.proof.MaxUncut = max(r.proof.MaxUncut, v.height)
		if v.height > UncutHeight {
			r.proof.Findings = append(r.proof.Findings, Finding{
				Kind: Uncut, Setup: max(len(r.Set.Setups)-1, 0), Move: -1,
				Position: r.Plan.Workpiece.Point(v.at), Depth: v.height, Regions: []int{v.region},
			})
		}
	}
}
