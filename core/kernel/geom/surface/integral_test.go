package surface_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Integrals over whole surfaces tie evaluation, derivatives, normals and curvatures to closed forms:
// the area, the volume by the divergence theorem, and the total curvature, 2π times the Euler
// characteristic for a closed surface (Gauss and Bonnet).

// gauss5 is the five-point Gauss–Legendre rule on [0, 1].
var gauss5 = [5][2]float64{
	{0.04691007703066802, 0.11846344252809454},
	{0.23076534494715845, 0.23931433524968324},
	{0.5, 0.28444444444444444},
	{0.7692346550528415, 0.23931433524968324},
	{0.9530899229693319, 0.11846344252809454},
}

type integrals struct{ area, volume, curvature float64 }

// integrate adds up n × n cells of each piece between the breaks.
func integrate(s surface.Surface, us, vs []float64, n int) (sum integrals) {
	for a := 1; a < len(us); a++ {
		for b := 1; b < len(vs); b++ {
			hu, hv := (us[a]-us[a-1])/float64(n), (vs[b]-vs[b-1])/float64(n)
			for i := range n * n {
				u0, v0 := us[a-1]+hu*float64(i%n), vs[b-1]+hv*float64(i/n)
				for _, x := range gauss5 {
					for _, y := range gauss5 {
						sum.add(s, u0+hu*x[0], v0+hv*y[0], hu*hv*x[1]*y[1])
					}
				}
			}
		}
	}
	return sum
}

func (q *integrals) add(s surface.Surface, u, v, w float64) {
	p, du, dv := s.D1(u, v)
	c := du.Cross(dv)
	k1, k2 := surface.Curvatures(s, u, v)
	q.area += w * c.Norm()
	q.volume += w * c.Dot(p) / 3
	q.curvature += w * c.Norm() * k1 * k2
}

func TestIntegralsOfClosedSurfaces(t *testing.T) {
	const r, big, small = 3.0, 7.0, 2.0
	axial := geom.Frame{X: v3(1, 0, 0), Y: v3(0, 0, 1), Z: v3(0, -1, 0)}
	half := trimmedCurve(t, curve.Circle{Frame: axial, Radius: r}, -math.Pi/2, math.Pi/2, false)
	turned, err := surface.NewRevolution(half, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	ball := integrals{4 * math.Pi * r * r, 4. / 3 * math.Pi * r * r * r, 4 * math.Pi}
	tube := integrals{4 * math.Pi * math.Pi * big * small, 2 * math.Pi * math.Pi * big * small * small, 0}
	bigger := integrals{4 * math.Pi * 25, 4. / 3 * math.Pi * 125, 4 * math.Pi}
	mirrored := geom.Transform{X: v3(1, 0, 0), Y: v3(0, 1, 0), Z: v3(0, 0, -1)}
	turn := []float64{0, 2, 4, 2 * math.Pi}
	pole := []float64{-math.Pi / 2, 0, math.Pi / 2}
	quarters, halves := []float64{0, 1, 2, 3, 4}, []float64{0, 1, 2}
	rows := []struct {
		name   string
		s      surface.Surface
		us, vs []float64
		sign   float64
		want   integrals
	}{
		{"sphere", sphere(r), turn, pole, 1, ball},
		{"mirrored sphere", sphere(r).Transform(mirrored), turn, pole, -1, ball},
		{"turned half circle", turned, turn, pole, 1, ball},
		{"rational sphere", wholeSphere(t, r), quarters, halves, 1, ball},
		{"offset of a rational sphere", mustOffset(t, wholeSphere(t, r), 2), quarters, halves, 1, bigger},
		{"torus", torus(big, small, surface.Whole), turn, turn, 1, tube},
		{"ring of B-splines", ring(t, big, small), quarters, quarters, 1, tube},
		{"apple that is a sphere", torus(0, r, surface.Apple), turn, pole, 1, ball},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := integrate(row.s, row.us, row.vs, 4)
			check := func(what string, got, want, unit float64) {
				if math.Abs(got-want) > 1e-6*unit {
					t.Errorf("%s = %.9g, want %.9g", what, got, want)
				}
			}
			check("area", got.area, row.want.area, row.want.area)
			check("volume", got.volume, row.sign*row.want.volume, row.want.volume)
			check("total curvature", got.curvature, row.want.curvature, 4*math.Pi)
		})
	}
}

