package recognize

// The verifier: the only code that changes claims.
//
// It refuses candidates that no tool could cut from their direction (package verdict), and keeps the owners
// of patches consistent when features gain patches or merge.

import (
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
)

// verifier accepts or refuses the proposals of rules for one reading.
type verifier struct {
	*reading
	hypotheses
}

// newVerifier returns the verifier of an empty reading.
func newVerifier(pc *partContext, verdicts map[hypothesis]bool) *verifier {
	n := len(pc.g.Patches)
	return &verifier{&reading{pc, newClaims(n), newMarks(n)}, hypotheses{verdicts: verdicts}}
}

// propose records a feature and claims its free patches if the candidate passes judge. It reports acceptance.
func (v *verifier) propose(f candidate) bool {
	var window []int32 // cut through before bending
	if f.typ == feature.Pocket {
		window = v.sheet.Window(f.patches)
	}
	if window != nil {
		f.pocket.Through, f.pocket.Open = true, false
	}
	if !judge(v.partContext, &f) {
		return false
	}
	f.patches = ascending(slices.Concat(f.patches, without(window, v.isTaken)))
	for _, p := range f.patches {
		if !v.isTaken(p) {
			v.owner[p] = int32(len(v.features))
		}
	}
	v.features = append(v.features, &f)
	return true
}

// judge reports whether the direction of a candidate sees enough of it: half as a rule, less of what goes around an
// axis and of chamfers, any part of a modeled thread.
func judge(pc *partContext, f *candidate) bool {
	c := verdict.Candidate{Type: f.typ, Patches: f.patches, Direction: f.dir}
	switch {
	case f.rule == turnedGroove, f.rule == bentNeck, f.typ == feature.Chamfer:
		c.Least = minRoundShare
	case f.rule == outerThread:
	case f.typ == feature.Boss, f.typ == feature.Pocket, f.typ == feature.Profile:
		c.Least = direction.MinFloorVisibility
	}
	return verdict.Of(pc.g, pc.v, &c).Holds
}

// extend adds a free patch to a feature, whose height stays.
func (v *verifier) extend(f, p int32) {
	o := v.features[f]
	o.patches = ascending(append(slices.Clone(o.patches), p))
	v.owner[p] = f
}

// cover adds a free patch to a feature and to its height.
func (v *verifier) cover(f, p int32) {
	v.extend(f, p)
	o := v.features[f]
	o.z = o.z.Union(v.g.Extent(p, o.dir))
}

// raise lifts the top of a feature to that of patch p.
func (v *verifier) raise(f, p int32) {
	o := v.features[f]
	o.z.Hi = max(o.z.Hi, v.g.Extent(p, o.dir).Hi)
}

// explain adds a reason to a feature.
func (v *verifier) explain(f int32, reason string) {
	v.features[f].reasons = append(v.features[f].reasons, reason)
}

// unite moves everything of pocket b to pocket a, for a reason.
func (v *verifier) unite(a, b int32, reason string) {
	o, p := v.features[a].pocket, v.features[b].pocket
	o.Depth = max(o.Depth, p.Depth)
	o.Open = o.Open || p.Open
	v.merge(a, b, reason)
}

// merge moves the patches of feature b to feature a, for a reason.
func (v *verifier) merge(a, b int32, reason string) {
	o, p := v.features[a], v.features[b]
	o.patches = ascending(append(slices.Clone(o.patches), p.patches...))
	o.z = o.z.Union(p.z)
	v.explain(a, reason)
	for _, q := range p.patches {
		v.owner[q] = a
	}
	p.patches = nil
}

// dropMerged removes the features that others took over.
func (v *verifier) dropMerged() {
	v.features = slices.DeleteFunc(v.features, func(f *candidate) bool { return len(f.patches) == 0 })
	for i, f := range slices.Backward(v.features) { // the first of two features owns a shared patch
		for _, p := range f.patches {
			v.owner[p] = int32(i)
		}
	}
}

// remeasure sets the height of a feature to the extent of its patches.
func (v *verifier) remeasure(f int32) {
	v.features[f].z = v.g.ExtentOf(v.features[f].patches, v.features[f].dir)
}

// redirect gives a pocket another direction and reports whether that is a change.
func (v *verifier) redirect(f int32, dir geom.Vec3) bool {
	o := v.features[f]
	if o.dir == dir {
		return false
	}
	o.dir, o.axis = dir, &dir
	v.remeasure(f)
	o.pocket.Depth = o.z.Length()
	return true
}

// align gives two pockets one direction that sees both. It returns false if there is none, and for pockets in two flats
// of bent sheet, which were cut before bending.
func (v *verifier) align(f, k int32) bool {
	if v.sheet.AreInTwoFlats(v.g, v.features[f].patches, v.features[k].patches) {
		return false
	}
	d := seesBoth(v.reading, f, k)
	if d == graph.None {
		return v.features[f].dir == v.features[k].dir
	}
	v.redirect(f, v.v.Dirs[d])
	v.redirect(k, v.v.Dirs[d])
	return true
}

// cutThrough gives a pocket whose walls all lie along dir that direction.
func (v *verifier) cutThrough(f int32, dir geom.Vec3) {
	if v.redirect(f, dir) {
		v.features[f].pocket.Through = true
	}
}
