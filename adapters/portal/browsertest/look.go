package browsertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// axePackage is the checker of accessibility. Only tests use it.
const axePackage = "axe-core@4.14.1"

// Axe returns the program of axe-core, installed into a folder of the test, or "" without npm or the registry.
func Axe(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Log("accessibility is NOT CHECKED: npm is missing")
		return ""
	}
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund",
		"--loglevel=error", axePackage)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("accessibility is NOT CHECKED: %v\n%s", err, out)
		return ""
	}
	source, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// CPU returns the processor time that the page has spent in tasks since the first call, however busy the machine is.
func (t *Tab) CPU() time.Duration {
	t.t.Helper()
	_, err := chromedp.Call(t.ctx, performance.Enable,
		performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	t.do(err, "measure")
	got, err := chromedp.Call(t.ctx, performance.GetMetrics, cdp.Empty{})
	t.do(err, "measure")
	for _, m := range got.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	t.t.Fatal("the browser does not measure the duration of tasks")
	return 0
}

// Pictures names the folder that gets a picture of every state.
const Pictures = "MILLWRIGHT_PORTAL_PICTURES"

// look is a window and the colors that the person prefers.
type look struct {
	name          string
	width, height int64
	dark          bool
	axe           bool // axe-core runs here: each color and each arrangement once
}

// Looks are the looks of a state: all of them, or the three that differ most.
var (
	Looks = []look{
		{"1440-light", 1440, 900, false, true},
		{"1440-dark", 1440, 900, true, false},
		{"1024-light", 1024, 768, false, false},
		{"390-light", 390, 844, false, false},
		{"390-dark", 390, 844, true, true},
		{"320-light", 320, 640, false, false},
	}
	FewLooks = []look{Looks[0], Looks[4], Looks[5]}
)

// Inspect shows a state of the page in looks. It must fit each window and pass the rules of axe-core, whose program is
// axe; "" = it is not there.
func (t *Tab) Inspect(state string, looks []look, axe string) {
	t.t.Helper()
	for _, l := range looks {
		t.Look(l.width, l.height, l.dark)
		NextFrame(t)
		t.checkFit(state, l)
		if l.axe && axe != "" {
			t.checkAxe(state, axe, l)
		}
		t.Shot(os.Getenv(Pictures), state+"-"+l.name)
	}
	t.Look(looks[0].width, looks[0].height, false)
}

// checkFit finds elements that are wider than the window, and controls that are smaller than 24 px.
func (t *Tab) checkFit(state string, l look) {
	t.t.Helper()
	if wide := Eval[int64](t, "document.documentElement.scrollWidth"); wide > l.width {
		t.t.Errorf("%s, %s: the page is %d px wide", state, l.name, wide)
	}
	small := Eval[[]string](t, `[...document.querySelectorAll("button, nav a, summary, .box, .choice, [role=treeitem]")]
		.map(e => [e, e.getBoundingClientRect()]).filter(([e, r]) => r.width > 0 && (r.width < 24 || r.height < 24))
		.map(([e, r]) => words(e) + " " + r.width + " x " + r.height)`)
	if len(small) > 0 {
		t.t.Errorf("%s, %s: these controls are smaller than 24 px: %q", state, l.name, small)
	}
}

func (t *Tab) checkAxe(state, source string, l look) {
	t.t.Helper()
	if !Eval[bool](t, `"axe" in window`) {
		Eval[bool](t, source+"; true")
	}
	found := Eval[[]string](t, `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
		.then(r => r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.map(n => n.target.join(" ") + " " + n.failureSummary).join("; ")))`)
	for _, f := range found {
		t.t.Errorf("%s, %s: %s", state, l.name, f)
	}
}
