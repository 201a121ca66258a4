package datasheet_test

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"millwright/bench/corpus"
	"millwright/core/feature"
	"millwright/core/geom"
)

// Whatever a file holds, its features are measured in time, and what was measured agrees in itself.
func TestRealPartsAreMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("measures some 100 parts")
	}
	const most = 20 * time.Second // a hundred times what the slowest part takes on one core
	parts := 0
	for _, pattern := range []string{
		"pairs/sldprt_step_ps2/*.STEP", "labelled/mfcad_vlm/Test_Cases_STEP_Files/*", "step/nist_ap203/*.stp",
		"labelled/mftrcad_sample/steps/*.step",
	} {
		files, err := filepath.Glob(filepath.Join(corpus.Dir(t), pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		for _, path := range files {
			start := time.Now()
			s := read(t, path)
			if d := time.Since(start); d > most {
				t.Errorf("%s took %v", filepath.Base(path), d)
			}
			for i := range s.all {
				checkSheet(t, filepath.Base(path), &s.run.Features[i], &s.all[i])
			}
			parts++
		}
	}
	if parts < 95 {
		t.Errorf("only %d parts", parts)
	}
}

// checkSheet holds a datasheet against its feature and itself.
func checkSheet(t *testing.T, name string, f *feature.Feature, d *feature.Datasheet) {
	t.Helper()
	if d.Facts == nil || d.FeatureType != f.Type {
		t.Errorf("%s: %s %s has facts %v of a %s", name, f.Type, f.Tag, d.Facts, d.FeatureType)
		return
	}
	fits := d.ZMin <= d.ZMax && d.ExtendedZMin <= d.ZMin && d.ZMax <= d.ExtendedZMax &&
		d.FloorishArea >= -geom.Resolution && d.WallishArea >= -geom.Resolution
	const slack = 1 + 1e-6
	switch k := d.Facts.(type) {
	case *feature.HoleFacts:
		fits = fits && k.Diameter > 0 && k.Depth > 0 && len(k.Segments) > 0
	case *feature.PocketFacts:
		fits = fits && k.Width <= k.Length*slack && k.NarrowestWidth <= k.Width*slack && k.Volume >= 0
	case *feature.FaceFacts:
		fits = fits && k.Area > 0 && k.Width <= k.Length*slack && k.NarrowestWidth <= k.Width*slack
	case *feature.BossFacts:
		fits = fits && k.Height > 0 && k.Width <= k.Length*slack
	case *feature.TslotFacts:
		fits = fits && k.NeckWidth < k.SlotWidth && k.SlotHeight > 0 && k.NeckDepth >= 0
	case *feature.DovetailFacts:
		fits = fits && k.NeckWidth < k.FloorWidth && k.AngleDeg < 90
	}
	if !fits || math.IsNaN(d.ZMin+d.ZMax+d.ExtendedZMin+d.ExtendedZMax+d.FloorishArea+d.WallishArea) {
		t.Errorf("%s: %s %s has the datasheet %+v with %+v", name, f.Type, f.Tag, *d, d.Facts)
	}
}
