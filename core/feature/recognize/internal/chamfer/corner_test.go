package chamfer_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// halfSpace is the far side of a plane from n: n·p <= d.
type halfSpace struct {
	n geom.Vec3
	d float64
}

// convex is the intersection of half spaces.
func convex(name string, sides []halfSpace) *brep.Model {
	const off = 1e-9
	var points []geom.Vec3
	for i, a := range sides {
		for k, b := range sides[:i] {
			for _, c := range sides[:k] {
				det := a.n.Dot(b.n.Cross(c.n))
				if math.Abs(det) < off {
					continue
				}
				p := b.n.Cross(c.n).Scale(a.d).Add(c.n.Cross(a.n).Scale(b.d)).Add(a.n.Cross(b.n).Scale(c.d)).Scale(1 / det)
				if !slices.ContainsFunc(sides, func(s halfSpace) bool { return s.n.Dot(p) > s.d+off }) &&
					!slices.ContainsFunc(points, func(q geom.Vec3) bool { return p.Sub(q).Norm() < off }) {
					points = append(points, p)
				}
			}
		}
	}
	var faces [][][]int
	for _, s := range sides {
		var ring []int
		var middle geom.Vec3
		for i, p := range points {
			if math.Abs(s.n.Dot(p)-s.d) < off {
				ring = append(ring, i)
				middle = middle.Add(p)
			}
		}
		if len(ring) < 3 {
			continue
		}
		f := geom.NewFrame(middle.Scale(1/float64(len(ring))), s.n, geom.Vec3{})
		turn := func(i int) float64 {
			r := points[i].Sub(f.Origin)
			return math.Atan2(r.Dot(f.Z.Cross(f.X)), r.Dot(f.X))
		}
		slices.SortFunc(ring, func(i, k int) int { return cmp.Compare(turn(i), turn(k)) })
		faces = append(faces, [][]int{ring})
	}
	return build.Polyhedron(name, points, faces)
}

// block has all edges chamfered at 45°: those around the top, those around the bottom and the vertical ones by some mm
// each. Where three of them meet, a small plane passes through their ends, or they meet in a point.
func block(size geom.Vec3, top, bottom, upright float64, isMitred bool) *brep.Model {
	half := size.Scale(0.5)
	var sides []halfSpace
	add := func(x, y, z, by float64) { // less than by off the corner of the block there
		n := geom.Vec3{X: x, Y: y, Z: z}
		sides = append(sides, halfSpace{n, math.Abs(x)*half.X + math.Abs(y)*half.Y + math.Abs(z)*half.Z - by})
	}
	signs := []float64{-1, 1}
	for _, s := range signs {
		add(s, 0, 0, 0)
		add(0, s, 0, 0)
		add(0, 0, s, 0)
	}
	for _, s := range signs {
		for _, t := range signs {
			add(s, t, 0, upright)
			add(s, 0, t, map[float64]float64{-1: bottom, 1: top}[t])
			add(0, s, t, map[float64]float64{-1: bottom, 1: top}[t])
			for _, u := range signs {
				if rim := map[float64]float64{-1: bottom, 1: top}[u]; !isMitred {
					add(s, t, u, rim+min(rim, upright))
				}
			}
		}
	}
	return convex("block", sides)
}

// In a block with all edges chamfered, two loops of edges are one chamfer each, and the four edges between them one
// each. The loops are those of one width, or the longest. Each corner face between three bevels is a chamfer too.
func TestAllEdgesOfABlockAreBroken(t *testing.T) {
	up, flat := geom.Vec3{Z: 1}, geom.Vec3{X: 60, Y: 40, Z: 10}
	for _, c := range []struct {
		name                 string
		size                 geom.Vec3
		top, bottom, upright float64
		along                geom.Vec3 // which of its sides have the loops
	}{
		{"all alike", flat, 1, 1, 1, up},
		{"all alike, upright block", geom.Vec3{X: 60, Y: 10, Z: 40}, 1, 1, 1, geom.Vec3{Y: 1}},
		{"wider at the top", flat, 2, 1, 1, up},
		{"upright edges narrower, upright block", geom.Vec3{X: 60, Y: 10, Z: 40}, 2, 2, 1, up},
		{"three widths", flat, 2, 1.5, 1, up},
	} {
		for _, isMitred := range []bool{false, true} {
			for _, tilt := range []geom.Vec3{{}, {X: 1, Y: 2, Z: 3}} {
				m := block(c.size, c.top, c.bottom, c.upright, isMitred)
				along := c.along
				if tilt.Norm() > 0 {
					turn := geom.Rotation(tilt, 0.7)
					moved := &brep.Model{}
					moved.Append(m, turn)
					m, along = moved, turn.Dir(along)
				}
				g := graphOf(t, m)
				var sizes []int
				want := []int{1, 1, 1, 1, 4, 4}
				if !isMitred {
					want = []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4}
				}
				for _, group := range chamfer.Groups(g, chamfer.Find(g, make([]bool, len(g.Patches))), g.Rims) {
					sizes = append(sizes, len(group))
					for _, p := range group {
						if len(g.Patches[p].Arcs) == 3 {
							continue // a corner
						}
						slope := math.Abs(g.Patches[p].Axis.Dot(along))
						if isRim := slope > 0.1; isRim != (len(group) == 4) {
							t.Errorf("%s, mitred %v, tilted about %v: a group of %d with a bevel %v off level", c.name, isMitred,
								tilt, len(group), slope)
						}
					}
				}
				slices.Sort(sizes)
				if !slices.Equal(sizes, want) {
					t.Errorf("%s, mitred %v, tilted about %v: groups of %v, want %v", c.name, isMitred, tilt, sizes, want)
				}
			}
		}
	}
}

