package feature

// Candidate machining directions.
//
// Method: every direction that a face asks for is a candidate: the normal of a plane that is no
// chamfer, the open ends of a hole, both senses of the axis of a convex round wall. Candidates closer
// than sameDirection are one; the one with the largest faces stands for them. Each is then checked by
// ray-cast visibility on the mesh and kept when it can machine something: a plane facing it of which
// it sees floorShare, or the wall of a hole or boss along it of which it sees wallShare.
//
// Order: the part's own axes first, +Z -Z +Y -Y +X -X, then by the area of the planes seen facing the
// direction, largest first, then by x, y, z. Parts are designed along their axes, so this is the order
// in which a machinist would try them.
//
// Cost: one visibility pass per candidate. Limits: maxCandidates directions, those of the largest
// faces; a part with more, such as a faceted one, is not worth a pass per facet.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	// sameDirection (rad, 0.1°): a setup is not more exact.
	sameDirection = 0.1 * math.Pi / 180

	// floorShare is the share of a plane that must be seen from its normal: the floor of an undercut
	// slot is still machined from there.
	floorShare = 0.5

	// wallShare is the share of a wall that must be seen along it. The rest allows for what crosses
	// the wall and for samples at its rim.
	wallShare = 0.9

	maxCandidates = 64
)

// sight is what is seen of each patch from each direction that is kept.
type sight struct {
	dirs   []geom.Vec3
	share  [][]float64 // [direction][patch], 0 to 1, by area
	weight []float64   // mm², of the planes seen facing each direction
}

// candidate is a direction some patches ask for.
type candidate struct {
	dir     geom.Vec3
	area    float64 // mm²
	patches []int32 // any of which, seen, keeps the direction
	need    []float64
}

// directions finds the candidates, looks at the part from each and keeps those that serve.
func (g *graph) directions(ctx context.Context, vis Visibility, stacks []stack, skip []bool) (*sight, error) {
	cands := g.candidates(stacks, skip)
	dirs := make([]geom.Vec3, len(cands))
	for i := range cands {
		dirs[i] = cands[i].dir
	}
	fractions, err := vis.Visible(ctx, g.mesh, dirs)
	if err != nil {
		return nil, err
	}
	s := &sight{}
	for i := range cands {
		share := g.patchShares(fractions[i])
		if !cands[i].serves(share) {
			continue
		}
		s.dirs = append(s.dirs, cands[i].dir)
		s.share = append(s.share, share)
		s.weight = append(s.weight, g.facingArea(cands[i].dir, share))
	}
	s.sort()
	return s, nil
}

func (c *candidate) serves(share []float64) bool {
	for i, p := range c.patches {
		if share[p] >= c.need[i] {
			return true
		}
	}
	return false
}

func (g *graph) candidates(stacks []stack, skip []bool) []candidate {
	var raw []candidate
	add := func(d geom.Vec3, area, need float64, patches ...int32) {
		c := candidate{dir: tidy(d), area: area}
		for _, p := range patches {
			c.patches, c.need = append(c.patches, p), append(c.need, need)
		}
		raw = append(raw, c)
	}
	for i := range g.patches {
		p := &g.patches[i]
		switch {
		case p.kind == surface.KindPlane && !skip[i]:
			add(p.axis, p.area, floorShare, int32(i))
		case (p.kind == surface.KindCylinder || p.kind == surface.KindCone) && !p.hollow &&
			g.sweep([]int32{int32(i)}, &p.shape) >= fullSweep:
			add(p.axis, p.area, wallShare, int32(i))
			add(p.axis.Neg(), p.area, wallShare, int32(i))
		}
	}
	for i := range stacks {
		s := &stacks[i]
		for _, up := range []bool{true, false} {
			if up && s.top.closed || !up && s.bottom.closed {
				continue
			}
			walls := g.wallsOf(s)
			add(s.axisDir(up), g.areaOf(walls), wallShare, walls...)
		}
	}
	return cluster(raw)
}

// cluster joins candidates of one direction, largest first, and keeps the largest clusters.
func cluster(raw []candidate) []candidate {
	slices.SortStableFunc(raw, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(quantum(b.area), quantum(a.area)), compareDirs(a.dir, b.dir))
	})
	var out []candidate
