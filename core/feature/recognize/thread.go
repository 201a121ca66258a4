package recognize

// Threads on the outside of round bodies.
//
// A thread is one feature with the round faces that it winds along. It is a profile if no patch on its axis has a
// larger radius, otherwise a boss. A die or a thread mill cuts it along its axis, or a tool while the part turns, from
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

// outerThread is the rule of a thread on the outside of a round body.
const outerThread = "outer thread"

// threadRequests returns the directions along which threads are cut.
func threadRequests(pc *partContext) (out []direction.Request) {
	for i := range pc.threads {
		for _, d := range [2]geom.Vec3{pc.threads[i].Axis.Axis, pc.threads[i].Axis.Axis.Neg()} {
			out = append(out, direction.Request{Dir: d, Patches: pc.threads[i].Lands, Share: minRoundShare})
		}
	}
	return out
}

// outerThreads proposes features from the threads outside holes.
func outerThreads(r *reading, v *verifier) {
	for i := range r.threads {
		t := &r.threads[i]
		patches := slices.DeleteFunc(ascending(slices.Concat(t.Patches, t.Lands)), r.isTaken)
		if t.Inner || len(patches) == 0 || r.isTaken(t.Patches[0]) {
			continue
		}
		f := candidate{typ: feature.Boss, patches: patches, axis: &t.Axis.Axis, thread: threadShape(t), rule: outerThread}
		if !isWiderOn(r.partContext, t) {
			f.typ = feature.Profile
		}
		f.dir = t.Axis.Axis
		if seen := func(dir geom.Vec3) float64 {
			d := r.v.Find(dir)
			if d == graph.None {
				return -1
			}
			return r.v.Seen(r.g, d, patches)
		}; seen(f.dir.Neg()) > seen(f.dir)+shareTolerance {
			f.dir = f.dir.Neg()
		}
		if d := r.v.Find(f.dir); d != graph.None {
			f.dir = r.v.Dirs[d]
		}
		f.z = r.g.ExtentOf(patches, f.dir)
		f.reasons = threadReasons(t)
		v.propose(f)
	}
}

// isWiderOn reports whether the part extends farther from the axis of a thread than the thread and its lands.
func isWiderOn(pc *partContext, t *helix.Thread) bool {
	reach := t.Major / 2
	for _, p := range t.Lands {
		reach = max(reach, pc.g.Reach(p, &t.Axis).Hi)
	}
	return slices.ContainsFunc(pc.g.Mesh.Points, func(q geom.Vec3) bool {
		return graph.DistanceToAxis(&t.Axis, q) > reach+pc.g.Slack()
	})
}

func threadShape(t *helix.Thread) *feature.ThreadShape {
	return &feature.ThreadShape{Origin: t.Axis.Origin, Major: t.Major, Minor: t.Minor, Pitch: t.Pitch(), Starts: t.Starts,
		Left: t.Left, Flank: t.Flank,
		Length: t.Along.Length()}
}

// threadReasons returns the reasons of a thread.
func threadReasons(t *helix.Thread) []string {
	hand := "Right"
	if t.Left {
		hand = "Left"
	}
	name := thread.FromHelix(t.Major, t.Pitch(), t.Flank).Called(t.Starts, t.Left)
	return []string{
		fmt.Sprintf("A thread %s: %s helix about one axis with a lead of %s, diameter %s outside and %s inside, %s long.",
			name,
			count(len(t.Patches), "face follows a", "faces follow a"), mm(t.Lead), mm(t.Major), mm(t.Minor),
			mm(t.Along.Length())),
		fmt.Sprintf("%s-handed, %s, flanks at %s to each other.", hand, count(t.Starts, "start", "starts"),
			degrees(math.Abs(t.Flank))),
	}
}
