package browsertest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ProgramServer is a running service with a part that is ready and has no program.
type ProgramServer struct {
	Server
	Part   string // id
	Folder string // with the files that the command line made of the part, with the default cut config
	Axe    string // the program of axe-core, "" = none
}

// RunProgram runs the cases of the tabs of programs. They share one page and build upon each other.
func RunProgram(t *testing.T, s ProgramServer) {
	tab := Start(t).Tab(t, s.Origin)
	tab.Open(s.Link())
	tab.Wait(`document.querySelector("h1")?.textContent === "Parts"`)
	for _, c := range []struct {
		name string
		run  func(*Tab, ProgramServer)
	}{
		{"asked", programIsAskedFor},
		{"left", everyThingNotMadeLights},
		{"price", priceIsTheEstimate},
		{"gcode", gcodeIsSearched},
		{"files", filesAreThoseOfTheCommandLine},
		{"keyboard", programWithoutAMouse},
	} {
		if !t.Run(c.name, func(t *testing.T) {
			tab.t = t
			c.run(tab, s)
		}) {
			break
		}
	}
	tab.t = t
}

// view opens a tab of the part.
func (s ProgramServer) view(t *Tab, name string) {
	t.t.Helper()
	t.Open("/portal/parts/" + s.Part + "?tab=" + name)
}

// settled waits until the tab shows its data.
func settled(t *Tab) {
	t.t.Helper()
	t.Wait(`document.querySelector(".programtab .panel") && !document.querySelector(".programtab[aria-busy=true], .waiting")`)
}

// fetched is an answer of the service to the page.
func fetched[T any](t *Tab, path string) T {
	t.t.Helper()
	text := Eval[string](t, fmt.Sprintf(`fetch("/portal/api"+%q).then(r => r.text())`, path))
	var out T
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.t.Fatalf("%s: %v: %.200s", path, err, text)
	}
	return out
}

type programRecord struct {
	ID, PlanID, Status string
	Gcode              []struct{ Setup int }
	Left, Unmachinable []struct{ RegionIdxs []int }
	Setups             []struct{ Operations []any }
}

// program reads the newest program of the part.
func (s ProgramServer) program(t *Tab) programRecord {
	t.t.Helper()
	list := fetched[struct{ Items []programRecord }](t, "/v1/parts/"+s.Part+"/programs")
	if len(list.Items) == 0 {
		t.t.Fatal("the part has no program")
	}
	return list.Items[0]
}

// programIsAskedFor plans the part through the dialog and follows the job to its end.
func programIsAskedFor(t *Tab, s ProgramServer) {
	for _, name := range []string{"price", "gcode", "program"} {
		s.view(t, name)
		t.WaitText("No program was asked for")
	}
	t.Inspect("program-none", FewLooks, s.Axe)
	t.Click("Plan this part")
	t.WaitText("your default")
	t.Inspect("program-dialog", FewLooks, s.Axe)
	t.Click("Plan the part")
	t.Wait(`!document.querySelector("dialog")`)
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(200 * time.Millisecond) { // a busy machine
		if Eval[bool](t, `shown("Proof:")`) {
			break
		}
		if time.Now().After(end) {
			t.WaitText("Proof:")
		}
	}
	settled(t)
	p := s.program(t)
	operations := 0
	for _, setup := range p.Setups {
		operations += len(setup.Operations)
	}
	for label, want := range map[string]int{"Setups": len(p.Setups), "Operations": operations} {
		got := Eval[string](t, fmt.Sprintf(`[...document.querySelectorAll(".keyfigures div")]
			.find(d => d.textContent.startsWith(%q)).querySelector("dd").textContent`, label))
		if got != fmt.Sprint(want) {
			t.t.Errorf("%s: %s, want %d", label, got, want)
		}
	}
	t.WaitText("0 gouges, 0 collisions")
	Eval[bool](t, `document.querySelectorAll("details.setup").forEach(d => d.open = true) === undefined`)
	for i := range p.Setups {
		Eval[bool](t, fmt.Sprintf(`document.querySelectorAll(".setuppicture")[%d].decode().then(() => true)`, i))
	}
	if n := Eval[int](t, `document.querySelectorAll(".operations[aria-label^=Operations] tbody tr").length`); n != operations {
		t.t.Errorf("%d operations are shown, want %d", n, operations)
	}
	t.Inspect("program-ready", FewLooks, s.Axe)
}

// picturePixels counts the pixels of the picture whose color a tone of it gives: much more red than blue.
const picturePixels = `(() => { const c = document.querySelector(".stage canvas"), d = document.createElement("canvas");
	d.width = c.width; d.height = c.height; const x = d.getContext("2d"); x.drawImage(c, 0, 0);
	const p = x.getImageData(0, 0, d.width, d.height).data; let n = 0;
	for (let i = 0; i < p.length; i += 4) if (p[i] - p[i + 2] > 60) n++;
	return n })()`

