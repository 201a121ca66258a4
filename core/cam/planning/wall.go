package planning

// Walls and floors: which tool finishes them.
//
// A wall takes the largest end mill that is no wider than twice its hollow radius, fits between it and what is
// opposite, and clears the part above it. Fillets at its foot want a tool whose corner is as round as they are. Where
// no tool goes into the tightest corner, that is left out and named, and the rest takes the largest tool that fits
// there. Where two walls meet in a sharp inner edge no tool makes it: sharpMill leaves a radius that is small enough
// to file.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	sharpMill = 6.0 // mm
	play      = 0.2 // mm that a mill is narrower than what it goes into

	leastDepth = 1.0 // mm that is worth an operation, where no tool reaches all

	// cornerMatch is the largest difference between a tool's corner and the fillet that it makes, mm.
	cornerMatch = 0.005

	// floorOverWall bounds the diameter of the mill of a floor by that of its walls: what it leaves in a square corner,
	// 0.21 of its diameter, must lie within the path along the walls.
	floorOverWall = 2.4
)

// wallApproaches finds the tool for the walls and fillets of a group.
func (p *planner) wallApproaches(g *group, at []int) {
	if len(g.walls) == 0 {
		for _, q := range g.fillets {
			p.set(at[q], g.side, nil, refuse(completeness.NoToolFits, "It is a rounded inner edge without a wall, and no side sees all of it."))
		}
		return
	}
	if w, ok := p.roundBase(g); ok && p.giveWalls(g, g.fillets, w, at) {
		return
	}
	for _, q := range g.fillets {
		p.set(at[q], g.side, nil, refuse(completeness.NoToolFits,
			"No end mill with a corner of %.4g mm that fits here reaches this fillet.",
			round(p.filletRadius(q, g.side))))
	}
	p.giveWalls(g, nil, func(t *tool) bool { return true }, at)
}

// roundBase returns a test for tools that make the fillets of a group, which must all be of one radius.
func (p *planner) roundBase(g *group) (fits func(t *tool) bool, ok bool) {
	if len(g.fillets) == 0 {
		return nil, false
	}
	r := p.filletRadius(g.fillets[0], g.side)
	for _, q := range g.fillets {
		if math.Abs(p.filletRadius(q, g.side)-r) > cornerMatch {
			return nil, false
		}
	}
	for _, q := range g.walls { // a sharp base edge next to a fillet: no tool makes both
		if p.hasBaseEdge(q, g.side) {
			return nil, false
		}
	}
	return func(t *tool) bool { return math.Abs(t.CornerRadius-r) <= cornerMatch }, true
}

