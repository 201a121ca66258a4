package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// offsetsCmd compares 100 offsets of a pocket, one after the other, with another program for offsets: processor
// time on one thread, fastest of some runs in turns.
//
// The program gets the name of a file with the vertices of the pocket (mm; "x y" each, an empty line after each
// loop; the wall runs counter-clockwise, islands clockwise), the number of offsets and their distance (mm, negative
// inward). It prints JSON: ms, the processor time of the offsets, each of the result of the one before with
// rounded corners within 0.5 µm and then simplified within 1 µm, and area, the sum of the areas of the results in
// mm². Clipper2 does so by InflatePaths and SimplifyPaths.
type offsetsCmd struct {
	Program string  `name:"peer" required:"" help:"Path of the other program."`
	Count   int     `default:"100" help:"How many offsets."`
	By      float64 `default:"-0.25" help:"Distance of each, mm, negative inwards."`
	Repeat  int     `default:"5" help:"Runs of each program; the fastest counts."`
}

// Run prints one line for each program, and their ratio.
func (c *offsetsCmd) Run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "offsets")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	loops := wavyPocket()
	file := filepath.Join(dir, "pocket")
	if err := os.WriteFile(file, []byte(vertices(loops)), 0o600); err != nil {
		return err
	}
	ours, theirs := math.Inf(1), math.Inf(1)
	var size float64
	var peer struct{ Ms, Area float64 }
	for range max(c.Repeat, 1) {
		ms, sum, err := c.chain(loops)
		if err != nil {
			return err
		}
		ours, size = min(ours, ms), sum
		if _, err := call(ctx, 0, &peer, c.Program, file, fmt.Sprint(c.Count), fmt.Sprint(c.By)); err != nil {
			return err
		}
		theirs = min(theirs, peer.Ms)
	}
	fmt.Printf("%d offsets by %v mm: here %.1f ms, %.1f mm² in all; peer %.1f ms, %.1f mm²; ratio %.2f\n",
		c.Count, c.By, ours, size, theirs, peer.Area, theirs/ours)
	return nil
}

// chain offsets the pocket again and again.
func (c *offsetsCmd) chain(loops []planar.Loop) (ms, sum float64, err error) {
	a, err := arcpoly.New(loops...)
	if err != nil {
		return 0, 0, err
	}
	from := processorMs()
	for range c.Count {
		if a, err = a.Offset(c.By); err != nil {
			return 0, 0, err
		}
		sum += a.Size()
	}
	return processorMs() - from, sum, nil
}

// wavyPocket is a pocket with four islands, 6,400 vertices in all.
func wavyPocket() []planar.Loop {
	wavy := func(x, y float64, n int, radius, wave float64, waves int) planar.Loop {
		at := func(i int) geom.Vec2 {
			angle := 2 * math.Pi * float64(i%n) / float64(n)
			s, c := math.Sincos(angle)
			r := radius + wave*math.Sin(angle*float64(waves))
			return geom.Vec2{X: x + r*c, Y: y + r*s}
		}
		l := make(planar.Loop, n)
		for i := range l {
			l[i] = planar.NewLine(at(i), at(i+1))
		}
		return l
	}
	loops := []planar.Loop{wavy(0, 0, 3200, 80, 6, 11)}
	for i, at := range [4][2]float64{{40, 0}, {0, 40}, {-40, 0}, {0, -40}} {
		loops = append(loops, wavy(at[0], at[1], 800, 10, 1.5, 5+i).Reverse())
	}
	return loops
}

func vertices(loops []planar.Loop) string {
	var b strings.Builder
	for _, l := range loops {
		for i := range l {
			_, _ = fmt.Fprintf(&b, "%.6f %.6f\n", l[i].From.X, l[i].From.Y)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
