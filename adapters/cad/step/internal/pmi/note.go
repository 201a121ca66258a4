package pmi

import (
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/thread"
)

// property is a property definition with its representations.
type property struct {
	ref             part21.Ref
	name            string
	representations []part21.Ref
}

// readProperties finds the properties of everything.
func (r *reader) readProperties() {
	r.properties = map[part21.Ref][]property{}
	reps := map[part21.Ref][]part21.Ref{}
	for _, k := range []part21.Keyword{schema.PropertyDefinitionRepresentation,
		schema.ShapeDefinitionRepresentation} {
		for _, ref := range r.File.Of(k) {
			a := r.File.Args(ref)
			if what, rep := a.OptRef(), a.OptRef(); what != part21.Missing && rep != part21.Missing {
				reps[what] = append(reps[what], rep)
			}
		}
	}
	for _, ref := range r.File.Of(schema.PropertyDefinition) {
		a := r.File.Args(ref)
		name := normal(a.Text())
		a.Skip(1)
		if of := a.OptRef(); of != part21.Missing {
			r.properties[of] = append(r.properties[of], property{ref, name, reps[ref]})
			if r.isNote(name, ref, of) {
				r.notes = append(r.notes, ref)
			}
		}
	}
	r.readOldUsages()
}

// readOldUsages ties faces to aspects as the schemas before AP242 do: a property of the aspect has them as
// the items of its shape.
func (r *reader) readOldUsages() {
	for _, ref := range r.File.Of(schema.ShapeDefinitionRepresentation) {
		a := r.File.Args(ref)
		what, rep := a.OptRef(), a.OptRef()
		if what == part21.Missing || rep == part21.Missing ||
			r.File.Keyword(what) != schema.PropertyDefinition {
			continue
		}
		b := r.File.Args(what)
		b.Skip(2)
		aspect := b.OptRef()
		if aspect == part21.Missing {
			continue
		}
		for _, item := range r.itemsIn(rep) {
			switch r.File.Keyword(item) {
			case schema.AdvancedFace, schema.FaceSurface, schema.EdgeCurve, schema.ManifoldSolidBrep,
				schema.BrepWithVoids, schema.ClosedShell, schema.OpenShell:
				r.items[aspect] = append(r.items[aspect], item)
			}
		}
	}
}

// isNote reports whether a property is a note or attribute: a text about the part or an aspect of it, or a property
// that a user attached to faces. Validation properties and shapes of parts do not count.
func (r *reader) isNote(name string, ref, of part21.Ref) bool {
	if name == "" || strings.HasSuffix(name, "validation property") {
		return false
	}
	if len(r.items[ref]) > 0 {
		return true // the property itself is tied to faces
	}
	if r.File.Keyword(of) == schema.ProductDefinitionShape {
		return name == "semantic text"
	}
	_, isAspect := r.File.Partial(of, schema.ShapeAspect)
	isFeature := r.File.Keyword(of) == schema.Thread || r.isAny(of, schema.HoleOccurrences)
	return isAspect || isFeature || len(r.items[of])+len(r.parts[of]) > 0
}

// drawn returns the text that the drawing shows for a statement, where the file keeps it.
func (r *reader) drawn(statement part21.Ref) string {
	for _, p := range r.properties[statement] {
		if p.name != "pmi validation property" {
			continue
		}
		for _, rep := range p.representations {
			for _, item := range r.itemsIn(rep) {
				if r.File.Keyword(item) != schema.DescriptiveRepresentationItem {
					continue
				}
				a := r.File.Args(item)
				if normal(a.Text()) == "equivalent unicode string" {
					return plain(a.Text())
				}
			}
		}
	}
	return ""
}

// plain converts an "equivalent unicode string" into the visible text. It begins with the type of its source (DIM, FCF,
// TXT, …). In it \w ends a cell, \n a line, and other letters after a backslash are layout.
func plain(text string) string {
	if kind, rest, ok := strings.Cut(text, `\`); ok && len(kind) == len("DIM") {
		text = `\` + rest
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 'w':
			b.WriteByte(' ')
		case 'n':
			b.WriteByte('\n')
		}
	}
	return strings.TrimSpace(b.String())
}

// itemsIn returns the items of a representation.
func (r *reader) itemsIn(rep part21.Ref) []part21.Ref {
	a := r.File.Args(rep)
	if r.File.IsComplex(rep) {
		a, _ = r.File.Partial(rep, schema.Representation)
	}
	a.Skip(1)
	return refs(&a)
}

// text returns the text of a descriptive item.
func (r *reader) text(item part21.Ref) (text string, ok bool) {
	if r.File.Keyword(item) != schema.DescriptiveRepresentationItem {
		return "", false
	}
	a := r.File.Args(item)
	a.Skip(1)
	return a.Text(), true
}

// lineBreak is some writers' mark that the next text of a list is on another line.
const lineBreak = "/n"

// note reads a note or attribute; ok is false when it has no text.
func (r *reader) note(ref part21.Ref) (n gdt.Note, ok bool) {
	a := r.File.Args(ref)
	n.Name = a.Text()
	a.Skip(1)
	of := a.OptRef()
	n.Source = r.File.ID(ref)
	var lines []string
	for _, p := range r.properties[of] {
		if p.ref != ref {
			continue
		}
		for _, rep := range p.representations {
			for _, item := range r.flat(r.itemsIn(rep), 0) {
				if text, isText := r.text(item); isText {
					lines = append(lines, text)
				} else if m, isMeasure := r.measure(item); isMeasure {
					lines = append(lines, value(m))
				}
			}
		}
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == lineBreak })
	n.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	n.Faces = r.facesOf(of, ref)
	if classify(&n); r.File.Keyword(of) == schema.Thread {
		n.Kind = gdt.NoteThread
	}
	return n, n.Text != ""
}

// value spells a measure with its unit.
func value(m measure) string {
	unit := " mm"
	if m.isAngle {
		unit = " rad"
	}
	return strconv.FormatFloat(m.value, 'g', -1, 64) + unit
}

// classify sets the subject of a note by its name and text, and reads the thread that it calls out.
func classify(n *gdt.Note) {
	name := normal(n.Name)
	call, isThread := thread.Parse(n.Text)
	switch {
	case strings.Contains(name, "thread") || strings.Contains(name, "tapped") || isThread:
		n.Kind = gdt.NoteThread
		if isThread {
			n.Thread = &call
		}
	case strings.Contains(name, "roughness") || strings.Contains(name, "surface texture") ||
		strings.Contains(name, "surface finish") || strings.Contains(name, "surface condition"):
		n.Kind = gdt.NoteSurface
	case name == "semantic text" || name == "note" || name == "":
		n.Kind = gdt.NoteText
	default:
		n.Kind = gdt.NoteAttribute
	}
}
