package pipeline

import (
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/dfm"
)

// Findings are what of the part's design makes it dear or impossible to machine, as far as its features were measured:
// datasheets are by the tags of their features, nil or absent for those that were not. Features of findings are places
// among those of the analysis.
func (a *Analysis) Findings(sheets map[string]*feature.Datasheet) []dfm.Finding {
	holes, at := map[string]*feature.HoleFacts{}, map[string]int{}
	for i := range a.Holes {
		h := &a.Holes[i]
		holes[h.FeatureTag] = &feature.HoleFacts{Diameter: h.Diameter, Depth: h.Depth}
	}
	in := dfm.Part{Features: make([]dfm.Feature, len(a.Features))}
	for i := range a.Features {
		f := &a.Features[i]
		at[f.FeatureTag] = i
		in.Features[i] = dfm.Feature{Regions: f.RegionIdxs, Hole: holes[f.FeatureTag], Sheet: sheets[f.FeatureTag]}
	}
	for _, u := range a.Unmachined {
		left := dfm.Unmachined{Feature: -1, Regions: u.RegionIdxs, Area: u.Area, Reason: u.Reason, Detail: u.Detail}
		if i, ok := at[u.FeatureTag]; ok {
			left.Feature = i
		}
		in.Left = append(in.Left, left)
	}
	return dfm.Check(&in)
}
