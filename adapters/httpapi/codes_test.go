package httpapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/httpapi/openapi"
	"millwright.dev/millwright/core/service/apierr"
)

// TestEveryCodeHasAPage gets the page at the type of each problem.
func TestEveryCodeHasAPage(t *testing.T) {
	service := New(UseCases{}, Config{})
	for code := range statusOf {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, httptest.NewRequest(http.MethodGet, newProblem(code, "").Type, nil))
		meaning, _ := openapi.Meaning(code)
		if w.Code != http.StatusOK || meaning == "" || !strings.Contains(w.Body.String(), "<code>"+string(code)+"</code>") {
			t.Errorf("%s means %q: %d %s", code, meaning, w.Code, w.Body)
		}
	}
}

// Every code of the contract has a status, and no other has one.
func TestEveryCodeHasAStatus(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../core/service/apierr/apierr.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		value, ok := n.(*ast.ValueSpec)
		if !ok || value.Type == nil || len(value.Values) != 1 {
			return true
		}
		text, err := strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		declared++
		if statusOf[apierr.Code(text)] == 0 {
			t.Errorf("%s has no status", text)
		}
		return true
	})
	if declared == 0 || declared != len(statusOf) {
		t.Errorf("%d codes are declared, %d have a status", declared, len(statusOf))
	}
}
