package adaptive

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func vec(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func area(t *testing.T, loops ...planar.Loop) *arcpoly.Area {
	t.Helper()
	a, err := arcpoly.New(loops...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func frame(x0, y0, x1, y1 float64) planar.Loop {
	p := []geom.Vec2{vec(x0, y0), vec(x1, y0), vec(x1, y1), vec(x0, y1)}
	var l planar.Loop
	for i := range p {
		l = append(l, planar.NewLine(p[i], p[(i+1)%4]))
	}
	return l
}

// start returns the state of a pocket of 60 mm by 40 mm with a round island, for a cutter of 10 mm.
func start(t *testing.T) *clearing {
	t.Helper()
	pocket := area(t, frame(0, 0, 60, 40), planar.Circle(vec(40, 22), 4, true))
	allowed, err := pocket.Offset(-5)
	if err != nil {
		t.Fatal(err)
	}
	l := &Level{
		Radius: 5, Arc: math.Pi / 3, Stock: area(t, frame(-10, -10, 70, 50)), Target: pocket, Allowed: allowed,
		HelixRadius: 4,
	}
	c, err := newClearing(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// random returns points in a window around an area.
func random(r *rand.Rand, a *arcpoly.Area, margin float64) geom.Vec2 {
	lo, hi := a.Extent()
	return vec(lo.X-margin+r.Float64()*(hi.X-lo.X+2*margin), lo.Y-margin+r.Float64()*(hi.Y-lo.Y+2*margin))
}

func TestInsideMatchesArea(t *testing.T) {
	a := area(t, frame(0, 0, 20, 10), planar.Circle(vec(6, 5), 3, true), planar.Circle(vec(20, 8), 4, false))
	r := raster{origin: vec(-3.1, -2.2), step: 0.25, inverse: 4, nx: 130, ny: 70}
	in := make([]bool, r.nx*r.ny)
	r.inside(r.chordsOf(a, 1e-4, 1), func(j, i0, i1 int) {
		for i := i0; i < i1; i++ {
			if in[j*r.nx+i] {
				t.Fatalf("cell %d, %d is in two runs", i, j)
			}
			in[j*r.nx+i] = true
		}
	})
	for j := range r.ny {
		for i := range r.nx {
			p := r.point(i, j)
			if d := a.Distance(p); math.Abs(d) > 1e-3 && in[j*r.nx+i] != (d > 0) {
				t.Errorf("point %v: inside %t, distance %g", p, in[j*r.nx+i], d)
			}
		}
	}
}

func TestDistancesMatchArea(t *testing.T) {
	a := area(t, frame(0, 0, 20, 10), planar.Circle(vec(6, 5), 3, true), planar.Circle(vec(20, 8), 4, false))
	r := raster{origin: vec(-3.1, -2.2), step: 0.25, inverse: 4, nx: 130, ny: 70}
	const far, tolerance = 1.1, 1e-4
	field := r.distances(r.chordsOf(a, tolerance, 2), far)
	for j := range r.ny {
		for i := range r.nx {
			want := max(-far, min(far, a.Distance(r.point(i, j))))
			if got := float64(field[j*r.nx+i]); math.Abs(got-want) > 2*tolerance && math.Abs(got+want) > 2*tolerance {
				t.Errorf("point %v: distance %g, want %g", r.point(i, j), got, want)
			}
		}
	}
}

func TestCapsuleRowMatchesDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		a, b := vec(r.Float64()*10, r.Float64()*10), vec(r.Float64()*10, r.Float64()*10)
		if r.IntN(5) == 0 {
			b.Y = a.Y
		}
		reach, y := 0.2+3*r.Float64(), 14*r.Float64()-2
		lo, hi := capsuleRow(y, a.X, a.Y, b.X, b.Y, reach)
		line := planar.NewLine(a, b)
		for x := -5.0; x < 15; x += 0.13 {
			d := line.Distance(vec(x, y))
			if in := x >= lo && x <= hi; in != (d <= reach) && math.Abs(d-reach) > 1e-9 {
				t.Fatalf("%v to %v, reach %g: point %g, %g at %g; row from %g to %g", a, b, reach, x, y, d, lo, hi)
			}
		}
	}
}

func TestCountBlocksMatchesDiscs(t *testing.T) {
	c := start(t)
	check := func() {
		t.Helper()
		pitch := blockCells * c.step
		for k := 0; k < len(c.load); k += 37 {
			want := 0
			for q := range c.cells {
				// Blocks at the limit may count or not.
				if c.cells[q] > 0 && c.node(q).Dist(c.node(k)) < c.radius+0.5*pitch {
					want++
				}
			}
			if int(c.load[k]) != want {
				t.Fatalf("node %v: load %d, want %d", c.node(k), c.load[k], want)
			}
		}
	}
	check()
	c.clearDisc(vec(20, 20), 9)
	c.clearStep(vec(20, 20), vec(20.5, 20.2), math.Pi)
	c.clearDisc(vec(25, 21), 7)
	check()
}

func TestGoalsCountTargetCells(t *testing.T) {
	c := start(t)
	half, err := arcpoly.Intersection(c.level.Target, area(t, frame(0, 0, 30, 40)))
	if err != nil {
		t.Fatal(err)
	}
	l := *c.level
	l.Target = half
	if c, err = newClearing(t.Context(), &l); err != nil {
		t.Fatal(err)
	}
	c.clearDisc(vec(20, 20), 9)
	c.clearDisc(vec(33, 20), 6)
	want := 0
	for _, m := range c.marks {
		if m == reachable|wanted {
			want++
		}
	}
	if c.goals != want || c.goal == nil {
		t.Errorf("%d target cells, want %d", c.goals, want)
	}
	for k := range c.isOpen {
		if (c.demand[k] > 0) && c.load[k] == 0 {
			t.Fatalf("node %v: demand %d without load", c.node(k), c.demand[k])
		}
	}
}

// frontArc returns the front arc at a position in material outside some discs.
func frontArc(p, u geom.Vec2, radius float64, discs [][3]float64) float64 {
	const n = 20000
	in := 0
	for i := range n {
		s, co := math.Sincos(math.Pi * ((float64(i)+0.5)/n - 0.5))
		q := vec(p.X+radius*(co*u.X-s*u.Y), p.Y+radius*(s*u.X+co*u.Y))
		isIn := true
		for _, d := range discs {
			isIn = isIn && q.Dist(vec(d[0], d[1])) > d[2]
		}
		if isIn {
			in++
		}
	}
	return float64(in) / n * math.Pi
}

func TestMeasureMatchesGeometry(t *testing.T) {
	c := start(t)
	discs := [][3]float64{{20, 20, 9}, {26, 24, 7.5}, {30, 14, 6}}
	for _, d := range discs {
		c.clearDisc(vec(d[0], d[1]), d[2])
		c.path = append(c.path, step{to: vec(d[0], d[1]), kind: Enter, helix: d[2] - 5})
		c.discs = append(c.discs, int32(len(c.path)-1))
	}
	r := rand.New(rand.NewPCG(3, 3))
	worst := 0.0
	for range 2000 {
		p := vec(14+22*r.Float64(), 10+18*r.Float64())
		s, co := math.Sincos(2 * math.Pi * r.Float64())
		got, want := c.measure(p, vec(co, s)).arc, frontArc(p, vec(co, s), 5, discs)
		worst = max(worst, math.Abs(got-want))
		if math.Abs(got-want) > 0.06 {
			t.Errorf("position %v, heading %g, %g: front arc %.4f, want %.4f", p, co, s, got, want)
		}
	}
	t.Logf("largest difference %.4f rad", worst)
}

func TestClearStepEqualsSweep(t *testing.T) {
	// A straight cut along a front: the field afterwards is that of all discs along it, where material was.
	c := start(t)
	from, to := vec(15, 20), vec(20, 20)
	c.clearDisc(from, 5)
	p := from
	for p.X < to.X {
		next := vec(p.X+0.5, 20)
		c.clearStep(p, next, c.measure(next, vec(1, 0)).left)
		p = next
	}
	line := planar.NewLine(from, p)
	for j := range c.ny {
		for i := range c.nx {
			want := max(-c.band, min(c.band, line.Distance(c.point(i, j))-5))
			if got := float64(c.field[j*c.nx+i]); math.Abs(got-want) > 1e-4 && (got > 0 || want > 0) {
				t.Fatalf("point %v: field %g, want %g", c.point(i, j), got, want)
			}
		}
	}
}

func TestExactDistanceMatchesPath(t *testing.T) {
	c := start(t)
	c.path = append(c.path, step{to: vec(20, 20), kind: Enter, air: true})
	r := rand.New(rand.NewPCG(5, 5))
	p, angle := vec(20, 20), 0.0
	for range 300 {
		angle += 0.3 * (r.Float64() - 0.4)
		s, co := math.Sincos(angle)
		q := vec(p.X+0.6*co, p.Y+0.6*s)
		if c.clearanceAt(q) < 0.5 {
			angle += 1
			continue
		}
		c.path = append(c.path, step{to: q, kind: Cut})
		c.trace()
		p = q
	}
	check := func() {
		t.Helper()
		checked := 0
		for range 5000 {
			q := random(r, c.allowed, 6)
			want := math.Inf(1)
			for k := 1; k < len(c.path); k++ {
				line := planar.NewLine(c.path[k-1].to, c.path[k].to)
				want = min(want, line.Distance(q)-5)
			}
			if math.Abs(want) > ridge*c.step {
				continue
			}
			checked++
			x, y := c.cell(q)
			if got := c.exactAt(x, y); math.Abs(got-min(want, c.band)) > 1e-9 {
				t.Fatalf("point %v: %g, want %g", q, got, want)
			}
		}
		if checked < 50 {
			t.Errorf("only %d points near the border", checked)
		}
	}
	check()
	c.path = c.path[:len(c.path)/2]
	c.forget()
	check()
}

func TestIsAllowedMatchesArea(t *testing.T) {
	c := start(t)
	r := rand.New(rand.NewPCG(9, 9))
	accepted := 0
	for range 20000 {
		a := random(r, c.allowed, 0.2)
		at, _ := c.level.Allowed.Nearest(a)
		a = at.Add(a.Sub(at).Scale(0.02 * r.Float64())) // near a wall
		s, co := math.Sincos(2 * math.Pi * r.Float64())
		p := planar.NewLine(a, a.Add(vec(co, s).Scale(3*r.Float64())))
		if r.IntN(2) == 0 {
			p = planar.NewArc(a.Add(vec(-s, co).Scale(2+8*r.Float64())), a, 0.4*(r.Float64()-0.5))
		}
		worst := math.Inf(1)
		for k := range 101 {
			worst = min(worst, c.level.Allowed.Distance(p.At(float64(k)/100)))
		}
		isAllowed := c.isAllowed(&p)
		if isAllowed {
			accepted++
		}
		if isAllowed && worst < -1e-3 {
			t.Fatalf("%+v is %g mm outside and allowed", p, -worst)
		}
		if !isAllowed && worst > 0.01 {
			t.Fatalf("%+v is %g mm inside and not allowed", p, worst)
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d segments are allowed", accepted)
	}
}

func TestSlopeMatchesClearance(t *testing.T) {
	c := start(t)
	for _, row := range []struct {
		at   geom.Vec2
		d    float64
		x, y float64
	}{
		{vec(5.5, 15), 0.5, 1, 0}, {vec(54.6, 20), 0.4, -1, 0}, {vec(20, 5.3), 0.3, 0, 1}, {vec(40, 31.4), 0.4, 0, 1},
		{vec(40, 12.5), 0.5, 0, -1},
	} {
		d, gx, gy := c.slopeAt(row.at)
		margin := wallMargin * c.radius
		if math.Abs(d-(row.d-margin)) > 0.01 || math.Hypot(gx-row.x, gy-row.y) > 0.1 {
			t.Errorf("%v: clearance %.3f, slope %.2f, %.2f; want %.3f, %g, %g",
				row.at, d, gx, gy, row.d-margin, row.x, row.y)
		}
		if e := c.clearanceAt(row.at); math.Abs(e-d) > 1e-6 {
			t.Errorf("%v: clearance %g and %g", row.at, d, e)
		}
	}
	if d := c.clearanceAt(vec(1e6, 1e6)); d >= 0 {
		t.Errorf("clearance %g far outside", d)
	}
}

func TestWalkWithoutRemovalLeavesNoTrace(t *testing.T) {
	c := start(t)
	c.clearDisc(vec(20, 20), 14)
	c.path = append(c.path, step{to: vec(20, 20), kind: Enter, air: true})
	before := append([]float32(nil), c.field...)
	c.walkFrom(vec(20, 20), vec(1, 0))
	if len(c.path) != 1 || len(c.nexts) != 0 {
		t.Fatalf("%d steps, %d in the trail; want the entry alone", len(c.path), len(c.nexts))
	}
	for k := range before {
		if before[k] != c.field[k] {
			t.Fatalf("cell %d: field %g, was %g", k, c.field[k], before[k])
		}
	}
}

func TestWalkKeepsBoundAtEachStep(t *testing.T) {
	c := start(t)
	c.clearDisc(vec(20, 20), 9)
	c.path = append(c.path, step{to: vec(24, 20), kind: Link})
	c.walkFrom(vec(24, 20), vec(0, 1))
	if len(c.path) < 50 || c.removed == 0 {
		t.Fatalf("%d steps, %d cells", len(c.path), c.removed)
	}
	for i, s := range c.path[1:] {
		if s.arc > excess*c.bound {
			t.Errorf("step %d: front arc %g, bound %g", i, s.arc, c.bound)
		}
		if d := c.level.Allowed.Distance(s.to); d < -1e-3 {
			t.Errorf("step %d: %g mm outside", i, -d)
		}
		if way := s.to.Dist(c.path[i].to); way > 1.01*calmFactor*stepLength*c.radius {
			t.Errorf("step %d: %g mm long", i, way)
		}
	}
}

func TestFitKeepsTolerance(t *testing.T) {
	c := start(t)
	c.path = append(c.path, step{to: vec(10, 10), kind: Link})
	for k := 1; k <= 40; k++ { // an arc, then a line
		s, co := math.Sincos(float64(k) * 0.02)
		c.path = append(c.path, step{to: vec(10+20*s, 10+20*(1-co)), kind: Cut, arc: 1})
	}
	end, u := c.end(), vec(math.Cos(0.8), math.Sin(0.8))
	for k := 1; k <= 10; k++ {
		c.path = append(c.path, step{to: end.Add(u.Scale(0.3 * float64(k))), kind: Cut, arc: 0.5})
	}
	moves := c.moves()
	if len(moves) > 6 {
		t.Errorf("%d moves for a link, an arc and a line", len(moves))
	}
	at := moves[0].To
	for i := range c.path[1:] {
		best := math.Inf(1)
		from := at
		for k := 1; k < len(moves); k++ {
			p := planar.Segment{From: from, To: moves[k].To, Center: moves[k].Center, Turn: moves[k].Turn}
			best = min(best, p.Distance(c.path[i+1].to))
			from = moves[k].To
		}
		if best > 1.01*tolerance*c.radius {
			t.Errorf("step %d is %g mm from the moves", i+1, best)
		}
	}
	if moves[1].Arc != 1 || moves[len(moves)-1].Arc != 0.5 {
		t.Errorf("front arcs %g and %g; want the largest of the steps", moves[1].Arc, moves[len(moves)-1].Arc)
	}
}

func TestMarkIdleMakesLinks(t *testing.T) {
	c := start(t)
	c.path = append(c.path, step{to: vec(20, 20), kind: Enter, air: true})
	for k := range 12 {
		c.path = append(c.path, step{to: vec(20.5+0.5*float64(k), 20), kind: Cut, idle: k >= 4 && k < 9 || k == 10})
	}
	c.markIdle()
	for k, s := range c.path[1:] {
		if isLink := k >= 4 && k < 9; (s.kind == Link) != isLink {
			t.Errorf("step %d: kind %d", k, s.kind)
		}
	}
}

func TestRouteGoesAroundIsland(t *testing.T) {
	c := start(t)
	// All is cleared: the island at 40, 22 stands between the ends.
	for k := range c.field {
		c.field[k] = -float32(c.band)
	}
	for j := range c.ny {
		for i := range c.nx {
			if c.marks[j*c.nx+i]&reachable != 0 {
				c.remove(i, j)
			}
		}
	}
	c.path = append(c.path, step{to: vec(20, 22), kind: Enter, air: true})
	goal := c.nodeAt(vec(53, 21.5))
	if !c.route(goal) {
		t.Fatal("no way")
	}
	if c.end() != c.node(goal) {
		t.Errorf("the way ends at %v", c.end())
	}
	if l := c.length(1); l > 42 {
		t.Errorf("the way has %g mm", l)
	}
	for i := 1; i < len(c.path); i++ {
		p := planar.NewLine(c.path[i-1].to, c.path[i].to)
		for k := range 51 {
			if d := c.level.Allowed.Distance(p.At(float64(k) / 50)); d < -1e-3 {
				t.Fatalf("link %d is %g mm outside", i, -d)
			}
		}
	}
}

func TestStripsCoverTarget(t *testing.T) {
	field := area(t, frame(0, 0, 300, 40))
	l := Level{Radius: 0.5, Arc: 1, Stock: field, Target: field, Allowed: field}
	strips, err := l.strips()
	if err != nil {
		t.Fatal(err)
	}
	if len(strips) < 2 {
		t.Fatalf("%d strips", len(strips))
	}
	sum := 0.0
	for i := range strips {
		sum += strips[i].Target.Size()
		c := clearing{level: &strips[i], radius: 0.5, allowed: field}
		if _, _, ok := c.lay(); !ok || float64(c.nx*c.ny) > 1.1*maxCells {
			t.Errorf("strip %d: %d cells; want at most %d", i, c.nx*c.ny, maxCells)
		}
	}
	if math.Abs(sum-field.Size()) > 1e-3 {
		t.Errorf("the strips cover %g mm² of %g", sum, field.Size())
	}
	l.Radius = 5
	if strips, err = l.strips(); err != nil || len(strips) != 1 || strips[0].Target != field {
		t.Errorf("%d strips, %v; want the level itself", len(strips), err)
	}
}

func TestReplayRestoresField(t *testing.T) {
	c := start(t)
	if err := c.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := start(t)
	again.replay(c.moves())
	if again.goals > c.goals+20 {
		t.Errorf("%d target cells after the replay; want %d", again.goals, c.goals)
	}
	different := 0
	for k := range c.field {
		if (c.field[k] > 0) != (again.field[k] > 0) && math.Abs(float64(c.field[k]-again.field[k])) > 0.3*c.step {
			different++
		}
	}
	if different > 0 {
		t.Errorf("%d cells differ", different)
	}
	if err := again.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if moves := again.moves(); len(moves) > 40 {
		t.Errorf("%d moves on a cleared level", len(moves))
	}
}

func TestRemainderNamesReasons(t *testing.T) {
	c := start(t)
	left, refused := c.remainder()
	if len(refused) != 1 || refused[0].Reason != NoEntry || math.Abs(left-c.level.Target.Size()) > 80 {
		t.Errorf("left %g mm², %+v; want all of %g mm², without an entry", left, refused, c.level.Target.Size())
	}
	c.clearDisc(vec(20, 20), 9)
	if _, refused = c.remainder(); len(refused) != 1 || refused[0].Reason != Narrow {
		t.Errorf("%+v; want a rest beside cleared ground", refused)
	}
}

func TestUpstreamFollowsFrontToWall(t *testing.T) {
	c := start(t)
	// The west half is cleared: the front is vertical, and the cut runs up with material on the right.
	for j := range c.ny {
		for i := range c.nx {
			if c.point(i, j).X < 24 {
				c.field[j*c.nx+i] = -float32(c.band)
				if c.marks[j*c.nx+i]&reachable != 0 {
					c.remove(i, j)
				}
			}
		}
	}
	front, dir := c.nearestFront(c.nodeAt(vec(12, 20)))
	if front < 0 || dir != 0 {
		t.Fatalf("front at node %d, direction %d; want one to the east", front, dir)
	}
	node, dir := c.upstream(front, dir)
	if p := c.node(node); p.Y > 6.5 || math.Abs(p.X-18.5) > 1.5 || dir != 0 {
		t.Errorf("upstream end %v, direction %d; want the wall at the south", p, dir)
	}
}

func TestWidestIsFarFromWalls(t *testing.T) {
	c := start(t)
	p, clearance := c.widest()
	best := 0.0
	for x := 0.0; x < 60; x += 0.5 {
		for y := 0.0; y < 40; y += 0.5 {
			best = max(best, c.allowed.Distance(vec(x, y)))
		}
	}
	if clearance < 0.97*best {
		t.Errorf("clearance %g at %v; want %g", clearance, p, best)
	}
}
