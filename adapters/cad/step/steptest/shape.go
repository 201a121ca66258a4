package steptest

import "millwright.dev/millwright/core/kernel/geom"

// Straight writes an edge between two vertices; its line may have the opposite direction.
func (w *Text) Straight(v0, v1 string, p0, p1 geom.Vec3) string {
	against := w.coin()
	dir := p1.Sub(p0)
	if against {
		dir = dir.Neg()
	}
	return w.Add("EDGE_CURVE('',%s,%s,%s,%s)", v0, v1, w.Line(p0, dir), Logical(!against))
}

// corner order of a box: bit 0 is x, bit 1 is y, bit 2 is z.
var boxFaces = []struct {
	normal  geom.Vec3
	corners [4]int // counter-clockwise, seen from outside
}{
	{geom.Vec3{Z: -1}, [4]int{0, 2, 3, 1}},
	{geom.Vec3{Z: 1}, [4]int{4, 5, 7, 6}},
	{geom.Vec3{Y: -1}, [4]int{0, 1, 5, 4}},
	{geom.Vec3{Y: 1}, [4]int{2, 6, 7, 3}},
	{geom.Vec3{X: -1}, [4]int{0, 4, 6, 2}},
	{geom.Vec3{X: 1}, [4]int{1, 3, 7, 5}},
}

// BoxShell writes the six faces of a box. All flags follow w.Flip; the shape does not depend on it. If inward, every
// normal points into the box.
func (w *Text) BoxShell(kind string, min, size geom.Vec3, inward bool) string {
	var points [8]geom.Vec3
	var vertices [8]string
	for i := range points {
		points[i] = min.Add(geom.Vec3{
			X: float64(i&1) * size.X, Y: float64(i>>1&1) * size.Y, Z: float64(i>>2) * size.Z})
		vertices[i] = w.Vertex(points[i])
	}
	edges := map[[2]int]string{} // by ends as written
	var faces []string
	for _, bf := range boxFaces {
		corners, normal := bf.corners, bf.normal
		if inward {
			normal = normal.Neg()
			corners = [4]int{corners[3], corners[2], corners[1], corners[0]}
		}
		turned := w.coin() // the loop is written backward, and its bound states so
		if turned {
			corners = [4]int{corners[3], corners[2], corners[1], corners[0]}
		}
		var uses []string
		for i := range corners {
			a, b := corners[i], corners[(i+1)%4]
			id, ok := edges[[2]int{a, b}]
			forward := ok
			if !ok {
				if id, ok = edges[[2]int{b, a}]; !ok {
					if forward = !w.coin(); forward {
						id = w.Straight(vertices[a], vertices[b], points[a], points[b])
						edges[[2]int{a, b}] = id
					} else {
						id = w.Straight(vertices[b], vertices[a], points[b], points[a])
						edges[[2]int{b, a}] = id
					}
				}
			}
			uses = append(uses, w.Add("ORIENTED_EDGE('',*,*,%s,%s)", id, Logical(forward)))
		}
		bound := w.Add("FACE_OUTER_BOUND('',%s,%s)", w.Add("EDGE_LOOP('',%s)", List(uses...)), Logical(!turned))
		against := w.coin() // the plane normal is opposite
		planeNormal := normal
		if against {
			planeNormal = normal.Neg()
		}
		plane := w.Add("PLANE('',%s)", w.Placement(points[bf.corners[0]], planeNormal, geom.Vec3{X: 1, Y: 1, Z: 1}))
		faces = append(faces, w.Add("ADVANCED_FACE('',(%s),%s,%s)", bound, plane, Logical(!against)))
	}
	return w.Add("%s('',%s)", kind, List(faces...))
}

// Box writes a solid box.
func (w *Text) Box(min, size geom.Vec3) string {
	return w.Add("MANIFOLD_SOLID_BREP('',%s)", w.BoxShell("CLOSED_SHELL", min, size, false))
}

// Facets writes a tetrahedron of poly loops without surfaces.
func Facets(w *Text) string {
	p := []string{w.Point(geom.Vec3{}), w.Point(geom.Vec3{X: 6}), w.Point(geom.Vec3{Y: 6}),
		w.Point(geom.Vec3{Z: 6})}
	var faces []string
	for _, f := range [][3]int{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}} {
		turned := w.coin()
		a, b, c := p[f[0]], p[f[1]], p[f[2]]
		if turned {
			a, c = c, a
		}
		loop := w.Add("POLY_LOOP('',%s)", List(a, b, c, a))
		faces = append(faces, w.Add("FACE('',(%s))", w.Add("FACE_OUTER_BOUND('',%s,%s)", loop, Logical(!turned))))
	}
	return w.Add("FACETED_BREP('',%s)", w.Add("CLOSED_SHELL('',%s)", List(faces...)))
}

// Component writes a product with one box of 1×2×3 at the origin. It returns the product's definition, its
// representation and the placement among the representation's items.
func (w *Text) Component(name, context string) (definition, rep, origin string) {
	origin = w.Placement(geom.Vec3{}, UnitZ, UnitX)
	shape := w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s),%s)", w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2,
		Z: 3}), context)
	rep = w.Add("SHAPE_REPRESENTATION('',(%s),%s)", origin, context)
	w.Add("SHAPE_REPRESENTATION_RELATIONSHIP('','',%s,%s)", rep, shape)
	return w.Product(name, rep), rep, origin
}

// Use writes one occurrence of a child in a parent: rep1 and rep2 with the placements t1 and t2. It returns the
// occurrence, and the entity that places it.
func (w *Text) Use(parent, child, rep1, rep2, t1, t2 string) (occurrence, placed string) {
	occurrence = w.Add("NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',%s,%s,$)", parent, child)
	return occurrence, w.UseOf(occurrence, rep1, rep2, t1, t2)
}

// UseOf is Use for an existing occurrence; it returns the entity that places it.
func (w *Text) UseOf(occurrence, rep1, rep2, t1, t2 string) string {
	moved := w.Add("ITEM_DEFINED_TRANSFORMATION('','',%s,%s)", t1, t2)
	relation := w.Add("(REPRESENTATION_RELATIONSHIP('','',%s,%s)"+
		"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(%s)SHAPE_REPRESENTATION_RELATIONSHIP())", rep1, rep2,
		moved)
	return w.Add("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(%s,%s)", relation,
		w.Add("PRODUCT_DEFINITION_SHAPE('','',%s)", occurrence))
}
