package millwright_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/core/fault"
)

// TestWarningsHaveListedCodes collects the codes of all warnings in the program, and compares them with the list of
// package fault in both directions.
func TestWarningsHaveListedCodes(t *testing.T) {
	listed := map[string]bool{fault.Unspecified: true} // true: found
	for _, c := range fault.WarningCodes() {
		if _, twice := listed[c.Code]; twice && c.Code != fault.Unspecified {
			t.Errorf("%s is listed twice", c.Code)
		}
		if c.Meaning == "" || strings.HasSuffix(c.Meaning, ".") {
			t.Errorf("%s: %q is no clause", c.Code, c.Meaning)
		}
		listed[c.Code] = c.Code == fault.Unspecified
	}
	for code, where := range warningCodes(t) {
		if _, ok := listed[code]; !ok {
			t.Errorf("%s gives warnings of the code %q, which core/fault/warningcode.go does not list", where, code)
		}
		listed[code] = true
	}
	for code, found := range listed {
		if !found {
			t.Errorf("no warning of the code %q is given", code)
		}
	}
}

// warningCodes returns the codes and a file of each: the first code-like words or constants among the arguments of the
// functions that create warnings.
func warningCodes(t *testing.T) map[string]string {
	constants, names, codes := map[string]string{}, map[string]string{}, map[string]string{}
	eachGoFile(t, func(path string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") || !within(folder, "core") && !within(folder, "adapters/cad") &&
			!within(folder, "compute/tessellate") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if text, ok := codeLiteral(v); ok && i < len(n.Names) {
						constants[filepath.Base(folder)+"."+n.Names[i].Name] = text
					}
				}
			case *ast.CallExpr:
				if !warns(n.Fun) {
					return true
				}
				for _, arg := range n.Args[:min(3, len(n.Args))] {
					if text, ok := codeLiteral(arg); ok {
						codes[text] = path
					} else if name := constantName(filepath.Base(folder), arg); name != "" {
						names[name] = path
					}
				}
			}
			return true
		})
	})
	for name, path := range names {
		if text, ok := constants[name]; ok {
			codes[text] = path
		}
	}
	return codes
}

// warns reports whether f names a function that creates warnings.
func warns(f ast.Expr) bool {
	return slices.Contains([]string{"warn", "Warn", "Warnf", "countLeftOut", "lose", "Tell", "made"}, lastName(f))
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// constantName is package.Name of an expression that may be a constant, in a file of a package.
func constantName(pkg string, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return pkg + "." + e.Name
	case *ast.SelectorExpr:
		return lastName(e.X) + "." + e.Sel.Name
	}
	return ""
}

var looksLikeCode = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

func codeLiteral(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil && looksLikeCode.MatchString(text)
}
