package planning

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/graph"
)

// TestWhatIsNotMadeIsPriced: a batch of 10 at $90 an hour, 2.5 cents a second.
func TestWhatIsNotMadeIsPriced(t *testing.T) {
	p := &planner{
		in: Input{Config: machining.BuiltInCutConfig()},
		g: &graph.Graph{
			PatchOf: []int32{0, 0, 1, 2}, Patches: []graph.Patch{{Area: 100}, {Area: 20_000}, {Area: 1, Enclosed: true}},
		},
	}
	for _, c := range []struct {
		name    string
		u       Unmachinable
		cents   int // 0: no price
		way     completeness.Way
		comment string
	}{
		{"small face", Unmachinable{Reason: completeness.NoToolFits, Regions: []int{0, 1}}, 600, completeness.AtBench,
			"(60 + 1.8 · 100) s"},
		{"large face", Unmachinable{Reason: completeness.OutOfReach, Regions: []int{2}}, 1200, completeness.ByTool,
			"$120 / 10"},
		{"jaws", Unmachinable{Reason: completeness.HeldThere, Regions: []int{2}}, 600, completeness.BySetup,
			"(1800 / 10 + 60) s"},
		{"oblique", Unmachinable{Reason: completeness.NeedsMoreAxes, Regions: []int{2}}, 1950, completeness.ByAxes,
			"(2700 / 10 + 120) s at twice the rate"},
		{"covered", Unmachinable{Reason: completeness.NotAccessible, Regions: []int{2}}, 1950, completeness.ByAxes, ""},
		{"void", Unmachinable{Reason: completeness.NotAccessible, Regions: []int{3}}, 0, "", ""},
		{"turned", Unmachinable{Reason: completeness.Turned}, 750, completeness.ByTurning, "(1800 / 10 + 120) s"},
		{"two corners", Unmachinable{Reason: completeness.SharpCorner, Corners: [][]int{{0, 2}, {1, 2}}}, 750,
			completeness.AtBench, "(60 + 2 · 120) s"},
		{"edges", Unmachinable{Reason: completeness.EdgeNotBroken, length: 1000}, 400, completeness.AtBench,
			"(60 + 0.1 · 1000) s"},
		{"not asked for", Unmachinable{Reason: completeness.NotRequested, Regions: []int{2}}, 0, "", ""},
	} {
		got := completeness.Price{}
		if price := p.priceOf(&c.u); price != nil {
			got = *price
		}
		if got != (completeness.Price{Cents: c.cents, Way: c.way}) {
			t.Errorf("%s: %+v, want %d by %q: %s", c.name, got, c.cents, c.way, c.comment)
		}
	}
}

// TestSetupsAreExplained: no other choice is cheaper unless it says that it leaves more, and leaving out a setup leaves
// more to make by hand.
func TestSetupsAreExplained(t *testing.T) {
	for _, name := range []string{"pockets", "bosses", "lugs"} {
		p := prepared(t, name)
		steps, err := p.search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for i, c := range p.explain(steps) {
			sum += c.Cents
			isCheaper := c.Held != nil && c.Held.Cents < 0 && !strings.Contains(c.Held.Text, "It leaves")
			if isCheaper || len(steps) > 1 && (c.Without == nil || c.Without.Cents <= 0) {
				t.Errorf("%s, setup %d: %+v, held %+v, without %+v", name, i+1, c, c.Held, c.Without)
			}
		}
		total, _ := p.priceOfOrder(steps, len(steps), nil)
		if sum*DefaultQuantity > total+DefaultQuantity*len(steps) {
			t.Errorf("%s: setups cost %d cents a part, all costs %d a batch", name, sum, total)
		}
	}
}
