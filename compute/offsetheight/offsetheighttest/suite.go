// Package offsetheighttest is the suite that every twin of the offset of height maps must pass, and inputs to
// measure it on.
package offsetheighttest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// Suite tests a runner of the primitive against offsetheight.Input. The result must equal the result of testing all
// taps, bit for bit. Together with the height map it must keep the bounds against the exact Contact of tool and mesh.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	for name, tool := range rastertest.Tools() {
		for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
			for _, size := range [][2]int{{0, 3}, {1, 1}, {1, 50}, {50, 1}, {33, 31}, {70, 40}} {
				for kind, z := range heights(size[0], size[1]) {
					for _, step := range []float64{0.31, 1.7} {
						in := offsetheight.Input{
							Grid: grid.Grid{Step: step, Width: size[0], Height: size[1]},
							Z:    z, Sampling: sampling, Tool: tool,
						}
						checkOffset(t, b, name+" over "+kind, &in)
						in.At = some(len(z))
						checkOffset(t, b, name+" over some of "+kind, &in)
					}
				}
			}
		}
	}
	checkContact(t, b)
	checkSlope(t, b)
	refuseOffset(t, b)
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
		"nothing":     from(func(x, y float64) float64 { return empty }),
		"a plane":     from(func(x, y float64) float64 { return 3 }),
		"minus zero":  from(func(x, y float64) float64 { return math.Copysign(0, rng.Float64()-0.5) }),
		"a slope":     from(func(x, y float64) float64 { return 0.3*x - 0.2*y }),
		"noise":       from(func(x, y float64) float64 { return 5 * rng.NormFloat64() }),
		"large noise": from(func(x, y float64) float64 { return 1e30 * rng.NormFloat64() }),
		"a wall":      from(func(x, y float64) float64 { return 30 * math.Floor(x/17) }),
		"single cells": from(func(x, y float64) float64 {
			return []float64{empty, float64(rng.IntN(9))}[rng.IntN(50)/49]
		}),
	}
}

// some marks runs of cells, with gaps of a few cells up to more than a block between them.
func some(cells int) []bool {
	rng := rand.New(rand.NewPCG(9, 10))
	at := make([]bool, cells)
	for i := rng.IntN(40); i < cells; i += 1 + rng.IntN(60) {
		for end := min(i+1+rng.IntN(20), cells); i < end; i++ {
			at[i] = true
		}
	}
	return at
}

