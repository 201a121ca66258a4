package direction

// Parts of a feature's faces that are invisible from its own direction.
//
// A face of a feature counts as machined if MinWallVisibility of it is visible from its direction; the rest allows for
// samples at edges and for features that cross walls. Otherwise its invisible part is unmachined. T-slots, dovetails
// and threads are left out: their cutters work behind the neck, or around the axis.

import (
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// IsHidden reports whether too little of a patch is visible from direction d to machine it, while more is visible from
// another one or nothing from d.
func (s *Visibility) IsHidden(d int, p int32) bool {
	seen := s.Share[d][p]
	best, _ := s.best(p)
	return seen < MinWallVisibility && (best > seen+seenAtAll || seen < seenAtAll)
}

// Hidden lists the unmachined parts of features, in their order. It needs the fractions of triangles.
func Hidden(g *graph.Graph, s *Visibility, features []feature.Feature) []feature.NotVisible {
	var out []feature.NotVisible
	least := LeastArea(g)
	for i := range features {
		f := &features[i]
		d := s.Find(f.Direction)
		if d == graph.None || f.Type == feature.Tslot || f.Type == feature.Dovetail || f.Rule == feature.TurnedGroove {
			continue
		}
		var elsewhere, nowhere feature.NotVisible
		for _, face := range f.Regions {
			if q := g.PatchOf[face]; q == graph.None || isOfThread(g, f, q) {
				continue
			}
			seen, area := seenOf(g, brep.FaceID(face), s.Fractions[d])
			if seen >= MinWallVisibility*area {
				continue
			}
			r := &nowhere
			if s.mostOf(g, face) > seen+seenAtAll*area {
				r = &elsewhere
			}
			r.Regions = append(r.Regions, face)
			r.Area += area - seen
		}
		from := along(f.Direction)
		for _, r := range [2]*feature.NotVisible{&elsewhere, &nowhere} {
			if len(r.Regions) == 0 || r.Area < least {
				continue
			}
			r.Feature = i
			r.Reason, r.Detail = feature.ReasonUndercut, fmt.Sprintf("Parts of this %s are hidden from %s.", f.Type, from)
			if r == &elsewhere {
				r.Reason = feature.ReasonOtherDirection
				r.Detail = fmt.Sprintf("Parts of this %s are hidden from %s, and other directions see more of them.",
					f.Type, from)
			}
			out = append(out, *r)
		}
	}
	return out
}

// LeastArea returns the area, mm², below which no face is reported as hidden and no setup is required. It is 1 mm², and
// for small parts a thousandth of their surface.
func LeastArea(g *graph.Graph) float64 {
	const most, share = 1, 1e-3
	all := 0.0
	for _, a := range g.Areas {
		all += a
	}
	return min(most, share*all)
}

// isOfThread reports whether a patch lies between the diameters of the thread in a feature.
func isOfThread(g *graph.Graph, f *feature.Feature, p int32) bool {
	if f.Thread == nil {
		return false
	}
	r := g.Reach(p, &graph.Shape{Origin: f.Thread.Origin, Axis: *f.Axis})
	return r.Lo >= f.Thread.Minor/2-g.Length && r.Hi <= f.Thread.Major/2+g.Length
}

// mostOf returns the largest area of a face that is visible from one direction, mm².
func (s *Visibility) mostOf(g *graph.Graph, face int) float64 {
	most := 0.0
	for d := range s.Dirs {
		seen, _ := seenOf(g, brep.FaceID(face), s.Fractions[d])
		most = max(most, seen)
	}
	return most
}

// along shows a direction.
func along(d geom.Vec3) string { return fmt.Sprintf("(%.3g, %.3g, %.3g)", d.X, d.Y, d.Z) }