// A bevel may widen along its edge. With more than 20° between its sides it is a cut corner.
func TestBevelMayTaper(t *testing.T) {
	const cut = 2.0 // mm, at the end where it is narrow
	half := geom.Vec3{X: 30, Y: 40, Z: 15}
	for _, c := range []struct {
		angle float64 // between the sides, degrees
		want  bool
	}{{3, true}, {15, true}, {19, true}, {25, false}} {
		// The plane meets two perpendicular sides in lines that rise by a tangent from the edge.
		rise := math.Tan(math.Acos(math.Sqrt(math.Cos(geom.Radians(c.angle)))))
		n := geom.Vec3{X: 1, Y: rise, Z: 1}
		m := convex("taper", []halfSpace{
			{geom.Vec3{X: 1}, half.X}, {geom.Vec3{X: -1}, half.X}, {geom.Vec3{Y: 1}, half.Y}, {geom.Vec3{Y: -1}, half.Y},
			{geom.Vec3{Z: 1}, half.Z}, {geom.Vec3{Z: -1}, half.Z}, {n, half.X + half.Z - rise*half.Y - cut}})
		g := graphOf(t, m)
		got := false
		for p, is := range chamfer.Find(g, make([]bool, len(g.Patches))) {
			got = got || is && geom.Vec3.Dot(g.Patches[p].Axis, n.Unit()) > 0.999
		}
		if got != c.want {
			t.Errorf("sides at %v°: a chamfer %v, want %v", c.angle, got, c.want)
		}
	}
}

// faced is the solid with plane faces whose corners are counterclockwise seen from outside.
func faced(name string, faces [][]geom.Vec3) *brep.Model {
	var points []geom.Vec3
	var rings [][][]int
	for _, face := range faces {
		var ring []int
		for _, p := range face {
			i := slices.Index(points, p)
			if i < 0 {
				i = len(points)
				points = append(points, p)
			}
			ring = append(ring, i)
		}
		rings = append(rings, [][]int{ring})
	}
	return build.Polyhedron(name, points, rings)
}

// sizesOf returns the number of bevels of each chamfer of a part, ascending.
func sizesOf(t *testing.T, m *brep.Model) (sizes []int) {
	t.Helper()
	g := graphOf(t, m)
	for _, group := range chamfer.Groups(g, chamfer.Find(g, make([]bool, len(g.Patches))), g.Rims) {
		sizes = append(sizes, len(group))
	}
	slices.Sort(sizes)
	return sizes
}

