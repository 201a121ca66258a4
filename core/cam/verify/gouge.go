package verify

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
	"millwright.dev/millwright/core/parallel"
)

// Detection of missing material of the part.
//
// Method: if the session has reported a cut ray, the stock before a setup and after it are compared along all rays. A
// removed range of the part has the depth of its point farthest from the mesh of the part. So a ray along a face that
// was cut a thousandth too deep is not a gouge, however long the range. The finding names the move for which the
// session reported the ray; without a report it names the move that goes deepest over the point.

// mostAttributed is the maximum number of stretches, deepest first, for which a move is searched that the session did
// not name.
const mostAttributed = 64

// missing is a stretch of the part that is gone.
type missing struct {
	ray   ray
	at    geom.Vec3 // where it is deepest, workpiece frame
	depth float64   // mm
}

// gouges adds findings for material of the part that is missing after the setup.
func (s *setup) gouges(ctx context.Context) error {
	told := false
	for _, p := range s.passages {
		told = told || len(p.rays) > 0
	}
	if !told {
		return nil
	}
	gone, err := s.missingMaterial(ctx)
	if err != nil {
		return err
	}
	slices.SortStableFunc(gone, func(a, b missing) int { return cmp.Compare(b.depth, a.depth) })
	looked := 0
	for _, g := range gone {
		p, step, ok := s.named(&g)
		if !ok {
			if looked++; looked > mostAttributed {
				continue
			}
			p, step = s.over(g.at)
		}
		if g.depth > s.Tolerance+p.tool.thread {
			p.found(Gouge, int(p.steps[step].Move), s.Plan.Workpiece.Point(g.at), g.depth)
		}
	}
	return nil
}

// missingMaterial lists the missing material of the part, ray by ray.
func (s *setup) missingMaterial(ctx context.Context) (all []missing, err error) {
	const rays = 1024 // of a task
	for axis := range s.after.Bundles {
		part, old, now := &s.left.Part.Bundles[axis], &s.before.Bundles[axis], &s.after.Bundles[axis]
		count := len(part.Start) - 1
		tasks := make([][]missing, (count+rays-1)/rays)
		err := parallel.For(ctx, len(tasks), 1, func(t int) {
			var kept, lost []dexel.Span
			for r := t * rays; r < min((t+1)*rays, count); r++ {
				if slices.Equal(old.Ray(r), now.Ray(r)) {
					continue
				}
				kept = dexel.AppendBoth(kept[:0], part.Ray(r), old.Ray(r))
				lost = dexel.AppendMinus(lost[:0], kept, now.Ray(r))
				for _, g := range lost {
					if float64(g.Hi)-float64(g.Lo) <= s.Tolerance {
						continue
					}
					if at, depth := s.deepest(s.after.Lattice, axis, r, g); depth > s.Tolerance {
						tasks[t] = append(tasks[t], missing{ray{axis, r}, at, depth})
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
		all = append(all, slices.Concat(tasks...)...)
	}
	return all, nil
}

// named returns the first step for which the session reported a cut into the ray of a range, if its tool passes the
// point: a ray may run along one face that is only grazed and through another.
func (s *setup) named(g *missing) (*passage, int, bool) {
	q := s.inWork.Local(g.at)
	for _, p := range s.passages {
		if n := p.rays[g.ray]; n > 0 && p.tool.depth(&p.steps[n-1].Segment, q) >= -s.Tolerance {
			return p, n - 1, true
		}
	}
	return nil, 0, false
}

// over returns the step in whose tool a point is deepest.
func (s *setup) over(at geom.Vec3) (*passage, int) {
	q := s.inWork.Local(at)
	best, found, step := math.Inf(-1), s.passages[0], 0
	for _, p := range s.passages {
		for i := range p.steps {
			if d := p.tool.depth(&p.steps[i].Segment, q); d > best {
				best, found, step = d, p, i
			}
		}
	}
	return found, step
}

// depth returns how high a point is over the underside of the tool where it passes next to it in the plane, mm.
func (t *tool) depth(way *motion.Segment, q geom.Vec3) float64 {
	tip := beside(way, q)
	return q.Z - tip.Z - t.under.At(max(math.Hypot(q.X-tip.X, q.Y-tip.Y)-snap, 0)) // the point is on its outline
}

// deepest returns the point of a stretch of a ray that is farthest from the mesh of the part.
func (r *replay) deepest(l dexel.Lattice, axis, number int, g dexel.Span) (at geom.Vec3, depth float64) {
	eachPoint(l, axis, number, g, func(p geom.Vec3) {
		if d := r.finder.Nearest(p, nearest.Nowhere).Distance; d > depth {
			at, depth = p, d
		}
	})
	return at, depth
}

// eachPoint visits points of a stretch of a ray: its ends, and points between them at most two cells apart.
func eachPoint(l dexel.Lattice, axis, number int, g dexel.Span, visit func(geom.Vec3)) {
	lo, hi := float64(g.Lo), float64(g.Hi)
	n := max(2, int(math.Ceil((hi-lo)/(2*l.Step))))
	for k := range n + 1 {
		visit(l.Point(axis, number, lo+(hi-lo)*float64(k)/float64(n)))
	}
}

// beside returns the point of a path nearest to a position in the plane; for a path along Z the lowest point.
func beside(s *motion.Segment, q geom.Vec3) geom.Vec3 {
	if s.Turn != 0 {
		angle := func(p geom.Vec3) float64 { return math.Atan2(p.Y-s.Center.Y, p.X-s.Center.X) }
		turn := math.Mod((angle(q)-angle(s.From))*math.Copysign(1, s.Turn)+4*math.Pi, 2*math.Pi)
		if turn <= math.Abs(s.Turn) {
			return s.At(turn / math.Abs(s.Turn))
		}
		if math.Hypot(q.X-s.From.X, q.Y-s.From.Y) < math.Hypot(q.X-s.To.X, q.Y-s.To.Y) {
			return s.From
		}
		return s.To
	}
	dx, dy := s.To.X-s.From.X, s.To.Y-s.From.Y
	if l2 := dx*dx + dy*dy; l2 > 0 {
		return s.At(min(max(((q.X-s.From.X)*dx+(q.Y-s.From.Y)*dy)/l2, 0), 1))
	}
	if s.From.Z < s.To.Z {
		return s.From
	}
	return s.To
}
