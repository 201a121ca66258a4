package browsertest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/adapters/problem"
)

// stage is a fake and a page of it that is signed in.
type stage struct {
	*testing.T
	*fake
	*browsertest.Tab
}

// fill gives the fake keys in every state and a month of usage.
func (f *fake) fill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now().UTC()
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	const day = 24 * time.Hour
	f.key("owner", object{
		"kind": "portal", "createdAt": ago(40 * day), "lastUsedAt": ago(time.Minute),
	})
	f.key("first try", object{
		"createdAt": ago(60 * day), "state": "expired", "expiresAt": ago(30 * day), "lastUsedAt": ago(31 * day),
	})
	f.key("laptop of Ada", object{
		"createdAt": ago(50 * day), "state": "revoked", "revokedAt": ago(20 * day),
		"grid": object{"core": "read", "dfm": "none", "quoting": "none"},
	})
	f.key("shop floor screen", object{
		"createdAt": ago(33 * day), "expiresAt": now.Add(3*day + time.Hour), "lastUsedAt": ago(2 * time.Hour),
		"grid":    object{"core": "read", "dfm": "read", "quoting": "none"},
		"origins": []any{"https://screens.shop.example", "http://localhost:5173"}, "createdBy": "Grace Hopper",
	})
	old := f.key("nightly quotes", object{
		"createdAt": ago(20 * day), "lastUsedAt": ago(4 * time.Minute), "state": "ending",
		"endsAt": now.Add(47 * time.Minute),
	})
	quotes := f.key("nightly quotes", object{
		"createdAt": ago(13 * time.Minute), "replaces": old["id"], "expiresAt": now.Add(90 * day),
		"lastUsedAt": ago(3 * time.Minute),
	})
	old["replacedBy"] = quotes["id"]
	f.key("a name that somebody wrote without any space: "+strings.Repeat("0123456789", 6), object{
		"createdAt": ago(8 * day), "origins": []any{"https://" + strings.Repeat("long-", 12) + "host.example:8443"},
	})
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 30 {
		for j, operation := range []string{"core", "quoting"} {
			calls := random.IntN(160)*(2-j) + 3
			if weekday := ago(time.Duration(i) * day).Weekday(); weekday == time.Saturday || weekday == time.Sunday {
				calls /= 20
			}
			f.usage = append(f.usage, object{
				"day": ago(time.Duration(i) * day).Format(time.DateOnly), "operation": operation, "calls": calls,
				"keyId": []any{old["id"], quotes["id"], "k1"}[(i+j)%3],
			})
		}
	}
}

// states are the states of the pages, each reached from a page that is signed in on a filled fake.
var states = []struct {
	name  string
	reach func(s *stage)
}{
	{"keys", func(s *stage) { s.WaitText("Keys") }},
	{"keys-ended", func(s *stage) { s.Click("2 keys that ended") }},
	{"keys-empty", func(s *stage) {
		s.mu.Lock()
		s.keys = nil
		s.mu.Unlock()
		s.Open("/portal/developers/keys")
		s.WaitText("No key yet")
	}},
	{"keys-waiting", func(s *stage) {
		never := make(chan struct{})
		s.set(nil, func(r *http.Request) <-chan struct{} {
			if strings.HasSuffix(r.URL.Path, "/keys") {
				return never
			}
			return closed
		})
		s.Open("/portal/developers/keys")
		s.WaitText("Keys load.")
	}},
	{"keys-problem", func(s *stage) {
		s.set(failing("/keys"), nil)
		s.Open("/portal/developers/keys")
		s.WaitText("0199-fake-request")
	}},
	{"new", func(s *stage) {
		s.Click("New key")
		s.WaitText("What the key may do")
	}},
	{"new-faults", func(s *stage) {
		s.Click("New key")
		s.Fill("Origins", "shop.example\nhttps://fine.example\nhttps://*.example")
		s.Click("Never")
		s.Click("Create key")
		s.WaitText("Line 3 is not an origin")
	}},
	{"new-problem", func(s *stage) {
		s.Click("New key")
		s.Fill("Name", "refused")
		s.set(failing("/keys"), nil)
		s.Click("Create key")
		s.WaitText("The key is not created.")
		s.Type(kb.Tab)
	}},
	{"text", func(s *stage) {
		s.Click("New key")
		s.Fill("Name", "bench")
		s.Click("Create key")
		s.WaitText("Store the text of the key")
	}},
	{"text-warning", func(s *stage) {
		s.Click("New key")
		s.Fill("Name", "bench")
		s.Click("Create key")
		s.WaitText("Store the text of the key")
		s.Type(kb.Escape)
		s.WaitText("Close again to confirm.")
	}},
	{"change", func(s *stage) { s.Click("Change shop floor screen"); s.WaitText("Change key") }},
	{"roll", func(s *stage) { s.Click("Roll shop floor screen"); s.WaitText("24 hours more") }},
	{"rolled", func(s *stage) {
		s.Click("Roll shop floor screen")
		s.Click("Roll key")
		s.WaitText("stops in")
	}},
	{"revoke", func(s *stage) { s.Click("Revoke shop floor screen"); s.Fill("Type the name", "shop floor") }},
	{"end", func(s *stage) { s.Click("End now"); s.WaitText("The new text goes on working.") }},
	{"revoked", func(s *stage) {
		s.Click("Revoke shop floor screen")
		s.Fill("Type the name", "shop floor screen")
		s.Click("Revoke key")
		s.WaitText("no longer works.")
	}},
	{"usage", func(s *stage) { s.Open("/portal/developers/usage"); s.WaitText("By day") }},
	{"usage-empty", func(s *stage) {
		s.mu.Lock()
		s.usage = nil
		s.mu.Unlock()
		s.Open("/portal/developers/usage")
		s.WaitText("No metered calls")
	}},
	{"usage-problem", func(s *stage) {
		s.set(failing("/usage"), nil)
		s.Open("/portal/developers/usage")
		s.WaitText("The usage cannot be shown.")
	}},
	{"about", func(s *stage) { s.Open("/portal/about"); s.WaitText("Your session") }},
	{"nowhere", func(s *stage) { s.Open("/portal/nowhere"); s.WaitText("There is no page at") }},
	{"over", func(s *stage) {
		s.Click("New key")
		s.Fill("Name", "kept")
		s.endSessions()
		s.Click("Create key")
		s.WaitText("Your session is over")
	}},
	{"signed-out", func(s *stage) { s.endSessions(); s.Open("/portal/"); s.WaitText("Paste the link here") }},
	{"link-used", func(s *stage) {
		link := s.link()
		_, token, _ := strings.Cut(link, "=")
		s.mu.Lock()
		s.links[token] = true
		s.mu.Unlock()
		s.endSessions()
		s.Open(link)
		s.WaitText("This link was used before")
	}},
	{"link-unknown", func(s *stage) {
		s.Open("/portal/welcome#token=nobody")
		s.WaitText("The service does not know this link.")
	}},
	{"down", func(s *stage) {
		s.set(failing("/session"), nil)
		s.Open("/portal/")
		s.WaitText("The portal cannot open")
	}},
}

