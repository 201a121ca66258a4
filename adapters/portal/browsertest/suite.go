package browsertest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// Server is a running service with the pages.
type Server struct {
	Origin      string        // scheme, host and port
	Link        func() string // makes a one-time link
	EndSessions func()        // ends all sessions
}

// Run runs the cases that every server of the pages must pass.
func Run(t *testing.T, server Server) {
	browser := Start(t)
	for _, c := range []struct {
		name string
		run  func(*Tab, Server)
	}{
		{"link", linkOpensOnce},
		{"keys", keysLiveAndEnd},
		{"over", sessionOverKeepsWork},
		{"keyboard", keysWithoutAMouse},
		{"names", namesAreText},
		{"headers", headersHold},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(browser.Tab(t, server.Origin), server) })
	}
}

// first is true on the first page of a person.
const first = `document.querySelector("h1")?.textContent === "Parts"`

// SignIn opens a new link and waits for the first page.
func SignIn(t *Tab, s Server) {
	t.t.Helper()
	t.Open(s.Link())
	t.Wait(first)
}

// OpenKeys signs in and opens the page of keys.
func OpenKeys(t *Tab, s Server) {
	t.t.Helper()
	SignIn(t, s)
	t.Open("/portal/developers/keys")
	t.Wait(`document.querySelector("h1")?.textContent === "Keys"`)
}

// linkOpensOnce follows a link, then again, signed in and signed out.
func linkOpensOnce(t *Tab, s Server) {
	link := s.Link()
	if !strings.Contains(link, "#token=") {
		t.t.Fatalf("the link %q has no token in its fragment", link)
	}
	t.Open(link)
	t.Wait(first)
	if at := Eval[string](t, "location.href"); at != s.Origin+"/portal/parts" {
		t.t.Errorf("the address is %q", at)
	}
	if n := Eval[int](t, `performance.getEntriesByType("resource").filter(e => e.name.includes("/api/session")).length`); n != 1 {
		t.t.Errorf("the session took %d requests, want 1", n)
	}
	stored := Eval[string](t, `JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])`)
	if stored != `[{},{},"",null]` {
		t.t.Errorf("the page stores %s", stored)
	}
	t.Open("/portal/about")
	t.WaitText("Your session")
	t.Open(link)
	t.WaitText("You are still signed in.")
	t.Click("Sign out")
	t.WaitText("You are signed out")
	t.Open("/portal/developers/keys")
	t.WaitText("millwright portal link")
	t.Open(link)
	t.WaitText("This link was used before")
	t.WaitText("millwright portal link")
	t.Fill("Paste the link here", s.Link())
	t.Click("Sign in")
	t.Wait(first)
}

// makeKey creates a key and returns its text.
func makeKey(t *Tab, name string) string {
	t.t.Helper()
	t.Click("New key")
	t.Fill("Name", name)
	t.Click("Create key")
	t.WaitText("Store the text of the key")
	return Eval[string](t, `document.querySelector("[data-key-text]").textContent`)
}

// row is an expression for the text of a row of the keys that work.
func row(name string) string {
	return fmt.Sprintf(`([...document.querySelectorAll("table[aria-label='Keys that work'] tr")]
		.map(r => r.innerText.replace(/\s+/g, " ")).find(r => r.includes(%q)) ?? "")`, name)
}

