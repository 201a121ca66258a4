package recognize

// Threads on the outside of something round.
//
// A thread is one feature with the round faces that it winds along, whatever else goes on from them: a Profile where nothing on
// its axis reaches farther out, else a Boss. It is cut along its axis, by a die or a thread mill, or while the part turns, from
// the end that sees more of it.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/helix"
	"millwright.dev/millwright/core/kernel/gdt/thread"
	"millwright.dev/millwright/core/kernel/geom"
)

// outerThread is the rule of a thread on the outside of something round.
const outerThread = "outer thread"

// threadRequests returns the directions along which threads are cut.
func (f *facts) threadRequests() (out []direction.Request) {
	for i := range f.threads {
		for _, d := range [2]geom.Vec3{f.threads[i].Axis.Axis, f.threads[i].Axis.Axis.Neg()} {
			out = append(out, direction.Request{Dir: d, Patches: f.threads[i].Lands, Share: roundShare})
		}
	}
	return out
}

// outerThreads makes features of the threads that no hole has.
func (r *recognizer) outerThreads() {
	for i := range r.threads {
		t := &r.threads[i]
		patches := slices.DeleteFunc(ascending(slices.Concat(t.Patches, t.Lands)), func(p int32) bool { return r.taken[p] })
		if t.Inner || len(patches) == 0 || r.taken[t.Patches[0]] {
			continue
		}
		f := found{typ: feature.Boss, patches: patches, axis: &t.Axis.Axis, thread: threadShape(t), rule: outerThread}
		if !r.isWiderOn(t) {
			f.typ = feature.Profile
		}
		f.dir = t.Axis.Axis
		if seen := func(dir geom.Vec3) float64 {
			d := r.v.Find(dir)
			if d == graph.None {
				return -1
			}
			return r.v.Seen(r.g, d, patches)
		}; seen(f.dir.Neg()) > seen(f.dir)+sameShare {
			f.dir = f.dir.Neg()
		}
		if d := r.v.Find(f.dir); d != graph.None {
			f.dir = r.v.Dirs[d]
		}
		f.z = r.g.ExtentOf(patches, f.dir)
		f.reasons = threadReasons(t)
		r.add(f)
	}
}

// threadIn returns the thread in the wall of a hole, nil for none, and the patches of the hole with all of the thread's.
func (r *recognizer) threadIn(hole []int32) (*feature.ThreadShape, []int32) {
	for i := range r.threads {
		if t := &r.threads[i]; t.Inner && slices.ContainsFunc(t.Patches, func(p int32) bool { return slices.Contains(hole, p) }) {
			free := slices.DeleteFunc(slices.Clone(t.Patches), func(p int32) bool { return r.taken[p] })
			return threadShape(t), ascending(slices.Concat(hole, free))
		}
	}
	return nil, hole
}

// isWiderOn reports whether the part reaches farther from the axis of a thread than the thread and its lands do.
func (r *facts) isWiderOn(t *helix.Thread) bool {
	reach := t.Major / 2
	for _, p := range t.Lands {
		reach = max(reach, r.g.Reach(p, &t.Axis).Hi)
	}
	return slices.ContainsFunc(r.g.Mesh.Points, func(q geom.Vec3) bool {
		return graph.DistanceToAxis(&t.Axis, q) > reach+r.slack()
	})
}

func threadShape(t *helix.Thread) *feature.ThreadShape {
	return &feature.ThreadShape{Origin: t.Axis.Origin, Major: t.Major, Minor: t.Minor, Pitch: t.Pitch(), Starts: t.Starts, Left: t.Left, Flank: t.Flank,
		Length: t.Along.Length()}
}

// threadReasons says what a thread is by.
func threadReasons(t *helix.Thread) []string {
	hand := "Right"
	if t.Left {
		hand = "Left"
	}
	name := thread.FromHelix(t.Major, t.Pitch(), t.Flank).Called(t.Starts, t.Left)
	return []string{
		fmt.Sprintf("A thread %s: %s helix about one axis with a lead of %s, diameter %s outside and %s inside, %s long.", name,
			count(len(t.Patches), "face follows a", "faces follow a"), mm(t.Lead), mm(t.Major), mm(t.Minor), mm(t.Along.Length())),
		fmt.Sprintf("%s-handed, %s, flanks at %s to each other.", hand, count(t.Starts, "start", "starts"), degrees(math.Abs(t.Flank))),
	}
}
