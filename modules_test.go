package millwright_test

import (
	"bytes"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPackagesForOthersPullInFewModules compares the foreign modules that users of a package download with a list. The
// list has no database, server or object store.
func TestPackagesForOthersPullInFewModules(t *testing.T) {
	const gonum, sys = "gonum.org/v1/gonum", "golang.org/x/sys"
	for pkg, want := range map[string][]string{
		"./adapters/cad": {gonum},
		".":              {sys, gonum},
	} {
		if modules := paths(dependencies(t, pkg, "")); !slices.Equal(modules, want) {
			t.Errorf("%s pulls in %q, want %q", pkg, modules, want)
		}
	}
}

// onlyForTests are the required modules that the binary is built without: those of tests, of the window of bench, and
// of the builder of pages.
var onlyForTests = []string{
	"github.com/alicebob/miniredis/v2",
	"github.com/chromedp/cdproto",
	"github.com/chromedp/chromedp",
	"github.com/evanw/esbuild",
	"github.com/go-gl/glfw/v3.3/glfw",
	"github.com/pb33f/libopenapi",
	"github.com/pb33f/libopenapi-validator",
	"github.com/qmuntal/gltf",
	"pgregory.net/rapid",
}

// TestBinaryIsBuiltWithoutModulesOfTests compares the direct requirements of go.mod with the modules of the binary.
func TestBinaryIsBuiltWithoutModulesOfTests(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	built := paths(dependencies(t, "./cmd/millwright", "gpu"))
	var unused []string
	for line := range strings.Lines(string(text)) {
		line, inBlock := strings.CutPrefix(line, "\t")
		required, version, _ := strings.Cut(line, " ")
		if inBlock && !strings.Contains(version, "// indirect") && !slices.Contains(built, required) {
			unused = append(unused, required)
		}
	}
	if !slices.Equal(unused, onlyForTests) {
		t.Errorf("the binary is built without %q, want %q", unused, onlyForTests)
	}
}

// dependencies returns the foreign modules that a package is built from with some tags, each as "path version".
func dependencies(t *testing.T, pkg, tags string) []string {
	t.Helper()
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}`
	out := run(t, ".", []string{"CGO_ENABLED=1"}, "go", "list", "-tags="+tags, "-deps", "-f", format, pkg)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(lines)
	return slices.Compact(lines)
}

// paths returns the paths of modules.
func paths(modules []string) (out []string) {
	for _, m := range modules {
		path, _, _ := strings.Cut(m, " ")
		out = append(out, path)
	}
	return out
}

// TestExamplesRunInAModuleOfTheirOwn builds the examples as a program of another module, with the dependencies of the
// package and no other module, and compares its output with the output of the examples.
func TestExamplesRunInAModuleOfTheirOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const file = "example_test.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	examples := doc.Examples(parsed)
	if len(examples) < 3 {
		t.Fatalf("%s has %d examples", file, len(examples))
	}
	source := strings.Replace(string(text), "package "+parsed.Name.Name, "package main", 1) + "\nfunc main() {\n"
	want := ""
	for _, e := range examples {
		source += "\tExample" + e.Name + "()\n"
		want += e.Output
	}
	mod := "module example.com/shop\n\ngo " + run(t, ".", nil, "go", "list", "-m", "-f", "{{.GoVersion}}") +
		"\nrequire " + module + " v0.0.0\nreplace " + module + " => " + root + "\n"
	for _, m := range dependencies(t, ".", "") {
		mod += "require " + m + " // indirect\n"
	}
	dir := t.TempDir()
	for name, content := range map[string]string{"main.go": source + "}\n", "go.mod": mod, "go.sum": string(sums)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	offline := []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}
	run(t, dir, offline, "go", "vet", ".")
	run(t, dir, offline, "go", "build", "-o", "shop", ".")
	if got := run(t, root, nil, filepath.Join(dir, "shop")); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("the program prints\n%s\nwant\n%s", got, want)
	}
}

// run returns the output of a command in a folder, with additional environment.
func run(t *testing.T, dir string, env []string, name string, arg ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, arg...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), env...), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", cmd, err, out, stderr.Bytes())
	}
	return string(out)
}