// rows is true when n keys of a name are among the keys that work, or among those that ended.
func rows(state, name string, n int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("table[aria-label='Keys that %s'] th[scope=row]")]
		.filter(h => h.textContent.startsWith(%q)).length === %d`, state, name, n)
}

// keysLiveAndEnd creates, changes, rolls and revokes a key, with the checks of each form.
func keysLiveAndEnd(t *Tab, s Server) {
	OpenKeys(t, s)
	t.Click("New key")
	t.Click("Create key")
	t.WaitText("Give the key a name.")
	t.Fill("Origins", "shop.example")
	t.WaitText("Line 1 is not an origin")
	t.WaitText("Every visitor of these pages can read the key.")
	t.Fill("Origins", "https://shop.example:8443")
	t.WaitGone("is not an origin")
	if locked := Eval[bool](t, `[...document.querySelectorAll(".grid input")].every(b => b.checked)
		&& document.querySelectorAll(".grid input:disabled").length === 1`); !locked {
		t.t.Error("a new key does not begin with all boxes, and reading in core locked")
	}
	t.Fill("Name", "first")
	t.Click("30 days")
	t.Click("Create key")
	t.WaitText("Store the text of the key")
	text := Eval[string](t, `document.querySelector("[data-key-text]").textContent`)
	if len(text) < 20 {
		t.t.Fatalf("the text of the key is %q", text)
	}
	if strings.Contains(Eval[string](t, `document.querySelector("dialog pre").textContent`), text) {
		t.t.Error("the command has the text of the key")
	}
	t.Click("Copy the text")
	t.WaitText("Copied")
	t.Click("I stored it")
	t.Wait(row("first") + `.includes("https://shop.example:8443")`)
	if Eval[bool](t, fmt.Sprintf(`document.documentElement.outerHTML.includes(%q)`, text)) {
		t.t.Error("the text of the key is on the page after its dialog is closed")
	}

	t.Click("Change first")
	t.Fill("Name", "second")
	t.Click("Never")
	t.Click("Save")
	t.WaitText("second is changed.")
	t.Wait(row("second") + `.includes("Never")`)

	t.Click("Roll second")
	t.Click("1 hour more")
	t.Click("Roll key")
	t.WaitText("Store the new text")
	t.Wait(`/stops in (0:59:|1:00:)/.test(document.querySelector("dialog").innerText)`)
	if Eval[string](t, `document.querySelector("[data-key-text]").textContent`) == text {
		t.t.Error("the new text is the old one")
	}
	t.Click("I stored it")
	t.Wait(rows("work", "second", 2))
	t.WaitText("Ending")
	t.Click("End now")
	t.Click("End it now")
	t.Wait(rows("ended", "second", 1))

	t.Click("Revoke second")
	if Eval[bool](t, `[...document.querySelectorAll("dialog button")].some(b => b.textContent === "Revoke key" && !b.disabled)`) {
		t.t.Error("a key can be revoked without its name")
	}
	t.Fill("Type the name", "second")
	t.Click("Revoke key")
	t.Wait(rows("ended", "second", 2))
	t.Click("Usage")
	t.WaitText("Reads are free.")
}

// sessionOverKeepsWork ends the session below a form.
func sessionOverKeepsWork(t *Tab, s Server) {
	OpenKeys(t, s)
	t.Click("New key")
	t.Fill("Name", "kept")
	t.Click("Never")
	s.EndSessions()
	t.Click("Create key")
	t.WaitText("Your session is over")
	t.Type(kb.Escape + kb.Escape)
	t.WaitText("Your session is over")
	t.Click("I signed in in another tab")
	t.WaitText("There is no session in this browser yet.")
	t.Fill("Paste the link here", s.Link())
	t.Click("Sign in")
	t.WaitGone("Your session is over")
	if name := Eval[string](t, `field("Name").value`); name != "kept" {
		t.t.Errorf("the form has the name %q after the session was continued, want kept", name)
	}
	t.Click("Create key")
	t.WaitText("Store the text of the key")
	t.Click("I stored it")
	t.Wait(row("kept") + `.includes("Never")`)
}

// keysWithoutAMouse creates and revokes a key by the keyboard, and follows the focus.
func keysWithoutAMouse(t *Tab, s Server) {
	OpenKeys(t, s)
	focused := func(text string) {
		t.t.Helper()
		t.Wait(fmt.Sprintf(`words(document.activeElement).startsWith(%q)`, text))
	}
	t.TabTo("New key")
	t.Type(kb.Enter)
	t.Wait(`document.activeElement === field("Name")`)
	t.Type(kb.Escape)
	t.Wait(`!document.querySelector("dialog")`)
	focused("New key")
	t.Type(kb.Enter)
	t.Wait(`document.activeElement === field("Name") && document.querySelector(".grid input")`)
	t.Type("typed" + kb.Enter)
	t.WaitText("Store the text of the key")
	t.Type(kb.Escape) // the text is not stored: the first Esc warns
	t.WaitText("Close again to confirm.")
	t.Type(kb.Escape)
	t.Wait(`!document.querySelector("dialog")`)
	t.Wait(row("typed") + ` !== ""`)
	t.TabTo("Revoke typed")
	t.Type(kb.Enter)
	t.Wait(`document.activeElement === field("Type the name")`)
	t.Type("typed" + kb.Enter)
	t.WaitText("typed no longer works.")
	t.Wait(`document.activeElement !== document.body`)
	t.TabTo("Usage")
	t.Type(kb.Enter)
	t.Wait(`document.activeElement.tagName === "H1" && document.title.startsWith("Usage")`)
}

// namesAreText shows names that are code and names that turn the direction of text.
func namesAreText(t *Tab, s Server) {
	OpenKeys(t, s)
	for _, name := range []string{`<img src=x onerror=alert(1)>`, "safe\u202egpj.exe"} {
		makeKey(t, name)
		t.Click("I stored it")
		t.Wait(row(name) + ` !== ""`)
	}
	if n := Eval[int](t, `document.querySelectorAll("main img").length`); n != 0 {
		t.t.Errorf("a name became %d elements", n)
	}
}

// headersHold reads the headers of a page and of its program.
func headersHold(t *Tab, s Server) {
	t.Open("/portal/")
	t.WaitText("millwright portal link")
	response, err := http.Get(s.Origin + "/portal/developers/keys")
	t.do(err, "get the page")
	defer func() { _ = response.Body.Close() }()
	policy := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
		"require-trusted-types-for 'script'",
	} {
		if !strings.Contains(policy, want) {
			t.t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin",
	} {
		if got := response.Header.Get(name); got != want {
			t.t.Errorf("the header %s is %q, want %q", name, got, want)
		}
	}
	cached := Eval[string](t, `fetch(document.querySelector("script[src]").src)
		.then(r => r.headers.get("Cache-Control"))`)
	if !strings.Contains(cached, "immutable") {
		t.t.Errorf("the program is kept as %q, want immutable", cached)
	}
}