// lightPixels presses a row, and counts the lit pixels of the picture in the frame that follows.
func lightPixels(t *Tab, row string) int {
	t.t.Helper()
	return Eval[int](t, fmt.Sprintf(`new Promise(done => { %s.click();
		let frames = 0; const look = () => { const n = %s; if (n > 0 || ++frames > 60) done(n); else requestAnimationFrame(look); };
		requestAnimationFrame(look) })`, row, picturePixels))
}

// everyThingNotMadeLights presses each thing that is not made: its faces, as the service names them, are lit.
func everyThingNotMadeLights(t *Tab, s ProgramServer) {
	p := s.program(t)
	Eval[bool](t, `document.querySelectorAll(".cause details").forEach(d => d.open = true) === undefined`)
	t.Wait(`[...document.querySelectorAll(".cause details")].every(d => d.querySelector("li"))`)
	t.Wait(`document.querySelector(".stage canvas")`)
	rows := Eval[[]string](t, `[...document.querySelectorAll(".cause .lightrow")].map(r => r.dataset.regions)`)
	for _, u := range append(p.Left, p.Unmachinable...) {
		want := strings.Trim(fmt.Sprint(u.RegionIdxs), "[]")
		found := false
		for _, r := range rows {
			found = found || r == want
		}
		if !found {
			t.t.Errorf("the faces %s are not made, and no row lights them: %q", want, rows)
		}
	}
	if len(rows) == 0 {
		t.t.Fatal("the part has nothing that is not made; the test needs some")
	}
	for i, regions := range rows {
		row := fmt.Sprintf(`document.querySelectorAll(".cause .lightrow")[%d]`, i)
		if n := lightPixels(t, row); n == 0 {
			t.t.Errorf("the faces %s are not lit in the picture", regions)
		}
		if pressed := Eval[[]string](t, `[...document.querySelectorAll("[aria-pressed=true][data-regions]")]
			.map(r => r.dataset.regions)`); len(pressed) != 1 || pressed[0] != regions {
			t.t.Errorf("pressed rows %q, want only %q", pressed, regions)
		}
	}
	Eval[bool](t, fmt.Sprintf(`document.querySelectorAll(".cause .lightrow")[%d].click() === undefined`, len(rows)-1))
	t.Wait(`!document.querySelector("[aria-pressed=true][data-regions]")`)
}

// priceIsTheEstimate compares the table with the answers of the service.
func priceIsTheEstimate(t *Tab, s ProgramServer) {
	s.view(t, "price")
	settled(t)
	p := s.program(t)
	for _, quantity := range []int{1, 10, 1000} {
		e := fetched[struct {
			Quality     string
			CostCents   int64
			Assumptions []string
			Breakdown   map[string]int64
			Low, High   struct{ CostCents int64 }
		}](t, fmt.Sprintf("/v1/parts/%s/programs/%s/estimate?quantity=%d", s.Part, p.ID, quantity))
		row := fmt.Sprintf(`document.querySelector("tr[data-quantity='%d']")`, quantity)
		Eval[bool](t, row+`.querySelector("input").click() === undefined`)
		t.Wait(row + `.classList.contains("picked")`)
		text := Eval[string](t, `document.querySelector(".programtab").innerText`)
		inRow := Eval[string](t, row+`.innerText`)
		for _, cents := range []int64{e.CostCents, e.Low.CostCents, e.High.CostCents} {
			if !strings.Contains(inRow, dollars(cents)) {
				t.t.Errorf("%d parts: the row %q lacks %s", quantity, inRow, dollars(cents))
			}
		}
		for part, cents := range e.Breakdown {
			if !strings.Contains(text, dollars(cents)) {
				t.t.Errorf("%d parts: %s of %s is not shown", quantity, part, dollars(cents))
			}
		}
		for _, a := range e.Assumptions {
			if !strings.Contains(text, a) {
				t.t.Errorf("%d parts: the assumption %q is not shown", quantity, a)
			}
		}
		if e.Quality != "refined" || !strings.Contains(text, "from the moves of the program") {
			t.t.Errorf("quality %q in %.300q", e.Quality, text)
		}
	}
	t.Inspect("price", FewLooks, s.Axe)
}

func dollars(cents int64) string {
	whole := fmt.Sprint(cents / 100)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return fmt.Sprintf("$%s.%02d", whole, cents%100)
}

// gcodeIsSearched scrolls and searches the list of lines, which holds few elements.
func gcodeIsSearched(t *Tab, s ProgramServer) {
	s.view(t, "gcode")
	t.Wait(`document.querySelector(".codeline")`)
	file, err := os.ReadFile(filepath.Join(s.Folder, "setup1.ngc"))
	t.do(err, "read the g-code of the command line")
	lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	t.WaitText(grouped(len(lines)) + " lines")
	if n := Eval[int](t, `document.querySelectorAll(".codeline").length`); n > 150 {
		t.t.Errorf("%d lines are elements", n)
	}
	Eval[bool](t, `(document.querySelector(".codelist").scrollTop = 1e9) > 0`)
	t.Wait(fmt.Sprintf(`document.querySelector(".codeline[data-line='%d']")`, len(lines)))
	var hits []int
	for i, line := range lines {
		if strings.Contains(line, "M6") {
			hits = append(hits, i+1)
		}
	}
	t.Fill("Search", "m6")
	t.WaitText(fmt.Sprintf("1 of %d", len(hits)))
	t.Type(kb.Enter)
	t.Wait(fmt.Sprintf(`document.querySelector(".codeline.lit")?.dataset.line === "%d"`, hits[1%len(hits)]))
	lit := Eval[string](t, `document.querySelector(".codeline.lit").lastChild.textContent`)
	if want := lines[hits[1%len(hits)]-1]; lit != want {
		t.t.Errorf("the lit line is %q, want %q", lit, want)
	}
	t.Inspect("gcode", FewLooks, s.Axe)
}

