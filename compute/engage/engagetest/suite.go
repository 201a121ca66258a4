// Package engagetest is the suite that every twin of the front arc must pass, and inputs to measure it on.
package engagetest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/engage"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[engage.Input, engage.Output]{
	Primitive: engage.Primitive, Suite: Suite, Sizes: []int{1 << 16, 1 << 20, 1 << 24},
	Load: load,
}

// Suite tests a runner of the primitive against engage.Input. A part whose middle is surely outside may not count, and
// one whose middle is surely inside must count. Arcs of simple shapes have their closed form.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(41, 42))
	for _, size := range [][2]int{{1, 1}, {1, 40}, {40, 1}, {2, 2}, {33, 57}, {200, 170}} {
		g := grid.Grid{X: -3, Y: 5, Step: 0.25, Width: size[0], Height: size[1]}
		for name, field := range fields(rng, g) {
			for _, radius := range []float64{0.01, 0.4, 6, 300} {
				in := engage.Input{Grid: g, Field: field, Radius: radius, Parts: 1 + rng.IntN(90),
					Samples: around(rng, g, 30)}
				compare(t, b, name, &in)
			}
		}
	}
	closedForms(t, b)
	refuse(t, b)
}

// fields returns fields of every kind: empty, full, half planes, discs, noise, and values of extreme size.
func fields(rng *rand.Rand, g grid.Grid) map[string][]float32 {
	from := func(f func(x, y float64) float64) []float32 {
		s := make([]float32, g.Len())
		for k := range s {
			s[k] = float32(f(float64(k%g.Width), float64(k/g.Width)))
		}
		return s
	}
	return map[string][]float32{
		"empty": from(func(x, y float64) float64 { return 1 }),
		"full":  from(func(x, y float64) float64 { return -1 }),
		"zero":  from(func(x, y float64) float64 { return 0 }),
		"half":  from(func(x, y float64) float64 { return 0.3*x - 0.7*y + 0.11 }),
		"disc":  from(func(x, y float64) float64 { return math.Hypot(x-9, y-7) - 6 }),
		"noise": from(func(x, y float64) float64 { return rng.NormFloat64() }),
		"extreme": from(func(x, y float64) float64 {
			return math.Copysign(math.Pow(10, 70*rng.Float64()-38), rng.Float64()-0.5)
		}),
	}
}

// around returns n samples inside and outside the grid; some are at cell centers and move along an axis.
func around(rng *rand.Rand, g grid.Grid, n int) []engage.CutterPosition {
	out := make([]engage.CutterPosition, n)
	for i := range out {
		x, y := 1.4*rng.Float64()-0.2, 1.4*rng.Float64()-0.2
		at := geom.Vec2{X: g.X + x*g.Step*float64(g.Width), Y: g.Y + y*g.Step*float64(g.Height)}
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		if i%5 == 0 {
			at = geom.Vec2{X: g.X + g.Step*float64(rng.IntN(g.Width)), Y: g.Y + g.Step*float64(rng.IntN(g.Height))}
			sin, cos = float64(1-i%2), float64(i%2)
		}
		out[i] = engage.CutterPosition{Center: at, Direction: geom.Vec2{X: cos, Y: sin}}
	}
	return out
}

// compare counts the parts that must be in material, and the parts that may be.
func compare(t testing.TB, b primitive.Runner, name string, in *engage.Input) {
	t.Helper()
	out, err := engage.Primitive.Run(context.Background(), b, *in)
	if err != nil || len(out.Parts) != len(in.Samples) {
		t.Errorf("%s: %d counts for %d samples, %v", name, len(out.Parts), len(in.Samples), err)
		return
	}
	for i, s := range in.Samples {
		must, may := uint32(0), uint32(0)
		for k := range in.Parts {
			sin, cos := math.Sincos(math.Atan2(s.Direction.Y, s.Direction.X) +
				math.Pi*((float64(k)+0.5)/float64(in.Parts)-0.5))
			sure, maybe := inMaterial(in, s.Center.X+in.Radius*cos, s.Center.Y+in.Radius*sin)
			if sure {
				must++
			}
			if maybe {
				may++
			}
		}
		if got := out.Parts[i]; got < must || got > may {
			t.Errorf("%s, %d × %d cells, radius %g: sample %d, %v, meets %d of %d parts, want %d to %d",
				name, in.Grid.Width, in.Grid.Height, in.Radius, i, s, got, in.Parts, must, may)
			return
		}
	}
}

