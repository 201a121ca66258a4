package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// undocumented returns the exported names that a file declares without a comment: types, functions, constants and
// variables, and methods of exported types. A comment on a group or at the end of a line is one. Methods of the
// language's own interfaces need none, and a program exports nothing.
func undocumented(name string, text []byte) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if file.Name.Name == "main" {
		return nil, nil
	}
	var found []string
	report := func(at ast.Node, exported string, docs ...*ast.CommentGroup) {
		for _, d := range docs {
			if d != nil {
				return
			}
		}
		found = append(found, fmt.Sprintf("%s:%d: %s has no comment", name, files.Position(at.Pos()).Line, exported))
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			of, ok := receiver(d)
			if ok && d.Name.IsExported() && (of == "" || !slices.Contains(wellKnown, d.Name.Name)) {
				report(d, of+d.Name.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						report(s, s.Name.Name, d.Doc, s.Doc, s.Comment)
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.IsExported() {
							report(n, n.Name, d.Doc, s.Doc, s.Comment)
						}
					}
				}
			}
		}
	}
	return found, nil
}

// wellKnown are methods that mean the same for every type.
var wellKnown = []string{"Error", "String", "Unwrap"}

// receiver returns the type of a method and a dot, nothing for a function; false for a method of a type that is not
// exported.
func receiver(f *ast.FuncDecl) (string, bool) {
	if f.Recv == nil {
		return "", true
	}
	t := f.Recv.List[0].Type
	for {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		case *ast.Ident:
			return of.Name + ".", of.IsExported()
		default:
			return "", false
		}
	}
}
