package main

import (
	"os"
	"testing"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRatchetHoldsEachFolderToItsRow(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"old", "old/new", "plain"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const bad = "// Package x is none.\npackage x\n\nfunc F() {}\n"
	write(t, "old/x.go", bad)
	write(t, "plain/x.go", "// Package x is plain.\npackage x\n")
	for _, c := range []struct {
		name, table string
		holds       bool
	}{
		{"a row as high as the figures", ". 0 0 0 0\nold 1000 0 0 1\n", true},
		{"too many phrases", ". 0 0 0 0\nold 999 0 0 1\n", false},
		{"an exported name too many", ". 0 0 0 0\nold 1000 0 0 0\n", false},
		{"not checked", "# a comment\n\n. 0 0 0 0\nold - - - -\n", true},
		{"by the row of all", ". 0 0 0 0\n", false},
		{"a row of a folder below", ". 0 0 0 0\nold/new 1000 0 0 1\n", false},
	} {
		write(t, "table", c.table)
		files, err := find([]string{"."}, sources)
		if err != nil {
			t.Fatal(err)
		}
		if holds, err := ratchet("table", files, false); err != nil || holds != c.holds {
			t.Errorf("%s: holds is %t, %v; want %t", c.name, holds, err, c.holds)
		}
	}
	for _, table := range []string{
		"old 0 0 0 0\n", ". 0 0 0\n", ". 0 0 0 x\n", ". 0 0 0 -2\n",
		". 0 0 0 0\ngone 0 0 0 0\n",
	} {
		write(t, "table", table)
		if _, err := ratchet("table", nil, false); err == nil {
			t.Errorf("the table %q is read without an error", table)
		}
	}
}

func TestRowOfIsTheMostSpecific(t *testing.T) {
	rows := []limit{{folder: "core/cam"}, {folder: "."}, {folder: "core"}}
	for file, want := range map[string]string{
		"core/cam/a.go": "core/cam", "core/cam/x/a.go": "core/cam", "core/camera/a.go": "core", "a.go": ".", "x/a.go": ".",
	} {
		if got := rows[rowOf(rows, file)].folder; got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}

func TestCountComparesDensityWithTheLimit(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "x.go", "// Package x is none.\n// It has two lines.\npackage x\n")
	write(t, "x_test.go", "package x\n\nvar s = \"a sheet is no solid\"\n")
	write(t, "readme.md", "A sheet is no solid.\n")
	for _, c := range []struct {
		args  []string
		holds bool
	}{
		{[]string{"-limit", "500"}, true},
		{[]string{"-limit", "499"}, false},
		{[]string{"-sum"}, false},
		{[]string{"-strings"}, true}, // those of tests do not count
		{[]string{"-md", "-limit", "999"}, false},
	} {
		if holds, err := run(c.args); err != nil || holds != c.holds {
			t.Errorf("%q: holds is %t, %v; want %t", c.args, holds, err, c.holds)
		}
	}
}

func TestFaultsOfSubjects(t *testing.T) {
	compiled := compile(rules)
	for _, s := range []string{
		"geom: add a bound", "core/cam/toolpath: link rest moves", "go.mod: name the module", "all: use US spelling",
		"stock, verify: share the grid", "README: show a picture", "compute: GPU twin of the sweep", ".ci/lint: check widths",
	} {
		if got := faults(s, compiled); got != nil {
			t.Errorf("%q: got %q, want no fault", s, got)
		}
	}
	for _, s := range []string{
		"Add a bound", "geom: Add a bound", "geom: add a bound.", "geom add a bound", "geom: ",
		"geom: sort edges anew", "geom: a subject that has more characters than the tools of a repository show",
	} {
		if got := faults(s, compiled); len(got) != 1 {
			t.Errorf("%q: got %q, want one fault", s, got)
		}
	}
}
