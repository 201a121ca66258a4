package chaos

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// Print writes the faults and the outcome as a table.
func (r *Result) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name string, value any) { _, _ = fmt.Fprintf(t, "%s\t%v\n", name, value) } // Flush has the error
	line("stack", fmt.Sprintf("%s, %d workers, seed %d, %.0f s", r.Stack, r.Workers, r.Seed, r.Seconds))
	line("FAULT", "COUNT")
	for _, f := range r.Faults {
		line(f.Fault, f.Count)
	}
	a := &r.Audit
	line("OUTCOME", "JOBS")
	line("accepted by the API", a.Accepted)
	line("in the store", a.Jobs)
	line("succeeded with one whole result", a.Succeeded)
	for _, code := range slices.Sorted(maps.Keys(a.Failed)) {
		line("failed with a reason: "+code, a.Failed[code])
	}
	for _, end := range slices.Sorted(maps.Keys(a.Programs)) {
		line("programs: "+end, a.Programs[end])
	}
	line("g-code of setups, as it was proved", a.Gcode)
	line("took more than one attempt", a.Repeated)
	line("requests that clients sent again", a.Retries)
	line("lost", a.Lost)
	line("stuck", a.Stuck)
	line("duplicate results", a.Duplicate)
	line("broken", a.Broken)
	line("objects of no part", a.Orphans)
	line("leftovers", a.Leftovers)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, e := range a.Examples {
		if _, err := fmt.Fprintln(w, " ", e); err != nil {
			return err
		}
	}
	return nil
}
