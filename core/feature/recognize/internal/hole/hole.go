package hole

// Holes: their dimensions and drilling directions.
//
// A blind hole opens at its one open end. A through hole is drilled from the end that is wider at the top (counterbore,
// countersink, first step). If both ends are equal, it is drilled from the end with open surroundings, then from the
// first candidate direction. An end that shows less than half of the wall, or not all of it, loses to an end that does.
// A hole that no direction sees keeps the direction of its own axis, and planning reports that it cannot be reached.
//
// Diameter is that of the narrowest cylinder, which is the deepest bore unless an undercut lies below it. Depth extends
// from the top opening to the end of the lowest cylinder of that bore, or through the part.
// Limits: a hole in a curved or tilted face is measured from the highest point of its edge.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// sinkMin and sinkMax (rad) bound half the included angle of a countersink: less is a taper, more a step.
const (
	sinkMin = 15 * math.Pi / 180
	sinkMax = 75 * math.Pi / 180
)

// openMargin is the least difference between the visible shares around two ends of a hole that decides for one of
// them. A smaller one may be the shadow of another body on the same faces. From one side, half of a round body is
// visible, and nothing of the bore in it.
const openMargin = 0.25

// wallsOf returns the cylinders and cones of a stack.
func (g holeRules) wallsOf(s *Stack) []int32 {
	var out []int32
	for _, p := range s.Patches {
		if k := g.Patches[p].Kind; k == surface.KindCylinder || k == surface.KindCone {
			out = append(out, p)
		}
	}
	return out
}

// Found is a hole with its drilling direction.
type Found struct {
	Dir   geom.Vec3     // unit, a kept direction if one serves
	Axis  geom.Vec3     // unit, exact
	Z     geom.Interval // mm along Dir
	Shape *feature.HoleShape
}

// Requests returns the directions from which a stack opens, for direction.Find.
func (s *Stack) Requests(g *graph.Graph) []direction.Request {
	var out []direction.Request
	for _, up := range []bool{true, false} {
		if up && s.top.closed || !up && s.bottom.closed {
			continue
		}
		out = append(out, direction.Request{Dir: s.axisDir(up), Patches: holeRules{g}.wallsOf(s)})
	}
	return out
}

// Measure returns the hole of a stack.
func Measure(gr *graph.Graph, s *Stack, v *direction.Visibility) Found {
	g := holeRules{gr}
	up := g.opensUp(s, v)
	dir := s.axisDir(up)
	h := &feature.HoleShape{Bottom: "through", Through: !s.top.closed && !s.bottom.closed}
	end := s.bottom
	if !up {
		end = s.top
	}
	if end.closed {
		h.Bottom = bottomName(end.kind)
	}
	h.Segments = g.segments(s, dir)
	z := g.ExtentOf(s.Patches, dir)
	h.TopCenter = s.shape.Origin.AtHeight(z.Hi, dir)
	h.Diameter, h.Depth = deepest(h.Segments, z, h.Through)
	describe(h, g.Length)
	f := Found{Dir: dir, Axis: direction.SnapDirection(dir), Z: z, Shape: h}
	if i := v.Find(dir); i != graph.None {
		f.Dir = v.Dirs[i]
	}
	return f
}

func bottomName(k surface.Kind) string {
	switch k {
	case surface.KindCone:
		return "conical"
	case surface.KindSphere:
		return "spherical"
	}
	return "flat"
}

// opensUp reports whether a hole is drilled from the +axis end of its stack.
func (g holeRules) opensUp(s *Stack, v *direction.Visibility) bool {
	if s.top.closed || s.bottom.closed {
		return s.bottom.closed
	}
	walls := g.wallsOf(s)
	rank, seen := [2]int{}, [2]int{}
	for i, up := range []bool{true, false} {
		if rank[i] = v.Find(s.axisDir(up)); rank[i] == graph.None {
			rank[i] = len(v.Dirs)
		} else {
			switch share := v.Seen(g.Graph, rank[i], walls); {
			case share >= direction.MinWallVisibility:
				seen[i] = 2
			case share >= direction.MinFloorVisibility:
				seen[i] = 1
			}
		}
	}
	if seen[0] != seen[1] {
		return seen[0] > seen[1]
	}
	if w := g.wider(s); w != 0 {
		return w > 0
	}
	if m := g.openShare(s, v, rank[0]) - g.openShare(s, v, rank[1]); math.Abs(m) > openMargin {
		return m > 0
	}
	return rank[0] <= rank[1]
}

