package process

// Castings and moldings.
//
// Method: a part from a mold has walls that lean away from the parting plane. Along each direction that planes face,
// walls are classified as vertical or as leaning by up to mostDraft. A part is cast if most of its wall leans along one
// direction. A shell with rounded edges is also cast, since it is not milled from solid.

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// leastDraft and mostDraft (rad) bound the draft of molds: less is vertical to a mold maker, more a slope.
	leastDraft = 0.3 * math.Pi / 180
	mostDraft  = 8 * math.Pi / 180

	draftedWalls = 0.5  // share of the walls that lean
	draftedShare = 0.15 // and of all faces
	allRound     = 0.1  // see azimuths: slopes lean on two sides only

	// A shell is no thicker than thinShell of the size of the part on average, and has leastRounded of its area in
	// blends and freeform faces.
	thinShell    = 0.045
	leastRounded = 0.2
)

// drafted returns the class of a part with walls that lean.
func (p *part) drafted() (Class, bool) {
	for _, d := range p.partings() {
		drafted, walls := 0.0, 0.0
		var round azimuths
		frame := geom.NewFrame(geom.Vec3{}, d, geom.Vec3{})
		for i := range p.g.Patches {
			low := p.lean(int32(i), d)
			if math.Abs(low) > math.Sin(mostDraft) {
				continue
			}
			walls += p.g.Patches[i].Area
			if math.Abs(low) >= math.Sin(leastDraft) {
				drafted += p.g.Patches[i].Area
				round.add(&p.g.Patches[i], &frame)
			}
		}
		if drafted >= draftedWalls*walls && drafted >= draftedShare*p.area && round.spread() >= allRound {
			return Class{Kind: Cast, Reasons: []string{fmt.Sprintf(
				"%.0f %% of its walls along (%.3g, %.3g, %.3g) lean as those of a form do.",
				100*drafted/walls, d.X, d.Y, d.Z)}}, true
		}
	}
	return Class{}, false
}

// azimuths is the distribution of the directions of walls around an axis: their second moments.
type azimuths struct{ xx, xy, yy float64 }

func (a *azimuths) add(p *graph.Patch, frame *geom.Frame) {
	n := frame.LocalDir(p.Axis)
	if p.Kind != surface.KindPlane { // closed about the axis
		a.xx, a.yy = a.xx+p.Area/2, a.yy+p.Area/2
		return
	}
	a.xx, a.xy, a.yy = a.xx+p.Area*n.X*n.X, a.xy+p.Area*n.X*n.Y, a.yy+p.Area*n.Y*n.Y
}

// spread returns the share of the smaller principal moment of the walls: 0 for two sides, 0.5 for an even distribution.
func (a *azimuths) spread() float64 {
	sum := a.xx + a.yy
	if sum == 0 {
		return 0
	}
	return (sum - math.Hypot(a.xx-a.yy, 2*a.xy)) / (2 * sum)
}

// shell returns the class of a shell with rounded edges.
func (p *part) shell() (Class, bool) {
	thickness, rounded := 2*p.volume/p.area, p.rounded()/p.area
	if size := p.g.Diagonal; thickness <= thinShell*size && rounded >= leastRounded {
		return Class{Kind: Cast, Reasons: []string{fmt.Sprintf(
			"It is a shell, %.3g mm thick on average at a size of %.4g mm, with %.0f %% of its area in rounded edges.",
			thickness, size, 100*rounded)}}, true
	}
	return Class{}, false
}

// partings returns the directions that planes face, each once, both senses being one.
func (p *part) partings() (out []geom.Vec3) {
	for i := range p.g.Patches {
		x := &p.g.Patches[i]
		if x.Kind != surface.KindPlane || x.Area < draftedShare/10*p.area {
			continue
		}
		isKnown := false
		for _, d := range out {
			isKnown = isKnown || graph.Parallel(d, x.Axis)
		}
		if !isKnown {
			out = append(out, graph.Canonical(x.Axis))
		}
	}
	return out
}

// lean returns the cosine between the normals of a wall face and a direction: 0 for a vertical wall, 1 for faces that
// are not one wall.
func (p *part) lean(i int32, d geom.Vec3) float64 {
	x := &p.g.Patches[i]
	switch x.Kind {
	case surface.KindPlane:
		return x.Axis.Dot(d)
	case surface.KindCylinder, surface.KindCone:
		if graph.Parallel(x.Axis, d) {
			return math.Sin(x.Slope)
		}
	}
	return 1
}

// rounded returns the area of blends and freeform faces, mm².
func (p *part) rounded() float64 {
	sum := 0.0
	for i := range p.g.Patches {
		switch x := &p.g.Patches[i]; x.Kind {
		case surface.KindTorus, surface.KindSphere, surface.KindBSpline:
			sum += x.Area
		}
	}
	return sum
}
