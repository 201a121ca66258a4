package scallop_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/cam/toolpath/scallop"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// piece is a surface z(x, y) over a square around the origin, which is to be finished.
type piece struct {
	z      func(x, y float64) float64
	side   float64 // mm, of the square to be finished
	radius float64 // mm
	corner float64
}

const (
	step, cusp, tolerance = 0.2, 0.02, 0.005 // mm
	microns               = 1000.0
)

// input returns the passes asked for a piece.
func (p *piece) input(t *testing.T) *scallop.Input {
	t.Helper()
	on := compute.OnCPU(0)
	m := p.mesh()
	over, err := on.Over(t.Context(), m, geom.World)
	if err != nil {
		t.Fatal(err)
	}
	half := p.side/2 + p.radius + 4*step
	n := 2*int(half/step) + 1
	g := grid.Grid{X: -float64(n/2) * step, Y: -float64(n/2) * step, Step: step, Width: n, Height: n}
	heights, err := on.Heights(t.Context(), m, geom.World, g)
	if err != nil {
		t.Fatal(err)
	}
	region := make([]bool, g.Len())
	for k := range region {
		x, y := g.X+float64(k%n)*step, g.Y+float64(k/n)*step
		region[k] = max(math.Abs(x), math.Abs(y)) <= p.side/2
	}
	tool := toolprofile.EndMill(2*p.radius, p.corner, 30)
	return &scallop.Input{
		Mill: on, Over: over, Grid: g, Heights: heights, Region: region, Tool: tool, Cutter: tool,
		Radius: p.radius, Corner: p.corner, Scallop: cusp, Tolerance: tolerance,
	}
}

// mesh returns the surface on squares of 0.2 mm, beyond the square to be finished by the tool's diameter.
func (p *piece) mesh() *mesh.Mesh {
	const fine = 0.2 // mm
	half := p.side/2 + 2*p.radius
	n := int(2 * half / fine)
	m := &mesh.Mesh{}
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := -half+float64(i)*fine, -half+float64(j)*fine
			m.Points = append(m.Points, geom.Vec3{X: x, Y: y, Z: p.z(x, y)})
		}
	}
	for j := range n {
		for i := range n {
			k := int32(j*(n+1) + i)
			up := k + int32(n) + 1
			m.Triangles = append(m.Triangles, [3]int32{k, k + 1, up + 1}, [3]int32{k, up + 1, up})
		}
	}
	return m
}

// left returns the height of material over the surface (µm along its normal) at the places of a raster over the square,
// ascending, by brute force: the least over all places of the tip 0.1 mm apart. Left out are places within margin (mm)
// of the border.
func (p *piece) left(passes [][]geom.Vec3, margin float64) []float64 {
	const raster, stride = 0.17, 0.1 // mm
	side := p.side - 2*margin
	n := int(side / raster)
	low := make([]float64, (n+1)*(n+1))
	for k := range low {
		low[k] = math.Inf(1)
	}
	stamp := func(at geom.Vec3) {
		row := func(v float64) int { return int(math.Floor((v + side/2) / raster)) }
		for j := max(row(at.Y-p.radius), 0); j <= min(row(at.Y+p.radius)+1, n); j++ {
			for i := max(row(at.X-p.radius), 0); i <= min(row(at.X+p.radius)+1, n); i++ {
				d := math.Hypot(float64(i)*raster-side/2-at.X, float64(j)*raster-side/2-at.Y)
				if d > p.radius {
					continue
				}
				d = max(d-(p.radius-p.corner), 0)
				low[j*(n+1)+i] = min(low[j*(n+1)+i], at.Z+p.corner-math.Sqrt(p.corner*p.corner-d*d))
			}
		}
	}
	for _, l := range passes {
		for i := 1; i < len(l); i++ {
			pieces := math.Ceil(l[i].Dist(l[i-1])/stride) + 1
			for s := range int(pieces) + 1 {
				stamp(l[i-1].Lerp(l[i], float64(s)/pieces))
			}
		}
	}
	var out []float64
	for k, z := range low {
		x, y := float64(k%(n+1))*raster-side/2, float64(k/(n+1))*raster-side/2
		const d = 1e-4
		u, v := (p.z(x+d, y)-p.z(x-d, y))/(2*d), (p.z(x, y+d)-p.z(x, y-d))/(2*d)
		out = append(out, microns*(z-p.z(x, y))/math.Sqrt(1+u*u+v*v))
	}
	slices.Sort(out)
	return out
}

