// Package direction finds the machining directions of a part and the visible share of each patch from each direction.
package direction

// Candidate machining directions.
//
// Method: every direction that a face proposes is a candidate. A face proposes the normal of a plane other than a
// chamfer, the open ends of a hole, or both senses of the axis of a convex round wall. Candidates closer than
// SameDirection are merged into the one with the largest faces. Ray-cast visibility on the mesh then checks each
// candidate. A candidate is kept if it can machine a face: a plane that faces it with MinFloorVisibility visible, or
// the wall of a hole or boss along it with MinWallVisibility visible.
//
// Hidden parts of free-form and sloped faces then add further directions (sample.go).
//
// Order: the part's own axes first, +Z -Z +Y -Y +X -X, then by the visible area of the planes that face the direction,
// largest first, then by x, y, z. Parts are designed along their axes, so a machinist would try them in this order.
//
// Cost: one visibility pass per candidate; the rest is linear in triangles times directions. Limits: maxCandidates
// directions, those with the largest faces. A part with more candidates, such as a faceted one, does not justify a pass
// per facet.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/parallel"
)

const (
	// MinFloorVisibility is the share of a plane that must be seen from its normal: the floor of an undercut
	// slot is still machined from there.
	MinFloorVisibility = 0.5

	// MinWallVisibility is the share of a wall that must be visible along it. The rest allows for features that cross
	// the wall and for samples at its edges.
	MinWallVisibility = 0.9

	maxCandidates = 64
)

// Visibility is the visible share of each patch from each direction that is kept.
type Visibility struct {
	Dirs   []geom.Vec3     // unit, from the part toward the spindle, in the documented order
	Share  [][]float64     // [direction][patch], 0 to 1, by area
	Weight []float64       // mm², of the planes seen facing each direction
	Z      []geom.Interval // mm along each direction: exact extent of the part

	Fractions [][]float32 // [direction][triangle], 0 to 1; nil in stored data, and once features are known
}

// Request is a direction that rules propose for some patches. It is kept if a sufficient share of one patch is visible.
type Request struct {
	Dir     geom.Vec3 // unit
	Patches []int32
	Share   float64 // 0 for MinWallVisibility
}

// Find collects the candidates, computes the visibility from each and keeps the useful ones. Candidates come from the
// part's faces, except the planes in skip, by patch, and from requests. It returns the errors of vis and of ctx.
func Find(
	ctx context.Context, g *graph.Graph, vis feature.Visibility, requests []Request, skip []bool,
) (*Visibility, error) {
	f := selection{g: g, vis: vis, skip: skip, most: make([]float32, len(g.Mesh.Triangles))}
	if err := f.sift(ctx, candidates(g, requests, skip)); err != nil {
		return nil, err
	}
	if err := f.sample(ctx); err != nil {
		return nil, err
	}
	f.sort()
	s := &f.visibility
	var err error
	if s.Z, err = g.PartExtents(ctx, s.Dirs); err != nil {
		return nil, err
	}
	s.Fractions = f.seen
	return s, nil
}

// selection chooses the directions of one part.
type selection struct {
	g          *graph.Graph
	vis        feature.Visibility
	skip       []bool // by patch: a plane that proposes no direction
	visibility Visibility
	seen       [][]float32 // visible fractions [direction][triangle]
	most       []float32   // the largest fraction by triangle
	tried      []geom.Vec3 // all tested directions

	sampled []geom.Vec3 // directions among them that no face proposed
}

// sift keeps the useful candidates.
func (f *selection) sift(ctx context.Context, cands []candidate) error {
	fractions, shares, err := f.look(ctx, cands)
	if err != nil {
		return err
	}
	for i := range cands {
		if cands[i].serves(shares[i]) {
			f.keep(cands[i].dir, fractions[i], shares[i])
		}
	}
	return nil
}

// look computes the visible fractions [candidate][triangle] and shares [candidate][patch].
func (f *selection) look(ctx context.Context, cands []candidate) (fractions [][]float32, shares [][]float64, err error) {
	if len(cands) == 0 {
		return nil, nil, ctx.Err()
	}
	dirs := make([]geom.Vec3, len(cands))
	for i := range cands {
		dirs[i] = cands[i].dir
	}
	f.tried = append(f.tried, dirs...)
	if fractions, err = f.vis.Visible(ctx, f.g.Mesh, dirs); err != nil {
		return nil, nil, err
	}
	shares = make([][]float64, len(cands))
	err = parallel.For(ctx, len(cands), 1, func(i int) { shares[i] = patchShares(f.g, fractions[i]) })
	return fractions, shares, err
}

