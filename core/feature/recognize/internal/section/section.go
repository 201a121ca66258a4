// Package section cuts the walls of a part across a direction, to see what runs all the way round.
package section

// Method: the faces that are steep along a direction, joined over the edges that run along it, are cut
// by a plane across the direction. The cut through their mesh is a set of chains; a closed chain that
// runs counter-clockwise seen from the direction goes round material (an island, the outside of a part),
// one that runs clockwise round a hollow. Cutting the mesh instead of following edges keeps the answer
// independent of how walls are parted, blended or interrupted above and below the cut. Where a slope cuts
// through the walls the chain is open; its ends are then joined.
//
// Cost: linear in the triangles of the walls for every cut; maxCuts cuts per group of walls.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// SteepSin is the largest slope of a wall towards its direction: 45°, rounded up.
	SteepSin = 0.7072

	// maxCuts bounds the heights at which one group of walls is cut for one purpose: what stands on many levels at once
	// has its largest walls tried.
	maxCuts = 64
)

// Walls are the patches that are steep along one direction.
type Walls struct {
	Dir   geom.Vec3
	Steep []bool          // by patch
	Z     []geom.Interval // mm along Dir, by patch, of the steep ones

	g     *graph.Graph
	set   graph.UnionFind // of patches joined over edges along the direction
	cuts  map[cutKey][]Chain
	count map[int32]int // cuts made by root
	group map[int32][]int32

	cutting cutting
}

type cutKey struct {
	root int32
	z    int64 // in graph lengths
}

// Chain is a connected piece of a cut.
type Chain struct {
	Patches  []int32 // ascending
	IsClosed bool
	Area     float64 // mm², positive where it goes round material; an open chain is closed by its chord
	Length   float64 // mm

	shows, isKnown bool // on all sides, once asked
}

// Along finds the walls along a direction.
func Along(g *graph.Graph, dir geom.Vec3) *Walls {
	n := len(g.Patches)
	w := &Walls{
		Dir: dir, Steep: make([]bool, n), Z: make([]geom.Interval, n), g: g, set: graph.NewUnionFind(n),
		cuts: map[cutKey][]Chain{}, count: map[int32]int{}, group: map[int32][]int32{},
	}
	for i := range g.Patches {
		w.Steep[i] = IsSteep(g, int32(i), dir)
	}
	for i := range g.Arcs {
		a := &g.Arcs[i]
		if w.Steep[a.A] && w.Steep[a.B] && math.Abs(a.Dir.Dot(dir)) > graph.LateralCos {
			w.set.Join(a.A, a.B)
		}
	}
	for i := range g.Patches {
		if w.Steep[i] {
			root := w.set.Find(int32(i))
			w.group[root] = append(w.group[root], int32(i))
			w.Z[i] = g.Extent(int32(i), dir)
		}
	}
	return w
}

// Renew lets every group of walls be cut as often again, for another purpose.
func (w *Walls) Renew() { clear(w.count) }

// Root names the walls that p is joined with over edges along the direction.
func (w *Walls) Root(p int32) int32 { return w.set.Find(p) }

// Joined returns the walls that p is joined with, itself among them, ascending; none where it is no wall.
func (w *Walls) Joined(p int32) []int32 { return w.group[w.Root(p)] }

// IsSteep reports whether a patch is steep along dir and nowhere leans under material.
func IsSteep(g *graph.Graph, p int32, dir geom.Vec3) bool {
	s := g.Slopes(p, dir)
	return s.Lo >= -graph.DirectionTolerance && s.Hi < SteepSin
}

// ChainOf returns the chain in which a cut at height z along the direction meets patch p; ok is false
// where there is none or too many cuts were made.
func (w *Walls) ChainOf(p int32, z float64) (c *Chain, ok bool) {
	key := cutKey{w.set.Find(p), int64(math.Round(z / w.g.Length))}
	chains, done := w.cuts[key]
	if !done {
		if w.count[key.root] >= maxCuts {
			return nil, false
		}
		w.count[key.root]++
		chains = w.cut(w.group[key.root], z)
		w.cuts[key] = chains
	}
	for i := range chains {
		if _, in := slices.BinarySearch(chains[i].Patches, p); in {
			return &chains[i], true
		}
	}
	return nil, false
}

// piece is where a cut crosses one triangle: from one of its edges to another, with the material on
// the left. Edges are those that the cut crosses, by number.
type piece struct {
	from, to int32
	patch    int32
	isUsed   bool
	a, b     geom.Vec2 // mm, across the direction
}

// cutting is the memory of a cut, which the next one uses again.
type cutting struct {
	pieces []piece
	start  []int32 // by edge: the last of the pieces that start there, graph.None for none
	hasEnd []bool  // by edge: some piece ends there
	edges  [][2]int32
	slots  []int32 // 1 + edge by hash, 0 for none; a power of two
}

// cut crosses the meshes of some walls with the plane at height z.
func (w *Walls) cut(patches []int32, z float64) []Chain {
	c := &w.cutting
	w.collect(patches, z)
	var out []Chain
	for _, open := range []bool{true, false} { // open chains are walked from their first piece on
		for i := range c.pieces {
			if c.pieces[i].isUsed || open && c.hasEnd[c.pieces[i].from] {
				continue
			}
			one := Chain{IsClosed: !open}
			origin := c.pieces[i].a
			for k := int32(i); k != graph.None && !c.pieces[k].isUsed; k = c.start[c.pieces[k].to] {
				p := &c.pieces[k]
				p.isUsed = true
				if n := len(one.Patches); n == 0 || one.Patches[n-1] != p.patch {
					one.Patches = append(one.Patches, p.patch)
				}
				one.Area += p.a.Sub(origin).Cross(p.b.Sub(origin)) / 2
				one.Length += p.b.Sub(p.a).Norm()
			}
			slices.Sort(one.Patches)
			one.Patches = slices.Compact(one.Patches)
			out = append(out, one)
		}
	}
	return out
}

