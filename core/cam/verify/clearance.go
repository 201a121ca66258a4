package verify

import (
	"context"
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// Comparison of a tool's path with the part, independent of the rays of the lattice.
//
// Method: the drop-cutter bounds the height of the tip along whole ranges of a path, for the tool narrower by the
// tolerance. Ranges that lie higher are clear. Long ranges are tested first, then short ones of the rest. Where neither
// decides, the tool is dropped at points of spacing (see newTool) and at both ends.

// stretch is a range of the path of a step.
type stretch struct {
	step     int32
	from, to float64 // shares of the path
}

// clear notes where the tool is in the part.
func (p *passage) clear(ctx context.Context) error {
	if p.tool.undercut {
		return p.below(ctx) // the view from above is not sufficient
	}
	var todo []stretch
	for i := range p.steps {
		if s := &p.steps[i]; min(s.From.Z, s.To.Z) < p.top {
			todo = append(todo, stretch{int32(i), 0, 1})
		}
	}
	shy := p.Tolerance + p.tool.thread
	for _, length := range lengths {
		var err error
		if todo, err = p.passing(ctx, p.cutFine(todo, length), -shy); err != nil {
			return err
		}
	}
	ends := stops(p.cutFine(todo, p.tool.spacing))
	hits, err := p.hits(ctx, p.tool.assembly.Outline, p.tips(ends), -shy)
	if err != nil || len(hits) == 0 {
		return err
	}
	return p.weigh(ctx, ends, hits)
}

// cutFine divides stretches into such as are no longer than length (mm) in the plane.
func (p *passage) cutFine(todo []stretch, length float64) (out []stretch) {
	for _, t := range todo {
		s := &p.steps[t.step]
		way := math.Hypot(s.To.X-s.From.X, s.To.Y-s.From.Y)
		if s.Turn != 0 {
			way = math.Abs(s.Turn) * s.Radius()
		}
		n := max(1, math.Ceil(way*(t.to-t.from)/length))
		for k := range int(n) {
			out = append(out, stretch{
				t.step, t.from + (t.to-t.from)*float64(k)/n, t.from + (t.to-t.from)*float64(k+1)/n,
			})
		}
	}
	return out
}

// passing returns the stretches on which an outline whose points lie d mm farther from the axis may touch the part.
// Only the lowest of stretches above each other is queried.
func (p *passage) passing(ctx context.Context, todo []stretch, d float64) (out []stretch, err error) {
	body, rise := moved(p.tool.assembly.Outline, d)
	if len(body) == 0 || len(todo) == 0 {
		return nil, ctx.Err()
	}
	lift := rise + max(-d, 0)
	var lowest []motion.Segment
	known := map[motion.Segment]int32{}
	of, tips := make([]int32, len(todo)), make([]float64, len(todo))
	for i, t := range todo {
		s := &p.steps[t.step]
		from, to := s.At(t.from), s.At(t.to)
		tips[i] = min(from.Z, to.Z) + lift
		from.Z, to.Z = 0, 0
		way := motion.Segment{From: from, To: to, Turn: s.Turn * (t.to - t.from), Center: s.Center}
		k, isKnown := known[way]
		if !isKnown {
			k = int32(len(lowest))
			known[way] = k
			way.From.Z = tips[i]
			lowest = append(lowest, way)
		}
		of[i], lowest[k].From.Z = k, min(lowest[k].From.Z, tips[i])
	}
	z, err := p.surface.Ceiling(ctx, body, lowest)
	if err != nil {
		return nil, err
	}
	for i, t := range todo {
		if z[of[i]] > tips[i] {
			out = append(out, t)
		}
	}
	return out, nil
}

// stop is an end of a stretch.
type stop struct {
	step  int32
	share float64 // of it
}

// stops returns the ends of the stretches, each once.
func stops(todo []stretch) []stop {
	out := make([]stop, 0, len(todo)+len(todo)/8)
	for _, t := range todo {
		if n := len(out); n == 0 || out[n-1] != (stop{t.step, t.from}) {
			out = append(out, stop{t.step, t.from})
		}
		out = append(out, stop{t.step, t.to})
	}
	return out
}

func (p *passage) tips(at []stop) []geom.Vec3 {
	out := make([]geom.Vec3, len(at))
	for i, e := range at {
		out[i] = p.steps[e.step].At(e.share)
	}
	return out
}

// hits returns the positions at which an outline whose points lie d mm farther from the axis touches the part. A
// narrower outline may also be deeper by the same amount. Of positions above each other, as in repeated passes, only
// the lowest is queried for the least height of the outline.
func (p *passage) hits(ctx context.Context, outline toolprofile.Profile, at []geom.Vec3, d float64) ([]int, error) {
	body, rise := moved(outline, d)
	if len(body) == 0 || len(at) == 0 {
		return nil, ctx.Err()
	}
	lift := rise + max(-d, 0)
	var lowest []geom.Vec3
	column := map[geom.Vec2]int32{}
	of := make([]int32, len(at))
	for i, q := range at {
		xy := geom.Vec2{X: q.X, Y: q.Y}
		k, known := column[xy]
		if !known {
			k = int32(len(lowest))
			column[xy], lowest = k, append(lowest, geom.Vec3{X: q.X, Y: q.Y, Z: q.Z + lift})
		}
		of[i], lowest[k].Z = k, min(lowest[k].Z, q.Z+lift)
	}
	z, err := p.surface.Clearance(ctx, body, lowest)
	if err != nil {
		return nil, err
	}
	var out []int
	for i := range at {
		if z[of[i]] > at[i].Z+lift {
			out = append(out, i)
		}
	}
	return out, nil
}

// weigh records contacts, and their depth, at the ends of stretches in hits.
func (p *passage) weigh(ctx context.Context, ends []stop, hits []int) error {
	touching := func(among []int, outline toolprofile.Profile, d float64) ([]int, error) {
		some := make([]stop, len(among))
		for i, k := range among {
			some[i] = ends[k]
		}
		own, err := p.hits(ctx, outline, p.tips(some), d)
		out := make([]int, len(own))
		for i, k := range own {
			out[i] = among[k]
		}
		return out, err
	}
	shy := p.Tolerance + p.tool.thread
	rest := hits
	for _, body := range []struct {
		kind    Kind
		outline toolprofile.Profile
	}{{Gouge, p.tool.cutting}, {ShankCollision, p.tool.toShank}, {HolderCollision, p.tool.assembly.Outline}} {
		own, err := touching(rest, body.outline, -shy)
		if err != nil {
			return err
		}
		rest = without(rest, own)
		for depth := p.Tolerance; len(own) > 0; depth *= 2 { // each is at least so deep
			for _, k := range own {
				told := depth
				if body.kind != Gouge {
					told = 0 // collisions report volumes, which are not measured here
				}
				p.near = append(p.near, noted{body.kind, int(ends[k].step), ends[k].share, told})
			}
			if own, err = touching(own, body.outline, -2*depth-p.tool.thread); err != nil {
				return err
			}
		}
	}
	return nil
}

// without returns the numbers of an ascending list that are not in another.
func without(list, other []int) (out []int) {
	for _, k := range list {
		for len(other) > 0 && other[0] < k {
			other = other[1:]
		}
		if len(other) == 0 || other[0] != k {
			out = append(out, k)
		}
	}
	return out
}
