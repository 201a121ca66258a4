package dropcutter

// Tools on whole paths.
//
// Method: seen along the axis, a triangle has some distance from a path, and no point of the path is nearer to it. So
// the contact with the triangle is nowhere higher than with a point at that distance and at the height of its highest
// corner. This is an upper bound of the drop-cutter's result at every point of the path. For level triangles, and for
// vertical ones with a level upper side, the bound is exact. The search uses the tree of points.go, the highest bound
// first.
//
// Cost: proportional to the triangles under the tool along the path that rise above its tip. Limits: on the processor
// only.

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// PathsInput is the request for a height from which on a tool has no contact on a path, if the path is level at that
// height.
type PathsInput struct {
	Over *PreparedMesh
	// in the frame, mm; Z of From: where the tip is, which is the answer where it touches nothing there
	Along []motion.Segment
	Tool  toolprofile.Profile
}

// PathsOutput is an upper bound (mm) of the required tip height on each path, at least the current height. It is not
// below the result for any point of the path.
type PathsOutput struct{ Z []float64 }

// AlongPaths bounds the drop-cutter on whole paths, on the processor. Its items are paths.
var AlongPaths = &primitive.Primitive[PathsInput, PathsOutput]{
	Name: "drop-cutter-ways", Check: (*PathsInput).Check, CPU: pathsOnCPU,
	Items: func(in *PathsInput) int { return len(in.Along) },
	Cost:  primitive.Cost{Seconds: 12e-6, Bytes: 96},
}

// Check returns an error for an input that the primitive does not take.
func (in *PathsInput) Check() error {
	if in.Over == nil {
		return fmt.Errorf("drop-cutter: there is no mesh")
	}
	for i := range in.Along {
		w := &in.Along[i]
		far := 0.0
		for _, x := range [...]float64{w.From.X, w.From.Y, w.To.X, w.To.Y, w.Center.X, w.Center.Y} {
			far = max(far, math.Abs(x))
		}
		if !(far <= farthest && w.From.Z <= farthest && math.Abs(w.Turn) <= farthest) {
			return fmt.Errorf("drop-cutter: way %d leads from %v to %v by %g rad round %v", i, w.From, w.To,
				w.Turn, w.Center)
		}
	}
	return checkTool(in.Tool, origin.Step)
}

func pathsOnCPU(ctx context.Context, on primitive.CPU, in *PathsInput) (PathsOutput, error) {
	out := PathsOutput{Z: make([]float64, len(in.Along))}
	const batch = 64
	err := on.Each(ctx, (len(in.Along)+batch-1)/batch, func() func(int) {
		d := &descent{tree: in.Over.tree, tool: newCutter(in.Tool)}
		return func(task int) {
			for i := task * batch; i < min((task+1)*batch, len(in.Along)); i++ {
				out.Z[i] = d.hold(&in.Along[i])
			}
		}
	})
	if err != nil {
		return PathsOutput{}, err
	}
	return out, nil
}

// hold returns a height at and above which the tool has no contact on a path.
func (d *descent) hold(s *motion.Segment) float64 {
	w := newPath(s)
	d.box, d.best = w.box, s.From.Z
	d.search(func(k int) {
		p := d.Triangle(int(d.order[k]))
		far := max(math.Sqrt(w.distance2(&p))-margin, 0)
		if far <= d.tool.radius {
			d.best = max(d.best, d.own[k].top-d.tool.At(far))
		}
	})
	return d.best
}

// path is a line or an arc in the plane.
type path struct {
	from, to geom.Vec2
	box      extent

	// Of an arc:
	center geom.Vec2
	radius float64 // mm; 0: a line
	sense  float64 // 1 where it turns to the left, -1 to the right
	isWide bool    // it turns by more than half a turn
}

