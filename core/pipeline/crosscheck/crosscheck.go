// Package crosscheck holds what is known of a part against itself before it leaves: the figures of its surfaces, which are
// exact, and its mesh, which is made from the same surfaces by other means, have to agree as far as the tolerances of the
// mesh allow. A part that contradicts itself is wrong somewhere, and nobody can say where it is right.
//
// # Bounds
//
// The mesh is within the chord tolerance c of the surfaces, and farther off only by the gap g that a face's boundary in
// the file has from its surface. So what lies between mesh and surfaces has at most the volume Σ (c + g) × area. A plane
// needs no chords: there it is g × area. What gaps leave open of a solid's volume, Σ g × area, must itself be small: else
// nobody knows what the file means. The box of the mesh differs by c + g at most.
//
// The mesh is closed, but along a boundary of length l that is off its surface the surfaces leave a strip open, which has
// the area g × l, with g on average along it. The exact volume, which is the sum of the cones over the faces from the middle of the solid,
// lacks the cone over the strip: a third of its area times its distance from there, which is no more than the diagonal d
// of the solid. So the volumes differ by Σ g × l × d / 3 more: on narrow faces that is more than g × area.
//
// Area is not bounded by c (Schwarz's lantern), but by the angle α between a triangle and the surface that it covers:
// 1 − cos α of the area, and a strip as wide as c + g along the boundary. Of faces that are smaller than c the mesh
// keeps the boundary only.
//
// Whatever gaps explain, the mesh of the whole part may lack no more of its volume than gaps may leave open of a solid's.
//
// Just outside each face is no material, and just inside is one layer of it: the winding numbers 0 and 1, which a ray
// from the face counts. A face on the wrong side of its boundary, a turned shell or a void outside of its solid gives
// others. See side.go.
package crosscheck

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Largest is the largest coordinate of a part, mm: 10 km. Beyond it, less than 1e-9 mm of resolution is left.
const Largest = 10 * kilometre

const kilometre = 1e6 // mm

// slack is by how much a bound may be passed: the mesher keeps its tolerance where it looks, between which a surface can
// be a little farther away.
const slack = 1.1

// Subject is what is held against itself.
type Subject struct {
	Model *brep.Model
	Exact *mass.Properties
	Mesh  *mesh.Mesh
	// Chord (mm) and Angle (rad) are the tolerances of the mesh.
	Chord, Angle float64
}

// Check is something that must hold.
type Check string

// The checks.
const (
	Region   Check = "region"   // the loops of a face bound a region of its surface
	Far      Check = "far"      // every vertex lies within Largest of the origin
	Finite   Check = "finite"   // every figure and coordinate is a number, below Largest
	Positive Check = "positive" // every solid has a volume, and so has its mesh
	Volume   Check = "volume"   // of a solid and of its mesh
	Area     Check = "area"     // of a face and of its mesh
	Gap      Check = "gap"      // between the faces of a solid and their boundaries
	Bounds   Check = "bounds"   // of a solid and of its mesh
	Side     Check = "side"     // no material outside a face, and one layer inside
)

// Violation is a check that does not hold.
type Violation struct {
	Check  Check
	Detail string // a clause that names the entity, with the figures and the bound
}

func found(c Check, format string, args ...any) Violation {
	return Violation{c, fmt.Sprintf(format, args...)}
}

// Coordinates finds the first vertex that is too far away, or nowhere. It is asked before anything is made of a model.
func Coordinates(m *brep.Model) []Violation {
	for i := range m.Vertices {
		if q := m.Vertices[i].Point; !isNear(q) {
			check := Far
			if !q.IsFinite() {
				check = Finite
			}
			return []Violation{found(check, "the vertex %s lies at %s mm, and not within %.0f km of the origin",
				label(m.Vertices[i].Source, i), place(q), Largest/kilometre)}
		}
	}
	return nil
}

// Figures finds what keeps exact figures from being used at all.
func Figures(m *brep.Model, p *mass.Properties) []Violation {
	out := Coordinates(m)
	for i := range p.Faces {
		f := &p.Faces[i]
		if !isFinite(f.Area) || f.Area < 0 || !f.Bounds.IsEmpty() && !(isNear(f.Bounds.Min) && isNear(f.Bounds.Max)) {
			out = append(out, found(Finite, "the face %s has an area of %s mm² and reaches from %s to %s mm",
				face(m, brep.FaceID(i)), figure(f.Area), place(f.Bounds.Min), place(f.Bounds.Max)))
			break
		}
	}
	for i := range p.Solids {
		if v := p.Solids[i].Volume; !isFinite(v) || !(v > 0) {
			out = append(out, found(Positive, "the solid %s has a volume of %s mm³", label(m.Solids[i].Source, i), figure(v)))
		}
	}
	if len(out) == 0 {
		out = gaps(m, p)
	}
	return out
}

