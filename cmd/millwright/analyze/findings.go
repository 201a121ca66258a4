package analyze

import (
	"fmt"
	"strings"
)

// Finding is something to be changed in the design of a part.
type Finding struct {
	Kind        string   `json:"kind"`
	Severity    string   `json:"severity"`
	FeatureTags []string `json:"featureTags"`
	RegionIdxs  []int    `json:"regionIdxs"`
	Value       float64  `json:"value"`
	Limit       float64  `json:"limit"`
	Sentence    string   `json:"sentence"`
	Remedy      string   `json:"remedy"`
}

// findings returns the findings of a part whose features were measured.
func findings(a *Result) []Finding {
	var out []Finding
	for _, f := range a.Analysis.Findings(sheetsOf(a)) {
		one := Finding{
			Kind: string(f.Kind), Severity: string(f.Severity), FeatureTags: []string{}, RegionIdxs: f.Regions,
			Value: f.Value, Limit: f.Limit, Sentence: f.Sentence, Remedy: f.Remedy,
		}
		for _, i := range f.Features {
			one.FeatureTags = append(one.FeatureTags, a.Features[i].FeatureTag)
		}
		out = append(out, one)
	}
	return out
}

// writeFindings lists the findings with the numbers of their features.
func writeFindings(b *strings.Builder, a *Result) {
	numbers := map[string]int{}
	for i := range a.Features {
		numbers[a.Features[i].FeatureTag] = i + 1
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		var at []int
		for _, tag := range f.FeatureTags {
			at = append(at, numbers[tag])
		}
		where := "features " + some(at)
		if len(at) == 0 {
			where = "faces " + some(f.RegionIdxs)
		}
		fmt.Fprintf(b, "    %s: %s Figure %s, limit %s; %s. %s\n",
			f.Severity, f.Sentence, number(f.Value), number(f.Limit), where, f.Remedy)
	}
}
