// Package helix finds the threads that are modeled on a part, inner and outer, by their geometry: faces that a screw
// motion leaves where they are.
package helix

// Method: each free-form patch that follows a helix (screw.go) belongs to a thread. It is joined with other patches
// about the same axis with the same lead and side, if they have equal radii and follow each other along the axis.
// Adjacent patches between the thread's diameters are its ends: runouts, and the ends of the swept profile. The round
// faces along which it winds are its lands: the rest of a bar between its turns, or the core under them.
//
// A thread faces away from its axis everywhere, or toward it; a coil faces both sides and is rejected. A thread makes
// nearly one turn at least.
//
// Cost: linear in the free-form patches and their meshes; patches that follow a helix are compared with adjacent ones.
//
// Limits: a tapered thread is taken for a straight one with its largest and least diameters. A profile swept along a
// chain of circles and steps instead of a helix is not a thread.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// Thread is one thread.
type Thread struct {
	Axis         graph.Shape   // a cylinder of no radius
	Lead         float64       // mm along the axis in a turn
	Left         bool          // it climbs against the sun
	Inner        bool          // it is cut into a hole
	Starts       int           // turns that run side by side
	Major, Minor float64       // diameters, mm
	Flank        float64       // rad, the angle between its flanks in a section along the axis
	Along        geom.Interval // mm along the axis
	Patches      []int32       // ascending: flanks, and faces between them
	Lands        []int32       // ascending: round faces on the axis that it winds along
}

// Pitch returns the distance of one turn from the next, mm.
func (t *Thread) Pitch() float64 { return t.Lead / float64(t.Starts) }

const (
	// sameLead is the largest difference between the leads of two faces of one thread, as a share. Each flank of a
	// tapered thread fits a helix whose lead is too large or too small for the taper.
	sameLead = 0.05

	// mostTaper (rad) bounds the slope of lands: a cone that leans more is the chamfer at an end.
	mostTaper = 5 * math.Pi / 180

	// sameAxis is the largest distance, as a share of the radius, between the fitted axes of two faces of one thread.
	sameAxis = 0.01

	// away is the sine of the largest overhang of a flank: flanks of square threads are only as exact as their fit.
	away = 0.1

	// least is the least number of turns of a thread: one, less its ends.
	least = 0.75

	// deepest is the least minor diameter as a share of the major one.
	deepest = 0.5

	// mostPitch is the largest pitch as a share of the major diameter.
	mostPitch = 0.5
)

// batch is the number of patches in one goroutine's batch.
const batch = 32

// flank is a patch that follows a helix.
type flank struct {
	screw
	patch        int32
	reach, along geom.Interval // mm from the axis, and along it
	near         geom.Interval // mm along x: possible range of other faces of the thread
	area         [2]float64    // mm², facing along the axis, and against it
	leans        geom.Interval // sine of its lean away from the axis
}

// Find returns the threads of a part. It returns the error of ctx.
func Find(ctx context.Context, g *graph.Graph) ([]Thread, error) {
	found := make([]*flank, len(g.Patches))
	err := parallel.For(ctx, len(found), batch, func(i int) {
		if g.Patches[i].Kind == surface.KindBSpline {
			found[i] = flankOf(g, int32(i))
		}
	})
	if err != nil {
		return nil, err
	}
	flanks := slices.DeleteFunc(found, func(f *flank) bool { return f == nil })
	slices.SortStableFunc(flanks, func(a, b *flank) int { return cmp.Compare(a.near.Lo, b.near.Lo) })
	set := graph.NewUnionFind(len(flanks))
	for i, f := range flanks {
		for k := i + 1; k < len(flanks) && flanks[k].near.Lo <= f.near.Hi; k++ {
			if f.isBeside(flanks[k]) {
				set.Join(int32(i), int32(k))
			}
		}
	}
	var out []Thread
	for _, group := range set.Groups(func(int32) bool { return true }) {
		of := make([]*flank, len(group))
		for i, k := range group {
			of[i] = flanks[k]
		}
		if t, ok := threadOf(g, of); ok {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b Thread) int { return cmp.Compare(a.Patches[0], b.Patches[0]) })
	return out, nil
}

