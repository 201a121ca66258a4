package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"millwright.dev/millwright/core/service/account"
)

// gridOf is a grid with one level in an area and another in the others.
func gridOf(area string, level, others account.Level) account.AccessGrid {
	g := account.AccessGrid{Core: others, DFM: others, Quoting: others}
	switch area {
	case "core":
		g.Core = level
	case "dfm":
		g.DFM = level
	case "quoting":
		g.Quoting = level
	}
	return g
}

// TestAccessToEveryOperation sends every operation with every level of access to its area, while the other areas
// are closed or open: only the level in its own area counts.
func TestAccessToEveryOperation(t *testing.T) {
	h := newHarness(t, cube)
	var d struct {
		Paths map[string]map[string]struct {
			Product string `json:"x-product"`
		}
	}
	h.doAs("", "GET", "/v1/openapi.json", nil).decode(t, &d)
	keys := map[account.AccessGrid]string{}
	for path, methods := range d.Paths {
		for method, op := range methods {
			if op.Product == "public" {
				continue
			}
			for _, level := range []account.Level{account.LevelNone, account.LevelRead, account.LevelWrite} {
				for _, others := range []account.Level{account.LevelNone, account.LevelWrite} {
					grid := gridOf(op.Product, level, others)
					if keys[grid] == "" {
						keys[grid] = h.newKey("acme", grid)
					}
					h.checkAccess(keys[grid], grid, account.Area(op.Product), strings.ToUpper(method), path)
				}
			}
		}
	}
}

// checkAccess sends an operation, with a record that does not exist, and looks at whether it is let in.
func (h *harness) checkAccess(key string, grid account.AccessGrid, area account.Area, method, path string) {
	h.t.Helper()
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "00000000-0000-7000-8000-000000000000"
		}
	}
	want := ""
	switch level := grid.In(area); {
	case level == account.LevelNone:
		want = "product_mismatch"
	case level == account.LevelRead && method != http.MethodGet:
		want = "read_only_key"
	}
	r := h.doAs(key, method, strings.Join(segments, "/"), nil)
	if want == "" {
		if r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized {
			h.t.Errorf("%s %s with %+v: %s %s, want it let in", method, path, grid, r.Status, r.body)
		}
		return
	}
	var p struct{ Code, Detail string }
	if r.decode(h.t, &p); r.StatusCode != http.StatusForbidden || p.Code != want ||
		!strings.Contains(p.Detail, " "+string(area)+"; it may ") || !strings.Contains(p.Detail, grid.String()) {
		h.t.Errorf("%s %s with %+v: %s %s, want 403 %s naming %s and what the key may do",
			method, path, grid, r.Status, r.body, want, area)
	}
}
