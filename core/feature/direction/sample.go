package direction

// Directions for free-form and sloped faces, which propose no direction themselves.
//
// Method: the triangles of such faces that no direction sees so far are points on the sphere of normals, weighted by
// area. The set is cut in two across its widest spread until each part lies within a cone about its mean (principal
// direction divisive partitioning, D. Boley, Data Mining and Knowledge Discovery 2(4), 1998). A greedy rule chooses
// among these means, the means of larger sets and the part's own axes. It takes the direction that faces the largest
// remaining area. An axis precedes a mean that is little better. So a lid with walls along z is machined from +z, even
// if its dome leans. Cones are wide at first, because few setups are wanted. They are narrower in the next rounds for
// triangles that other material still hides. A direction is kept if it sees a share of some face that no earlier
// direction did. A face counts as hidden at first if several directions see a part each, while one could see it all.
// The domed top of a block, seen from its sides, is an example.
//
// The result turns with the part. The exception is a set without any preferred axis, such as a whole sphere or a groove
// around a turned part. Such a set is cut along the axes of the file.
//
// Cost: at most sampledPerRound visibility passes in each of three rounds, no pass if no area remains.

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	sampledPerRound = 6

	// mostlySeen is the visible fraction from which a triangle counts as fully visible.
	mostlySeen = 0.5

	// smallShare is the share of the part's area below which a face proposes no direction; hiddenShare is the same for
	// all faces together.
	smallShare  = 1e-3
	hiddenShare = 5e-3

	// withinCone is the share of a set that must lie within its cone.
	withinCone = 0.99

	// hardlyBetter is the ratio of areas up to which an axis is preferred.
	hardlyBetter = 1.1

	// worthLooking is the share of the hidden area that justifies another direction.
	worthLooking = 0.05

	// binSize (rad) is the angular size of a bin of normals.
	binSize = 0.02
)

// cones are the half angles of the sets in each round, rad.
var cones = [...]float64{math.Pi / 2, math.Pi / 3, math.Pi / 6}

// lot is a triangle that no direction sees, with its hidden area. The value of a direction does not depend on how the
// mesh divides a face.
type lot struct {
	normal
	patch, tri int32
	parted     bool // the directions together see enough of the patch, but no single one does
}

// normal is a normal with the area that has it, mm².
type normal struct {
	dir  geom.Vec3
	area float64
}

// sample adds directions for the hidden parts of free-form and sloped faces.
func (f *selection) sample(ctx context.Context) error {
	for round, cone := range cones {
		lots := f.hidden(round == 0)
		if len(lots) == 0 {
			return nil
		}
		more := f.choose(lots, cone)
		more = more[:min(len(more), maxCandidates-len(f.visibility.Dirs))]
		for i := range more {
			f.sampled = append(f.sampled, more[i].dir)
		}
		fractions, shares, err := f.look(ctx, more)
		if err != nil {
			return err
		}
		before := len(f.visibility.Dirs)
		for i := range more {
			if f.gains(lots, fractions[i], shares[i]) {
				f.keep(more[i].dir, fractions[i], shares[i])
			}
		}
		if round > 0 && len(f.visibility.Dirs) == before {
			return nil // triangles beyond both kinds of cones are in a cavity
		}
	}
	return nil
}

// hidden lists the triangles of curved and sloped faces that no direction sees, if the hidden share of their face is
// large enough; nil if their total area is small. Planes have already proposed directions. Walls of bores, corners and
// grooves are visible along their axis or not at all. With withParted, the list includes faces that directions see in
// part.
func (f *selection) hidden(withParted bool) []lot {
	total := 0.0
	for i := range f.g.Patches {
		total += f.g.Patches[i].Area
	}
	var out []lot
	hidden := 0.0
	for i := range f.g.Patches {
		p := &f.g.Patches[i]
		isWall := p.Hollow && (p.Kind == surface.KindCylinder || p.Kind == surface.KindCone)
		if p.Kind == surface.KindPlane && !f.skip[i] || isWall || p.Enclosed || p.Area < smallShare*total {
			continue
		}
		lots, area := f.lots(int32(i), mostlySeen, false)
		if area < seenAtAll*p.Area {
			if !withParted || p.Kind == surface.KindPlane || f.best(int32(i)) >= MinWallVisibility {
				continue
			}
			if lots, area = f.lots(int32(i), math.Inf(1), true); !isOpen(lots) {
				continue
			}
		}
		out = append(out, lots...)
		hidden += area
	}
	if hidden < hiddenShare*total {
		return nil
	}
	return out
}