// flankOf returns a patch with the helix that it follows, nil if it follows no helix.
func flankOf(g *graph.Graph, p int32) *flank {
	samples := samplesOf(g, p)
	s, ok := beside(g, p, samples)
	if !ok {
		if s, ok = free(samples); !ok {
			return nil
		}
	}
	if g.Sweep([]int32{p}, &s.axis) < leastTurn {
		return nil
	}
	return newFlank(g, p, s, samples)
}

func newFlank(g *graph.Graph, p int32, s screw, samples []sample) *flank {
	f := &flank{screw: s, patch: p, reach: g.Reach(p, &s.axis), along: g.Extent(p, s.axis.Axis),
		leans: geom.Interval{Lo: 1, Hi: -1}}
	around := 2*f.reach.Hi + 2*math.Pi*math.Abs(s.climb)
	f.near = g.Extent(p, geom.Vec3{X: 1})
	f.near.Lo, f.near.Hi = f.near.Lo-around, f.near.Hi+around
	for i := range samples {
		d := samples[i].at.Sub(s.axis.Origin)
		lean := samples[i].normal.Dot(d.Reject(s.axis.Axis).Unit())
		side := 0
		if samples[i].normal.Dot(s.axis.Axis) < 0 {
			side = 1
		}
		f.area[side] += samples[i].area
		f.leans = f.leans.Add(lean)
	}
	return f
}

// beside returns the motion of a surface about the axis of an adjacent round face.
func beside(g *graph.Graph, p int32, samples []sample) (screw, bool) {
	var tried []graph.Shape
	for _, x := range g.Patches[p].Arcs {
		sh := &g.Patches[g.Arcs[x].Other(p)].Shape
		isRound := sh.Kind == surface.KindCylinder || sh.Kind == surface.KindCone
		if !isRound || slices.ContainsFunc(tried, func(o graph.Shape) bool { return g.Coaxial(&o, sh) }) {
			continue
		}
		axis := graph.Shape{Kind: surface.KindCylinder, Origin: sh.Origin, Axis: graph.Canonical(sh.Axis)}
		if s, ok := about(&axis, samples); ok {
			return s, true
		}
		tried = append(tried, axis)
	}
	return screw{}, false
}

// isBeside reports whether two patches belong to one thread.
func (f *flank) isBeside(o *flank) bool {
	lead := 2 * math.Pi * math.Abs(f.climb)
	apart := max(f.along.Lo, o.along.Lo) - min(f.along.Hi, o.along.Hi)
	band := min(f.reach.Hi, o.reach.Hi) - max(f.reach.Lo, o.reach.Lo)
	return math.Abs(f.climb-o.climb) <= sameLead*math.Abs(f.climb) && apart <= lead && band > 0 &&
		f.axis.Axis.Cross(o.axis.Axis).Norm()*max(f.along.Length(), lead) <= sameAxis*f.reach.Hi &&
		graph.DistanceToAxis(&f.axis, o.axis.Origin) <= sameAxis*f.reach.Hi && !(f.isInner() && o.isOuter() || f.isOuter() && o.isInner())
}

func (f *flank) isOuter() bool { return f.leans.Hi > away }
func (f *flank) isInner() bool { return f.leans.Lo < -away }