// collect lists the crossings of the triangles.
func (w *Walls) collect(patches []int32, z float64) {
	frame := geom.NewFrame(geom.Vec3{}, w.Dir, geom.Vec3{})
	msh, c := w.g.Mesh, &w.cutting
	c.pieces, c.start, c.hasEnd, c.edges = c.pieces[:0], c.start[:0], c.hasEnd[:0], c.edges[:0]
	clear(c.slots)
	for _, p := range patches {
		if z < w.Z[p].Lo || z > w.Z[p].Hi {
			continue
		}
		for _, f := range w.g.Patches[p].Faces {
			r := &msh.Regions[f]
			for _, k := range msh.Triangles[r.Start:r.End] {
				h := [3]float64{
					msh.Points[k[0]].Dot(w.Dir) - z, msh.Points[k[1]].Dot(w.Dir) - z, msh.Points[k[2]].Dot(w.Dir) - z,
				}
				if (h[0] >= 0) == (h[1] >= 0) && (h[1] >= 0) == (h[2] >= 0) {
					continue
				}
				one := piece{patch: p}
				for i := range 3 {
					n := (i + 1) % 3
					if (h[i] >= 0) == (h[n] >= 0) {
						continue
					}
					s := h[i] / (h[i] - h[n])
					a, b := msh.Points[k[i]], msh.Points[k[n]]
					q := frame.LocalDir(a.AddScaled(s, b.Sub(a)))
					if at := (geom.Vec2{X: q.X, Y: q.Y}); h[i] >= 0 {
						one.from, one.a = c.edge(k[i], k[n]), at
					} else {
						one.to, one.b = c.edge(k[i], k[n]), at
					}
				}
				c.start[one.from], c.hasEnd[one.to] = int32(len(c.pieces)), true
				c.pieces = append(c.pieces, one)
			}
		}
	}
}

// edge returns the number of the edge of the mesh between two points.
func (c *cutting) edge(a, b int32) int32 {
	if 2*len(c.edges) >= len(c.slots) {
		c.slots = make([]int32, max(64, 4*len(c.slots)))
		for i := range c.edges {
			c.slots[c.slot(c.edges[i])] = int32(i) + 1
		}
	}
	key := [2]int32{min(a, b), max(a, b)}
	at := c.slot(key)
	if c.slots[at] == 0 {
		c.edges, c.start, c.hasEnd = append(c.edges, key), append(c.start, graph.None), append(c.hasEnd, false)
		c.slots[at] = int32(len(c.edges))
	}
	return c.slots[at] - 1
}

// slot returns where an edge is kept or would be, by open addressing with a multiplicative hash (D. Knuth,
// The Art of Computer Programming 3, 6.4).
func (c *cutting) slot(key [2]int32) int {
	const golden = 0x9e3779b97f4a7c15
	mask := uint64(len(c.slots) - 1)
	h := (uint64(uint32(key[0]))<<32 | uint64(uint32(key[1]))) * golden >> 20 & mask
	for c.slots[h] != 0 && c.edges[c.slots[h]-1] != key {
		h = (h + 1) & mask
	}
	return int(h)
}

// ShowsAllRound reports whether the walls of a chain embrace what they run round.
func (w *Walls) ShowsAllRound(c *Chain) bool {
	if !c.isKnown {
		c.shows, c.isKnown = w.Embraces(c.Patches), true
	}
	return c.shows
}

// Embraces is the function of this name along the direction of the walls.
func (w *Walls) Embraces(patches []int32) bool { return Embraces(w.g, w.Dir, patches) }

// Embraces reports whether the outward normals of some patches, seen along a direction, leave no half
// circle free: walls of which one side alone shows do not run round anything.
func Embraces(g *graph.Graph, dir geom.Vec3, patches []int32) bool {
	return Gap(g, dir, patches) < math.Pi-graph.SmoothAngle
}

// Gap returns the widest angle, rad, seen along a direction, that the outward normals of some patches leave free.
func Gap(g *graph.Graph, dir geom.Vec3, patches []int32) float64 {
	frame := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	var angles []float64
	add := func(n geom.Vec3) {
		if l := frame.LocalDir(n); math.Hypot(l.X, l.Y) > graph.DirectionTolerance {
			angles = append(angles, math.Atan2(l.Y, l.X))
		}
	}
	for _, p := range patches {
		if s := &g.Patches[p].Shape; s.Kind == surface.KindPlane {
			add(s.Axis)
			continue
		}
		g.EachPoint(p, func(_, n geom.Vec3) { add(n) })
	}
	return WidestGap(angles)
}

// WidestGap returns the widest range, rad, between neighbours among angles on a circle. It sorts them.
func WidestGap(angles []float64) float64 {
	if len(angles) == 0 {
		return 2 * math.Pi
	}
	slices.Sort(angles)
	gap := angles[0] + 2*math.Pi - angles[len(angles)-1]
	for i := 1; i < len(angles); i++ {
		gap = max(gap, angles[i]-angles[i-1])
	}
	return gap
}
