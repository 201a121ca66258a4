package graph

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// Serialize reads or writes the graph of a part whose Model and Mesh are set. Results of point inversions are stored;
// areas of triangles and lists that follow from the arcs are computed again.
func Serialize(c *pack.Archive, g *Graph) {
	if len(g.Mesh.Regions) != len(g.Model.Faces) {
		c.Fail("the mesh has %d regions for %d faces", len(g.Mesh.Regions), len(g.Model.Faces))
		return
	}
	var face brep.FaceID
	pack.Slice(c, &g.Patches, 40, func(p *Patch) {
		pack.Slice(c, &p.Faces, 1, func(f *brep.FaceID) { index(c, f, &face, len(g.Model.Faces)) })
		pack.Integer(c, &p.Kind)
		c.Vec(&p.Origin)
		c.Dir(&p.Axis)
		c.Sparse(&p.Radius)
		c.Sparse(&p.Minor)
		c.Sparse(&p.Slope)
		c.Flags(&p.Hollow)
		c.Float(&p.Area)
	})
	var a, b int32
	var edge brep.EdgeID
	pack.Slice(c, &g.Arcs, 41, func(r *Adjacency) {
		index(c, &r.A, &a, len(g.Patches))
		index(c, &r.B, &b, len(g.Patches))
		index(c, &r.Edge, &edge, len(g.Model.Edges))
		pack.Integer(c, &r.Convexity)
		c.Floats(&r.Turn, &r.Length)
		c.Vec(&r.Mid)
		c.Dir(&r.Dir)
	})
	if c.Reading() && c.Err() == nil {
		g.complete(c)
	}
}

// index codes an index below length.
func index[ID ~int32](c *pack.Archive, v, before *ID, length int) {
	if pack.Delta(c, v, before); c.Reading() && (*v < 0 || int(*v) >= length) {
		c.Fail("entry %d of %d is referred to", *v, length)
	}
}

// complete computes the data that follow from the patches and arcs.
func (g *Graph) complete(c *pack.Archive) {
	g.measurePart()
	for f := range g.PatchOf {
		g.PatchOf[f] = None
		g.measureTriangles(brep.FaceID(f))
	}
	for p := range g.Patches {
		for _, f := range g.Patches[p].Faces {
			if g.skip(f) || g.PatchOf[f] != None {
				c.Fail("face %d bounds no material or is of two patches", f)
				return
			}
			g.PatchOf[f] = int32(p)
		}
	}
	for i := range g.Arcs {
		r := &g.Arcs[i]
		if _, _, ok := g.between(r.Edge); !ok {
			c.Fail("edge %d joins no two faces", r.Edge)
			return
		}
		g.Patches[r.A].Arcs = append(g.Patches[r.A].Arcs, int32(i))
		g.Patches[r.B].Arcs = append(g.Patches[r.B].Arcs, int32(i))
	}
}
