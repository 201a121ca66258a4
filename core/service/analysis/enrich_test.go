package analysis_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/geom"
	"millwright/core/service"
)

// plate is 40 x 20 x 5 with a through hole of 6 in its middle.
func plate() *brep.Model {
	return build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)})
}

func analyse(t *testing.T, options service.KernelOptions) *service.Analysis {
	t.Helper()
	req := request(t)
	req.Options = options
	a, err := pipeline(given{model: plate()}).Analyze(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestDetailsOfEveryFeature(t *testing.T) {
	a := analyse(t, service.KernelOptions{Details: true})
	if len(a.Datasheets) != len(a.Features) || len(a.Features) == 0 {
		t.Fatalf("%d datasheets of %d features", len(a.Datasheets), len(a.Features))
	}
	for i, sheet := range a.Datasheets {
		f := a.Features[i]
		if sheet.FeatureTag != f.FeatureTag || string(sheet.Datasheet.FeatureType) != f.FeatureType {
			t.Errorf("datasheet %d is of the %s %s, want of the %s %s", i, sheet.Datasheet.FeatureType,
				sheet.FeatureTag, f.FeatureType, f.FeatureTag)
		}
		if hole, ok := sheet.Datasheet.Facts.(*feature.HoleFacts); ok && math.Abs(hole.Diameter-6) > 1e-9 {
			t.Errorf("the hole has diameter %g, want 6", hole.Diameter)
		}
	}
	if len(a.DirectionZBounds) != len(a.CandidateDirections) || len(a.DirectionZBounds) < 2 {
		t.Fatalf("%d bounds of %d directions", len(a.DirectionZBounds), len(a.CandidateDirections))
	}
	for i, b := range a.DirectionZBounds {
		d := a.CandidateDirections[i]
		lo := min(0, 40*d.X) + min(0, 20*d.Y) + min(0, 5*d.Z)
		hi := max(0, 40*d.X) + max(0, 20*d.Y) + max(0, 5*d.Z)
		if b.Direction != a.CandidateDirections[i] || math.Abs(b.ZMin-lo) > 1e-9 || math.Abs(b.ZMax-hi) > 1e-9 {
			t.Errorf("along %v the part reaches from %g to %g, want %g to %g", d, b.ZMin, b.ZMax, lo, hi)
		}
	}
}

func TestDetailsOfSomeFeatures(t *testing.T) {
	all := analyse(t, service.KernelOptions{Details: true})
	i := slices.IndexFunc(all.Features, func(f service.PartFeature) bool { return f.FeatureType == "Hole" })
	tag := all.Features[i].FeatureTag
	some := analyse(t, service.KernelOptions{Details: true, FeatureTags: []string{"unknown", tag}})
	if len(some.Datasheets) != 1 || some.Datasheets[0].FeatureTag != tag ||
		len(some.Features) != len(all.Features) {
		t.Errorf("%d datasheets of %d features, want that of %s", len(some.Datasheets), len(some.Features), tag)
	}
}

func TestNoDetailsUnlessAsked(t *testing.T) {
	a := analyse(t, service.KernelOptions{FeatureTags: []string{"ignored"}})
	if a.Datasheets != nil || a.DirectionZBounds != nil || a.FeatureGLBFile != "" || a.FeaturePictureFile != "" {
		t.Errorf("datasheets %v, bounds %v, files %q %q; want none", a.Datasheets, a.DirectionZBounds,
			a.FeatureGLBFile, a.FeaturePictureFile)
	}
	if a.Unmachined == nil || a.Setups == nil {
		t.Errorf("unmachined %v, setups %v; want lists", a.Unmachined, a.Setups)
	}
}

func TestPicturesOfFeatures(t *testing.T) {
	a := analyse(t, service.KernelOptions{Pictures: true})
	for path, want := range map[string]string{
		a.FeatureGLBFile: "feature glb block 1", a.FeaturePictureFile: "feature png block 1",
	} {
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want || !strings.Contains(path, "block 1.features.") {
			t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
		}
	}
}
