package codec

import (
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// pmi codes what is stated about the faces.
func (c *coder) pmi() {
	const least = 4 // bytes of any statement
	p := &c.m.PMI
	pack.Slice(c.Coder, &p.Dimensions, least, c.dimension)
	pack.Slice(c.Coder, &p.Datums, least, c.datum) // before those that refer to them
	pack.Slice(c.Coder, &p.Tolerances, least, c.tolerance)
	pack.Slice(c.Coder, &p.Notes, least, c.note)
}

// on codes the faces that something is stated about.
func (c *coder) on(faces *[]gdt.Face) {
	var before gdt.Face
	pack.Slice(c.Coder, faces, 1, func(f *gdt.Face) { id(c, f, &before, c.size.Faces) })
}

func (c *coder) words(list *[]string) { pack.Slice(c.Coder, list, 1, c.String) }

func (c *coder) dimension(d *gdt.Dimension) {
	c.String(&d.Kind)
	c.on(&d.Faces)
	c.on(&d.To)
	c.Flags(&d.Angle, &d.HasNominal, &d.HasLower, &d.HasUpper, &d.Basic, &d.Reference)
	c.Floats(&d.Nominal, &d.Lower, &d.Upper)
	c.String(&d.Fit)
	c.words(&d.Modifiers)
	pack.Small(c.Coder, &d.Decimals)
	c.String(&d.Text)
	pack.Optional(c.Coder, &d.Thread, c.thread)
	pack.Small(c.Coder, &d.Source)
}

func (c *coder) tolerance(t *gdt.Tolerance) {
	c.String(&t.Kind)
	c.String(&t.Name)
	c.on(&t.Faces)
	c.Flags(&t.AllOver, &t.AllAround, &t.HasOffset)
	c.Float(&t.Value)
	c.String(&t.Zone)
	c.Float(&t.Projected)
	c.on(&t.ProjectedFrom)
	c.Floats(&t.Offset, &t.Max, &t.PerLength, &t.PerWidth)
	c.String(&t.PerArea)
	c.words(&t.Modifiers)
	pack.Slice(c.Coder, &t.Datums, 2, c.reference)
	var before gdt.ToleranceID
	option(c, &t.Refines, &before, len(c.m.PMI.Tolerances))
	c.String(&t.Text)
	pack.Small(c.Coder, &t.Source)
}

func (c *coder) reference(r *gdt.DatumReference) {
	pack.Slice(c.Coder, &r.Datums, 2, func(u *gdt.DatumUse) {
		var before gdt.DatumID
		id(c, &u.Datum, &before, len(c.m.PMI.Datums))
		c.modifiers(&u.Modifiers)
	})
	c.modifiers(&r.Modifiers)
}

func (c *coder) modifiers(list *[]gdt.DatumModifier) {
	pack.Slice(c.Coder, list, 9, func(m *gdt.DatumModifier) {
		c.String(&m.Name)
		c.Float(&m.Value)
	})
}

func (c *coder) datum(d *gdt.Datum) {
	c.String(&d.Letter)
	c.on(&d.Faces)
	pack.Slice(c.Coder, &d.Targets, 20, func(t *gdt.DatumTarget) {
		c.String(&t.Kind)
		c.String(&t.Name)
		c.on(&t.Faces)
		if c.Flags(&t.HasFrame); t.HasFrame {
			c.Frame(&t.Frame)
		}
		c.Floats(&t.Length, &t.Width)
		pack.Small(c.Coder, &t.Source)
	})
	pack.Small(c.Coder, &d.Source)
}

func (c *coder) note(n *gdt.Note) {
	pack.Text(c.Coder, &n.Kind)
	c.String(&n.Name)
	c.String(&n.Text)
	pack.Optional(c.Coder, &n.Thread, c.thread)
	c.on(&n.Faces)
	pack.Small(c.Coder, &n.Source)
}

func (c *coder) thread(t *gdt.Thread) {
	c.String(&t.Series)
	c.Floats(&t.Diameter, &t.Pitch, &t.Depth)
	pack.Small(c.Coder, &t.Starts)
	c.String(&t.Class)
	c.Flags(&t.Left, &t.Tapered, &t.Inch)
	pack.Small(c.Coder, &t.Places)
}
