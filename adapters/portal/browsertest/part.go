package browsertest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// File is a CAD file that tests drop.
type File struct {
	Name string
	Data []byte
}

// PartServer is a running service with a worker, for the pages of parts.
type PartServer struct {
	Server
	Part   File          // with holes; the cases are about it
	Broken File          // that the service refuses after the upload
	Pace   time.Duration // between two parts; 0: none
	Few    bool          // only the cases that depend on the store
}

// RunPart runs the cases of the pages of parts.
func RunPart(t *testing.T, server PartServer) {
	browser := Start(t)
	s := &partSuite{PartServer: server, axe: Axe(t)}
	for _, c := range []struct {
		name string
		run  func(*Tab, *partSuite)
	}{
		{"drop", dropIsFollowed},
		{"pick", everyRegionIsPicked},
		{"sheet", sheetEqualsTheAPI},
		{"tree", treeWithoutAMouse},
		{"hide", hiddenFacesAreNotPicked},
		{"rename", partIsRenamed},
		{"lost", lostPictureIsRebuilt},
		{"flat", partWithoutWebGL},
		{"huge", hugePartIsAskedFor},
		{"refused", filesAreCheckedFirst},
		{"failed", failureIsTold},
		{"unsent", fileIsSentLater},
		{"down", serviceThatIsDown},
		{"paced", queueWaits},
		{"example", exampleIsTried},
	} {
		if server.Few && !slices.Contains([]string{"drop", "sheet", "failed", "unsent"}, c.name) {
			continue
		}
		if !t.Run(c.name, func(t *testing.T) {
			tab := browser.Tab(t, server.Origin)
			SignIn(tab, server.Server)
			c.run(tab, s)
		}) && s.part == "" {
			t.Fatal("without the first part there are no other cases")
		}
	}
}

// partSuite keeps results of the first case for later ones.
type partSuite struct {
	PartServer
	part   string // address of the page of the part
	result partResult
	facets []facet
	axe    string // program of axe-core
}

// inspect checks the look of a state, and its accessibility.
func (s *partSuite) inspect(t *Tab, state string) {
	t.t.Helper()
	if !s.Few {
		t.Inspect(state, FewLooks, s.axe)
	}
}

// partResult is what tests read of a result.
type partResult struct {
	ReportID string
	JobID    string
	Features []struct {
		FeatureID, FeatureTag, FeatureType string
		RegionIdxs                         []int
	}
}

// withRegion are the tags of the features with a region.
func (r partResult) withRegion(region int) []string {
	var out []string
	for _, f := range r.Features {
		if slices.Contains(f.RegionIdxs, region) {
			out = append(out, f.FeatureTag)
		}
	}
	return out
}

// Drop drops files on the page.
func (t *Tab) Drop(files ...File) {
	t.t.Helper()
	var made []string
	for _, f := range files {
		made = append(made, fmt.Sprintf(`all.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], %q));`,
			base64.StdEncoding.EncodeToString(f.Data), f.Name))
	}
	t.Wait(`document.querySelector("[data-files]")`)
	NextFrame(t) // the page listens from then on
	Eval[bool](t, `(() => { const all = new DataTransfer(); `+strings.Join(made, "")+`
		for (const type of ["dragenter", "dragover", "drop"]) document.querySelector("main").dispatchEvent(
			new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: all }));
		return true; })()`)
}

// fetchJSON reads an address of the API with the session of the page.
func fetchJSON[T any](t *Tab, path string) T {
	t.t.Helper()
	text := Eval[string](t, fmt.Sprintf(`fetch("/portal/api/v1/%s").then(r => r.text())`, path))
	var out T
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.t.Fatalf("%s: %v: %.300s", path, err, text)
	}
	return out
}

func (t *Tab) clickAt(x, y float64) {
	t.t.Helper()
	t.do(chromedp.Do(t.ctx, chromedp.MouseClickXY(x, y)), "click a point")
}

