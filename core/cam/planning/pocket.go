package planning

// The pockets of soft jaws, as areas of lines and arcs.
//
// The part below the top of the jaws, seen from below, is an exact area (package shadow). Swept along the direction in
// which the jaws close, it has no undercut. Faces along this direction get a gap. Rows where the jaws do not grip are
// cleared in runs, as far as the workpiece reaches in any row of the run. The pocket is then widened for a mill that
// reaches its floor: where the mill does not get into a corner, it cuts past a wall until all of the corner is cut, so
// that the part sits down to its corners: rather past a wall along the closing direction than past one that grips.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	leastMill   = 3.0               // mm, radius of the mill that makes a pocket
	millTurn    = 0.2               // mm
	millReach   = 8.0               // radii that it cuts deep
	steep       = 5 * math.Pi / 180 // rad from the direction in which jaws close: faces that do not grip
	leastRelief = 2e-3              // mm left in a corner: no mill shows it
	leastWall   = 3.0               // mm, of a jaw
	sharpTip    = 1.0               // mm that a corner reaches beyond a disc of that diameter: it has less than 75°
	meshSag     = 0.1               // mm, by which meshed faces may be wider than their mesh
)

// formed is soft jaws with a pocket, as its rows tell. The directions are those of a viseGrip.
type formed struct {
	side   side
	grip   viseGrip
	third  int
	across geom.Interval // of the rows along the jaws
	ends   geom.Interval // of the jaws
	low    float64       // along the side: their lower end
	seat   bool          // the part lies in the jaws, not on parallels between them
	rows   [][2]float64
	isWall [][2]bool
	meet   float64       // where both jaws meet, along the axis
	least  int           // rows that each jaw grips at least
	beside [2][2]float64 // by jaw and end: how far out stock may be beside the part
}

// floor returns the height down to which a pocket goes.
func (f *formed) floor() float64 {
	if f.seat {
		return f.grip.rest
	}
	return f.low
}

// mill returns the radius of the corners of a pocket, mm: that of a mill, a multiple of half a millimeter, and a little
// more, for the mill to turn in them.
func (f *formed) mill() float64 {
	return max(leastMill, math.Ceil(2*(f.grip.top-f.floor())/millReach-geom.Resolution)/2) + millTurn
}

// closed returns where a jaw ends toward the other one, outward.
func (f *formed) closed(jaw int) float64 { return outward(jaw)*f.meet + closedGap/2 }

// outward is the sense of a jaw along the axis in which they close.
func outward(jaw int) float64 { return float64(2*jaw - 1) }

// pocketOf returns the area of the pocket of a jaw. X is along the jaws, Y along the axis, outward.
func (p *planner) pocketOf(f *formed, jaw int) (*arcpoly.Area, error) {
	outline, err := p.outlineBelow(f, jaw)
	if err != nil {
		return nil, err
	}
	low := f.closed(jaw) - f.grip.planes.Length() - jawDepth // beyond all that is swept
	margin := 10 * f.mill()
	loops := []planar.Loop{rectangle(f.ends.Lo-margin, low, f.ends.Hi+margin, f.closed(jaw))}
	for _, l := range outline.Loops() {
		for _, s := range l {
			for _, piece := range monotone(s) {
				loops = append(loops, swept(piece, low)...)
			}
		}
	}
	all, err := united(append(loops, f.cleared(jaw, low, 0)...))
	if err != nil {
		return nil, err
	}
	// Clearances are deeper by the round corners that the mill leaves in them.
	deeper, err := united(append(loops, f.cleared(jaw, low, f.mill())...))
	if err != nil {
		return nil, err
	}
	return milled(all, deeper, f.mill())
}

// united returns the union of the areas within some loops of either sense.
func united(loops []planar.Loop) (*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	for _, l := range loops {
		if l.Area() < 0 {
			l = l.Reverse()
		}
		a, err := arcpoly.New(l)
		if err != nil {
			return nil, err
		}
		areas = append(areas, a)
	}
	return arcpoly.Union(areas...)
}

// kept returns the number of rows that a jaw with a pocket grips.
func (f *formed) kept(jaw int, pocket *arcpoly.Area) (n int) {
	const behind = 0.05 // mm, in the jaw
	pitch := f.across.Length() / float64(len(f.rows))
	for i := range f.rows {
		at := geom.Vec2{X: f.across.Lo + (float64(i)+0.5)*pitch, Y: outward(jaw)*f.rows[i][jaw] + behind}
		if f.isWall[i][jaw] && at.Y-behind >= f.closed(jaw) && !pocket.Contains(at) {
			n++
		}
	}
	return n
}

