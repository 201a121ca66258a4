package browsertest

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp/kb"
)

func partIsRenamed(t *Tab, s *partSuite) {
	t.Open(s.part)
	t.Click("Rename")
	t.Fill("Name", "pump housing \u202e<b>.stp")
	t.Click("Save")
	t.WaitText("The part is now called")
	if n := Eval[int](t, `document.querySelectorAll("main b").length`); n != 0 {
		t.t.Errorf("a name became %d elements", n)
	}
	t.Click("Rename")
	t.Fill("Name", "pump.dwg")
	t.Click("Save")
	t.WaitText("The name is not changed.")
	t.Type(kb.Escape)
}

// loseContext takes the context of the picture away, as a browser does that is short of memory.
const loseContext = `document.querySelector(".stage canvas").getContext("webgl2").getExtension("WEBGL_lose_context")
	.loseContext() === undefined`

// lostPictureIsRebuilt takes the context away twice. The picture comes back once; tree and datasheet stay.
func lostPictureIsRebuilt(t *Tab, s *partSuite) {
	t.Open(s.part)
	t.Wait(shown3D)
	Eval[bool](t, `(window.first = document.querySelector(".stage canvas")) && `+loseContext)
	t.Wait(`document.querySelector(".stage canvas") && document.querySelector(".stage canvas") !== first && ` + shown3D)
	Eval[bool](t, loseContext)
	t.WaitText("has taken the picture away twice")
	s.inspect(t, "part-lost")
	t.Wait(`document.querySelector(".standin img").naturalWidth > 0 && document.querySelector("[role=treeitem]")`)
	t.Click("Try again")
	t.Wait(shown3D)
}

// partWithoutWebGL opens the part in a browser without WebGL.
func partWithoutWebGL(t *Tab, s *partSuite) {
	t.Inject(`HTMLCanvasElement.prototype.getContext = () => null`)
	t.Open(s.part)
	t.WaitText("This browser shows no 3D")
	t.Wait(`document.querySelector(".standin img").naturalWidth > 0 && document.querySelectorAll("[role=treeitem]").length > 3`)
}

// hugePartIsAskedFor makes the page believe that the mesh is huge.
func hugePartIsAskedFor(t *Tab, s *partSuite) {
	t.Inject(`const real = window.fetch; window.fetch = async (to, init) => {
		const answer = await real(to, init);
		if (!/\/v1\/parts\/[^/]*$/.test(String(to))) return answer;
		const text = await answer.text();
		return new Response(text.replace(/"meshTriangleCount":\d+/, '"meshTriangleCount":1246480'), answer);
	}`)
	t.Open(s.part)
	t.WaitText("Show in 3D (")
	s.inspect(t, "part-huge")
	if Eval[bool](t, `performance.getEntriesByType("resource").some(e => e.name.includes("viewer-"))`) {
		t.t.Error("the page loads three.js before the person asks for the picture")
	}
	t.Click("Show in 3D")
	t.Wait(shown3D)
}

// filesAreCheckedFirst drops files that the service would refuse. Nothing is sent.
func filesAreCheckedFirst(t *Tab, s *partSuite) {
	Eval[bool](t, `(window.before = performance.getEntriesByType("resource").length) >= 0`)
	t.Drop(File{"drawing.dwg", []byte("AC1032")}, File{"empty.step", nil})
	t.WaitText("This format is not read. Accepted are .stp .step")
	t.WaitText("The file is empty.")
	s.inspect(t, "parts-refused")
	t.Inject(`Object.defineProperty(File.prototype, "size", { get: () => 600e6 })`)
	t.Reload()
	t.Drop(File{"large.step", []byte("ISO")})
	t.WaitText("The file has 600 MB; the service accepts at most 500 MB.")
	if sent := Eval[[]string](t, `performance.getEntriesByType("resource").map(e => e.name).filter(n => n.includes("/objects/"))`); len(sent) > 0 {
		t.t.Errorf("files were sent to %q", sent)
	}
}

