package step

import (
	"context"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// draft is an incomplete boundary representation of one solid or sheet model. It has its topology and points; surfaces
// and curves are computed later, on all cores.
type draft struct {
	geometry.Scope
	model    brep.Model
	item     part21.Ref
	surfaces []part21.Ref                     // the distinct ones
	surface  []int32                          // by face: into surfaces, -1 when the face has its surface already
	shapes   []surface.Surface                // by distinct surface, once computed
	edges    []edgeSource                     // by edge
	fits     []fitted                         // by edge, once computed
	sides    map[[2]brep.VertexID]brep.EdgeID // edges of poly loops by their ends, smaller first
	corners  map[geom.Vec3]brep.VertexID      // vertices of poly loops by their coordinates

	polyLoops []brep.LoopID

	shapeFaults, edgeFaults []error                 // by distinct surface, and by edge: reason why it is unusable
	pointFaults             map[brep.VertexID]error // reason why the point of a vertex is unknown
	faceFaults              map[brep.FaceID]error   // reason why the surface or a bound of a face is unknown
	open                    map[brep.FaceID]bool    // faces with an unknown bound
	fault                   error                   // reason why nothing is usable
}

// edgeSource is the source of an edge's curve.
type edgeSource struct {
	entity, curve part21.Ref // curve is Missing when the edge has its curve already
	sense         bool       // the curve runs from the edge's start to its end
	fault         error      // reason why the entity, or its curve, is missing
}

// tracer follows the topology of solids and sheets. All drafts, one after the other, share its table of built
// instances.
type tracer struct {
	*document
	*draft
	made    part21.Table[int32] // index of each instance's result in this draft, see know; 0 if not built
	touched []part21.Ref

	drafts  int32               // so far
	inDraft part21.Table[int32] // by face: the draft that has it, counted from 1
	shared  int                 // faces used by several drafts
	common  part21.Ref          // the first of them
}

// role is the kind of result of an instance in a draft.
type role int32

const (
	asVertex role = iota + 1
	asEdge
	asSurface
	roles
)

func newTracer(d *document) *tracer {
	return &tracer{document: d, made: part21.NewTable[int32](d.File), inDraft: part21.NewTable[int32](d.File)}
}

// trace builds the draft of an item. It resolves orientation, except for edges that run against their curves: these are
// reversed when the curve is known.
func (t *tracer) trace(ctx context.Context, s geometry.Scope, item part21.Ref) (*draft, error) {
	t.draft = &draft{Scope: s, item: item, sides: map[[2]brep.VertexID]brep.EdgeID{},
		corners: map[geom.Vec3]brep.VertexID{}, pointFaults: map[brep.VertexID]error{},
		faceFaults: map[brep.FaceID]error{}, open: map[brep.FaceID]bool{}}
	t.drafts++
	defer func() {
		for _, r := range t.touched {
			t.made.Set(r, 0)
		}
		t.touched = t.touched[:0]
	}()
	var err error
	switch k := t.Kind(item, itemKinds); k {
	case schema.ManifoldSolidBrep, schema.BrepWithVoids, schema.FacetedBrep:
		err = t.solid(item, k)
	case schema.ClosedShell:
		err = t.loneShell(item)
	case schema.OpenShell:
		_, err = t.shell(item, false)
	case schema.ShellBasedSurfaceModel, schema.FaceBasedSurfaceModel:
		err = t.sheets(item, k)
	case schema.GeometricSet:
		err = t.patches(item)
	default:
		err = t.tessellated(ctx, item, k)
	}
	t.unite()
	return t.draft, err
}

// know records that r became the vertex, edge or surface it.
func (t *tracer) know(r part21.Ref, as role, id int) {
	t.made.Set(r, int32(id)*int32(roles)+int32(as))
	t.touched = append(t.touched, r)
}

// known returns the result of r in a role, if there is one.
func (t *tracer) known(r part21.Ref, as role) (id int, ok bool) {
	m := t.made.At(r)
	return int(m / int32(roles)), m != 0 && role(m%int32(roles)) == as
}

// solid reads a MANIFOLD_SOLID_BREP and its subtypes: an outer shell and the shells of voids.
func (t *tracer) solid(item part21.Ref, k part21.Keyword) error {
	var a, b part21.Args // the outer shell; the voids
	name := ""
	if t.File.IsComplex(item) {
		a, _ = t.File.Partial(item, schema.ManifoldSolidBrep)
		b, _ = t.File.Partial(item, schema.BrepWithVoids)
	} else {
		a = t.File.Args(item)
		name = label(a.Text())
	}
	outer := a.Ref()
	if k == schema.BrepWithVoids && !t.File.IsComplex(item) {
		b = a
	}
	err := t.Check(item, &a)
	var id brep.ShellID
	if err == nil {
		id, err = t.shell(outer, false)
	} else {
		id, err = t.strayShell(err)
	}
	if err != nil {
		return err
	}
	t.colorFaces(id, outer, item)
	solid := brep.Solid{Name: name, Source: t.File.ID(item), Shells: []brep.ShellID{id}}
	if k == schema.BrepWithVoids {
		voids := b.List()
		for voids.More() {
			void := voids.Ref()
			if void == part21.Missing {
				break
			}
			if id, err = t.shell(void, false); err != nil {
				return err
			}
			t.model.Shells[id].IsVoid = true
			t.colorFaces(id, void, item)
			solid.Shells = append(solid.Shells, id)
		}
		b.Join(voids)
	}
	t.model.Solids = append(t.model.Solids, solid)
	return t.Check(item, &b)
}

// loneShell reads a shell that is an item by itself: a sheet, or a solid if the solid's record is damaged.
func (t *tracer) loneShell(item part21.Ref) error {
	id, err := t.shell(item, false)
	if err == nil && t.unreferenced != nil && slices.Contains(t.unreferenced.shells, item) {
		t.model.Solids = append(t.model.Solids, brep.Solid{Source: t.File.ID(item), Shells: []brep.ShellID{id}})
	}
	return err
}

// sheets reads a SHELL_BASED_SURFACE_MODEL or FACE_BASED_SURFACE_MODEL.
func (t *tracer) sheets(item part21.Ref, k part21.Keyword) error {
	a := t.Own(item, k)
	shells := a.List()
	for shells.More() {
		r := shells.Ref()
		if r == part21.Missing {
			continue // the Check below reports it
		}
		id, err := t.shell(r, false)
		if err != nil {
			return err
		}
		t.colorFaces(id, r, item)
	}
	a.Join(shells)
	if err := t.Check(item, &a); err != nil {
		_, err = t.strayShell(err)
		return err
	}
	return nil
}

// Entities that wrap another entity with the same or the opposite orientation.
var (
	orientedShells = []part21.Keyword{schema.OrientedClosedShell, schema.OrientedOpenShell}
	orientedFaces  = []part21.Keyword{schema.OrientedFace}
	orientedEdges  = []part21.Keyword{schema.OrientedEdge}
)

// unwrap follows instances of the wrapping kinds, which may reverse orientation, to the wrapped instance. derived is
// the number of derived attributes before the reference.
func unwrap(
	d *geometry.Document, r part21.Ref, flip bool, kinds []part21.Keyword, derived int,
) (part21.Ref, bool, error) {
	for depth := 0; ; depth++ {
		k := d.Kind(r, kinds)
		if !slices.Contains(kinds, k) {
			return r, flip, nil
		}
		a := d.Own(r, k)
		if !d.File.IsComplex(r) {
			a.Skip(derived)
		}
		next := a.Ref()
		flip = flip != (a.Enum() == schema.F)
		if err := d.Check(r, &a); err != nil {
			return r, flip, err
		}
		if depth > geometry.MaxChain {
			return r, flip, d.Fail(r, "is made of itself")
		}
		r = next
	}
}

// shell reads any set of connected faces; flip reverses it.
func (t *tracer) shell(r part21.Ref, flip bool) (brep.ShellID, error) {
	source := r
	r, flip, err := unwrap(t.Document, r, flip, orientedShells, 1)
	if err != nil {
		return 0, err
	}
	var a part21.Args
	switch t.Kind(r, []part21.Keyword{schema.ConnectedFaceSet, schema.ClosedShell, schema.OpenShell}) {
	case schema.ClosedShell, schema.OpenShell, schema.ConnectedFaceSet:
		a = t.File.Args(r)
		if t.File.IsComplex(r) {
			a, _ = t.File.Partial(r, schema.ConnectedFaceSet)
		} else {
			a.Skip(1)
		}
	default:
		return t.strayShell(t.WrongType(r, "a shell"))
	}
	id := brep.ShellID(len(t.model.Shells))
	t.model.Shells = append(t.model.Shells, brep.Shell{Solid: brep.None, Source: t.File.ID(source)})
	faces := a.List()
	ids := make([]brep.FaceID, 0, faces.Len())
	var lost []error
	for faces.More() {
		face := faces.Ref()
		if face == part21.Missing {
			continue // the Check below reports it
		}
		f, err := t.faceAlone(face, flip)
		switch {
		case isDamage(err):
			lost = append(lost, err)
		case err != nil:
			return 0, err
		case f != brep.None:
			ids = append(ids, f)
		}
	}
	a.Join(faces)
	if err := t.Check(r, &a); err != nil {
		lost = append(lost, err)
	}
	if ids, err = t.replaceFaces(ids, flip, lost); err != nil {
		return 0, err
	}
	if len(ids) == 0 {
		return 0, t.Fail(r, "has no faces")
	}
	t.model.Shells[id].Faces = ids
	return id, nil
}

// faceAlone reads a face, or leaves the draft as it was.
func (t *tracer) faceAlone(r part21.Ref, flip bool) (brep.FaceID, error) {
	m := &t.model
	faces, loops, coedges, poly := len(m.Faces), len(m.Loops), len(m.Coedges), len(t.polyLoops)
	id, err := t.face(r, flip)
	if err != nil {
		m.Faces, m.Loops, m.Coedges = m.Faces[:faces], m.Loops[:loops], m.Coedges[:coedges]
		t.surface, t.polyLoops = t.surface[:faces], t.polyLoops[:poly]
	}
	return id, err
}

var faceKinds = []part21.Keyword{schema.FaceSurface, schema.AdvancedFace, schema.Subface, schema.Face}

// face reads a face with its loops; flip reverses it. A flat face without any boundary gives None.
func (t *tracer) face(r part21.Ref, flip bool) (brep.FaceID, error) {
	r, flip, err := unwrap(t.Document, r, flip, orientedFaces, 1)
	if err != nil {
		return 0, err
	}
	name, bounds, geometry, err := t.faceParts(r)
	if err != nil {
		return 0, err
	}
	switch t.inDraft.At(r) {
	case 0:
		t.inDraft.Set(r, t.drafts)
	case t.drafts:
	default:
		if t.shared++; t.shared == 1 {
			t.common = r
		}
	}
	f := brep.Face{Name: name, Source: t.File.ID(r), Color: t.colors[r]}
	on := part21.Missing
	if geometry.More() {
		on = geometry.Ref()
		f.Reversed = (geometry.Enum() == schema.F) != flip
	}
	fault := t.Check(r, &geometry)
	id := brep.FaceID(len(t.model.Faces))
	f.Origin = int32(id)
	t.model.Faces = append(t.model.Faces, f)
	t.surface = append(t.surface, t.surfaceOf(on))
	loops, err := t.bounds(r, id, bounds, flip)
	if err != nil {
		return 0, err
	}
	t.model.Faces[id].Loops = loops
	if fault != nil {
		t.faceFaults[id] = fault
	}
	if t.faceFaults[id] != nil {
		return id, nil
	}
	if len(loops) == 0 && (on == part21.Missing || t.Kind(on, nil) == schema.Plane) {
		t.Warn("empty_face", 1, "%s has no boundary and was left out", t.Entity(r))
		t.model.Faces, t.surface = t.model.Faces[:id], t.surface[:id]
		return brep.None, nil
	}
	if on == part21.Missing {
		t.facet(r, id)
	}
	return id, nil
}

// bounds reads the loops of a face. Damaged loops are left out, and recorded for the face.
func (t *tracer) bounds(r part21.Ref, id brep.FaceID, bounds part21.Args, flip bool) ([]brep.LoopID, error) {
	loops := make([]brep.LoopID, 0, bounds.Len())
	for bounds.More() {
		bound := bounds.Ref()
		if bound == part21.Missing {
			continue // the Check below reports it
		}
		coedges := len(t.model.Coedges)
		l, err := t.bound(bound, flip)
		switch {
		case isDamage(err):
			t.model.Coedges = t.model.Coedges[:coedges]
			t.openFace(id, err)
		case err != nil:
			return nil, err
		case l != brep.None:
			loops = append(loops, l)
		}
	}
	if err := t.Check(r, &bounds); err != nil {
		t.openFace(id, err)
	}
	return loops, nil
}

// faceParts returns the name of a face, the list of its bounds, and its surface and sense, which a FACE
// that is nothing more does not have.
func (t *tracer) faceParts(r part21.Ref) (name string, bounds, geometry part21.Args, err error) {
	var a part21.Args
	k := t.Kind(r, faceKinds)
	switch k {
	case schema.AdvancedFace, schema.FaceSurface, schema.Face, schema.Subface:
	default:
		return "", a, a, t.WrongType(r, "a face")
	}
	if t.File.IsComplex(r) {
		a, _ = t.File.Partial(r, schema.Face)
		geometry, _ = t.File.Partial(r, schema.FaceSurface)
		bounds = a.List()
	} else {
		a = t.File.Args(r)
		name = label(a.Text())
		bounds = a.List()
		geometry = a
	}
	if k == schema.Subface {
		if geometry, err = t.parentGeometry(r); err != nil {
			return "", a, a, err
		}
	}
	return name, bounds, geometry, t.Check(r, &a)
}

// parentGeometry returns the surface and sense of a SUBFACE, those of its parent face.
func (t *tracer) parentGeometry(r part21.Ref) (of part21.Args, err error) {
	for range geometry.MaxChain {
		a := t.Own(r, schema.Subface)
		if !t.File.IsComplex(r) {
			a.Skip(1) // its bounds
		}
		parent := a.Ref()
		if err := t.Check(r, &a); err != nil {
			return of, err
		}
		if k := t.Kind(parent, faceKinds); k != schema.Subface {
			_, _, of, err = t.faceParts(parent)
			return of, err
		}
		r = parent
	}
	return of, t.Fail(r, "is part of itself")
}

// label drops the names that writers give to everything.
func label(name string) string {
	if name == "NONE" {
		return ""
	}
	return name
}

// surfaceOf returns the index of a surface among the distinct ones, or -1 if it is not there.
func (t *tracer) surfaceOf(r part21.Ref) int32 {
	if r == part21.Missing {
		return -1
	}
	if id, ok := t.known(r, asSurface); ok {
		return int32(id)
	}
	id := len(t.surfaces)
	t.surfaces = append(t.surfaces, r)
	t.know(r, asSurface, id)
	return int32(id)
}
