package portal

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestIndexNamesFilesByTheirHash compares the addresses in the index with the built files.
func TestIndexNamesFilesByTheirHash(t *testing.T) {
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(Hash()) {
		t.Errorf("the hash is %q, want 12 hexadecimal digits", Hash())
	}
	index := string(Index())
	found := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(index, -1)
	if len(found) < 3 {
		t.Errorf("the index names %d files, want program, style and icon: %s", len(found), index)
	}
	for _, m := range found {
		name, ok := strings.CutPrefix(m[1], "/portal/assets/"+Hash()+"/")
		if _, err := fs.Stat(Assets(), name); !ok || err != nil {
			t.Errorf("the index names %s, which is not a file below the hash (%v)", m[1], err)
		}
	}
	if _, err := fs.Stat(Assets(), "licenses.txt"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(Assets(), "index.html"); err == nil {
		t.Error("the index is among the files that browsers keep for ever")
	}
}

// TestIndexHoldsThePolicy finds scripts and styles in the HTML, which the policy of the pages forbids.
func TestIndexHoldsThePolicy(t *testing.T) {
	index := string(Index())
	for _, wrong := range []string{`<style`, `style="`, `javascript:`, ` on\w+="`, `<script(?:[^>]*)>[^<]`, `https?://`} {
		if at := regexp.MustCompile(wrong).FindString(index); at != "" {
			t.Errorf("the index has %q", at)
		}
	}
}

// TestFilesNameNoOtherOrigin finds addresses in the program and the style. Browsers do not load XML namespaces, and
// shop.example is an example in a sentence.
func TestFilesNameNoOtherOrigin(t *testing.T) {
	known := []string{
		"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML",
		"https://shop.example", "https://shop.example:8443",
	}
	for _, name := range []string{"app.js", "app.css"} {
		for _, at := range regexp.MustCompile(`https?://[\w.:/-]+`).FindAllString(read(t, name), -1) {
			if at = strings.TrimRight(at, "."); !slices.Contains(known, at) {
				t.Errorf("%s names %s", name, at)
			}
		}
	}
}

// TestFilesStaySmall bounds the compressed sizes.
func TestFilesStaySmall(t *testing.T) {
	for name, most := range map[string]int{"app.js": 45_000, "app.css": 12_000} {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(read(t, name))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if b.Len() > most {
			t.Errorf("%s has %d bytes compressed, want at most %d", name, b.Len(), most)
		}
	}
}

// TestLicensesAccompanyTheProgram looks for the packages that the program is known to contain.
func TestLicensesAccompanyTheProgram(t *testing.T) {
	text := read(t, "licenses.txt")
	for _, want := range []string{
		"preact 11.2.0, license MIT", "@preact/signals 2.11.4, license MIT", "Permission is hereby granted",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("licenses.txt lacks %q", want)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(Assets(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
