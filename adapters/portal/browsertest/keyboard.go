package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// KeyboardServer is a running service with a worker, for a visit without a mouse.
type KeyboardServer struct {
	Server
	Part File // small; it is planned
}

// RunKeyboard goes the way of a person through the pages by keys alone: a file is chosen, a feature picked, a program
// made and read, a cut config copied and saved, a key made.
func RunKeyboard(t *testing.T, s KeyboardServer) {
	tab := Start(t).Tab(t, s.Origin)
	SignIn(tab, s.Server)
	chooseByKeys(tab, s.Part)
	tab.TabTo("Open it")
	tab.Type(kb.Enter)
	tab.Wait(shown3D + ` && document.activeElement.tagName === "H1"`)
	featureByKeys(tab)
	tab.TabTo("Why it is one")
	tab.Type(" ")
	tab.Wait(`document.querySelectorAll(".feature .bullets li").length > 0`)

	Eval[bool](tab, `(document.querySelector("h1").focus(), true)`) // as the keys of screen readers do
	tab.TabUntil(`document.activeElement.id === "tab-part"`)
	tab.Type(kb.ArrowRight)
	tab.Wait(`document.activeElement.id === "tab-program"`)
	tab.TabTo("Plan this part")
	tab.Type(kb.Enter)
	tab.WaitText("your default")
	tab.TabUntil(`document.activeElement.type === "radio" && document.activeElement.checked`)
	tab.Type(kb.ArrowDown + kb.ArrowUp)
	tab.TabTo("Plan the part")
	tab.Type(kb.Enter)
	tab.WaitLong(`shown("Proof:")`)
	settled(tab)
	tab.TabUntil(`document.activeElement.matches(".cause .lightrow")`)
	tab.Type(" ")
	tab.Wait(`document.activeElement.getAttribute("aria-pressed") === "true"`)

	shopByKeys(tab)

	tab.TabTo("Keys")
	tab.Type(kb.Enter)
	tab.Wait(`document.activeElement.textContent === "Keys" && document.activeElement.tagName === "H1"`)
	tab.TabTo("New key")
	tab.Type(kb.Enter)
	tab.Wait(`document.activeElement === field("Name") && document.querySelector(".grid input")`)
	tab.Type("typed" + kb.Enter)
	tab.WaitText("Store the text of the key")
}

// chooseByKeys opens the dialog of files by the keyboard and chooses one.
func chooseByKeys(t *Tab, file File) {
	t.t.Helper()
	_, err := chromedp.Call(t.ctx, page.SetInterceptFileChooserDialog,
		page.SetInterceptFileChooserDialogParams{Enabled: true})
	t.do(err, "intercept the dialog of files")
	opened := make(chan page.EventFileChooserOpened, 1)
	t.do(chromedp.Listen(t.ctx, func(event any) {
		if e, ok := event.(*page.EventFileChooserOpened); ok {
			opened <- *e
		}
	}), "listen")
	t.Wait(`document.querySelector("[data-files]")`)
	t.TabTo("Choose files")
	t.Type(kb.Enter)
	path := filepath.Join(t.t.TempDir(), file.Name)
	t.do(os.WriteFile(path, file.Data, 0o600), "write the file")
	select {
	case e := <-opened:
		_, err := chromedp.Call(t.ctx, dom.SetFileInputFiles,
			dom.SetFileInputFilesParams{Files: []string{path}, BackendNodeID: e.BackendNodeID})
		t.do(err, "choose the file")
	case <-t.t.Context().Done():
		t.t.Fatal("no dialog of files opens")
	}
	t.WaitText("Sent. Open it.")
}

// shopByKeys copies the built-in cut config, changes a figure of the copy and saves it.
func shopByKeys(t *Tab) {
	t.t.Helper()
	t.TabTo("Shop")
	t.Type(kb.Enter)
	t.Wait(`document.activeElement.textContent === "Shop" && document.activeElement.tagName === "H1"`)
	t.TabTo("Copy Aluminium 6061")
	t.Type(kb.Enter)
	t.Wait(`location.pathname.startsWith("/portal/shop/cut-configs/") && field("Find a field")`)
	t.TabUntil(`document.activeElement === field("Find a field")`)
	t.Type("spindle speed")
	t.Wait(`document.querySelectorAll(".formfield").length < 5`)
	t.TabUntil(`document.activeElement === field("Spindle speed")`)
	t.Type("6500" + kb.Enter) // the key Tab selects what a field has
	t.WaitText("is saved.")
	if got := Eval[string](t, `field("Spindle speed").value`); got != "6500" {
		t.t.Errorf("the speed is %q, want 6500", got)
	}
}

// WaitLong waits until an expression in the page is true, for work that takes longer than that of a page.
func (t *Tab) WaitLong(expression string) {
	t.t.Helper()
	if !Eval[bool](t, fmt.Sprintf(`new Promise(done => { const end = performance.now() + 300e3, look = () => {
		let is = false; try { is = !!(%s) } catch {}
		if (is || performance.now() > end) done(is); else setTimeout(look, 100) }; look() })`, expression)) {
		t.t.Fatalf("the page does not become so in 300 s: %s", expression)
	}
}
