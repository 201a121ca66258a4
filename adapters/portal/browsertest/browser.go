// Package browsertest drives the pages of the portal in Chromium. It has the cases that every server of the pages must
// pass, and the tools of further cases.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience bounds the wait for a state of a page.
const patience = 20 * time.Second

// Browser is a running Chromium.
type Browser struct {
	ctx context.Context

	mu   sync.Mutex
	idle []*window
}

// window is a window of a browser without the cookies of others. Tests show tabs in it, one after the other: a new
// window costs seconds of processor time.
type window struct {
	ctx  context.Context
	stop context.CancelFunc

	mu      sync.Mutex
	tab     *Tab
	scripts []page.ScriptIdentifier // that tests added
}

// Start runs Chromium until the test ends. The test is skipped among short tests, and where Chromium is not installed.
func Start(t *testing.T) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT CHECKED: pages are driven in long tests")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("NOT CHECKED: chromium is not installed; make test installs it as root")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.Flag("disable-gpu", false),
		chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-gpu-rasterization", true), // pages without a picture need no emulated GPU
		chromedp.Flag("disable-gpu-compositing", true),
		chromedp.Flag("disable-back-forward-cache", true), // a page that is left has ended
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("lang", "en-US"),
		chromedp.Env("TZ=UTC"),
		chromedp.WSURLReadTimeout(2*time.Minute), // a busy machine
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		stop()
		stopAllocator()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return &Browser{ctx: ctx}
}

// Tab is a page in a window without the cookies of others.
type Tab struct {
	t      *testing.T
	ctx    context.Context
	window *window
	origin string

	mu     sync.Mutex
	faults []string // of the program and of the policy; a page has none
}

// Tab opens an empty page, for a server by its origin. Until the test ends, the page must have no error of script, no
// violation of its policy, and no request to another origin.
func (b *Browser) Tab(t *testing.T, origin string) *Tab {
	t.Helper()
	w := b.window(t)
	tab := &Tab{t: t, ctx: w.ctx, window: w, origin: origin}
	w.show(tab)
	t.Cleanup(func() {
		for _, f := range tab.Faults() {
			t.Errorf("the page has a fault: %s", f)
		}
		if err := w.empty(); err != nil || t.Failed() {
			w.stop()
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.idle = append(b.idle, w)
	})
	tab.Look(1440, 900, false)
	return tab
}

// window returns an idle window, or a new one.
func (b *Browser) window(t *testing.T) *window {
	t.Helper()
	b.mu.Lock()
	if n := len(b.idle); n > 0 {
		defer b.mu.Unlock()
		w := b.idle[n-1]
		b.idle = b.idle[:n-1]
		return w
	}
	b.mu.Unlock()
	w := &window{}
	w.ctx, w.stop = chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	tab := &Tab{t: t, ctx: w.ctx, window: w}
	tab.do(chromedp.Do(w.ctx), "open a window")
	tab.do(chromedp.Listen(w.ctx, w.listen), "listen")
	_, err := chromedp.Call(w.ctx, network.Enable, network.EnableParams{})
	tab.do(err, "watch the network")
	tab.Inject(prelude)
	w.scripts = nil // it stays
	return w
}

// show has a tab get the events of the window.
func (w *window) show(tab *Tab) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tab = tab
}

func (w *window) listen(event any) {
	w.mu.Lock()
	tab := w.tab
	w.mu.Unlock()
	if tab != nil {
		tab.listen(event)
	}
}

// empty leaves the page without a question, and takes away what a test set.
func (w *window) empty() error {
	w.show(nil)
	_, left := chromedp.Run(w.ctx, chromedp.Evaluate[bool](`window.leaving = true`))
	left = errors.Join(left, chromedp.Do(w.ctx, chromedp.Navigate("about:blank")))
	for _, id := range w.scripts {
		_, err := chromedp.Call(w.ctx, page.RemoveScriptToEvaluateOnNewDocument,
			page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: id})
		left = errors.Join(left, err)
	}
	w.scripts = nil
	_, err := chromedp.Call(w.ctx, network.ClearBrowserCookies, cdp.Empty{})
	return errors.Join(left, err)
}

// listen notes faults of the page.
func (t *Tab) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		t.note("exception " + text)
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			if text := string(a.Value); strings.Contains(text, violation) {
				t.note(text)
			}
		}
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		if err == nil && strings.HasPrefix(u.Scheme, "http") && u.Scheme+"://"+u.Host != t.origin {
			t.note("request to another origin: " + e.Request.URL)
		}
	}
}

func (t *Tab) note(fault string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fault)
}

// Faults returns the faults so far and forgets them.
func (t *Tab) Faults() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.faults
	t.faults = nil
	return out
}

func (t *Tab) do(err error, what string) {
	t.t.Helper()
	if err != nil {
		t.t.Fatalf("%s: %v", what, err)
	}
}

