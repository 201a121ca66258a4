package direction

// Candidate directions of patches, and their clustering.

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/hashgrid"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// ringShare is the share of a ring that must be visible along its axis: half of it, with an allowance for samples.
const ringShare = 0.45

// candidate is a direction that some patches propose.
type candidate struct {
	dir     geom.Vec3
	area    float64 // mm²
	patches []int32 // one visible patch of these suffices to keep the direction
	need    []float64
}

func (c *candidate) serves(share []float64) bool {
	for i, p := range c.patches {
		if share[p] >= c.need[i] {
			return true
		}
	}
	return false
}

func candidates(g *graph.Graph, requests []Request, skip []bool) []candidate {
	var raw []candidate
	add := func(d geom.Vec3, area, need float64, patches ...int32) {
		if slices.ContainsFunc(patches, func(p int32) bool { return g.Patches[p].Enclosed }) {
			return
		}
		c := candidate{dir: SnapDirection(d), area: area, patches: patches, need: make([]float64, len(patches))}
		for i := range c.need {
			c.need[i] = need
		}
		raw = append(raw, c)
	}
	for i := range g.Patches {
		p := &g.Patches[i]
		switch {
		case p.Kind == surface.KindPlane && !skip[i]:
			add(p.Axis, p.Area, MinFloorVisibility, int32(i))
		case (p.Kind == surface.KindCylinder || p.Kind == surface.KindCone) && !p.Hollow &&
			g.Sweep([]int32{int32(i)}, &p.Shape) >= graph.FullSweep:
			add(p.Axis, p.Area, MinWallVisibility, int32(i))
			add(p.Axis.Neg(), p.Area, MinWallVisibility, int32(i))
		case p.Kind == surface.KindTorus && !p.Hollow && g.Sweep([]int32{int32(i)}, &p.Shape) >= graph.FullSweep:
			add(p.Axis, p.Area, ringShare, int32(i))
			add(p.Axis.Neg(), p.Area, ringShare, int32(i))
		}
	}
	for _, a := range requests {
		add(a.Dir, g.AreaOf(a.Patches), cmp.Or(a.Share, MinWallVisibility), slices.Clone(a.Patches)...)
	}
	return cluster(raw)
}

// cluster merges equal directions of candidates, largest first, and keeps the largest clusters. It finds clusters in a
// grid, so that a faceted part with a direction per facet costs no more.
func cluster(raw []candidate) []candidate {
	sortBySize(raw)
	var out []candidate
	const size = 1.001 * graph.DirectionTolerance // chords are a little longer than the sine of their angle
	clusters := hashgrid.New[[]int32](size)
	for _, c := range raw {
		if i := find(out, clusters, c.dir); i != graph.None {
			o := &out[i]
			o.area += c.area
			o.patches = append(o.patches, c.patches...)
			o.need = append(o.need, c.need...)
			continue
		}
		list := clusters.At(c.dir)
		*list = append(*list, int32(len(out)))
		out = append(out, c)
	}
	sortBySize(out)
	return out[:min(len(out), maxCandidates)]
}

// find returns the first cluster with direction d, or graph.None.
func find(out []candidate, clusters *hashgrid.Grid[[]int32], d geom.Vec3) int32 {
	first := int32(graph.None)
	clusters.Around(d, func(list *[]int32) {
		for _, i := range *list {
			if Same(out[i].dir, d) && (first == graph.None || i < first) {
				first = i
			}
		}
	})
	return first
}

// Same reports whether two directions are one to a setup.
func Same(a, b geom.Vec3) bool { return a.Dot(b) > 0 && a.Cross(b).Norm() <= graph.DirectionTolerance }

// sortBySize sorts candidates by area, largest first, then by direction.
func sortBySize(all []candidate) {
	type key struct {
		size float64
		c    candidate
	}
	keys := make([]key, len(all))
	for i, c := range all {
		keys[i] = key{RoundSignificant(c.area), c}
	}
	slices.SortStableFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.size, a.size), Compare(a.c.dir, b.c.dir))
	})
	for i := range keys {
		all[i] = keys[i].c
	}
}
