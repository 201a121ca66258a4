package recognize

// Rings: walls that run all the way round something.
//
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

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	// steepSin is the largest slope of a wall towards its direction: 45°, rounded up.
	steepSin = 0.7072

	// maxCuts bounds the heights at which one group of walls is cut: what stands on many levels at once
	// has its largest walls tried.
	maxCuts = 24
)

// walls are the patches that are steep along one direction of the sight.
type walls struct {
	dir   geom.Vec3
	steep []bool          // by patch
	set   graph.Sets      // of patches joined over edges along the direction
	z     []geom.Interval // mm along dir, by patch, of the steep ones
	cuts  map[cutKey][]chain
	count map[int32]int // cuts made by root
	group map[int32][]int32
}

type cutKey struct {
	root int32
	z    int64 // in graph lengths
}

// chain is a connected piece of a cut.
type chain struct {
	patches  []int32 // ascending
	isClosed bool
	area     float64 // mm², positive where it goes round material; an open chain is closed by its chord
	length   float64 // mm

	shows, isKnown bool // on all sides, once asked
}

// wallsAlong finds the steep patches along direction d of the sight.
func (r *recognizer) wallsAlong(d int) *walls {
	if r.wallsOf[d] != nil {
		return r.wallsOf[d]
	}
	g := r.g
	w := &walls{
		dir: r.v.Dirs[d], steep: make([]bool, len(g.Patches)), set: graph.NewSets(len(g.Patches)),
		z: make([]geom.Interval, len(g.Patches)), cuts: map[cutKey][]chain{}, count: map[int32]int{},
		group: map[int32][]int32{},
	}
	for i := range g.Patches {
		w.steep[i] = r.isSteep(int32(i), w.dir)
	}
	for i := range g.Arcs {
		a := &g.Arcs[i]
		if w.steep[a.A] && w.steep[a.B] && math.Abs(a.Dir.Dot(w.dir)) > graph.LateralCos {
			w.set.Join(a.A, a.B)
		}
	}
	for i := range g.Patches {
		if w.steep[i] {
			root := w.set.Find(int32(i))
			w.group[root] = append(w.group[root], int32(i))
			w.z[i] = g.Extent(int32(i), w.dir)
		}
	}
	r.wallsOf[d] = w
	return w
}

// isSteep reports whether a patch is steep along dir and nowhere leans under material.
func (r *recognizer) isSteep(p int32, dir geom.Vec3) bool {
	s := r.g.Slopes(p, dir)
	return s.Lo >= -graph.SameDirection && s.Hi < steepSin
}

// chainOf returns the chain in which a cut at height z along the direction meets patch p; ok is false
// where there is none or too many cuts were made.
func (r *recognizer) chainOf(w *walls, p int32, z float64) (c *chain, ok bool) {
	key := cutKey{w.set.Find(p), int64(math.Round(z / r.g.Length))}
	chains, done := w.cuts[key]
	if !done {
		if w.count[key.root] >= maxCuts {
			return nil, false
		}
		w.count[key.root]++
		chains = r.cut(w, w.group[key.root], z)
		w.cuts[key] = chains
	}
	for i := range chains {
		if _, in := slices.BinarySearch(chains[i].patches, p); in {
			return &chains[i], true
		}
	}
	return nil, false
}

// cutEdge is an edge of the mesh by its points, the smaller first.
type cutEdge [2]int32

func newCutEdge(a, b int32) cutEdge { return cutEdge{min(a, b), max(a, b)} }

// piece is where a cut crosses one triangle: from one of its edges to another, with the material on
// the left.
type piece struct {
	from, to cutEdge
	patch    int32
	a, b     geom.Vec2 // mm, across the direction
	isUsed   bool
}

// cut crosses the meshes of some walls with the plane at height z.
func (r *recognizer) cut(w *walls, patches []int32, z float64) []chain {
	pieces, start := r.pieces(w, patches, z)
	end := make(map[cutEdge]bool, len(pieces))
	for i := range pieces {
		end[pieces[i].to] = true
	}
	var out []chain
	for _, open := range []bool{true, false} { // open chains are walked from their first piece on
		for i := range pieces {
			if pieces[i].isUsed || open && end[pieces[i].from] {
				continue
			}
			c := chain{isClosed: !open}
			origin := pieces[i].a
			for k, found := int32(i), true; found && !pieces[k].isUsed; k, found = start[pieces[k].to] {
				p := &pieces[k]
				p.isUsed = true
				c.patches = append(c.patches, p.patch)
				c.area += p.a.Sub(origin).Cross(p.b.Sub(origin)) / 2
				c.length += p.b.Sub(p.a).Norm()
			}
			slices.Sort(c.patches)
			c.patches = slices.Compact(c.patches)
			out = append(out, c)
		}
	}
	return out
}

// pieces lists the crossings of the triangles, and which one starts at an edge.
func (r *recognizer) pieces(w *walls, patches []int32, z float64) ([]piece, map[cutEdge]int32) {
	dir := w.dir
	frame := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	var out []piece
	start := map[cutEdge]int32{}
	msh := r.g.Mesh
	for _, p := range patches {
		if z < w.z[p].Lo || z > w.z[p].Hi {
			continue
		}
		for _, f := range r.g.Patches[p].Faces {
			for t := msh.Regions[f].Start; t < msh.Regions[f].End; t++ {
				k := msh.Triangles[t]
				var h [3]float64
				for c, v := range k {
					h[c] = msh.Points[v].Dot(dir) - z
				}
				one := piece{patch: p}
				crossed := 0
				for c := range 3 {
					n := (c + 1) % 3
					if (h[c] >= 0) == (h[n] >= 0) {
						continue
					}
					crossed++
					s := h[c] / (h[c] - h[n])
					a, b := msh.Points[k[c]], msh.Points[k[n]]
					q := frame.LocalDir(a.AddScaled(s, b.Sub(a)))
					if at := (geom.Vec2{X: q.X, Y: q.Y}); h[c] >= 0 {
						one.from, one.a = newCutEdge(k[c], k[n]), at
					} else {
						one.to, one.b = newCutEdge(k[c], k[n]), at
					}
				}
				if crossed == 2 {
					start[one.from] = int32(len(out))
					out = append(out, one)
				}
			}
		}
	}
	return out, start
}

// embraces reports whether the outward normals of some patches, seen along dir, leave no half circle
// free: walls of which one side alone shows do not run round anything.
func (r *recognizer) embraces(patches []int32, dir geom.Vec3) bool {
	return r.gap(patches, dir) < math.Pi-graph.SmoothAngle
}

// gap returns the widest angle, rad, seen along dir, that the outward normals of some patches leave free.
func (r *recognizer) gap(patches []int32, dir geom.Vec3) float64 {
	frame := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	var angles []float64
	add := func(n geom.Vec3) {
		if l := frame.LocalDir(n); math.Hypot(l.X, l.Y) > graph.SameDirection {
			angles = append(angles, math.Atan2(l.Y, l.X))
		}
	}
	for _, p := range patches {
		if s := &r.g.Patches[p].Shape; s.Kind == surface.KindPlane {
			add(s.Axis)
			continue
		}
		r.g.EachPoint(p, func(_, n geom.Vec3) { add(n) })
	}
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