// shown3D is true when the picture of a part is there.
const shown3D = `document.querySelector(".stage")?.dataset.state === "shown"`

// stageBox is the place of the picture in the window.
type stageBox struct{ X, Y, Width, Height float64 }

// firstPixel is the left upper pixel of the window that is wholly in the picture.
func (b stageBox) firstPixel() (x, y float64) { return math.Ceil(b.X), math.Ceil(b.Y) }

// size is the number of pixels of the window that are wholly in the picture.
func (b stageBox) size() (width, height int) {
	x, y := b.firstPixel()
	return int(b.X + b.Width - x), int(b.Y + b.Height - y)
}

// clickPixel clicks on the middle of a pixel, from the first one.
func (t *Tab) clickPixel(b stageBox, p [2]int) {
	t.t.Helper()
	x, y := b.firstPixel()
	t.clickAt(x+float64(p[0])+0.5, y+float64(p[1])+0.5)
}

func (t *Tab) stage() stageBox {
	t.t.Helper()
	t.Wait(shown3D)
	return t.canvas()
}

// canvas is the place of a picture.
func (t *Tab) canvas() stageBox {
	t.t.Helper()
	return Eval[stageBox](t, `(() => { const r = document.querySelector(".stage canvas").getBoundingClientRect();
		return { X: r.x, Y: r.y, Width: r.width, Height: r.height } })()`)
}

// selected is the tag in the address of the page.
const selected = `(new URLSearchParams(location.search).get("f") ?? "")`

// dropIsFollowed drops a part on the list and follows it to its picture.
func dropIsFollowed(t *Tab, s *partSuite) {
	Eval[bool](t, `(() => { window.seen = new Set();
		new MutationObserver(() => document.querySelectorAll(".badge, .upload .fine").forEach(e => seen.add(e.textContent)))
			.observe(document.body, { childList: true, subtree: true, characterData: true }); return true })()`)
	t.WaitText("Drop a part here")
	s.inspect(t, "parts-empty")
	t.Drop(s.Part)
	t.Wait(fmt.Sprintf(`control(%q)?.tagName === "A"`, s.Part.Name))
	t.Click(s.Part.Name)
	t.Wait(fmt.Sprintf(`document.querySelector("h1")?.textContent === %q`, s.Part.Name))
	t.Wait(shown3D)
	for _, want := range []string{"Sent. Open it.", "Processing", "Ready"} {
		if !Eval[bool](t, fmt.Sprintf(`[...seen].some(text => text.includes(%q))`, want)) {
			t.t.Errorf("the page did not show %q: %s", want, Eval[string](t, `[...seen].join("|")`))
		}
	}
	s.part = Eval[string](t, "location.pathname")
	id := s.part[strings.LastIndex(s.part, "/")+1:]
	s.result = fetchJSON[partResult](t, "parts/"+id)
	text := Eval[string](t, fmt.Sprintf(`fetch("/portal/api/reports/%s/mesh.glb").then(r => r.blob()).then(b =>
		new Promise(done => { const r = new FileReader(); r.onload = () => done(r.result.split(",")[1]); r.readAsDataURL(b) }))`,
		s.result.ReportID))
	data, err := base64.StdEncoding.DecodeString(text)
	t.do(err, "decode the mesh")
	s.facets, err = readFacets(data)
	t.do(err, "read the mesh")
}

// openAt opens the part with a view from a side, and returns the region of each pixel of the picture.
func (s *partSuite) openAt(t *Tab, yaw, pitch float64) (box stageBox, regions []int) {
	t.t.Helper()
	t.Open(s.part)
	box = t.stage()
	width, height := box.size()
	view := around(s.facets, yaw, pitch, width, height)
	t.Open(s.part + "?cam=" + view.text())
	box = t.stage()
	NextFrame(t)
	return box, view.regionsIn(s.facets, box)
}

