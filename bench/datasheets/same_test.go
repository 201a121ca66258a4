package datasheets_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/datasheets"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

func sheetsOf(t *testing.T, m *brep.Model) datasheets.Sheets {
	t.Helper()
	meshed, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(t.Context(), m, meshed.Mesh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(context.Background(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return datasheets.Sheets{Run: run, Sheets: sheets}
}

// A part that is turned, or mirrored and turned, keeps all its features and figures.
func TestMovedPartsAreTheSame(t *testing.T) {
	mirrored := geom.Identity
	mirrored.Y = mirrored.Y.Neg()
	tiltTolerance := geom.Rotation(geom.Vec3{X: 0.31, Y: -0.72, Z: 0.55}, 1.07)
	parts := map[string]*brep.Model{"random": pocketed(rand.New(rand.NewPCG(16, 5)))}
	for _, name := range []string{"pockets", "bosses", "chamfers", "lugs", "slotted_rod"} {
		parts[name], _ = featuretest.Part(t, name)
	}
	for name, m := range parts {
		first := sheetsOf(t, m)
		for how, move := range map[string]geom.Transform{"turned": tiltTolerance, "mirrored and turned": tiltTolerance.Mul(mirrored)} {
			again := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
			again.Append(m, move)
			again.Link()
			l := datasheets.Compare(first, sheetsOf(t, again), move)
			if l.Features == 0 || l.Found != l.Features || l.Equal != l.Figures {
				t.Errorf("%s, %s: %d of %d features, %d of %d figures\n%s", name, how, l.Found, l.Features,
					l.Equal, l.Figures, strings.Join(l.Notes, "\n"))
			}
		}
	}
}

// What is off is told: a figure, and a feature that is gone.
func TestDifferencesAreTold(t *testing.T) {
	m := pocketed(rand.New(rand.NewPCG(16, 6)))
	first, again := sheetsOf(t, m), sheetsOf(t, m)
	for i := range again.Sheets {
		if k, ok := again.Sheets[i].Facts.(*feature.PocketFacts); ok {
			k.NarrowestWidth += 2 * datasheets.SameLength
			break
		}
	}
	last := len(again.Sheets) - 1
	again.Sheets = again.Sheets[:last]
	l := datasheets.Compare(first, again, geom.Identity)
	if l.Features-l.Found != 1 || l.Figures-l.Equal != 1 || len(l.Notes) != 2 {
		t.Errorf("%d of %d features, %d of %d figures: %q", l.Found, l.Features, l.Equal, l.Figures, l.Notes)
	}
}
