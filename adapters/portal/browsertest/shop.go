package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// ShopServer is a running service with a worker, for the pages of the shop.
type ShopServer struct {
	Server
	Part    File            // ready parts are planned with cut configs; it is small
	Library File            // a Fusion tool library with a skipped and a guessed entry
	Tools   map[string]File // of other formats, by the name of the format; each has one tool of 5 mm
	Few     bool            // only the cases that depend on the store
	Axe     string          // the program of axe-core; "" = accessibility is not checked
}

// RunShop runs the cases of the pages of the shop.
func RunShop(t *testing.T, server ShopServer) {
	s := &shopSuite{ShopServer: server}
	browser := Start(t)
	for _, c := range []struct {
		name string
		run  func(*Tab, *shopSuite)
	}{
		{"fields", everyFieldIsDescribed},
		{"faults", everyFaultIsAtItsField},
		{"figures", figuresAreUnderstood},
		{"editors", secondEditorSeesTheFirst},
		{"over", sessionOverKeepsTheForm},
		{"holder", holderIsDrawn},
		{"formats", everyFormatIsImported},
		{"keyboard", shopWithoutAMouse},
		{"copy", copiedConfigPlansThePart},
		{"library", importedToolsAreUsed},
	} {
		if server.Few && !slices.Contains([]string{"faults", "editors", "holder", "formats"}, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			tab := browser.Tab(t, server.Origin)
			tab.Inject(recorder)
			SignIn(tab, server.Server)
			c.run(tab, s)
		})
	}
}

type shopSuite struct {
	ShopServer
	part string // id of the part
}

// recorder keeps the faults that the service answered last.
const recorder = `{ const real = fetch; window.faults = null; window.fetch = async (...a) => { const r = await real(...a);
	if (r.status === 400) r.clone().json().then(b => { window.faults = b.errors ?? [] }, () => {}); return r; }; }`

// looked checks a state in two looks.
func (s *shopSuite) looked(t *Tab, name string) {
	t.t.Helper()
	if s.Few {
		return
	}
	t.Inspect("shop-"+name, []look{Looks[0], Looks[4]}, s.Axe)
}

// schemaFields lists the fields of a form as the interface description states them: key, unit, bounds, default.
const schemaFields = `(async () => {
	const d = await (await fetch("/portal/api/v1/openapi.json")).json(), S = d.components.schemas, out = [];
	const name = s => (s?.$ref ?? s?.anyOf?.find(o => o.$ref)?.$ref)?.split("/").pop();
	const walk = (of, above) => { for (const [field, s] of Object.entries(S[of].properties)) {
		const key = above + field, nested = name(s);
		if (nested && !s.anyOf) { walk(nested, key + "."); continue; }
		out.push({ key, unit: s["x-unit"] ?? "", max: s.maximum ?? null, hasDefault: "default" in s,
			def: s.default ?? null, text: s.description ?? "" });
		if (nested && %t) walk(nested, key + ".");
	} };
	walk(%q, ""); return out; })()`

type schemaField struct {
	Key, Unit, Text string
	Max             *float64
	HasDefault      bool
	Def             any
}

// everyFieldIsDescribed opens a new cut config with its optional objects, and compares each field of the schema with
// what the form shows.
func everyFieldIsDescribed(t *Tab, s *shopSuite) {
	t.Open("/portal/shop")
	t.WaitText("Aluminium 6061, 3-axis mill")
	s.looked(t, "list")
	t.Open("/portal/shop/cut-configs/new")
	t.Wait(`document.querySelector("[data-key='machine.maxSpindleRpm']")`)
	Eval[bool](t, `(document.querySelectorAll("details").forEach(d => { d.open = true }), true)`)
	t.Click("Limits of single axes")
	t.Click("Break sharp edges")
	t.Click("Size as bought")
	t.Wait(`document.querySelector("[data-key='machine.axes.z.jerk']") && document.querySelector("[data-key='breakEdges.width']")`)
	counted := 0
	for _, f := range Eval[[]schemaField](t, fmt.Sprintf(schemaFields, true, "CutConfigRequest")) {
		row := Eval[map[string]string](t, fmt.Sprintf(`(() => { const r = document.querySelector("[data-key='%s']");
			if (!r) return {}; const own = r.querySelector(".formfield") ?? r;
			return { label: own.querySelector("label, .strong")?.textContent ?? "", unit: own.querySelector(".unit")?.textContent ?? "",
				hint: own.querySelector(".hint")?.textContent ?? "", origin: own.querySelector(".origin")?.textContent ?? "",
				text: own.querySelector(".fine")?.textContent ?? "",
				ghost: own.querySelector("input")?.placeholder ?? "" } })()`, f.Key))
		counted++
		f.Unit = strings.Replace(f.Unit, "US cents", "$", 1) // forms are in dollars
		f.Text = strings.Replace(f.Text, "US cents", "US dollars", 1)
		if row["label"] == "" || row["origin"] == "" || row["text"] != f.Text || row["unit"] != f.Unit {
			t.t.Errorf("%s is shown as %v, the schema has %+v", f.Key, row, f)
		}
		if f.Max != nil && !strings.Contains(row["hint"], "to ") {
			t.t.Errorf("%s shows no bounds: %v", f.Key, row)
		}
		_, isList := f.Def.([]any)
		if f.HasDefault && !isList && !strings.Contains(row["hint"], "default ") {
			t.t.Errorf("%s shows no default: %v", f.Key, row)
		}
		if f.Max != nil && f.Def != nil && row["ghost"] == "" {
			t.t.Errorf("%s shows no default as ghost text: %v", f.Key, row)
		}
	}
	if counted < 55 {
		t.t.Errorf("%d fields are compared, want all of a cut config", counted)
	}
	t.t.Logf("%d fields of the schema are in the form", counted)
	s.looked(t, "form")
}

