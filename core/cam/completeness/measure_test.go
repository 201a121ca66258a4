package completeness_test

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
)

// The faces of a box.
const (
	left = iota
	right
	front
	back
	below
	above
)

// boxMesh is a box with a region for each face, turned about an oblique axis by an angle.
func boxMesh(b geom.Box, turn float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range 8 {
		p := b.Min
		for axis := range 3 {
			if i>>axis&1 == 1 {
				p.SetCoordinate(axis, b.Max.Coordinate(axis))
			}
		}
		sin, cos := math.Sincos(turn)
		p.X, p.Y = p.X*cos-p.Y*sin, p.X*sin+p.Y*cos
		p.Y, p.Z = p.Y*cos-p.Z*sin, p.Y*sin+p.Z*cos
		m.Points = append(m.Points, p)
	}
	for i, q := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
		m.Regions = append(m.Regions, mesh.Region{Start: int32(2 * i), End: int32(2*i + 2)})
	}
	return m
}

func lattice(b geom.Box, step float64) dexel.Lattice {
	l := dexel.Lattice{Origin: b.Min.Sub(geom.Vec3{X: 0.4 * step, Y: 0.4 * step, Z: 0.4 * step}), Step: step}
	size := b.Size()
	for a := range 3 {
		l.Count[a] = int(math.Ceil(size.Coordinate(a)/step)) + 2
	}
	return l
}

// measured is the material left of one box around another.
func measured(t *testing.T, stock, part *mesh.Mesh, step float64) []completeness.Piece {
	t.Helper()
	l := lattice(stock.Bounds(), step)
	mill := compute.OnCPU(0)
	around, err := mill.Dexelize(t.Context(), stock, l)
	if err != nil {
		t.Fatal(err)
	}
	within, err := mill.Dexelize(t.Context(), part, l)
	if err != nil {
		t.Fatal(err)
	}
	out, err := completeness.Measure(t.Context(), completeness.Input{
		Left: around, Part: within, Surface: nearest.New(part), Tolerance: 0.01,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A film is measured to a hundredth by cells that are far thicker than it is, however it lies to the rays.
func TestFilmOnAPlane(t *testing.T) {
	const step = 0.8
	part := geom.BoxOf(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 41.3, Y: 32.1, Z: 17})
	for _, turn := range []float64{0, 0.3, 1.1} {
		for _, film := range []float64{0.05, 0.15, 0.3} {
			stock := part
			stock.Max.Z += film
			want := film * 40.3 * 30.1
			var volume, area float64
			for _, p := range measured(t, boxMesh(stock, turn), boxMesh(part, turn), step) {
				if p.Region != above && p.Volume > 0.02*want {
					t.Errorf("film of %g mm turned by %g: %g mm³ beside face %d", film, turn, p.Volume, p.Region)
				}
				if volume += p.Volume; p.Region == above {
					area = p.Area
					if math.Abs(p.Height-film) > 0.01+0.3*film*math.Abs(math.Sin(2*turn)) {
						t.Errorf("film of %g mm turned by %g is %g mm high", film, turn, p.Height)
					}
				}
			}
			if math.Abs(volume-want) > 0.03*want {
				t.Errorf("film of %g mm turned by %g: %g mm³, want %g", film, turn, volume, want)
			}
			covered := 0.0
			if film > completeness.LeastHeight {
				covered = 40.3 * 30.1
			}
			if math.Abs(area-covered) > 0.05*40.3*30.1 {
				t.Errorf("film of %g mm turned by %g covers %g mm², want %g", film, turn, area, covered)
			}
		}
	}
}

// A block on a face belongs to it, and has the height of its flat top at any position within a cell.
func TestBlockOnAFace(t *testing.T) {
	for _, high := range []float64{12, 12.1, 12.25, 12.4} {
		part := geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10})
		stock := part
		stock.Max.X += high
		all := measured(t, boxMesh(stock, 0), boxMesh(part, 0), 0.5)
		if len(all) != 1 || all[0].Region != right || math.Abs(all[0].Volume-high*20*10) > 0.01*high*20*10 ||
			math.Abs(all[0].Height-high) > 0.02 || math.Abs(all[0].Area-200) > 4 {
			t.Errorf("%g mm: %+v", high, all)
		}
		if d := all[0].At.X - 30 - high; math.Abs(d) > 0.02 {
			t.Errorf("%g mm: its highest point is at %v", high, all[0].At)
		}
	}
}

// Material within the tolerance of the part does not count.
func TestMaterialWithinToleranceIsIgnored(t *testing.T) {
	part := geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10})
	stock := part
	stock.Max.Y += 0.008
	if all := measured(t, boxMesh(stock, 0), boxMesh(part, 0), 0.5); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

func TestCausesAreSeparate(t *testing.T) {
	part := geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10})
	stock := part
	stock.Max.Z += 4
	m, l := boxMesh(part, 0), lattice(stock, 0.5)
	mill := compute.OnCPU(0)
	around, err := mill.Dexelize(t.Context(), boxMesh(stock, 0), l)
	if err != nil {
		t.Fatal(err)
	}
	within, err := mill.Dexelize(t.Context(), m, l)
	if err != nil {
		t.Fatal(err)
	}
	in := completeness.Input{
		Left: around, Part: within, Surface: nearest.New(m), Tolerance: 0.01,
		Cause: func(p geom.Vec3, near nearest.Contact) int {
			if p.X < 10 {
				return 7
			}
			return near.Region
		},
	}
	all, err := completeness.Measure(t.Context(), in)
	if err != nil || len(all) != 2 || all[0].Cause != above || all[1].Cause != 7 ||
		math.Abs(all[0].Volume-1600) > 60 || math.Abs(all[1].Volume-800) > 60 {
		t.Errorf("%+v, %v", all, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := completeness.Measure(ctx, in); err == nil {
		t.Error("it ends in spite of its context")
	}
}
