package process

// Round parts.
//
// Method: the axes of round faces are tried, the largest area first. A part is round about an axis if its outline along
// the axis is. The distance of the outline from the axis is then equal on all sides, except for flats and notches, and
// the part has outer faces of revolution about the axis. The part is turned if nearly all of its faces are of
// revolution about the axis or perpendicular to it and no feature is milled. Otherwise it is turned and milled if such
// faces are the majority.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/hashgrid"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	axesTried = 4
	sides     = 72 // number of directions around an axis for the outline

	// roundMean and roundLeast are the mean and the least reach of a round outline over all sides, as shares of the
	// largest: a hexagon that is milled on a bar reaches 0.955 and 0.866.
	roundMean  = 0.95
	roundLeast = 0.84

	// outerShare is the least share of outer faces of revolution in all faces. It does not apply if teeth around the
	// axis make the outline reach toothed on all sides: their blank was turned.
	outerShare = 0.08
	toothed    = 0.99

	// flat is the length, as a share of its diameter, of a disc that is cut from plate if only its outer face is round.
	flat = 0.2

	turnedShare   = 0.97 // of a part that is turned only
	millTurnShare = 0.5  // of one that is milled too
)

// round returns the class of a part that is turned.
func (p *part) round() (Class, bool) {
	for _, s := range p.axes() {
		reach, least := p.outline(&s)
		if least < roundLeast*reach {
			continue
		}
		turned, outer := p.turned(&s)
		if outer < outerShare*p.area && least < toothed*reach || turned < millTurnShare*p.area {
			continue
		}
		c := Class{Kind: MillTurn}
		c.Lathe = &TurningFacts{Origin: s.Origin, Axis: graph.Canonical(s.Axis), StockDiameter: 2 * reach}
		c.Lathe.Length = p.length(c.Lathe.Axis)
		c.Lathe.Features = p.onLathe(&s)
		c.Reasons = []string{fmt.Sprintf(
			"%.0f %% of its faces turn about one axis or are square to it; a bar of ⌀%.4g holds it.",
			100*turned/p.area, 2*reach)}
		if turned >= turnedShare*p.area && !p.isMilled(c.Lathe.Features) {
			c.Kind = Turned
		} else if c.Lathe.Length <= flat*2*reach && p.onlyRim(c.Lathe.Features) {
			return Class{}, false
		} else {
			c.Reasons = append(c.Reasons, fmt.Sprintf("%d of its %d features are milled or drilled beside the axis.",
				len(p.features)-len(c.Lathe.Features), len(p.features)))
		}
		return c, true
	}
	return Class{}, false
}

// line is an axis, with the area of the faces that turn about it, mm².
type line struct {
	shape graph.Shape
	area  float64
}

// axes returns the axes of round faces and edges, the largest area first.
func (p *part) axes() []graph.Shape {
	var lines []line
	at := hashgrid.New[[]int32](2 * p.g.Length)
	center := p.g.Bounds.Center()
	add := func(s *graph.Shape, area float64) {
		if s.Kind == surface.KindSphere && s.Axis == (geom.Vec3{}) {
			return
		}
		foot := s.Origin.AddScaled(center.Sub(s.Origin).Dot(s.Axis), s.Axis)
		found := int32(graph.None)
		at.Around(foot, func(list *[]int32) {
			for _, l := range *list {
				if p.g.Coaxial(&lines[l].shape, s) {
					found = l
				}
			}
		})
		if found == graph.None {
			found = int32(len(lines))
			list := at.At(foot)
			*list = append(*list, found)
			lines = append(lines, line{shape: *s})
		}
		lines[found].area += area
	}
	for i := range p.g.Model.Edges { // the edges of freeform faces and spheres give their axis
		if c, ok := p.g.Model.Edges[i].Curve.(curve.Circle); ok {
			add(&graph.Shape{Kind: surface.KindCylinder, Origin: c.Frame.Origin, Axis: c.Frame.Z, Radius: c.Radius}, 0)
		}
	}
	for i := range p.g.Patches {
		switch x := &p.g.Patches[i]; x.Kind {
		case surface.KindCylinder, surface.KindCone, surface.KindTorus:
			add(&x.Shape, x.Area)
		case surface.KindSphere: // turns about any axis; without an edge, about one of the file
			if len(x.Arcs) == 0 {
				s := x.Shape
				s.Kind, s.Axis = surface.KindCylinder, geom.Vec3{Z: 1}
				add(&s, x.Area)
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.area, a.area) })
	var out []graph.Shape
	for i := range lines[:min(len(lines), axesTried)] {
		out = append(out, lines[i].shape)
	}
	return out
}