// everyFaultIsAtItsField sends wrong values, and finds each fault of the service at its field.
func everyFaultIsAtItsField(t *Tab, s *shopSuite) {
	t.Open("/portal/shop/cut-configs/new")
	t.Wait(`field("Spindle speed")`)
	Eval[bool](t, `(document.querySelectorAll("details").forEach(d => { d.open = true }), true)`)
	sent := 0
	for _, key := range Eval[[]string](t, `[...document.querySelectorAll(".figurefield input")].map(i => i.id)`) {
		Eval[bool](t, fmt.Sprintf(`(() => { const i = document.getElementById(%q); i.focus(); i.value = "-1000000001";
			i.dispatchEvent(new Event("input", { bubbles: true })); i.dispatchEvent(new Event("change", { bubbles: true })); return true })()`, key))
		sent++
	}
	t.Click("Create cut config")
	t.Wait(`window.faults?.length > 0`)
	missing := Eval[[]string](t, `window.faults.filter(f => { const i = document.querySelector('[data-pointer="' + f.pointer + '"]');
		return !(i?.closest(".formfield").querySelector(".fault").textContent.length > 5) }).map(f => f.pointer)`)
	got := Eval[int](t, `window.faults.length`)
	if len(missing) > 0 || got < sent {
		t.t.Errorf("of %d faults for %d wrong figures these are not at their fields: %v", got, sent, missing)
	}
	if !Eval[bool](t, `window.faults.some(f => f.pointer === "/name")`) {
		t.t.Error("a missing name is not among the faults")
	}
	t.WaitText("values are wrong.")
	t.t.Logf("%d faults at their fields", got)
	s.looked(t, "faults")
	if text := Eval[string](t, `field("Spindle speed").value`); text != "-1000000001" {
		t.t.Errorf("a refused form lost what was typed: %q", text)
	}
}

// figuresAreUnderstood types figures with units and decimal commas, and sets one back.
func figuresAreUnderstood(t *Tab, _ *shopSuite) {
	t.Open("/portal/shop/cut-configs/new")
	t.Fill("Name", "Figures")
	for _, c := range []struct{ label, typed string }{
		{"Jaw height", "1/4 in"}, {"Allowance X", "10,5"}, {"Allowance Y", "10.5"}, {"Preparing a setup", "1.5 h"},
		{"Rapid feed", "1000 ipm"}, {"Travel X", "1 1/2 m"}, {"Hourly rate", "95.50"}, {"Material price", "650 cents"},
	} {
		t.Fill(c.label, c.typed)
	}
	t.Fill("Allowance Z", "much")
	t.WaitText("This is not a number.")
	t.Click("Create cut config")
	t.Wait(`document.querySelector(".problem")?.getBoundingClientRect().top >= 0`) // the list of faults is in sight
	t.WaitText("Not saved: one value is wrong.")
	t.Fill("Allowance Z", "3")
	t.WaitText("Own value")
	t.Click("Back to default: Allowance Z")
	t.Wait(`field("Allowance Z").value === "2"`)
	t.Click("Create cut config")
	t.WaitText("Figures is made.")
	id := Eval[string](t, `location.pathname.split("/").pop()`)
	type made struct {
		Workholding     struct{ JawHeight float64 }
		HourlyRateCents float64
		Material        struct{ PricePerKgCents float64 }
		Stock           struct{ Allowance struct{ X, Y, Z float64 } }
		Machine         struct {
			SetupSeconds, RapidFeed float64
			Travel                  struct{ X float64 }
		}
	}
	got := fetchJSON[made](t, "cut-configs/"+id)
	var want made
	want.Workholding.JawHeight, want.Machine.SetupSeconds, want.Machine.RapidFeed = 6.35, 5400, 25400
	want.Stock.Allowance.X, want.Stock.Allowance.Y, want.Stock.Allowance.Z, want.Machine.Travel.X = 10.5, 10.5, 2, 1500
	want.HourlyRateCents, want.Material.PricePerKgCents = 9550, 650
	if got != want {
		t.t.Errorf("stored %+v, want %+v", got, want)
	}
}

