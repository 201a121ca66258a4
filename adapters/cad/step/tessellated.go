package step

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Tessellated shape (ISO 10303-42, clause 6): bodies of triangles, for products without exact shape. Each tessellated
// face becomes a face. If its points lie on the surface linked to it, that becomes the surface under its triangles.
// Edges, wires and points of tessellations are skipped, because the sides between the faces give the same data.

// tessellatedReader gathers the faces of one body.
type tessellatedReader struct {
	*tracer
	body   faceted.Body
	points map[part21.Ref][]geom.Vec3 // by COORDINATES_LIST
	read   int                        // items of sets, however often they are listed
}

// tessellated reads an item made of triangles.
func (t *tracer) tessellated(ctx context.Context, item part21.Ref, k part21.Keyword) error {
	r := &tessellatedReader{tracer: t, points: map[part21.Ref][]geom.Vec3{}}
	r.body = faceted.Body{Solid: k == schema.TessellatedSolid, Source: t.File.ID(item)}
	if k == schema.TessellatedSolid || k == schema.TessellatedShell {
		if a, ok := t.File.Partial(item, k); ok && !t.File.IsComplex(item) {
			r.body.Name = label(a.Text())
		}
	}
	if err := r.addAll(item, k); err != nil {
		return err
	}
	if len(r.body.Faces) == 0 {
		return &fault.Error{Code: fault.NoSolid, Reason: t.Entity(item).Text + " has no triangles."}
	}
	if err := faceted.Append(ctx, &t.model, r.body, t.Tolerance); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return t.Fail(item, "cannot be used: %v", err)
	}
	if len(t.model.Faces) == 0 {
		return t.Fail(item, "has no triangle with an area")
	}
	t.model.Sag = math.Inf(1)
	t.Warn("tessellated_shape", len(t.model.Faces),
		"%s is given by triangles only, without exact geometry", t.Entity(item))
	for _, w := range t.model.Warnings {
		t.Add(w)
	}
	t.model.Warnings = nil
	for range t.model.Edges {
		t.edges = append(t.edges, edgeSource{entity: item, curve: part21.Missing})
	}
	for range t.model.Faces {
		t.surface = append(t.surface, -1)
	}
	for sh := range t.model.Shells {
		t.colorFaces(brep.ShellID(sh), item)
	}
	return nil
}