// outlineBelow returns the part between its seat and the top of the jaws.
func (p *planner) outlineBelow(f *formed, jaw int) (*arcpoly.Area, error) {
	view := p.profileOf(f.side.opposite())
	if view.err != nil {
		return nil, view.err
	}
	exact, err := view.shadow.Exact(-f.grip.top)
	if err != nil {
		return nil, err
	}
	meshed, err := view.shadow.Wide(-f.grip.top, meshSag)
	if err != nil {
		return nil, err
	}
	all, err := arcpoly.Union(exact, meshed)
	if err != nil {
		return nil, err
	}
	frame := view.view.Frame
	return arcpoly.New(mapped(all.Loops(), func(at geom.Vec2) geom.Vec2 {
		l := p.frame.LocalDir(frame.X.Scale(at.X).Add(frame.Y.Scale(at.Y)))
		return geom.Vec2{X: l.Coordinate(f.third), Y: outward(jaw) * l.Coordinate(f.grip.axis)}
	})...)
}

// mapped returns loops at another place, turned or mirrored, with the area on their left as before.
func mapped(loops []planar.Loop, to func(geom.Vec2) geom.Vec2) (out []planar.Loop) {
	o := to(geom.Vec2{})
	mirrors := to(geom.Vec2{X: 1}).Sub(o).Cross(to(geom.Vec2{Y: 1}).Sub(o)) < 0
	for _, l := range loops {
		l = slices.Clone(l)
		for i := range l {
			s := &l[i]
			s.From, s.To, s.Center = to(s.From), to(s.To), to(s.Center)
			if mirrors {
				s.Turn = -s.Turn
			}
		}
		if mirrors {
			l = l.Reverse()
		}
		out = append(out, l)
	}
	return out
}