// mostOpen is the share of a solid's volume that gaps may leave open. Of some 700 solids of real files one has more than
// 0.6 %, and some that are far smaller than what they stand on.
const mostOpen = 0.01

// negligible is the share of the whole part's volume that gaps of one solid may leave open whatever is left of it: some
// parts have printed dots and solder on them, a hundredth as thick as others' tolerances.
const negligible = 1e-4

// gaps finds solids whose boundaries are off their faces.
func gaps(m *brep.Model, p *mass.Properties) (out []Violation) {
	for i, s := range m.Solids {
		open, worst, of := 0.0, 0.0, brep.FaceID(brep.None)
		room := max(mostOpen*p.Solids[i].Volume, negligible*p.Volume)
		for _, sh := range s.Shells {
			for _, f := range m.Shells[sh].Faces {
				g := p.Faces[f].Gap
				if g*p.Faces[f].Area > room*few {
					g = meanGap(m, f)
				}
				// On a surface that the boundary hardly touches the face has no area.
				volume := g * max(p.Faces[f].Area, g*around(m, f))
				open += volume
				if volume > worst {
					worst, of = volume, f
				}
			}
		}
		if open > room {
			out = append(out, found(Gap, "the boundary of the face %s lies %.3g mm off its surface, and all such gaps leave "+
				"%.3g of the %.6g mm³ of the solid %s open", face(m, of), p.Faces[of].Gap, open, p.Solids[i].Volume,
				label(s.Source, i)))
		}
	}
	return out
}

// few is the share of what may be open below which a face's largest gap is taken for all of its boundary.
const few = 1e-3

// meanGap is how far the boundary of a face is off its surface on average, mm: one edge that is off by much moves only
// what is beside it.
func meanGap(m *brep.Model, f brep.FaceID) float64 {
	length, sum := 0.0, 0.0
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			if e.Curve == nil {
				continue
			}
			last := e.Curve.At(e.Range.Lo)
			for i := range lengthSteps {
				_, off := m.Faces[f].Surface.Invert(e.Curve.At(e.Range.At((float64(i) + 0.5) / lengthSteps)))
				next := e.Curve.At(e.Range.At(float64(i+1) / lengthSteps))
				ds := next.Dist(last)
				length, sum, last = length+ds, sum+ds*off, next
			}
		}
	}
	if length == 0 {
		return 0
	}
	return sum / length
}

// Run finds what contradicts in a part whose figures can be used.
func Run(p Subject) []Violation {
	out := Figures(p.Model, p.Exact)
	for _, q := range p.Mesh.Points {
		if !isNear(q) {
			out = append(out, found(Finite, "the mesh has a point at %s mm", place(q)))
			break
		}
	}
	if len(out) > 0 {
		return out
	}
	var exact, area, meshed float64
	for i := range p.Model.Solids {
		findings, volume := p.solid(brep.SolidID(i))
		out = append(out, findings...)
		exact, area, meshed = exact+p.Exact.Solids[i].Volume, area+p.Exact.Solids[i].Area, meshed+volume
	}
	if room := max(mostOpen*exact, p.Chord*area); len(out) == 0 && math.Abs(meshed-exact) > room {
		out = append(out, found(Volume, "the part has a volume of %.6g mm³ and its mesh one of %.6g mm³, which may differ "+
			"by %.3g mm³", exact, meshed, room))
	}
	return out
}

// measured is a solid's mesh in figures.
type measured struct {
	volume float64
	box    geom.Box
	room   float64 // mm³ by which the volume may differ
	reach  float64 // mm by which a point may be off
	faces  []brep.FaceID
}

// solid returns what contradicts in a solid, and the volume of its mesh, mm³.
func (p *Subject) solid(s brep.SolidID) (out []Violation, volume float64) {
	name, exact := label(p.Model.Solids[s].Source, int(s)), &p.Exact.Solids[s]
	m := p.measure(s)
	switch {
	case !(m.volume > 0):
		out = append(out, found(Positive, "the mesh of the solid %s has a volume of %.6g mm³", name, m.volume))
	case math.Abs(m.volume-exact.Volume) > m.room:
		out = append(out, found(Volume, "the solid %s has a volume of %.6g mm³ and its mesh one of %.6g mm³, "+
			"which may differ by %.3g mm³", name, exact.Volume, m.volume, m.room))
	}
	if off, room := apart(exact.Bounds, m.box), m.reach+geom.Resolution; off > room && !m.box.IsEmpty() {
		out = append(out, found(Bounds, "the solid %s and its mesh end %.4g mm apart, which may be %.3g mm",
			name, off, room))
	}
	for _, f := range m.faces {
		if got, want, room := p.area(f); math.Abs(got-want) > room {
			out = append(out, found(Area, "the face %s has an area of %.6g mm² and its mesh one of %.6g mm², "+
				"which may differ by %.3g mm²", face(p.Model, f), want, got, room))
		}
	}
	return append(out, p.sides(&m)...), m.volume
}

