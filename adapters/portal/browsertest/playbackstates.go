package browsertest

import (
	"fmt"
	"testing"
)

// PlaybackStates is a running service with a part and programs of it, by their ids. They have one setup with an
// operation 1.1 of six moves between jaws.
type PlaybackStates struct {
	Server
	Part     string
	Failed   string // the holder meets material in move 3, the tool meets the jaws in move 5
	Undercut string // by an undercutting tool
	Axe      string // the program of axe-core, "" = none
}

// RunPlaybackStates runs the cases of programs that are played in other ways than most.
func RunPlaybackStates(t *testing.T, s PlaybackStates) {
	tab := Start(t).Tab(t, s.Origin)
	tab.Inject(manyMoves)
	tab.Open(s.Link())
	tab.Wait(`document.querySelector("h1")?.textContent === "Parts"`)
	for _, c := range []struct {
		name string
		run  func(*Tab, PlaybackStates)
	}{
		{"many moves", manyMovesAreAskedFor},
		{"findings", findingsAreShown},
		{"undrawn", undrawnStatesHaveNoSurface},
		{"undercut", undercutIsSaid},
		{"lost", lostPlaybackIsRebuilt},
		{"no picture", playbackWithoutWebGL},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab.t = t
			c.run(tab, s)
		})
	}
	tab.t = t
}

// view opens the playback of a program.
func (s PlaybackStates) view(t *Tab, program, rest string) {
	t.t.Helper()
	t.Open(fmt.Sprintf("/portal/parts/%s?tab=playback&program=%s%s", s.Part, program, rest))
}

// atRest is true when the last state that was asked for is drawn of all rays.
const atRest = `document.querySelector(".playback .stage")?.dataset.state === "rest"`

// atRestInPicture is true when that state is in the picture, too.
const atRestInPicture = atRest + ` && document.querySelector(".playback .stage canvas")`

