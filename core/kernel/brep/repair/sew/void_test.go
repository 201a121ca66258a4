package sew

import (
	"context"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// withVoids builds one solid from the solids of models: the first shell, with the others as its voids.
func withVoids(inward bool, models ...*brep.Model) *brep.Model {
	out := &brep.Model{Tolerance: geom.DefaultTolerance}
	for i, m := range models {
		at := geom.Identity
		first := len(out.Faces)
		out.Append(m, at)
		if i > 0 && inward {
			out.Link()
			s := &sewer{m: out}
			for f := first; f < len(out.Faces); f++ {
				s.turnFace(brep.FaceID(f))
			}
		}
	}
	solid := out.Solids[0]
	solid.Shells = nil
	for i := range out.Shells {
		out.Shells[i].Solid, out.Shells[i].IsVoid = 0, i > 0
		solid.Shells = append(solid.Shells, brep.ShellID(i))
	}
	out.Solids = []brep.Solid{solid}
	out.Link()
	return out
}

// TestVoids checks that a void lies in its solid and outside every other void: other shells are solids.
func TestVoids(t *testing.T) {
	box := func(lo, size float64) *brep.Model {
		m := &brep.Model{Tolerance: geom.DefaultTolerance}
		m.Append(build.Box(geom.Vec3{X: size, Y: size, Z: size}), geom.Translation(geom.Vec3{X: lo, Y: lo, Z: lo}))
		return m
	}
	ball := build.Sphere(2, build.Style{Seams: build.Rings})
	for name, c := range map[string]struct {
		shells        []*brep.Model
		volume        float64
		solids, voids int
		isSound       bool
	}{
		"a void":                {[]*brep.Model{box(-5, 10), box(-1, 2)}, 992, 1, 1, true},
		"a spherical void":      {[]*brep.Model{box(-5, 10), ball}, 1000 - 32*math.Pi/3, 1, 1, true},
		"two voids":             {[]*brep.Model{box(-5, 10), box(-4, 2), box(1, 2)}, 984, 1, 2, true},
		"beside it":             {[]*brep.Model{box(-5, 10), box(10, 2)}, 1008, 2, 0, false},
		"one in it, one beside": {[]*brep.Model{box(-5, 10), box(-1, 2), box(10, 2)}, 1000, 2, 1, false},
		"inside out":            {[]*brep.Model{box(-1, 2), box(-5, 10)}, 992, 1, 1, false},
		"an island in a void":   {[]*brep.Model{box(-5, 10), box(-2, 4), box(-1, 2)}, 944, 2, 1, false},
		"around a corner of it": {[]*brep.Model{build.Blocks("", build.Add(geom.Vec3{}, geom.Vec3{X: 9, Y: 9, Z: 9}),
			build.Subtract(geom.Vec3{X: 1, Y: 1, Z: 1}, geom.Vec3{X: 9, Y: 9, Z: 9})), box(4, 2)}, 729 - 512 + 8,
			2, 0, false},
	} {
		for _, inward := range []bool{true, false} {
			m := withVoids(inward, c.shells...)
			r, err := Sew(context.Background(), m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := mass.Compute(context.Background(), m)
			voids := 0
			for i := range m.Shells {
				if m.Shells[i].IsVoid {
					voids++
				}
			}
			if err != nil || math.Abs(p.Volume-c.volume) > 1e-9*c.volume || len(m.Solids) != c.solids ||
				voids != c.voids {
				t.Errorf("%s (inward %v): volume %g, %d solids, %d voids, want %g, %d, %d; %v", name, inward, p.Volume,
					len(m.Solids), voids, c.volume, c.solids, c.voids, err)
			}
			if (r.MisplacedVoid == 0) != c.isSound || (len(m.Warnings) == 0) != c.isSound {
				t.Errorf("%s (inward %v): %d solids with false voids, %v", name, inward, r.MisplacedVoid, m.Warnings)
			}
			for _, problem := range brep.Check(m) {
				t.Errorf("%s (inward %v): %s", name, inward, problem.Message)
			}
		}
	}
}