func (p *Subject) measure(s brep.SolidID) measured {
	m := measured{box: geom.EmptyBox()}
	for _, sh := range p.Model.Solids[s].Shells {
		m.faces = append(m.faces, p.Model.Shells[sh].Faces...)
	}
	apex := p.Exact.Solids[s].Bounds.Center()
	widest, room := 0.0, 0.0
	far := p.Exact.Solids[s].Bounds.Diagonal()
	for _, f := range m.faces {
		r := &p.Mesh.Regions[f]
		m.volume += p.Mesh.VolumeOf(int(r.Start), int(r.End), apex)
		for _, v := range r.Vertices {
			m.box = m.box.Add(p.Mesh.Points[v])
		}
		if g := p.Exact.Faces[f].Gap; g > 0 {
			weight := around(p.Model, f) * far / 3
			if g*weight > few*mostOpen*p.Exact.Solids[s].Volume { // the mean takes many inversions
				g = meanGap(p.Model, f)
			}
			room += g * weight
		}
		off := p.gap(f)
		widest = max(widest, off)
		if p.Model.Faces[f].Surface.Kind() != surface.KindPlane {
			off += p.Chord
		}
		room += off * max(p.Exact.Faces[f].Area, p.Mesh.AreaOf(int(r.Start), int(r.End)))
	}
	m.reach = slack * (p.Chord + widest)
	m.room = slack * room
	return m
}

// gap is how far the boundary of a face may be off its surface, mm.
func (p *Subject) gap(f brep.FaceID) float64 { return max(p.Exact.Faces[f].Gap, geom.Resolution) }

// area returns the areas of a face's mesh and of the face, and by how much they may differ, mm².
func (p *Subject) area(f brep.FaceID) (got, want, room float64) {
	r := &p.Mesh.Regions[f]
	got, want = p.Mesh.AreaOf(int(r.Start), int(r.End)), p.Exact.Faces[f].Area
	width := slack * (p.Chord + p.gap(f))
	room = width*around(p.Model, f) + 4*math.Pi*width*width // the latter is a ball, which has no boundary
	if p.Model.Faces[f].Surface.Kind() != surface.KindPlane {
		room += (1 - math.Cos(p.Angle)) * max(got, want)
	}
	return got, want, room
}

// lengthSteps is how many chords measure an edge: a circle to 2 %.
const lengthSteps = 16

// around is how long the boundary of a face is, mm.
func around(m *brep.Model, f brep.FaceID) (sum float64) {
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			if e.Curve == nil {
				continue
			}
			steps := lengthSteps
			if e.Curve.Kind() == curve.KindLine {
				steps = 1
			}
			last := e.Curve.At(e.Range.Lo)
			for i := 1; i <= steps; i++ {
				next := e.Curve.At(e.Range.At(float64(i) / float64(steps)))
				sum, last = sum+next.Dist(last), next
			}
		}
	}
	return sum
}

// apart is by how much the ends of two boxes are off, at most.
func apart(a, b geom.Box) float64 {
	lo, hi := a.Min.Sub(b.Min), a.Max.Sub(b.Max)
	off := 0.0
	for _, d := range []float64{lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z} {
		off = max(off, math.Abs(d))
	}
	return off
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// isNear reports whether a point is one at all, and not too far away.
func isNear(q geom.Vec3) bool {
	return math.Abs(q.X) <= Largest && math.Abs(q.Y) <= Largest && math.Abs(q.Z) <= Largest
}

// figure writes a number, or says that it is none.
func figure(x float64) string {
	switch size := math.Abs(x); {
	case !isFinite(x):
		return "(no finite number)"
	case size >= kilometre && size < Largest*Largest: // of which six digits may be those of another one
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.6g", x)
}

func place(q geom.Vec3) string {
	return "(" + figure(q.X) + ", " + figure(q.Y) + ", " + figure(q.Z) + ")"
}

// label names an entity by its number in the file, or by its index where that is not known.
func label(source int64, index int) string {
	if source > 0 {
		return fmt.Sprintf("#%d", source)
	}
	return fmt.Sprint(index)
}

func face(m *brep.Model, f brep.FaceID) string { return label(m.Faces[f].Source, int(f)) }