// outline returns the largest distance of the part from an axis, and its reach on the side with the least, mm. The
// latter is 0 if the reach is much less on several sides. Only the farthest point on each side counts.
func (p *part) outline(s *graph.Shape) (farthest, least float64) {
	frame := geom.NewFrame(s.Origin, s.Axis, geom.Vec3{})
	for _, q := range p.g.Mesh.Points {
		farthest = max(farthest, graph.DistanceToAxis(s, q))
	}
	var far [sides]geom.Vec2
	for _, q := range p.g.Mesh.Points {
		if graph.DistanceToAxis(s, q) < roundLeast*farthest {
			continue
		}
		l := frame.Local(q)
		k := int(math.Floor((math.Atan2(l.Y, l.X)/(2*math.Pi)+1)*sides)) % sides
		if v := (geom.Vec2{X: l.X, Y: l.Y}); v.Norm() > far[k].Norm() {
			far[k] = v
		}
	}
	sum, least := 0.0, farthest
	for k := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
		reach := 0.0
		for _, v := range far {
			reach = max(reach, v.Dot(geom.Vec2{X: cos, Y: sin}))
		}
		sum, least = sum+reach, min(least, reach)
	}
	if sum < roundMean*sides*farthest {
		return farthest, 0
	}
	return farthest, least
}

// turned returns the area of faces that a lathe makes about an axis, and of the outer ones among them, mm².
func (p *part) turned(s *graph.Shape) (all, outer float64) {
	threads := p.threads(func(i int) bool { return p.isThread(s, i) })
	for i := range p.g.Patches {
		x := &p.g.Patches[i]
		if !threads[i] && !p.isTurned(s, int32(i)) {
			continue
		}
		all += x.Area
		if x.Kind != surface.KindPlane && !x.Hollow {
			outer += x.Area
		}
	}
	return all, outer
}

// threads returns, by patch, whether a feature with a thread contains it, for features that isFit accepts.
func (p *part) threads(isFit func(i int) bool) []bool {
	out := make([]bool, len(p.g.Patches))
	for i := range p.features {
		if p.features[i].Thread == nil || !isFit(i) {
			continue
		}
		for _, q := range p.g.PatchesOf(p.features[i].Regions) {
			out[q] = true
		}
	}
	return out
}

// isThread reports whether a feature has a thread about an axis.
func (p *part) isThread(s *graph.Shape, i int) bool {
	f := &p.features[i]
	return f.Thread != nil && graph.Parallel(s.Axis, *f.Axis) &&
		graph.DistanceToAxis(s, f.Thread.Origin) <= p.g.Length+graph.AxisTolerance*p.g.Diagonal
}

// isTurned reports whether a face is of revolution about an axis, or square to it.
func (p *part) isTurned(s *graph.Shape, i int32) bool {
	x := &p.g.Patches[i]
	if x.Kind != surface.KindBSpline {
		return p.g.Coaxial(s, &x.Shape)
	}
	// A freeform face turns about the axis if all of its normals intersect it.
	const off = 0.02 // of the distance from the axis, or rad: nearly so, as fitted surfaces are
	isTurned := true
	p.g.EachPoint(i, func(pt, n geom.Vec3) {
		radial := pt.Sub(s.Origin)
		radial = radial.Reject(s.Axis)
		if r := radial.Norm(); r > p.g.Length && math.Abs(n.Dot(s.Axis.Cross(radial)))/r > off {
			isTurned = false
		}
	})
	return isTurned
}

// onLathe returns the features that are made by turning: all their faces turn about the axis.
func (p *part) onLathe(s *graph.Shape) (out []int) {
	for i := range p.features {
		f := &p.features[i]
		isOff := func(x int32) bool { return !p.isTurned(s, x) }
		patches := p.g.PatchesOf(f.Regions)
		if p.isThread(s, i) || len(patches) > 0 && !slices.ContainsFunc(patches, isOff) && (f.Type != feature.Face || p.isRing(s, patches)) {
			out = append(out, i)
		}
	}
	return out
}

// isMilled reports whether a part has pockets with a floor, or islands, that are not turned: features of any size are
// milled.
func (p *part) isMilled(turned []int) bool {
	for i := range p.features {
		switch f := &p.features[i]; f.Type {
		case feature.Pocket, feature.Boss, feature.Tslot, feature.Dovetail:
			if (f.Pocket == nil || !f.Pocket.Through) && !slices.Contains(turned, i) {
				return true
			}
		}
	}
	return false
}

// onlyRim reports whether turning would only make flat faces and the outer face of a part, or a plain bore if the outer
// face is not turned, and fewer features than milling.
func (p *part) onlyRim(turned []int) bool {
	rims, bores := 0, 0
	for _, i := range turned {
		switch f := &p.features[i]; {
		case f.Type == feature.Profile:
			rims++
		case f.Type == feature.Hole && f.Hole.Through && f.Hole.Kind == feature.SimpleHole:
			bores++
		case f.Type != feature.Face:
			return false
		}
	}
	return rims+bores <= 1 && 2*len(turned) < len(p.features)
}

// isRing reports whether faces perpendicular to an axis surround it: the floor of a pocket off the axis does not.
func (p *part) isRing(s *graph.Shape, patches []int32) bool {
	return p.g.Sweep(patches, s) >= graph.FullSweep
}

// length returns the extent of the part along an axis, mm.
func (p *part) length(axis geom.Vec3) float64 {
	iv := geom.EmptyInterval()
	for _, q := range p.g.Mesh.Points {
		iv = iv.Add(q.Dot(axis))
	}
	return iv.Length()
}
