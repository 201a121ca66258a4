package browsertest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// addPart sends the part of the suite once, and waits until it is ready.
func (s *shopSuite) addPart(t *Tab) {
	t.t.Helper()
	if s.part != "" {
		return
	}
	s.part = Eval[string](t, fmt.Sprintf(`(async () => {
		const json = async (m, p, b) => (await fetch("/portal/api/v1/" + p, { method: m,
			headers: { "Content-Type": "application/json" }, body: b && JSON.stringify(b) })).json();
		const made = await json("POST", "parts", { fileName: %q, autoCreateProgram: false });
		await fetch(made.uploadUrl, { method: "PUT", body: Uint8Array.from(atob(%q), c => c.charCodeAt(0)) });
		await fetch("/portal/api/v1/parts/" + made.partId + "/complete", { method: "POST" });
		for (;;) {
			const r = await json("GET", "parts/" + made.partId + "/record");
			if (r.status === "ready" || r.status === "failed") return r.status === "ready" ? made.partId : "";
			await new Promise(done => setTimeout(done, 200));
		} })()`, s.Part.Name, base64.StdEncoding.EncodeToString(s.Part.Data)))
	if s.part == "" {
		t.t.Fatalf("%s is not ready", s.Part.Name)
	}
}

// programs of the part as tests read them.
type programs struct {
	Items []struct {
		ID, CutConfigID, Status string
		MachiningSeconds        float64
		Setups                  []json.RawMessage
		Unmachinable            []json.RawMessage
		Tools                   []struct{ ToolID string }
	}
}

// copiedConfigPlansThePart copies the built-in cut config, changes the spindle, and compares what the page says of two
// programs with their records and estimates.
func copiedConfigPlansThePart(t *Tab, s *shopSuite) {
	s.addPart(t)
	id := copyBuiltIn(t)
	t.Fill("Spindle speed", "1500")
	t.Click("Save")
	t.WaitText("is saved.")
	t.Click("Plan a part with it")
	t.Click("Plan " + s.Part.Name + " with it")
	t.WaitLong(`document.querySelector("table[aria-label='Before and after']")`)
	s.looked(t, "compared")
	table := Eval[map[string][]string](t, `Object.fromEntries([...document.querySelectorAll("table[aria-label='Before and after'] tbody tr")]
		.map(r => [r.cells[0].textContent, [...r.cells].slice(1).map(c => c.textContent)]))`)
	all := fetchJSON[programs](t, "parts/"+s.part+"/programs")
	cost, minutes := map[bool]int{}, map[bool]float64{}
	for _, p := range all.Items {
		own := p.CutConfigID == id
		cost[own] = fetchJSON[struct{ CostCents int }](t, "parts/"+s.part+"/programs/"+p.ID+"/estimate").CostCents
		minutes[own] = p.MachiningSeconds / 60
	}
	money := func(cents int) string { return fmt.Sprintf("$%.2f", float64(cents)/100) }
	want := []string{money(cost[false]), money(cost[true]), "+" + money(cost[true]-cost[false])}
	if got := table["Price of one"]; !slices.Equal(got, want) || cost[true] <= cost[false] {
		t.t.Errorf("price %q, the estimates say %q", got, want)
	}
	if got := table["Machine time"]; len(got) != 3 || got[0] != fmt.Sprintf("%.1f min", minutes[false]) ||
		got[1] != fmt.Sprintf("%.1f min", minutes[true]) {
		t.t.Errorf("time %q, the programs say %v", got, minutes)
	}
	t.t.Logf("%v", table)
	Eval[bool](t, `(scrollTo(0, 0), true)`)
}

// dropTools drops a file of tools.
func (t *Tab) dropTools(file File) {
	t.t.Helper()
	t.Wait(`document.querySelector(".drop")`)
	Eval[bool](t, fmt.Sprintf(`(() => { const all = new DataTransfer();
		all.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], %q));
		document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: all }));
		return true })()`, base64.StdEncoding.EncodeToString(file.Data), file.Name))
}

