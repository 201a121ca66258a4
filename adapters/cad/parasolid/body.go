package parasolid

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A body is divided into regions, solid and void. A shell is a part of the boundary of one region. It lists the faces
// with the region behind them and the faces with the region in front of them. The shells of a solid region are shells
// of a solid. The outer shell separates it from the infinite region, which is the first region of the body. A face with
// void on both sides belongs to a sheet. A face between two solid regions belongs to both solids, reversed in one of
// them.

// tracer follows the topology of one body.
type tracer struct {
	*builder
	m     *brep.Model
	body  xt.Node
	faces int // expected number
	color *brep.Color

	*trail

	// For the solid or the sheets being traced, which share no edges with other pieces.
	edgeFaults map[brep.EdgeID]error
	faceFaults map[brep.FaceID]error
	open       map[brep.FaceID]bool
	turned     map[brep.EdgeID]bool // the edge has the opposite direction in the file
	points     map[brep.EdgeID]bool // the edge has zero length
}

// trail lists the nodes of a stream that were traced.
type trail struct {
	seen            marks    // regions and shells
	sides           [2]marks // faces, loops and fins traced reversed, and with the sense of the file
	part            int32    // number of the solid, or of the group of sheets
	edges, vertices []stamp
}

// stamp maps a node of a stream to its entity in a part.
type stamp struct{ part, id int32 }

// known returns the entity made from a node in the part being traced.
func (t *trail) known(of *[]stamp, n xt.Node) (id int32, ok bool) {
	if n.Place() >= len(*of) {
		return 0, false
	}
	s := (*of)[n.Place()]
	return s.id, s.part == t.part
}

func (t *trail) know(of *[]stamp, n xt.Node, id int32) {
	if len(*of) == 0 {
		*of = make([]stamp, n.Stream().Len()+1)
	}
	(*of)[n.Place()] = stamp{t.part, id}
}

// body returns the model of a body, or nil for a body without faces.
func (b *builder) body(body *Body) (*brep.Model, error) {
	all := &brep.Model{}
	stream := body.node.Stream()
	if b.trails[stream] == nil {
		b.trails[stream] = &trail{}
	}
	_, color := labels(body.node)
	t := &tracer{builder: b, body: body.node, faces: body.Faces, color: color, trail: b.trails[stream]}
	infinite := body.node.To("region")
	var solids []xt.Node
	var voids []xt.Node
	for region := range chain(infinite, "next", &t.seen) {
		if region.Is("type", 'S') {
			solids = append(solids, region)
		} else {
			voids = append(voids, region)
		}
	}
	for _, region := range solids {
		if err := t.piece(all, func() { t.solid(region, infinite, body.Name) }); err != nil {
			return nil, err
		}
	}
	if err := t.piece(all, func() { t.sheets(voids) }); err != nil {
		return nil, err
	}
	if len(all.Faces) == 0 {
		return nil, nil
	}
	return all, nil
}

// piece traces a solid or the sheets of a body and adds them to all.
func (t *tracer) piece(all *brep.Model, trace func()) error {
	const edges, loops, vertices = 3, 1.25, 2 // mean numbers per face
	t.m = &brep.Model{
		Faces: make([]brep.Face, 0, t.faces), Loops: make([]brep.Loop, 0, int(loops*float64(t.faces))),
		Coedges: make([]brep.Coedge, 0, 2*edges*t.faces), Edges: make([]brep.Edge, 0, edges*t.faces),
		Vertices: make([]brep.Vertex, 0, vertices*t.faces),
	}
	t.faces = 0 // later pieces of a body, which are rare, get no estimate
	t.trail.part++
	t.edgeFaults, t.faceFaults = map[brep.EdgeID]error{}, map[brep.FaceID]error{}
	t.open, t.turned, t.points = map[brep.FaceID]bool{}, map[brep.EdgeID]bool{}, map[brep.EdgeID]bool{}
	trace()
	if len(t.m.Faces) == 0 {
		return t.ctx.Err()
	}
	if err := cmp.Or(t.ctx.Err(), t.finish()); err != nil {
		return err
	}
	if len(all.Faces) == 0 {
		*all = *t.m
		return nil
	}
	all.Append(t.m, geom.Identity)
	return nil
}

