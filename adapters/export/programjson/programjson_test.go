package programjson_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"millwright.dev/millwright/adapters/export/programjson"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestDocument(t *testing.T) {
	c := machining.BuiltInCutConfig()
	tool := machining.BuiltInTools()[30]
	jaw := geom.BoxOf(geom.Vec3{X: -5, Y: -60, Z: -30}, geom.Vec3{X: 5, Y: -20, Z: -25})
	p := &planning.Plan{
		Workpiece: geom.World, Stock: geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 10, Y: 20, Z: 30}),
		Tools: []planning.Tool{{Number: 17, Stickout: 44.5, Tool: tool}},
		Setups: []planning.Setup{{}, {
			Frame:  geom.NewFrame(geom.Vec3{Y: 9}, geom.Vec3{Y: 1}, geom.Vec3{X: 1}),
			Before: geom.BoxOf(geom.Vec3{Z: -9}, geom.Vec3{X: 3, Y: 4}), Safe: 12,
			Clamping: planning.Clamping{Text: "In a vise.", Solid: []geom.Box{jaw}},
		}},
	}
	// A name that would end its string, and be more than text in a page.
	const name = "bracket\",\"post\":\"grbl\x00\n\u2028</script>"
	facts := programjson.Facts{Part: name, Post: "linuxcnc", Digest: "abc", GCode: []string{"1.ngc", "2.ngc"}}
	d, err := programjson.Of(p, &c, facts)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var got programjson.Document
	if err := json.Unmarshal(file, &got); err != nil {
		t.Fatal(err)
	}
	if got.Part != name || got.Post != "linuxcnc" || bytes.ContainsAny(file, "<>\x00\n\u2028") {
		t.Errorf("part %q, post %q in %s", got.Part, got.Post, file)
	}
	s := got.Setups[1]
	if s.Number != 2 || s.WorkOffset != 2 || s.GCode != "2.ngc" || s.Frame.Origin.Y != 9 ||
		s.Frame.Z != (geom.Vec3{Y: 1}) ||
		s.Frame.X != (geom.Vec3{X: 1}) || s.Stock.Min.Z != -9 || s.Hold != "In a vise." || s.Safe != 12 {
		t.Errorf("setup %+v", s)
	}
	if len(s.Jaws) != 1 || geom.Box(s.Jaws[0]) != jaw || len(got.Setups[0].Jaws) != 0 {
		t.Errorf("jaws %+v", s.Jaws)
	}
	w := got.Tools[0]
	if w.Number != 17 || w.LengthOffset != 17 || w.Kind != tool.Kind || w.Stickout != 44.5 ||
		w.Diameter != tool.Diameter ||
		w.TipAngleDeg == nil || *w.TipAngleDeg != *tool.TipAngleDeg || w.Holder.GaugeLength != tool.Holder.GaugeLength {
		t.Errorf("tool %+v, want %+v", w, tool)
	}
	facts.GCode = facts.GCode[:1]
	if _, err := programjson.Of(p, &c, facts); err == nil {
		t.Error("one file is taken for two setups")
	}
}
