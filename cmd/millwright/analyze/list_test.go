package analyze

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// TestFeaturesAreListedAsAMachinistReads: setup by setup, equal ones in one line, the largest first.
func TestFeaturesAreListedAsAMachinistReads(t *testing.T) {
	hole := feature.HoleFacts{Diameter: 5, Depth: 30, SweepDeg: 360, IsThrough: true}
	a := &Result{DatasheetSet: &pipeline.DatasheetSet{Sheets: []pipeline.FeatureSheet{
		{FeatureTag: "b", Datasheet: &feature.Datasheet{Facts: &hole}},
	}}}
	for i, area := range []float64{10, 20, 20, 90, 5} {
		a.Regions = append(a.Regions, pipeline.Region{Idx: i, Area: area})
		a.Features = append(a.Features, pipeline.PartFeature{
			FeatureTag: string(rune('a' + i)), FeatureType: "Hole", RegionIdxs: []int{i},
			MachiningDirection: geom.Vec3{Z: 1},
		})
	}
	a.PartSummary = pipeline.PartSummary{
		Setups: []pipeline.Setup{
			{Index: 1, Direction: geom.Vec3{Z: 1}, FeatureTags: []string{"a", "b", "c", "d"}},
			{Index: 2, Direction: geom.Vec3{X: -1}, FeatureTags: []string{"e"}},
			{Index: 3, Direction: geom.Vec3{X: 1}},
		},
		FeatureGroups: []pipeline.FeatureGroup{{FeatureTags: []string{"b", "c"}, Pattern: "linear"}},
		Unmachined:    []pipeline.Unmachined{{RegionIdxs: []int{4}, Area: 2.5, Reason: "undercut", Detail: "It leans."}},
	}
	a.Findings = findings(a)
	var b strings.Builder
	writeFeatures(&b, a)
	want := `    setup 1 from +z
      #    tag  kind       facts
      4    d    Hole       not measured
      2 3  b    Hole  2 ×  diameter 5, 30 deep, through, linear
      1    a    Hole       not measured
    setup 2 from -x
      #  tag  kind    facts
      5  e    Hole    not measured
    setup 3 from +x, for what no other sees of curved and hidden faces
    not made: 2.5 mm2 of faces 4, undercut: It leans.
    problem: It leans. Figure 2.5, limit 0; faces 4. Give access to the face, or split the part in two.
    advice: The hole of ⌀5 is 30 mm deep. Figure 6, limit 4; features 2. Make the hole wider or less deep, or drill it from both ends.
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