// checkOffset compares with the greatest of all taps.
func checkOffset(t testing.TB, b primitive.Runner, name string, in *offsetheight.Input) {
	t.Helper()
	out, err := offsetheight.Primitive.Run(context.Background(), b, *in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(out.Z) != len(in.Z) {
		t.Errorf("%s: %d heights for %d cells", name, len(out.Z), len(in.Z))
		return
	}
	taps, w, h := in.Footprint(), in.Grid.Width, in.Grid.Height
	for c, got := range out.Z {
		want := float32(math.Inf(-1))
		for y := max(c/w-taps.Reach(), 0); y <= min(c/w+taps.Reach(), h-1) && (in.At == nil || in.At[c]); y++ {
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

// checkContact compares the tool tips computed from a mesh through its map with the exact contact.
func checkContact(t testing.TB, b primitive.Runner) {
	t.Helper()
	for _, s := range rastertest.ContactScenes() {
		for name, tool := range rastertest.Tools() {
			for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
				in := heightmap.Input{Mesh: s.Mesh, Frame: s.Frame, Grid: s.Grid, Sampling: sampling}
				surface, err := heightmap.Primitive.Run(context.Background(), b, in)
				if err != nil {
					t.Fatalf("%s: %v", s.Name, err)
				}
				offset := offsetheight.Input{Grid: s.Grid, Z: surface.Z, Sampling: sampling, Tool: tool}
				out, err := offsetheight.Primitive.Run(context.Background(), b, offset)
				if err != nil {
					t.Fatalf("%s: %v", s.Name, err)
				}
				checkTips(t, name+" over "+s.Name, &in, &offset, out.Z)
			}
		}
	}
}

// checkTips compares with the Contact at cells whose tool stays on the grid.
func checkTips(t testing.TB, name string, in *heightmap.Input, offset *offsetheight.Input, z []float32) {
	t.Helper()
	g, tool := in.Grid, offset.Tool.Underside()
	lateral, vertical := in.Bound()
	room := vertical + offset.Bound()
	exact := rastertest.Contact{Part: rastertest.Local(in.Mesh, in.Frame), Tool: tool}
	thin := rastertest.Contact{Part: exact.Part, Tool: rastertest.Offset(tool, -2*lateral)}
	most := rastertest.Contact{Part: exact.Part, Tool: rastertest.Offset(tool, 2*lateral)}
	if offset.Sampling == heightmap.Cover {
		most.Tool = rastertest.Offset(tool, math.Sqrt2*g.Step+2*lateral)
	}
	margin := int(tool.Radius()/g.Step) + 2
	stride := 1 + 2*margin/7
	for j := margin; j < g.Height-margin; j++ {
		for i := margin; i < g.Width-margin; i += stride {
			x, y := g.X+float64(i)*g.Step, g.Y+float64(j)*g.Step
			hi := most.Tip(x, y) + room
			lo := math.Inf(-1)
			if offset.Sampling == heightmap.Cover {
				lo = thin.Tip(x, y) - room
			}
			if got := float64(z[j*g.Width+i]); !(got >= lo && got <= hi) {
				t.Errorf("%s, sampling %d: cell %d, %d has %.9g, want %.9g to %.9g", name, in.Sampling, i,
					j, got, lo, hi)
				return
			}
		}
	}
}

// checkSlope compares Center with the exact Contact where the surface and the tool have known slopes.
func checkSlope(t testing.TB, b primitive.Runner) {
	t.Helper()
	const steep, tip = 0.4, 2.0 / 3 // slope of the surface, included angle of the drill over π
	plane := rastertest.Waves(1, 40)
	for i := range plane.Points {
		p := &plane.Points[i]
		p.X, p.Y = p.X-20, p.Y-20
		p.Z = steep * (0.6*p.X + 0.8*p.Y)
	}
	for _, row := range []struct {
		tool  toolprofile.Profile
		slope float64
	}{
		{toolprofile.EndMill(5, 0, 9), 0}, {toolprofile.Drill(5, tip*math.Pi, 9), 1 / math.Tan(tip*math.Pi/2)},
	} {
		in := heightmap.Input{
			Mesh: plane, Frame: geom.World, Grid: grid.Grid{X: -8, Y: -8, Step: 0.7, Width: 24, Height: 24},
		}
		surface, err := heightmap.Primitive.Run(context.Background(), b, in)
		if err != nil {
			t.Fatal(err)
		}
		offset := offsetheight.Input{Grid: in.Grid, Z: surface.Z, Tool: row.tool}
		out, err := offsetheight.Primitive.Run(context.Background(), b, offset)
		if err != nil {
			t.Fatal(err)
		}
		exact := rastertest.Contact{Part: rastertest.Local(plane, in.Frame), Tool: row.tool.Underside()}
		_, vertical := in.Bound()
		low := math.Sqrt2*in.Grid.Step*(steep+row.slope) + vertical + offset.Bound()
		for c := 4*24 + 4; c < 20*24; c += 5 {
			i, j := c%24, c/24
			if i < 4 || i >= 20 {
				continue
			}
			x, y := in.Grid.X+0.7*float64(i), in.Grid.Y+0.7*float64(j)
			if want, got := exact.Tip(x, y), float64(out.Z[c]); got < want-low {
				t.Errorf("centres on a slope: cell %d, %d has %g, want %g less at most %g", i, j, got, want, low)
			}
		}
	}
}

func refuseOffset(t testing.TB, b primitive.Runner) {
	t.Helper()
	sound := func() offsetheight.Input {
		return offsetheight.Input{
			Grid: grid.Grid{Step: 1, Width: 3, Height: 2}, Z: make([]float32, 6), Tool: toolprofile.EndMill(2, 1, 5),
		}
	}
	primitivetest.Refuses(t, b, offsetheight.Primitive, sound, map[string]func(*offsetheight.Input){
		"no step":          func(in *offsetheight.Input) { in.Grid.Step = 0 },
		"too few heights":  func(in *offsetheight.Input) { in.Z = in.Z[1:] },
		"too few marks":    func(in *offsetheight.Input) { in.At = make([]bool, 5) },
		"not a number":     func(in *offsetheight.Input) { in.Z[2] = float32(math.NaN()) },
		"endless height":   func(in *offsetheight.Input) { in.Z[2] = float32(math.Inf(1)) },
		"no tool":          func(in *offsetheight.Input) { in.Tool = nil },
		"huge tool":        func(in *offsetheight.Input) { in.Tool = toolprofile.EndMill(1e5, 0, 5) },
		"unknown sampling": func(in *offsetheight.Input) { in.Sampling = 7 },
	})
}
