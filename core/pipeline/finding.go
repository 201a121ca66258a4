package pipeline

import (
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/dfm"
)

// Findings returns the properties of the design that make the part expensive or impossible to machine. sheets are the
// datasheets by feature tag, nil or absent for features without one. Feature indices in findings refer to the analysis.
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
