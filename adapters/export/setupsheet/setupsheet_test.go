package setupsheet

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// sheet returns a sheet with two setups; in the second the part is on its side.
func sheet() *Sheet {
	c := machining.BuiltInCutConfig()
	tools := machining.BuiltInTools()
	box := geom.BoxOf(geom.Vec3{X: -2, Y: -2, Z: -22}, geom.Vec3{X: 82, Y: 52})
	p := &planning.Plan{
		Stock: box, Tools: []planning.Tool{{Number: 7, Stickout: 30, Tool: tools[8]},
			{Number: 9, Stickout: 41.25, Tool: tools[25]}},
		Setups: []planning.Setup{
			{
				Frame: geom.Frame{Origin: geom.Vec3{X: -2}, X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1},
					Z: geom.Vec3{Z: 1}},
				Before: box, Safe: 20,
				Clamping: planning.Clamping{Text: "In a vise, 3 mm deep.", Solid: []geom.Box{
					geom.BoxOf(geom.Vec3{X: -30, Y: -30, Z: -40}, geom.Vec3{X: 110, Y: -2, Z: -19}),
				}},
				Operations: []planning.Operation{
					{ID: "a", Strategy: planning.Pocket, Top: 0, Bottom: -12, LeaveRadial: 0.2, LeaveAxial: 0.1,
						Coolant: motion.Flood,
						Cutting: cutting.CuttingData{SpindleRPM: cutting.SourcedValue{Value: 7957.7},
							Feed: cutting.SourcedValue{Value: 2864.8}}},
					{ID: "b", Strategy: planning.Drill, Tool: 1, Notes: []string{"thread <guessed>"},
						Holes: []planning.Hole{
							{At: geom.Vec2{X: 10, Y: 20}, Diameter: 6.6}, {At: geom.Vec2{X: 30, Y: 20}, Diameter: 6.6},
							{Diameter: 5},
						}},
				},
			},
			{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Y: -1}, geom.Vec3{X: 1}), Before: box,
				Clamping: planning.Clamping{Text: "On a plate."}},
		},
		Account: completeness.New(completeness.Found, []completeness.Entry{{
			Feature: 3, Regions: []int{4, 9}, Volume: 12.5, Height: 0.4, Reason: completeness.OutOfReach,
			Detail: "No tool is that small.", Remedy: "A file.",
		}}, 1000, 100),
		Warnings: []fault.Warning{{Message: "The bar is short."}},
	}
	return &Sheet{
		Title: "A <b> & co", Config: &c, Plan: p, Proof: &verify.Report{},
		Times: &estimate.Times{Total: 754, Low: 700, High: 3900, Setups: []estimate.SetupTimes{
			{Operations: []estimate.OperationTimes{{OperationID: "a", Seconds: 61},
				{OperationID: "b", Seconds: 9}}}, {},
		}},
		Edges: [][]geom.Vec3{{{}, {X: 80}, {X: 80, Y: 50}}, {{Z: -20}, {Z: -10}}},
	}
}

func written(t *testing.T, s *Sheet) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSheet(t *testing.T) {
	s := sheet()
	got := written(t, s)
	for _, want := range []string{
		"<h1>A &lt;b&gt; &amp; co</h1>", "84 × 54 × 22 mm", "12:34 min (11:40 min to 1 h 05 min)",
		`class="holds">0 gouges, 0 collisions<`,
		"<h2>Setup 2</h2>", "In a vise, 3 mm deep.", "1 (G54 on ISO controls)",
		"<dd>-2, 0, 0 of the part, Z along &#43;z, X along &#43;x</dd>", "2 (G55 on ISO controls)",
		"Z along −y, X along &#43;x",
		"clear 12 mm deep", "drill 2 × ⌀6.6, ⌀5", "thread &lt;guessed&gt;", "flood coolant", "0.2 / 0.1", ">7958<",
		">2865<", "1:01 min",
		`<td>feature 4</td><td>4 9</td><td>12.5 mm³, up to 0.4 mm high</td><td>out_of_reach</td><td>No tool is that small.<br>`,
		`<dd class="fails">INCOMPLETE: 98.7 % of the volume`, "The bar is short.", ">41.25<", ">T9<",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the sheet lacks %q", want)
		}
	}
	for _, never := range []string{"Price", "do not run", "src=", "href=", "url("} {
		if strings.Contains(got, never) {
			t.Errorf("the sheet has %q", never)
		}
	}
	s.Price = &estimate.Estimate{Quantity: 10, PartCost: estimate.PartCost{CostCents: 12305}}
	if got := written(t, s); !strings.Contains(got, "$123.05 each for 10") {
		t.Errorf("the price is missing in %s", got)
	}
}

