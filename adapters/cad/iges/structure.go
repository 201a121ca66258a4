package iges

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// item is a body or face of the part and where it stands.
type item struct {
	e  *deck.Entity
	at geom.Transform
}

// roots lists the items of the part: every visible body and face that is not an ingredient of another entity, and the
// copies by instances of subfigures and assemblies. If everything is blanked, everything counts as visible.
//
// References to an entity make it an ingredient, not only its subordinate switch: some writers leave it at zero
// everywhere, others set it on the members of groups (402), which are independent.
func (r *reader) roots(ctx context.Context) ([]item, error) {
	said := len(r.warnings)
	counted := maps.Clone(r.counted)
	items, err := r.shown(ctx)
	if err == nil && len(items) == 0 && r.hidden > 0 {
		r.warnings, r.counted, r.showsBlanked = r.warnings[:said], counted, true
		r.warn("all_hidden", "Everything in the file is blanked (hidden); it was read anyway")
		items, err = r.shown(ctx)
	}
	return items, err
}

// shown lists the roots that are not blanked, or all.
func (r *reader) shown(ctx context.Context) ([]item, error) {
	var items []item
	used := r.ingredients()
	solids, notes, private := 0, 0, 0
	r.hidden = 0
	for i := range r.file.Entities {
		e := &r.file.Entities[i]
		switch {
		case used[e.DE] || e.Status.Subordinate.Physical() && (isSurface(e.Type) || !isBody(e)):
		case r.isHidden(e):
			if isBody(e) {
				r.hidden++
			}
		case e.Status.Use == deck.UseDefinition || e.Status.Use == deck.UseParametric:
		case isBody(e):
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			more, err := r.place(items, e, geom.Identity)
			if err != nil && !r.skipShape(err) {
				return nil, err
			}
			if len(more) > len(items) { // the items before the damage
				items = more
			}
		case e.Type >= 150 && e.Type <= 182:
			solids++
		case e.Type >= 202 && e.Type <= 230 || e.Type == 404 || e.Type == 410:
			notes++
		case e.Type >= firstPrivate:
			private++
		}
	}
	r.countLeftOut(r.hidden, "hidden_geometry", "%d hidden bodies and surfaces were left out")
	r.countLeftOut(solids, "constructive_solids", "%d constructive solids cannot be read and were left out")
	r.countLeftOut(notes, "annotation", "%d dimensions, notes, symbols, views and drawings were left out")
	r.countLeftOut(private, "private_entities", "%d entities of the sending system's own kinds were left out")
	return items, nil
}

// isHidden reports whether an entity is left out because its writer hid it.
func (r *reader) isHidden(e *deck.Entity) bool { return e.Status.Blank != 0 && !r.showsBlanked }

// firstPrivate is the first entity number reserved for writers.
const firstPrivate = 5001

// ingredients returns the entities that are parts of other entities.
func (r *reader) ingredients() map[int32]bool {
	used := map[int32]bool{}
	for i := range r.file.Entities {
		e := &r.file.Entities[i]
		p := r.file.Params(e)
		each, step := 1, 1
		switch e.Type {
		case 144, 510:
		case 142, 143:
			p.Skip(1)
		case 141:
			p.Skip(2)
		case 140:
			p.Skip(4)
		case 430, 408:
		case 308:
			p.Skip(2)
			each = p.Count(1)
		case 184:
			each = p.Count(2)
		case 514:
			each, step = p.Count(2), 2
		case 186:
			used[int32(p.Pointer())] = true
			p.Skip(1)
			each, step = p.Count(2), 2
		default:
			continue
		}
		for range each {
			if de := p.Pointer(); de != int(e.DE) {
				used[int32(de)] = true
			}
			p.Skip(step - 1)
		}
	}
	return used
}

func (r *reader) countLeftOut(n int, code, format string) {
	if n > 0 {
		r.warn(code, format, n)
		r.warnings[r.counted[code]].Count = n
	}
}

// isBody reports whether an entity gives solids or faces.
func isBody(e *deck.Entity) bool {
	switch e.Type {
	case 186, 514, 510, 408, 184, 430, 416:
		return true
	}
	return isFace(e)
}

// Limits after all instances are resolved, above real parts and the same as for STEP. They bound the memory for a
// crafted file.
const (
	maxItems = 1 << 18
	maxFaces = 1 << 19
)

// place adds an entity, or the items of an assembly or instance.
func (r *reader) place(items []item, e *deck.Entity, at geom.Transform) ([]item, error) {
	if err := r.enter(e); err != nil {
		return nil, err
	}
	defer r.popEntity()
	p := r.file.Params(e)
	switch e.Type {
	case 416:
		r.external(e)
		return items, nil
	case 408:
		return r.instance(items, e, at)
	case 184:
		return r.assembly(items, e, at)
	case 430:
		part, err := r.at(e, p.Pointer())
		if err != nil {
			return nil, err
		}
		own, err := r.placement(e)
		if err != nil {
			return nil, err
		}
		return r.place(items, part, at.Mul(own))
	}
	if !isBody(e) {
		return items, nil
	}
	if len(items) >= maxItems {
		return nil, &fault.Error{Code: fault.TooComplex, Reason: "The file repeats its parts too often."}
	}
	return append(items, item{e, at}), nil
}