// scratched is a block 60 x 40, 10 high, with all edges except the lower ones chamfered by 1, and a scratch 0.5 deep
// and 4 wide across its top, near an end.
func scratched() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	var bottom, low []geom.Vec3 // from the left end of the front, counterclockwise seen from above
	for _, xy := range []geom.Vec2{pt(1, 0), pt(59, 0), pt(60, 1), pt(60, 39), pt(59, 40), pt(1, 40), pt(0, 39),
		pt(0, 1)} {
		bottom, low = append(bottom, p(xy.X, xy.Y, 0)), append(low, p(xy.X, xy.Y, 9))
	}
	const mid = 9.5
	mitre := []geom.Vec3{p(0.5, 0.5, mid), p(59.5, 0.5, mid), p(59.5, 39.5, mid), p(0.5, 39.5, mid)}
	top := []geom.Vec3{p(1, 1, 10), p(59, 1, 10), p(59, 39, 10), p(1, 39, 10)}
	edge := []geom.Vec3{p(4, 1, 10), p(8, 1, 10), p(8, 39, 10), p(4, 39, 10)} // of the scratch
	foot := []geom.Vec3{p(4, 0.5, mid), p(8, 0.5, mid), p(8, 39.5, mid), p(4, 39.5, mid)}
	faces := [][]geom.Vec3{
		{top[0], edge[0], edge[3], top[3]}, {edge[1], top[1], top[2], edge[2]}, foot,
		{foot[0], foot[3], edge[3], edge[0]}, {foot[2], foot[1], edge[1], edge[2]},
		{low[0], low[1], mitre[1], top[1], edge[1], foot[1], foot[0], edge[0], top[0], mitre[0]},
		{low[2], low[3], mitre[2], top[2], top[1], mitre[1]},
		{low[4], low[5], mitre[3], top[3], edge[3], foot[3], foot[2], edge[2], top[2], mitre[2]},
		{low[6], low[7], mitre[0], top[0], top[3], mitre[3]},
	}
	for i := 0; i < len(low); i += 2 { // a side, and the chamfered edge before it
		k := (i + len(low) - 1) % len(low)
		faces = append(faces, []geom.Vec3{bottom[i], bottom[i+1], low[i+1], low[i]},
			[]geom.Vec3{bottom[k], bottom[i], low[i], mitre[i/2], low[k]})
	}
	under := slices.Clone(bottom)
	slices.Reverse(under)
	return faced("scratched", append(faces, under))
}

// The bevels around a top are one chamfer though a scratch leaves a piece of the top at its corners that is smaller
// than a side.
func TestRimGoesRoundTheWholeOfACutFace(t *testing.T) {
	if got, want := sizesOf(t, scratched()), []int{1, 1, 1, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("groups of %v, want %v", got, want)
	}
}

// lands is a plate 80 x 40 x 10 with two lands, flush with its front and 10 high. They are within 10 of each other
// there and narrow to the back, so that their sides do not face each other. The edges of both are chamfered by 1.
func lands() *brep.Model {
	at := func(ring []geom.Vec2, z float64, isMirrored bool) (out []geom.Vec3) {
		for _, p := range ring {
			if isMirrored {
				p.X = 80 - p.X
			}
			out = append(out, geom.Vec3{X: p.X, Y: p.Y, Z: z})
		}
		if isMirrored {
			slices.Reverse(out)
		}
		return out
	}
	foot := []geom.Vec2{pt(0, 0), pt(35, 0), pt(5, 30), pt(0, 30)}
	top := []geom.Vec2{pt(1, 1), pt(34-math.Sqrt2, 1), pt(6-math.Sqrt2, 29), pt(1, 29)}
	ground := at([]geom.Vec2{pt(0, 0), pt(80, 0), pt(80, 40), pt(0, 40)}, 0, false)
	left, right := at(foot, 19, false), at(foot, 19, true)
	low, far := at(foot, 10, false), at(foot, 10, true)
	back := at([]geom.Vec2{pt(80, 40), pt(0, 40)}, 10, false)
	faces := [][]geom.Vec3{
		{ground[3], ground[2], ground[1], ground[0]},
		{ground[0], ground[1], right[3], right[2], far[2], low[1], left[1], left[0]},
		{ground[1], ground[2], back[0], far[0], right[0], right[3]}, {ground[2], ground[3], back[1], back[0]},
		{ground[3], ground[0], left[0], left[3], low[3], back[1]},
		{low[1], far[2], far[1], far[0], back[0], back[1], low[3], low[2]},
		{low[1], low[2], left[2], left[1]}, {low[2], low[3], left[3], left[2]},
		{far[0], far[1], right[1], right[0]}, {far[1], far[2], right[2], right[1]},
	}
	for _, isMirrored := range []bool{false, true} {
		rim, inner := at(foot, 19, isMirrored), at(top, 20, isMirrored)
		for i := range rim {
			k := (i + 1) % len(rim)
			faces = append(faces, []geom.Vec3{rim[i], rim[k], inner[k], inner[i]})
		}
		faces = append(faces, inner)
	}
	return faced("lands", faces)
}

// Chamfers around the corners of a land were cut after the adjacent groove, and do not continue across it.
func TestRimsOfLandsAreChamfersEach(t *testing.T) {
	if got, want := sizesOf(t, lands()), []int{4, 4}; !slices.Equal(got, want) {
		t.Errorf("groups of %v, want %v", got, want)
	}
}
