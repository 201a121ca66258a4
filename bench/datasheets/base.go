package datasheets

// Which regions of a pocket are its base, and which are walls or round its mouth.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// base returns the regions of a feature that are not walls.
func (p *part) base(f *feature.Feature, v *view) (base []int, top float64) {
	top = math.Inf(-1)
	var all []int
	for _, r := range f.Regions {
		for _, n := range p.m.Regions[r].Normals {
			if n.Dot(v.z) > wallSlope {
				all = append(all, r)
				break
			}
		}
	}
	bends := make(map[int]float64, len(f.Regions)) // 1/mm
	for _, r := range f.Regions {
		bends[r] = p.bend(r, v)
	}
	for i := 0; i < len(all); i++ { // what is round may be parted into faces anywhere
		for _, r := range f.Regions {
			if !slices.Contains(all, r) && areClose(bends[all[i]], bends[r]) && p.continues(all[i], r) {
				all = append(all, r)
			}
		}
	}
	for len(all) > 0 { // by what hangs together
		piece := all[:1:1]
		all = all[1:]
		for i := 0; i < len(piece); i++ {
			all = slices.DeleteFunc(all, func(r int) bool {
				touches := p.touch(piece[i], r)
				if touches {
					piece = append(piece, r)
				}
				return touches
			})
		}
		if !p.isRim(f, piece, v) {
			base = append(base, piece...)
		}
	}
	for _, r := range base {
		for _, i := range p.m.Regions[r].Vertices {
			top = max(top, p.m.Points[i].Dot(v.z))
		}
	}
	return base, top
}

// isRim reports whether a piece breaks the edge of the mouth: it is round all over and walls go down from it where it
// looks up, not as from the bottom of a turned groove, where they do on its back.
func (p *part) isRim(f *feature.Feature, piece []int, v *view) bool {
	up, down := 0.0, 0.0 // mm: edges between them, each times how steeply the wall goes
	for _, r := range f.Regions {
		if !slices.ContainsFunc(p.m.Regions[r].Normals, func(n geom.Vec3) bool { return math.Abs(n.Dot(v.z)) > wallSlope }) {
			for _, q := range piece {
				u, d := p.borders(r, q, v)
				up, down = up+u, down+d
			}
		}
	}
	return down > up && !slices.ContainsFunc(piece, func(r int) bool { return !p.bulges(r, v) })
}

// borders returns the heights of walls above and below the edges of a region, where it faces up: the lengths
// of the edges, each times the steepness of the wall.
func (p *part) borders(wall, other int, v *view) (up, down float64) {
	look := normals{p.m}
	isShared := func(i int32) bool { _, ok := slices.BinarySearch(p.m.Regions[wall].Vertices, i); return ok }
	for _, t := range p.m.Triangles[p.m.Regions[other].Start:p.m.Regions[other].End] {
		for k, tip := range t {
			a, b := t[(k+1)%3], t[(k+2)%3]
			if !isShared(a) || !isShared(b) || isShared(tip) {
				continue
			}
			back := p.m.Points[a].Sub(p.m.Points[b]) // with the wall on its left
			if back.Cross(p.m.Points[tip].Sub(p.m.Points[b])).Dot(v.z) >= 0 {
				continue
			}
			if steep := look.at(int32(wall), a).Cross(back).Dot(v.z); steep > 0 {
				up += steep
			} else {
				down -= steep
			}
		}
	}
	return up, down
}

// filletsAt returns the fillets of other features that rise from flat floors of a base to walls.
func (p *part) filletsAt(f *feature.Feature, v *view, base []int) (out []int) {
	_, _, z := p.box(base, v)
	flat := slices.DeleteFunc(slices.Clone(base), func(r int) bool { return !p.isFlat(r) })
	for r := range p.m.Regions {
		if slices.Contains(f.Regions, r) {
			continue
		}
		least, most := 1.0, -1.0
		for _, n := range p.m.Regions[r].Normals {
			least, most = min(least, n.Dot(v.z)), max(most, n.Dot(v.z))
		}
		_, _, own := p.box([]int{r}, v)
		if most > levelNormal && least <= wallSlope && own.Lo >= z.Lo-FineChord && !p.bulges(r, v) &&
			slices.ContainsFunc(flat, func(q int) bool { return p.touch(q, r) }) {
			out = append(out, r)
		}
	}
	return out
}

// touch reports whether two regions share more than a point.
func (p *part) touch(a, b int) bool {
	n := 0
	return slices.ContainsFunc(p.m.Regions[a].Vertices, func(i int32) bool {
		if _, ok := slices.BinarySearch(p.m.Regions[b].Vertices, i); ok {
			n++
		}
		return n > 1
	})
}

// areClose reports whether two bends, 1/mm, may be those of one hollow surface.
func areClose(a, b float64) bool {
	const alike = 0.02 // of their mean: how well chords of a mesh with ends on the surface tell its bend
	return max(a, b) <= -straightBend && 2*math.Abs(a-b) <= alike*(math.Abs(a)+math.Abs(b))
}

// continues reports whether a region continues in another one without a kink.
func (p *part) continues(a, b int) bool {
	n, look := 0, normals{p.m}
	for _, i := range p.m.Regions[a].Vertices {
		_, isShared := slices.BinarySearch(p.m.Regions[b].Vertices, i)
		if isShared && look.at(int32(a), i).Angle(look.at(int32(b), i)) > smoothKink {
			return false
		}
		if isShared {
			n++
		}
	}
	return n > 1
}

