package conform

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright/compute/kernel"
	"millwright/compute/tool"
	"millwright/core/geom"
)

// HeightOffsetter is a backend of the offset of height maps.
type HeightOffsetter interface {
	HeightMapper
	OffsetHeight(context.Context, kernel.OffsetHeightInput) (kernel.OffsetHeightOutput, error)
}

// OffsetHeight holds a backend to kernel.OffsetHeightInput: the result is that of trying all taps, to the last
// bit, and together with the height map it keeps the bounds against the exact contact of tool and mesh.
func OffsetHeight(t testing.TB, b HeightOffsetter) {
	t.Helper()
	for name, tool := range tools() {
		for _, sampling := range []kernel.Sampling{kernel.Centre, kernel.Cover} {
			for _, size := range [][2]int{{0, 3}, {1, 1}, {1, 50}, {50, 1}, {33, 31}, {70, 40}} {
				for kind, z := range heights(size[0], size[1]) {
					for _, step := range []float64{0.31, 1.7} {
						in := kernel.OffsetHeightInput{
							Grid: kernel.Grid{Step: step, Width: size[0], Height: size[1]},
							Z:    z, Sampling: sampling, Tool: tool,
						}
						checkOffset(t, b, name+" over "+kind, &in)
					}
				}
			}
		}
	}
	checkContact(t, b)
	checkSlope(t, b)
	refuseOffset(t, b)
}

// tools are of every kind of outline; those with a hollow arc or a neck too.
func tools() map[string]tool.Profile {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	neck := v(1, 2+math.Sqrt(3)) // of a ball of radius 2
	return map[string]tool.Profile{
		"flat":   tool.EndMill(5, 0, 20),
		"ball":   tool.EndMill(5, 2.5, 20),
		"bull":   tool.EndMill(5, 1, 20),
		"drill":  tool.Drill(5, geom.Radians(118), 20),
		"taper":  {{To: v(1, 0)}, {From: v(1, 0), To: v(2.5, 12)}},
		"large":  tool.EndMill(24, 10, 40),
		"disc":   tool.EndMill(30, 0, 4),
		"needle": tool.Drill(0.1, geom.Radians(20), 30),
		"in a holder": append(tool.EndMill(3, 1.5, 4),
			tool.Piece{From: v(1.5, 4), To: v(5, 4)}, tool.Piece{From: v(5, 4), To: v(5, 30)}),
		"lollipop":        {{To: neck, Radius: 2}, {From: neck, To: v(1, 20)}},
		"corner rounding": {{To: v(1, 0)}, {From: v(1, 0), To: v(3, 2), Radius: -2}, {From: v(3, 2), To: v(3, 9)}},
	}
}

// heights are maps of the given size.
func heights(w, h int) map[string][]float32 {
	rng := rand.New(rand.NewPCG(7, 8))
	from := func(f func(x, y float64) float64) []float32 {
		z := make([]float32, w*h)
		for k := range z {
			z[k] = float32(f(float64(k%w), float64(k/w)))
		}
		return z
	}
	empty := math.Inf(-1)
	return map[string][]float32{
		"nothing":      from(func(x, y float64) float64 { return empty }),
		"a plane":      from(func(x, y float64) float64 { return 3 }),
		"minus zero":   from(func(x, y float64) float64 { return math.Copysign(0, rng.Float64()-0.5) }),
		"a slope":      from(func(x, y float64) float64 { return 0.3*x - 0.2*y }),
		"noise":        from(func(x, y float64) float64 { return 5 * rng.NormFloat64() }),
		"large noise":  from(func(x, y float64) float64 { return 1e30 * rng.NormFloat64() }),
		"a wall":       from(func(x, y float64) float64 { return 30 * math.Floor(x/17) }),
		"single cells": from(func(x, y float64) float64 { return []float64{empty, float64(rng.IntN(9))}[rng.IntN(50)/49] }),
	}
}

