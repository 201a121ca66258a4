// Package recognize finds the machining features of a part by rules on its graph and on what each
// direction sees.
package recognize

// Recognition of a whole part.
//
// Rules (rule.go) read the part one after the other, and a patch belongs to the first feature that takes it: holes, outer
// threads, T-slots and dovetails, turned grooves, outlines of plates, chamfers, bosses, passages, pockets with a floor, other
// hollows, profiles, planes, and walls and surfaces of what is left. Holes, channels and chamfers are decided on the graph alone,
// everything else with what each direction sees. Where a rule is not sure, the part is read both ways, and the
// selector (select.go) takes the reading that costs less (cost.go).
//
// Limits: one direction per feature; features that only exist through several setups are those of the
// direction that sees most of them.

import (
	"context"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/helix"
	"millwright.dev/millwright/core/feature/recognize/internal/bentsheet"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/feature/recognize/internal/channel"
	"millwright.dev/millwright/core/feature/recognize/internal/hole"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// found is a feature in terms of the graph.
type found struct {
	typ     feature.Type
	patches []int32 // ascending
	dir     geom.Vec3
	axis    *geom.Vec3
	z       geom.Interval // mm along dir
	hole    *feature.HoleShape
	pocket  *feature.PocketShape
	thread  *feature.ThreadShape
	rule    string
	reasons []string
	into    int32 // 1 + the feature that took over all of its patches, 0 as a rule
}

// facts are what all readings of one part share.
type facts struct {
	g         *graph.Graph
	v         *direction.Visibility
	threads   []helix.Thread
	stacks    []hole.Stack
	channels  []channel.Channel
	bevels    []bool    // by patch: stands in the place of a convex edge
	chamfered [][]int32 // groups of bevels that are one chamfer
	gussets   []bool    // by patch: the slope of a rib
	reliefs   []relief
	rimsOf    [][]graph.BoundaryLoop // by patch, nil before they are asked for
	sectionOf []*section.Walls       // by direction, nil before it is asked for

	sheet      *bentsheet.Sheet // nil for none, once it is known
	thickness  float64          // mm, of a part that is sheet as a whole, 0 for others
	sheetKnown bool
}

// recognizer makes one reading of a part.
type recognizer struct {
	*facts
	taken       []bool  // by patch
	owner       []int32 // by patch: of out, None for a free one; the first where there are two
	isChamfer   []bool  // by patch
	isTooth     []bool  // by patch: in the gaps of a toothed contour
	turnOf      []int32 // by patch: 1 + a patch that names the inner corner of a contour that it is of, 0 for none
	reachesDown []bool  // by patch: the top of an island that comes down to its floor
	isCore      []bool  // by patch: of ring-shaped grooves
	isEdged     []bool  // by patch: a plane with walls at its edge that are too few for a floor
	isShoulder  []bool  // by patch: a floor on which nothing but round outsides stand, with their ends
	groove      []int32 // by patch: 1 + that which names the ring-shaped groove whose floor it is, 0 for others
	basins      []basin
	verdicts    map[doubt]bool // hypotheses that hold or do not, whatever their rule thinks
	doubts      []doubt        // what the rules were not sure of, in the order of their asking
	out         []found
}

// Run is what recognition found on one part, with what it looked at.
type Run struct {
	Graph      *graph.Graph
	Visibility *direction.Visibility
	feature.Result
}

// Part finds the candidate directions and the features of a part. msh must have one region per face
// of m, with normals; faces of sheets are left out. It returns the errors of vis and of ctx.
func Part(ctx context.Context, m *brep.Model, msh *mesh.Mesh, vis feature.Visibility) (*Run, error) {
	if len(msh.Regions) != len(m.Faces) {
		return nil, fmt.Errorf("recognition: mesh has %d regions for %d faces", len(msh.Regions), len(m.Faces))
	}
	g, err := graph.New(ctx, m, msh)
	if err != nil {
		return nil, err
	}
	f := facts{g: g, rimsOf: make([][]graph.BoundaryLoop, len(g.Patches))}
	if f.threads, err = helix.Find(ctx, g); err != nil {
		return nil, err
	}
	requests := f.onGraph()
	if f.v, err = direction.Find(ctx, g, vis, requests, f.cutOff()); err != nil {
		return nil, err
	}
	f.sectionOf = make([]*section.Walls, len(f.v.Dirs))
	r, err := f.best(ctx)
	if err != nil {
		return nil, err
	}
	res, err := r.result(ctx)
	if err != nil {
		return nil, err
	}
	res.Hidden = direction.Hidden(g, f.v, res.Features)
	f.v.Fractions = nil
	return &Run{Graph: g, Visibility: f.v, Result: res}, nil
}

// onGraph finds what needs no direction, and returns the directions that it requests.
func (f *facts) onGraph() (requests []direction.Request) {
	inside := make([]bool, len(f.g.Patches))
	f.stacks = hole.Stacks(f.g)
	for i := range f.stacks {
		requests = append(requests, f.stacks[i].Requests(f.g)...)
		for _, p := range f.stacks[i].Patches {
			inside[p] = true
		}
	}
	f.bevels = chamfer.Find(f.g, inside)
	f.chamfered = chamfer.Groups(f.g, f.bevels, f.rims)
	f.gussets = make([]bool, len(f.g.Patches))
	for p := range f.gussets {
		f.gussets[p] = isGusset(f.g, int32(p))
	}
	f.reliefs = findReliefs(f.g)
	f.channels = channel.Find(f.g, inside)
	for _, c := range f.channels {
		requests = append(requests, direction.Request{Dir: c.Dir, Patches: c.Open})
	}
	return slices.Concat(requests, f.passageRequests(), f.grooveRequests(), f.threadRequests())
}

// cutOff marks the patches that are chamfers by the graph: corners cut off ask for directions, as other sides do.
func (f *facts) cutOff() []bool {
	is := make([]bool, len(f.bevels))
	for _, group := range f.chamfered {
		for _, p := range group {
			is[p] = true
		}
	}
	return is
}

// rims returns the boundaries of a planar patch.
func (f *facts) rims(p int32) []graph.BoundaryLoop {
	if f.rimsOf[p] == nil {
		f.rimsOf[p] = f.g.Rims(p)
	}
	return f.rimsOf[p]
}

// wallsAlong returns the walls along a direction d that is kept.
func (f *facts) wallsAlong(d int) *section.Walls {
	if f.sectionOf[d] == nil {
		f.sectionOf[d] = section.Along(f.g, f.v.Dirs[d])
	}
	return f.sectionOf[d]
}

func (r *recognizer) addHole(s *hole.Stack) {
	h := hole.Measure(r.g, s, r.v)
	thread, patches := r.threadIn(s.Patches)
	reasons := []string{fmt.Sprintf("%s on one axis, diameter %s, %s deep.",
		count(len(s.Patches), "hollow face of revolution lies", "hollow faces of revolution lie"),
		mm(h.Shape.Diameter), mm(h.Shape.Depth))}
	if h.Shape.Through {
		reasons = append(reasons, "Both ends are open.")
	} else {
		reasons = append(reasons, fmt.Sprintf("Its lower end is closed: %s.", h.Shape.Bottom))
	}
	r.add(found{
		typ: feature.Hole, patches: patches, dir: h.Dir, axis: &h.Axis, z: h.Z, hole: h.Shape, thread: thread,
		rule: "coaxial bores", reasons: reasons,
	})
}

// addChannel adds a T-slot or dovetail, unless a larger one has its walls or bent sheet stands round it.
func (r *recognizer) addChannel(c *channel.Channel) {
	d := r.v.Find(c.Dir)
	if d == graph.None {
		return
	}
	isOther := func(p int32) bool {
		return r.sheet.IsSide(p) || r.taken[p] && !slices.Contains(c.Floor, p) // channels that cross share a floor
	}
	if slices.ContainsFunc(c.Patches, isOther) {
		return
	}
	dir := r.v.Dirs[d]
	z := r.g.ExtentOf(c.Patches, dir)
	r.add(found{
		typ: c.Type, patches: c.Patches, dir: dir, axis: &c.Along, z: z, rule: "undercut channel",
		reasons: []string{c.Reason, fmt.Sprintf("It is %s deep.", mm(z.Length()))},
	})
}

// add records a feature and takes its patches where the verifier accepts it (package verdict).
func (r *recognizer) add(f found) bool {
	var window []int32 // cut through before it was bent
	if f.typ == feature.Pocket {
		window = r.sheet.Window(f.patches)
	}
	if window != nil {
		f.pocket.Through, f.pocket.Open = true, false
	}
	if v := r.judge(&f); !v.Holds {
		return false
	}
	for _, p := range window {
		if !r.taken[p] && !slices.Contains(f.patches, p) {
			f.patches = append(slices.Clone(f.patches), p)
		}
	}
	for _, p := range f.patches {
		if !r.taken[p] {
			r.taken[p], r.owner[p] = true, int32(len(r.out))
		}
	}
	r.out = append(r.out, f)
	return true
}

// judge returns the verdict on a feature. A direction sees half of what it would cut at least, little less of what goes round,
// as chamfers may, and of a modelled thread what it does.
func (r *recognizer) judge(f *found) verdict.Verdict {
	c := verdict.Candidate{Type: f.typ, Patches: f.patches, Direction: f.dir}
	switch {
	case f.rule == turnedGroove, f.rule == bentNeck, f.typ == feature.Chamfer:
		c.Least = roundShare
	case f.rule == outerThread:
	case f.typ == feature.Boss, f.typ == feature.Pocket, f.typ == feature.Profile:
		c.Least = direction.MinFloorVisibility
	}
	return verdict.Of(r.g, r.v, &c)
}
