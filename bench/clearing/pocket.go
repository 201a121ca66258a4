package clearing

import (
	"math"
	"math/rand/v2"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Pocket is a random closed pocket with straight walls.
type Pocket struct {
	Kind     string
	Loops    []Polygon
	Diameter float64 // mm, of the cutter
	Stepover float64 // mm
}

// Arc returns the front arc (rad) of the stepover on a straight cut.
func (p *Pocket) Arc() float64 { return math.Acos(1 - 2*p.Stepover/p.Diameter) }

// stepovers are the smallest and the largest stepover, shares of the diameter.
const leastStepover, mostStepover = 0.05, 0.6

// Random returns pockets of four kinds in turn, for one cutter of 10 mm. Their stepovers are spread evenly.
func Random(seed uint64, count int) ([]Pocket, error) {
	const diameter = 10
	var out []Pocket
	for i := range count {
		s := shaper{rand.New(rand.NewPCG(seed, uint64(i)))}
		kinds := []struct {
			name string
			make func() (*arcpoly.Area, error)
		}{{"corners", s.corners}, {"islands", s.islands}, {"channel", s.channel}, {"comb", s.comb}}
		kind := kinds[i%len(kinds)]
		area, err := kind.make()
		if err != nil {
			return nil, err
		}
		// The golden ratio spreads the stepovers over the pockets of each kind.
		_, share := math.Modf(float64(i) * math.Phi)
		out = append(out, Pocket{
			Kind: kind.name, Loops: polygons(area), Diameter: diameter,
			Stepover: diameter * (leastStepover + share*(mostStepover-leastStepover)),
		})
	}
	return out, nil
}

// polygons returns the loops of an area; arcs become chords.
func polygons(a *arcpoly.Area) (out []Polygon) {
	for _, l := range a.Loops() {
		var p Polygon
		for i := range l {
			n := 1
			if r := l[i].From.Dist(l[i].Center); l[i].Turn != 0 {
				n += int(math.Abs(l[i].Turn) * math.Sqrt(r/(8*chord)))
			}
			for k := range n {
				p = append(p, l[i].At(float64(k)/float64(n)))
			}
		}
		out = append(out, p)
	}
	return out
}

// shaper makes areas of straight edges. Sizes suit a cutter of 10 mm.
type shaper struct{ *rand.Rand }

func (s shaper) between(lo, hi float64) float64 { return lo + (hi-lo)*s.Float64() }

// around returns a polygon around a point, with radii in a range. Its corners are at even angles, with jitter.
func (s shaper) around(at geom.Vec2, corners int, lo, hi, jitter float64) Polygon {
	var p Polygon
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + jitter*s.Float64()) / float64(corners))
		p = append(p, at.Add(geom.Vec2{X: cos, Y: sin}.Scale(s.between(lo, hi))))
	}
	return p
}

func rectangle(x0, y0, x1, y1 float64) Polygon {
	return Polygon{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// union returns the union of polygons.
func union(all ...Polygon) (*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	for _, p := range all {
		a, err := Area([]Polygon{p})
		if err != nil {
			return nil, err
		}
		areas = append(areas, a)
	}
	return arcpoly.Union(areas...)
}

// corners is a star of straight walls with sharp corners.
func (s shaper) corners() (*arcpoly.Area, error) {
	return union(s.around(geom.Vec2{}, 5+s.IntN(7), 16, 50, 0.6))
}

// islands is a room with one to four islands.
func (s shaper) islands() (*arcpoly.Area, error) {
	x, y := s.between(60, 110), s.between(45, 80)
	a, err := union(rectangle(0, 0, x, y))
	for range 1 + s.IntN(4) {
		if err != nil {
			return nil, err
		}
		var island *arcpoly.Area
		at := geom.Vec2{X: s.between(0.15, 0.85) * x, Y: s.between(0.15, 0.85) * y}
		if island, err = union(s.around(at, 3+s.IntN(20), 2, 9, 0.3)); err == nil {
			a, err = a.Minus(island)
		}
	}
	return a, err
}

// channel is two rooms, and a bent channel of 1.15 to 2 diameters between them.
func (s shaper) channel() (*arcpoly.Area, error) {
	w := s.between(11.5, 20)
	left, right := s.between(25, 40), s.between(25, 40)
	gap := s.between(15, 40)
	y0, y1 := s.between(0, 40), s.between(0, 40)
	bend := left + gap/2
	return union(rectangle(0, 0, left, 60), rectangle(left+gap, 0, left+gap+right, 60),
		rectangle(left-5, y0, bend+w/2, y0+w), rectangle(bend-w/2, y1, left+gap+5, y1+w),
		rectangle(bend-w/2, min(y0, y1), bend+w/2, max(y0, y1)+w))
}

// comb is a room with two to four slots of 1.1 to 1.8 diameters.
func (s shaper) comb() (*arcpoly.Area, error) {
	all := []Polygon{rectangle(0, 0, 95, s.between(18, 35))}
	n := 2 + s.IntN(3)
	for i := range n {
		w := s.between(11, 18)
		x := (float64(i)+0.5)*95/float64(n) - w/2
		all = append(all, rectangle(x, 10, x+w, s.between(45, 75)))
	}
	return union(all...)
}
