package millwright_test

import (
	"bufio"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rule says what the non-test files of a folder (and of the folders below it that have no rule of
// their own) may import besides the standard library and their own folder tree.
type rule struct {
	folder  string
	own     []string // prefixes inside this module
	foreign []string // prefixes of other modules
}

const (
	gonum = "gonum.org/v1/gonum"
	goose = "github.com/pressly/goose/v3"
)

// suites is where a port may be all ports at once: a suite asks one adapter for what all of them promise.
const suites = "core/storetest"

// rules is the import table of the architecture, most specific folder first.
var rules = []rule{
	{"core/fault", nil, nil},
	{"core/geom", nil, []string{gonum}},
	{"core/parallel", nil, nil},
	{"core/gdt", []string{"core/geom"}, nil},
	{"core/brep", []string{"core/fault", "core/gdt", "core/geom", "core/parallel"}, []string{gonum}},
	{"core/mesh", []string{"core/geom"}, nil},
	{"core/machining", []string{"core/geom", "core/refusal"}, nil},
	{"core/motion", []string{"core/geom"}, nil},
	{"core/timing", []string{"core/geom", "core/motion", "core/machining"}, nil},
	{"core/stock/milling", []string{"core/geom", "core/machining", "core/mesh", "core/motion", "core/stock"}, nil},
	{"core/stock", []string{"core/geom", "core/machining"}, nil},
	{"core/feature", []string{"core/brep", "core/gdt", "core/mesh", "core/geom", "core/parallel", "core/machining"}, []string{gonum}},
	{"core/completeness", []string{"core/geom", "core/mesh", "core/parallel", "core/stock"}, nil},
	{"core/planning", []string{
		"core/completeness", "core/fault", "core/feature", "core/geom", "core/machining", "core/motion", "core/parallel", "core/stock", "core/timing",
	}, nil},
	{"core/toolpath", []string{
		"core/completeness", "core/feature", "core/geom", "core/machining", "core/mesh", "core/motion", "core/parallel", "core/planning", "core/stock",
	}, nil},
	{"core/verify", []string{
		"core/completeness", "core/geom", "core/machining", "core/mesh", "core/motion", "core/parallel", "core/planning", "core/stock", "core/toolpath",
	}, nil},
	{"core/estimate", []string{
		"core/completeness", "core/feature", "core/geom", "core/machining", "core/motion", "core/planning", "core/timing", "core/toolpath",
	}, nil},
	{"core/stage", []string{
		"core/completeness", "core/fault", "core/geom", "core/brep", "core/gdt", "core/mesh", "core/feature", "core/machining",
		"core/estimate", "core/motion", "core/planning", "core/stock", "core/timing", "core/toolpath", "core/verify",
	}, nil},
	{"core/refusal", nil, nil},
	{"core/record", []string{"core/refusal"}, []string{"github.com/google/uuid"}},
	{"core/object", nil, nil},
	{"core/account", []string{"core/record", "core/refusal"}, nil},
	{"core/request", []string{"core/account", "core/record", "core/refusal"}, nil},
	{"core/job", []string{
		"core/account", "core/fault", "core/record", "core/refusal", "core/stage",
	}, []string{"github.com/google/uuid"}},
	{"core/catalog", []string{
		"core/account", "core/machining", "core/record", "core/refusal", "core/request",
	}, []string{"github.com/google/uuid"}},
	{"core/part", []string{
		"core/account", "core/catalog", "core/fault", "core/feature", "core/job", "core/object", "core/record",
		"core/refusal", "core/request", "core/stage",
	}, []string{"github.com/google/uuid"}},
	{"core/program", []string{
		"core/account", "core/catalog", "core/completeness", "core/estimate", "core/fault", "core/feature", "core/job", "core/motion", "core/object",
		"core/part", "core/planning", "core/record", "core/refusal", "core/request", "core/stage", "core/toolpath", "core/verify",
	}, nil},
	{"core/worker", []string{
		"core/completeness", "core/fault", "core/feature", "core/job", "core/object", "core/part", "core/program", "core/record", "core/stage",
		"core/toolpath", "core/verify",
	}, []string{"golang.org/x/sync"}},
	{suites, []string{"core"}, []string{"github.com/google/uuid"}},
	{"compute/device/opengl", []string{"compute/device", "core/parallel", "shaders"}, []string{"github.com/go-gl"}},
	{"compute/device", nil, nil},
	{"compute/tessellate", []string{"compute", "core/fault", "core/geom", "core/brep", "core/mesh", "core/parallel"}, []string{gonum}},
	{"compute/primitive", []string{"compute/device", "core/parallel"}, nil},
	{"compute", []string{"core/geom", "core/mesh", "core/motion", "core/machining/profile", "core/stock", "compute"}, []string{"golang.org/x/sys"}},
	{"shaders", nil, nil},
	{"adapters/confine", nil, []string{"golang.org/x/sys"}},
	{"adapters/cad/converter", []string{"adapters/confine", "core/fault"}, []string{"golang.org/x/sys"}},
	{"adapters/cad", []string{"core/fault", "core/geom", "core/brep", "core/gdt", "core/parallel"}, nil},
	{"adapters/disk", []string{"core/record"}, nil},
	{"adapters/childproc", []string{"core", "adapters/confine", "adapters/disk"}, []string{"golang.org/x/sys"}},
	{"adapters/export/gcode", []string{"core", "adapters/export", "adapters/post"}, nil},
	{"adapters/export", []string{"core"}, []string{"golang.org/x/image"}},
	{"adapters/toollib", []string{"core/catalog", "core/machining", "core/refusal"}, nil},
	{"adapters/post", []string{"core/geom", "core/machining", "core/motion"}, nil},
	{"adapters/problem", nil, nil},
	{"adapters/telemetry", []string{"core", "adapters/httpapi"}, []string{
		"github.com/prometheus/client_golang", "go.opentelemetry.io/otel",
	}},
	{"adapters/testserver", nil, nil},
	{"adapters/httpapi/slowclient", nil, nil},
	{"adapters/httpapi/baseurl", []string{"adapters/problem", "core/refusal"}, nil},
	{"adapters/httpapi/contract", nil, []string{
		"github.com/pb33f/libopenapi", "github.com/pb33f/libopenapi-validator",
	}},
	{"adapters/httpapi", []string{"core", "adapters/problem"}, []string{
		"github.com/gorilla/mux", "github.com/danielgtaylor/huma/v2", "github.com/google/uuid",
		"github.com/klauspost/compress",
	}},
	{"adapters/objects/local", []string{"core/object", "core/refusal", "core/record", "adapters/disk", "adapters/problem"}, []string{"golang.org/x/sys"}},
	{"adapters/objects/s3", []string{"core/object", "core/record", "adapters/testserver"}, []string{"github.com/aws"}},
	{"adapters/queue/local", []string{"core/job"}, nil},
	{"adapters/queue/redis", []string{"core/job", "adapters/testserver"}, []string{"github.com/redis/go-redis/v9"}},
	{"adapters/sql/eachstore", []string{"core", "adapters/sql"}, nil},
	{"adapters/sql/sqlite", []string{"core", "adapters/sql"}, []string{"modernc.org/sqlite", goose}},
	{"adapters/sql/postgres", []string{"core", "adapters/sql"}, []string{"github.com/jackc/pgx/v5", goose}},
	{"adapters/sql", []string{"core"}, []string{goose}},
	{"cmd", []string{""}, []string{""}},
	{"bench", []string{""}, []string{""}},
}

// entrances are folders that are used through the package of their own name: what lies below is theirs alone.
var entrances = []string{"core/brep/repair"}

// topLevel are the folders the architecture names; a new one needs a reason and an entry here. deploy holds what
// operators run the service with: it is no part of the program, and nothing in it is compiled.
var topLevel = []string{"adapters", "bench", "cmd", "compute", "core", "deploy", "shaders"}

func TestImportsFollowTheArchitecture(t *testing.T) {
	seen := 0
	eachGoFile(t, func(path string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if folder == "." || strings.HasSuffix(path, "_test.go") {
			return
		}
		i := slices.IndexFunc(rules, func(r rule) bool { return within(folder, r.folder) })
		if i < 0 {
			t.Errorf("%s: no import rule covers this folder; add one to the table", folder)
			return
		}
		seen++
		for _, imported := range importsOf(t, path) {
			if !allowed(rules[i], imported) {
				t.Errorf("%s imports %s, which the rule of %s forbids", path, imported, rules[i].folder)
			}
			if e, ok := passedBy(folder, imported); ok {
				t.Errorf("%s imports %s, which is reached through %s", path, imported, e)
			}
		}
	})
	if seen == 0 {
		t.Fatal("no Go file was checked")
	}
}

// outside are the imports from elsewhere that tests of core have: what meshes and sees for tests of solids that they
// build, and what stands behind a port where a test goes through it. Only stages read files: other parts for tests are
// in core/feature/featuretest, and tests of real files in bench/corpus.
var outside = []rule{
	{"core/brep/repair/internal/heal", []string{"compute/tessellate"}, nil},
	{"core/feature", []string{"compute", "compute/tessellate"}, nil},
	{"core/completeness", []string{"compute"}, nil},
	{"core/planning", []string{"compute", "compute/tessellate"}, nil},
	{"core/stage", []string{"compute", "cmd/millwright/kernel"}, nil},
	{"core/verify", []string{"compute", "compute/tessellate"}, nil},
	{"core/account", useCases, nil},
	{"core/request", useCases, nil},
	{"core/job", useCases, nil},
	{"core/catalog", useCases, nil},
	{"core/part", useCases, nil},
	{"core/program", useCases, nil},
	{"core/worker", useCases, nil},
}

// useCases are tested where they are put on their ports, on real adapters.
var useCases = []string{"adapters", "cmd/millwright/hexagon"}

func TestTestsOfCoreReadNoFiles(t *testing.T) {
	eachGoFile(t, func(path string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if !within(folder, "core") || !strings.HasSuffix(path, "_test.go") {
			return
		}
		i := slices.IndexFunc(outside, func(r rule) bool { return within(folder, r.folder) })
		for _, imported := range importsOf(t, path) {
			own, isOwn := strings.CutPrefix(imported, "millwright/")
			if isOwn && !within(own, "core") && (i < 0 || !allowed(outside[i], imported)) {
				t.Errorf("%s imports %s, from outside core", path, imported)
			}
		}
	})
}

func TestArchitectureRulesReject(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		want             bool
	}{
		{"core/geom", "math", true},
		{"core/geom", "millwright/core/brep", false},
		{"core/mesh", "millwright/core/geom/curve", true},
		{"core/part", "database/sql", true},
		{"core/part", "millwright/adapters/sql/sqlite", false},
		{"core/part", "millwright/core/worker", false},
		{"core/job", "millwright/core/part", false},
		{"core/account", "millwright/core/job", false},
		{"core/geom", "github.com/google/uuid", false},
		{"adapters/cad", "millwright/adapters/cad/step", true},
		{"adapters/cad", "millwright/core/fault", true},
		{"adapters/cad", "millwright/core/part", false},
		{"adapters/cad", "millwright/adapters/sql/sqlite", false},
		{"compute/tessellate", "millwright/core/part", false},
		{"compute/visibility", "millwright/core/feature", false},
	} {
		i := slices.IndexFunc(rules, func(r rule) bool { return within(c.folder, r.folder) })
		if got := allowed(rules[i], c.imported); got != c.want {
			t.Errorf("allowed(%s imports %s) = %v, want %v", c.folder, c.imported, got, c.want)
		}
	}
}

func TestEntrancesArePassed(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		want             bool
	}{
		{"adapters/cad", "millwright/core/brep/repair", false},
		{"adapters/cad", "millwright/core/brep/repair/sew", true},
		{"core/brep/repair", "millwright/core/brep/repair/sew", false},
		{"core/brep/repair/sew", "millwright/core/brep/repair/internal/heal", false},
	} {
		if _, got := passedBy(c.folder, c.imported); got != c.want {
			t.Errorf("passedBy(%s imports %s) = %v, want %v", c.folder, c.imported, got, c.want)
		}
	}
}