func TestIntegralsOfSpindleParts(t *testing.T) {
	// A spindle torus is its apple and its lemon: Pappus gives the volume between them.
	const major, minor = 1.0, 2.0
	turn := []float64{0, 2, 4, 2 * math.Pi}
	phi := math.Acos(-major / minor)
	apple := integrate(torus(major, minor, surface.Apple), turn, []float64{-phi, 0, phi}, 6)
	lemon := integrate(torus(major, minor, surface.Lemon), turn, []float64{phi, math.Pi, 2*math.Pi - phi}, 6)
	whole := 2 * math.Pi * math.Pi * major * minor * minor
	if math.Abs(apple.volume+lemon.volume-whole) > 1e-6*whole {
		t.Errorf("volumes %v and %v, want the sum %v", apple.volume, lemon.volume, whole)
	}
	h := minor * math.Sin(phi)
	// Half the chord is h; the lemon is the solid of revolution of the smaller segment about its chord.
	angle := math.Pi - phi
	area := minor*minor*angle - major*h
	want := 2 * math.Pi * (2./3*h*h*h - major*area)
	if math.Abs(math.Abs(lemon.volume)-want) > 1e-6*want {
		t.Errorf("volume of the lemon %v, want %v", lemon.volume, want)
	}
	if lemon.volume > 0 {
		t.Errorf("volume of the lemon %v: its own normal points inside, so it should be negative", lemon.volume)
	}
}

func TestAreasOfOpenSurfaces(t *testing.T) {
	circle := curve.Circle{Frame: geom.World, Radius: 3}
	tilted, err := surface.NewExtrusion(circle, v3(1, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	line := curve.Line{Origin: v3(4, 0, 0), Dir: v3(1, 0, 1).Unit()}
	funnel, err := surface.NewRevolution(line, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	trimmed, err := surface.NewTrimmed(cylinder(3), span(1, 2), span(0, 5), false, true)
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name   string
		s      surface.Surface
		us, vs []float64
		want   float64
	}{
		{"plane", plane(), []float64{0, 2}, []float64{1, 4}, 6},
		{"cylinder", cylinder(3), []float64{0, 2}, []float64{0, 5}, 30},
		{"trimmed cylinder", trimmed, []float64{1, 2}, []float64{0, 5}, 15},
		{"cone frustum", cone(4, math.Pi/4), []float64{0, 6}, []float64{0, 2}, 6 * 5 * 2 * math.Sqrt2},
		{"funnel", funnel, []float64{0, 6}, []float64{0, 2 * math.Sqrt2}, 6 * 5 * 2 * math.Sqrt2},
		{"band of a sphere", sphere(3), []float64{0, 2}, []float64{-0.5, 1}, 2 * 9 * (math.Sin(1) + math.Sin(0.5))},
		{"half sphere", halfSphere(t, 3), []float64{0, 1, 2, 3, 4}, []float64{0, 1}, 18 * math.Pi},
		// The circle seen along (1, 0, 1) is an ellipse with the half axes 3 and 3·cos 45°.
		{"tilted extrusion", tilted, []float64{0, 3, 2 * math.Pi}, []float64{0, 5}, 5 * ellipse(3, 3*halfRoot)},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := integrate(r.s, r.us, r.vs, 6).area; math.Abs(got-r.want) > 1e-6*r.want {
				t.Errorf("area %.9g, want %.9g", got, r.want)
			}
		})
	}
}

// ellipse is the circumference of an ellipse: 2π/M·(a² - Σ 2ⁿ⁻¹cₙ²) with the arithmetic-geometric mean
// M of the half axes and cₙ the half difference of its steps (Gauss).
func ellipse(a, b float64) float64 {
	sum, power := a*a-0.5*(a*a-b*b), 1.0
	for range 8 {
		c := 0.5 * (a - b)
		a, b = 0.5*(a+b), math.Sqrt(a*b)
		sum -= power * c * c
		power *= 2
	}
	return 2 * math.Pi * sum / a
}