// openShare returns the share of the faces around the upper end of a stack that direction i sees: almost 0 if a hole
// opens into another one, or toward an opposite wall.
func (g holeRules) openShare(s *Stack, v *direction.Visibility, i int) float64 {
	if i >= len(v.Dirs) {
		return 0
	}
	mid := g.ExtentOf(s.Patches, v.Dirs[i]).Mid()
	seen, all := 0.0, 0.0
	for _, p := range s.Patches {
		for q, a := range g.Neighbors(p) {
			if a.Convexity != graph.Concave && a.Mid.Dot(v.Dirs[i]) > mid && !slices.Contains(s.Patches, q) {
				seen, all = seen+a.Length*v.Share[i][q], all+a.Length
			}
		}
	}
	if all == 0 {
		return 0
	}
	return seen / all
}

// wider compares the ends of a stack from outside to inside: positive if the +axis end is wider, 0 if they are equal.
func (g holeRules) wider(s *Stack) int {
	down, up := g.segments(s, s.shape.Axis), g.segments(s, s.shape.Axis.Neg())
	for i := range min(len(down), len(up)) {
		for _, d := range [2]float64{
			down[i].DiameterTop - up[i].DiameterTop, down[i].DiameterBottom - up[i].DiameterBottom,
		} {
			if math.Abs(d) > 2*g.Length {
				return int(math.Copysign(1, d))
			}
		}
	}
	return 0
}

// segments returns the pieces of a stack from the top down. Consecutive pieces of one bore are one segment, as are the
// pieces of a thread side by side, by its crest.
func (g holeRules) segments(s *Stack, dir geom.Vec3) []feature.HoleSegment {
	type piece struct {
		feature.HoleSegment
		shape *graph.Shape
	}
	all := make([]piece, len(s.Patches))
	for i, p := range s.Patches {
		all[i] = piece{g.segment(p, s, dir), &g.Patches[p].Shape}
	}
	slices.SortStableFunc(all, func(a, b piece) int {
		step := func(x float64) float64 { return math.Round(x / g.Length) }
		return cmp.Or(cmp.Compare(step(b.ZMax+b.ZMin), step(a.ZMax+a.ZMin)),
			cmp.Compare(step(b.ZMax), step(a.ZMax)), cmp.Compare(step(b.DiameterTop), step(a.DiameterTop)))
	})
	var out []piece
	for _, next := range all {
		if next.shape.Kind == surface.KindPlane {
			out = append(out, next)
			continue
		}
		i := slices.IndexFunc(out, func(o piece) bool {
			overlap := min(o.ZMax, next.ZMax) - max(o.ZMin, next.ZMin)
			return o.Shape == "cylinder" && next.Shape == "cylinder" && overlap > g.Length
		})
		if last := len(out) - 1; i < 0 && last >= 0 && g.Continues(out[last].shape, next.shape) {
			i = last
		}
		if i < 0 {
			out = append(out, next)
			continue
		}
		o := &out[i]
		o.ZMin, o.ZMax = min(o.ZMin, next.ZMin), max(o.ZMax, next.ZMax)
		if o.Shape == "cylinder" {
			o.DiameterTop = min(o.DiameterTop, next.DiameterTop)
			o.DiameterBottom = o.DiameterTop
		}
	}
	segs := make([]feature.HoleSegment, len(out))
	for i := range out {
		segs[i] = out[i].HoleSegment
	}
	return segs
}

func (g holeRules) segment(p int32, s *Stack, dir geom.Vec3) feature.HoleSegment {
	sh := &g.Patches[p].Shape
	z, r := g.Extent(p, dir), g.Reach(p, &s.shape)
	seg := feature.HoleSegment{ZMin: z.Lo, ZMax: z.Hi}
	switch sh.Kind {
	case surface.KindCylinder:
		seg.Shape = "cylinder"
		seg.DiameterTop, seg.DiameterBottom = 2*sh.Radius, 2*sh.Radius
	case surface.KindCone:
		seg.Shape = "cone"
		at := func(z float64) float64 { // the mesh reaches the apex only to within rounding
			d := 2 * sh.RadiusAt(sh.Origin.AtHeight(z, dir))
			if d < g.Length {
				return 0
			}
			return d
		}
		seg.DiameterTop, seg.DiameterBottom = at(z.Hi), at(z.Lo)
	case surface.KindPlane:
		seg.Shape = "plane"
		seg.DiameterTop, seg.DiameterBottom = 2*r.Hi, 2*g.innerRadius(p, s, r)
	case surface.KindBSpline: // the flanks of a thread, or a rounded opening
		if g.roundsOpening(p) {
			seg.Shape = "torus"
			seg.DiameterTop, seg.DiameterBottom = 2*r.Hi, 2*r.Lo
			break
		}
		seg.Shape = "cylinder"
		seg.DiameterTop, seg.DiameterBottom = 2*r.Hi, 2*r.Hi
	default:
		seg.Shape = "torus" // a sphere is the torus without a hole
		seg.DiameterTop, seg.DiameterBottom = 2*r.Hi, 2*r.Lo
		if sh.Kind == surface.KindSphere {
			seg.DiameterBottom = 0
		}
	}
	return seg
}