// everyFormatIsImported drops tools of other programs, and compares what the list says with the stored libraries.
func everyFormatIsImported(t *Tab, s *shopSuite) {
	t.Open("/portal/shop")
	for format, file := range s.Tools {
		before := fetchJSON[struct{ Total int }](t, "tool-libraries").Total
		t.dropTools(file)
		t.Wait(fmt.Sprintf(`document.querySelectorAll("table[aria-label='Tool libraries'] tbody tr").length === %d
			&& document.querySelector(".drop .report")`, before+1))
		t.WaitText("Tools from " + strings.ToLower(format))
		got := fetchJSON[struct{ Items []struct{ ID, Format string } }](t, "tool-libraries").Items[0]
		tools := fetchJSON[struct {
			Tools []struct {
				Name     string
				Diameter float64
			}
		}](t, "tool-libraries/"+got.ID).Tools
		if got.Format != strings.ToLower(format) || len(tools) != 1 || tools[0].Diameter != 5 {
			t.t.Errorf("%s became %+v with %+v", file.Name, got, tools)
		}
		row := fmt.Sprintf(`[...document.querySelectorAll("table[aria-label='Tool libraries'] tbody tr")]
			.find(r => r.querySelector("a").href.endsWith(%q)).innerText.includes(%q)`, got.ID, format)
		t.Wait(row)
	}
	t.dropTools(File{"notes.txt", []byte("no tools here")})
	t.WaitText("notes.txt gave no library.")
}

// importedToolsAreUsed imports a Fusion library, changes a tool, and finds the change in the next program.
func importedToolsAreUsed(t *Tab, s *shopSuite) {
	s.addPart(t)
	t.Open("/portal/shop")
	t.dropTools(s.Library)
	t.WaitText("is imported.")
	t.WaitText("Skipped (1)")
	s.looked(t, "import")
	href := Eval[string](t, `document.querySelector(".drop a").getAttribute("href")`)
	library := href[strings.LastIndex(href, "/")+1:]
	t.Open(href)
	t.WaitText("No cut config uses it.")
	t.WaitText("guessed")
	s.looked(t, "library")
	t.Click("Mill 10")
	t.Wait(`document.querySelector(".toolpicture")`)
	t.WaitText("Guessed at import")
	Eval[bool](t, `(field("Flute length").focus(), true)`)
	t.Wait(`document.querySelector(".measure.lit")?.dataset.figure === "fluteLength"`)
	s.looked(t, "tool")
	t.Fill("Flutes", "2")
	t.Click("Save")
	t.WaitText("is saved.")
	t.WaitText("No changes")
	t.Wait(`dispatchEvent(new Event("beforeunload", { cancelable: true }))`) // the page can be left without a question
	id := copyBuiltIn(t)
	if status := call(t, "PATCH", "cut-configs/"+id, `{"toolLibraryIds":["`+library+`"]}`); status != 200 {
		t.t.Fatalf("the cut config takes the library with %d", status)
	}
	got := fetchJSON[struct {
		Tools []struct {
			ID, Name   string
			FluteCount int
			Guessed    []string
		}
	}](t, "tool-libraries/"+library)
	ids := []string{}
	for _, tool := range got.Tools {
		ids = append(ids, tool.ID)
		if tool.Name == "Mill 10" && tool.FluteCount != 2 || len(tool.Guessed) > 0 {
			t.t.Errorf("stored tool %+v", tool)
		}
	}
	t.Open("/portal/shop/cut-configs/" + id)
	t.Click("Plan a part with it")
	t.Click("Plan " + s.Part.Name + " with it")
	t.WaitLong(`document.querySelector("table[aria-label='Before and after']")`)
	used := 0
	for _, p := range fetchJSON[programs](t, "parts/"+s.part+"/programs").Items {
		for _, tool := range p.Tools {
			if p.CutConfigID == id && slices.Contains(ids, tool.ToolID) {
				used++
			}
		}
	}
	if used == 0 {
		t.t.Error("the next program uses no tool of the imported library")
	}
	t.Open("/portal/shop")
	t.Click("Delete Tools from fusion")
	t.WaitText("It is in use.")
	t.WaitText("Cut config Copy of Aluminium 6061")
	s.looked(t, "delete")
	t.Click("Keep it")
}
