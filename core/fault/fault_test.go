package fault_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"millwright.dev/millwright/core/fault"
)

// TestCodesAreComplete compares the list, which the interface description shows, with the declarations.
func TestCodesAreComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fault.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []fault.Code
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.ValueSpec); ok && len(literal.Values) == 1 {
			text, err := strconv.Unquote(literal.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fault.Code(text))
		}
		return true
	})
	if got := fault.Codes(); len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("Codes() = %q, declared are %q", got, want)
	}
}

func TestErrorIsACodeAndASentence(t *testing.T) {
	err := fault.Errorf(fault.NoSolid, "#%d %s has no triangles.", 12, "TESSELLATED_SOLID")
	if got, want := err.Error(), "no_solid: #12 TESSELLATED_SOLID has no triangles."; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	text, _ := json.Marshal(err)
	if got, want := string(text), `{"code":"no_solid","reason":"#12 TESSELLATED_SOLID has no triangles."}`; got != want {
		t.Errorf("JSON = %s, want %s", got, want)
	}
}
