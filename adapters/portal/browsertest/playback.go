package browsertest

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// PlaybackServer is a running service with a part that is ready and a program of it that a job makes.
type PlaybackServer struct {
	Server
	Part    string // id
	Program string // id
	Axe     string // the program of axe-core, "" = none

	browser *Browser
}

// RunPlayback runs the cases of the tab of the playback. They share one page; all need the first.
func RunPlayback(t *testing.T, s PlaybackServer) {
	s.browser = Start(t)
	tab := s.signedIn(t)
	for _, c := range []struct {
		name string
		run  func(*Tab, PlaybackServer)
	}{
		{"built", playbackIsBuilt},
		{"moment", playbackShowsAMoment},
		{"keyboard", playbackWithoutAMouse},
		{"line", playbackGoesToALine},
		{"plays", playbackPlays},
		{"compared", playbackIsCompared},
		{"path", playbackGoesToThePath},
		{"reduced motion", playbackWithoutMotion},
		{"link", playbackIsLinked}, // another tab comes to the front, and this one is drawn no more
	} {
		t.Run(c.name, func(t *testing.T) {
			tab.t = t
			c.run(tab, s)
		})
	}
	tab.t = t
}

// signedIn opens a tab with a new session.
func (s PlaybackServer) signedIn(t *testing.T) *Tab {
	t.Helper()
	tab := s.browser.Tab(t, s.Origin)
	tab.Open(s.Link())
	tab.Wait(`document.querySelector("h1")?.textContent === "Parts"`)
	return tab
}

// shownPlayback is the read-out of the tab.
type shownPlayback struct {
	Operation, Tool, X, Y, Z, Feed, Spindle, Time, Left, Move, Line string
}

func readOut(t *Tab) shownPlayback {
	t.t.Helper()
	var out shownPlayback
	text := Eval[string](t, `JSON.stringify(Object.fromEntries([...document.querySelectorAll(".readout > div")]
		.map(d => [d.querySelector("dt").textContent, d.querySelector("dd").textContent])))`)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.t.Fatalf("the read-out is %s: %v", text, err)
	}
	return out
}

// open opens the playback at a moment of a setup.
func (s PlaybackServer) open(t *Tab, setup int, second float64) {
	t.t.Helper()
	t.Open(fmt.Sprintf("/portal/parts/%s?tab=playback&program=%s&setup=%d&t=%g", s.Part, s.Program, setup, second))
	t.Wait(`document.querySelector(".readout") && document.querySelector(".playback canvas")`)
	t.Wait(`document.querySelector(".codeline")`)
}

// playbackIsBuilt waits for the program, and then for the preview.
func playbackIsBuilt(t *Tab, s PlaybackServer) {
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(200 * time.Millisecond) { // a busy machine
		status := fetched[struct{ Status string }](t, "/v1/parts/"+s.Part+"/programs/"+s.Program).Status
		if status == "ready" {
			break
		}
		if status == "failed" || time.Now().After(end) {
			t.t.Fatalf("the program is %s", status)
		}
	}
	s.open(t, 1, 0)
	t.WaitText("A preview; the proof is the server's.")
	if got := readOut(t); got.Move != "0 of "+strings.Split(got.Move, " of ")[1] || got.Line != "–" {
		t.t.Errorf("before the first move the page shows %+v", got)
	}
}

// timed is the part of the moves that the test compares.
type timed struct {
	Setups []struct {
		Operations []struct {
			OperationID string
			Begin       float64
			Seconds     []float64
			Moves       [][]any
		}
	}
}

