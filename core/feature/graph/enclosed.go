package graph

// Voids closed on all sides.
//
// Method: faces connected over edges with two coedges each bound space. Their normals point away from the material, so
// the volume within them, by the divergence theorem, is negative for a void, which no tool enters. Files need not mark
// voids, and an inner shell may be in one list with the outer one.
//
// Cost: linear in edges and triangles. Limits: a void whose shell has a gap is found only if the model marks it.

// markEnclosed finds the patches that bound voids closed on all sides.
func (g *Graph) markEnclosed() {
	set := NewUnionFind(len(g.Model.Faces))
	for i := range g.Model.Edges {
		c := g.Model.Edges[i].Coedges
		for k := range c {
			set.Join(int32(g.Model.FaceOf(c[0])), int32(g.Model.FaceOf(c[k])))
		}
	}
	volume := make([]float64, len(g.Model.Faces)) // by root
	isOpen := make([]bool, len(g.Model.Faces))
	for i := range g.Model.Edges {
		if e := &g.Model.Edges[i]; e.Curve != nil && len(e.Coedges) == 1 {
			isOpen[set.Find(int32(g.Model.FaceOf(e.Coedges[0])))] = true
		}
	}
	for f := range g.Model.Faces {
		root := set.Find(int32(f))
		if g.PatchOf[f] == None {
			isOpen[root] = true
			continue
		}
		r := &g.Mesh.Regions[f]
		volume[root] += g.Mesh.VolumeOf(int(r.Start), int(r.End), g.Bounds.Center())
	}
	for i := range g.Patches {
		f := g.Patches[i].Faces[0]
		root := set.Find(int32(f))
		g.Patches[i].Enclosed = g.Model.Shells[g.Model.Faces[f].Shell].IsVoid || !isOpen[root] && volume[root] < 0
	}
}