// everyRegionIsPicked clicks on each region with at least 50 pixels, from two sides. The pixels are drawn by the test.
func everyRegionIsPicked(t *Tab, s *partSuite) {
	const least = 50
	for _, side := range [][2]float64{{-45, 35}, {130, -30}} {
		box, regions := s.openAt(t, side[0], side[1])
		width, height := box.size()
		places := inner(regions, width, height, least)
		if len(places) < 20 {
			t.t.Errorf("from %v only %d regions are seen", side, len(places))
		}
		wrong := 0
		for _, r := range slices.Sorted(maps.Keys(places)) {
			p := places[r]
			t.clickPixel(box, p)
			got, want := Eval[string](t, selected), s.result.withRegion(r)
			if len(want) == 0 && got != "" || len(want) > 0 && !slices.Contains(want, got) {
				wrong++
				t.t.Errorf("from %v a click on region %d at %v selects %q, want one of %q (picture %v)",
					side, r, p, got, want, box)
			}
		}
		t.t.Logf("from %v: %d regions clicked, %d wrong", side, len(places), wrong)
	}
}

// sheetEqualsTheAPI picks a hole in the picture, measures, and compares row and datasheet with the API. The address of
// the page then shows the same in another session.
func sheetEqualsTheAPI(t *Tab, s *partSuite) {
	box, regions := s.openAt(t, -45, 35)
	hole := s.clickOn(t, box, regions, "Hole")
	t.WaitText("It was not measured yet.")
	t.Click("Measure all")
	t.Wait(`document.querySelector(".feature .sheet")`)
	id := s.part[strings.LastIndex(s.part, "/")+1:]
	answer := fetchJSON[struct {
		Datasheets []struct {
			FeatureTag string
			Datasheet  struct{ Facts map[string]any }
		}
	}](t, "parts/"+id+"/features?jobId="+s.result.JobID)
	for _, d := range answer.Datasheets {
		if d.FeatureTag == hole {
			compareSheet(t, d.Datasheet.Facts)
		}
	}
	if row := Eval[string](t, `document.querySelector("[role=treeitem][aria-selected=true]").dataset.id`); row != hole {
		t.t.Errorf("the row %q is selected, want %q", row, hole)
	}
	t.Click("Why it is one")
	t.Wait(`document.querySelectorAll(".feature .bullets li").length > 0`)
	s.inspect(t, "part-feature")

	address := Eval[string](t, "location.href")
	title := `document.querySelector(".feature h3").textContent`
	want := Eval[string](t, title)
	if u, err := url.Parse(address); err != nil || u.Query().Get("f") != hole || u.Query().Get("cam") == "" {
		t.t.Errorf("the address %s lacks the feature or the camera", address)
	}
	t.Click("Sign out")
	t.WaitText("You are signed out")
	SignIn(t, s.Server)
	t.Open(address)
	t.Wait(shown3D + ` && document.querySelector(".feature .sheet")`)
	t.Wait(fmt.Sprintf(title+" === %q", want))
	if got := Eval[string](t, "location.href"); got != address {
		t.t.Errorf("the link %s became %s", address, got)
	}
}

// clickOn clicks on a face of only one feature, of a kind, and returns its tag.
func (s *partSuite) clickOn(t *Tab, box stageBox, regions []int, kind string) string {
	t.t.Helper()
	width, height := box.size()
	places := inner(regions, width, height, 50)
	for _, f := range s.result.Features {
		for _, r := range f.RegionIdxs {
			p, seen := places[r]
			if f.FeatureType != kind || !seen || len(s.result.withRegion(r)) != 1 {
				continue
			}
			t.clickPixel(box, p)
			t.Wait(fmt.Sprintf(`%s === %q`, selected, f.FeatureTag))
			return f.FeatureTag
		}
	}
	t.t.Fatalf("no %s is seen", kind)
	return ""
}

