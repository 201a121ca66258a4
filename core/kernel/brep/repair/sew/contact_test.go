package sew

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// TestContactWithGaps has boxes in contact. Their contact faces lie closer to each other than to their own boxes, so
// that every edge finds its match on the other box first.
func TestContactWithGaps(t *testing.T) {
	const off = 5e-5 // mm
	rapid.Check(t, func(rt *rapid.T) {
		boxes := rapid.IntRange(2, 4).Draw(rt, "boxes")
		b := build.New("row")
		for i := range boxes {
			looseBox(b, geom.Vec3{X: float64(i)}, unit, 1)
		}
		row := b.Model()
		m := &brep.Model{Tolerance: row.Tolerance}
		shift := geom.Vec3{X: rapid.Float64Range(-off, off).Draw(rt, "x"), Y: off,
			Z: rapid.Float64Range(0, off).Draw(rt, "z")}
		for f := range row.Faces {
			at := geom.Identity
			if k := f % 6; k == 3 && f > 6 || k == 4 && f < 6*(boxes-1) { // the ends that touch another box
				at = geom.Translation(shift)
			}
			m.Append(oneFace(row, brep.FaceID(f)), at)
		}
		m.Shells = rapid.Permutation(m.Shells).Draw(rt, "order")
		m.Link()
		r := mustSew(rt, m, Options{})
		if len(m.Solids) != boxes || r.FreeAfter != 0 || r.Multiple != 4*(boxes-1) {
			rt.Fatalf("%d solids, want %d: %+v", len(m.Solids), boxes, r)
		}
		if v := volume(rt, m); math.Abs(v-float64(boxes)) > 8*off*float64(boxes) {
			rt.Errorf("volume %g, want %d", v, boxes)
		}
	})
}

// oneFace returns a face of m alone, in a sheet.
func oneFace(m *brep.Model, f brep.FaceID) *brep.Model {
	one := &brep.Model{}
	one.Append(m, geom.Identity)
	one.Shells = []brep.Shell{{Solid: brep.None, Faces: []brep.FaceID{f}}}
	one.Solids = nil
	one.Compact()
	return one
}

// TestSlits has a box with one edge that bows away from the edge of the neighboring face.
func TestSlits(t *testing.T) {
	for _, c := range []struct {
		name   string
		size   float64 // mm
		height float64 // mm: of the bow
		closes bool
	}{
		{"narrow", 10, 0.012, true},
		{"as wide as may be", 100, 0.09, true},
		{"wider than its size explains", 100, 0.2, false},
		{"a huge part", 5000, 0.4, true},
		{"too wide for a huge part", 5000, 0.6, false},
		{"too wide for its length", 0.5, 0.06, false},
		{"too wide for the part", 10, 0.05, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := build.New(c.name)
			looseBox(b, origin, geom.Vec3{X: c.size, Y: c.size, Z: c.size}, 1)
			m := b.Model()
			bow(m, 0, c.height)
			r := mustSew(t, m, Options{})
			if c.closes != (len(m.Solids) == 1) || c.closes != (r.Slits == 1) {
				t.Fatalf("%d solids: %+v", len(m.Solids), r)
			}
			if !c.closes {
				return
			}
			if math.Abs(r.WidestSlit-c.height) > 0.1*c.height || m.Warnings[len(m.Warnings)-2].Code != ClosedGaps {
				t.Errorf("slit of %g mm, want %g; warnings %v", r.WidestSlit, c.height, m.Warnings)
			}
		})
	}
}

// bow makes an arc of a straight edge of a plane face, in the plane of the face.
func bow(m *brep.Model, id brep.EdgeID, height float64) {
	e := &m.Edges[id]
	p, q := m.Vertices[e.Start].Point, m.Vertices[e.End].Point
	half := p.Dist(q) / 2
	radius := (half*half + height*height) / (2 * height)
	normal := m.Faces[m.FaceOf(e.Coedges[0])].Surface.Normal(0, 0)
	side := normal.Cross(q.Sub(p)).Unit()
	center := p.Lerp(q, 0.5).AddScaled(radius-height, side)
	frame := geom.NewFrame(center, normal, p.Sub(center))
	angle := 2 * math.Asin(half/radius)
	if frame.Local(q).Y < 0 {
		frame = geom.NewFrame(center, normal.Neg(), p.Sub(center))
	}
	e.Curve, e.Range = curve.Circle{Frame: frame, Radius: radius}, geom.Interval{Hi: angle}
	if d := e.Curve.At(angle).Dist(q); d > 1e-9 {
		panic(fmt.Sprint("the arc ends beside its vertex: ", d))
	}
}
