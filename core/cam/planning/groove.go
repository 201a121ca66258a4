package planning

// Grooves in bores: rings that are wider than the bore above them, such as grooves of retaining rings.
//
// A slot cutter goes down in the finished bore, turns outward to the bottom of the groove and once round. Its head must
// fit the bore and be no higher than the groove, and its neck must pass the bore where the head is at the bottom.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// groove is a ring in a bore, as a side sees it.
type groove struct {
	feature int
	patches []int32 // its bottom and sides
	center  geom.Vec3
	z       geom.Interval // along the side, mm
	radius  float64       // of its bottom, mm
	top     float64       // of the bores above it, along the side, mm
	neck    float64       // radius of the narrowest of them, mm
	bores   []int32       // as narrow
}

// grooveTasks adds a task for each groove in a bore.
func (p *planner) grooveTasks(taken []bool) {
	for i := range p.in.Run.Features {
		f := &p.in.Run.Features[i]
		if f.Type != feature.Hole || f.Hole == nil || !p.isWanted(i) {
			continue
		}
		for _, q := range p.patchesOf(i) {
			sh := &p.g.Patches[q].Shape
			if taken[q] || p.taskOf[q] >= 0 || sh.Kind != surface.KindCylinder || !sh.Hollow || p.isInSight(q) {
				continue
			}
			t := -1
			for s := side(0); s < sides; s++ {
				g, ok := p.grooveOf(i, q, s, taken)
				if !ok {
					continue
				}
				if t < 0 {
					p.addTask(g.patches)
					t = len(p.tasks) - 1
				}
				w, why := p.grooveApproach(&g, s)
				p.set(t, s, w, why)
			}
		}
	}
}

// isInSight reports whether a side sees so much of a wall that an end mill makes it, in part at least.
func (p *planner) isInSight(q int32) bool {
	for s := side(0); s < sides; s++ {
		if p.seen[s] != graph.None && p.in.Run.Visibility.Share[p.seen[s]][q] >= leastSeenOfWall {
			return true
		}
	}
	return false
}

// grooveOf returns the groove of which a patch is the bottom, as a side sees it: from the mouth of the hole.
func (p *planner) grooveOf(f int, bottom int32, s side, taken []bool) (g groove, ok bool) {
	sh, dir := &p.g.Patches[bottom].Shape, s.dir(p.frame)
	hole := p.in.Run.Features[f].Hole
	if sh.Axis.Cross(dir).Norm() > graph.DirectionTolerance || !hole.Through && !p.isOwn(f, s) || !p.fits[s] ||
		p.seen[s] == graph.None {
		return g, false
	}
	g = groove{feature: f, patches: []int32{bottom}, center: p.frame.Local(hole.TopCenter), z: s.span(p.boxes[bottom]),
		radius: sh.Radius, top: math.Inf(-1), neck: math.Inf(1)}
	covered := false
	for _, q := range p.patchesOf(f) {
		o, z := &p.g.Patches[q].Shape, s.span(p.boxes[q])
		switch {
		case q == bottom:
		case o.Kind == surface.KindPlane && z.Length() <= p.tol():
			up := o.Axis.Dot(dir)
			if math.Abs(z.Lo-g.z.Hi) <= p.tol() && up < 0 {
				covered, g.patches = true, append(g.patches, q)
			} else if math.Abs(z.Lo-g.z.Lo) <= p.tol() && up > 0 && !taken[q] {
				g.patches = append(g.patches, q)
			}
		case o.Kind == surface.KindCylinder && z.Lo >= g.z.Hi-p.tol():
			if o.Radius < g.neck-p.tol() {
				g.neck, g.bores = o.Radius, nil
			}
			if g.top = max(g.top, z.Hi); o.Radius <= g.neck+p.tol() {
				g.bores = append(g.bores, q)
			}
		case z.Lo >= g.z.Hi-p.tol() && o.Kind != surface.KindCone:
			return g, false // something of another shape is in the way
		}
	}
	return g, covered && g.neck < g.radius
}