// compareSheet compares the rows of numbers and switches with facts of the API.
func compareSheet(t *Tab, facts map[string]any) {
	t.t.Helper()
	rows := Eval[map[string]string](t, `Object.fromEntries([...document.querySelectorAll(".feature table[aria-label='Measured facts'] > tbody > tr[data-field]")]
		.map(r => [r.dataset.field, r.cells[1].textContent]).reverse())`)
	compared := 0
	for name, value := range facts {
		want := ""
		switch v := value.(type) {
		case float64:
			want = strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
		case bool:
			want = map[bool]string{true: "yes", false: "no"}[v]
		default:
			continue
		}
		compared++
		got := strings.ReplaceAll(rows[name], ",", "")
		if rest, ok := strings.CutPrefix(got, want); !ok || strings.ContainsAny(rest, "0123456789.") {
			t.t.Errorf("the datasheet has %s %q, the API %v", name, rows[name], value)
		}
	}
	if compared < 5 {
		t.t.Errorf("only %d facts are compared", compared)
	}
}

// featureByKeys selects a feature in the tree.
func featureByKeys(t *Tab) {
	t.t.Helper()
	t.TabUntil(`document.activeElement.getAttribute("role") === "tree"`)
	t.Type(kb.Home)
	for range 6 { // opens kinds and groups down to a feature
		t.Type(kb.ArrowRight)
		if Eval[bool](t, `!document.querySelector(".tree .cursor").hasAttribute("aria-expanded")`) {
			break
		}
	}
	t.Type(kb.Enter)
	t.Wait(selected + ` !== ""`)
}

// treeWithoutAMouse selects, hides and shows features by the keyboard.
func treeWithoutAMouse(t *Tab, s *partSuite) {
	t.Open(s.part)
	t.Wait(shown3D + ` && document.querySelector("[role=tree]")`)
	featureByKeys(t)
	if got := Eval[string](t, `document.querySelector(".feature").dataset.tag`); got != Eval[string](t, selected) {
		t.t.Errorf("the datasheet is of %q", got)
	}
	t.Type("h")
	t.Wait(`document.querySelector(".tree .cursor.gone")`)
	t.Type("u")
	t.Wait(`!document.querySelector(".tree .gone")`)
	t.Type(kb.Escape)
	t.Wait(selected + ` === ""`)
	Eval[bool](t, `document.querySelector(".stage").focus() === undefined`)
	t.Type("5")
	t.Wait(`new URLSearchParams(location.search).get("cam")?.startsWith("-90.0_90.0_")`)
	t.Type(kb.ArrowLeft)
	t.Wait(`!new URLSearchParams(location.search).get("cam").startsWith("-90.0_90.0_")`)
	t.Type("?")
	t.WaitText("Views, mouse and keys")
	s.inspect(t, "part-help")
	t.Type(kb.Escape)
	t.Wait(`!document.querySelector("dialog") && document.activeElement.classList.contains("stage")`)
	Eval[bool](t, `document.querySelector("[role=tab]").focus() === undefined`)
	t.Type(kb.ArrowLeft) // from the first to the last
	t.Wait(`document.activeElement.id === "tab-runs" && document.querySelector("table[aria-label=Runs]")`)
	s.inspect(t, "part-runs")
}

// hiddenFacesAreNotPicked hides a hole and clicks where it was.
func hiddenFacesAreNotPicked(t *Tab, s *partSuite) {
	box, regions := s.openAt(t, -45, 35)
	width, height := box.size()
	places := inner(regions, width, height, 50)
	hole := s.clickOn(t, box, regions, "Hole")
	t.Click("Hide")
	t.Wait(`location.search.includes("hide=` + hole + `")`)
	for _, f := range s.result.Features {
		for _, r := range f.RegionIdxs {
			p, seen := places[r]
			if f.FeatureTag != hole || !seen || len(s.result.withRegion(r)) != 1 {
				continue
			}
			t.Type(kb.Escape)
			t.clickPixel(box, p)
			if got := Eval[string](t, selected); got == hole {
				t.t.Errorf("a click on the hidden hole selects it")
			}
		}
	}
	t.Click("Show all")
	t.Wait(`!location.search.includes("hide=")`)
}