func saddle(x, y float64) float64 { return (x*x - y*y) / 30 }

// tilted has no level place, where a bull nose would reach less than a ball.
func tilted(x, y float64) float64 { return saddle(x, y) + x/2 }

func hill(x, y float64) float64 { return 3 * math.Exp(-(x*x+y*y)/18) }

func slope(degrees float64) func(x, y float64) float64 {
	t := math.Tan(geom.Radians(degrees))
	return func(x, y float64) float64 { return t * (x + 0.3*y) }
}

// The cusps have the height asked, and no move cuts deeper than the tolerance. The chord of the mesh is in the measure.
func TestCuspsByBruteForce(t *testing.T) {
	for name, p := range map[string]piece{
		"saddle, ball":                   {saddle, 7, 3, 3},
		"hill, ball":                     {hill, 8, 2, 2},
		"slope 20, ball":                 {slope(20), 5, 3, 3},
		"slope 60, ball":                 {slope(60), 5, 3, 3},
		"tilted saddle, bull nose":       {tilted, 6, 3, 1},
		"slope 45, bull nose":            {slope(45), 5, 3, 1},
		"tilted saddle, small bull nose": {tilted, 6, 2, 1.2},
	} {
		t.Run(name, func(t *testing.T) {
			in := p.input(t)
			out, err := scallop.Make(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			left := p.left(out.Passes, 0.3)
			p99, gouge := left[len(left)*99/100], left[0]
			t.Logf("%d passes, psi %.2f: p99 %.1f, most %.1f, gouge %.1f µm", len(out.Passes), out.Psi, p99,
				left[len(left)-1], gouge)
			if p99 > 1.1*cusp*microns || gouge < -(tolerance+0.001)*microns {
				t.Errorf("p99 %.1f µm, gouge %.1f µm: want at most %.1f and %.1f", p99, gouge, 1.1*cusp*microns,
					-tolerance*microns)
			}
			if cells := count(out.Uncut); cells > count(in.Region)/1000 {
				t.Errorf("%d of %d cells are uncut by the certificate", cells, count(in.Region))
			}
		})
	}
}

func count(set []bool) (n int) {
	for _, s := range set {
		if s {
			n++
		}
	}
	return n
}

// Level passes around a steep cone are closed.
func TestClosedPasses(t *testing.T) {
	p := piece{func(x, y float64) float64 { return min(max(0, 5*(3-math.Hypot(x, y))), 6) }, 8, 2, 2}
	out, err := scallop.Make(t.Context(), p.input(t))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(out.Passes, func(l []geom.Vec3) bool { return l[0] == l[len(l)-1] && len(l) > 8 }) {
		t.Errorf("none of %d passes is closed", len(out.Passes))
	}
}

// Links lie on the surface like passes, from end to start.
func TestLinksKeepToTheSurface(t *testing.T) {
	p := piece{hill, 7, 2, 2}
	out, err := scallop.Make(t.Context(), p.input(t))
	if err != nil {
		t.Fatal(err)
	}
	var linked [][]geom.Vec3
	for i, l := range out.Links {
		if l == nil {
			continue
		}
		linked = append(linked, l)
		if before := out.Passes[i-1]; l[0] != before[len(before)-1] || l[len(l)-1] != out.Passes[i][0] {
			t.Errorf("link %d leads from %v to %v", i, l[0], l[len(l)-1])
		}
	}
	if len(linked) < len(out.Passes)*3/4 {
		t.Errorf("%d of %d passes are linked", len(linked), len(out.Passes))
	}
	if left := p.left(linked, 0); left[0] < -(tolerance+0.001)*microns {
		t.Errorf("links cut %.1f µm deep", -left[0])
	}
}

// A region of two parts is finished in both of them.
func TestTwoComponents(t *testing.T) {
	p := piece{saddle, 8, 2, 2}
	in := p.input(t)
	for k := range in.Region {
		x := in.Grid.X + float64(k%in.Grid.Width)*step
		in.Region[k] = in.Region[k] && math.Abs(x) > 2.5
	}
	out, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if cells := count(out.Uncut); cells > 0 {
		t.Errorf("%d of %d cells are uncut", cells, count(in.Region))
	}
	for _, l := range out.Passes {
		for _, at := range l {
			if math.Abs(at.X) < 1 {
				t.Fatalf("a pass leads through %v, between the parts of the region", at)
			}
		}
	}
}

// The tip keeps over the heights given, and what it does not reach then is named.
func TestLeastHeights(t *testing.T) {
	p := piece{saddle, 8, 2, 2}
	in := p.input(t)
	in.Least = grid.NewMap(in.Grid.Len())
	for k := range in.Least {
		if in.Grid.X+float64(k%in.Grid.Width)*step >= 1 {
			in.Least[k] = float32(math.Inf(1))
		}
	}
	out, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range slices.Concat(out.Passes, out.Links) {
		for _, at := range l {
			if at.X > 1+step/2 {
				t.Fatalf("the tip is at %v", at)
			}
		}
	}
	share := float64(count(out.Uncut)) / float64(count(in.Region))
	if share < 0.2 || share > 0.45 {
		t.Errorf("%.2f of the region are uncut, want about 3/8 less what the side of the ball reaches", share)
	}
}

// A crease gets a pass along it, which leaves less than the passes across it do.
func TestCreases(t *testing.T) {
	p := piece{func(x, y float64) float64 { return max(0, x) }, 8, 2, 2}
	out, err := scallop.Make(t.Context(), p.input(t))
	if err != nil {
		t.Fatal(err)
	}
	aside := p.radius * math.Tan(geom.Radians(45)/2) // the ball touches both planes
	most := 0.0
	for _, l := range out.Passes {
		along, off := 0.0, 0.0
		for i, at := range l {
			off = max(off, math.Abs(at.X+aside))
			if i > 0 {
				along += at.Dist(l[i-1])
			}
		}
		if off < 0.005 {
			most = max(most, along)
		}
	}
	if most < p.side*0.9 {
		t.Errorf("the longest pass along the crease has %.2f mm", most)
	}
}

// A pass leads along a wall, as near as the tool comes.
func TestWalls(t *testing.T) {
	p := piece{func(x, y float64) float64 { return min(max(0, 100*(x-1)), 8) + y/4 }, 8, 2, 2}
	in := p.input(t)
	for k := range in.Region { // the floor alone
		in.Region[k] = in.Region[k] && in.Grid.X+float64(k%in.Grid.Width)*step < 1
	}
	out, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	low, high := -2.0, 1.0 // the last place on the floor
	for high-low > 1e-4 {
		x := (low + high) / 2
		z, err := in.Over.Clearance(t.Context(), in.Tool, []geom.Vec3{{X: x, Z: math.Inf(-1)}})
		if err != nil {
			t.Fatal(err)
		}
		if z[0] > 0.15 {
			high = x
		} else {
			low = x
		}
	}
	most := 0.0
	for _, l := range out.Passes {
		if slices.ContainsFunc(l, func(at geom.Vec3) bool { return at.X > low || at.X < low-0.02 }) {
			continue
		}
		most = max(most, l[0].Dist(l[len(l)-1]))
	}
	if most < p.side*0.9 {
		t.Errorf("the longest pass within 0.02 mm of x = %.3f has %.2f mm", low, most)
	}
}

// Surface that is steeper than cells can carry has level passes, which keep tolerance and cusps.
func TestSteepSurface(t *testing.T) {
	p := piece{slope(80), 3, 1.5, 1.5}
	in := p.input(t)
	out, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	level := 0
	for _, l := range out.Passes {
		if low, high := span(l); high-low < 1e-9 {
			level++
		}
	}
	left := p.left(out.Passes, 0.5)
	p99, gouge := left[len(left)*99/100], left[0]
	t.Logf("%d of %d passes are level; p99 %.1f, most %.1f, gouge %.1f µm", level, len(out.Passes), p99,
		left[len(left)-1], gouge)
	if level < len(out.Passes)/2 || p99 > 1.1*cusp*microns || gouge < -(tolerance+0.001)*microns {
		t.Error("want most passes level, at most 22 µm and no gouge over 6 µm")
	}
}

func span(l []geom.Vec3) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, at := range l {
		low, high = min(low, at.Z), max(high, at.Z)
	}
	return low, high
}

