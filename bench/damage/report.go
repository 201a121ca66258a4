package damage

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Report counts the results of cases.
type Report struct {
	Cases  int                      `json:"cases"`
	ByKind map[string]map[Class]int `json:"byKind"`
	Peak   int64                    `json:"peakBytes"` // of all cases
	// Outside counts the cases with one broken record outside faces, edges and their references.
	Outside map[Class]int `json:"outside"`
}

// Add counts a case.
func (r *Report) Add(c Result) {
	if r.ByKind == nil {
		r.ByKind, r.Outside = map[string]map[Class]int{}, map[Class]int{}
	}
	if r.ByKind[c.Kind] == nil {
		r.ByKind[c.Kind] = map[Class]int{}
	}
	r.ByKind[c.Kind][c.Class]++
	if c.Outside {
		r.Outside[c.Class]++
	}
	r.Cases++
	r.Peak = max(r.Peak, c.Bytes)
}

// Faults counts the cases that no file may come to.
func (r *Report) Faults() (n int) {
	for _, of := range r.ByKind {
		for class, count := range of {
			if class.IsFault() {
				n += count
			}
		}
	}
	return n
}

// Print writes a row for each kind of damage, and one for all.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, cells func(Class) string, all int) {
		_, _ = fmt.Fprintf(t, "%s\t%d\t", name, all) // Flush tells
		for _, c := range Classes {
			_, _ = fmt.Fprintf(t, "%s\t", cells(c))
		}
		_, _ = fmt.Fprintln(t)
	}
	_, _ = fmt.Fprint(t, "damage\tcases\t")
	for _, c := range Classes {
		_, _ = fmt.Fprintf(t, "%s\t", c)
	}
	_, _ = fmt.Fprintln(t)
	total := map[Class]int{}
	for _, k := range kinds {
		of, all := r.ByKind[k.name], 0
		for c, n := range of {
			total[c] += n
			all += n
		}
		if all > 0 {
			line(k.name, func(c Class) string { return fmt.Sprint(of[c]) }, all)
		}
	}
	line("all", func(c Class) string { return fmt.Sprint(total[c]) }, r.Cases)
	line("%", func(c Class) string {
		return fmt.Sprintf("%.1f", 100*float64(total[c])/float64(max(r.Cases, 1)))
	}, r.Cases)
	if err := t.Flush(); err != nil {
		return err
	}
	judged := -r.Outside[Unjudged]
	for _, count := range r.Outside {
		judged += count
	}
	warned := r.Outside[RightWarned]
	delivered := r.Outside[Right] + warned
	_, err := fmt.Fprintf(w, "one record outside faces, edges and their references: %d of %d deliver the part "+
		"(%.1f %%), %d of them with a warning; %d a reduced part, with a warning\n", delivered, judged,
		100*float64(delivered)/float64(max(judged, 1)), warned, r.Outside[Warned])
	return err
}