// keep adds a direction and its visibility.
func (f *selection) keep(dir geom.Vec3, fractions []float32, share []float64) {
	f.seen = append(f.seen, fractions)
	f.visibility.Dirs = append(f.visibility.Dirs, dir)
	f.visibility.Share = append(f.visibility.Share, share)
	f.visibility.Weight = append(f.visibility.Weight, facingArea(f.g, dir, share))
	for t, x := range fractions {
		f.most[t] = max(f.most[t], x)
	}
}

// patchShares turns fractions per triangle into shares per patch.
func patchShares(g *graph.Graph, fractions []float32) []float64 {
	out := make([]float64, len(g.Patches))
	for i := range g.Patches {
		seen := 0.0
		for _, f := range g.Patches[i].Faces {
			s, _ := seenOf(g, f, fractions)
			seen += s
		}
		// rays that start off a curved wall may start beyond another
		if g.Patches[i].Area > 0 && !g.Patches[i].Enclosed {
			out[i] = seen / g.Patches[i].Area
		}
	}
	return out
}

// seenOf returns the area of a face that is seen, and its whole area, mm².
func seenOf(g *graph.Graph, f brep.FaceID, fractions []float32) (seen, area float64) {
	r := &g.Mesh.Regions[f]
	for t := r.Start; t < r.End; t++ {
		seen += float64(fractions[t]) * g.Areas[t]
		area += g.Areas[t]
	}
	return seen, area
}

// facingArea returns the area of the planes seen facing dir, mm².
func facingArea(g *graph.Graph, dir geom.Vec3, share []float64) float64 {
	sum := 0.0
	for i := range g.Patches {
		if g.Facing(int32(i), dir) {
			sum += share[i] * g.Patches[i].Area
		}
	}
	return sum
}

// sort puts the kept directions, with their visibility, into the documented order.
func (f *selection) sort() {
	s := &f.visibility
	at := make([]int, len(s.Dirs))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int {
		return cmp.Or(cmp.Compare(principal(s.Dirs[i]), principal(s.Dirs[j])),
			cmp.Compare(RoundSignificant(s.Weight[j]), RoundSignificant(s.Weight[i])), Compare(s.Dirs[i], s.Dirs[j]))
	})
	var t Visibility
	var seen [][]float32
	for _, i := range at {
		t.Dirs = append(t.Dirs, s.Dirs[i])
		t.Share = append(t.Share, s.Share[i])
		t.Weight = append(t.Weight, s.Weight[i])
		seen = append(seen, f.seen[i])
	}
	f.visibility, f.seen = t, seen
}

// principals are the axes of the file in the order in which they are tried.
var principals = [6]geom.Vec3{{Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}, {X: 1}, {X: -1}}

// principal returns 0 to 5 for +Z -Z +Y -Y +X -X and 6 for any other direction.
func principal(d geom.Vec3) int {
	for i, a := range principals {
		if d.Dist(a) <= graph.DirectionTolerance {
			return i
		}
	}
	return 6
}

// Find returns the index of a kept direction, or graph.None.
func (s *Visibility) Find(d geom.Vec3) int {
	for i, c := range s.Dirs {
		if Same(c, d) {
			return i
		}
	}
	return graph.None
}

// Seen returns the area-weighted share of several patches seen from direction i.
func (s *Visibility) Seen(g *graph.Graph, i int, patches []int32) float64 {
	sum, all := 0.0, 0.0
	for _, p := range patches {
		sum += s.Share[i][p] * g.Patches[p].Area
		all += g.Patches[p].Area
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// SnapDirection removes rounding from a unit direction: components below AngularResolution are zero, and
// never a negative zero.
func SnapDirection(d geom.Vec3) geom.Vec3 {
	for _, c := range []*float64{&d.X, &d.Y, &d.Z} {
		if math.Abs(*c) < geom.AngularResolution {
			*c = 0
		}
	}
	return d.Unit()
}

// RoundSignificant rounds a positive size to about four digits, so that rounding does not decide an order.
func RoundSignificant(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return math.Round(math.Log(x) / graph.AxisTolerance)
}

// Compare orders directions by x, y, z, rounded to AxisTolerance, larger first.
func Compare(a, b geom.Vec3) int {
	r := func(x float64) float64 { return math.Round(x / graph.AxisTolerance) }
	return cmp.Or(cmp.Compare(r(b.X), r(a.X)), cmp.Compare(r(b.Y), r(a.Y)), cmp.Compare(r(b.Z), r(a.Z)))
}