// threadOf builds a thread from its flanks; ok is false if they form no thread.
func threadOf(g *graph.Graph, flanks []*flank) (Thread, bool) {
	first := slices.MaxFunc(flanks, func(a, b *flank) int {
		return cmp.Compare(g.Patches[a.patch].Area, g.Patches[b.patch].Area)
	})
	t := Thread{Axis: first.axis}
	reach := geom.Interval{Lo: math.Inf(1)}
	isInner, isOuter := false, false
	var climb [2]float64 // by area, of flanks that face along the axis and against it
	var area [2]float64
	for _, f := range flanks {
		t.Patches = append(t.Patches, f.patch)
		reach = reach.Union(f.reach)
		for side, a := range f.area {
			climb[side], area[side] = climb[side]+a*f.climb, area[side]+a
		}
		isInner, isOuter = isInner || f.isInner(), isOuter || f.isOuter()
	}
	t.Along = g.ExtentOf(t.Patches, t.Axis.Axis)
	t.Major, t.Minor = 2*reach.Hi, 2*reach.Lo
	if isInner && isOuter || t.Minor < deepest*t.Major || reach.Length() <= g.Length {
		return t, false
	}
	t.Inner = isInner
	if isInner == isOuter { // square flanks: the lands decide
		t.Inner = slices.ContainsFunc(t.Patches, func(p int32) bool {
			return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
				sh := &g.Patches[g.Arcs[x].Other(p)].Shape
				return sh.Hollow && sh.Kind == surface.KindCylinder && g.Coaxial(&t.Axis, sh)
			})
		})
	}
	mean := first.climb
	if area[0] > 0 && area[1] > 0 { // a taper adds the same amount to one side as it takes from the other
		mean = (climb[0]/area[0] + climb[1]/area[1]) / 2
	}
	t.Lead, t.Left = 2*math.Pi*math.Abs(mean), mean < 0
	if t.turns(g, mean) < least || t.Pitch() > mostPitch*t.Major {
		return t, false
	}
	t.ends(g)
	slices.Sort(t.Patches)
	return t, true
}

// ends adds the faces at the ends of a thread, and its lands.
func (t *Thread) ends(g *graph.Graph) {
	reach := geom.Interval{Lo: t.Minor/2 - g.Length, Hi: t.Major/2 + g.Length}
	profile := (t.Major - t.Minor) / 2 * t.Pitch() // mm², of a section of its turns at most
	isWithin := func(iv geom.Interval) bool { return iv.Lo >= t.Along.Lo-t.Lead && iv.Hi <= t.Along.Hi+t.Lead }
	seen := map[int32]bool{}
	for _, p := range t.Patches {
		seen[p] = true
	}
	for i := 0; i < len(t.Patches); i++ {
		for _, x := range g.Patches[t.Patches[i]].Arcs {
			q := g.Arcs[x].Other(t.Patches[i])
			if seen[q] {
				continue
			}
			seen[q] = true
			switch o, r := &g.Patches[q].Shape, g.Reach(q, &t.Axis); {
			case o.Kind != surface.KindBSpline && g.Coaxial(&t.Axis, o):
				isStraight := o.Kind == surface.KindCylinder && r.Lo >= reach.Lo && r.Hi <= reach.Hi
				isTapered := o.Kind == surface.KindCone && math.Abs(o.Slope) <= mostTaper && r.Lo <= reach.Hi && r.Hi >= reach.Lo
				if o.Hollow == t.Inner && (isStraight || isTapered) {
					t.Lands = append(t.Lands, q)
				}
			case r.Lo < reach.Lo || r.Hi > reach.Hi:
			case o.Kind == surface.KindBSpline && isWithin(g.Extent(q, t.Axis.Axis)) || g.Patches[q].Area <= profile:
				t.Patches = append(t.Patches, q)
			}
		}
	}
	slices.Sort(t.Lands)
	if len(t.Lands) > 0 { // the largest land gives the best axis
		sh := &g.Patches[slices.MaxFunc(t.Lands, func(a, b int32) int {
			return cmp.Compare(g.Patches[a].Area, g.Patches[b].Area)
		})].Shape
		t.Axis.Origin, t.Axis.Axis = sh.Origin, graph.Canonical(sh.Axis)
		t.Along = g.ExtentOf(t.Patches, t.Axis.Axis)
	}
}