// failureIsTold drops a file that the service cannot read.
func failureIsTold(t *Tab, s *partSuite) {
	t.Drop(s.Broken)
	t.Click("Open it")
	t.WaitText("The part was not understood")
	record := fetchJSON[struct{ FailureReason, FailureCode string }](t,
		"parts/"+Eval[string](t, `location.pathname.split("/").at(-1)`)+"/record")
	t.WaitText(strings.Join(strings.Fields(record.FailureReason), " "))
	t.WaitText(record.FailureCode)
	s.inspect(t, "part-failed")
	got := Eval[string](t, `fetch(control("Download what was sent").href).then(r => r.text())`)
	if got != string(s.Broken.Data) {
		t.t.Errorf("the download has %d bytes, %d were sent", len(got), len(s.Broken.Data))
	}
	t.Click("Jobs")
	t.WaitText(strings.Join(strings.Fields(record.FailureReason), " "))
	s.inspect(t, "jobs-failed")
	t.Click("Try again")
	t.WaitText("The job stays as it is")
	t.Click("Part of")
	t.WaitText("The part was not understood")
	t.Click("Delete")
	t.Wait(`document.querySelector("dialog")`)
	t.Click("Delete")
	t.Wait(first)
	t.WaitText(s.Broken.Name + " is deleted.")
}

// fileIsSentLater sends the file of a part that was made without it, to an address that the page asks for.
func fileIsSentLater(t *Tab, s *partSuite) {
	id := Eval[string](t, `(async () => { for (;;) { // as often as the service takes parts
		const r = await fetch("/portal/api/v1/parts", { method: "POST", headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ fileName: "later.step", autoCreateProgram: false }) });
		if (r.status === 201) return (await r.json()).partId;
		await new Promise(done => setTimeout(done, 200));
	} })()`)
	t.Open("/portal/parts/" + id)
	t.WaitText("The file of this part has not arrived")
	t.Drop(File{"drawing.dwg", []byte("AC1032")})
	t.WaitText("This format is not read.")
	s.inspect(t, "part-unsent")
	t.Drop(s.Broken, File{"second.step", s.Broken.Data})
	t.WaitText("The part was not understood")
	if sent := Eval[string](t, `fetch(control("Download what was sent").href).then(r => r.text())`); sent != string(s.Broken.Data) {
		t.t.Errorf("the part has %d bytes, %d were sent", len(sent), len(s.Broken.Data))
	}
	if n := fetchJSON[struct{ Total int }](t, "parts?q=second").Total; n != 0 {
		t.t.Errorf("a second file became %d parts", n)
	}
}

// serviceThatIsDown takes the network away, and gives it back.
func serviceThatIsDown(t *Tab, s *partSuite) {
	t.Open(s.part)
	t.Wait(shown3D)
	t.offline(true)
	t.Click("Runs")
	t.WaitText("The runs cannot be shown.")
	t.WaitText("The service does not answer.")
	s.inspect(t, "part-down")
	t.offline(false)
	t.Click("Try again")
	t.Wait(`document.querySelector("table[aria-label=Runs] tbody tr")`)
	t.Click("Parts")
	t.Wait(first)
}

// offline has every request of the page fail, until it is set back.
func (t *Tab) offline(is bool) {
	t.t.Helper()
	Eval[bool](t, fmt.Sprintf(`(() => { window.real ??= window.fetch;
		window.fetch = %t ? () => Promise.reject(new TypeError("no network")) : real; return true })()`, is))
}

// queueWaits drops three files at once, more than the service takes at a time.
func queueWaits(t *Tab, s *partSuite) {
	if s.Pace == 0 {
		t.t.Skip("the service takes parts as fast as they come")
	}
	broken := func(name string) File { return File{name, s.Broken.Data} }
	t.Drop(broken("one.step"), broken("two.step"), broken("three.step"))
	t.WaitText("The service takes a part every few seconds.")
	t.Wait(`document.querySelectorAll(".upload").length === 3 &&
		[...document.querySelectorAll(".upload")].every(u => u.textContent.includes("Open it"))`)
	t.Click("Clear those that are sent")
	t.Wait(`document.querySelectorAll(".upload").length === 0`)
	t.Fill("Name", "two")
	t.Wait(`document.querySelectorAll("table[aria-label=Parts] tbody tr").length === 1`)
	t.WaitText("1 part")
	s.inspect(t, "parts-filtered")
}

// exampleIsTried sends the bundled part.
func exampleIsTried(t *Tab, s *partSuite) {
	t.Click("Try the bracket")
	t.Click("Open it")
	t.Wait(shown3D)
	t.WaitText("29 features")
}