// addAll reads an item, or all loose triangles of a representation.
func (r *tessellatedReader) addAll(item part21.Ref, k part21.Keyword) error {
	if slices.Contains(itemKinds, k) {
		return r.add(item, k, 0)
	}
	items, _ := itemsOf(r.File, item)
	for items.More() {
		child := items.OptRef()
		if k := r.Kind(child, itemKinds); formOf(k) == loose {
			if err := r.add(child, k, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// add reads a tessellated item: a set of others, or a face.
func (r *tessellatedReader) add(item part21.Ref, k part21.Keyword, depth int) error {
	if r.read++; depth > geometry.MaxChain || r.read > r.File.Len()+geometry.MaxChain {
		return r.Fail(item, "is made of itself, or of the same items again and again")
	}
	switch k {
	case schema.TessellatedSolid, schema.TessellatedShell, schema.TessellatedGeometricSet:
		a := r.Own(item, k)
		list := a.List()
		for list.More() {
			child := list.Ref()
			if child == part21.Missing {
				break
			}
			if err := r.add(child, r.Kind(child, itemKinds), depth+1); err != nil {
				return err
			}
		}
		a.Join(list)
		return r.Check(item, &a)
	case schema.ComplexTriangulatedFace, schema.TriangulatedFace,
		schema.ComplexTriangulatedSurfaceSet, schema.TriangulatedSurfaceSet:
		return r.face(item, k)
	case schema.CubicBezierTriangulatedFace:
		return r.curvedFace(item)
	}
	return nil
}

// face reads one tessellated face or surface set.
func (r *tessellatedReader) face(item part21.Ref, k part21.Keyword) error {
	a, _ := r.File.Partial(item, k)
	f := faceted.Face{Source: r.File.ID(item), Color: r.colors[item]}
	if !r.File.IsComplex(item) {
		f.Name = label(a.Text())
	}
	coordinates := a.Ref()
	pnmax, normals := a.Int(), a.List()
	link := part21.Missing
	if k == schema.ComplexTriangulatedFace || k == schema.TriangulatedFace {
		link = a.OptRef()
	}
	index := a.List()
	first := a.List()
	second := part21.Args{}
	isComplex := k == schema.ComplexTriangulatedFace || k == schema.ComplexTriangulatedSurfaceSet
	if isComplex {
		second = a.List()
	}
	if err := r.Check(item, &a); err != nil {
		return err
	}
	all, err := r.coordinates(coordinates)
	if err != nil {
		return err
	}
	if f.Points, err = r.gather(item, all, index, pnmax); err != nil {
		return err
	}
	if f.Normals, err = r.normals(item, normals, len(f.Points)); err != nil {
		return err
	}
	c := corners{limit: int64(len(f.Points))}
	if isComplex {
		c.strips(first)
		c.fans(second)
	} else {
		c.single(first)
	}
	if c.bad {
		return r.Fail(item, "has a triangle whose corners are not numbers from 1 to %d", len(f.Points))
	}
	f.Triangles = c.triangles
	if f.Carrier = r.carrier(link); f.Carrier == nil && len(f.Triangles) == 0 {
		return nil
	}
	r.body.Faces = append(r.body.Faces, f)
	return nil
}

// curvedFace reads a face of curved triangles.
func (r *tessellatedReader) curvedFace(item part21.Ref) error {
	a := r.File.Args(item)
	f := faceted.Face{Source: r.File.ID(item), Color: r.colors[item], Name: label(a.Text())}
	coordinates := a.Ref()
	pnmax, rows := a.Int(), a.List()
	link, list := a.OptRef(), a.List()
	if err := r.Check(item, &a); err != nil {
		return err
	}
	all, err := r.coordinates(coordinates)
	if err != nil {
		return err
	}
	control, err := r.gather(item, all, part21.Args{}, pnmax)
	if err != nil {
		return err
	}
	normals, err := r.normals(item, rows, len(control))
	if err != nil {
		return err
	}
	triangles, ok := curvedTriangles(list, control)
	if !ok {
		return r.Fail(item, "has a curved triangle that is not ten numbers from 1 to %d", len(control))
	}
	if flatten(&f, triangles, control, normals); len(f.Triangles) == 0 {
		return nil
	}
	f.Carrier = r.carrier(link)
	r.body.Faces = append(r.body.Faces, f)
	return nil
}

// coordinates reads a COORDINATES_LIST in mm.
func (r *tessellatedReader) coordinates(list part21.Ref) ([]geom.Vec3, error) {
	if p, ok := r.points[list]; ok {
		return p, nil
	}
	if r.Kind(list, nil) != schema.CoordinatesList {
		return nil, r.WrongType(list, "a list of coordinates")
	}
	a := r.Own(list, schema.CoordinatesList)
	a.Skip(1)
	rows := a.List()
	out := make([]geom.Vec3, 0, rows.Len())
	for rows.More() {
		p := threeNumbers(&rows).Scale(r.Length)
		if !p.IsFinite() || p.Norm() > geometry.MaxExtent {
			return nil, r.Fail(list, "has a point that is not finite or too far away")
		}
		out = append(out, p)
	}
	a.Join(rows)
	r.points[list] = out
	return out, r.Check(list, &a)
}

// threeNumbers reads a list of three numbers.
func threeNumbers(rows *part21.Args) geom.Vec3 {
	row := rows.List()
	p := geom.Vec3{X: row.Real(), Y: row.Real(), Z: row.Real()}
	rows.Join(row)
	return p
}

// gather picks the points of a face: all when the index is empty.
func (r *tessellatedReader) gather(
	item part21.Ref, all []geom.Vec3, index part21.Args, pnmax int64,
) ([]geom.Vec3, error) {
	if !index.More() {
		if pnmax > 0 && pnmax < int64(len(all)) {
			all = all[:pnmax]
		}
		return all, nil
	}
	out := make([]geom.Vec3, 0, index.Len())
	for index.More() {
		i := index.Int()
		if i < 1 || i > int64(len(all)) {
			return nil, r.Fail(item, "refers to point %d of %d", i, len(all))
		}
		out = append(out, all[i-1])
	}
	return out, nil
}

// normals reads an empty list, one normal for all points, or one for each of n points.
func (r *tessellatedReader) normals(item part21.Ref, rows part21.Args, n int) ([]geom.Vec3, error) {
	given := make([]geom.Vec3, 0, rows.Len())
	for rows.More() {
		given = append(given, threeNumbers(&rows).Unit())
	}
	if err := r.Check(item, &rows); err != nil {
		return nil, err
	}
	if len(given) == 1 || len(given) == n {
		return given, nil
	}
	return nil, nil // empty, or too few to assign to points
}

// carrier returns the surface linked to a face, or nil.
func (r *tessellatedReader) carrier(link part21.Ref) surface.Surface {
	if link == part21.Missing {
		return nil
	}
	switch r.Kind(link, faceKinds) {
	case schema.AdvancedFace, schema.FaceSurface:
		_, _, of, err := r.faceParts(link)
		if err != nil || !of.IsRef() {
			return nil
		}
		link = of.Ref()
	}
	s, err := r.Surface(link)
	if err != nil {
		return nil
	}
	return s
}

// corners collects triangles from lists of numbers that count from 1.
type corners struct {
	limit     int64
	triangles [][3]int32
	bad       bool
}

func (c *corners) next(list *part21.Args) int32 {
	i := list.Int()
	if i < 1 || i > c.limit {
		c.bad = true
		return 0
	}
	return int32(i - 1)
}

// single reads lists of three corners.
func (c *corners) single(rows part21.Args) {
	for rows.More() {
		row := rows.List()
		c.triangles = append(c.triangles, [3]int32{c.next(&row), c.next(&row), c.next(&row)})
	}
}

// strips reads strips: each corner makes a triangle with the two before it, of alternating sense.
func (c *corners) strips(rows part21.Args) {
	for rows.More() {
		row := rows.List()
		x, y := c.next(&row), c.next(&row)
		for even := true; row.More(); even = !even {
			z := c.next(&row)
			if even {
				c.triangles = append(c.triangles, [3]int32{x, y, z})
			} else {
				c.triangles = append(c.triangles, [3]int32{y, x, z})
			}
			x, y = y, z
		}
	}
}

// fans reads fans: each corner forms a triangle with the previous corner and the first.
func (c *corners) fans(rows part21.Args) {
	for rows.More() {
		row := rows.List()
		x, y := c.next(&row), c.next(&row)
		for row.More() {
			z := c.next(&row)
			c.triangles = append(c.triangles, [3]int32{x, y, z})
			y = z
		}
	}
}
