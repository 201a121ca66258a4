package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCommittedFilesAreFresh builds the pages again and compares each byte with the committed files.
func TestCommittedFilesAreFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT CHECKED: the built pages are compared in long tests")
	}
	const assets = "../assets"
	files, err := build(t.Context(), "../web")
	if errors.Is(err, errNotPossible) {
		t.Skipf("NOT CHECKED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadDir(assets)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range committed {
		names = append(names, e.Name())
	}
	if want := slices.Sorted(maps.Keys(files)); !slices.Equal(names, want) {
		t.Fatalf("committed are %q, built are %q; run make portal", names, want)
	}
	for _, name := range names {
		got, err := os.ReadFile(filepath.Join(assets, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, files[name]) {
			t.Errorf("%s is committed with %d bytes, built with %d other ones; run make portal",
				name, len(got), len(files[name]))
		}
	}
}

func TestLicensesOutsideTheListAreRejected(t *testing.T) {
	for license, want := range map[string]bool{
		"MIT": true, "ISC": true, "BSD-3-Clause": true, "Apache-2.0": true,
		"GPL-3.0": false, "": false, "MIT OR GPL-3.0": false, "SEE LICENSE IN LICENSE": false,
	} {
		err := checkLicenses([]bundled{{Name: "preact", License: "MIT"}, {Name: "other", License: license}})
		if (err == nil) != want {
			t.Errorf("license %q: got error %v, want allowed %t", license, err, want)
		}
		if err != nil && (!strings.Contains(err.Error(), "other") || strings.Contains(err.Error(), "preact")) {
			t.Errorf("license %q: the error %q names the wrong package", license, err)
		}
	}
}

func TestPackageFolderOfInputs(t *testing.T) {
	for input, want := range map[string]string{
		"src/main.tsx": "",
		"node_modules/preact/dist/preact.module.js":              "node_modules/preact",
		"node_modules/@preact/signals/dist/signals.js":           "node_modules/@preact/signals",
		"node_modules/a/node_modules/@b/c/index.js":              "node_modules/a/node_modules/@b/c",
		"node_modules/@preact/signals-core/dist/signals-core.js": "node_modules/@preact/signals-core",
	} {
		if got := packageFolder(input); got != want {
			t.Errorf("packageFolder(%q) = %q, want %q", input, got, want)
		}
	}
}

func TestPackagesAreReadFromTheList(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("node_modules/b/package.json", `{"name":"b","version":"2.0.0","license":"ISC"}`)
	write("node_modules/b/LICENCE.md", "Text of b.\r\n")
	write("node_modules/@a/x/package.json", `{"name":"@a/x","version":"1.0.0","license":"MIT"}`)
	write("node_modules/@a/x/LICENSE", "Text of a.")
	const list = `{"inputs":{"src/main.tsx":{},"node_modules/b/one.js":{},"node_modules/b/two.js":{},"node_modules/@a/x/i.js":{}}}`
	found, err := packages(folder, list)
	if err != nil {
		t.Fatal(err)
	}
	text := string(licenseText(found))
	for _, want := range []string{"@a/x 1.0.0, license MIT\n\nText of a.\n", "b 2.0.0, license ISC\n\nText of b.\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the file has not once %q: %q", want, text)
		}
	}
	write("node_modules/c/package.json", `{"name":"c","version":"1.0.0","license":"MIT"}`)
	if _, err := packages(folder, `{"inputs":{"node_modules/c/i.js":{}}}`); err == nil {
		t.Error("a package without a text of its license is accepted")
	}
}