// playbackShowsAMoment compares the read-out at the end of a move with the moves, and the lit line with the tip.
func playbackShowsAMoment(t *Tab, s PlaybackServer) {
	moves := fetched[timed](t, "/parts/"+s.Part+"/programs/"+s.Program+"/moves")
	for _, c := range []struct {
		setup int
		share float64 // of the moves of the first operation
	}{{1, 0.5}, {2, 0.7}} {
		o := moves.Setups[c.setup-1].Operations[0]
		k := int(c.share * float64(len(o.Moves)))
		for len(o.Moves[k]) < 5 { // a rapid, a dwell or a cycle
			k++
		}
		s.open(t, c.setup, o.Begin+o.Seconds[k]-1e-4)
		t.Wait(`document.querySelector(".codeline.lit")`)
		got := readOut(t)
		move := fmt.Sprintf("%s of %s", grouped(k+1), grouped(len(o.Moves)))
		if !strings.HasPrefix(got.Operation, o.OperationID+",") || got.Move != move {
			t.t.Errorf("setup %d: the page shows %+v, want operation %s, move %d", c.setup, got, o.OperationID, k+1)
		}
		at := [3]float64{toNumber(t, got.X), toNumber(t, got.Y), toNumber(t, got.Z)}
		for i, v := range at {
			if want := o.Moves[k][i+1].(float64); math.Abs(v-want) > 0.05 { // 0.1 ms before its end
				t.t.Errorf("setup %d: the tip is at %v, want %v", c.setup, at, o.Moves[k][1:4])
			}
		}
		line := Eval[int](t, `Number(document.querySelector(".codeline.lit").dataset.line)`)
		if got.Line != grouped(line) {
			t.t.Errorf("line %d is lit, the read-out says %s", line, got.Line)
		}
		text := Eval[string](t, fmt.Sprintf(`fetch("/portal/api/v1/parts/%s/programs/%s/gcode?setup=%d").then(r => r.text())`,
			s.Part, s.Program, c.setup))
		end := positionAfter(t, strings.Split(text, "\n")[:line])
		for i, v := range end {
			if want := o.Moves[k][i+1].(float64); math.Abs(v-want) > 0.0015 {
				t.t.Errorf("setup %d: after line %d the control is at %v, want %v", c.setup, line, end, o.Moves[k][1:4])
			}
		}
		if c.setup == 2 {
			t.Inspect("playback-moment", FewLooks, s.Axe)
		}
	}
}

// grouped is a number as the pages show it.
func grouped(n int) string {
	text := strconv.Itoa(n)
	if n >= 1000 {
		text = fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	return text
}

func toNumber(t *Tab, text string) float64 {
	t.t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.t.Fatal(err)
	}
	return v
}

var positionWord = regexp.MustCompile(`\b([XYZ])([-+]?[0-9.]+)`)

// positionAfter reads lines of RS274 that have no cycles: the last position of each axis.
func positionAfter(t *Tab, lines []string) (at [3]float64) {
	t.t.Helper()
	for _, line := range lines {
		line, _, _ = strings.Cut(line, "(")
		if strings.Contains(line, "G53") {
			continue
		}
		for _, m := range positionWord.FindAllStringSubmatch(line, -1) {
			at[strings.Index("XYZ", m[1])] = toNumber(t, m[2])
		}
	}
	return at
}

// moveShown is the number of the move of the read-out, and its operation.
func moveShown(t *Tab) (operation string, move int) {
	t.t.Helper()
	r := readOut(t)
	text, _, _ := strings.Cut(r.Move, " of ")
	operation, _, _ = strings.Cut(r.Operation, ",")
	return operation, int(toNumber(t, strings.ReplaceAll(text, ",", "")))
}

// playbackWithoutAMouse steps by keys, on the bar.
func playbackWithoutAMouse(t *Tab, s PlaybackServer) {
	s.open(t, 1, 0)
	Eval[bool](t, `document.querySelector(".timebar input").focus() === undefined`)
	for _, c := range []struct {
		keys, operation, move string
	}{
		{kb.ArrowRight, "1.1", "1"}, {kb.ArrowRight, "1.1", "2"}, {kb.ArrowLeft, "1.1", "1"},
		{kb.ArrowDown, "1.2", "0"},
		{kb.ArrowLeft, "1.1", ""}, {kb.Home, "1.1", "0"}, {kb.End, "", ""},
	} {
		before, _ := moveShown(t)
		t.Type(c.keys)
		if c.operation != "" {
			t.Wait(fmt.Sprintf(`document.querySelector(".readout dd").textContent.startsWith(%q)`, c.operation+","))
		} else {
			t.Wait(fmt.Sprintf(`!document.querySelector(".readout dd").textContent.startsWith(%q)`, before+","))
		}
		if c.move != "" {
			t.Wait(fmt.Sprintf(`[...document.querySelectorAll(".readout dd")].some(d => d.textContent.startsWith(%q))`, c.move+" of "))
		}
	}
	text := Eval[string](t, `document.querySelector(".timebar input").getAttribute("aria-valuetext")`)
	if operation, move := moveShown(t); !strings.Contains(text, "operation "+operation+", move "+grouped(move)) {
		t.t.Errorf("the bar says %q at operation %s, move %d", text, operation, move)
	}
	t.Type("]")
	t.Wait(`new URLSearchParams(location.search).get("setup") === "2" && document.querySelector(".readout dd").textContent.startsWith("2.1,")`)
}

