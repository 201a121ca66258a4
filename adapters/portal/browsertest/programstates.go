package browsertest

import (
	"fmt"
	"strings"
	"testing"
)

// ProgramStates is a running service with a part and programs of it, by their ids.
type ProgramStates struct {
	Server
	Part    string
	Failed  string // its proof found a gouge in move 1 of operation 1.1 of setup 1
	Changed string // made with an hourly rate that changed since, of the cut config "Mill 1"
	Old     string // of a release without setup sheets and program.json
	Axe     string // the program of axe-core, "" = none
}

// RunProgramStates runs the cases of programs that are not as they should be.
func RunProgramStates(t *testing.T, s ProgramStates) {
	tab := Start(t).Tab(t, s.Origin)
	tab.Open(s.Link())
	tab.Wait(`document.querySelector("h1")?.textContent === "Parts"`)
	open := func(program, view string) {
		tab.Open(fmt.Sprintf("/portal/parts/%s?tab=%s&program=%s", s.Part, view, program))
		settled(tab)
	}

	open(s.Failed, "program")
	if first := Eval[string](tab, `document.querySelector(".programtab .panel h2").textContent`); first !=
		"The proof failed: there is no g-code" {
		t.Errorf("the first panel of a failed program is %q", first)
	}
	tab.WaitText("The part is cut into by 0.3 mm")
	if strings.Contains(Eval[string](tab, `document.querySelector(".files").innerText`), "Setup sheet") {
		t.Error("a failed program offers a setup sheet")
	}
	tab.Inspect("program-failed", FewLooks, s.Axe)
	tab.Click("Show the move")
	tab.Wait(fmt.Sprintf(`["tab=playback", "program=%s", "setup=1", "op=1.1", "move=0"]
		.every(q => location.search.includes(q))`, s.Failed))
	open(s.Failed, "gcode")
	tab.WaitText("There is no g-code of this program")
	if Eval[bool](tab, `!!document.querySelector(".codelist")`) {
		t.Error("a failed program shows g-code")
	}
	status := Eval[int](tab, fmt.Sprintf(`fetch("/portal/api/v1/parts/%s/programs/%s/gcode").then(r => r.status)`, s.Part, s.Failed))
	if status != 409 {
		t.Errorf("the g-code of a failed program answers %d, want 409", status)
	}
	tab.Click("See the proof")
	tab.WaitText("The proof failed")

	open(s.Changed, "program")
	tab.WaitText("Made with an older Mill 1. Hourly rate changed since.")
	tab.Inspect("program-outdated", FewLooks, s.Axe)
	tab.Click("Plan again")
	tab.WaitText("It is the next of your team.")
	tab.Inspect("program-waits", FewLooks, s.Axe)

	open(s.Old, "program")
	tab.WaitText("An earlier release made this program without this file. Plan the part again.")
	tab.WaitText("There is no picture of this setup.")
	tab.Inspect("program-old", FewLooks, s.Axe)
}