// copyBuiltIn copies the first built-in cut config and returns the id of the copy.
func copyBuiltIn(t *Tab) string {
	t.t.Helper()
	t.Open("/portal/shop/cut-configs/00000000-0000-8000-8000-000000000001")
	t.WaitText("Built in: copy it to change it.")
	if Eval[int](t, `[...document.querySelectorAll(".formfield input[type=text]")].filter(i => !i.readOnly).length`) != 0 {
		t.t.Error("a built-in cut config can be typed into")
	}
	t.Click("Copy to change")
	t.WaitText("Copy of Aluminium 6061, 3-axis mill is yours.")
	return Eval[string](t, `location.pathname.split("/").pop()`)
}

// call sends a request of another editor with the session of the page.
func call(t *Tab, method, path, body string) int {
	t.t.Helper()
	return Eval[int](t, fmt.Sprintf(`fetch("/portal/api/v1/%s", { method: %q, headers: { "Content-Type": "application/json" },
		body: %q }).then(r => r.status)`, path, method, body))
}

// secondEditorSeesTheFirst changes a cut config below an open form.
func secondEditorSeesTheFirst(t *Tab, s *shopSuite) {
	id := copyBuiltIn(t)
	t.Fill("Spindle speed", "9000")
	if status := call(t, "PATCH", "cut-configs/"+id, `{"hourlyRateCents":12300,"machine":{"maxSpindleRpm":8000}}`); status != 200 {
		t.t.Fatalf("the first editor is answered %d", status)
	}
	t.Click("Save")
	t.WaitText("Someone changed this cut config")
	t.WaitText("123 $/h")
	t.WaitText("9,000 rpm")
	s.looked(t, "changed")
	t.Click("Keep my changes with theirs")
	t.Wait(`field("Hourly rate").value === "123" && field("Spindle speed").value === "9000"`)
	t.Click("Save")
	t.WaitText("is saved.")
	got := fetchJSON[struct {
		HourlyRateCents int
		Machine         struct{ MaxSpindleRPM float64 }
	}](t, "cut-configs/"+id)
	if got.HourlyRateCents != 12300 || got.Machine.MaxSpindleRPM != 9000 {
		t.t.Errorf("after both: %+v", got)
	}
}

// sessionOverKeepsTheForm ends the session below a form.
func sessionOverKeepsTheForm(t *Tab, s *shopSuite) {
	id := copyBuiltIn(t)
	t.Fill("Spindle speed", "7777")
	Eval[int](t, `fetch("/portal/api/session", { method: "DELETE" }).then(r => r.status)`)
	t.Click("Save")
	t.WaitText("Your session is over")
	t.Fill("Paste the link here", s.Link())
	t.Click("Sign in")
	t.WaitGone("Your session is over")
	t.Wait(`field("Spindle speed").value === "7777"`)
	t.Click("Save")
	t.WaitText("is saved.")
	if call(t, "DELETE", "cut-configs/"+id, "{}") != 204 {
		t.t.Error("the copy cannot be deleted")
	}
}

// holderIsDrawn makes a holder and deletes it.
func holderIsDrawn(t *Tab, s *shopSuite) {
	t.Open("/portal/shop/holders/new")
	t.Fill("Name", "x")
	t.Wait(`document.querySelector(".toolpicture")`)
	if n := Eval[int](t, `document.querySelectorAll(".entries tbody tr").length`); n != 2 {
		t.t.Errorf("%d rows of cones, want 2", n)
	}
	Eval[bool](t, `(document.querySelector("[data-pointer='/cones/0/height']").focus(), true)`)
	t.Wait(`document.querySelector(".measure.lit")?.dataset.figure === "cones/0"`)
	s.looked(t, "holder")
	t.Click("Create holder")
	t.WaitText("x is made.")
	t.Open("/portal/shop")
	t.Click("Delete x")
	t.WaitText("Tools keep their copy of it.")
	t.Click("Delete holder")
	t.WaitText("x is deleted.")
}

// shopWithoutAMouse changes a value by the keyboard.
func shopWithoutAMouse(t *Tab, _ *shopSuite) {
	copyBuiltIn(t)
	Eval[bool](t, `(document.querySelector("h1").focus(), true)`)
	t.TabUntil(`document.activeElement === field("Find a field")`)
	t.Type("spindle speed")
	t.Wait(`document.querySelectorAll(".formfield").length < 5`)
	t.TabUntil(`document.activeElement === field("Spindle speed")`)
	Eval[bool](t, `(document.activeElement.select(), true)`)
	t.Type("6500" + kb.Enter)
	t.WaitText("is saved.")
}