// A holder that would touch keeps the tip away, and the cells that it does not finish are named.
func TestHolder(t *testing.T) {
	p := piece{func(x, y float64) float64 { return min(max(0, 2*(x-1)), 6) }, 6, 2, 2}
	in := p.input(t)
	free, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	in.Cutter = toolprofile.EndMill(4, 2, 4)
	in.Tool = slices.Concat(in.Cutter, toolprofile.Profile{
		{From: geom.Vec2{X: 2, Y: 4}, To: geom.Vec2{X: 4, Y: 4}}, {From: geom.Vec2{X: 4, Y: 4}, To: geom.Vec2{X: 4, Y: 30}},
	})
	held, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := count(free.Uncut), count(held.Uncut); b < a+count(in.Region)/20 {
		t.Errorf("%d cells are uncut without a holder, %d with it", a, b)
	}
	for _, l := range slices.Concat(held.Passes, held.Links) {
		z, err := in.Over.Clearance(t.Context(), in.Tool, atLowest(l))
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range l {
			if at.Z < z[i]-1e-9 {
				t.Fatalf("the tip at %v is %.3g mm lower than the holder allows", at, z[i]-at.Z)
			}
		}
	}
}

func atLowest(l []geom.Vec3) []geom.Vec3 {
	out := slices.Clone(l)
	for i := range out {
		out[i].Z = math.Inf(-1)
	}
	return out
}

