package iges

import (
	"context"

	"millwright/adapters/cad/iges/deck"
	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/service"
)

// item is a body or face of the part and where it stands.
type item struct {
	e  *deck.Entity
	at geom.Transform
}

// roots lists what the part is made of: every visible body and face that is no mere ingredient of another
// entity, and what the instances of subfigures and assemblies repeat.
func (r *reader) roots(ctx context.Context) ([]item, error) {
	var items []item
	hidden, others := 0, 0
	for i := range r.file.Entities {
		e := &r.file.Entities[i]
		switch {
		case e.Type == 0 || e.Status.Subordinate.Physical():
			continue
		case e.Status.Blank != 0:
			if isBody(e) {
				hidden++
			}
			continue
		case e.Status.Use == deck.UseDefinition || e.Status.Use == deck.UseParametric:
			continue
		case isBody(e):
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			var err error
			if items, err = r.place(items, e, geom.Identity); err != nil {
				return nil, err
			}
		case e.Type >= 150 && e.Type <= 184:
			others++
		}
	}
	r.countLeftOut(hidden, "hidden_geometry", "%d hidden bodies and surfaces were left out")
	r.countLeftOut(others, "constructive_solids", "%d constructive solids cannot be read and were left out")
	return items, nil
}

func (r *reader) countLeftOut(n int, code, format string) {
	if n > 0 {
		r.warn(code, format, n)
		r.warnings[r.counted[code]].Count = n
	}
}

// isBody reports whether an entity gives solids or faces.
func isBody(e *deck.Entity) bool {
	return e.Type == 186 || e.Type == 408 || e.Type == 184 || e.Type == 430 || isFace(e)
}

// maxItems bounds the bodies and faces after all instances are resolved.
const maxItems = 1 << 20

// place adds an entity and what it repeats.
func (r *reader) place(items []item, e *deck.Entity, at geom.Transform) ([]item, error) {
	if err := r.enter(e); err != nil {
		return nil, err
	}
	defer r.leave()
	p := r.file.Params(e)
	switch e.Type {
	case 408:
		return r.instance(items, e, at)
	case 184:
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
				own, err := r.matrix(m)
				if err != nil {
					return nil, err
				}
				t = t.Mul(own)
			}
			if items, err = r.place(items, part, t); err != nil {
				return nil, err
			}
		}
		return items, nil
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
		return nil, &service.Failure{Code: "too_complex", Reason: "The file repeats its parts too often."}
	}
	return append(items, item{e, at}), nil
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
		if member.Status.Blank != 0 {
			continue
		}
		if items, err = r.place(items, member, t); err != nil {
			return nil, err
		}
	}
	return items, d.Err()
}

// build makes the model of all items: solids with shells of their own, and one sheet of all loose faces.
func (r *reader) build(ctx context.Context, items []item) (*brep.Model, error) {
	m := &brep.Model{}
	drafts := map[*deck.Entity]*brep.Model{} // of what stands somewhere else than it is defined
	for _, it := range items {
		if it.e.Type != 186 {
			continue
		}
		if err := r.add(ctx, m, it, drafts, r.solid); err != nil {
			return nil, err
		}
	}
	sheet := len(m.Shells)
	m.Shells = append(m.Shells, brep.Shell{})
	for _, it := range items {
		if it.e.Type == 186 {
			continue
		}
		if err := r.add(ctx, m, it, drafts, r.face); err != nil {
			return nil, err
		}
	}
	gather(m, sheet)
	m.Link()
	return m, nil
}

// gather makes one of the sheets from first on, and none of no faces.
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

// add adds an item to m with the function that reads it.
func (r *reader) add(ctx context.Context, m *brep.Model, it item, drafts map[*deck.Entity]*brep.Model,
	read func(*brep.Model, *deck.Entity) error,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if it.at == geom.Identity {
		return read(m, it.e)
	}
	draft, ok := drafts[it.e]
	if !ok {
		draft = &brep.Model{}
		if it.e.Type != 186 {
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
