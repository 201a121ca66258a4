package codec

import (
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// pmi serializes the PMI of the faces.
func (c *coder) pmi() {
	const least = 4 // bytes of any statement
	p := &c.m.PMI
	pack.Slice(c.Archive, &p.Dimensions, least, c.dimension)
	pack.Slice(c.Archive, &p.Datums, least, c.datum) // before the entities that refer to them
	pack.Slice(c.Archive, &p.Tolerances, least, c.tolerance)
	pack.Slice(c.Archive, &p.Notes, least, c.note)
}

// on serializes the faces of a statement.
func (c *coder) on(faces *[]gdt.Face) {
	var before gdt.Face
	pack.Slice(c.Archive, faces, 1, func(f *gdt.Face) { id(c, f, &before, c.size.Faces) })
}

func (c *coder) words(list *[]string) { pack.Slice(c.Archive, list, 1, c.String) }

func (c *coder) dimension(d *gdt.Dimension) {
	c.String(&d.Kind)
	c.on(&d.Faces)
	c.on(&d.To)
	c.Flags(&d.Angle, &d.HasNominal, &d.HasLower, &d.HasUpper, &d.Basic, &d.Reference)
	c.Floats(&d.Nominal, &d.Lower, &d.Upper)
	c.String(&d.Fit)
	c.words(&d.Modifiers)
	pack.Integer(c.Archive, &d.Decimals)
	c.String(&d.Text)
	pack.Optional(c.Archive, &d.Thread, c.thread)
	pack.Integer(c.Archive, &d.Source)
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
	pack.Slice(c.Archive, &t.Datums, 2, c.reference)
	var before gdt.ToleranceID
	option(c, &t.Refines, &before, len(c.m.PMI.Tolerances))
	c.String(&t.Text)
	pack.Integer(c.Archive, &t.Source)
}

func (c *coder) reference(r *gdt.DatumCompartment) {
	pack.Slice(c.Archive, &r.Datums, 2, func(u *gdt.DatumElement) {
		var before gdt.DatumID
		id(c, &u.Datum, &before, len(c.m.PMI.Datums))
		c.modifiers(&u.Modifiers)
	})
	c.modifiers(&r.Modifiers)
}

func (c *coder) modifiers(list *[]gdt.DatumModifier) {
	pack.Slice(c.Archive, list, 9, func(m *gdt.DatumModifier) {
		c.String(&m.Name)
		c.Float(&m.Value)
	})
}

func (c *coder) datum(d *gdt.Datum) {
	c.String(&d.Letter)
	c.on(&d.Faces)
	pack.Slice(c.Archive, &d.Targets, 20, func(t *gdt.DatumTarget) {
		c.String(&t.Kind)
		c.String(&t.Name)
		c.on(&t.Faces)
		if c.Flags(&t.HasFrame); t.HasFrame {
			c.Frame(&t.Frame)
		}
		c.Floats(&t.Length, &t.Width)
		pack.Integer(c.Archive, &t.Source)
	})
	pack.Integer(c.Archive, &d.Source)
}

func (c *coder) note(n *gdt.Note) {
	pack.TypedString(c.Archive, &n.Kind)
	c.String(&n.Name)
	c.String(&n.Text)
	pack.Optional(c.Archive, &n.Thread, c.thread)
	c.on(&n.Faces)
	pack.Integer(c.Archive, &n.Source)
}

func (c *coder) thread(t *gdt.Thread) {
	c.String(&t.Series)
	c.Floats(&t.Diameter, &t.Pitch, &t.Depth)
	pack.Integer(c.Archive, &t.Starts)
	c.String(&t.Class)
	c.Flags(&t.Left, &t.Tapered, &t.Inch)
	pack.Integer(c.Archive, &t.Places)
}