// checkOffset compares with the greatest of all taps.
func checkOffset(t testing.TB, b HeightOffsetter, name string, in *kernel.OffsetHeightInput) {
	t.Helper()
	out, err := b.OffsetHeight(context.Background(), *in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(out.Z) != len(in.Z) {
		t.Errorf("%s: %d heights for %d cells", name, len(out.Z), len(in.Z))
		return
	}
	taps, w, h := in.Taps(), in.Grid.Width, in.Grid.Height
	for c, got := range out.Z {
		want := float32(math.Inf(-1))
		for y := max(c/w-taps.Reach(), 0); y <= min(c/w+taps.Reach(), h-1); y++ {
			row := taps.Rows[max(y-c/w, c/w-y)]
			for x := max(c%w-len(row)+1, 0); x <= min(c%w+len(row)-1, w-1); x++ {
				want = max(want, in.Z[y*w+x]-row[max(x-c%w, c%w-x)]+0) // +0 turns -0 into 0
			}
		}
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Errorf("%s, sampling %d, step %g, %d × %d: cell %d has %g, want %g",
				name, in.Sampling, in.Grid.Step, w, h, c, got, want)
			return
		}
	}
}

// checkContact compares the way from a mesh over its map to tool tips with the exact contact.
func checkContact(t testing.TB, b HeightOffsetter) {
	t.Helper()
	for _, s := range contactScenes() {
		for name, tool := range tools() {
			for _, sampling := range []kernel.Sampling{kernel.Centre, kernel.Cover} {
				in := kernel.HeightMapInput{Mesh: s.mesh, Frame: s.frame, Grid: s.grid, Sampling: sampling}
				surface, err := b.HeightMap(context.Background(), in)
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				offset := kernel.OffsetHeightInput{Grid: s.grid, Z: surface.Z, Sampling: sampling, Tool: tool}
				out, err := b.OffsetHeight(context.Background(), offset)
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				checkTips(t, name+" over "+s.name, &in, &offset, out.Z)
			}
		}
	}
}

// contactScenes are small enough to drop tools onto triangle by triangle.
func contactScenes() []scene {
	grid := kernel.Grid{X: -6, Y: -6, Step: 0.5, Width: 30, Height: 28}
	rng := rand.New(rand.NewPCG(9, 10))
	soup := triangles(12, func() (p [3]geom.Vec3) {
		for k := range p {
			p[k] = geom.Vec3{X: 8 * rng.Float64(), Y: 8 * rng.Float64(), Z: 4 * rng.Float64()}
		}
		return p
	})
	return []scene{
		{"a block", block(geom.Vec3{X: 0.1, Y: 0.2}, geom.Vec3{X: 3.3, Y: 2.7, Z: 2}), geom.World, grid},
		{"a soup", soup, geom.World, grid},
		{"waves", waves(4, 1.7), geom.NewFrame(geom.Vec3{X: 1}, geom.Vec3{X: 0.2, Z: 1}, geom.Vec3{Y: 1}), grid},
		{"nothing", triangles(0, nil), geom.World, grid},
	}
}

// checkTips compares with the contact at cells whose tool stays on the grid.
func checkTips(t testing.TB, name string, in *kernel.HeightMapInput, offset *kernel.OffsetHeightInput, z []float32) {
	t.Helper()
	g, tool := in.Grid, offset.Tool.Underside()
	lateral, vertical := in.Bound()
	room := vertical + offset.Bound()
	exact := contact{localTriangles(in.Mesh, in.Frame), tool}
	thin := contact{exact.part, grown(tool, -2*lateral)}
	most := contact{exact.part, grown(tool, 2*lateral)}
	if offset.Sampling == kernel.Cover {
		most.tool = grown(tool, math.Sqrt2*g.Step+2*lateral)
	}
	margin := int(tool.Radius()/g.Step) + 2
	stride := 1 + 2*margin/7
	for j := margin; j < g.Height-margin; j++ {
		for i := margin; i < g.Width-margin; i += stride {
			x, y := g.X+float64(i)*g.Step, g.Y+float64(j)*g.Step
			hi := most.tip(x, y) + room
			lo := math.Inf(-1)
			if offset.Sampling == kernel.Cover {
				lo = thin.tip(x, y) - room
			}
			if got := float64(z[j*g.Width+i]); !(got >= lo && got <= hi) {
				t.Errorf("%s, sampling %d: cell %d, %d has %.9g, want %.9g to %.9g", name, in.Sampling, i, j, got, lo, hi)
				return
			}
		}
	}
}