// lots lists the triangles of a patch with a visible fraction below less for every direction, and their hidden area,
// mm². For a parted patch the whole area counts.
func (f *selection) lots(p int32, less float64, parted bool) (out []lot, area float64) {
	for _, face := range f.g.Patches[p].Faces {
		r := &f.g.Mesh.Regions[face]
		for t := r.Start; t < r.End; t++ {
			if float64(f.most[t]) < less {
				hidden := f.g.Areas[t]
				if !parted {
					hidden *= 1 - float64(f.most[t])
				}
				out = append(out, lot{normal{f.g.Mesh.Normal(int(t)), hidden}, p, t, parted})
				area += hidden
			}
		}
	}
	return out, area
}

// isOpen reports whether triangles all face one half of space, away from their mean.
func isOpen(lots []lot) bool {
	set := make([]normal, len(lots))
	for i := range lots {
		set[i] = lots[i].normal
	}
	m := mean(set)
	return m != (geom.Vec3{}) && facing(set, m, graph.DirectionTolerance) >= withinCone*facing(set, m, math.Inf(-1))
}

// best returns the largest share of a patch that is visible from one direction.
func (f *selection) best(p int32) float64 {
	most := 0.0
	for _, share := range f.visibility.Share {
		most = max(most, share[p])
	}
	return most
}

// choose returns the directions that face the hidden triangles within the cone, in the order of their choice, without
// those kept or sampled before. A direction that a face proposed without success may serve another face.
func (f *selection) choose(lots []lot, cone float64) []candidate {
	cos := math.Cos(cone) + graph.DirectionTolerance
	left := bins(lots)
	pool := slices.DeleteFunc(append(f.axes(), split(left, cos, nil)...), func(d geom.Vec3) bool {
		isDone := func(t geom.Vec3) bool { return Same(t, d) }
		return slices.ContainsFunc(f.visibility.Dirs, isDone) || slices.ContainsFunc(f.sampled, isDone)
	})
	enough := worthLooking * facing(left, geom.Vec3{}, math.Inf(-1))
	var out []candidate
	for len(out) < sampledPerRound {
		best, most := graph.None, 0.0
		for i, d := range pool {
			if a := facing(left, d, cos); a >= enough && a > hardlyBetter*most {
				best, most = i, a
			}
		}
		if best == graph.None {
			break
		}
		d := pool[best]
		out = append(out, candidate{dir: d, area: most})
		left = slices.DeleteFunc(left, func(n normal) bool { return n.dir.Dot(d) >= cos })
	}
	return out
}

// bins joins normals that are nearly one, so that the rest does not depend on how fine the mesh is.
func bins(lots []lot) []normal {
	at := make(map[[3]int32]int)
	var out []normal
	for i := range lots {
		d := lots[i].dir.Scale(1 / binSize)
		key := [3]int32{int32(math.Round(d.X)), int32(math.Round(d.Y)), int32(math.Round(d.Z))}
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			out = append(out, normal{})
		}
		out[k].dir = out[k].dir.AddScaled(lots[i].area, lots[i].dir)
		out[k].area += lots[i].area
	}
	for i := range out {
		out[i].dir = out[i].dir.Unit()
	}
	return out
}

