package mass

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A face on a sphere is integrated without parameters, as they are steep near the poles and a boundary may pass close
// to one. With n the unit normal along the boundary and Ω the solid angle of the face, Stokes' theorem gives
//
// 	∬n dω         = ½∮ n × dn
// 	∬(3nnᵀ - I)dω = ∮ n (n × dn)ᵀ, symmetrized (from curl((a·r)(a × r)) = 3a(a·r) - r)
// 	Ω             = ∮ (a × n)·dn / (1 + a·n)   up to whole spheres
//
// for any axis a whose opposite is not on the boundary: the axis farthest from the boundary is used. The domain's
// polygons select one of the values that differ by 4π. Cuts are used in both directions and add nothing.

// sphereSums are the boundary integrals.
type sphereSums struct {
	omega  float64
	normal geom.Vec3    // ½∮ n × dn
	tensor [3]geom.Vec3 // rows of ∮ n (n × dn)ᵀ
}

func (g *integrator) sphere(s surface.Sphere, d *trim.Domain) {
	axis := g.farAxis(s, d)
	var sum sphereSums
	for _, poly := range d.Polygons {
		for i := range poly {
			v := &poly[i]
			e := g.edge(v)
			if e == nil {
				continue
			}
			h := v.To - v.From
			for k, x := range gaussX {
				p, t := e.Curve.D1(v.From + h*x)
				r := p.Sub(s.Frame.Origin)
				length := r.Norm()
				n := r.Scale(1 / length)
				dn := t.AddScaled(-t.Dot(n), n).Scale(gaussW[k] * h / length)
				c := n.Cross(dn)
				sum.omega += axis.Dot(c) / (1 + axis.Dot(n))
				sum.normal = sum.normal.AddScaled(0.5, c)
				sum.tensor[0] = sum.tensor[0].AddScaled(n.X, c)
				sum.tensor[1] = sum.tensor[1].AddScaled(n.Y, c)
				sum.tensor[2] = sum.tensor[2].AddScaled(n.Z, c)
			}
		}
	}
	side := 1.0 // of Du × Dv on n; the polygons have this orientation
	if !s.Frame.IsRightHanded() {
		side = -1
		sum = sum.negated()
	}
	sum.omega += 4 * math.Pi * math.Round((solidAngle(d)-sum.omega)/(4*math.Pi))
	g.sum = sum.moments(s.Radius, s.Frame.Origin.Sub(g.center), side)
}

func (s sphereSums) negated() sphereSums {
	t := s.tensor
	return sphereSums{-s.omega, s.normal.Neg(), [3]geom.Vec3{t[0].Neg(), t[1].Neg(), t[2].Neg()}}
}

// moments scales the integrals to a sphere of radius r about o.
func (s *sphereSums) moments(r float64, o geom.Vec3, side float64) moments {
	t := &s.tensor
	// M·o with M = ∬nnᵀ = (Ω·I + sym T)/3.
	row := geom.Vec3{X: t[0].Dot(o), Y: t[1].Dot(o), Z: t[2].Dot(o)}
	col := t[0].Scale(o.X).AddScaled(o.Y, t[1]).AddScaled(o.Z, t[2])
	mo := o.Scale(s.omega).AddScaled(0.5, row).AddScaled(0.5, col).Scale(1.0 / 3)
	volume := s.normal.Dot(o) + r*s.omega // ∬(o + r·n)·n
	// ∬(o + r·n)((o + r·n)·n) = o·volume + r·(M·o + r·∬n)
	first := o.Scale(volume).AddScaled(r, mo.AddScaled(r, s.normal))
	return moments{area: r * r * s.omega, volume: side * r * r * volume, first: first.Scale(side * r * r)}
}

// farAxis returns, of the axes and diagonals of a cube, the one whose opposite is farthest from the
// boundary.
func (g *integrator) farAxis(s surface.Sphere, d *trim.Domain) geom.Vec3 {
	best, least := geom.Vec3{Z: 1}, math.Inf(1)
	for k := range 27 {
		a := geom.Vec3{X: float64(k%3 - 1), Y: float64(k/3%3 - 1), Z: float64(k/9 - 1)}.Unit()
		if a == (geom.Vec3{}) {
			continue
		}
		most := math.Inf(-1) // cosine between -a and the nearest boundary point
		for _, poly := range d.Polygons {
			for i := range poly {
				if e := g.edge(&poly[i]); e != nil {
					p := poly[i].P.Sub(s.Frame.Origin)
					m := e.Curve.At(0.5 * (poly[i].From + poly[i].To)).Sub(s.Frame.Origin)
					most = math.Max(most, -math.Min(a.Dot(p), a.Dot(m)))
				}
			}
		}
		if most < least-geom.Resolution {
			best, least = a, most
		}
	}
	return best
}

// solidAngle returns the solid angle of the polygons, with straight pieces in the parameter plane.
func solidAngle(d *trim.Domain) float64 {
	sum := 0.0
	for _, poly := range d.Polygons {
		for i := range poly {
			a, b := poly[i].UV, poly[(i+1)%len(poly)].UV
			sum -= (b.X - a.X) * 0.5 * (math.Sin(a.Y) + math.Sin(b.Y))
		}
	}
	return sum
}
