package portal_test

import (
	"testing"
	"time"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// manyLines answers requests for g-code with as many lines as the largest program of the corpus has, and measures the
// time from the answer to the first line on the page, ms.
const manyLines = `{ const real = fetch; let answered = 0; window.shownAfter = 0;
	const text = "G21\n" + Array.from({ length: 96499 }, (_, i) => "N" + i + " X" + (i % 617) / 10 + " Y" + (i % 89)).join("\n") + "\n";
	window.fetch = (to, init) => { if (!String(to).includes("/gcode?")) return real(to, init);
		answered = performance.now(); return Promise.resolve(new Response(text)); };
	new MutationObserver((_, o) => { if (document.querySelector(".codeline")) { shownAfter = performance.now() - answered; o.disconnect(); } })
		.observe(document, { childList: true, subtree: true }); }`

// TestGcodeOfManyLines opens, scrolls and searches 96,500 lines. The bounds leave room for a busy machine: a step takes
// a few frames.
func TestGcodeOfManyLines(t *testing.T) {
	w := newLiveWorld(t)
	p := w.readyPart(w.Acme)
	w.program(w.Acme, p, "", true)
	tab := w.visit(browsertest.Start(t), manyLines)
	tab.Open("/portal/parts/" + p.ID + "?tab=gcode")
	tab.WaitText("96,500 lines")
	if ms := browsertest.Eval[float64](tab, "shownAfter"); ms > 1000 {
		t.Errorf("the first line is shown after %.0f ms, want 1000", ms)
	}
	const most = 50 * time.Millisecond
	for _, c := range []struct {
		name, script string
		steps        int
	}{
		{"scrolling", `const list = document.querySelector(".codelist");
			for (let i = 1; i <= 60; i++) { list.scrollTop = i * 96500 * 20 / 60; await frame(); }`, 60},
		{"search", `const f = field("Search");
			for (const text of ["n", "n9", "n96", "n964", "x", "", "y", "y8", "n964", "n9648"]) { f.value = text;
				f.dispatchEvent(new Event("input", { bubbles: true })); await frame(); }`, 10},
		{"next hits", `for (let i = 0; i < 20; i++) {
			document.querySelector("[aria-label='Next hit']").click(); await frame(); }`, 20},
	} {
		before := tab.CPU()
		browsertest.Eval[bool](tab, `(async () => {
			const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
			`+c.script+` return true; })()`)
		each := (tab.CPU() - before) / time.Duration(c.steps)
		t.Logf("%s: %v of the processor for each step", c.name, each)
		if each > most {
			t.Errorf("%s takes %v of the processor for each step, want %v", c.name, each, most)
		}
	}
	tab.WaitText("10 of 11") // N9648 and N96480 to N96489, twenty hits on from the first
	if n := browsertest.Eval[int](tab, `document.querySelectorAll(".codeline").length`); n > 150 {
		t.Errorf("%d lines are elements", n)
	}
}