// axes returns the axes of the part: opposite to directions already tried, and perpendicular to the first of them,
// which has the largest faces. If none was tried, it returns the axes of the file.
func (f *selection) axes() []geom.Vec3 {
	if len(f.tried) == 0 {
		return slices.Clone(principals[:])
	}
	var out []geom.Vec3
	main, ref := f.tried[0], geom.Vec3{}
	for _, d := range f.tried {
		out = append(out, SnapDirection(d.Neg()))
		if ref == (geom.Vec3{}) && !graph.Parallel(main, d) {
			ref = d
		}
	}
	frame := geom.NewFrame(geom.Vec3{}, main, ref)
	for _, d := range [2]geom.Vec3{frame.X, frame.Y} {
		out = append(out, SnapDirection(d), SnapDirection(d.Neg()))
	}
	return out
}

// split adds the mean of a set, and of its subsets, divided until each lies within a cone of
// cosine cos about its mean.
func split(set []normal, cos float64, out []geom.Vec3) []geom.Vec3 {
	m := mean(set)
	if m != (geom.Vec3{}) {
		out = append(out, m)
	}
	all := facing(set, m, math.Inf(-1))
	axis := spread(set, m)
	if axis == (geom.Vec3{}) || m != (geom.Vec3{}) && facing(set, m, cos) >= withinCone*all {
		return out
	}
	mid := 0.0
	for i := range set {
		mid += set[i].dir.Dot(axis) * set[i].area / all
	}
	var low, high []normal
	for _, n := range set {
		if n.dir.Dot(axis) < mid {
			low = append(low, n)
		} else {
			high = append(high, n)
		}
	}
	if len(low) == 0 || len(high) == 0 {
		return out
	}
	return split(low, cos, split(high, cos, out))
}

// mean returns the direction that a set faces, zero where its normals cancel out.
func mean(set []normal) geom.Vec3 {
	const balanced = 1e-3 // share of the area
	sum, all := geom.Vec3{}, 0.0
	for i := range set {
		sum, all = sum.AddScaled(set[i].area, set[i].dir), all+set[i].area
	}
	if sum.Norm() <= balanced*all {
		return geom.Vec3{}
	}
	return SnapDirection(sum.Unit())
}

// facing returns the area of a set with normals within the angle of cosine cos from d, mm².
func facing(set []normal, d geom.Vec3, cos float64) float64 {
	sum := 0.0
	for i := range set {
		if set[i].dir.Dot(d) >= cos {
			sum += set[i].area
		}
	}
	return sum
}

// spread returns the axis along which the normals of a set lie farthest apart, the main axis of their
// covariance; zero if all are equal.
func spread(set []normal, m geom.Vec3) geom.Vec3 {
	const same = 1e-12
	var c [9]float64
	all := 0.0
	for i := range set {
		d := set[i].dir.Sub(m)
		x := [3]float64{d.X, d.Y, d.Z}
		for k := range c {
			c[k] += set[i].area * x[k/3] * x[k%3]
		}
		all += set[i].area
	}
	var eig mat.EigenSym
	if !eig.Factorize(mat.NewSymDense(3, c[:]), true) || eig.Values(nil)[2] <= same*all { // ascending
		return geom.Vec3{}
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	return SnapDirection(geom.Vec3{X: v.At(0, 2), Y: v.At(1, 2), Z: v.At(2, 2)})
}

// gains reports whether a direction with these visible fractions, by triangle, and shares, by patch, sees a share of a
// face that no earlier one sees.
func (f *selection) gains(lots []lot, fractions []float32, share []float64) bool {
	news, patch := 0.0, int32(graph.None)
	for i := range lots { // patch by patch
		l := &lots[i]
		if l.patch != patch {
			news, patch = 0, l.patch
			if l.parted && share[patch] >= f.best(patch)+seenAtAll {
				return true
			}
		}
		if f.most[l.tri] < mostlySeen && fractions[l.tri] >= mostlySeen {
			news += f.g.Areas[l.tri]
		}
		if news > 0 && news >= seenAtAll*f.g.Patches[patch].Area {
			return true
		}
	}
	return false
}
