package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"millwright.dev/millwright/bench/teststack"
)

// portalCmd measures the pages of the portal in Chromium.
type portalCmd struct {
	File    string   `arg:"" optional:"" type:"existingfile" help:"STEP file of the page of a part (default: CTC 02)."`
	Opens   int      `default:"30" help:"Times that the part is opened and closed again."`
	Shown   bool     `help:"Use the graphics device of the machine for the page of a part, not a software renderer."`
	Compare bool     `help:"Compare the played stock with the in-process stock at the end of every operation."`
	Corpus  string   `env:"MILLWRIGHT_CORPUS" help:"Folder of the corpus; without it only the example is played."`
	Config  string   `default:"large" help:"Cut config of the programs that are played: large, or built-in."`
	Parts   []string `help:"Measure only the playback of parts of these names: bracket, ftc08, heatsink."`
}

// Run prints the figures of the page of a part and of the playback.
func (c *portalCmd) Run(ctx context.Context) error {
	var err error
	if c.File == "" && c.Corpus != "" {
		c.File = filepath.Join(c.Corpus, "step", "nist_ap242", "nist_ctc_02_asme1_ap242-e2.stp")
	}
	if c.File != "" && len(c.Parts) == 0 {
		err = c.page(ctx)
	}
	return errors.Join(err, c.playback(ctx))
}

// boundedFigure is a measured value with its bound.
type boundedFigure struct {
	name        string
	value, most float64
	unit        string
}

// page prints a row for each figure of the page of a part, on a service of its own, and fails when one is beyond its
// bound. The part is analyzed before.
func (c *portalCmd) page(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "millwright-portal-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // temporary
	f, program, err := c.serve(ctx, folder)
	if err != nil {
		return err
	}
	defer f.server.Stop()
	if _, err := f.first(ctx, 0); err != nil {
		return err
	}
	var link struct{ URL string }
	out, err := exec.CommandContext(ctx, program, "portal", "link", "--data", folder, "--team", "bench",
		"--url", f.server.Base, "-o", "json").Output()
	if err = errors.Join(err, json.Unmarshal(out, &link)); err != nil {
		return fmt.Errorf("portal link: %w", err)
	}
	figures, err := c.measure(ctx, link.URL, f.server.Base+"/portal/parts/"+strings.TrimPrefix(f.part, "/v1/parts/"))
	if err != nil {
		return err
	}
	fmt.Println("PAGE OF A PART")
	return printFigures(figures)
}

// printFigures prints a row for each figure, and fails when one is beyond its bound.
func printFigures(figures []boundedFigure) error {
	beyond := 0
	fmt.Printf("%-46s %10s %10s\n", "", "VALUE", "BOUND")
	for _, g := range figures {
		mark := ""
		if g.value > g.most {
			beyond++
			mark = "  BEYOND"
		}
		fmt.Printf("%-46s %10.4g %10.4g %s%s\n", g.name, g.value, g.most, g.unit, mark)
	}
	if beyond > 0 {
		return fmt.Errorf("%d figures are beyond their bounds", beyond)
	}
	return nil
}

// serve starts a service in a folder and returns a client of it.
func (c *portalCmd) serve(ctx context.Context, folder string) (*follower, string, error) {
	program, err := teststack.Build(ctx, folder)
	if err != nil {
		return nil, "", err
	}
	stack, err := teststack.Embedded(ctx, folder)
	if err != nil {
		return nil, "", err
	}
	f := &follower{}
	if f.file, err = os.ReadFile(c.File); err != nil {
		return nil, "", err
	}
	if f.key, err = stack.NewKey(ctx, teststack.KeyRequest{Team: "bench"}); err != nil {
		return nil, "", err
	}
	f.server, err = stack.Serve(ctx, program, "--create-interval", "0", "--device", "cpu")
	return f, program, err
}

// newBrowser starts a Chromium for the tabs of a context. stop ends it.
func newBrowser(
	ctx context.Context, flags ...chromedp.ExecAllocatorOption,
) (allocator context.Context, stop context.CancelFunc, err error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, nil, fmt.Errorf("pages are measured in Chromium: %w", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(2*time.Minute)) // a busy machine
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop = chromedp.NewExecAllocator(ctx, append(options, flags...)...)
	return allocator, stop, nil
}

