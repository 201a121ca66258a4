package sew

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// parts are exact solids in all the forms in which systems write seams and poles.
func parts(t testing.TB) map[string]*brep.Model {
	t.Helper()
	models, err := build.Forms()
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// tester is the common part of rapid.T and testing.TB.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

func properties(t tester, m *brep.Model) *mass.Properties {
	t.Helper()
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func volume(t tester, m *brep.Model) float64 {
	t.Helper()
	p := properties(t, m)
	for i, s := range p.Solids {
		if len(s.InsideOut) > 0 {
			t.Errorf("solid %d is inside out", i)
		}
	}
	return p.Volume
}

// mustSew sews m and checks the invariants of every sewn model.
func mustSew(t tester, m *brep.Model, opts Options) Report {
	t.Helper()
	r, err := Sew(context.Background(), m, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
	return r
}

func TestExplodedSolidsAreSewn(t *testing.T) {
	for name, sound := range parts(t) {
		for _, loose := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " loose seams ", loose), func(t *testing.T) {
				m := build.Exploded(sound, loose, nil)
				r := mustSew(t, m, Options{})
				if r.FreeAfter != 0 || len(m.Solids) != 1 || len(m.Faces) != len(sound.Faces) {
					t.Fatalf("%d solids, %d faces: %+v", len(m.Solids), len(m.Faces), r)
				}
				if got, want := brep.EulerOf(m, 0), brep.EulerOf(sound, 0); got != want {
					t.Errorf("cells %+v, want %+v", got, want)
				}
				if got, want := volume(t, m), volume(t, sound); math.Abs(got-want) > 1e-9*want {
					t.Errorf("volume %.12g, want %.12g", got, want)
				}
			})
		}
	}
}

// TestOneVertex sews a torus with one vertex and a seam that is used twice in one direction: there is no size to derive
// a tolerance from.
func TestOneVertex(t *testing.T) {
	m := build.Torus(5, 2, build.TorusSeams)
	c := m.Edges[0].Coedges[0]
	m.Coedges[c].Reversed = !m.Coedges[c].Reversed
	if _, err := Sew(context.Background(), m, Options{}); err != nil || len(m.Faces) != 1 {
		t.Errorf("%d faces, %v", len(m.Faces), err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := build.Exploded(build.Box(geom.Vec3{X: 1, Y: 1, Z: 1}), false, nil)
	if _, err := Sew(ctx, m, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
