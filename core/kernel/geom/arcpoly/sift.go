package arcpoly

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A loop of an area whose box is apart from all loops of the others is neither within them nor around any: it bounds
// the result unchanged, or not at all. So only loops that are near others are resolved.

// reachOut (mm) is the distance between boxes beyond which their loops count as not touching.
const reachOut = 1e-3

// bounds returns the boxes around the loops, and the one around all.
func (a *Area) bounds() ([]box, box) {
	if a == nil {
		return nil, emptyBox
	}
	a.bounding.Do(func() {
		a.boxes, a.box = make([]box, len(a.loops)), emptyBox
		for i, l := range a.loops {
			x0, x1 := planar.ExtentAlong(l, geom.Vec2{X: 1})
			y0, y1 := planar.ExtentAlong(l, geom.Vec2{Y: 1})
			a.boxes[i] = box{x0, y0, x1, y1}
			a.box.join(a.boxes[i])
		}
	})
	return a.boxes, a.box
}

// Extent returns the corners of the rectangle around an area, mm.
func (a *Area) Extent() (lo, hi geom.Vec2) {
	_, b := a.bounds()
	return geom.Vec2{X: b.x0, Y: b.y0}, geom.Vec2{X: b.x1, Y: b.y1}
}

// sift separates each area into its loops near loops of areas of other groups, and the rest.
func sift(areas []*Area, groupOf func(i int) int) (near, far []*Area) {
	var boxes []box
	var groups []int
	for i, a := range areas {
		own, _ := a.bounds()
		boxes = append(boxes, own...)
		for range own {
			groups = append(groups, groupOf(i))
		}
	}
	var t tree
	t.fill(boxes)
	near, far = make([]*Area, len(areas)), make([]*Area, len(areas))
	for i, a := range areas {
		near[i], far[i] = &Area{}, &Area{}
		own, _ := a.bounds()
		for k, b := range own {
			b = box{b.x0 - reachOut, b.y0 - reachOut, b.x1 + reachOut, b.y1 + reachOut}
			isNear := false
			t.meeting(b, func(j int) { isNear = isNear || groups[j] != groupOf(i) && boxes[j].meets(&b) })
			to := far[i]
			if isNear {
				to = near[i]
			}
			to.loops, to.sizes = append(to.loops, a.loops[k]), append(to.sizes, a.sizes[k])
		}
	}
	return near, far
}
