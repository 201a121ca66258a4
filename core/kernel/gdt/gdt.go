// Package gdt represents the requirements of a part beyond its nominal shape: dimensions, geometric tolerances, datums
// and notes. Its packages thread and limit contain the standard names of screw threads and of limits and fits.
//
// Package brep imports it; here, a face is only a number. Statements must follow their faces through assembly, sewing,
// healing and compaction, and are stored with them. So a model contains its PMI, and renumbers it with its faces.
// Otherwise each of these steps and every reader would have to return a table of numbers, which callers would apply.
package gdt

import (
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Face is the number of a face in the model that carries the statements: a brep.FaceID.
type Face int32

// None is the index of an absent entity.
const None = -1

// PMI is the product and manufacturing information of a file about its faces: dimensions, tolerances, datums and notes.
// They are requirements; the geometry is nominal. Lengths are mm and angles radians. Names that the standards leave
// open (kinds, modifiers) keep the words of the standards, in lower case with blanks between the words.
type PMI struct {
	Dimensions []Dimension
	Tolerances []Tolerance
	Datums     []Datum
	Notes      []Note
}

// Indices into the arrays of a PMI; None if absent.
type (
	DatumID     int32
	ToleranceID int32
)

// Dimension is a size of a feature or a distance between two.
type Dimension struct {
	// Kind is "diameter", "radius", "spherical diameter", "thickness", "angle", "curve length", … for a
	// size, "linear distance", "angle", … for a location.
	Kind  string
	Angle bool   // values are radians, otherwise mm
	Faces []Face // of a size: the feature or all features of a pattern; of a location: where it begins
	To    []Face // of a location: where it ends; empty for a size

	// Nominal is the design value; if only limits are given, the middle between them. Lower and Upper are the permitted
	// deviations of the actual value from it, Lower ≤ Upper. HasLower and HasUpper report which of these limits exist.
	Nominal            float64
	HasNominal         bool
	Lower, Upper       float64
	HasLower, HasUpper bool
	Fit                string // deviation and grade, "H7"; Lower and Upper are its limits by ISO 286-1, if it has any

	Basic     bool     // theoretically exact: a geometric tolerance states the permitted variation
	Reference bool     // for information only
	Modifiers []string // "controlled radius", "envelope requirement", "statistical", …
	Decimals  int      // decimal places shown; None if the file does not state them
	Text      string   // as shown in the drawing, if the file states it
	Thread    *Thread  // the thread that Text designates, or nil
	Source    int64
}

// Tolerance is a geometric tolerance of form, orientation, location or run-out.
type Tolerance struct {
	Kind  string // "flatness", "position", "surface profile", "circular runout", …
	Name  string
	Faces []Face // the toleranced faces
	// AllOver: the whole part is toleranced. AllAround: the whole outline that the faces make.
	AllOver, AllAround bool
	Value              float64 // mm, the width or diameter of the zone

	Zone          string  // its form: "cylindrical or circular", "spherical", …; "" = between surfaces
	Projected     float64 // mm by which the zone projects from the feature, 0 = not
	ProjectedFrom []Face  // where the projection begins

	// Offset of the zone out of the material, mm, where HasOffset: unequally disposed.
	Offset    float64
	HasOffset bool
	Max       float64 // mm, the most that the zone may grow to with material conditions; 0 = no bound
	// PerLength and PerWidth (mm) are the size of the piece for which Value is required; 0 = the whole feature. PerArea
	// is its form: "rectangular", "circular", …
	PerLength, PerWidth float64
	PerArea             string

	Modifiers []string           // "maximum material requirement", "free state", "tangent plane", …
	Datums    []DatumCompartment // primary, secondary, tertiary
	// Refines is the tolerance that this one refines as a further line of the same frame (composite).
	Refines ToleranceID
	Text    string
	Source  int64
}

// DatumCompartment is one compartment of a frame: a datum, or several that act as one (A-B).
type DatumCompartment struct {
	Datums    []DatumElement
	Modifiers []DatumModifier
}

// DatumElement is a datum with the modifiers that apply to it alone.
type DatumElement struct {
	Datum     DatumID
	Modifiers []DatumModifier
}

// DatumModifier is a modifier of a datum; Value (mm) is 0 for modifiers without a value.
type DatumModifier struct {
	Name  string
	Value float64
}

// Datum is a reference that is set up on faces or by targets on them.
type Datum struct {
	Letter  string
	Faces   []Face
	Targets []DatumTarget
	Source  int64
}

// DatumTarget is a target of a datum: a point, a line or an area that establishes it.
type DatumTarget struct {
	Kind  string // "point", "line", "rectangle", "circle", "circular curve", "area"
	Name  string // "A1"
	Faces []Face
	// Frame is the placement of the target, if HasFrame: z points out of the material, x along its length.
	Frame         geom.Frame
	HasFrame      bool
	Length, Width float64 // mm: of a line the length, of a circle the diameter in both
	Source        int64
}

// NoteKind is the subject of a note.
type NoteKind string

// The kinds of notes.
const (
	NoteText      NoteKind = "note"
	NoteThread    NoteKind = "thread"
	NoteSurface   NoteKind = "surface texture"
	NoteAttribute NoteKind = "attribute" // a property that a user attached
)

// Note is a text about faces, or about the whole part if it has no faces.
type Note struct {
	Kind   NoteKind
	Name   string
	Text   string
	Thread *Thread // the thread that a thread note designates; nil if it is unknown
	Faces  []Face
	Source int64
}

// Thread is the content of a screw thread designation.
type Thread struct {
	Series   string  // "M", "MJ", "Tr", "UNC", "UNF", "G", "Rc", "NPT", …
	Diameter float64 // mm, nominal major diameter
	Pitch    float64 // mm from crest to crest; 0 if neither the note nor its standard states it
	Starts   int     // threads side by side: the lead is Starts times the pitch
	Class    string  // "6H", "4H5H", "6H/6g", "2B", "A"; "" if not stated
	Left     bool    // left-handed
	Tapered  bool
	Inch     bool    // designated in inches
	Depth    float64 // mm; 0 if not stated
	Places   int     // the number of places in the note, 1 if it has no number
}

// Empty reports whether there is no statement.
func (p *PMI) Empty() bool {
	return len(p.Dimensions)+len(p.Tolerances)+len(p.Datums)+len(p.Notes) == 0
}

// Append adds a copy of src, moved by t. Its faces are numbered from base on.
func (p *PMI) Append(src *PMI, t geom.Transform, base Face) {
	if src.Empty() {
		return
	}
	scale := t.Scale()
	datums, tolerances := DatumID(len(p.Datums)), ToleranceID(len(p.Tolerances))
	for _, d := range src.Dimensions {
		d.Faces, d.To = raised(d.Faces, base), raised(d.To, base)
		if !d.Angle {
			d.Nominal, d.Lower, d.Upper = d.Nominal*scale, d.Lower*scale, d.Upper*scale
		}
		p.Dimensions = append(p.Dimensions, d)
	}
	for _, g := range src.Tolerances {
		g.Faces, g.ProjectedFrom = raised(g.Faces, base), raised(g.ProjectedFrom, base)
		for _, length := range []*float64{
			&g.Value, &g.Projected, &g.Offset, &g.Max, &g.PerLength, &g.PerWidth,
		} {
			*length *= scale
		}
		if g.Refines != None {
			g.Refines += tolerances
		}
		g.Datums = renumbered(g.Datums, datums, scale)
		p.Tolerances = append(p.Tolerances, g)
	}
	for _, d := range src.Datums {
		d.Faces = raised(d.Faces, base)
		d.Targets = moved(d.Targets, t, base)
		p.Datums = append(p.Datums, d)
	}
	for _, n := range src.Notes {
		n.Faces = raised(n.Faces, base)
		p.Notes = append(p.Notes, n)
	}
}

// renumbered returns a copy of references whose datums are numbered from base on.
func renumbered(refs []DatumCompartment, base DatumID, scale float64) []DatumCompartment {
	if refs == nil {
		return nil
	}
	out := make([]DatumCompartment, len(refs))
	for i, r := range refs {
		out[i].Modifiers = scaled(r.Modifiers, scale)
		out[i].Datums = make([]DatumElement, len(r.Datums))
		for j, u := range r.Datums {
			out[i].Datums[j] = DatumElement{u.Datum + base, scaled(u.Modifiers, scale)}
		}
	}
	return out
}

func scaled(modifiers []DatumModifier, scale float64) []DatumModifier {
	if modifiers == nil {
		return nil
	}
	out := make([]DatumModifier, len(modifiers))
	for i, m := range modifiers {
		out[i] = DatumModifier{m.Name, m.Value * scale}
	}
	return out
}

// moved returns a copy of targets, moved with their faces.
func moved(targets []DatumTarget, t geom.Transform, base Face) []DatumTarget {
	if targets == nil {
		return nil
	}
	out := make([]DatumTarget, len(targets))
	for i, target := range targets {
		target.Faces = raised(target.Faces, base)
		target.Length *= t.Scale()
		target.Width *= t.Scale()
		if target.HasFrame {
			target.Frame = target.Frame.Transform(t)
		}
		out[i] = target
	}
	return out
}

// raised returns a copy of faces, each number raised by base.
func raised(faces []Face, base Face) []Face {
	out := slices.Clone(faces)
	for i := range out {
		out[i] += base
	}
	return out
}

// Renumber gives the faces the numbers returned by to, and removes the faces that do not remain.
func (p *PMI) Renumber(to func(Face) (number Face, remains bool)) {
	p.eachFaces(func(list *[]Face) {
		if *list == nil {
			return
		}
		kept := make([]Face, 0, len(*list))
		for _, f := range *list {
			if number, remains := to(f); remains {
				kept = append(kept, number)
			}
		}
		*list = kept
	})
}

// eachFaces calls do for every list of faces in a PMI.
func (p *PMI) eachFaces(do func(*[]Face)) {
	for i := range p.Dimensions {
		do(&p.Dimensions[i].Faces)
		do(&p.Dimensions[i].To)
	}
	for i := range p.Tolerances {
		do(&p.Tolerances[i].Faces)
		do(&p.Tolerances[i].ProjectedFrom)
	}
	for i := range p.Datums {
		do(&p.Datums[i].Faces)
		for k := range p.Datums[i].Targets {
			do(&p.Datums[i].Targets[k].Faces)
		}
	}
	for i := range p.Notes {
		do(&p.Notes[i].Faces)
	}
}
