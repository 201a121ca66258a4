package main

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func TestParseCutter(t *testing.T) {
	for text, want := range map[string]cutter{
		"flat:10":    {"flat", 10, 0},
		"ball:6.5":   {"ball", 6.5, 0},
		"bull:10:2":  {"bull", 10, 2},
		"cone:10:90": {"cone", 10, 90},
	} {
		if got, err := parseCutter(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "flat", "saw:10", "ball:ten", "bull:10:9", "cone:10", "flat:1:2:3", "ball:-4"} {
		if c, err := parseCutter(text); err == nil {
			t.Errorf("%q: %v without an error", text, c)
		}
	}
}

// A tool grown is nowhere higher than the tool, and a thin one nowhere lower.
func TestGrownCuttersEnclose(t *testing.T) {
	const grow = 0.25
	for _, text := range []string{"flat:10", "ball:10", "bull:10:2", "cone:10:90"} {
		c, err := parseCutter(text)
		if err != nil {
			t.Fatal(err)
		}
		var tools [3]func(float64) float64
		for i, g := range []float64{-grow, 0, grow} {
			p, err := c.profile(g)
			if err == nil {
				err = p.Check()
			}
			if err != nil {
				t.Fatalf("%s grown by %g: %v", text, g, err)
			}
			tools[i] = p.Underside().At
		}
		for r := 0.0; r <= 5; r += 1.0 / 64 {
			thin, own, thick := tools[0](r), tools[1](r), tools[2](r)
			if thin < own-1e-12 || thick > own+1e-12 || math.Abs(tools[2](r+grow)-own) > 1e-9 {
				t.Errorf("%s at %g mm: %g, %g and %g mm", text, r, thin, own, thick)
			}
		}
	}
}

func TestGridOverCoversTheMesh(t *testing.T) {
	m := &mesh.Mesh{Points: []geom.Vec3{{X: -3, Y: 2}, {X: 7, Y: 4, Z: 1}}}
	g := gridOver(m, 11)
	if g.Step != 1 || g.X != -3 || g.Y != -2 || g.Len() != 121 {
		t.Errorf("grid %+v", g)
	}
}

func TestTipDeviation(t *testing.T) {
	none := math.Inf(-1)
	z, want := []float64{1, 2, 3, none, 5}, []float64{1, 2.5, 2, none, none}
	d := tipDeviationOf(z, want, nil, []float64{1, 3, 2.5, none, none}, 0.1)
	if d.below != 0.5 || d.above != 1 || d.median != 0.5 || d.outside != 3 {
		t.Errorf("without a lower bound: %+v", d)
	}
	d = tipDeviationOf(z, want, []float64{1, 2, 1.5, none, none}, []float64{1, 3, 2.5, none, none}, 0.1)
	if d.outside != 0 {
		t.Errorf("with both bounds: %+v", d)
	}
}
