package recognition

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

// Report is the result on a set: a FaceReport, a CountReport or a GeneratedReport.
type Report interface {
	Print(w io.Writer, details bool)
}

// Names of the sets of our own parts, which lie in no corpus: features beside each other, features that cut each
// other, and bent sheet.
const (
	Generated   = "generated"
	Interacting = "interacting"
	Sheet       = "sheet"
)

// Sets are the names of the public sets, in the order in which they are run.
var Sets = []string{"mfcad", "mftrcad", "vlm"}

// folders are the sets' folders in a corpus.
var folders = map[string]string{"mfcad": "mfcad_sample", "mftrcad": "mftrcad_sample", "vlm": "mfcad_vlm"}

// Folder returns the folder of a set below a corpus folder.
func Folder(corpus, set string) string { return filepath.Join(corpus, "labelled", folders[set]) }

// Run recognizes the parts of a set that lies in dir and compares with its truth.
func Run(ctx context.Context, set, dir string) (Report, error) {
	switch set {
	case "vlm":
		return runCounts(ctx, dir)
	case Generated, Interacting:
		return runGenerated(ctx, set, dir)
	case Sheet:
		return RunMachinist(ctx, MachinistParts{Set: set, Labels: dir})
	}
	for i := range faceSets {
		if s := &faceSets[i]; s.name == set {
			return s.run(ctx, dir)
		}
	}
	return nil, fmt.Errorf("no set is called %q", set)
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func percent(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }

func printTimes(w io.Writer, t Times, parts int) {
	n := float64(max(parts, 1))
	_, _ = fmt.Fprintf(w, "time per part: read %.1f ms, mesh %.1f ms, recognise %.1f ms", t.Read/n, t.Mesh/n,
		t.Recognize/n)
	if t.Measure > 0 {
		_, _ = fmt.Fprintf(w, ", measure %.1f ms", t.Measure/n)
	}
	_, _ = fmt.Fprintln(w)
}

func printLines(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	_, _ = fmt.Fprintf(w, "%s:\n", title)
	for _, l := range lines {
		_, _ = fmt.Fprintf(w, "  %s\n", l)
	}
}

// Print writes the report as text; details list each wrong face and feature.
func (r *FaceReport) Print(w io.Writer, details bool) {
	_, _ = fmt.Fprintf(w, "%s: %d parts, %d faces, right per face %s\n", r.Set, r.Parts, r.Faces.Of,
		percent(r.Faces.Share()))
	if m := r.Instances; m != nil {
		_, _ = fmt.Fprintf(w, "features with exact faces and kind: F1 %s (%d found, %d missed, %d extra)\n",
			percent(m.F1()), m.Both, m.Missed, m.Extra)
	}
	printTimes(w, r.Times, r.Parts)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(t, "class\tright")
	for _, k := range r.Columns {
		_, _ = fmt.Fprintf(t, "\t%s", kindName(k))
	}
	_, _ = fmt.Fprintln(t)
	for i, row := range r.Confusion {
		var right Tally
		for j, n := range row {
			right.Of += n
			if r.set.classes[i].accepts(r.Columns[j]) {
				right.Right += n
			}
		}
		if right.Of == 0 {
			continue
		}
		_, _ = fmt.Fprintf(t, "%s\t%s", r.Classes[i], percent(right.Share()))
		for _, n := range row {
			_, _ = fmt.Fprintf(t, "\t%d", n)
		}
		_, _ = fmt.Fprintln(t)
	}
	_ = t.Flush()
	_, _ = fmt.Fprintf(w, "by number of interacting features (%s):\n", r.set.interactionText)
	for _, n := range sortedKeys(r.Interaction) {
		at := r.Interaction[n]
		_, _ = fmt.Fprintf(w, "  %d: %d parts, right per face %s", n, at.Parts, percent(at.Faces.Share()))
		if r.Instances != nil {
			_, _ = fmt.Fprintf(w, ", feature F1 %s", percent(at.Instances.F1()))
		}
		_, _ = fmt.Fprintln(w)
	}
	if r.Scores != nil {
		r.Scores.print(w)
	}
	printLines(w, "not read", r.Unread)
	if details {
		printLines(w, "wrong", r.Wrong)
	}
}

// Print writes the report as text. Misses are always listed: each has to be explained.
func (r *CountReport) Print(w io.Writer, _ bool) {
	_, _ = fmt.Fprintf(w, "%s: %d parts, counts that people list right: %s (%d of %d), "+
		"with those they leave out %s\n", r.Set, r.Parts, percent(r.Named.Share()), r.Named.Right,
		r.Named.Of, percent(r.All.Share()))
	for _, g := range sortedKeys(r.Groups) {
		t := r.Groups[g]
		_, _ = fmt.Fprintf(w, "  %s: %d of %d\n", g, t.Right, t.Of)
	}
	printTimes(w, r.Times, r.Parts)
	printLines(w, "not read", r.Unread)
	printLines(w, "misses", r.Misses)
}

// Print writes the report as text; details list each wrong feature and fact.
func (r *GeneratedReport) Print(w io.Writer, details bool) {
	m, facts := r.Instances, r.AllFacts
	_, _ = fmt.Fprintf(w, "%s: %d parts, features with exact faces and kind: F1 %s "+
		"(%d found, %d missed, %d extra), faces right %s, facts right %s (%d of %d)\n", r.Set, r.Parts,
		percent(m.F1()), m.Both, m.Missed, m.Extra, percent(r.Faces.Share()), percent(facts.Share()), facts.Right,
		facts.Of)
	printTimes(w, r.Times, r.Parts)
	r.printConfusion(w)
	r.print(w)
	for _, f := range sortedKeys(r.Families) {
		_, _ = fmt.Fprintf(w, "family %s: F1 %s\n", f, percent(r.Families[f].F1()))
	}
	_, _ = fmt.Fprintln(w, "by number of interacting features:")
	for _, n := range sortedKeys(r.Interaction) {
		i := r.Interaction[n]
		_, _ = fmt.Fprintf(w, "  %d: %d parts, F1 %s\n", n, i.Parts, percent(i.Instances.F1()))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "fact\tright\twrong\tworst")
	for _, name := range sortedKeys(r.Facts) {
		f := r.Facts[name]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d", name, f.Right, f.Of-f.Right)
		if f.Right < f.Of {
			_, _ = fmt.Fprintf(t, "\t%.3g\t%s", f.Worst, f.Example)
		}
		_, _ = fmt.Fprintln(t)
	}
	_ = t.Flush()
	printLines(w, "not read", r.Unread)
	if details {
		printLines(w, "wrong", r.Lines)
		printLines(w, "wrong facts", r.WrongFacts)
	}
}

// printConfusion prints the faces of each kind by their recognized kinds.
func (r *GeneratedReport) printConfusion(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(t, "faces of")
	for _, k := range columns {
		_, _ = fmt.Fprintf(t, "\t%s", kindName(k))
	}
	_, _ = fmt.Fprintln(t)
	for _, want := range sortedKeys(r.Confusion) {
		_, _ = fmt.Fprint(t, want)
		for _, k := range columns {
			_, _ = fmt.Fprintf(t, "\t%d", r.Confusion[want][k])
		}
		_, _ = fmt.Fprintln(t)
	}
	_ = t.Flush()
}