next:
	for _, c := range raw {
		for i := range out {
			if out[i].dir.Dot(c.dir) > 0 && out[i].dir.Cross(c.dir).Norm() <= sameDirection {
				out[i].area += c.area
				out[i].patches = append(out[i].patches, c.patches...)
				out[i].need = append(out[i].need, c.need...)
				continue next
			}
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(quantum(b.area), quantum(a.area)), compareDirs(a.dir, b.dir))
	})
	return out[:min(len(out), maxCandidates)]
}

// patchShares turns fractions per triangle into shares per patch.
func (g *graph) patchShares(fractions []float32) []float64 {
	out := make([]float64, len(g.patches))
	for i := range g.patches {
		seen := 0.0
		for _, f := range g.patches[i].faces {
			r := &g.mesh.Regions[f]
			for t := r.Start; t < r.End; t++ {
				seen += float64(fractions[t]) * g.areas[t]
			}
		}
		if g.patches[i].area > 0 {
			out[i] = seen / g.patches[i].area
		}
	}
	return out
}

func (g *graph) areaOf(patches []int32) float64 {
	sum := 0.0
	for _, p := range patches {
		sum += g.patches[p].area
	}
	return sum
}

// facingArea returns the area of the planes seen facing dir, mm².
func (g *graph) facingArea(dir geom.Vec3, share []float64) float64 {
	sum := 0.0
	for i := range g.patches {
		if g.faces(int32(i), dir) {
			sum += share[i] * g.patches[i].area
		}
	}
	return sum
}

// faces reports whether a patch is a plane whose normal is dir.
func (g *graph) faces(p int32, dir geom.Vec3) bool {
	s := &g.patches[p].shape
	return s.kind == surface.KindPlane && s.axis.Dot(dir) > 0 && s.axis.Cross(dir).Norm() <= sameDirection
}

// sort brings the kept directions into the documented order.
func (s *sight) sort() {
	at := make([]int, len(s.dirs))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int {
		return cmp.Or(cmp.Compare(principal(s.dirs[i]), principal(s.dirs[j])),
			cmp.Compare(quantum(s.weight[j]), quantum(s.weight[i])), compareDirs(s.dirs[i], s.dirs[j]))
	})
	t := sight{}
	for _, i := range at {
		t.dirs = append(t.dirs, s.dirs[i])
		t.share = append(t.share, s.share[i])
		t.weight = append(t.weight, s.weight[i])
	}
	*s = t
}

// principal returns 0 to 5 for +Z -Z +Y -Y +X -X and 6 for any other direction.
func principal(d geom.Vec3) int {
	for i, a := range [6]geom.Vec3{{Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}, {X: 1}, {X: -1}} {
		if d.Dist(a) <= sameDirection {
			return i
		}
	}
	return 6
}

// find returns the index of a kept direction, or none.
func (s *sight) find(d geom.Vec3) int {
	for i, c := range s.dirs {
		if c.Dot(d) > 0 && c.Cross(d).Norm() <= sameDirection {
			return i
		}
	}
	return none
}

// seen returns the area-weighted share of several patches seen from direction i.
func (s *sight) seen(g *graph, i int, patches []int32) float64 {
	sum, all := 0.0, 0.0
	for _, p := range patches {
		sum += s.share[i][p] * g.patches[p].area
		all += g.patches[p].area
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// tidy removes rounding from a unit direction: components below AngularResolution are zero, and
// never a negative zero.
func tidy(d geom.Vec3) geom.Vec3 {
	for _, c := range []*float64{&d.X, &d.Y, &d.Z} {
		if abs(*c) < geom.AngularResolution {
			*c = 0
		}
	}
	return d.Unit()
}

// quantum rounds a positive size to about four digits, so that rounding does not decide an order.
func quantum(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return math.Round(math.Log(x) / axisAngle)
}

// compareDirs orders directions by x, y, z, rounded to axisAngle, larger first.
func compareDirs(a, b geom.Vec3) int {
	r := func(x float64) float64 { return math.Round(x / axisAngle) }
	return cmp.Or(cmp.Compare(r(b.X), r(a.X)), cmp.Compare(r(b.Y), r(a.Y)), cmp.Compare(r(b.Z), r(a.Z)))
}
