package verify

import (
	"slices"

	"millwright/core/geom"
	"millwright/core/planning"
	"millwright/core/toolpath"
)

// declared is what plan and paths say stays.
//
// Material beside a face stays declared
//
//   - by the plan, where the face, or one as near, is unmachinable, and as far from it as the widest tool that makes any
//     face reaches: a tool that does not get at a face leaves as much beside it on the faces that adjoin it;
//   - of an unmachinable corner only where two of the faces of the corner are within that reach: the walls that lead
//     into it are made;
//   - by a residue of the paths, up to its height over the faces it names, and what float and lattice add.
//
// So a residue says how much it excuses, and a face is not excused by a residue of another one farther away than that.
type declared struct {
	reach float64 // mm
	faces []stays // by region of the mesh
	most  float64 // mm, how far from a face anything is declared
}

// stays is what is declared of a face.
type stays struct {
	whole   bool    // unmachinable
	corners []int   // numbers of unmachinable corners
	up      float64 // mm, of residues
}

func (s *stays) any() bool { return s.whole || len(s.corners) > 0 || s.up > 0 }

// residueSlack (mm) is how much higher than declared a residue may stand: heights of residues are of shadows, those
// here of meshes.
const residueSlack = 0.02

func newDeclared(p *planning.Plan, set *toolpath.Set, regions int) *declared {
	d := &declared{faces: make([]stays, regions)}
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			if len(o.Regions) > 0 {
				d.reach = max(d.reach, p.Tools[o.Tool].Tool.Diameter/2)
			}
		}
	}
	each := func(named []int, add func(*stays)) {
		for _, region := range named {
			if region >= 0 && region < regions {
				add(&d.faces[region])
			}
		}
	}
	for k, u := range p.Unmachinable {
		each(u.Regions, func(s *stays) {
			if u.Reason == planning.SharpCorner {
				s.corners = append(s.corners, k)
			} else {
				s.whole = true
			}
		})
		d.most = max(d.most, d.reach)
	}
	for _, paths := range set.Paths {
		for _, path := range paths {
			for _, r := range path.Residue {
				each(r.Regions, func(s *stays) { s.up = max(s.up, r.Height+residueSlack) })
				d.most = max(d.most, r.Height+residueSlack)
			}
		}
	}
	return d
}

// covers reports whether material at a place, next to which a face is near, is declared, and all that is farther from the
// faces by up to more (mm).
func (d *declared) covers(f *finder, p geom.Vec3, near contact, more float64) bool {
	if s := &d.faces[near.region]; s.whole || near.distance+more <= s.up {
		return true
	}
	covered := false
	var beside []int // faces with unmachinable corners that are within reach
	nearest := near.distance + equal
	f.visit(p, max(d.most, nearest), func(k int32, most float64) float64 {
		t := &f.facets[k]
		s := &d.faces[t.region]
		if !s.any() {
			return most
		}
		distance := t.distance(p) + more
		covered = distance <= s.up || s.whole && distance <= max(d.reach, nearest) ||
			distance <= d.reach && d.meet(t.region, &beside)
		if covered {
			return -1
		}
		return most
	})
	return covered
}

// meet adds a face to some, and reports whether it shares an unmachinable corner with one of the others.
func (d *declared) meet(face int, some *[]int) bool {
	corners := d.faces[face].corners
	if len(corners) == 0 || slices.Contains(*some, face) {
		return false
	}
	for _, other := range *some {
		for _, k := range d.faces[other].corners {
			if slices.Contains(corners, k) {
				return true
			}
		}
	}
	*some = append(*some, face)
	return false
}