// playbackGoesToALine clicks a line of g-code.
func playbackGoesToALine(t *Tab, s PlaybackServer) {
	s.open(t, 1, 0)
	t.Wait(`document.querySelectorAll(".codeline").length > 30`)
	line := Eval[int](t, `(() => { const l = [...document.querySelectorAll(".codeline")]
		.filter(e => /G1 .*X/.test(e.textContent))[2]; l.click(); return Number(l.dataset.line); })()`)
	t.Wait(fmt.Sprintf(`document.querySelector(".codeline.lit")?.dataset.line === "%d"`, line))
	if got := readOut(t); got.Line != grouped(line) {
		t.t.Errorf("a click on line %d shows %+v", line, got)
	}
}

// playbackPlays plays for a second with the speed that is stated, and stops.
func playbackPlays(t *Tab, s PlaybackServer) {
	s.open(t, 1, 0)
	t.Click("Skip air")
	played := Eval[float64](t, `new Promise(done => {
		const button = document.querySelector(".playbar .main"), start = performance.now();
		button.click();
		const look = () => {
			const seconds = (performance.now() - start) / 1000;
			if (seconds < 1) return requestAnimationFrame(look);
			button.click();
			done(seconds);
		};
		requestAnimationFrame(look) })`)
	t.Wait(atRest)
	const value = `document.querySelector(".timebar input").value`
	before := Eval[string](t, value)
	t.Wait(`new URLSearchParams(location.search).get("t") === Number(` + value + `).toFixed(3)`)
	if after := Eval[string](t, value); after != before {
		t.t.Errorf("after the stop the time goes from %s to %s", before, after)
	}
	if speed := toNumber(t, before) / played; speed < 13 || speed > 27 { // frames are late on a busy machine
		t.t.Errorf("20 times as fast plays %.1f s in a second", speed)
	}
}

// playbackIsCompared goes to the end of a setup and compares its stock with the part.
func playbackIsCompared(t *Tab, s PlaybackServer) {
	s.open(t, 2, 0)
	t.Click("Compare with the part")
	t.WaitText("Shown at the end of an operation")
	Eval[bool](t, `document.querySelector(".timebar input").focus() === undefined`)
	t.Type(kb.End)
	t.WaitText("The server's stock at the end of this operation.")
	t.Wait(`(() => { const l = document.querySelector(".codeline.lit")?.getBoundingClientRect(),
		b = document.querySelector(".codelist").getBoundingClientRect(); return l && l.top >= b.top && l.bottom <= b.bottom })()`)
	t.Inspect("playback-compared", FewLooks, s.Axe)
}

// playbackGoesToThePath clicks on the path of a move before the one that is shown, as the picture from above shows it.
func playbackGoesToThePath(t *Tab, s PlaybackServer) {
	o := fetched[timed](t, "/parts/"+s.Part+"/programs/"+s.Program+"/moves").Setups[0].Operations[0]
	at := func(k int) (p vec) {
		for i := range p {
			p[i] = o.Moves[k][i+1].(float64)
		}
		return p
	}
	const line = 5 // figures of a straight cut
	k := 1
	for ; ; k++ {
		if len(o.Moves[k]) != line || len(o.Moves[k-1]) < line-1 {
			continue
		}
		if a, b := at(k-1), at(k); math.Hypot(b[0]-a[0], b[1]-a[1]) > 5 {
			break
		}
	}
	from, to := at(k-1), at(k)
	c := camera{yaw: -90, pitch: 90, height: 30}
	for i := range c.target {
		c.target[i] = math.Round(50*(from[i]+to[i])) / 100
	}
	t.Open(fmt.Sprintf("/portal/parts/%s?tab=playback&program=%s&setup=1&op=%s&move=%d&view=%s",
		s.Part, s.Program, o.OperationID, k+1, c.text()))
	t.Wait(hasMove(k+2) + "&&" + atRestInPicture)
	t.Wait(`document.querySelector(".codeline.lit")`)
	NextFrame(t)
	NextFrame(t)
	box := t.canvas()
	t.clickAt(box.X+box.Width/2, box.Y+box.Height/2)
	t.Wait(hasMove(k+1) + `&& ` + atRest)
	got := readOut(t)
	for i, text := range []string{got.X, got.Y, got.Z} {
		if v := toNumber(t, text); math.Abs(v-c.target[i]) > 0.1 {
			t.t.Errorf("a click on the path at %v shows %+v", c.target, got)
		}
	}
	if line := Eval[string](t, `document.querySelector(".codeline.lit").dataset.line`); got.Line != line {
		t.t.Errorf("the read-out has line %s, lit is %s", got.Line, line)
	}
	t.Click("Whole path")
	Eval[bool](t, `document.querySelector(".timebar input").focus() === undefined`)
	t.Type("0" + kb.ArrowDown)
	t.Wait(atRest)
	t.Inspect("playback-whole", FewLooks, "")
}

