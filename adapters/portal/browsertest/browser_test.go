package browsertest_test

import (
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// TestBrowserFindsFaults breaks the policy in three ways, and checks that the tools of the tests see each.
func TestBrowserFindsFaults(t *testing.T) {
	f := newFake(t)
	tab := browsertest.Start(t).Tab(t, f.server.URL)
	tab.Open("/portal/")
	tab.WaitText("Sign in")
	for name, c := range map[string]struct{ script, want string }{
		"picture of another origin": {
			`document.body.append(Object.assign(new Image(), { src: "https://other.example/x.png" }))`, "img-src",
		},
		"style in HTML": {
			`document.querySelector("main").setAttribute("style", "color: red")`, "style-src",
		},
		"text that becomes HTML": {
			`(() => { try { document.querySelector("main").innerHTML = "<b>" } catch {} })()`, "require-trusted-types-for",
		},
		"exception": {
			`setTimeout(() => { throw new Error("broken page") })`, "broken page",
		},
	} {
		browsertest.Eval[bool](tab, c.script+", true")
		found := ""
		for range 50 { // a violation is reported some frames later
			browsertest.NextFrame(tab)
			if found += strings.Join(tab.Faults(), "\n"); strings.Contains(found, c.want) {
				break
			}
		}
		if !strings.Contains(found, c.want) {
			t.Errorf("%s: the faults %q lack %s", name, found, c.want)
		}
	}
}