// Passes in one direction have the material not yet cut on their right, where the tool climbs.
func TestOneWay(t *testing.T) {
	p := piece{slope(20), 8, 2, 2}
	in := p.input(t)
	in.OneWay = true
	out, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(out.Passes); i++ {
		before, l := out.Passes[i-1], out.Passes[i]
		if d := l[len(l)-1].Sub(l[0]); d.X*(l[0].Y-before[0].Y)-d.Y*(l[0].X-before[0].X) > 0 && d.Norm() > p.side/2 {
			t.Errorf("pass %d from %v to %v is on the left of the pass before from %v", i, l[0], l[len(l)-1], before[0])
		}
	}
}

// A region without cells has no passes.
func TestNothingToFinish(t *testing.T) {
	p := piece{hill, 4, 2, 2}
	in := p.input(t)
	clear(in.Region)
	out, err := scallop.Make(t.Context(), in)
	if err != nil || len(out.Passes) > 0 || count(out.Uncut) > 0 {
		t.Errorf("%v, %v", out, err)
	}
}

// Stock is left along the normal.
func TestLeave(t *testing.T) {
	p := piece{slope(45), 6, 2, 2}
	in := p.input(t)
	in.Leave = 0.3
	out, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	left := p.left(out.Passes, 0.5)
	if low, p99 := left[0]/microns, left[len(left)*99/100]/microns; low < in.Leave-tolerance-0.001 ||
		p99 > in.Leave+1.1*cusp {
		t.Errorf("%.4f to %.4f mm are left, want %g to %g", low, p99, in.Leave, in.Leave+cusp)
	}
}

// The passes do not depend on the number of processors.
func TestDeterminism(t *testing.T) {
	p := piece{hill, 8, 2, 2}
	in := p.input(t)
	first, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, err := scallop.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	same := slices.EqualFunc(first.Passes, again.Passes, slices.Equal[[]geom.Vec3]) &&
		slices.EqualFunc(first.Links, again.Links, slices.Equal[[]geom.Vec3])
	if !same {
		t.Error("another number of processors makes other passes")
	}
}

func TestCancel(t *testing.T) {
	p := piece{hill, 8, 2, 2}
	in := p.input(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scallop.Make(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRefusals(t *testing.T) {
	p := piece{hill, 4, 2, 2}
	for name, row := range map[string]struct {
		change func(in *scallop.Input)
		want   string
	}{
		"flat end mill": {func(in *scallop.Input) { in.Corner = 0 }, "not round"},
		"no cusps":      {func(in *scallop.Input) { in.Scallop = 0 }, "cusps of 0 mm"},
		"no tolerance":  {func(in *scallop.Input) { in.Tolerance = 0 }, "tolerance of 0 mm"},
		"large cells":   {func(in *scallop.Input) { in.Scallop = 0.002 }, "cells of 0.2 mm are too large"},
		"other maps":    {func(in *scallop.Input) { in.Region = in.Region[1:] }, "the grid has"},
	} {
		in := p.input(t)
		row.change(in)
		if _, err := scallop.Make(t.Context(), in); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", name, err, row.want)
		}
	}
}