// Look sets the size of the window in pixels and the colors that the person prefers.
func (t *Tab) Look(width, height int64, dark bool) {
	t.t.Helper()
	t.do(chromedp.Do(t.ctx, chromedp.EmulateViewport(width, height)), "set the size")
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	_, err := chromedp.Call(t.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	t.do(err, "set the colors")
}

// preferNoMotion sets that the person prefers reduced motion, until Look sets colors.
func (t *Tab) preferNoMotion() {
	t.t.Helper()
	_, err := chromedp.Call(t.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	t.do(err, "prefer no motion")
}

// Open loads an address of the server.
func (t *Tab) Open(address string) {
	t.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = t.origin + address
	}
	ctx, stop := context.WithTimeout(t.ctx, patience)
	defer stop()
	t.do(chromedp.Do(ctx, chromedp.Navigate(address)), "open "+address)
}

// Reload loads the page again.
func (t *Tab) Reload() {
	t.t.Helper()
	t.do(chromedp.Do(t.ctx, chromedp.Reload()), "reload")
}

// Eval returns the value of an expression in the page.
func Eval[T any](t *Tab, expression string) T {
	t.t.Helper()
	v, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	t.do(err, "evaluate "+expression)
	return v
}

// Wait waits until an expression in the page is true.
func (t *Tab) Wait(expression string) {
	t.t.Helper()
	script := fmt.Sprintf(`new Promise(done => { const end = performance.now() + 1000; const look = () => {
		let is = false; try { is = !!(%s) } catch {}
		if (is || performance.now() > end) done(is); else setTimeout(look, 15); }; look() })`, expression)
	var last error
	for end := time.Now().Add(patience); time.Now().Before(end); {
		is, err := chromedp.Run(t.ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
		if last = err; err == nil && is { // a page that is left while it evaluates gives an error
			return
		}
	}
	text, _ := chromedp.Run(t.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
	t.t.Fatalf("the page does not become so: %s (%v)\n%s", expression, last, text)
}

// Inject has a script run in each page that is loaded from now on, before the page's own.
func (t *Tab) Inject(script string) {
	t.t.Helper()
	added, err := chromedp.Call(t.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	t.do(err, "add a script")
	t.window.scripts = append(t.window.scripts, added.Identifier)
}

// NextFrame waits until the page is drawn again.
func NextFrame(t *Tab) {
	t.t.Helper()
	Eval[bool](t, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// WaitText waits until the page shows a text.
func (t *Tab) WaitText(text string) {
	t.t.Helper()
	t.Wait(fmt.Sprintf("shown(%q)", text))
}

// WaitGone waits until the page does not show a text.
func (t *Tab) WaitGone(text string) {
	t.t.Helper()
	t.Wait(fmt.Sprintf("!shown(%q)", text))
}

// point is the center of an element in the window.
type point struct{ X, Y float64 }

// Click clicks with the mouse on a button, link, box or summary by the start of its text. An open dialog hides the
// page below it.
func (t *Tab) Click(text string) {
	t.t.Helper()
	t.Wait(fmt.Sprintf("rests(control(%q))", text))
	at := Eval[point](t, fmt.Sprintf("center(control(%q))", text))
	t.do(chromedp.Do(t.ctx, chromedp.MouseClickXY(at.X, at.Y)), "click "+text)
}

// Fill replaces the text of a field by the start of its label.
func (t *Tab) Fill(label, text string) {
	t.t.Helper()
	t.Wait(fmt.Sprintf("rests(field(%q))", label))
	at := Eval[point](t, fmt.Sprintf("center(field(%q))", label))
	t.do(chromedp.Do(t.ctx, chromedp.MouseClickXY(at.X, at.Y)), "focus "+label)
	Eval[bool](t, "document.activeElement.select() === undefined")
	_, err := chromedp.Call(t.ctx, input.InsertText, input.InsertTextParams{Text: text})
	t.do(err, "fill "+label)
}

// Type presses keys: text, and those of the package kb.
func (t *Tab) Type(keys string) {
	t.t.Helper()
	t.do(chromedp.Do(t.ctx, chromedp.KeyEvent(keys)), "type")
}

// TabTo presses the key Tab until the element that has the focus begins with a text.
func (t *Tab) TabTo(text string) {
	t.t.Helper()
	t.TabUntil(fmt.Sprintf(`words(document.activeElement).startsWith(%q)`, text))
}

// TabUntil presses the key Tab until an expression in the page is true.
func (t *Tab) TabUntil(expression string) {
	t.t.Helper()
	t.Wait(`!document.querySelector("[aria-busy=true]")`) // keys go before answers that have arrived
	for range 150 {
		t.Type(kb.Tab)
		if Eval[bool](t, expression) {
			return
		}
	}
	t.t.Fatalf("the key Tab does not reach %s", expression)
}

// Shot writes a picture of the whole page into a folder; "" = none.
func (t *Tab) Shot(folder, name string) {
	t.t.Helper()
	if folder == "" {
		return
	}
	png, err := chromedp.Run(t.ctx, chromedp.CaptureScreenshot())
	t.do(err, "take a picture")
	t.do(os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644), "write a picture")
}

// violation begins the line of the console for a violation of the policy.
const violation = "policy violation:"

// prelude finds elements as a person does: by their text, in the topmost dialog.
const prelude = `
addEventListener("securitypolicyviolation", e =>
	console.log("` + violation + ` " + e.violatedDirective + " " + e.blockedURI + " " + e.sample));
addEventListener("beforeunload", e => window.leaving && e.stopImmediatePropagation());
window.layer = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
window.visible = e => e.getClientRects().length > 0 && !e.disabled;
window.words = e => (e.getAttribute("aria-label") ?? e.textContent).replace(/\s+/g, " ").trim();
window.control = text => {
	const all = [...layer().querySelectorAll("button, a, summary, label, option")].filter(visible);
	return all.find(e => words(e) === text) ?? all.find(e => words(e).startsWith(text));
};
window.field = text => [...layer().querySelectorAll("label")]
	.filter(l => words(l).startsWith(text)).map(l => l.control).find(Boolean);
window.shown = text => layer().innerText.replace(/\s+/g, " ").includes(text);
let last = "";
window.rests = e => {
	const { X, Y } = center(e), now = words(e) + X + " " + Y, is = now === last;
	last = now;
	return is;
};
window.center = e => {
	e.scrollIntoView({ block: "center", behavior: "instant" });
	const r = e.getBoundingClientRect();
	return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
};`
