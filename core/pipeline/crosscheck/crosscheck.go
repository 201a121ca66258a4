// Package crosscheck compares the exact mass properties of a part with the properties of its mesh. Both come from the
// same surfaces by different methods, so they must agree within the tolerances of the mesh. A part that fails is wrong
// somewhere, and it is unknown which of its figures are right. Its result is rejected.
//
// # Bounds
//
// The distance between the mesh and the surfaces is at most the chord tolerance c. It is larger only by the gap g
// between a face's boundary in the file and its surface. The volume between mesh and surfaces is therefore at most Σ (c
// + g) × area. A plane needs no chords, so its share is g × area. The volume that gaps leave open, Σ g × area, must be
// small compared with the solid; otherwise the file is ambiguous. The bounding box of the mesh differs by at most c +
// g.
//
// The mesh is closed. The surfaces leave a strip open along a boundary of length l that is off its surface. The area of
// the strip is g × l, where g is the mean gap. The exact volume is the sum of the cones from the center of the solid
// over its faces. It lacks the cone over the strip: a third of the area times the distance, which is at most the
// diagonal d of the solid. The volumes thus differ by another Σ g × l × d / 3, which exceeds g × area on narrow faces.
//
// c does not bound the area (Schwarz's lantern). The angle α between a triangle and its surface does: 1 − cos α of the
// area, and a strip of width c + g along the boundary. Of faces smaller than c, the mesh keeps only the boundary.
//
// In any case, the mesh of the whole part may lack no more volume than gaps may leave open in one solid.
//
// There is no material immediately outside a face, and one layer of it immediately inside. A ray from the face counts
// them as the winding numbers 0 and 1. A face on the wrong side of its boundary, a reversed shell, and a void outside
// its solid give other numbers. See side.go.
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

// margin is a factor on all bounds: the mesher checks its tolerance at samples, and the deviation between samples can
// be a little larger.
const margin = 1.1

// Subject is a part with its exact properties and its mesh.
type Subject struct {
	Model *brep.Model
	Exact *mass.Properties
	Mesh  *mesh.Mesh
	// Chord (mm) and Angle (rad) are the tolerances of the mesh.
	Chord, Angle float64
}

// Check is the name of a condition.
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

// Violation is a condition that a part does not meet.
type Violation struct {
	Check  Check
	Detail string // a clause that names the entity, with the figures and the bound
}

func found(c Check, format string, args ...any) Violation {
	return Violation{c, fmt.Sprintf(format, args...)}
}

// Coordinates finds the first vertex that is too far away or not finite. It is called before anything else is computed
// from a model.
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

// Figures returns the violations that make exact figures unusable.
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
			out = append(out,
				found(Positive, "the solid %s has a volume of %s mm³", label(m.Solids[i].Source, i), figure(v)))
		}
	}
	if len(out) == 0 {
		out = gaps(m, p)
	}
	return out
}

// mostOpen is the fraction of a solid's volume that gaps may leave open. In about 700 solids of real files, only one
// exceeds 0.6 %, apart from a few solids that are much smaller than the parts below them.
const mostOpen = 0.01

// negligible is the fraction of the whole part's volume that gaps of one solid may always leave open. Some parts have
// printed dots and solder with a hundredth of the thickness of other parts' tolerances.
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
				// A face has no area on a surface that its boundary hardly touches.
				volume := g * max(p.Faces[f].Area, g*around(m, f))
				open += volume
				if volume > worst {
					worst, of = volume, f
				}
			}
		}
		if open > room {
			out = append(out,
				found(Gap, "the boundary of the face %s lies %.3g mm off its surface, and all such gaps leave "+
					"%.3g of the %.6g mm³ of the solid %s open", face(m, of), p.Faces[of].Gap, open, p.Solids[i].Volume,
					label(s.Source, i)))
		}
	}
	return out
}

// few is a share of the volume that may be open. Below it, the largest gap of a face counts along its whole boundary.
const few = 1e-3

// meanGap returns the mean distance (mm) between a face's boundary and its surface. A single edge with a large gap
// affects only its neighborhood.
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

// Run returns the violations of a part whose exact figures are usable.
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
		out = append(out,
			found(Volume, "the part has a volume of %.6g mm³ and its mesh one of %.6g mm³, which may differ "+
				"by %.3g mm³", exact, meshed, room))
	}
	return out
}

// measured is the figures of a solid's mesh.
type measured struct {
	volume float64
	box    geom.Box
	room   float64 // mm³, maximum difference of the volumes
	reach  float64 // mm, maximum deviation of a point
	faces  []brep.FaceID
}

// solid returns the violations of a solid, and the volume (mm³) of its mesh.
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
			if g*weight > few*mostOpen*p.Exact.Solids[s].Volume { // the mean needs many point inversions
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
	m.reach = margin * (p.Chord + widest)
	m.room = margin * room
	return m
}

// gap returns the largest distance (mm) between a face's boundary and its surface.
func (p *Subject) gap(f brep.FaceID) float64 { return max(p.Exact.Faces[f].Gap, geom.Resolution) }

// area returns the areas of a face's mesh and of the face, and their maximum difference, in mm².
func (p *Subject) area(f brep.FaceID) (got, want, room float64) {
	r := &p.Mesh.Regions[f]
	got, want = p.Mesh.AreaOf(int(r.Start), int(r.End)), p.Exact.Faces[f].Area
	width := margin * (p.Chord + p.gap(f))
	room = width*around(p.Model, f) + 4*math.Pi*width*width // second term: a ball, for a face without boundary
	if p.Model.Faces[f].Surface.Kind() != surface.KindPlane {
		room += (1 - math.Cos(p.Angle)) * max(got, want)
	}
	return got, want, room
}

// lengthSteps is the number of chords that measure an edge; a circle is accurate to 2 %.
const lengthSteps = 16

// around returns the length (mm) of a face's boundary.
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

// apart returns the largest difference (mm) between the limits of two boxes.
func apart(a, b geom.Box) float64 {
	lo, hi := a.Min.Sub(b.Min), a.Max.Sub(b.Max)
	off := 0.0
	for _, d := range []float64{lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z} {
		off = max(off, math.Abs(d))
	}
	return off
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// isNear reports whether a point is finite and not too far away.
func isNear(q geom.Vec3) bool {
	return math.Abs(q.X) <= Largest && math.Abs(q.Y) <= Largest && math.Abs(q.Z) <= Largest
}

// figure formats a number, or a note in place of a number that is not finite.
func figure(x float64) string {
	switch size := math.Abs(x); {
	case !isFinite(x):
		return "(no finite number)"
	case size >= kilometre && size < Largest*Largest: // different numbers may agree in six digits
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.6g", x)
}

func place(q geom.Vec3) string {
	return "(" + figure(q.X) + ", " + figure(q.Y) + ", " + figure(q.Z) + ")"
}

// label names an entity by its number in the file, or by its index if the number is unknown.
func label(source int64, index int) string {
	if source > 0 {
		return fmt.Sprintf("#%d", source)
	}
	return fmt.Sprint(index)
}

func face(m *brep.Model, f brep.FaceID) string { return label(m.Faces[f].Source, int(f)) }