func newPath(s *motion.Segment) *path {
	w := &path{from: geom.Vec2{X: s.From.X, Y: s.From.Y}, to: geom.Vec2{X: s.To.X, Y: s.To.Y}}
	w.box = extent{
		min(w.from.X, w.to.X), max(w.from.X, w.to.X), min(w.from.Y, w.to.Y), max(w.from.Y, w.to.Y), s.From.Z,
	}
	if s.Turn == 0 {
		return w
	}
	w.center, w.radius, w.sense = s.Center, s.Radius(), math.Copysign(1, s.Turn)
	if w.isWide = math.Abs(s.Turn) > math.Pi; math.Abs(s.Turn) >= 2*math.Pi {
		w.to = w.from
	}
	for _, u := range [4]geom.Vec2{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		if w.turns(u) {
			at := w.center.Add(u.Scale(w.radius))
			w.box = w.box.with(extent{at.X, at.X, at.Y, at.Y, s.From.Z})
		}
	}
	return w
}

// turns reports whether an arc contains a direction from its center.
func (w *path) turns(u geom.Vec2) bool {
	from, to := w.from.Sub(w.center), w.to.Sub(w.center)
	if w.isWide {
		return !(w.sense*to.Cross(u) > 0 && w.sense*u.Cross(from) > 0)
	}
	return w.sense*from.Cross(u) >= 0 && w.sense*u.Cross(to) >= 0
}

// distance2 returns the squared distance of the path from a triangle, seen from above.
func (w *path) distance2(t *[3]raster.Point) float64 {
	least, inside := math.Inf(1), [2]bool{}
	for k := range t {
		a, b := geom.Vec2{X: t[k].U, Y: t[k].V}, geom.Vec2{X: t[(k+1)%3].U, Y: t[(k+1)%3].V}
		least = min(least, w.side2(a, b))
		if side := b.Sub(a).Cross(w.from.Sub(a)); side != 0 {
			inside[0], inside[1] = inside[0] || side > 0, inside[1] || side < 0
		}
	}
	if inside[0] != inside[1] && least > 0 { // the path begins on the same side of all of them, and crosses none
		return 0
	}
	return least
}

// side2 returns the squared distance of the path from a line between two points.
func (w *path) side2(a, b geom.Vec2) float64 {
	least := min(fromLine2(w.from, a, b), fromLine2(w.to, a, b))
	if w.radius == 0 {
		d := w.to.Sub(w.from)
		if p, q := d.Cross(a.Sub(w.from)), d.Cross(b.Sub(w.from)); p*q < 0 {
			e := b.Sub(a)
			if e.Cross(w.from.Sub(a))*e.Cross(w.to.Sub(a)) < 0 {
				return 0
			}
		}
		return min(least, fromLine2(a, w.from, w.to), fromLine2(b, w.from, w.to))
	}
	least = min(least, w.fromArc2(a), w.fromArc2(b))
	d, v := b.Sub(a), a.Sub(w.center)
	length2 := d.Norm2()
	if length2 == 0 {
		return least
	}
	foot := -v.Dot(d) / length2
	if foot > 0 && foot < 1 {
		least = min(least, w.fromArc2(a.Add(d.Scale(foot))))
	}
	if off := v.Add(d.Scale(foot)).Norm2(); off < w.radius*w.radius {
		half := math.Sqrt((w.radius*w.radius - off) / length2)
		for _, s := range [2]float64{foot - half, foot + half} {
			if s >= 0 && s <= 1 && w.turns(v.Add(d.Scale(s))) {
				return 0
			}
		}
	}
	return least
}

// fromArc2 returns the squared distance of a point from the inside of an arc; infinite where an end is nearer.
func (w *path) fromArc2(p geom.Vec2) float64 {
	v := p.Sub(w.center)
	if !w.turns(v) {
		return math.Inf(1)
	}
	d := v.Norm() - w.radius
	return d * d
}

// fromLine2 returns the square of the distance of a point from a line between two points.
func fromLine2(p, a, b geom.Vec2) float64 {
	d, v := b.Sub(a), p.Sub(a)
	if length2 := d.Norm2(); length2 > 0 {
		v = v.Sub(d.Scale(min(max(v.Dot(d)/length2, 0), 1)))
	}
	return v.Norm2()
}