// giveWalls gives the walls and some fillets of a group the largest tool that passes a test; it returns false where
// none does that makes the fillets too.
func (p *planner) giveWalls(g *group, fillets []int32, fits func(t *tool) bool, at []int) bool {
	work := slices.Concat(g.walls, fillets)
	low, foot := math.Inf(1), false
	for _, q := range work {
		low = min(low, g.side.span(p.boxes[q]).Lo)
	}
	for _, q := range g.walls {
		foot = foot || p.hasBaseEdge(q, g.side)
	}
	spot := place{side: g.side, patches: work, bottom: low}
	choice, reach, gap := p.wallMill(g, fillets, fits, &spot, foot)
	var short *rejection
	if choice < 0 {
		if len(fillets) > 0 {
			return false
		}
		short = p.noMill(g, low)
		// others wait for a tool along the slope
		if slices.ContainsFunc(work, func(q int32) bool { return !p.isSloped(q) }) {
			choice, reach = p.deepestMill(g, &spot)
		}
		if choice < 0 {
			for _, q := range work {
				p.set(at[q], g.side, nil, short)
			}
			return true
		}
	}
	t := &p.tools[choice]
	if reach == low { // where no foot is in the way, its corner goes past the end of the wall
		spot.bottom, spot.beside = low-t.CornerRadius-p.under(low, g.side), t.Diameter/2
		reach = p.lowest(&spot, t)
	}
	var stages map[int32][]stage
	var whole map[int32]float64
	if short == nil {
		stages, whole = p.wallStages(g, choice, reach, fits)
	}
	for _, q := range work {
		z := g.side.span(p.boxes[q])
		if r := p.hollow(q, g.side); 2*r < t.Diameter-p.tol() {
			p.set(at[q], g.side, nil, p.tightCorner(r, z, t))
			continue
		}
		w := &approach{kind: wall, tool: choice, z: z, wide: t.Diameter, lift: t.CornerRadius, stages: stages[q],
			whole: whole[q], rest: choice}
		if gap {
			w.gap = p.narrowGap(g, low, t)
		}
		w.ends = !p.hasBaseEdge(q, g.side) && !slices.Contains(fillets, q) && !p.endsInFillet(q, g.side, fillets)
		if w.ends {
			w.z.Lo -= w.lift + p.under(z.Lo, g.side)
		}
		isFillet := slices.Contains(fillets, q) && reach <= w.z.Lo+p.tol() // by the corner itself
		if reach > w.z.Lo+p.tol() {
			w.short = short
		}
		if w.z.Lo = max(w.z.Lo, reach); isFillet || reach+w.lift < z.Hi-p.tol() {
			p.set(at[q], g.side, w, nil)
		} else if short != nil {
			p.set(at[q], g.side, nil, short)
		}
	}
	return true
}

// under returns the run of a tool past the end of a wall at a height along a side, mm. At the end of the part it runs
// into stock that is removed later.
func (p *planner) under(low float64, s side) float64 {
	if low > s.span(p.part).Lo+p.tol() {
		return 0
	}
	return p.in.Config.Stock.Under
}

// wallMill returns the largest tool that passes a test and makes the walls of a group and some fillets, and how low it
// gets: to their foot, or about half way where the opposite side makes the rest. Gap: it is thicker than a gap of the
// pocket. Without a tool it returns -1.
func (p *planner) wallMill(
	g *group, fillets []int32, fits func(t *tool) bool, spot *place, foot bool,
) (choice int, reach float64, gap bool) {
	half := p.halfWay(g)
	limits := p.limits(g)
	narrow := len(limits)
	if len(fillets) == 0 {
		limits = append(limits, p.pastGaps(g)...)
	}
	for i, limit := range limits {
		if choice = p.mill(limit, fits, spot, foot); choice >= 0 {
			return choice, spot.bottom, i >= narrow
		}
		if len(fillets) > 0 || math.IsNaN(half) {
			continue
		}
		halved := *spot
		halved.bottom = half
		if choice = p.mill(limit, fits, &halved, foot); choice >= 0 {
			spot.beside = p.tools[choice].Diameter / 2
			return choice, p.lowest(spot, &p.tools[choice]), i >= narrow
		}
	}
	return -1, 0, false
}

// deepestMill returns the mill that gets lowest beside the walls of a group where none gets to their foot, and how low;
// -1 where none cuts at least leastDepth of them.
func (p *planner) deepestMill(g *group, spot *place) (choice int, reach float64) {
	top := math.Inf(-1)
	for _, q := range g.walls {
		top = max(top, g.side.span(p.boxes[q]).Hi)
	}
	for _, limit := range p.limits(g) {
		choice, reach = p.lowestOf(spot, p.choose(func(t *tool) bool {
			return t.Diameter <= limit && !p.isAvoided(spot.side, spot.patches, t)
		}, machining.FlatEndMill, machining.BullNoseEndMill))
		if choice >= 0 && reach <= top-leastDepth {
			return choice, reach
		}
	}
	return -1, 0
}

