package millwright_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxMethods is the largest number of methods of a port, embedded interfaces included.
const maxMethods = 12

// TestPortsAreSmall counts the methods of every interface of the core. One interface may embed them all
// in the composition root and in the suite that every database runs.
func TestPortsAreSmall(t *testing.T) {
	all := interfaces{}
	eachGoFile(t, func(file string) {
		folder := filepath.ToSlash(filepath.Dir(file))
		if within(folder, "core") && !within(folder, suites) && !strings.HasSuffix(file, "_test.go") {
			all.read(t, folder, file, nil)
		}
	})
	if len(all) < 20 {
		t.Fatalf("only %d interfaces found in core", len(all))
	}
	for name := range all {
		if n := len(all.methods(name)); n > maxMethods {
			t.Errorf("%s has %d methods; a port has at most %d", name, n, maxMethods)
		}
	}
}

func TestMethodsAreCounted(t *testing.T) {
	all := interfaces{}
	all.read(t, "core/a", "a.go", `package a
import "io"
type One interface { io.Closer; M(); N() }
type Generic[T any] interface { ~int | ~string }`)
	all.read(t, "core/b", "b.go", `package b
import other "millwright.dev/millwright/core/a"
type Two interface { other.One; interface { M(); O() } }
type Three interface { Two; P() }`)
	for name, want := range map[string]string{
		"core/a.One": "M N io.Closer", "core/a.Generic": "",
		"core/b.Two": "M N O io.Closer", "core/b.Three": "M N O P io.Closer",
	} {
		if got := strings.Join(all.methods(name), " "); got != want {
			t.Errorf("%s has the methods %q, want %q", name, got, want)
		}
	}
}

// interfaces are the interfaces declared in some folders, by folder.Name.
type interfaces map[string]declared

type declared struct {
	folder  string
	imports map[string]string // path by the name in the file
	*ast.InterfaceType
}

// read adds the interfaces of a file; source is its text, or nil to read it.
func (all interfaces) read(t *testing.T, folder, file string, source any) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string]string{}
	for _, s := range f.Imports {
		imported := strings.Trim(s.Path.Value, `"`)
		name := path.Base(imported)
		if s.Name != nil {
			name = s.Name.Name
		}
		imports[name] = strings.TrimPrefix(imported, module+"/")
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if in, ok := spec.Type.(*ast.InterfaceType); ok {
				all[folder+"."+spec.Name.Name] = declared{folder, imports, in}
			}
		}
		return true
	})
}

// methods are the names of the methods of an interface; one of a foreign package counts as one method.
func (all interfaces) methods(name string) []string {
	d, known := all[name]
	if !known {
		return []string{name}
	}
	names := all.of(d)
	slices.Sort(names)
	return slices.Compact(names)
}

func (all interfaces) of(d declared) (names []string) {
	for _, field := range d.Methods.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
		if len(field.Names) > 0 {
			continue
		}
		switch embedded := field.Type.(type) {
		case *ast.Ident:
			names = append(names, all.methods(d.folder+"."+embedded.Name)...)
		case *ast.SelectorExpr:
			names = append(names, all.methods(d.imports[embedded.X.(*ast.Ident).Name]+"."+embedded.Sel.Name)...)
		case *ast.InterfaceType:
			names = append(names, all.of(declared{d.folder, d.imports, embedded})...)
		}
	}
	return names
}
