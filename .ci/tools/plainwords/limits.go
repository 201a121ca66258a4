package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// check is a column of the table of limits.
type check int

const (
	phrases      check = iota // phrases per 1,000 comment lines
	longComments              // wide lines with a comment
	longCode                  // other wide lines
	unnamed                   // exported names without a comment
	checks
)

var units = [checks]string{
	"phrases per 1,000 comment lines", "comment lines wider than 120 columns", "code lines wider than 120 columns",
	"exported names without a comment",
}

// limit is a row of the table. It applies to a folder and to the folders below it without a row.
type limit struct {
	folder string
	most   [checks]float64 // -1: not checked
}

// readLimits reads a table with a row per folder: its path, then a number or "-" for each check. The row "." is for all
// folders without another.
func readLimits(name string) ([]limit, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var rows []limit
	hasRoot := false
	for i, l := range strings.Split(string(text), "\n") {
		fields := strings.Fields(l)
		if len(fields) == 0 || strings.HasPrefix(l, "#") {
			continue
		}
		bad := fmt.Errorf("%s:%d: want a folder and %d limits, got %q", name, i+1, checks, l)
		if len(fields) != 1+int(checks) {
			return nil, bad
		}
		row := limit{folder: fields[0]}
		if _, err := os.Stat(row.folder); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		for c, f := range fields[1:] {
			if row.most[c], err = strconv.ParseFloat(f, 64); f == "-" {
				row.most[c] = -1
			} else if err != nil || row.most[c] < 0 {
				return nil, bad
			}
		}
		hasRoot = hasRoot || row.folder == "."
		rows = append(rows, row)
	}
	if !hasRoot {
		return nil, fmt.Errorf("%s: no row for the folder \".\"", name)
	}
	return rows, nil
}

// rowOf returns the index of the most specific row for a file.
func rowOf(rows []limit, file string) int {
	best, file := -1, filepath.ToSlash(file)
	for i, r := range rows {
		if (r.folder == "." || strings.HasPrefix(file, r.folder+"/")) &&
			(best < 0 || rows[best].folder == "." || len(r.folder) > len(rows[best].folder)) {
			best = i
		}
	}
	return best
}

// tally has the findings of the checks in the files of a row.
type tally struct {
	lines int // of comments
	found [checks][]string
}

// figure returns the number to compare with the limit of a check.
func (t *tally) figure(c check) float64 {
	n := float64(len(t.found[c]))
	if c == phrases && t.lines > 0 {
		n *= 1000 / float64(t.lines)
	}
	return n
}

// ratchet checks files against the table of limits. It prints what was found where a limit is exceeded, or with sum the
// table with the figures of today, and reports whether all limits hold.
func ratchet(table string, files []string, sum bool) (bool, error) {
	rows, err := readLimits(table)
	if err != nil {
		return false, err
	}
	tallies := make([]tally, len(rows))
	compiled := compile(rules)
	for _, name := range files {
		row := rowOf(rows, name)
		if err := tallies[row].add(name, compiled, rows[row].most[unnamed] >= 0); err != nil {
			return false, err
		}
	}
	holds := true
	for i, row := range rows {
		t := &tallies[i]
		if sum {
			fmt.Printf("%-24s", row.folder)
		}
		for c := range checks {
			figure := t.figure(c)
			switch {
			case sum && row.most[c] < 0:
				fmt.Printf(" %7s", "-")
			case sum:
				fmt.Printf(" %7.5g", figure)
			case row.most[c] >= 0 && figure > row.most[c]:
				fmt.Println(strings.Join(t.found[c], "\n"))
				fmt.Printf("%s: %.5g %s; %s allows %g\n", row.folder, figure, units[c], table, row.most[c])
				holds = false
			}
		}
		if sum {
			fmt.Println()
		}
	}
	return holds, nil
}

// add checks a Go or shader file.
func (t *tally) add(name string, rules []matcher, names bool) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s := parse(name, text)
	if s.generated {
		return nil
	}
	for _, b := range s.prose() {
		t.lines += len(b)
		for _, h := range b.hits(rules) {
			t.found[phrases] = append(t.found[phrases], h.String())
		}
	}
	comments, code := s.long()
	t.found[longComments] = append(t.found[longComments], comments...)
	t.found[longCode] = append(t.found[longCode], code...)
	if names && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
		missing, err := undocumented(name, text)
		if err != nil {
			return err
		}
		t.found[unnamed] = append(t.found[unnamed], missing...)
	}
	return nil
}