var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// failing fails the requests to an address.
func failing(suffix string) func(*http.Request) *problem.Problem {
	return func(r *http.Request) *problem.Problem {
		if !strings.HasSuffix(r.URL.Path, suffix) {
			return nil
		}
		return problem.New(503, "unavailable", "The database does not answer; the service tries again by itself.")
	}
}

// TestBrowserStates shows every state in the looks that differ most, and in every look where pictures are taken. Each
// must fit its window and pass the rules of axe-core.
func TestBrowserStates(t *testing.T) {
	looks := browsertest.FewLooks
	if os.Getenv(browsertest.Pictures) != "" {
		looks = browsertest.Looks
	}
	browser := browsertest.Start(t)
	axe := browsertest.Axe(t)
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			f := newFake(t)
			f.fill()
			tab := browser.Tab(t, f.server.URL)
			browsertest.OpenKeys(tab, f.suite())
			state.reach(&stage{T: t, fake: f, Tab: tab})
			tab.Inspect(state.name, looks, axe)
		})
	}
}

// TestBrowserWaitsBeforeItSaysSo holds a list for less and for more than the patience of the pages.
func TestBrowserWaitsBeforeItSaysSo(t *testing.T) {
	f := newFake(t)
	f.fill()
	tab := browsertest.Start(t).Tab(t, f.server.URL)
	browsertest.OpenKeys(tab, f.suite())
	gate := make(chan struct{})
	f.set(nil, func(r *http.Request) <-chan struct{} {
		if strings.HasSuffix(r.URL.Path, "/keys") {
			return gate
		}
		return closed
	})
	// The times of both sights are taken in the page, by one clock.
	tab.Open("/portal/about")
	tab.WaitText("Your session")
	browsertest.Eval[bool](tab, `(() => {
		window.seen = {};
		const start = performance.now();
		new MutationObserver(() => {
			if (document.querySelector("h1")?.textContent === "Keys") seen.page ??= performance.now() - start;
			if (shown("Keys load.")) seen.spinner ??= performance.now() - start;
		}).observe(document.body, { childList: true, subtree: true });
		return true;
	})()`)
	tab.Click("Keys")
	tab.Wait("seen.spinner")
	wait := browsertest.Eval[float64](tab, "seen.spinner - seen.page")
	if wait < 250 { // the title and the timer begin in different frames
		t.Errorf("the page says after %.0f ms that it waits, want no less than 300", wait)
	}
	close(gate)
	tab.WaitGone("Keys load.")
	tab.WaitText("shop floor screen")
}

// TestBrowserTriesAgain fails the list of keys, then the creation of one, and repeats both.
func TestBrowserTriesAgain(t *testing.T) {
	f := newFake(t)
	f.fill()
	tab := browsertest.Start(t).Tab(t, f.server.URL)
	browsertest.OpenKeys(tab, f.suite())
	f.set(failing("/keys"), nil)
	tab.Open("/portal/developers/keys")
	for _, want := range []string{"The database does not answer", "unavailable", "0199-fake-request"} {
		tab.WaitText(want)
	}
	f.set(nil, nil)
	tab.Click("Try again")
	tab.WaitText("shop floor screen")
	tab.Click("New key")
	tab.Fill("Name", "again")
	f.set(failing("/keys"), nil)
	tab.Click("Create key")
	tab.WaitText("The key is not created.")
	tab.Wait(`document.querySelector("dialog .problem").getBoundingClientRect().bottom
		<= document.querySelector("dialog footer").getBoundingClientRect().top`)
	f.set(nil, nil)
	tab.Click("Create key")
	tab.WaitText("Store the text of the key")
	f.mu.Lock()
	defer f.mu.Unlock()
	if got := fmt.Sprint(f.keys[len(f.keys)-1]["name"]); got != "again" {
		t.Errorf("the key is called %q, want again", got)
	}
}