// isLevel reports whether some triangle is square to the view.
func (p *part) isLevel(regions []int, v *view) (level bool) {
	const square = 1 - 1e-9
	p.triangles(regions, func(a, b, c geom.Vec3) {
		level = level || b.Sub(a).Cross(c.Sub(a)).Unit().Dot(v.z) > square
	})
	return level
}

// isTrough reports whether only a ball can reach down into a base: no part of it is flat, and its bottom is not convex
// with adjacent fillets.
func (p *part) isTrough(base []int, v *view) bool {
	return !p.isLevel(base, v) && !slices.ContainsFunc(base, p.isFlat) && !p.bulgesBetween(base, v)
}

// isFlat reports whether a region looks the same way all over.
func (p *part) isFlat(r int) bool {
	n := p.m.Regions[r].Normals
	return !slices.ContainsFunc(n, func(o geom.Vec3) bool { return o.Dist(n[0]) > leastTurn })
}

// bulges reports whether a region juts out.
func (p *part) bulges(region int, v *view) bool { return p.bend(region, v) > straightBend }

// straightBend (1/mm) is what counts as straight: a pocket is not rounded with a radius of a metre.
const straightBend = 1e-3

// bend returns the curvature (1/mm) of a region along its steepest edge in the mesh, positive if convex. In the
// perpendicular direction a round may be concave with more curvature.
func (p *part) bend(region int, v *view) float64 {
	steepest, bend := 0.0, 0.0
	p.eachBend(region, v, func(steep, b float64) {
		if steep > steepest {
			steepest, bend = steep, b
		}
	})
	return bend
}

// isHollow reports whether a region is hollow along some edge in the mesh.
func (p *part) isHollow(region int, v *view) (hollow bool) {
	p.eachBend(region, v, func(_, bend float64) { hollow = hollow || bend < -straightBend })
	return hollow
}

// bulgesBetween reports whether hollow regions of a base end level at one that is not, as fillets do beside the bottom
// of a turned groove.
func (p *part) bulgesBetween(base []int, v *view) bool {
	return slices.ContainsFunc(base, func(r int) bool {
		return !p.isHollow(r, v) && slices.ContainsFunc(base, func(q int) bool {
			if !p.isHollow(q, v) {
				return false
			}
			for k, i := range p.m.Regions[q].Vertices {
				_, isShared := slices.BinarySearch(p.m.Regions[r].Vertices, i)
				if isShared && p.m.Regions[q].Normals[k].Dot(v.z) > levelNormal {
					return true
				}
			}
			return false
		})
	})
}

// levelNormal is the least cosine between the view and a place that is level, as near as the next point of the mesh.
const levelNormal = 0.99

// eachBend calls f with how steep the edges of a region in the mesh are, from 0 to 1, and how much it is bent along
// them.
func (p *part) eachBend(region int, v *view, f func(steep, bend float64)) {
	r := &p.m.Regions[region]
	look := normals{p.m}
	for _, t := range p.m.Triangles[r.Start:r.End] {
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			d := p.m.Points[b].Sub(p.m.Points[a])
			if n2 := d.Norm2(); n2 >= speck*speck {
				f(math.Abs(d.Dot(v.z))/math.Sqrt(n2), d.Dot(look.at(int32(region), b).Sub(look.at(int32(region), a)))/n2)
			}
		}
	}
}

// triangles calls f with the triangles of some regions.
func (p *part) triangles(regions []int, f func(a, b, c geom.Vec3)) {
	for _, r := range regions {
		for _, t := range p.m.Triangles[p.m.Regions[r].Start:p.m.Regions[r].End] {
			f(p.m.Points[t[0]], p.m.Points[t[1]], p.m.Points[t[2]])
		}
	}
}

// chord returns the chordal deviation (mm) of the mesh of some regions: more than requested where a file has only a
// coarser mesh.
func (p *part) chord(regions []int) float64 {
	const most = math.Pi / 3 // between normals of one arc
	look, chord := normals{p.m}, FineChord
	for _, r := range regions {
		for _, t := range p.m.Triangles[p.m.Regions[r].Start:p.m.Regions[r].End] {
			for k := range t {
				a, b := t[k], t[(k+1)%3]
				n, o := look.at(int32(r), a), look.at(int32(r), b)
				axis, d := n.Cross(o), p.m.Points[b].Sub(p.m.Points[a])
				if turn := n.Angle(o); turn > leastTurn && turn < most {
					d = d.AddScaled(-d.Dot(axis)/axis.Norm2(), axis)
					chord = max(chord, d.Norm()/2*math.Tan(turn/4))
				}
			}
		}
	}
	return chord
}

// lean returns the tangent of how far some regions lean out at the most.
func (p *part) lean(regions []int, v *view) float64 {
	most := 0.0
	for _, r := range regions {
		for _, n := range p.m.Regions[r].Normals {
			most = max(most, min(n.Dot(v.z), wallSlope))
		}
	}
	return math.Tan(math.Asin(most))
}

// box returns the extent of some regions in a view, and along it.
func (p *part) box(regions []int, v *view) (lo, hi geom.Vec2, z geom.Interval) {
	inf := math.Inf(1)
	lo, hi, z = geom.Vec2{X: inf, Y: inf}, geom.Vec2{X: -inf, Y: -inf}, geom.Interval{Lo: inf, Hi: -inf}
	for _, r := range regions {
		for _, i := range p.m.Regions[r].Vertices {
			q := v.at(p.m.Points[i])
			lo.X, lo.Y, hi.X, hi.Y = min(lo.X, q.X), min(lo.Y, q.Y), max(hi.X, q.X), max(hi.Y, q.Y)
			h := p.m.Points[i].Dot(v.z)
			z.Lo, z.Hi = min(z.Lo, h), max(z.Hi, h)
		}
	}
	return lo, hi, z
}
