// Package section cuts the walls of a part perpendicular to a direction, to find closed chains.
package section

// Method: the faces that are steep along a direction, joined over the edges along it, are cut by a plane perpendicular
// to it. The section of their mesh is a set of chains. A closed chain that is counterclockwise, seen from the
// direction, surrounds material (an island, the outside of a part), a clockwise one a cavity. A section of the mesh
// does not depend on how walls are split, blended or interrupted above and below. Where a slope cuts the walls, the
// chain is open, and its ends are joined.
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
	// SteepSin is the largest slope of a wall to its direction: 45°, rounded up.
	SteepSin = 0.7072

	// maxCuts bounds the heights at which one group of walls is cut for one purpose. For a group on many levels, only
	// the largest walls are tested.
	maxCuts = 64
)

// Walls are the patches that are steep along one direction.
type Walls struct {
	Dir   geom.Vec3
	Steep []bool          // by patch
	Z     []geom.Interval // mm along Dir, by patch, of steep patches

	g     *graph.Graph
	set   graph.UnionFind // of patches joined over edges along the direction
	cuts  map[cutKey][]Chain
	count map[int32]int // number of cuts by root
	group map[int32][]int32

	cutting cutting
}

type cutKey struct {
	root int32
	z    int64 // in graph lengths
}

// Chain is a connected piece of a section.
type Chain struct {
	Patches  []int32 // ascending
	IsClosed bool
	Area     float64 // mm², positive around material; a chord closes an open chain
	Length   float64 // mm

	shows, isKnown bool // cache of ShowsAllRound
}

// Along returns the walls along a direction.
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

// Renew resets the number of cuts of all groups, for another purpose.
func (w *Walls) Renew() { clear(w.count) }

// Root returns the root of the walls that p is joined with over edges along the direction.
func (w *Walls) Root(p int32) int32 { return w.set.Find(p) }

// Joined returns the walls that p is joined with, with p, ascending; nil if p is not a wall.
func (w *Walls) Joined(p int32) []int32 { return w.group[w.Root(p)] }

// IsSteep reports whether a patch is steep along dir and nowhere leans under material.
func IsSteep(g *graph.Graph, p int32, dir geom.Vec3) bool {
	s := g.Slopes(p, dir)
	return s.Lo >= -graph.DirectionTolerance && s.Hi < SteepSin
}

// ChainOf returns the chain in which a cut at height z along the direction meets patch p. ok is false if there is none
// or too many cuts were made.
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

// piece is the segment of a section in one triangle, with the material on the left. It connects two edges of the
// triangle, given by their numbers among the cut edges.
type piece struct {
	from, to int32
	patch    int32
	isUsed   bool
	a, b     geom.Vec2 // mm, perpendicular to the direction
}

// cutting is the memory of a cut, reused by the next cut.
type cutting struct {
	pieces []piece
	start  []int32 // by edge: the last piece that starts there, graph.None if there is none
	hasEnd []bool  // by edge: a piece ends there
	edges  [][2]int32
	slots  []int32 // 1 + edge by hash, 0 for an empty slot; the length is a power of two
}

// cut returns the section of some walls with the plane at height z.
func (w *Walls) cut(patches []int32, z float64) []Chain {
	c := &w.cutting
	w.collect(patches, z)
	var out []Chain
	for _, open := range []bool{true, false} { // open chains begin at their first piece
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

// collect collects the segments of the triangles.
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

// edge returns the number of the mesh edge between two points.
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

// slot returns the slot of an edge by open addressing with a multiplicative hash (D. Knuth, The Art of Computer
// Programming 3, 6.4).
func (c *cutting) slot(key [2]int32) int {
	const golden = 0x9e3779b97f4a7c15
	mask := uint64(len(c.slots) - 1)
	h := (uint64(uint32(key[0]))<<32 | uint64(uint32(key[1]))) * golden >> 20 & mask
	for c.slots[h] != 0 && c.edges[c.slots[h]-1] != key {
		h = (h + 1) & mask
	}
	return int(h)
}

// ShowsAllRound reports whether the walls of a chain show on all sides.
func (w *Walls) ShowsAllRound(c *Chain) bool {
	if !c.isKnown {
		c.shows, c.isKnown = w.Encircles(c.Patches), true
	}
	return c.shows
}

// Encircles is the function Encircles along the direction of the walls.
func (w *Walls) Encircles(patches []int32) bool { return Encircles(w.g, w.Dir, patches) }

// Encircles reports whether the outward normals of some patches, seen along a direction, leave no half circle free.
// Walls that show on one side only do not surround anything.
func Encircles(g *graph.Graph, dir geom.Vec3, patches []int32) bool {
	return WidestNormalGap(g, dir, patches) < math.Pi-graph.SmoothAngle
}

// WidestNormalGap returns the widest angle, rad, without outward normals of some patches, seen along a direction.
func WidestNormalGap(g *graph.Graph, dir geom.Vec3, patches []int32) float64 {
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

// WidestGap returns the widest range, rad, between neighbors among angles on a circle. It sorts them.
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
