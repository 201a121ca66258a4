package millwright_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// namedPath is a path from the root, with an identifier of the package behind it or not.
	namedPath = regexp.MustCompile(`(?:^|[^\w./-])(?:\./)?((?:\.ci|` + strings.Join(topLevel, "|") + `)/[\w./-]*\w)`)
	// bareFile is a Go file of the folder that was named before, or of the root.
	bareFile   = regexp.MustCompile("`(\\w+\\.go)`")
	link       = regexp.MustCompile(`\]\(([^)#:]*)(#[\w-]*)?\)`)
	makeTarget = regexp.MustCompile("`(?:\\w+=\\S* )*make ([a-z]+)")
	benchmark  = regexp.MustCompile(`go run (?:-tags [\w,]+ )?\./bench ([a-z]+)`)
	goTest     = regexp.MustCompile(`go test (\./[\w/]+) -run (\w+|'\^\$' -bench \w+)`)
	identifier = regexp.MustCompile("`\\*?([a-z]+)\\.([A-Z]\\w+)`")
	heading    = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestDocumentsNameWhatExists checks the names of files, packages, tests and commands in Markdown files. Records of the
// past keep old names.
func TestDocumentsNameWhatExists(t *testing.T) {
	tree := newTree(t)
	eachFile(t, ".md", func(document string) {
		if within(filepath.ToSlash(document), "bench/history") {
			return
		}
		for _, missing := range tree.missing(document, textOf(t, document)) {
			t.Errorf("%s names %s, which does not exist", document, missing)
		}
	})
}

// TestCommentsNameWhatExists checks the paths in comments of Go files.
func TestCommentsNameWhatExists(t *testing.T) {
	tree := newTree(t)
	eachGoFile(t, func(file string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range parsed.Comments {
			for _, m := range namedPath.FindAllStringSubmatch(group.Text(), -1) {
				if !tree.has(m[1]) {
					t.Errorf("a comment of %s names %s, which does not exist", file, m[1])
				}
			}
		}
	})
}

// TestMissingNamesAreFound checks the test itself.
func TestMissingNamesAreFound(t *testing.T) {
	const text = "`core/fault/fault.go` `fault.go` `fault.Error` `core/fault.Error` " +
		"`go test ./core/fault -run Error` [a](../README.md) [b](README.md#results) `make quick` " +
		"`go run ./bench peer` core/fault.\n" +
		"`core/fault/none.go` `none.go` `fault.None` core/fault.None `go test ./core/fault -run None` " +
		"[a](none.md) [b](RESULTS.md#none) `X=1 make none` `go run ./bench none` core/none."
	want := []string{
		"core/fault/none.go", "core/fault.None", "core/none", "none.go", "none.md", "RESULTS.md#none",
		"README.md#results", "fault.None", "make none", "bench none", "go test ./core/fault -run None",
	}
	got := newTree(t).missing("bench/README.md", text)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("missing are %q, want %q", got, want)
	}
}

// tree is what documents may name.
type tree struct {
	declared map[string][]string // identifiers of folders, those of tests and fields too
	targets  []string            // of make
	commands []string            // of bench
}

func newTree(t *testing.T) *tree {
	t.Helper()
	out := &tree{declared: map[string][]string{}}
	eachGoFile(t, func(file string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				out.declared[folder] = append(out.declared[folder], n.Name.Name)
			case *ast.TypeSpec:
				out.declared[folder] = append(out.declared[folder], n.Name.Name)
			case *ast.ValueSpec:
				for _, name := range n.Names {
					out.declared[folder] = append(out.declared[folder], name.Name)
				}
			}
			return true
		})
	})
	for file, find := range map[string]*regexp.Regexp{
		"Makefile":      regexp.MustCompile(`(?m)^([a-z]+):`),
		"bench/main.go": regexp.MustCompile("(?m)^\t([A-Z]\\w+) .*`cmd:"),
	} {
		for _, m := range find.FindAllStringSubmatch(textOf(t, file), -1) {
			if file == "Makefile" {
				out.targets = append(out.targets, m[1])
			} else {
				out.commands = append(out.commands, strings.ToLower(m[1]))
			}
		}
	}
	return out
}

// missing returns the names in a document that the tree does not have.
func (t *tree) missing(document, text string) (out []string) {
	check := func(ok bool, format string, args ...any) {
		if !ok {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	named := namedPath.FindAllStringSubmatchIndex(text, -1)
	for _, m := range named {
		check(t.has(text[m[2]:m[3]]), "%s", text[m[2]:m[3]])
	}
	for _, m := range bareFile.FindAllStringSubmatchIndex(text, -1) {
		name, before := text[m[2]:m[3]], "."
		for _, n := range named {
			if n[0] < m[0] {
				before = text[n[2]:n[3]]
			}
		}
		check(exists(name) || exists(path.Join(before, name)) || exists(path.Join(path.Dir(before), name)), "%s", name)
	}
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		target := document
		if m[1] != "" {
			target = path.Join(path.Dir(document), m[1])
		}
		check(exists(target) && hasHeading(target, m[2]), "%s%s", m[1], m[2])
	}
	for _, m := range makeTarget.FindAllStringSubmatch(text, -1) {
		check(slices.Contains(t.targets, m[1]), "make %s", m[1])
	}
	for _, m := range benchmark.FindAllStringSubmatch(text, -1) {
		check(slices.Contains(t.commands, m[1]), "bench %s", m[1])
	}
	for _, m := range goTest.FindAllStringSubmatch(text, -1) {
		_, wanted, isBenchmark := strings.Cut(m[2], "-bench ")
		wanted = cmp.Or(wanted, m[2])
		check(slices.ContainsFunc(t.declared[path.Clean(m[1])], func(name string) bool {
			return strings.HasPrefix(name, "Benchmark") == isBenchmark && strings.Contains(name, wanted)
		}), "%s", m[0])
	}
	for _, m := range identifier.FindAllStringSubmatch(text, -1) {
		known, found := false, false
		for folder, names := range t.declared {
			if path.Base(folder) == m[1] {
				known, found = true, found || slices.Contains(names, m[2])
			}
		}
		check(found || !known, "%s.%s", m[1], m[2])
	}
	return out
}

// has reports whether a path exists, or is a package with the identifier behind its last point.
func (t *tree) has(name string) bool {
	if exists(name) {
		return true
	}
	folder, identifier, ok := strings.Cut(name, ".")
	return ok && slices.Contains(t.declared[folder], identifier)
}

func exists(name string) bool {
	_, err := os.Stat(filepath.FromSlash(name))
	return err == nil
}

// hasHeading reports whether a document has the heading of a fragment of an address. It has "".
func hasHeading(document, fragment string) bool {
	if fragment == "" {
		return true
	}
	data, err := os.ReadFile(document)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(heading.FindAllStringSubmatch(string(data), -1), func(m []string) bool {
		return "#"+strings.ReplaceAll(strings.ToLower(m[1]), " ", "-") == fragment
	})
}