// innerRadius returns the inner radius of a flat step, 0 for a floor that covers the axis.
func (g holeRules) innerRadius(p int32, s *Stack, r geom.Interval) float64 {
	inner := r.Lo
	g.Pierced(p, &s.shape, func(float64, bool) { inner = 0 })
	return inner
}

// deepest returns the diameter of the deepest bore and the depth to its end.
func deepest(segs []feature.HoleSegment, z geom.Interval, through bool) (diameter, depth float64) {
	diameter = math.Inf(1)
	end := z.Lo
	for _, shape := range []string{"cylinder", "cone"} {
		for _, s := range segs {
			if s.Shape != shape {
				continue
			}
			d := min(s.DiameterTop, s.DiameterBottom)
			if d == 0 { // a tip
				d = max(s.DiameterTop, s.DiameterBottom)
			}
			if d <= diameter {
				diameter, end = d, s.ZMin
			}
		}
		if !math.IsInf(diameter, 1) {
			break
		}
	}
	if through {
		end = z.Lo
	}
	return diameter, z.Hi - end
}

// describe sets the kind of a hole, its counterbores and its countersinks from its segments.
func describe(h *feature.HoleShape, tol float64) {
	h.Kind, h.Counterbore, h.Countersink = entry(h.Segments, tol)
	if h.Through {
		_, h.FarCounterbore, h.FarCountersink = entry(flipped(h.Segments), tol)
	}
}

// flipped returns segments as seen from the other end.
func flipped(segs []feature.HoleSegment) []feature.HoleSegment {
	out := make([]feature.HoleSegment, 0, len(segs))
	for _, s := range slices.Backward(segs) {
		s.ZMin, s.ZMax = -s.ZMax, -s.ZMin
		if s.Shape != "plane" { // of a step: outer and inner diameter
			s.DiameterTop, s.DiameterBottom = s.DiameterBottom, s.DiameterTop
		}
		out = append(out, s)
	}
	return out
}

// entry returns the kind, counterbore and countersink at the first end of segments.
func entry(segs []feature.HoleSegment, tol float64) (kind feature.HoleKind, bore *feature.Counterbore,
	cone *feature.Countersink) {
	cone = sink(segs, tol)
	steps, flat := 0, false // narrowings from one cylinder to the next, the first by a flat step
	last, ledge := math.Inf(1), math.NaN()
	for _, s := range segs {
		if s.Shape == "plane" && s.DiameterBottom > 0 {
			ledge = s.ZMax
		}
		if s.Shape != "cylinder" {
			continue
		}
		if s.DiameterTop < last-2*tol {
			if !math.IsInf(last, 1) {
				steps++
			}
			if steps == 1 && !math.IsNaN(ledge) {
				flat = true
				bore = &feature.Counterbore{Diameter: last, Depth: segs[0].ZMax - ledge}
			}
			last = s.DiameterTop
		}
		ledge = math.NaN()
	}
	switch {
	case steps == 1 && flat:
		kind = feature.CounterboreHole
	case steps > 0:
		kind = feature.SteppedHole
	case cone != nil:
		kind = feature.CountersinkHole
	default:
		kind = feature.SimpleHole
	}
	return kind, bore, cone
}

// sink returns the countersink at the start of segments, nil if there is none.
func sink(segs []feature.HoleSegment, tol float64) *feature.Countersink {
	s := segs[0]
	if s.Shape != "cone" || s.DiameterTop <= s.DiameterBottom+tol || len(segs) < 2 {
		return nil
	}
	half := math.Atan((s.DiameterTop - s.DiameterBottom) / 2 / (s.ZMax - s.ZMin))
	if half < sinkMin || half > sinkMax {
		return nil
	}
	return &feature.Countersink{Diameter: s.DiameterTop, Angle: 2 * half, Depth: s.ZMax - s.ZMin}
}
