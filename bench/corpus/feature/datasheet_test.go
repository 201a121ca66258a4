package feature_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

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
		fits = fits && k.Width <= k.Length*slack && k.NarrowestWidth <= gap(k.Length, k.Width, k.IsOpen || k.IsThrough)*slack &&
			k.Volume > 0
	case *feature.FaceFacts:
		fits = fits && k.Area > 0 && k.Width <= k.Length*slack &&
			k.NarrowestWidth <= gap(k.Length, k.Width, k.OpenFraction > 0)*slack
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

// gap returns the largest gap that walls within a rectangle can have. A wall on all sides limits it to the width. If a
// side is open, as between through pockets, only two walls may face each other, along the rectangle or oblique to it.
func gap(length, width float64, isOpen bool) float64 {
	if isOpen {
		return math.Hypot(length, width)
	}
	return width
}