func TestFoldersAndFilesKeepTheirShape(t *testing.T) {
	const maxLines = 500
	vague := []string{"util", "utils", "common", "helpers", "misc"}
	eachGoFile(t, func(path string) {
		parts := strings.Split(filepath.ToSlash(path), "/")
		if len(parts) > 1 && !slices.Contains(topLevel, parts[0]) {
			t.Errorf("%s: top-level folder %q is not in the architecture", path, parts[0])
		}
		for _, p := range parts[:len(parts)-1] {
			if slices.Contains(vague, p) {
				t.Errorf("%s: package name %q says nothing", path, p)
			}
		}
		if n := lineCount(t, path); n > maxLines && !strings.HasSuffix(path, "_test.go") {
			t.Errorf("%s has %d lines; a file tells one story in at most %d", path, n, maxLines)
		}
	})
}

// TestReadmeNamesWhatExists looks for every path in the tables of the README; <name> stands for any name.
func TestReadmeNamesWhatExists(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted, placeholder := regexp.MustCompile("`([^` ]+/[^` ]*)`"), regexp.MustCompile("<[a-z]+>")
	group, seen := regexp.MustCompile(`\{(.*)\}`), 0
	for line := range strings.Lines(string(readme)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			names := []string{m[1]}
			if g := group.FindStringSubmatch(m[1]); g != nil {
				names = strings.Split(g[1], ",")
			}
			for _, name := range names {
				seen++
				path := placeholder.ReplaceAllString(group.ReplaceAllString(m[1], name), "*")
				if found, err := filepath.Glob(path); err != nil || len(found) == 0 {
					t.Errorf("README.md names %s, which is not there", path)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d paths found in README.md", seen)
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	says := map[string]bool{}
	eachGoFile(t, func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(path)
		says[folder] = says[folder] || f.Doc != nil
	})
	for folder, ok := range says {
		if !ok {
			t.Errorf("%s: no file has a comment on the package", folder)
		}
	}
}

// within reports whether folder is root or lies below it.
func within(folder, root string) bool {
	return root == "" || folder == root || strings.HasPrefix(folder, root+"/")
}

// passedBy returns the entrance that an import by a folder leaves aside.
func passedBy(folder, imported string) (entrance string, ok bool) {
	own, _ := strings.CutPrefix(imported, "millwright/")
	i := slices.IndexFunc(entrances, func(e string) bool {
		return within(own, e) && own != e && !within(folder, e)
	})
	if i < 0 {
		return "", false
	}
	return entrances[i], true
}

func allowed(r rule, imported string) bool {
	own, isOwn := strings.CutPrefix(imported, "millwright/")
	if isOwn {
		return within(own, r.folder) || slices.ContainsFunc(r.own, func(p string) bool { return within(own, p) })
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // standard library
	}
	return slices.ContainsFunc(r.foreign, func(p string) bool { return within(imported, p) })
}

func eachGoFile(t *testing.T, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "var" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".go") {
			visit(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func importsOf(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range f.Imports {
		out = append(out, strings.Trim(s.Path.Value, `"`))
	}
	return out
}

func lineCount(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		n++
	}
	return n
}
