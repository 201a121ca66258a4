// Package group finds the equal features of a part. It gives each group its drawing callout, such as "30 × ⌀14, csk 20
// × 90°", and its pattern.
package group

// Method: holes are equal if their measurements are; as on a drawing, the depth of through holes does not count. Other
// features are equal if their faces are, one by one: kind, radii and area, and their height. Mirror images are equal.
// Members have one direction, through features one axis. Features are compared with the first member of every group, so
// that groups do not drift.
//
// Limits: equal faces in another arrangement count as equal.
//
// Cost: features times groups, and the triangles of grouped features.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// sameSize (mm) is the largest difference of sizes that a drawing would state as one.
	sameSize = 0.01

	// sameArea is the largest difference between areas of equal faces, as a share, because meshes differ.
	sameArea = 0.01
)

// Group is features that are equal, at least two.
type Group struct {
	Features []int   // ascending
	Label    string  // as a drawing would call them out
	Pattern  Pattern // "" without one
}

// finder finds the groups of one part.
type finder struct {
	g        *graph.Graph
	features []feature.Feature
	threads  []*feature.ThreadFacts // by feature, or nil
	shapes   []shape                // by feature
}

// shape is the set of properties that equal features share.
type shape struct {
	patches []int32 // by kind, then area
	height  float64 // mm along the direction of the feature
	through bool
}

// Find returns the groups of the features of a part, by their first members. The list threads has the threads of the
// features, nil for a feature without one; a nil list means unknown threads.
func Find(g *graph.Graph, features []feature.Feature, threads []*feature.ThreadFacts) []Group {
	f := finder{g: g, features: features, threads: threads, shapes: make([]shape, len(features))}
	type key struct {
		kind  feature.Type
		faces int
	}
	heads := map[key][]int{} // places in lists
	var lists [][]int
	for i := range features {
		f.shapes[i] = f.shapeOf(i)
		k := key{features[i].Type, len(f.shapes[i].patches)}
		if features[i].Hole != nil {
			k.faces = 0 // one cylinder may be two half cylinders in an equal feature
		}
		at := slices.IndexFunc(heads[k], func(l int) bool { return f.equal(lists[l][0], i) })
		if at < 0 {
			heads[k] = append(heads[k], len(lists))
			lists = append(lists, []int{i})
			continue
		}
		l := heads[k][at]
		lists[l] = append(lists[l], i)
	}
	out := []Group{}
	for _, members := range lists {
		if len(members) > 1 {
			out = append(out, Group{Features: members, Label: f.label(members), Pattern: f.pattern(members)})
		}
	}
	return out
}

func (f *finder) shapeOf(i int) shape {
	x := &f.features[i]
	s := shape{patches: f.g.PatchesOf(x.Regions)}
	s.through = x.Hole != nil && x.Hole.Through || x.Pocket != nil && x.Pocket.Through
	if x.Hole == nil {
		s.height = f.g.ExtentOf(s.patches, x.Direction).Length()
	}
	slices.SortFunc(s.patches, func(a, b int32) int {
		p, q := &f.g.Patches[a], &f.g.Patches[b]
		return cmp.Or(cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.Radius, q.Radius), cmp.Compare(p.Area, q.Area))
	})
	return s
}

// equal reports whether two features of one kind are equal.
func (f *finder) equal(i, j int) bool {
	a, b := &f.features[i], &f.features[j]
	if a.Direction.Dist(b.Direction) > graph.DirectionTolerance &&
		!(f.shapes[i].through && f.shapes[j].through && graph.Parallel(a.Direction, b.Direction)) {
		return false
	}
	if a.Hole != nil && b.Hole != nil {
		return equalHoles(a.Hole, b.Hole) && equalThreads(f.thread(i), f.thread(j))
	}
	p, q := &f.shapes[i], &f.shapes[j]
	if p.through != q.through || !near(p.height, q.height) {
		return false
	}
	for k := range p.patches {
		if !f.equalFaces(&f.g.Patches[p.patches[k]], &f.g.Patches[q.patches[k]]) {
			return false
		}
	}
	return true
}

func (f *finder) equalFaces(a, b *graph.Patch) bool {
	return a.Kind == b.Kind && a.Hollow == b.Hollow && near(a.Radius, b.Radius) && near(a.Minor, b.Minor) &&
		math.Abs(math.Abs(a.Slope)-math.Abs(b.Slope)) <= graph.AxisTolerance &&
		math.Abs(a.Area-b.Area) <= sameArea*max(a.Area, b.Area)
}

func equalHoles(a, b *feature.HoleShape) bool {
	if a.Kind != b.Kind || a.Bottom != b.Bottom || !near(a.Diameter, b.Diameter) || a.Through != b.Through ||
		!a.Through && !near(a.Depth, b.Depth) {
		return false
	}
	return equalBores(a.Counterbore, b.Counterbore) && equalBores(a.FarCounterbore, b.FarCounterbore) &&
		equalSinks(a.Countersink, b.Countersink) && equalSinks(a.FarCountersink, b.FarCountersink)
}

func equalBores(a, b *feature.Counterbore) bool {
	if a == nil || b == nil {
		return a == b
	}
	return near(a.Diameter, b.Diameter) && near(a.Depth, b.Depth)
}

func equalSinks(a, b *feature.Countersink) bool {
	if a == nil || b == nil {
		return a == b
	}
	return near(a.Diameter, b.Diameter) && math.Abs(a.Angle-b.Angle) <= graph.AxisTolerance
}

func equalThreads(a, b *feature.ThreadFacts) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Designation == b.Designation && a.Source == b.Source
}

func near(a, b float64) bool { return math.Abs(a-b) <= sameSize }

// place returns the position of a feature: the middle of a hole's opening, the center of the area of other features.
func (f *finder) place(i int) geom.Vec3 {
	if h := f.features[i].Hole; h != nil {
		return h.TopCenter
	}
	sum, all := geom.Vec3{}, 0.0
	for _, p := range f.shapes[i].patches {
		f.g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
			w := b.Sub(a).Cross(c.Sub(a)).Norm()
			sum, all = sum.AddScaled(w/3, a.Add(b).Add(c)), all+w
			return true
		})
	}
	if all == 0 {
		return geom.Vec3{}
	}
	return sum.Scale(1 / all)
}