// inMaterial sums the bilinear weights over all cells and reports the two results that rounding permits.
func inMaterial(in *engage.Input, x, y float64) (must, may bool) {
	g := in.Grid
	u, v := (x-g.X)/g.Step, (y-g.Y)/g.Step
	const rim = engage.Rounding // cells, by which a place may be beyond the outermost centers
	right, top := float64(g.Width-1), float64(g.Height-1)
	if u < -rim || v < -rim || u > right+rim || v > top+rim {
		return false, false
	}
	inside := u >= rim && v >= rim && u <= right-rim && v <= top-rim
	u, v = min(max(u, 0), right), min(max(v, 0), top)
	sum, most := 0.0, 0.0
	for j := max(int(v)-1, 0); j <= min(int(v)+2, g.Height-1); j++ {
		for i := max(int(u)-1, 0); i <= min(int(u)+2, g.Width-1); i++ {
			f := float64(in.Field[j*g.Width+i])
			tent := max(0, 1-math.Abs(u-float64(i))) * max(0, 1-math.Abs(v-float64(j)))
			sum += f * tent
			if math.Abs(u-float64(i)) <= 1+rim && math.Abs(v-float64(j)) <= 1+rim {
				most = max(most, math.Abs(f))
			}
		}
	}
	slack := engage.Rounding * most
	return inside && sum < -slack, sum < slack
}

// closedForms are a straight wall at a depth and a slot of the cutter's own width.
func closedForms(t testing.TB, b primitive.Runner) {
	t.Helper()
	g := grid.Grid{X: -20, Y: -20, Step: 0.1, Width: 400, Height: 400}
	in := engage.Input{Grid: g, Field: make([]float32, g.Len()), Radius: 5, Parts: 720,
		Samples: []engage.CutterPosition{{
			Direction: geom.Vec2{X: 1},
		}}}
	for _, row := range []struct {
		name  string
		field func(x, y float64) float64
		want  float64 // rad
	}{
		{"a wall, a radius deep", func(x, y float64) float64 { return y }, math.Pi / 2},
		{"a wall, half a radius deep", func(x, y float64) float64 { return y + 2.5 }, math.Pi / 3},
		{"a full slot", func(x, y float64) float64 { return -x }, math.Pi},
		{"behind", func(x, y float64) float64 { return x + 0.01 }, 0},
	} {
		for k := range in.Field {
			in.Field[k] = float32(row.field(g.X+g.Step*float64(k%g.Width), g.Y+g.Step*float64(k/g.Width)))
		}
		out, err := engage.Primitive.Run(context.Background(), b, in)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Arc(&in, 0); math.Abs(got-row.want) > math.Pi/float64(in.Parts) {
			t.Errorf("%s: an arc of %g rad, want %g", row.name, got, row.want)
		}
	}
}

func refuse(t testing.TB, b primitive.Runner) {
	t.Helper()
	primitivetest.Refuses(t, b, engage.Primitive, func() engage.Input {
		return engage.Input{
			Grid: grid.Grid{Step: 1, Width: 3, Height: 2}, Field: make([]float32, 6), Radius: 1, Parts: 8,
			Samples: []engage.CutterPosition{{Direction: geom.Vec2{Y: 1}}},
		}
	}, map[string]func(*engage.Input){
		"no step":       func(in *engage.Input) { in.Grid.Step = 0 },
		"too few cells": func(in *engage.Input) { in.Field = in.Field[1:] },
		"too long": func(in *engage.Input) {
			in.Grid.Width, in.Grid.Height, in.Field = 1<<17, 1, make([]float32, 1<<17)
		},
		"not a number": func(in *engage.Input) { in.Field[1] = float32(math.NaN()) },
		"no radius":    func(in *engage.Input) { in.Radius = 0 },
		"huge radius":  func(in *engage.Input) { in.Radius = 1e9 },
		"no parts":     func(in *engage.Input) { in.Parts = 0 },
		"many parts":   func(in *engage.Input) { in.Parts = 1 << 20 },
		"no direction": func(in *engage.Input) { in.Samples[0].Direction = geom.Vec2{} },
		"far away":     func(in *engage.Input) { in.Samples[0].Center.X = math.Inf(1) },
	})
}

// load moves a cutter of 50 cells around a disc of material in a level of 1,000 × 1,000 cells, with an arc of 90 parts
// for each sample.
func load(places int, _ *mesh.Mesh) (primitivetest.Load[engage.Input], error) {
	const parts, radius, disc = 90, 50, 300 // cells
	g := rastertest.Square(1_000_000)
	in := engage.Input{Grid: g, Field: make([]float32, g.Len()), Radius: radius * g.Step, Parts: parts}
	for k := range in.Field {
		in.Field[k] = float32(math.Hypot(float64(k%g.Width-g.Width/2), float64(k/g.Width-g.Height/2)) - disc)
	}
	middle, n := g.Middle(), max(1, places/parts)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out := geom.Vec2{X: cos, Y: sin}
		in.Samples = append(in.Samples, engage.CutterPosition{
			Center: middle.Add(out.Scale((disc + radius/2) * g.Step)), Direction: geom.Vec2{X: -sin, Y: cos},
		})
	}
	const sample, count, cell = 32, 4, 4 // bytes
	return primitivetest.Load[engage.Input]{
		In: in, Items: n * parts, Bytes: (sample+count)*float64(n) + cell*float64(g.Len()),
	}, nil
}