// measure drives the browser.
func (c *portalCmd) measure(ctx context.Context, link, page string) ([]boundedFigure, error) {
	flags := []chromedp.ExecAllocatorOption{chromedp.Flag("disable-gpu", false),
		chromedp.Flag("enable-precise-memory-info", true), chromedp.Flag("js-flags", "--expose-gc"),
		chromedp.WindowSize(1440, 900)}
	if !c.Shown {
		flags = append(flags, chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true))
	}
	allocator, stopAllocator, err := newBrowser(ctx, flags...)
	if err != nil {
		return nil, err
	}
	defer stopAllocator()
	tab, stop := chromedp.NewContext(allocator)
	defer stop()
	var out struct {
		First, Parse, Pick, Submit, Rest, Script, Heap float64
		Contexts                                       int
	}
	if err := chromedp.Do(tab); err != nil { // the browser lives longer than the limits below
		return nil, err
	}
	for _, step := range [][2]string{
		{link, `document.querySelector("h1")?.textContent === "Parts"`}, {page, shownPart}, // cold
		{page, shownPart},
	} {
		if err := openPage(tab, step[0], step[1]); err != nil {
			return nil, err
		}
	}
	text, err := chromedp.Run(tab, chromedp.Evaluate[string](
		fmt.Sprintf(portalMeasure, c.Opens), chromedp.EvalAwaitPromise))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return []boundedFigure{
		{"first picture, warm", out.First, 2000, "ms"},
		{"parse of the mesh", out.Parse, 50, "ms"},
		{"pick, p95", out.Pick, 5, "ms"},
		{"submission of a frame, p95", out.Submit, 4, "ms"},
		{"frames at rest in 2 s", out.Rest, 0, ""},
		{"programs and style of the page, compressed", out.Script / 1e3, 240, "kB"},
		{"contexts alive after all openings", float64(out.Contexts), 1, ""},
		{"growth of the heap from the third opening", out.Heap / 1e6, 20, "MB"},
	}, nil
}

const shownPart = `document.querySelector(".stage")?.dataset.state === "shown"`

// openPage loads an address and waits until an expression in the page is true.
func openPage(tab context.Context, address, expression string) error {
	tab, stop := context.WithTimeout(tab, time.Minute)
	defer stop()
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		return err
	}
	for {
		is, err := chromedp.Run(tab, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && is {
			return nil
		}
		select {
		case <-tab.Done():
			return fmt.Errorf("%s does not become so: %s: %w", address, expression, errors.Join(err, tab.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// portalMeasure is the script of the measurement. It reaches the picture through the module that the page has loaded.
const portalMeasure = `(async () => {
	const wait = ms => new Promise(done => setTimeout(done, ms));
	const until = async is => { for (let i = 0; i < 1500 && !is(); i++) await wait(20); };
	const p95 = list => list.sort((a, b) => a - b)[Math.floor(list.length * 0.95)];
	const entries = performance.getEntriesByType("resource");
	const out = { First: performance.getEntriesByName("picture")[0].startTime,
		Parse: performance.getEntriesByName("mesh.parse")[0].duration };
	const code = await import(entries.find(e => e.name.includes("/viewer-")).name);
	out.Script = 0;
	for (const e of entries.filter(e => /\/assets\/.*\.(js|css)$/.test(e.name))) {
		const body = await (await fetch(e.name)).blob();
		const packed = body.stream().pipeThrough(new CompressionStream("gzip"));
		out.Script += (await new Response(packed).blob()).size;
	}
	let view = null;
	const states = code.PartView.prototype.setStates;
	code.PartView.prototype.setStates = function (of) { view = this; return states.call(this, of); };
	document.querySelector(".picturebar select").value = "kind";
	document.querySelector(".picturebar select").dispatchEvent(new Event("change", { bubbles: true }));
	await until(() => view);
	view.regionAt(0, 0);
	const picks = [];
	for (let i = 0; i < 1000; i++) {
		const start = performance.now();
		view.regionAt(Math.sin(i * 12.9898) * 0.8, Math.cos(i * 78.233) * 0.8);
		picks.push(performance.now() - start);
	}
	out.Pick = p95(picks);
	view.stage.submits.length = 0;
	for (let i = 0; i < 120; i++) {
		view.camera.orbit(0.01, 0.002);
		await new Promise(done => requestAnimationFrame(done));
	}
	out.Submit = p95([...view.stage.submits]);
	await wait(700);
	const before = view.stage.frames;
	await wait(2000);
	out.Rest = view.stage.frames - before;
	const made = new Set(), get = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (...args) {
		const context = get.apply(this, args);
		if (context && /webgl/.test(args[0])) made.add(new WeakRef(context));
		return context;
	};
	const address = location.pathname;
	let third = 0;
	for (let i = 1; i <= %d; i++) {
		[...document.querySelectorAll("a")].find(a => a.textContent === "Parts").click();
		await until(() => document.querySelector("table a"));
		[...document.querySelectorAll("table a")].find(a => a.getAttribute("href") === address).click();
		await until(() => document.querySelector(".stage")?.dataset.state === "shown");
		await wait(100);
		gc();
		if (i === 3) third = performance.memory.usedJSHeapSize;
	}
	await wait(300);
	gc();
	out.Heap = performance.memory.usedJSHeapSize - third;
	out.Contexts = [...made].filter(r => r.deref() && !r.deref().isContextLost()).length;
	return JSON.stringify(out);
})()`