// checkSlope compares Centre with the exact contact where the surface and the tool have known slopes.
func checkSlope(t testing.TB, b HeightOffsetter) {
	t.Helper()
	const steep, tip = 0.4, 2.0 / 3 // slope of the surface, included angle of the drill over π
	plane := waves(1, 40)
	for i := range plane.Points {
		p := &plane.Points[i]
		p.X, p.Y = p.X-20, p.Y-20
		p.Z = steep * (0.6*p.X + 0.8*p.Y)
	}
	for _, row := range []struct {
		tool  tool.Profile
		slope float64
	}{
		{tool.EndMill(5, 0, 9), 0}, {tool.Drill(5, tip*math.Pi, 9), 1 / math.Tan(tip*math.Pi/2)},
	} {
		in := kernel.HeightMapInput{
			Mesh: plane, Frame: geom.World, Grid: kernel.Grid{X: -8, Y: -8, Step: 0.7, Width: 24, Height: 24},
		}
		surface, err := b.HeightMap(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		offset := kernel.OffsetHeightInput{Grid: in.Grid, Z: surface.Z, Tool: row.tool}
		out, err := b.OffsetHeight(context.Background(), offset)
		if err != nil {
			t.Fatal(err)
		}
		exact := contact{localTriangles(plane, in.Frame), row.tool.Underside()}
		_, vertical := in.Bound()
		low := math.Sqrt2*in.Grid.Step*(steep+row.slope) + vertical + offset.Bound()
		for c := 4*24 + 4; c < 20*24; c += 5 {
			i, j := c%24, c/24
			if i < 4 || i >= 20 {
				continue
			}
			x, y := in.Grid.X+0.7*float64(i), in.Grid.Y+0.7*float64(j)
			if want, got := exact.tip(x, y), float64(out.Z[c]); got < want-low {
				t.Errorf("centres on a slope: cell %d, %d has %g, want %g less at most %g", i, j, got, want, low)
			}
		}
	}
}

func refuseOffset(t testing.TB, b HeightOffsetter) {
	t.Helper()
	sound := func() kernel.OffsetHeightInput {
		return kernel.OffsetHeightInput{
			Grid: kernel.Grid{Step: 1, Width: 3, Height: 2}, Z: make([]float32, 6), Tool: tool.EndMill(2, 1, 5),
		}
	}
	refuses(t, b.OffsetHeight, sound, map[string]func(*kernel.OffsetHeightInput){
		"no step":          func(in *kernel.OffsetHeightInput) { in.Grid.Step = 0 },
		"too few heights":  func(in *kernel.OffsetHeightInput) { in.Z = in.Z[1:] },
		"not a number":     func(in *kernel.OffsetHeightInput) { in.Z[2] = float32(math.NaN()) },
		"endless height":   func(in *kernel.OffsetHeightInput) { in.Z[2] = float32(math.Inf(1)) },
		"no tool":          func(in *kernel.OffsetHeightInput) { in.Tool = nil },
		"huge tool":        func(in *kernel.OffsetHeightInput) { in.Tool = tool.EndMill(1e5, 0, 5) },
		"unknown sampling": func(in *kernel.OffsetHeightInput) { in.Sampling = 7 },
	})
}
