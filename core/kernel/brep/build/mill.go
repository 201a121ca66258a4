package build

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Cut is a recess milled into a flat face. A negative depth makes a boss on the face instead. A recess that reaches z =
// 0 is a through recess.
type Cut struct {
	Profile []Corner // counter-clockwise seen from above
	Depth   float64  // mm
	Cuts    []Cut    // in the floor of the recess, on the top of the boss
	Holes   []Hole   // likewise; profiles go through when their last depth reaches z = 0
}

// Milled is a prism from z = 0 to height with cuts and holes in its top. Faces: the sides in profile order, bottom,
// top, then for each cut its walls in profile order, its floor if it has one, its own cuts and holes, and last the
// holes in the top.
func Milled(name string, profile []Corner, height float64, style Style, cuts []Cut,
	holes ...Hole) *brep.Model {
	b := New(name)
	bottom, top := b.prism(profile, 0, height)
	b.mill(Cut{Cuts: cuts, Holes: holes}, height, bottom, top, style)
	return b.solidModel()
}

// mill adds the cuts and holes of c to the face top at height z.
func (b *Builder) mill(c Cut, z float64, bottom, top brep.FaceID, style Style) {
	for _, k := range c.Cuts {
		floor := z - k.Depth
		var low, high []EdgeUse
		if k.Depth > 0 {
			low, high = b.walls(k.Profile, floor, z, true)
			b.AddLoop(top, Chain(turned(high)...))
		} else {
			low, high = b.walls(k.Profile, z, floor, false)
			b.AddLoop(top, Chain(turned(low)...))
			low = high
		}
		if floor <= 0 {
			b.AddLoop(bottom, Chain(low...))
			continue
		}
		up := geom.NewFrame(geom.Vec3{Z: floor}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
		b.mill(k, floor, bottom, b.Face(surface.Plane{Frame: up}, false, Chain(low...)), style)
	}
	for _, h := range c.Holes {
		b.hole(h, z, bottom, top, style)
	}
}

// turned reverses a chain.
func turned(uses []EdgeUse) []EdgeUse {
	out := make([]EdgeUse, len(uses))
	for i, u := range uses {
		out[len(uses)-1-i] = EdgeUse{u.Edge, !u.Reversed}
	}
	return out
}

// walls adds the faces over a counter-clockwise profile from z0 to z1 and returns their bottom and top edges,
// counter-clockwise. The material is outside the profile when inward.
func (b *Builder) walls(profile []Corner, z0, z1 float64, inward bool) (low, high []EdgeUse) {
	n := len(profile)
	var v [2][]brep.VertexID
	for k, z := range []float64{z0, z1} {
		for _, c := range profile {
			v[k] = append(v[k], b.Vertex(geom.Vec3{X: c.P.X, Y: c.P.Y, Z: z}))
		}
	}
	posts := make([]brep.EdgeID, n)
	for i, c := range profile {
		j := (i + 1) % n
		low = append(low, Fwd(b.piece(c, profile[j].P, z0, v[0][i], v[0][j])))
		high = append(high, Fwd(b.piece(c, profile[j].P, z1, v[1][i], v[1][j])))
		posts[i] = b.Line(v[0][i], v[1][i])
	}
	for i, c := range profile {
		j := (i + 1) % n
		s, reversed := sideSurface(c, profile[j].P, z0)
		uses := []EdgeUse{low[i], Fwd(posts[j]), Rev(high[i].Edge), Rev(posts[i])}
		if inward {
			uses = turned(uses)
		}
		b.Face(s, reversed != inward, Chain(uses...))
	}
	return low, high
}

// piece adds the edge of a profile piece at height z.
func (b *Builder) piece(c Corner, end geom.Vec2, z float64, v, w brep.VertexID) brep.EdgeID {
	if c.Bulge == 0 {
		return b.Line(v, w)
	}
	f := geom.World
	f.Origin.Z = z
	return b.arc(f, c, end, v, w)
}

// Moved shifts a profile.
func Moved(profile []Corner, d geom.Vec2) []Corner {
	out := make([]Corner, len(profile))
	for i, c := range profile {
		out[i] = Corner{c.P.Add(d), c.Bulge}
	}
	return out
}

// Slot is the profile of a slot with round ends between two centers, of the given width.
func Slot(from, to geom.Vec2, width float64) []Corner {
	d := to.Sub(from)
	n := geom.Vec2{X: -d.Y, Y: d.X}.Scale(width / 2 / d.Norm())
	half := Bulge(math.Pi)
	return []Corner{{from.Sub(n), 0}, {to.Sub(n), half}, {to.Add(n), 0}, {from.Add(n), half}}
}
