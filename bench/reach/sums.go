package reach

import (
	"fmt"
	"io"
	"slices"
)

// Count counts the rows of an outcome.
func Count(rows []Row, o Outcome) (n int) {
	for i := range rows {
		if rows[i].Outcome == o {
			n++
		}
	}
	return n
}

// PrintSums prints the outcomes by reason as cells of a table, and the reachable share of the material reported as
// unreachable.
func PrintSums(w io.Writer, rows []Row) {
	outcomes := []Outcome{True, Open, Contradicted, Apart, Gone, Mixed}
	fmt.Fprint(w, "\nreason")
	for _, o := range outcomes {
		fmt.Fprintf(w, "\t%s", o)
	}
	fmt.Fprintln(w)
	var reasons []string
	for i := range rows {
		if !slices.Contains(reasons, rows[i].Reason) {
			reasons = append(reasons, rows[i].Reason)
		}
	}
	slices.Sort(reasons)
	line := func(name string, of []Row) {
		fmt.Fprint(w, name)
		for _, o := range outcomes {
			fmt.Fprintf(w, "\t%d", Count(of, o))
		}
		fmt.Fprintln(w)
	}
	for _, reason := range reasons {
		line(reason, slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Reason != reason }))
	}
	line("all", rows)
	said, lower, upper := 0.0, 0.0, 0.0
	for i := range rows {
		if r := &rows[i]; r.Outcome != Apart && r.Outcome != Mixed {
			said, lower, upper = said+r.Left, lower+r.Lower*r.Left, upper+r.Upper*r.Left
		}
	}
	if said > 0 {
		fmt.Fprintf(w, "\nsaid to be unreachable: %.1f mm³; reached: %.1f to %.1f mm³ (%.2f%% to %.2f%%)\n", said, lower, upper,
			100*lower/said, 100*upper/said)
	}
}
