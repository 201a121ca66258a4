package step

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// If a solid, a shell or a face is unusable, its parts are still in the file, unreferenced: a shell without a solid,
// faces without a shell, a surface without a face. A sound file may contain such entities too. They are therefore used
// only where damage removed their possible users.

// unreferenced are the entities that no instance refers to, in file order.
type unreferenced struct{ shells, sheets, faces, surfaces []part21.Ref } // sheets: open shells

// findUnreferenced searches the file once, on first use.
func (d *document) findUnreferenced() *unreferenced {
	if d.unreferenced != nil {
		return d.unreferenced
	}
	used := map[part21.Ref]bool{}
	refer := func(a part21.Args) {
		for a.More() {
			used[a.OptRef()] = true
		}
	}
	all := &unreferenced{}
	for r := range d.File.All() {
		k := d.Kind(r, itemKinds)
		a := d.Own(r, k)
		switch k {
		case schema.ManifoldSolidBrep, schema.FacetedBrep:
			used[a.OptRef()] = true
		case schema.BrepWithVoids:
			if b, ok := d.File.Partial(r, schema.ManifoldSolidBrep); ok && d.File.IsComplex(r) {
				used[b.OptRef()] = true
			} else {
				used[a.OptRef()] = true
			}
			refer(a.List())
		case schema.OrientedClosedShell, schema.OrientedOpenShell, schema.OrientedFace:
			a.Skip(1) // the repeated attribute
			used[a.OptRef()] = true
		case schema.ShellBasedSurfaceModel, schema.FaceBasedSurfaceModel, schema.ConnectedFaceSet:
			refer(a.List())
		case schema.OpenShell:
			all.sheets = append(all.sheets, r)
			refer(a.List())
		case schema.ClosedShell:
			all.shells = append(all.shells, r)
			refer(a.List())
		case schema.AdvancedFace, schema.FaceSurface:
			all.faces = append(all.faces, r)
			a.Skip(1) // its bounds
			used[a.OptRef()] = true
		default:
			if d.IsSurface(r) {
				all.surfaces = append(all.surfaces, r)
			}
		}
	}
	isUsed := func(r part21.Ref) bool { return used[r] }
	for _, list := range []*[]part21.Ref{&all.shells, &all.sheets, &all.faces, &all.surfaces} {
		*list = slices.DeleteFunc(*list, isUsed)
	}
	d.unreferenced = all
	return all
}

// addStrays adds the solids that no instance refers to. If damage lost shapes and nothing is placed, they keep their
// coordinates, and shells that no solid refers to are added too. Otherwise they get the places of the only product
// without a shape.
func (s *structure) addStrays() {
	isLost := (s.lost != nil || s.lacksItem) && len(s.placed) == 0
	places := s.empty
	if s.empty = nil; isLost {
		places = []level{{at: geom.Identity}}
	} else if s.lost != nil || len(s.instances) == 0 ||
		slices.ContainsFunc(places, func(l level) bool { return l.rep != places[0].rep }) {
		return
	}
	if len(places) == 0 {
		return
	}
	var solids []part21.Ref
	for _, k := range unownedKinds {
		for _, r := range s.File.Of(k) {
			isReached := func(in instance) bool { return in.item == r }
			if formOf(k) == exact && !s.isRepeated(r, k) && !slices.ContainsFunc(s.instances, isReached) {
				solids = append(solids, r)
			}
		}
	}
	if isLost {
		solids = append(solids, s.findUnreferenced().shells...)
	}
	for _, r := range solids {
		for _, l := range places {
			s.instances = append(s.instances, instance{
				item: r, units: s.UnitsOf(s.anyContext(), r), at: l.at, form: exact, inherited: l.inherited})
		}
		s.Warn(salvage.MadeSolid, 1, "%s belongs to nothing that can be read, and was taken as a solid", s.Entity(r))
	}
}

// strayShell reads a shell that no solid refers to, or builds one from the faces that no shell refers to. why is the
// failure of the referenced shell.
func (t *tracer) strayShell(why error) (brep.ShellID, error) {
	if !isDamage(why) {
		return 0, why
	}
	all := t.findUnreferenced()
	of := &all.shells
	if len(all.shells) == 0 {
		of = &all.sheets
	}
	if len(*of) > 0 {
		r := (*of)[0]
		*of = (*of)[1:]
		salvage.Tell(t.Add, salvage.MadeShell, t.Entity(r).Text+
			" belongs to nothing that can be read, and was taken", why)
		return t.shell(r, false)
	} else if len(all.faces) == 0 {
		return 0, why
	}
	ids, err := t.unreferencedFaces(false, why)
	if err == nil && len(ids) == 0 {
		err = why
	}
	id := brep.ShellID(len(t.model.Shells))
	t.model.Shells = append(t.model.Shells, brep.Shell{Solid: brep.None, Faces: ids})
	return id, err
}

// unreferencedFaces reads the faces that no shell refers to.
func (t *tracer) unreferencedFaces(flip bool, why error) ([]brep.FaceID, error) {
	var ids []brep.FaceID
	for _, r := range t.findUnreferenced().faces {
		f, err := t.faceAlone(r, flip)
		if err != nil && !isDamage(err) {
			return nil, err
		}
		if err != nil || f == brep.None {
			continue
		}
		ids = append(ids, f)
		salvage.Tell(t.Add, salvage.MadeShell, t.Entity(r).Text+
			" is in no shell that can be read, and was taken into one", why)
	}
	t.unreferenced.faces = nil
	return ids, nil
}

// replaceFaces adds to a shell the replacements of lost faces: unreferenced faces, or faces known only to be lost.
func (t *tracer) replaceFaces(ids []brep.FaceID, flip bool, lost []error) ([]brep.FaceID, error) {
	if len(lost) == 0 {
		return ids, nil
	}
	more, err := t.unreferencedFaces(flip, lost[0])
	if err != nil || len(more) >= len(lost) {
		return append(ids, more...), err
	}
	for _, why := range lost[len(more):] {
		f := brep.FaceID(len(t.model.Faces))
		t.model.Faces = append(t.model.Faces, brep.Face{Origin: int32(f)})
		t.surface = append(t.surface, -1)
		t.openFace(f, why)
		more = append(more, f)
	}
	return append(ids, more...), nil
}

// unusedSurfaces returns the surfaces that no face refers to.
func (d *draft) unusedSurfaces(doc *document) []surface.Surface {
	var out []surface.Surface
	for _, r := range doc.findUnreferenced().surfaces {
		if s, err := d.Surface(r); err == nil {
			base, _ := geometry.Unbounded(s)
			out = append(out, base)
		}
	}
	return out
}