// solid traces the shells of a solid region.
func (t *tracer) solid(region, infinite xt.Node, name string) {
	s := brep.Solid{Name: name, Source: int64(t.body.Index())}
	for shell := range chain(region.To("shell"), "next", &t.seen) {
		id := brep.ShellID(len(t.m.Shells))
		t.m.Shells = append(t.m.Shells, brep.Shell{Source: int64(shell.Index()), IsVoid: true})
		isOuter := false
		for f := range chain(shell.To("face"), "next", &t.sides[1]) {
			t.face(id, f, true)
			isOuter = isOuter || f.To("front_shell").To("region") == infinite
		}
		for f := range chain(shell.To("front_face"), "next_front", &t.sides[0]) {
			t.face(id, f, false)
		}
		if len(t.m.Shells[id].Faces) == 0 {
			t.m.Shells = t.m.Shells[:id]
			continue
		}
		if s.Shells = append(s.Shells, id); isOuter {
			last := len(s.Shells) - 1
			s.Shells[0], s.Shells[last] = s.Shells[last], s.Shells[0]
		}
	}
	if len(s.Shells) > 0 {
		t.m.Shells[s.Shells[0]].IsVoid = false
		t.m.Solids = append(t.m.Solids, s)
	}
}

// sheets traces the faces that have a void region on both sides.
func (t *tracer) sheets(voids []xt.Node) {
	isVoid := map[xt.Node]bool{}
	for _, r := range voids {
		isVoid[r] = true
	}
	for _, r := range voids {
		for shell := range chain(r.To("shell"), "next", &t.seen) {
			id := brep.ShellID(len(t.m.Shells))
			t.m.Shells = append(t.m.Shells, brep.Shell{Source: int64(shell.Index())})
			for f := range chain(shell.To("face"), "next", &t.sides[1]) {
				if front := f.To("front_shell"); !front.OK() || isVoid[front.To("region")] {
					t.face(id, f, true)
				}
			}
			if len(t.m.Shells[id].Faces) == 0 {
				t.m.Shells = t.m.Shells[:id]
			}
		}
	}
}

// face traces a face. If outward, its normal is the normal in the file, otherwise the opposite one.
func (t *tracer) face(shell brep.ShellID, n xt.Node, outward bool) {
	if t.ctx.Err() != nil {
		return
	}
	id := brep.FaceID(len(t.m.Faces))
	f := brep.Face{Origin: int32(id), Source: int64(n.Index())}
	f.Name, f.Color = labels(n)
	f.Color = cmp.Or(f.Color, t.color)
	on := n.To("surface")
	side := 1
	if !outward {
		side = 0
	}
	var fault error
	for l := range chain(n.To("loop"), "next", &t.sides[side]) {
		loop, err := t.loop(l, side)
		if err != nil {
			t.open[id] = true
			fault = cmp.Or(fault, err)
			continue
		}
		f.Loops = append(f.Loops, loop)
	}
	c, err := t.faceSurface(on, f.Loops)
	f.Surface, fault = c.Surface, cmp.Or(err, fault)
	f.Reversed = (n.Is("sense", '-') != on.Is("sense", '-')) != (c.flipped == outward)
	if fault == nil && len(f.Loops) == 0 && !surface.IsClosed(f.Surface) {
		t.open[id] = true
		fault = fail(n, "has no boundary, and its surface has none either")
	}
	if fault != nil {
		t.faceFaults[id] = fault
	}
	t.m.Faces = append(t.m.Faces, f)
	t.m.Shells[shell].Faces = append(t.m.Shells[shell].Faces, id)
}