// grooveApproach finds the cutter of a groove.
func (p *planner) grooveApproach(g *groove, s side) (*approach, *rejection) {
	high, deep := g.z.Length(), g.top-g.z.Lo
	right := p.choose(func(t *tool) bool {
		aside := g.radius - t.Diameter/2
		return t.FluteLength <= high+geom.Resolution && t.CornerRadius <= cornerMatch && t.mayCut(g.patches) &&
			t.Diameter/2+shankGap <= g.neck && aside+t.ShankDiameter/2+shankGap <= g.neck
	}, machining.SlotMill)
	wanted := func(r *rejection) *rejection {
		return r.with("A slot cutter of at most %.4g × %.4g mm, %.4g mm wider than its neck, that reaches %.4g mm deep; or a lathe.",
			round(2*(g.neck-shankGap)), round(high), round(2*(g.radius-g.neck+shankGap)), round(deep))
	}
	if len(right) == 0 {
		return nil, wanted(refuse(completeness.NoToolFits,
			"It is a groove of %.4g × %.4g mm in a bore of %.4g mm, and no slot cutter fits in there.", round(2*g.radius),
			round(high), round(2*g.neck)))
	}
	spot := place{side: s, patches: g.bores, bottom: g.z.Lo}
	list := slices.DeleteFunc(slices.Clone(right), func(i int) bool {
		spot.beside = g.radius - p.tools[i].Diameter/2 - g.neck
		return !p.clears(&spot, &p.tools[i])
	})
	if len(list) == 0 {
		return nil, wanted(refuse(completeness.OutOfReach,
			"It is a groove %.4g mm below the mouth of its bore, and no slot cutter that fits it reaches as deep (the best is "+
				"%s).",
			round(deep), p.longest(right)))
	}
	return &approach{kind: ring, tool: list[0], z: g.z, groove: g}, nil
}

// isBored reports whether the narrowest bore over a groove is made.
func (p *planner) isBored(st *state, g *groove) bool {
	return !slices.ContainsFunc(g.bores, func(q int32) bool { return p.taskOf[q] < 0 || !st.done[p.taskOf[q]] })
}

// grooves makes the grooves of the setup, tool by tool.
func (w *writer) grooves() {
	var all []*approach
	for _, it := range w.step.items {
		if way := w.tasks[it.task].ways[w.step.side]; way.kind == ring {
			all = append(all, way)
		}
	}
	slices.SortStableFunc(all, func(a, b *approach) int {
		return cmp.Or(cmp.Compare(w.tools[b.tool].Diameter, w.tools[a.tool].Diameter), cmp.Compare(a.tool, b.tool))
	})
	for len(all) > 0 {
		tool := all[0].tool
		o := Operation{Strategy: Slot, Tool: tool, Top: math.Inf(-1), Bottom: math.Inf(1)}
		var patches []int32
		high := 0.0
		for len(all) > 0 && all[0].tool == tool {
			g := all[0].groove
			at := w.out.Frame.Local(w.frame.Point(g.center))
			h := Hole{At: geom.Vec2{X: round(at.X), Y: round(at.Y)}, Top: w.z(g.z.Hi), Bottom: w.z(g.z.Lo),
				Diameter: round(2 * g.radius), Feature: g.feature, Bore: round(2 * g.neck)}
			o.Holes, o.Top, o.Bottom = append(o.Holes, h), max(o.Top, h.Top), min(o.Bottom, h.Bottom)
			patches, high = append(patches, g.patches...), max(high, g.z.Length())
			all = all[1:]
		}
		slices.Sort(patches)
		o.Features, o.Holes = w.featuresOf(patches), inOrder(o.Holes)
		w.add(o, cutting.Finish, patches, min(w.tools[tool].FluteLength, high), 0)
	}
}
