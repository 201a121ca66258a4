package direction

// The relation of a part's patches to a direction, and their visible shares.

import (
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// Relation is the position of a patch relative to a direction.
type Relation uint8

// The relations.
const (
	Oblique    Relation = iota // it slopes toward the direction, in part at least: a 3D surface, a chamfer
	Normal                     // a plane normal to the direction: a floor
	Parallel                   // parallel to the direction everywhere: a wall
	FacingAway                 // facing away everywhere: an underside
)

// String returns the name of a relation in lower case.
func (r Relation) String() string {
	return [...]string{"oblique", "normal", "parallel", "away"}[r]
}

// View is the visibility of one patch from one direction.
type View struct {
	Relation   Relation
	Share      float64 // visible share of the patch's area, 0 to 1
	Facing     float64 // share of the patch that would be visible without obstacles
	Obstructed bool    // other material obstructs it: less than MinWallVisibility of Facing is visible
}

// Classify returns the relation of a patch to dir (unit).
func Classify(g *graph.Graph, p int32, dir geom.Vec3) Relation {
	switch s := g.Slopes(p, dir); {
	case g.Facing(p, dir):
		return Normal
	case s.Lo >= -graph.DirectionTolerance && s.Hi <= graph.DirectionTolerance:
		return Parallel
	case s.Hi <= graph.DirectionTolerance:
		return FacingAway
	}
	return Oblique
}

// View returns the visibility of patch p from direction i. Cost: linear in the triangles of the patch.
func (s *Visibility) View(g *graph.Graph, i int, p int32) View {
	v := View{Relation: Classify(g, p, s.Dirs[i]), Share: s.Share[i][p]}
	switch v.Relation {
	case Normal, Parallel:
		v.Facing = 1
	case Oblique:
		v.Facing = facingShare(g, p, s.Dirs[i])
	}
	v.Obstructed = v.Share < MinWallVisibility*v.Facing
	return v
}

// facingShare returns the share of a patch that does not face away from dir, by the normals at the corners of its
// triangles.
func facingShare(g *graph.Graph, p int32, dir geom.Vec3) float64 {
	facing, all := 0.0, 0.0
	for _, f := range g.Patches[p].Faces {
		r := &g.Mesh.Regions[f]
		faces := make(map[int32]bool, len(r.Vertices))
		for i, v := range r.Vertices {
			faces[v] = r.Normals[i].Dot(dir) >= -graph.DirectionTolerance
		}
		for t := r.Start; t < r.End; t++ {
			n := 0
			for _, v := range g.Mesh.Triangles[t] {
				if faces[v] {
					n++
				}
			}
			facing, all = facing+g.Areas[t]*float64(n)/3, all+g.Areas[t]
		}
	}
	if all == 0 {
		return 0
	}
	return facing / all
}
