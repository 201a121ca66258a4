package verify

import (
	"math"

	"millwright/core/geom"
	"millwright/core/planning"
	"millwright/core/toolpath"
)

// declared is what plan and paths say stays.
//
// Material beside a face stays declared
//
//   - by the plan, where the face is unmachinable, and as far from it as the widest tool that makes any face reaches: a
//     tool that does not get at a face leaves as much beside it on the faces that adjoin it;
//   - of an unmachinable corner only where two of the faces of the corner are within that reach: the walls that lead
//     into it are made;
//   - by a residue of the paths, up to its height over the faces it names, and what float and lattice add.
//
// So a residue says how much it excuses, and a face is not excused by a residue of another one farther away than that.
type declared struct {
	reach   float64         // mm
	whole   map[int]bool    // unmachinable faces
	corners map[int][]int   // by face: numbers of unmachinable corners
	up      map[int]float64 // by face: mm, of residues
	any     bool
	most    float64 // mm, how far from a face anything is declared
}

// residueSlack (mm) is how much higher than declared a residue may stand: heights of residues are of shadows, those
// here of meshes.
const residueSlack = 0.02

func newDeclared(p *planning.Plan, set *toolpath.Set) *declared {
	d := &declared{whole: map[int]bool{}, corners: map[int][]int{}, up: map[int]float64{}}
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			if len(o.Regions) > 0 {
				d.reach = max(d.reach, p.Tools[o.Tool].Tool.Diameter/2)
			}
		}
	}
	for k, u := range p.Unmachinable {
		for _, region := range u.Regions {
			if u.Reason == planning.SharpCorner {
				d.corners[region] = append(d.corners[region], k)
			} else {
				d.whole[region] = true
			}
		}
		d.most = max(d.most, d.reach)
	}
	for _, paths := range set.Paths {
		for _, path := range paths {
			for _, r := range path.Residue {
				for _, region := range r.Regions {
					d.up[region] = max(d.up[region], r.Height+residueSlack)
				}
				d.most = max(d.most, r.Height+residueSlack)
			}
		}
	}
	d.any = len(d.whole)+len(d.corners)+len(d.up) > 0
	return d
}

// covers reports whether material at a place, next to which a face is near, is declared.
func (d *declared) covers(f *finder, p geom.Vec3, near contact) bool {
	if !d.any {
		return false
	}
	if d.whole[near.region] || near.distance <= d.up[near.region] {
		return true
	}
	if near.distance > d.most {
		return false
	}
	corner := map[int]int{} // faces of each that are within reach
	for region, distance := range f.within(p, d.most) {
		if distance <= d.up[region] || distance <= d.reach && d.whole[region] {
			return true
		}
		if distance <= d.reach {
			for _, k := range d.corners[region] {
				if corner[k]++; corner[k] > 1 {
					return true
				}
			}
		}
	}
	return math.IsInf(near.distance, 1)
}
