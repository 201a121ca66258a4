package verify_test

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
)

// A program in a chuck passes. With the chuck 4 mm higher, or a strap over the part, tools are found to touch it.
func TestToolsTouchDevices(t *testing.T) {
	in, err := program(t, "threaded_pin", machining.BuiltInCutConfig())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(in.Plan.Setups, func(s planning.Setup) bool {
		return s.Clamping.Device == planning.DeviceChuck
	})
	if at < 0 {
		t.Fatal("no setup is in a chuck")
	}
	touches := func(solid []geom.Box) int {
		plan := *in.Plan
		plan.Setups = slices.Clone(plan.Setups)
		plan.Setups[at].Clamping.Solid = solid
		spoiled := in
		spoiled.Plan = &plan
		report, _, err := verify.Replay(t.Context(), spoiled)
		if err != nil {
			t.Fatal(err)
		}
		return report.FixtureCollisions
	}
	chuck := in.Plan.Setups[at].Clamping.Solid
	higher := slices.Clone(chuck)
	for i, b := range higher {
		up := geom.Vec3{Z: 4}
		higher[i] = geom.Box{Min: b.Min.Add(up), Max: b.Max.Add(up)}
	}
	before := in.Plan.Setups[at].Before
	strap := before
	strap.Min.Z, strap.Max.Z, strap.Max.X = before.Max.Z-1, before.Max.Z+12, before.Min.X+6
	for _, c := range []struct {
		name  string
		solid []geom.Box
		found bool
	}{
		{"the chuck", chuck, false}, {"the chuck 4 mm higher", higher, true},
		{"a strap", append(slices.Clone(chuck), strap), true},
	} {
		if n := touches(c.solid); (n > 0) != c.found {
			t.Errorf("%s: tools touch it %d times", c.name, n)
		}
	}
}