// Names of files, machines, materials, tools and holders cannot inject HTML.
func TestSheetEscapesHTML(t *testing.T) {
	s := sheet()
	tags := func(page string) int { return strings.Count(page, "<") }
	before := tags(written(t, s))
	const text = `"'><script>alert(1)</script><img src=x onerror=alert(1)> --><svg onload=alert(1)></svg>{{.Title}}` +
		"\n"
	holder := *s.Plan.Tools[0].Tool.Holder
	for _, place := range []*string{
		&s.Title, &s.Config.Name, &s.Config.Machine.Name, &s.Config.Material.Name, &s.Config.Post,
		&s.Plan.Tools[0].Tool.Name,
		&s.Plan.Tools[1].Tool.Name, &holder.Name, &s.Plan.Setups[0].Clamping.Text,
		&s.Plan.Setups[0].Operations[1].Notes[0],
		&s.Plan.Account.Left[0].Detail, &s.Plan.Account.Left[0].Remedy, &s.Plan.Warnings[0].Message,
	} {
		*place = text
	}
	s.Plan.Tools[0].Tool.Holder = &holder
	got := written(t, s)
	if n := tags(got); n != before {
		t.Errorf("the sheet has %d tags, want %d:\n%s", n, before, got)
	}
	if n := len(Pictures(got)); n != len(s.Plan.Setups) {
		t.Errorf("%d pictures of %d setups", n, len(s.Plan.Setups))
	}
}

func TestSheetOfFailedProgram(t *testing.T) {
	s := sheet()
	s.Proof = &verify.Report{HolderCollisions: 1, Findings: []verify.Finding{
		{Kind: verify.Gouge, Operation: "a", Move: 17, Depth: 0.0512, Position: geom.Vec3{X: 1, Y: 2.5, Z: -3}},
		{Kind: verify.HolderCollision, Setup: 1, Operation: "b", Depth: 3},
		{Kind: verify.Overtravel, Depth: 0.4},
	}}
	got := written(t, s)
	for _, want := range []string{
		`class="fails">1 gouge, 1 collision, 1 other finding: do not run this program`,
		"In setup 1, operation a (pocket), move 18: the part is cut into by 0.0512 mm at (1, 2.5, -3) of the part.",
		"In setup 2, operation b (drill), move 1: the holder meets 3 mm³ of material at",
		"In setup 1: the machine is 0.4 mm short of travel at",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the sheet lacks %q", want)
		}
	}
}

func TestWhat(t *testing.T) {
	p := &planning.Plan{Tools: []planning.Tool{
		{Tool: machining.Tool{Kind: machining.FlatEndMill}}, {Tool: machining.Tool{Kind: machining.SpotDrill}},
		{Tool: machining.Tool{Kind: machining.Countersink}}, {Tool: machining.Tool{Kind: machining.Drill}},
	}}
	hole := []planning.Hole{{Diameter: 4}}
	for want, o := range map[string]planning.Operation{
		"clear 9 mm deep":         {Strategy: planning.Pocket, Top: -1, Bottom: -10},
		"finish floor at Z -10":   {Strategy: planning.Pocket, Top: -1, Bottom: -10, Floor: true},
		"spot ⌀4":                 {Strategy: planning.Drill, Tool: 1, Holes: hole},
		"countersink ⌀4":          {Strategy: planning.Drill, Tool: 2, Holes: hole},
		"drill ⌀4":                {Strategy: planning.Drill, Tool: 3, Holes: hole},
		"cut dovetails 3 mm deep": {Strategy: planning.Dovetail, Bottom: -3},
		"cut grooves ⌀4":          {Strategy: planning.Slot, Holes: hole},
		"polish 3 mm deep":        {Strategy: "polish", Bottom: -3},
	} {
		if got := What(p, &o); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMismatchedTimesAreRejected(t *testing.T) {
	s := sheet()
	s.Times.Setups = s.Times.Setups[:1]
	if Write(io.Discard, s) == nil {
		t.Error("times of one setup are taken for two")
	}
}

func TestPicture(t *testing.T) {
	s := sheet()
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(Picture(&s.Plan.Setups[0], s.Edges)))
	var path string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			counts[e.Name.Local]++
			for _, a := range e.Attr {
				if e.Name.Local == "path" && a.Name.Local == "d" && path == "" {
					path = a.Value
				}
			}
		}
	}
	if counts["svg"] != 1 || counts["rect"] != 2 || counts["circle"] != 3 || counts["text"] != 4 {
		t.Errorf("elements %v", counts)
	}
	if want := "M2 0L82 0L82 -50M2 0"; path != want { // from the work offset; of an edge along Z nothing is seen
		t.Errorf("the edges are %q, want %q", path, want)
	}
}

func TestDurations(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0:00 min", 59.6: "1:00 min", 3599.4: "59:59 min", 3599.6: "1 h 00 min", 7170: "2 h 00 min",
	} {
		if got := Duration(seconds); got != want {
			t.Errorf("%g s is %q, want %q", seconds, got, want)
		}
	}
}

// TestGripNamesTheSeat: a machinist reads the parallels, the fixed jaw and the stop where there are any.
func TestGripNamesTheSeat(t *testing.T) {
	h := planning.Hold{Opening: 50, Depth: 6, Length: 80, StandOut: 24, Least: 5000, Set: 9000, Most: 20000, Torque: 36}
	for _, c := range []struct {
		parallels float64
		jaw, want string
	}{
		{38, "-y", "24 over the jaws; parallels 38 high; fixed jaw at −y, stop at −x; 9 kN"},
		{0, "+y", "24 over the jaws; fixed jaw at +y, stop at −x; 9 kN"},
		{0, "", "24 over the jaws; 9 kN"},
	} {
		h.Parallels, h.FixedJaw, h.Stop = c.parallels, c.jaw, "-x"
		if got := grip(&h); !strings.Contains(got, c.want) {
			t.Errorf("%q does not hold %q", got, c.want)
		}
	}
}
