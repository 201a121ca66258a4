package feature

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// Serialize reads or writes the recognition result of a part with the given number of faces. A reader checks every
// index.
func Serialize(c *pack.Archive, r *Result, faces int) {
	pack.Slice(c, &r.Directions, 1, c.Dir)
	pack.Slice(c, &r.DirectionZ, 16, func(z *geom.Interval) { c.Floats(&z.Lo, &z.Hi) })
	pack.Slice(c, &r.Features, 8, func(f *Feature) { f.code(c, faces) })
	var region int
	pack.Slice(c, &r.Unmachined, 3, func(u *Unmachined) {
		index(c, &u.Region, &region, faces)
		c.String(&u.Reason)
		c.String(&u.Detail)
	})
	var of int
	pack.Slice(c, &r.Hidden, 8, func(h *NotVisible) {
		index(c, &h.Feature, &of, len(r.Features))
		var region int
		pack.Slice(c, &h.Regions, 1, func(r *int) { index(c, r, &region, faces) })
		c.Float(&h.Area)
		c.String(&h.Reason)
		c.String(&h.Detail)
	})
}

func index(c *pack.Archive, v, before *int, length int) {
	if pack.Delta(c, v, before); c.Reading() && (*v < 0 || *v >= length) {
		c.Fail("entry %d of %d is referred to", *v, length)
	}
}

func (f *Feature) code(c *pack.Archive, faces int) {
	c.String(&f.Tag)
	pack.TypedString(c, &f.Type)
	var region int
	pack.Slice(c, &f.Regions, 1, func(r *int) { index(c, r, &region, faces) })
	c.Dir(&f.Direction)
	pack.Optional(c, &f.Axis, c.Dir)
	pack.Optional(c, &f.Hole, func(h *HoleShape) { h.code(c) })
	pack.Optional(c, &f.Pocket, func(p *PocketShape) {
		c.Flags(&p.Open, &p.Through)
		c.Float(&p.Depth)
	})
	pack.Optional(c, &f.Thread, func(t *ThreadShape) {
		c.Vec(&t.Origin)
		c.Floats(&t.Major, &t.Minor, &t.Pitch, &t.Flank, &t.Length)
		starts := int64(t.Starts)
		c.Int(&starts)
		t.Starts = int(starts)
		c.Flags(&t.Left)
	})
	c.String(&f.Rule)
	pack.Slice(c, &f.Reasons, 1, c.String)
}

func (h *HoleShape) code(c *pack.Archive) {
	c.Floats(&h.Diameter, &h.Depth)
	c.Flags(&h.Through)
	pack.TypedString(c, &h.Kind)
	c.String(&h.Bottom)
	c.Vec(&h.TopCenter)
	pack.Slice(c, &h.Segments, 33, func(s *HoleSegment) {
		c.String(&s.Shape)
		c.Floats(&s.ZMin, &s.ZMax, &s.DiameterTop, &s.DiameterBottom)
	})
	for _, b := range []**Counterbore{&h.Counterbore, &h.FarCounterbore} {
		pack.Optional(c, b, func(b *Counterbore) { c.Floats(&b.Diameter, &b.Depth) })
	}
	for _, s := range []**Countersink{&h.Countersink, &h.FarCountersink} {
		pack.Optional(c, s, func(s *Countersink) { c.Floats(&s.Diameter, &s.Angle, &s.Depth) })
	}
}