// external warns of a reference to an entity in another file (416).
func (r *reader) external(e *deck.Entity) {
	p := r.file.Params(e)
	file := p.Text() // forms 3 and 4 name the entity instead of a file
	if p.Err() != nil || file == "" {
		file = "unknown"
	}
	r.warn("external_reference", "%s stands for a part in another file (%q), which was left out; export the "+
		"assembly as one file", deck.Describe(e), file)
}

// assembly adds the bodies of a solid assembly (184), each with its matrix.
func (r *reader) assembly(items []item, e *deck.Entity, at geom.Transform) ([]item, error) {
	p := r.file.Params(e)
	n := p.Count(2)
	parts, places := make([]int, n), make([]int, n)
	for i := range parts {
		parts[i] = p.Pointer()
	}
	for i := range places {
		places[i] = p.Pointer()
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	own, err := r.placement(e)
	if err != nil {
		return nil, err
	}
	for i, de := range parts {
		part, err := r.at(e, de)
		if err != nil {
			return nil, err
		}
		t := at.Mul(own)
		if places[i] != 0 {
			m, err := r.atKind(e, places[i], 124)
			if err != nil {
				return nil, err
			}
			moved, err := r.chain(m)
			if err != nil {
				return nil, err
			}
			t = t.Mul(moved)
		}
		if items, err = r.place(items, part, t); err != nil {
			return items, err
		}
	}
	return items, nil
}

// instance adds the members of the subfigure definition (308) that an instance (408) repeats.
func (r *reader) instance(items []item, e *deck.Entity, at geom.Transform) ([]item, error) {
	p := r.file.Params(e)
	of := p.Pointer()
	shift, scale := r.point(&p), p.RealOr(1)
	if err := p.Err(); err != nil {
		return nil, err
	}
	if scale == 0 || !(geom.Vec3{X: scale}).IsFinite() || !shift.IsFinite() {
		return nil, deck.Fail(e, "has no valid position or scale")
	}
	own, err := r.placement(e)
	if err != nil {
		return nil, err
	}
	if elsewhere, ok := r.file.At(of); ok && elsewhere.Type == 416 {
		r.external(elsewhere)
		return items, nil
	}
	def, err := r.atKind(e, of, 308)
	if err != nil {
		return nil, err
	}
	t := at.Mul(own).Mul(geom.Translation(shift)).Mul(geom.Scaling(scale))
	d := r.file.Params(def)
	d.Skip(2) // depth, name
	for range d.Count(1) {
		member, err := r.at(def, d.Pointer())
		if err != nil {
			return nil, err
		}
		if r.isHidden(member) {
			r.hidden++
			continue
		}
		if items, err = r.place(items, member, t); err != nil {
			return items, err
		}
	}
	return items, d.Err()
}

// build makes the model of all items: solids and open shells as in the file, and one sheet of all loose faces. An
// unreadable face is left out with a warning, unless there is no other face.
func (r *reader) build(ctx context.Context, items []item) (*brep.Model, error) {
	m := &brep.Model{Numbering: "D"}
	drafts := map[*deck.Entity]*brep.Model{} // of items with a placement other than that of their definition
	var lost error
	for _, it := range items {
		read := r.shells
		switch it.e.Type {
		case 186:
			read = r.solid
		case 514, 510:
		default:
			continue
		}
		if err := r.add(ctx, m, it, drafts, read); err != nil && !r.skipShape(err) {
			return nil, err
		} else if err != nil {
			lost = cmp.Or(lost, err)
		}
	}
	var unusable []*fault.Error
	sheet := len(m.Shells)
	m.Shells = append(m.Shells, brep.Shell{})
	for _, it := range items {
		switch it.e.Type {
		case 186, 514, 510:
			continue
		}
		err := r.add(ctx, m, it, drafts, r.face)
		var failure *fault.Error
		if errors.As(err, &failure) && failure.Code == "unreadable_file" {
			unusable = append(unusable, failure)
		} else if err != nil {
			return nil, err
		}
	}
	if len(m.Faces) == 0 && len(unusable) > 0 {
		return nil, unusable[0]
	}
	if len(m.Faces) == 0 && lost != nil {
		return nil, lost
	}
	for _, u := range unusable {
		w := fault.Warnf(brep.SkippedFace, 1, "A surface was left out: %s", u.Reason)
		w.Entity = u.Entity
		r.note(w)
	}
	gather(m, sheet)
	m.Link()
	return m, nil
}

// gather merges the sheets from index first on into one, or removes them if they have no faces.
func gather(m *brep.Model, first int) {
	all := &m.Shells[first]
	for _, s := range m.Shells[first+1:] {
		all.Faces = append(all.Faces, s.Faces...)
	}
	m.Shells = m.Shells[:first+1]
	if len(m.Shells[first].Faces) == 0 {
		m.Shells = m.Shells[:first]
	}
}

// add adds an item to m with the reader function of its type.
func (r *reader) add(ctx context.Context, m *brep.Model, it item, drafts map[*deck.Entity]*brep.Model,
	read func(*brep.Model, *deck.Entity) error,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(m.Faces) >= maxFaces {
		return fault.Errorf(fault.TooComplex, "The IGES file has more than %d faces.", maxFaces)
	}
	if it.at == geom.Identity {
		return read(m, it.e)
	}
	draft, ok := drafts[it.e]
	if !ok {
		draft = &brep.Model{}
		if isFace(it.e) {
			draft.Shells = []brep.Shell{{}}
		}
		if err := read(draft, it.e); err != nil {
			return err
		}
		draft.Link()
		drafts[it.e] = draft
	}
	m.Append(draft, it.at)
	return nil
}