// hasMove is true when the read-out has the move, from 1.
func hasMove(move int) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".readout dd")].some(d => d.textContent.startsWith("%d of "))`, move)
}

// manyMoves makes pages with "&many" believe that the moves are many, and holds their stock until release() runs.
const manyMoves = `if (location.search.includes("&many")) {
	const real = window.fetch, released = new Promise(done => window.release = done);
	window.fetch = async (to, init) => {
		const answer = await real(to, init);
		if (/\/stock\?/.test(String(to))) await released;
		if (!/\/moves$/.test(String(to))) return answer;
		return new Response(answer.body, { headers: { "X-Uncompressed-Length": "38000000" } });
	};
}`

// manyMovesAreAskedFor loads very many moves only when asked. Until the preview is built, the controls are off.
func manyMovesAreAskedFor(t *Tab, s PlaybackStates) {
	const off = `[...document.querySelectorAll(".playbar :is(button, input, select)")].every(e => e.matches(":disabled"))`
	s.view(t, s.Undercut, "&many")
	t.WaitText("Show anyway (38 MB)")
	t.Inspect("playback-many", FewLooks, s.Axe)
	t.Click("Show anyway")
	t.WaitText("Building the preview")
	if !Eval[bool](t, off) {
		t.t.Error("the controls are on while the preview is built")
	}
	Eval[bool](t, "release() === undefined")
	t.Wait(atRest)
	if Eval[bool](t, off) {
		t.t.Error("the controls are off when the preview is built")
	}
}

// redPixels turns the picture to the front, and counts its pixels in the color of a collision.
func redPixels(t *Tab) int {
	t.t.Helper()
	NextFrame(t) // a picture whose place has changed has its new size
	return Eval[int](t, countRed)
}

const countRed = `new Promise(done => { let frames = 0; const look = () => {
	const c = document.querySelector(".stage canvas"), d = document.createElement("canvas");
	d.width = c.width; d.height = c.height;
	const x = d.getContext("2d"); x.drawImage(c, 0, 0);
	const p = x.getImageData(0, 0, d.width, d.height).data; let n = 0, drawn = false;
	for (let i = 0; i < p.length; i += 4) {
		if (p[i + 3] > 0) drawn = true;
		if (p[i] > 60 && p[i] > 1.8 * p[i + 1] && p[i] > 1.8 * p[i + 2]) n++;
	}
	if (drawn || ++frames > 120) done(n); else requestAnimationFrame(look);
};
document.querySelector(".playback").dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
look() })`

// findingsAreShown goes to findings from the program, the bar and the list. What collides is red, and named.
func findingsAreShown(t *Tab, s PlaybackStates) {
	t.Open(fmt.Sprintf("/portal/parts/%s?tab=program&program=%s", s.Part, s.Failed))
	t.Click("Show the move")
	t.Wait(hasMove(3) + "&&" + atRestInPicture)
	t.WaitText("The holder meets material (12 mm³)")
	holder := redPixels(t)
	t.Inspect("playback-holder", FewLooks, s.Axe)
	if n := Eval[int](t, `document.querySelectorAll(".findingmark").length`); n != 2 {
		t.t.Errorf("%d findings are marks on the bar, want 2", n)
	}
	at := Eval[point](t, `center(document.querySelectorAll(".findingmark")[1])`)
	t.clickAt(at.X, at.Y)
	t.Wait(hasMove(5) + "&&" + atRestInPicture)
	jaws := redPixels(t)
	t.Inspect("playback-jaws", FewLooks, "")
	t.Click("Operation 1.1, move 3")
	t.Wait(hasMove(3) + `&& document.querySelector(".playfindings [aria-current=true]")?.textContent.includes("move 3")`)
	s.view(t, s.Failed, "&op=1.1&move=1")
	t.Wait(hasMove(2) + "&&" + atRestInPicture)
	if none := redPixels(t); holder < 2000 || jaws < holder+2000 || none > holder/10 {
		t.t.Errorf("%d pixels are red at the holder, %d at the jaws, %d without a finding", holder, jaws, none)
	}
}

// undrawnStatesHaveNoSurface moves the slider while no frame is drawn: one surface is made, and the last one at rest.
func undrawnStatesHaveNoSurface(t *Tab, s PlaybackStates) {
	s.view(t, s.Failed, "&op=1.1&move=1")
	t.Wait(atRestInPicture)
	NextFrame(t)
	wants := Eval[map[string]int](t, `new Promise(done => {
		const frame = requestAnimationFrame, post = Worker.prototype.postMessage, held = [], wants = { coarse: 0, tip: 0 };
		window.requestAnimationFrame = f => held.push(f);
		Worker.prototype.postMessage = function (m, ...rest) { wants[m.want]++; post.call(this, m, ...rest); };
		const input = document.querySelector(".timebar input");
		let n = 0;
		const move = () => {
			input.value = String(12 + n / 10);
			input.dispatchEvent(new Event("input", { bubbles: true }));
			if (++n < 30) return setTimeout(move, 20);
			window.requestAnimationFrame = frame;
			Worker.prototype.postMessage = post;
			held.forEach(f => frame(f));
			done(wants);
		};
		move() })`)
	if wants["coarse"] != 1 || wants["tip"] < 3 {
		t.t.Errorf("while nothing is drawn the page asks for %v", wants)
	}
	t.Wait(atRest)
}

// undercutIsSaid: the page says why the stock stays as it is.
func undercutIsSaid(t *Tab, s PlaybackStates) {
	s.view(t, s.Undercut, "&op=1.1&move=3")
	t.Wait(hasMove(4) + "&&" + atRestInPicture)
	t.WaitText("An undercutting tool: the stock changes at the end of this operation")
	t.Inspect("playback-undercut", FewLooks, s.Axe)
	s.view(t, s.Failed, "")
	t.Wait(atRest)
	if Eval[bool](t, `shown("undercutting")`) {
		t.t.Error("the page says that an end mill undercuts")
	}
}

// lostPlaybackIsRebuilt takes the context away twice. The picture comes back once, with its state.
func lostPlaybackIsRebuilt(t *Tab, s PlaybackStates) {
	s.view(t, s.Failed, "&op=1.1&move=2")
	t.Wait(atRestInPicture)
	NextFrame(t) // the first frame may replace the canvas
	NextFrame(t)
	Eval[bool](t, `(window.first = document.querySelector(".stage canvas")) && `+loseContext)
	t.Wait(`document.querySelector(".stage canvas") && document.querySelector(".stage canvas") !== first`)
	if n := redPixels(t); n < 100 {
		t.t.Errorf("the picture that was built again has %d red pixels", n)
	}
	Eval[bool](t, loseContext)
	t.WaitText("has taken the picture away twice")
	t.Inspect("playback-lost", FewLooks, s.Axe)
	if !Eval[bool](t, hasMove(3)) {
		t.t.Error("without a picture the page does not show the move")
	}
	t.Click("Try again")
	t.Wait(`document.querySelector(".stage canvas") && !shown("taken the picture away")`)
}

// playbackWithoutWebGL plays in a browser without WebGL.
func playbackWithoutWebGL(t *Tab, s PlaybackStates) {
	t.Inject(`HTMLCanvasElement.prototype.getContext = () => null`)
	s.view(t, s.Failed, "&op=1.1&move=2")
	t.WaitText("This browser shows no 3D")
	t.Wait(hasMove(3))
}
