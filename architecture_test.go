package millwright_test

import (
	"bufio"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rule lists the permitted imports of a folder's non-test files, apart from the standard library and the folder's own
// tree. It also covers the folders below that have no separate rule.
type rule struct {
	folder  string
	own     []string // prefixes inside this module
	foreign []string // prefixes of other modules
}

const (
	module = "millwright.dev/millwright"

	gonum = "gonum.org/v1/gonum"
	goose = "github.com/pressly/goose/v3"
)

// suites is the folder whose ports may embed all ports: a suite tests all contracts of one adapter.
const suites = "internal/storetest"

// rules is the import table of the architecture, most specific folder first.
var rules = []rule{
	// The library: it composes the stages and knows no service, no database and no server.
	{".", []string{
		"core/fault", "core/kernel", "core/feature", "core/cam", "core/pipeline", "adapters/cad", "adapters/export",
		"adapters/post", "compute",
	}, nil},

	{"core/fault", nil, nil},
	{"core/parallel", nil, nil},
	{"core/usertext", nil, nil},

	// The kernel: exact shape and its triangles, without features, tools and services.
	{"core/kernel/geom", []string{"core/parallel"}, []string{gonum}},
	{"core/kernel/gdt", []string{"core/kernel/geom"}, nil},
	{"core/kernel/mesh", []string{"core/kernel/geom"}, nil},
	{"core/kernel/brep", []string{"core/fault", "core/parallel", "core/kernel/gdt", "core/kernel/geom"}, nil},

	// Recognition and datasheets, without tools and plans.
	{"core/feature", []string{"core/parallel", "core/kernel"}, []string{gonum}},

	// CAM: from tools to a verified program. machining, motion and stock are its base.
	{"core/cam/machining", []string{"core/usertext", "core/kernel/geom"}, nil},
	{"core/cam/motion", []string{"core/kernel/geom"}, nil},
	{"core/cam/stock/removal", []string{
		"core/kernel/geom", "core/kernel/mesh", "core/cam/machining", "core/cam/motion", "core/cam/stock",
	}, nil},
	{"core/cam/stock", []string{"core/kernel/geom"}, nil},
	{"core/cam/timing", []string{"core/kernel/geom", "core/cam/machining", "core/cam/motion"}, nil},
	{"core/cam/completeness", []string{"core/parallel", "core/kernel/geom", "core/kernel/mesh", "core/cam/stock"}, nil},
	{"core/cam/workholding", nil, nil},
	{"core/cam/fixture/fixturetest", []string{"core/kernel/geom", "core/cam/fixture"}, []string{"pgregory.net/rapid"}},
	{"core/cam/fixture", []string{"core/kernel", "core/feature/graph"}, nil},
	{"core/cam/planning", []string{
		"core/fault", "core/parallel", "core/kernel/geom", "core/kernel/mesh/edgebreak", "core/feature",
		"core/cam/completeness", "core/cam/machining", "core/cam/motion", "core/cam/stock", "core/cam/workholding",
		"core/cam/fixture",
	}, nil},
	{"core/cam/toolpath", []string{
		"core/parallel", "core/kernel/geom", "core/kernel/mesh", "core/feature", "core/cam/completeness",
		"core/cam/machining", "core/cam/motion", "core/cam/stock", "core/cam/planning",
	}, nil},
	{"core/cam/verify", []string{
		"core/fault", "core/parallel", "core/kernel/geom", "core/kernel/mesh", "core/cam/completeness",
		"core/cam/machining", "core/cam/motion", "core/cam/stock", "core/cam/planning", "core/cam/toolpath",
	}, nil},
	{"core/cam/estimate", []string{
		"core/kernel/geom", "core/feature", "core/cam/completeness", "core/cam/machining", "core/cam/motion",
		"core/cam/planning", "core/cam/timing", "core/cam/toolpath",
	}, nil},

	// The pipeline: the dependencies of artifacts. Only this package imports kernel, feature and cam together.
	{"core/pipeline", []string{"core/fault", "core/kernel", "core/feature", "core/cam"}, nil},

	// The service: records, jobs, use cases and their ports.
	{"core/service/apierr", nil, nil},
	{"core/service/object", nil, nil},
	{"core/service/record", []string{"core/service/apierr"}, []string{"github.com/google/uuid"}},
	{"core/service/account", []string{"core/usertext", "core/service/record", "core/service/apierr"}, nil},
	{"core/service/session", []string{"core/service/account", "core/service/record", "core/service/apierr"}, nil},
	{"core/service/idempotency", []string{"core/service/account", "core/service/record", "core/service/apierr"}, nil},
	{"core/service/job", []string{
		"core/fault", "core/usertext", "core/pipeline", "core/service/account", "core/service/record", "core/service/apierr",
	}, []string{"github.com/google/uuid"}},
	{"core/service/catalog", []string{
		"core/usertext", "core/cam/machining", "core/service/account", "core/service/record", "core/service/apierr",
		"core/service/idempotency",
	}, []string{"github.com/google/uuid"}},
	{"core/service/part", []string{
		"core/fault", "core/usertext", "core/feature", "core/pipeline", "core/service/account", "core/service/catalog",
		"core/service/job", "core/service/object", "core/service/record", "core/service/apierr", "core/service/idempotency",
	}, []string{"github.com/google/uuid"}},
	{"core/service/program", []string{
		"core/fault", "core/usertext", "core/feature", "core/cam", "core/pipeline", "core/service/account",
		"core/service/catalog", "core/service/job", "core/service/object", "core/service/part", "core/service/record",
		"core/service/apierr", "core/service/idempotency",
	}, nil},
	{"core/service/worker", []string{
		"core/fault", "core/feature", "core/cam", "core/pipeline", "core/service/job", "core/service/object",
		"core/service/part", "core/service/program", "core/service/record",
	}, []string{"golang.org/x/sync"}},

	// Suites that adapters run. They import the core alone.
	{"internal", []string{"core"}, []string{"github.com/google/uuid"}},

	{"compute/device/opengl", []string{"compute/device", "core/parallel", "shaders"}, []string{"github.com/go-gl"}},
	{"compute/device", nil, nil},
	{"compute/tessellate", []string{"compute", "core/fault", "core/kernel/geom", "core/kernel/brep", "core/kernel/mesh", "core/parallel"}, nil},
	{"compute/primitive", []string{"compute/device", "core/parallel"}, nil},
	{"compute", []string{"core/kernel/geom", "core/kernel/mesh", "core/cam/motion", "core/cam/machining/toolprofile", "core/cam/stock"}, []string{"golang.org/x/sys"}},
	{"shaders", nil, nil},
	{"adapters/confine", nil, []string{"golang.org/x/sys"}},
	{"adapters/cad/converter", []string{"adapters/confine", "core/fault"}, []string{"golang.org/x/sys"}},
	{"adapters/cad", []string{"core/fault", "core/kernel/geom", "core/kernel/brep", "core/kernel/gdt", "core/parallel"}, nil},
	{"adapters/disk", []string{"core/service/record"}, nil},
	{"adapters/childproc", []string{"core", "adapters/confine", "adapters/disk"}, []string{"golang.org/x/sys"}},
	{"adapters/export/gcode", []string{"core/cam", "adapters/export", "adapters/post"}, nil},
	{"adapters/export", []string{"core/parallel", "core/kernel", "core/feature", "core/cam"}, nil},
	{"adapters/toollib", []string{"core/cam/machining", "core/service/catalog", "core/service/apierr"}, nil},
	{"adapters/post", []string{"core/kernel/geom", "core/cam/machining", "core/cam/motion"}, nil},
	{"adapters/portal/browsertest", nil, []string{"github.com/chromedp"}},
	{"adapters/portal/build", nil, []string{"github.com/evanw/esbuild"}},
	{"adapters/problem", []string{"core/service/apierr"}, nil},
	{"adapters/portal", []string{
		"core/service", "core/pipeline", "core/cam/stock/inprocess", "adapters/export/setupsheet", "adapters/httpapi",
		"adapters/problem",
	}, []string{"github.com/klauspost/compress", "github.com/danielgtaylor/huma/v2"}},
	{"adapters/telemetry", []string{"core", "adapters/httpapi"}, []string{
		"github.com/prometheus/client_golang", "go.opentelemetry.io/otel",
	}},
	{"adapters/testserver", nil, nil},
	{"adapters/httpapi/slowclient", nil, nil},
	{"adapters/httpapi/baseurl", []string{"core/usertext", "adapters/problem", "core/service/apierr"}, nil},
	{"adapters/httpapi/contract", nil, []string{
		"github.com/pb33f/libopenapi", "github.com/pb33f/libopenapi-validator",
	}},
	{"adapters/httpapi", []string{"core", "adapters/problem"}, []string{
		"github.com/gorilla/mux", "github.com/danielgtaylor/huma/v2", "github.com/google/uuid",
		"github.com/klauspost/compress",
	}},
	{"adapters/objects/local", []string{"core/service/object", "core/service/apierr", "core/service/record", "adapters/disk", "adapters/problem"}, nil},
	{"adapters/objects/s3", []string{"core/service/object", "core/service/record", "adapters/testserver"}, []string{"github.com/aws"}},
	{"adapters/queue/local", []string{"core/service/job"}, nil},
	{"adapters/queue/redis", []string{"core/service/job", "adapters/testserver"}, []string{"github.com/redis/go-redis/v9"}},
	{"adapters/sql/storematrix", []string{"adapters/sql", "internal/storetest"}, nil},
	{"adapters/sql/sqlite", []string{"core", "adapters/sql"}, []string{"modernc.org/sqlite", goose}},
	{"adapters/sql/postgres", []string{"core", "adapters/sql"}, []string{"github.com/jackc/pgx/v5", goose}},
	{"adapters/sql", []string{"core"}, []string{goose}},
	{"cmd", []string{""}, []string{""}},
	{"bench", []string{""}, []string{""}},
}

// entrances are folders that other folders use through the package of the folder alone; packages below are private.
var entrances = []string{"core/kernel/brep/repair"}

// topLevel are the folders of the architecture; a new one needs a reason and an entry here. deploy contains the files
// with which operators run the service: it is not part of the program, and nothing in it is compiled.
var topLevel = []string{"adapters", "bench", "cmd", "compute", "core", "deploy", "internal", "shaders"}

func TestImportsFollowTheArchitecture(t *testing.T) {
	used := make([][]string, len(rules)) // imports by rule
	eachGoFile(t, func(path string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		i := slices.IndexFunc(rules, func(r rule) bool { return within(folder, r.folder) })
		if i < 0 {
			t.Errorf("%s: no import rule covers this folder; add one to the table", folder)
			return
		}
		for _, imported := range importsOf(t, path) {
			used[i] = append(used[i], strings.TrimPrefix(imported, module+"/"))
			if !allowed(rules[i], imported) {
				t.Errorf("%s imports %s, which the rule of %s forbids", path, imported, rules[i].folder)
			}
			if e, ok := passedBy(folder, imported); ok {
				t.Errorf("%s imports %s, which is reached through %s", path, imported, e)
			}
		}
	})
	for i, r := range rules {
		for _, permit := range slices.Concat(r.own, r.foreign) {
			if !slices.ContainsFunc(used[i], func(imported string) bool { return within(imported, permit) }) {
				t.Errorf("%s may import %s, but does not; remove it from the table", r.folder, permit)
			}
		}
	}
}

// outside lists the permitted imports of core's tests from other folders: meshing and visibility for tests that build
// solids, and the adapter of a port for tests that go through it. Only stages read files: other parts for tests are in
// core/feature/featuretest, and tests of real files in bench/corpus.
var outside = []rule{
	{"core/kernel/brep/repair/internal/heal", []string{"compute/tessellate"}, nil},
	{"core/feature", []string{"compute"}, nil},
	{"core/cam/completeness", []string{"compute"}, nil},
	{"core/cam/planning", []string{"compute"}, nil},
	{"core/cam/toolpath", []string{"compute"}, nil},
	{"core/pipeline", []string{".", "compute"}, nil},
	{"core/cam/verify", []string{"compute"}, nil},
	{"core/service/account", useCases, nil},
	{"core/service/session", useCases, nil},
	{"core/service/idempotency", useCases, nil},
	{"core/service/job", useCases, nil},
	{"core/service/catalog", useCases, nil},
	{"core/service/part", useCases, nil},
	{"core/service/program", useCases, nil},
	{"core/service/worker", useCases, nil},
}

// useCases are tested on the real adapters of their ports.
var useCases = []string{"adapters", "cmd/millwright/app"}

func TestTestsOfCoreReadNoFiles(t *testing.T) {
	eachGoFile(t, func(path string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if !within(folder, "core") || !strings.HasSuffix(path, "_test.go") {
			return
		}
		i := slices.IndexFunc(outside, func(r rule) bool { return within(folder, r.folder) })
		for _, imported := range importsOf(t, path) {
			own, isOwn := ownFolder(imported)
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
		{".", "millwright.dev/millwright/core/pipeline", true},
		{".", "millwright.dev/millwright/cmd/millwright/stagechild", false},
		{".", "millwright.dev/millwright/core/service/job", false},
		{".", "millwright.dev/millwright/adapters/sql/sqlite", false},
		{".", "millwright.dev/millwright/adapters/httpapi", false},
		{".", "millwright.dev/millwright/adapters/objects/s3", false},
		{".", "millwright.dev/millwright/adapters/queue/redis", false},
		{".", "github.com/google/uuid", false},
		{"core/pipeline", "millwright.dev/millwright", false},
		{"adapters/httpapi", "millwright.dev/millwright", false},
		{"cmd", "millwright.dev/millwright", true},
		{"core/kernel/geom", "math", true},
		{"core/kernel/geom", "millwright.dev/millwright/core/kernel/brep", false},
		{"core/kernel/mesh", "millwright.dev/millwright/core/kernel/geom/curve", true},
		{"core/service/part", "database/sql", true},
		{"core/service/part", "millwright.dev/millwright/adapters/sql/sqlite", false},
		{"core/service/part", "millwright.dev/millwright/core/service/worker", false},
		{"core/service/job", "millwright.dev/millwright/core/service/part", false},
		{"core/service/account", "millwright.dev/millwright/core/service/job", false},
		{"core/kernel/geom", "github.com/google/uuid", false},
		{"adapters/cad", "millwright.dev/millwright/adapters/cad/step", true},
		{"adapters/cad", "millwright.dev/millwright/core/fault", true},
		{"adapters/cad", "millwright.dev/millwright/core/service/part", false},
		{"adapters/cad", "millwright.dev/millwright/adapters/sql/sqlite", false},
		{"compute/tessellate", "millwright.dev/millwright/core/service/part", false},
		{"compute/visibility", "millwright.dev/millwright/core/feature", false},
	} {
		i := slices.IndexFunc(rules, func(r rule) bool { return within(c.folder, r.folder) })
		if got := allowed(rules[i], c.imported); got != c.want {
			t.Errorf("allowed(%s imports %s) = %v, want %v", c.folder, c.imported, got, c.want)
		}
	}
}

func TestEntranceBypassIsFound(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		want             bool
	}{
		{"adapters/cad", "millwright.dev/millwright/core/kernel/brep/repair", false},
		{"adapters/cad", "millwright.dev/millwright/core/kernel/brep/repair/sew", true},
		{"core/kernel/brep/repair", "millwright.dev/millwright/core/kernel/brep/repair/sew", false},
		{"core/kernel/brep/repair/sew", "millwright.dev/millwright/core/kernel/brep/repair/internal/heal", false},
	} {
		if _, got := passedBy(c.folder, c.imported); got != c.want {
			t.Errorf("passedBy(%s imports %s) = %v, want %v", c.folder, c.imported, got, c.want)
		}
	}
}

func TestFolderAndFileLimits(t *testing.T) {
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

func textOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestEveryPackageIsDocumented(t *testing.T) {
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

// passedBy returns the entrance that an import by a folder bypasses.
func passedBy(folder, imported string) (entrance string, ok bool) {
	own, _ := ownFolder(imported)
	i := slices.IndexFunc(entrances, func(e string) bool {
		return within(own, e) && own != e && !within(folder, e)
	})
	if i < 0 {
		return "", false
	}
	return entrances[i], true
}

// ownFolder returns the folder of a package of this module.
func ownFolder(imported string) (folder string, isOwn bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

func allowed(r rule, imported string) bool {
	own, isOwn := ownFolder(imported)
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
	eachFile(t, ".go", visit)
}

// eachFile visits the files with an extension, except files in hidden folders and build outputs.
func eachFile(t *testing.T, extension string, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "var" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, extension) {
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