// filesAreThoseOfTheCommandLine saves every file and compares its bytes.
func filesAreThoseOfTheCommandLine(t *Tab, s ProgramServer) {
	p := s.program(t)
	folder := t.t.TempDir()
	_, err := chromedp.Call(t.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
		BrowserContextID: chromedp.FromContext(t.ctx).BrowserContextID,
	})
	t.do(err, "allow downloads")
	same := func(name string, got []byte) {
		t.t.Helper()
		want, err := os.ReadFile(filepath.Join(s.Folder, name))
		if err != nil || !bytes.Equal(got, want) {
			t.t.Errorf("%s has %d bytes, that of the command line %d (%v)", name, len(got), len(want), err)
		}
	}
	for _, g := range p.Gcode {
		t.Open(fmt.Sprintf("/portal/parts/%s?tab=gcode&setup=%d", s.Part, g.Setup))
		same(fmt.Sprintf("setup%d.ngc", g.Setup), t.saved(folder, "Download bracket"))
	}
	s.view(t, "program")
	settled(t)
	for button, name := range map[string]string{
		"Tool table": "tool.tbl", "program.json": "program.json", "Moves JSON": "paths.json", "Moves GLB": "paths.glb",
		"Stock after each setup": "stock.glb", "Material that stays": "residue.glb",
	} {
		same(name, t.saved(folder, button))
	}
	archive := t.saved(folder, "Everything")
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	t.do(err, "open the archive")
	for _, f := range z.File {
		r, err := f.Open()
		t.do(err, "open "+f.Name)
		data, err := io.ReadAll(r)
		t.do(err, "read "+f.Name)
		same(f.Name, data)
	}
	address := fetched[struct{ SetupSheetURL string }](t, "/v1/parts/"+s.Part+"/programs/"+p.ID).SetupSheetURL
	response, err := http.Get(address)
	t.do(err, "read the sheet")
	defer func() { _ = response.Body.Close() }()
	sheet, err := io.ReadAll(response.Body)
	t.do(err, "read the sheet")
	same("setup-sheet.html", sheet)
	t.Click("Setup sheet")
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		pages, err := chromedp.Targets(t.ctx)
		t.do(err, "list the pages")
		opened := false
		for _, page := range pages {
			opened = opened || strings.Contains(page.URL, "/setup-sheet?")
		}
		if opened {
			break
		}
		if time.Now().After(end) {
			t.t.Fatal("no page with the setup sheet opens")
		}
	}
}

// saved presses a button and returns the file that arrives.
func (t *Tab) saved(folder, button string) []byte {
	t.t.Helper()
	t.Click(button)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		t.do(err, "look for the file")
		if len(files) != 1 || strings.HasSuffix(files[0], ".crdownload") || strings.Contains(files[0], ".com.google") {
			continue
		}
		data, err := os.ReadFile(files[0])
		if err != nil || len(data) == 0 {
			continue
		}
		t.do(os.Remove(files[0]), "remove the file")
		return data
	}
	t.t.Fatalf("%s saves no file", button)
	return nil
}

// programWithoutAMouse reaches the tabs, a row that lights faces and a quantity by keys.
func programWithoutAMouse(t *Tab, s ProgramServer) {
	s.view(t, "program")
	settled(t)
	Eval[bool](t, `(window.row = words(document.querySelector(".cause .lightrow"))) !== ""`)
	t.TabTo(Eval[string](t, "row"))
	t.Type(" ")
	t.Wait(`document.activeElement.getAttribute("aria-pressed") === "true"`)
	t.Type(" ")
	t.Wait(`document.activeElement.getAttribute("aria-pressed") === "false"`)
	t.TabTo("More about 1.1")
	t.Type(kb.Enter)
	t.Wait(`document.activeElement.getAttribute("aria-expanded") === "true" && document.querySelector(".operations .detail")`)
	t.TabTo("Setup sheet")
	s.view(t, "program")
	settled(t)
	t.TabTo("Program")
	t.Type(kb.ArrowRight)
	t.Wait(`document.activeElement.textContent === "Playback"`)
	settled(t)
	t.Type(kb.ArrowRight)
	t.Wait(`document.activeElement.textContent === "G-code" && document.querySelector(".codeline")`)
	t.Type(kb.ArrowRight)
	settled(t)
	t.Wait(`document.activeElement.textContent === "Price"`)
	t.TabUntil(`document.activeElement.type === "radio"`)
	t.Type(kb.ArrowDown)
	t.Wait(`document.querySelector("tr[data-quantity='2']").classList.contains("picked")`)
}
