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
}

// RunPlayback runs the cases of the tab of the playback. They share one page; all need the first.
func RunPlayback(t *testing.T, s PlaybackServer) {
	tab := Start(t).Tab(t, s.Origin)
	tab.Open(s.Link())
	tab.Wait(`document.querySelector("h1")?.textContent === "Parts"`)
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
	} {
		t.Run(c.name, func(t *testing.T) {
			tab.t = t
			c.run(tab, s)
		})
	}
	tab.t = t
}

// shownPlayback is the read-out of the tab.
type shownPlayback struct {
	Operation, Tool, X, Y, Z, Feed, Spindle, Time, Move, Line string
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
	t.Inspect("playback-start", FewLooks, s.Axe)
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

// playbackPlays plays for a while, and stops.
func playbackPlays(t *Tab, s PlaybackServer) {
	s.open(t, 1, 0)
	t.Click("Play")
	t.Wait(`Number(document.querySelector(".timebar input").value) > 5`)
	t.Click("Stop")
	t.Wait(`new URLSearchParams(location.search).get("t") > "0"`)
	time.Sleep(time.Second) // a state that was asked for before may still be drawn
	before := Eval[string](t, `document.querySelector(".timebar input").value`)
	time.Sleep(time.Second)
	if after := Eval[string](t, `document.querySelector(".timebar input").value`); after != before {
		t.t.Errorf("after the stop the time goes from %s to %s", before, after)
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