// lowestOf returns the tool that reaches lowest at the walls of a place before its body touches the part, and its tip
// height; -1 without one.
func (p *planner) lowestOf(spot *place, tools []int) (best int, reach float64) {
	best, reach = -1, math.Inf(1)
	for _, i := range tools {
		spot.beside = p.tools[i].Diameter / 2
		if low := p.lowest(spot, &p.tools[i]); best < 0 || low < reach {
			best, reach = i, low
		}
	}
	return best, reach
}

// pastGaps returns the diameters of the mills that are too thick for the narrowest gap of a pocket and fit elsewhere in
// it, the thinnest first; none for all other groups.
func (p *planner) pastGaps(g *group) (out []float64) {
	f, ok := p.in.Sheets[g.feature].Facts.(*feature.PocketFacts)
	if !ok || !p.isOwn(g.feature, g.side) {
		return nil
	}
	const share = 0.5 // of the width of the pocket that a mill may be thick
	for _, i := range p.choose(func(t *tool) bool {
		return t.Diameter > f.NarrowestWidth-play && t.Diameter <= share*f.Width
	}, machining.FlatEndMill, machining.BullNoseEndMill) {
		out = append(out, p.tools[i].Diameter)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// narrowGap reports that a mill makes a pocket except for gaps that are narrower than it.
func (p *planner) narrowGap(g *group, low float64, t *tool) *rejection {
	why := p.noMill(g, low)
	why.detail = strings.TrimSuffix(why.detail,
		".") + fmt.Sprintf("; the tool of %.4g mm makes it where it fits.", t.Diameter)
	return why
}

// halfWay returns the height from which the walls of a group can be left to the opposite side, with some overlap:
// where tools are too short for all of it, each side makes half. NaN where the other side does not see them all.
func (p *planner) halfWay(g *group) float64 {
	back := g.side.opposite()
	if !p.fits[back] || p.seen[back] == graph.None {
		return math.NaN()
	}
	z := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, q := range g.walls {
		if p.in.Run.Visibility.Share[p.seen[back]][q] < direction.MinWallVisibility {
			return math.NaN()
		}
		iv := g.side.span(p.boxes[q])
		z.Lo, z.Hi = min(z.Lo, iv.Lo), max(z.Hi, iv.Hi)
	}
	return z.Mid() - seam
}

// mill returns the largest end mill of at most a diameter for a place, -1 without one. Mills with square corners come
// first if the test requires no corner.
func (p *planner) mill(limit float64, fits func(t *tool) bool, spot *place, foot bool) int {
	for _, square := range [2]bool{true, false} {
		list := p.choose(func(t *tool) bool {
			if t.Diameter > limit || !fits(t) || (t.CornerRadius == 0) != square {
				return false
			}
			spot.beside = t.Diameter / 2
			return p.clears(spot, t)
		}, machining.FlatEndMill, machining.BullNoseEndMill, machining.BallEndMill)
		list = slices.DeleteFunc(list, func(i int) bool { // a ball leaves half a cylinder at a foot
			return p.tools[i].Kind == machining.BallEndMill && foot
		})
		if len(list) > 0 {
			return list[0]
		}
	}
	return -1
}

// limits returns the largest diameters for the walls of a group that are worth trying, the best first: each leaves out
// the tightest corners of the one before.
func (p *planner) limits(g *group) []float64 {
	most := p.widest(g)
	var out []float64
	for _, q := range g.walls {
		// a mill as round as the corner makes it too, but rubs all round
		if r := p.hollow(q, g.side); !math.IsInf(r, 1) {
			out = append(out, min(2*r-play, most), min(2*r+p.tol(), most))
		}
	}
	slices.Sort(out)
	if out = append(out, most); len(p.sharpCorners(g.walls, g.side)) > 0 {
		out = append([]float64{min(out[0], sharpMill)}, out...)
	}
	return slices.Compact(out)
}

// hollow returns the radius of a hollow wall, infinite for others.
func (p *planner) hollow(q int32, s side) float64 {
	sh := &p.g.Patches[q].Shape
	if sh.Kind == surface.KindCylinder && sh.Hollow &&
		sh.Axis.Cross(s.dir(p.frame)).Norm() <= graph.DirectionTolerance {
		return sh.Radius
	}
	return math.Inf(1)
}

// widest returns how wide a mill may be between the walls of a group, mm, as the datasheet has it where it looks from
// the same side.
func (p *planner) widest(g *group) float64 {
	if !p.isOwn(g.feature, g.side) {
		return math.Inf(1)
	}
	sweep := func(c feature.CdData) float64 {
		for _, d := range []*float64{c.MaxFullDiameter, c.MaxPartialDiameter} {
			if d == nil {
				return math.Inf(1)
			}
			if *d >= 1 {
				return *d - p.tol()
			}
		}
		return math.Inf(1)
	}
	switch f := p.in.Sheets[g.feature].Facts.(type) {
	case *feature.PocketFacts:
		return f.NarrowestWidth - play
	case *feature.HoleFacts:
		return f.Diameter - play
	case *feature.TslotFacts:
		return f.NeckWidth - play
	case *feature.DovetailFacts:
		return f.NeckWidth - play
	case *feature.BossFacts:
		return sweep(f.CD)
	case *feature.WallFacts:
		return sweep(f.CD)
	}
	return math.Inf(1)
}

// noMill says why no mill makes the walls of a group.
func (p *planner) noMill(g *group, low float64) *rejection {
	most := p.widest(g)
	deep := round(g.side.span(p.part).Hi - low)
	narrow := p.choose(func(t *tool) bool { return t.Diameter <= most }, machining.FlatEndMill,
		machining.BullNoseEndMill)
	if len(narrow) == 0 {
		return refuse(completeness.NoToolFits, "Its walls are only %.4g mm apart, less than the thinnest end mill.",
			round(most+play)).with("An end mill of at most %.4g mm that reaches %.4g mm deep.", round(most), deep)
	}
	where := "here"
	if !math.IsInf(most, 1) {
		where = fmt.Sprintf("between walls %.4g mm apart", round(most+play))
	}
	spot := place{side: g.side, patches: slices.Concat(g.walls, g.floors), bottom: low}
	best, _ := p.lowestOf(&spot, narrow)
	return refuse(completeness.OutOfReach,
		"It lies %.4g mm deep, and no end mill that fits %s reaches it clear of shank and holder (the best is %s).",
		deep, where, p.tools[best].measures()).with("An end mill %s that reaches %.4g mm deep.",
		p.thickness(most), deep)
}

// thickness names the thickest mill that fits, in a sentence.
func (p *planner) thickness(most float64) string {
	if math.IsInf(most, 1) {
		return "of any diameter"
	}
	return fmt.Sprintf("of at most %.4g mm", round(most))
}

// tightCorner says why a concave corner is not made, and what the tool leaves there that makes the walls.
func (p *planner) tightCorner(r float64, z geom.Interval, made *tool) *rejection {
	thin := p.choose(func(t *tool) bool { return t.Diameter <= 2*r+p.tol() }, machining.FlatEndMill,
		machining.BullNoseEndMill)
	if len(thin) == 0 {
		return refuse(completeness.NoToolFits,
			"The inner corner has a radius of %.4g mm, smaller than that of every end mill; "+
				"the tool of %.4g mm leaves a radius of %.4g mm.", round(r), made.Diameter, made.Diameter/2).
			with("An end mill of at most %.4g mm, or a corner that is at least as round as the thinnest one.",
				round(2*r))
	}
	return refuse(completeness.OutOfReach,
		"The inner corner has a radius of %.4g mm over a height of %.4g mm, and no end mill as thin reaches it (the longest is %s); "+
			"the tool of %.4g mm leaves a radius of %.4g mm.",
		round(r), round(z.Length()), p.longest(thin), made.Diameter, made.Diameter/2).
		with("An end mill of at most %.4g mm that reaches %.4g mm deep.", round(2*r), round(z.Length()))
}

// floorApproaches finds the tools for the floors of a group.
func (p *planner) floorApproaches(g *group, at []int) {
	most, beside := p.widest(g), -1 // the thinnest mill of the walls at the floors
	for _, q := range g.walls {
		if w := p.tasks[at[q]].ways[g.side]; w != nil && p.touches(q, g.floors) {
			most = min(most, floorOverWall*p.tools[w.tool].Diameter)
			if beside < 0 || p.tools[w.tool].Diameter < p.tools[beside].Diameter {
				beside = w.tool
			}
		}
	}
	for _, q := range g.floors {
		z := g.side.span(p.boxes[q])
		spot := place{side: g.side, patches: []int32{q}, bottom: z.Lo}
		half := math.Inf(1)
		if p.isSummit(q, g.side) {
			half = p.narrow(q, g.side) / 2
		}
		test := func(t *tool) bool {
			spot.beside = -min(t.Diameter/2, half)
			return t.Diameter <= most && p.clears(&spot, t) && p.passes(&spot, t)
		}
		list, w := p.chooseMill(test), &approach{kind: floor, z: z}
		for fits, gaps := most, p.pastGaps(g); len(list) == 0 && len(gaps) > 0; gaps = gaps[1:] {
			most = gaps[0]
			if list = p.chooseMill(test); len(list) > 0 {
				w.gap = p.narrowGap(g, z.Lo, &p.tools[list[0]])
			}
			most = fits
		}
		if len(list) == 0 {
			part, why := p.partFloor(q, g, most)
			p.set(at[q], g.side, part, why)
			continue
		}
		w.tool, w.wide = list[0], p.tools[list[0]].Diameter/2
		w.stages, w.whole = p.floorStages(q, g.side, &p.tools[w.tool], func(t *tool) bool {
			spot.beside = -min(t.Diameter/2, half)
			return p.clears(&spot, t)
		})
		w.rest = w.tool
		if beside >= 0 && p.tools[beside].Diameter < p.tools[w.tool].Diameter && p.tools[beside].CornerRadius == 0 &&
			test(&p.tools[beside]) {
			w.rest = beside // which comes to the corners anyway
		}
		p.set(at[q], g.side, w, nil)
	}
}

// chooseMill returns the end mills that a test lets pass, those with square corners if there are any.
func (p *planner) chooseMill(test func(t *tool) bool) []int {
	if list := p.choose(test, machining.FlatEndMill); len(list) > 0 {
		return list
	}
	return p.choose(test, machining.BullNoseEndMill)
}

// isSummit reports whether nothing rises from a floor: it is the top of something.
func (p *planner) isSummit(q int32, s side) bool {
	top := true
	p.neighbors(q, func(_ *graph.Adjacency, o int32) {
		top = top && s.span(p.boxes[o]).Hi <= s.span(p.boxes[q]).Hi+p.tol()
	})
	return top
}

// narrow returns the smaller size of a patch across a side, mm.
func (p *planner) narrow(q int32, s side) float64 {
	a, b := s.across()
	return min(along(p.boxes[q], a).Length(), along(p.boxes[q], b).Length())
}

// endsInFillet reports whether a fillet meets the lower end of a wall.
func (p *planner) endsInFillet(q int32, s side, fillets []int32) bool {
	low, found := s.span(p.boxes[q]).Lo, false
	p.neighbors(q, func(_ *graph.Adjacency, o int32) {
		found = found || slices.Contains(fillets, o) && s.span(p.boxes[o]).Lo < low-p.tol()
	})
	return found
}

func (p *planner) touches(q int32, others []int32) bool {
	found := false
	p.neighbors(q, func(_ *graph.Adjacency, o int32) { found = found || slices.Contains(others, o) })
	return found
}