// faceSurface returns the surface of a face whose loops are traced. For a blend or its offset, the loops give the
// extent.
func (t *tracer) faceSurface(n xt.Node, loops []brep.LoopID) (carrier, error) {
	base, lift := n, 0.0
	for range maxChain {
		if base.Kind() != nodeOffset {
			break
		}
		base, lift = base.To("surface"), lift+offsetOf(base)
	}
	if base.Kind() == nodeBlendedEdge {
		return t.blend(base, lift, loops)
	}
	return t.surface(n, 0)
}

// loop traces a loop. On side 0, for a reversed face, the order and the senses of the fins are reversed. A fin without
// an edge represents its vertex.
func (t *tracer) loop(n xt.Node, side int) (brep.LoopID, error) {
	l := brep.Loop{Vertex: brep.None, Source: int64(n.Index())}
	var uses []brep.Coedge
	for fin := range chain(n.To("fin"), "forward", &t.sides[side]) {
		edge := fin.To("edge")
		if !edge.OK() {
			v, err := t.vertex(fin.To("vertex"))
			if err != nil {
				return 0, err
			}
			l.Vertex = v
			continue
		}
		e, err := t.edge(edge)
		if err != nil {
			return 0, err
		}
		uses = append(uses, brep.Coedge{Edge: e, Reversed: fin.Is("sense", '-')})
	}
	switch {
	case len(uses) > 0:
		l.Vertex = brep.None
	case l.Vertex == brep.None:
		return 0, fail(n, "has neither edge nor vertex")
	}
	if side == 0 {
		slices.Reverse(uses)
	}
	for _, u := range uses {
		u.Reversed = u.Reversed != (side == 0)
		l.Coedges = append(l.Coedges, brep.CoedgeID(len(t.m.Coedges)))
		t.m.Coedges = append(t.m.Coedges, u)
	}
	t.m.Loops = append(t.m.Loops, l)
	return brep.LoopID(len(t.m.Loops) - 1), nil
}

// vertex returns the vertex of a node.
func (t *tracer) vertex(n xt.Node) (brep.VertexID, error) {
	if id, ok := t.known(&t.trail.vertices, n); ok {
		return brep.VertexID(id), nil
	}
	p, ok := pointOf(n.To("point"), "pvec")
	if !ok {
		return 0, fail(n, "has no point")
	}
	id := t.addVertex(brep.Vertex{Point: p, Source: int64(n.Index())})
	if tol := n.Real("tolerance") * metre; tol > tolerance {
		t.m.Vertices[id].Tolerance = tol
	}
	t.know(&t.trail.vertices, n, int32(id))
	return id, nil
}

func (t *tracer) addVertex(v brep.Vertex) brep.VertexID {
	t.m.Vertices = append(t.m.Vertices, v)
	return brep.VertexID(len(t.m.Vertices) - 1)
}

// finish reverses the coedges of edges that were turned, repairs damage and links the model.
func (t *tracer) finish() error {
	m := t.m
	for i := range m.Coedges {
		c := &m.Coedges[i]
		c.Reversed = c.Reversed != t.turned[c.Edge]
	}
	t.dropPoints()
	w := &salvage.PartialModel{Model: m, Tolerance: tolerance, Edges: make([]error, len(m.Edges)),
		Faces: make([]error, len(m.Faces)), IsOpen: func(f brep.FaceID) bool { return t.open[f] },
		Curve: func(e brep.EdgeID) curve.Curve { return m.Edges[e].Curve },
		Spare: func() []surface.Surface { return nil },
		Warn:  t.warn}
	for e, err := range t.edgeFaults {
		w.Edges[e] = err
	}
	for f, err := range t.faceFaults {
		w.Faces[f] = err
	}
	if w.IsWhole() {
		m.Link()
		return nil
	}
	w.RepairEdges()
	w.RepairBounds()
	w.RepairSurfaces()
	m.Link()
	return w.Drop(func(err error) { t.skip(brep.SkippedFace, "A face", err) })
}
