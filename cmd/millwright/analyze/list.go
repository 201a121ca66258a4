package analyze

// The features in a machinist's order: setup by setup, equal ones in one line, the largest first; then the material
// that no feature removes, and changes to the design.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"millwright.dev/millwright/adapters/export/featurecolor"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
)

// line is features that are made in one setup and equal.
type line struct {
	features []int // of the result, ascending
	area     float64
	pattern  string
}

// writeFeatures lists the features with the facts that matter most, and what is beside them.
func writeFeatures(b *strings.Builder, a *Result) {
	at := map[string]int{}
	for i := range a.Features {
		at[a.Features[i].FeatureTag] = i
	}
	sheets := sheetsOf(a)
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, s := range a.Setups {
		heading := fmt.Sprintf("    setup %d from %s", s.Index, direction(s.Direction))
		if len(s.FeatureTags) == 0 {
			heading += ", for what no other sees of curved and hidden faces"
		}
		fmt.Fprintln(table, heading)
		if len(s.FeatureTags) > 0 {
			fmt.Fprintf(table, "    \t#\ttag\tkind\t\tfacts\n")
		}
		for _, l := range linesOf(a, s.FeatureTags, at) {
			writeLine(table, a, &l, sheets)
		}
	}
	_ = table.Flush() // writes to memory
	for _, u := range a.Unmachined {
		fmt.Fprintf(b, "    not made: %s mm2 of faces %s, %s: %s\n", number(u.Area), some(u.RegionIdxs), u.Reason,
			u.Detail)
	}
	writeFindings(b, a)
	if a.Files[pipeline.FeatureGLB] != "" {
		var legend []string
		for _, k := range featurecolor.Kinds {
			legend = append(legend, string(k.Type)+" "+k.Name)
		}
		fmt.Fprintf(b, "    colours: %s, no feature grey\n", strings.Join(legend, ", "))
	}
}

// linesOf groups equal features with these tags into lines, largest first.
func linesOf(a *Result, tags []string, at map[string]int) []line {
	groupOf := map[string]int{} // 1 + the group
	for g := range a.FeatureGroups {
		for _, tag := range a.FeatureGroups[g].FeatureTags {
			groupOf[tag] = g + 1
		}
	}
	var out []line
	place := map[int]int{} // lines by group
	for _, tag := range tags {
		i, g := at[tag], groupOf[tag]
		if k, ok := place[g]; ok && g > 0 {
			out[k].features = append(out[k].features, i)
			continue
		}
		l := line{features: []int{i}}
		for _, r := range a.Features[i].RegionIdxs {
			l.area += a.Regions[r].Area
		}
		if place[g] = len(out); g > 0 {
			l.pattern = string(a.FeatureGroups[g-1].Pattern)
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b line) int { return cmp.Compare(b.area, a.area) })
	return out
}

// numbersOf returns the numbers of features by their tags.
func numbersOf(a *Result, tags []string) []int {
	var out []int
	for i := range a.Features {
		if slices.Contains(tags, a.Features[i].FeatureTag) {
			out = append(out, i+1)
		}
	}
	return out
}

func writeLine(table *tabwriter.Writer, a *Result, l *line, sheets map[string]*feature.Datasheet) {
	f := &a.Features[l.features[0]]
	count := ""
	if n := len(l.features); n > 1 {
		count = fmt.Sprintf("%d ×", n)
	}
	numbers := make([]int, len(l.features))
	for k, i := range l.features {
		numbers[k] = i + 1
	}
	facts := KeyFacts(sheets[f.FeatureTag])
	if l.pattern != "" {
		facts += ", " + l.pattern
	}
	if others := numbersOf(a, f.AlternativeOf); len(others) > 0 {
		facts += ", or " + some(others)
	}
	fmt.Fprintf(table, "    \t%s\t%s\t%s\t%s\t%s\n", some(numbers), f.FeatureTag, f.FeatureType, count, facts)
}
