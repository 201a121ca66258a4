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
	for _, name := range names(t) {
		for _, at := range regexp.MustCompile(`https?://[\w.:/-]+`).FindAllString(read(t, name), -1) {
			if at = strings.TrimRight(at, "."); !slices.Contains(known, at) {
				t.Errorf("%s names %s", name, at)
			}
		}
	}
}

// TestFilesStaySmall bounds the compressed sizes of what pages load, and holds that only the page of a part can load
// three.js.
func TestFilesStaySmall(t *testing.T) {
	first := closure(t, "app.js", false)
	page := closure(t, only(t, "part-*.js"), true)
	for _, c := range []struct {
		what  string
		names []string
		most  int
	}{
		{"app.js with its imports", first, 45_000},
		{"app.css", []string{"app.css"}, 12_000},
		{"viewer", []string{only(t, "viewer-*.js")}, 175_000},
		{"page of a part", union(first, page, []string{"app.css"}), 240_000},
	} {
		size := 0
		for _, name := range c.names {
			size += compressed(t, read(t, name))
		}
		if size > c.most {
			t.Errorf("%s has %d bytes compressed, want at most %d: %v", c.what, size, c.most, c.names)
		}
	}
	viewer := only(t, "viewer-*.js")
	if !strings.Contains(read(t, viewer), "WebGLRenderer") || !slices.Contains(page, viewer) {
		t.Errorf("the page of a part does not load three.js from %s", viewer)
	}
	for _, name := range names(t) {
		if name != viewer && strings.Contains(read(t, name), "WebGLRenderer") {
			t.Errorf("%s has code of three.js", name)
		}
		if strings.Contains(read(t, name), viewer) && !strings.HasPrefix(name, "part-") {
			t.Errorf("%s loads three.js", name)
		}
	}
}

func compressed(t *testing.T, text string) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// closure is a program with the files that it imports, later ones too if so asked.
func closure(t *testing.T, name string, later bool) []string {
	t.Helper()
	out := []string{name}
	for i := 0; i < len(out); i++ {
		for _, m := range regexp.MustCompile(`(import\()?"\./([\w-]+\.js)"`).FindAllStringSubmatch(read(t, out[i]), -1) {
			if (m[1] == "" || later) && !slices.Contains(out, m[2]) {
				out = append(out, m[2])
			}
		}
	}
	return out
}

func union(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// only is the one built file of a pattern.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := fs.Glob(Assets(), pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("files like %s: %v, %v", pattern, found, err)
	}
	return found[0]
}

// names are the built programs and styles.
func names(t *testing.T) []string {
	t.Helper()
	programs, err := fs.Glob(Assets(), "*.js")
	if err != nil {
		t.Fatal(err)
	}
	return append(programs, "app.css")
}

// TestLicensesAccompanyTheProgram looks for the packages that the program is known to contain.
func TestLicensesAccompanyTheProgram(t *testing.T) {
	text := read(t, "licenses.txt")
	for _, want := range []string{
		"preact 11.2.0, license MIT", "@preact/signals 2.11.4, license MIT", "three 0.187.0, license MIT",
		"three-mesh-bvh 0.9.17, license MIT", "Permission is hereby granted",
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