func rectangle(x0, y0, x1, y1 float64) planar.Loop {
	at := [4]geom.Vec2{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	l := planar.Loop{}
	for i := range at {
		l = append(l, planar.NewLine(at[i], at[(i+1)%4]))
	}
	return l
}

// monotone divides an arc where it turns back along X, and where it gets steep.
func monotone(s planar.Segment) (out []planar.Segment) {
	if s.Turn == 0 {
		return []planar.Segment{s}
	}
	from := math.Atan2(s.From.Y-s.Center.Y, s.From.X-s.Center.X)
	shares := []float64{0, 1}
	for half := range 2 {
		for _, by := range [3]float64{-steep, 0, steep} {
			turn := math.Mod(math.Pi*float64(half)+by-from, 2*math.Pi)
			if turn*s.Turn < 0 {
				turn += math.Copysign(2*math.Pi, s.Turn)
			}
			if share := turn / s.Turn; share > 0 && share < 1 {
				shares = append(shares, share)
			}
		}
	}
	slices.Sort(shares)
	for i := 1; i < len(shares); i++ {
		piece := planar.NewArc(s.Center, s.At(shares[i-1]), s.Turn*(shares[i]-shares[i-1]))
		out = append(out, piece)
	}
	return out
}

// swept returns the outlines below a segment down to a height, with a gap on both sides of a steep one.
func swept(s planar.Segment, low float64) []planar.Loop {
	strip := func(s planar.Segment) planar.Loop {
		a, b := geom.Vec2{X: s.To.X, Y: low}, geom.Vec2{X: s.From.X, Y: low}
		return planar.Loop{s, planar.NewLine(s.To, a), planar.NewLine(a, b), planar.NewLine(b, s.From)}
	}
	d := s.At(1).Sub(s.At(0))
	isSteep := math.Abs(d.X) <= math.Sin(steep)*d.Norm()
	if !isSteep {
		return []planar.Loop{strip(s)}
	}
	top := s.From
	if s.To.Y > top.Y {
		top = s.To
	}
	out := []planar.Loop{rectangle(top.X-freeGap, low, top.X+freeGap, top.Y)}
	for _, by := range [2]geom.Vec2{{X: -freeGap}, {X: freeGap}} {
		if moved := s; math.Abs(d.X) > geom.Resolution {
			moved.From, moved.To, moved.Center = s.From.Add(by), s.To.Add(by), s.Center.Add(by)
			out = append(out, strip(moved))
		}
	}
	return out
}

// cleared returns rectangles over the rows where a jaw does not grip, from a height to more than the workpiece reaches.
func (f *formed) cleared(jaw int, low, more float64) (out []planar.Loop) {
	pitch := f.across.Length() / float64(len(f.rows))
	for i := 0; i < len(f.rows); {
		n, high := i, math.Inf(-1)
		for ; n < len(f.rows) && !f.isWall[n][jaw]; n++ {
			high = max(high, outward(jaw)*f.rows[n][jaw])
		}
		if n > i && !math.IsInf(high, 0) {
			out = append(out, rectangle(f.across.Lo+float64(i)*pitch-freeGap, low, f.across.Lo+float64(n)*pitch+freeGap,
				high+freeGap+more))
		}
		i = max(n, i+1)
	}
	for end, x := range [2][2]float64{{f.ends.Lo - jawDepth, f.across.Lo}, {f.across.Hi, f.ends.Hi + jawDepth}} {
		if high := f.beside[jaw][end]; high > f.closed(jaw) {
			out = append(out, rectangle(x[0], low, x[1], high+freeGap+more))
		}
	}
	return out
}

// milled returns the area that a mill makes of a wider one, with discs that reach into the corners of the area a.
func milled(a, wider *arcpoly.Area, radius float64) (*arcpoly.Area, error) {
	centers, err := wider.Offset(-radius)
	if err != nil {
		return nil, err
	}
	out, err := centers.Offset(radius)
	if err != nil {
		return nil, err
	}
	rest, err := a.Minus(out)
	if err != nil {
		return nil, err
	}
	areas := []*arcpoly.Area{out}
	for _, part := range rest.Parts() {
		tip, depth := tipOf(part, out)
		if depth < leastRelief {
			continue
		}
		relief, err := reliefFor(a, part, centers, tip, radius)
		if err != nil {
			return nil, err
		}
		areas = append(areas, relief)
	}
	slices.SortStableFunc(areas[1:], func(a, b *arcpoly.Area) int { return cmp.Compare(a.Size(), b.Size()) })
	return arcpoly.Union(areas...)
}

// reliefFor returns the area that a mill cuts to remove the rest of a corner: discs that end at the rest toward the
// outside, or the slot on the way from the nearest center to a tip, if it costs less of the length along the jaw.
func reliefFor(a, rest, centers *arcpoly.Area, tip geom.Vec2, radius float64) (*arcpoly.Area, error) {
	below, err := arcpoly.New(mapped(rest.Loops(), func(at geom.Vec2) geom.Vec2 {
		return geom.Vec2{X: at.X, Y: at.Y - radius}
	})...)
	if err == nil {
		below, err = below.Offset(radius)
	}
	from, ok := centers.Nearest(tip)
	if err != nil || !ok {
		return below, err
	}
	d := tip.Sub(from)
	to := tip.Sub(d.Scale(radius / d.Norm()))
	n := geom.Vec2{X: -d.Y, Y: d.X}.Scale(radius / d.Norm())
	back, ahead := planar.NewArc(from, from.Add(n), math.Pi), planar.NewArc(to, to.Sub(n), math.Pi)
	slot, err := arcpoly.New(planar.Loop{back, planar.NewLine(back.To, ahead.From), ahead,
		planar.NewLine(ahead.To, back.From)})
	if err != nil {
		return nil, err
	}
	more, err := rest.Minus(slot)
	if err == nil {
		more, err = more.Offset(-leastRelief)
	}
	if err != nil || !more.IsEmpty() || lost(a, slot) >= lost(a, below) {
		return below, err
	}
	return slot, nil
}

// lost returns the length along X of the boundary of an area that another one covers, mm.
func lost(a, by *arcpoly.Area) (sum float64) {
	const steps, skin = 64, 1e-3
	lo, hi := by.Extent()
	for _, l := range a.Loops() {
		for i := range l {
			for k := range steps {
				at := l[i].At((float64(k) + 0.5) / steps)
				if at.X >= lo.X && at.X <= hi.X && at.Y >= lo.Y && at.Y <= hi.Y && by.Distance(at) > skin {
					sum += math.Abs(l[i].At(float64(k+1)/steps).X - l[i].At(float64(k)/steps).X)
				}
			}
		}
	}
	return sum
}

// withoutFins returns an area without its walls thinner than leastWall and its sharp tips: none of them would last.
func withoutFins(a *arcpoly.Area) (*arcpoly.Area, error) {
	core, err := a.Offset(-leastWall / 2)
	if err != nil {
		return nil, err
	}
	if core, err = core.Offset(leastWall / 2); err != nil {
		return nil, err
	}
	rest, err := a.Minus(core)
	if err != nil {
		return nil, err
	}
	fins := []*arcpoly.Area{}
	for _, part := range rest.Parts() {
		if _, depth := tipOf(part, core); depth > sharpTip {
			fins = append(fins, part)
		}
	}
	return a.Minus(fins...)
}

// tipOf returns the place on the boundary of an area, of some on each segment, that is farthest from another one, and
// its distance, mm.
func tipOf(a, from *arcpoly.Area) (tip geom.Vec2, far float64) {
	const steps = 8
	for _, l := range a.Loops() {
		for i := range l {
			for k := range steps {
				at := l[i].At(float64(k) / steps)
				if d := -from.Distance(at); d > far {
					tip, far = at, d
				}
			}
		}
	}
	return tip, far
}
