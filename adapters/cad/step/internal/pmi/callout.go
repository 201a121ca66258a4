package pmi

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/thread"
)

// A callout is the drawn form of a statement: lines, arrows and glyphs. Associations link it to the statement. Only its
// text is read, if the file keeps one. A callout without a statement that was read is counted.

// calloutsOf returns the subjects of each callout.
func calloutsOf(f *part21.File) map[part21.Ref][]part21.Ref {
	shown := map[part21.Ref][]part21.Ref{}
	for _, k := range []part21.Keyword{schema.DraughtingModelItemAssociation,
		schema.DraughtingModelItemAssociationWithPlaceholder} {
		for _, ref := range f.Of(k) {
			a := f.Args(ref)
			a.Skip(2)
			what := a.OptRef()
			a.Skip(1)
			if callout := a.OptRef(); what != part21.Missing && callout != part21.Missing {
				shown[callout] = append(shown[callout], what)
			}
		}
	}
	return shown
}

// readCalls finds the texts that callouts of statements show. Of several texts, one that names a thread is preferred.
func (r *reader) readCalls(shown map[part21.Ref][]part21.Ref) {
	r.called = map[part21.Ref]string{}
	for _, ref := range r.File.Of(schema.CharacterizedItemWithinRepresentation) {
		a := r.File.Args(ref)
		a.Skip(2)
		callout, text := a.OptRef(), r.drawn(ref)
		if callout == part21.Missing || text == "" {
			continue
		}
		_, isThread := thread.Parse(text)
		for _, what := range shown[callout] {
			if r.called[what] == "" || isThread {
				r.called[what] = text
			}
		}
	}
}

// writtenNotes adds the texts of callouts without a statement as notes. Several views may show the same note.
func (r *reader) writtenNotes(shown map[part21.Ref][]part21.Ref) {
	out := &r.model.PMI
	first := len(out.Notes)
	for _, ref := range r.File.Of(schema.CharacterizedItemWithinRepresentation) {
		a := r.File.Args(ref)
		a.Skip(2)
		callout := a.OptRef()
		text := r.drawn(ref)
		if callout == part21.Missing || text == "" || slices.ContainsFunc(shown[callout],
			func(what part21.Ref) bool { return r.stated[what] }) {
			continue
		}
		n := gdt.Note{Text: text, Faces: r.facesOf(shown[callout]...), Source: r.File.ID(callout)}
		classify(&n)
		r.stated[callout] = true
		if !slices.ContainsFunc(out.Notes[first:], func(o gdt.Note) bool {
			return o.Text == n.Text && slices.Equal(o.Faces, n.Faces)
		}) {
			out.Notes = append(out.Notes, n)
		}
	}
}

// countDrawn warns of purely drawn annotations: callouts that belong to no statement.
func countDrawn(d *geometry.Document, stated map[part21.Ref]bool, shown map[part21.Ref][]part21.Ref) {
	callouts := d.File.Of(schema.DraughtingCallout)
	n := len(callouts)
	if n == 0 && len(stated) == 0 {
		n = len(all(d.File, []part21.Keyword{schema.AnnotationOccurrence, schema.AnnotationCurveOccurrence,
			schema.TessellatedAnnotationOccurrence}))
	}
	for _, c := range callouts {
		if stated[c] || slices.ContainsFunc(shown[c], func(what part21.Ref) bool { return stated[what] }) {
			n--
		}
	}
	d.Warn("pmi_only_drawn", n, "Notes or dimensions are drawn but not stated in a readable way; "+
		"they were passed over")
}