// playbackIsLinked opens the address of a moment in another session: it shows the same moment and the same picture.
func playbackIsLinked(t *Tab, s PlaybackServer) {
	s.open(t, 2, 30)
	Eval[bool](t, `document.querySelector(".timebar input").focus() === undefined`)
	t.Type(kb.ArrowRight + "3")
	t.Wait(atRestInPicture + `&& ["view", "op", "move"].every(q => new URLSearchParams(location.search).has(q))`)
	Eval[bool](t, `new Promise(done => setTimeout(() => done(true), 1000))`) // the address may be of the moment before
	address, want, picture := Eval[string](t, "location.href"), readOut(t), smallPicture(t)
	other := s.signedIn(t.t)
	other.Open(address)
	other.Wait(atRestInPicture + `&& document.querySelector(".codeline.lit")`)
	if got := readOut(other); got != want {
		t.t.Errorf("the link shows %+v, want %+v", got, want)
	}
	if got := Eval[string](other, "location.href"); got != address {
		t.t.Errorf("the link became %s, was %s", got, address)
	}
	var miss, shown float64 // the edges of one may be smooth on a busy machine, 0.023 of the picture
	for i, v := range smallPicture(other) {
		miss, shown = miss+math.Abs(v-picture[i]), shown+v
	}
	if shown == 0 || miss > 0.04*shown {
		t.t.Errorf("the pictures differ by %.0f of %.0f", miss, shown)
	}
}

// smallPicture is the picture of a playback from the left, reduced to 48 × 32 pixels.
func smallPicture(t *Tab) []float64 {
	t.t.Helper()
	return Eval[[]float64](t, `new Promise(done => {
		document.querySelector(".playback").dispatchEvent(new KeyboardEvent("keydown", { key: "3", bubbles: true }));
		let frames = 0;
		const look = () => {
			const d = document.createElement("canvas"), x = d.getContext("2d");
			d.width = 48; d.height = 32;
			x.imageSmoothingQuality = "high";
			x.drawImage(document.querySelector(".stage canvas"), 0, 0, d.width, d.height);
			const all = [...x.getImageData(0, 0, d.width, d.height).data];
			if (all.some(v => v > 0) || ++frames > 120) done(all); else requestAnimationFrame(look);
		};
		requestAnimationFrame(look) })`)
}

// playbackWithoutMotion plays for a person who prefers no motion: it steps about once a second.
func playbackWithoutMotion(t *Tab, s PlaybackServer) {
	s.open(t, 1, 0)
	t.preferNoMotion()
	Eval[bool](t, `(() => { const s = document.querySelector(".playbar select"); s.value = "1";
		return s.dispatchEvent(new Event("change", { bubbles: true })) })()`)
	t.Click("Play")
	pause := Eval[float64](t, `new Promise(done => {
		const input = document.querySelector(".timebar input"), seen = [], start = performance.now();
		let last = input.value;
		const look = () => {
			if (input.value !== last) { last = input.value; seen.push(performance.now()); }
			if (seen.length === 3 || performance.now() > start + 10000) done((seen[2] - seen[0]) / 2);
			else requestAnimationFrame(look);
		};
		look() })`)
	t.Click("Stop")
	if pause < 700 {
		t.t.Errorf("without motion the playback changes every %.0f ms", pause)
	}
	t.Look(1440, 900, false)
}
