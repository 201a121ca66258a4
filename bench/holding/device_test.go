package holding_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/bench/holding"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/geom"
)

func fails(s *holding.Setup, checks ...holding.Check) bool {
	return slices.ContainsFunc(s.Failures(), func(u holding.Use) bool { return slices.Contains(checks, u.Check) })
}

// A chuck of the planner passes; a third of its force, other diameters and places of its jaws are found.
func TestMutantsOfChucks(t *testing.T) {
	model, coarse := featuretest.Part(t, "threaded_pin")
	in := program(t, model, coarse)
	in.Cells = 400
	at := slices.IndexFunc(in.Plan.Setups, func(s planning.Setup) bool {
		return s.Clamping.Device == planning.DeviceChuck
	})
	if at < 0 {
		t.Fatal("no setup is in a chuck")
	}
	sound := audit(t, in)
	if s := &sound[at]; s.Kind != holding.Chuck || len(s.Failures()) > 0 {
		t.Errorf("%s: %v", s.Kind, s.Failures())
	}
	widen := func(c *planning.Clamping, by float64) {
		hull := geom.EmptyBox()
		for _, b := range c.Solid {
			hull = hull.Union(b)
		}
		middle := hull.Center().Y
		for i, b := range c.Solid {
			switch {
			case b.Min.Y > middle:
				c.Solid[i].Min.Y += by
			case b.Max.Y < middle:
				c.Solid[i].Max.Y -= by
			}
		}
	}
	for _, m := range []struct {
		name  string
		spoil func(c *planning.Clamping)
		found []holding.Check
	}{
		{"force / 3", func(c *planning.Clamping) { c.Hold.Set /= 3 }, []holding.Check{holding.Slips, holding.Tips}},
		{"2 mm wider", func(c *planning.Clamping) { widen(c, 1) }, []holding.Check{holding.Touches}},
		{"2 mm narrower", func(c *planning.Clamping) { widen(c, -1) }, []holding.Check{holding.Overlaps}},
		{"1 mm aside", func(c *planning.Clamping) { move(c, func(geom.Box) geom.Vec3 { return geom.Vec3{X: 1} }) },
			[]holding.Check{holding.Overlaps, holding.Touches}},
		{"jaws 2.5 mm lower", func(c *planning.Clamping) {
			move(c, func(geom.Box) geom.Vec3 { return geom.Vec3{Z: -2.5} })
		}, []holding.Check{holding.Shallow, holding.Touches}},
	} {
		p := *in.Plan
		p.Setups = slices.Clone(p.Setups)
		c := &p.Setups[at].Clamping
		hold := *c.Hold
		c.Hold, c.Solid = &hold, slices.Clone(c.Solid)
		m.spoil(c)
		spoiled := in
		spoiled.Plan = &p
		if s := audit(t, spoiled)[at]; !fails(&s, m.found...) {
			t.Errorf("%s is not found: %v", m.name, s.Uses)
		}
	}
}

// pair is two plates on a base, with bolts, around a block.
func pair(size geom.Vec3, depth, force float64) planning.Clamping {
	c := jaws(size, depth, force)
	c.Kind, c.Device = machining.WorkholdingFixture, planning.DevicePlates
	base := c.Solid[0].Union(c.Solid[1])
	base.Min.Z, base.Max.Z = -30, -10
	bolt := c.Solid[0]
	bolt.Min.Y, bolt.Max.Y, bolt.Max.X = 0, size.Y, bolt.Min.X+10
	c.Solid = append(c.Solid, base, bolt)
	return c
}

// Plates are judged as smooth jaws, with the force of their bolts.
func TestPlatesOfBlocks(t *testing.T) {
	size := geom.Vec3{X: 60, Y: 20, Z: 100}
	in := byHand(size, pair(size, 75, 30_000), endMill(10, 3), 5, 1, .05)
	s := &audit(t, in)[0]
	f, lever, mu := holding.Mill(700, .25, 10, 3, .05, 5, 1, 30), 97.5-53, 0.10*0.95 // the jaws are 44 mm high
	want := math.Hypot(math.Hypot(f.Across, f.Up)/(mu*30_000), 2*f.Across*lever/(mu*30_000*size.X))
	got := use(t, s, holding.Slips)
	if s.Kind != holding.Plates || math.Abs(got/want-1) > 0.05 || len(s.Failures()) > 0 {
		t.Errorf("%s: slips by %.3f, want %.3f: %v", s.Kind, got, want, s.Failures())
	}
	for name, c := range map[string]planning.Clamping{
		"a third of the force": pair(size, 75, 1_500), "more than bolts bear": pair(size, 75, 60_000),
		"1 mm deep": pair(size, 1, 30_000),
	} {
		if s := audit(t, byHand(size, c, endMill(10, 3), 5, 1, .05))[0]; len(s.Failures()) == 0 {
			t.Errorf("%s is not found: %v", name, s.Uses)
		}
	}
}

// strapped is a base plate with a strap and a seat near each corner of a block.
func strapped(size geom.Vec3, each float64) planning.Clamping {
	c := planning.Clamping{Kind: machining.WorkholdingFixture, Device: planning.DeviceBase,
		Hold: &planning.Hold{Set: 4 * each, Count: 4}}
	for _, y := range []float64{20, size.Y - 20} {
		for _, x := range []float64{0, size.X} {
			in := x + 10*math.Copysign(1, size.X/2-x)
			strap := geom.BoxOf(geom.Vec3{X: x - 40*math.Copysign(1, size.X/2-x), Y: y - 10, Z: size.Z},
				geom.Vec3{X: in, Y: y + 10, Z: size.Z + 12})
			seat := geom.BoxOf(geom.Vec3{X: x, Y: y - 10, Z: -10}, geom.Vec3{X: in, Y: y + 10})
			c.Solid = append(c.Solid, strap, seat)
		}
	}
	c.Solid = append(c.Solid, geom.Box{Min: geom.Vec3{X: -50, Y: -10, Z: -30},
		Max: geom.Vec3{X: size.X + 50, Y: size.Y + 10, Z: -10}})
	return c
}

// A base plate holds by the friction and the moments of its clamps. A lost clamp or seat, and less force, are found.
func TestBasePlatesOfBlocks(t *testing.T) {
	size := geom.Vec3{X: 200, Y: 120, Z: 30}
	cutOf := func(c planning.Clamping) *holding.Setup {
		return &audit(t, byHand(size, c, endMill(10, 3), 6, 3, .08))[0]
	}
	s := cutOf(strapped(size, 6000))
	f := holding.Mill(700, .25, 10, 3, .08, 6, 3, 30)
	slip := 2 * f.Across / (0.15 * (24_000 - 2*f.Up))
	tip := 2 * (f.Across*27 + f.Up*(size.Y-20)) / (2 * 6000 * (size.Y - 40)) // about the long edges: the worst
	if got := use(t, s, holding.Slips); s.Kind != holding.Base || math.Abs(got/slip-1) > 0.02 || len(s.Failures()) > 0 {
		t.Errorf("%s: slips by %.3f, want %.3f: %v", s.Kind, got, slip, s.Failures())
	}
	if got := use(t, s, holding.Tips); math.Abs(got/tip-1) > 0.03 {
		t.Errorf("tips by %.3f, want %.3f", got, tip)
	}
	spoil := func(change func(c *planning.Clamping)) planning.Clamping {
		c := strapped(size, 6000)
		change(&c)
		return c
	}
	for name, c := range map[string]planning.Clamping{
		"a third of the force": strapped(size, 2000/2), "more than bolts bear": strapped(size, 9000),
		"a strap off": spoil(func(c *planning.Clamping) { c.Solid = c.Solid[1:] }),
		"a seat off":  spoil(func(c *planning.Clamping) { c.Solid = slices.Delete(c.Solid, 1, 2) }),
		"a strap in the part": spoil(func(c *planning.Clamping) {
			c.Solid[0].Min.Z -= 2
			c.Solid[0].Max.Z -= 2
		}),
	} {
		if s := cutOf(c); len(s.Failures()) == 0 {
			t.Errorf("%s is not found: %v", name, s.Uses)
		}
	}
}

// Jaws that are bored to a bar touch it over their rows; those of another diameter are found.
func TestBarsInBoredJaws(t *testing.T) {
	const radius, top = 20.0, 24.0
	size := geom.Vec3{X: 100, Y: 2 * radius, Z: 2 * radius}
	bored := func(r float64) planning.Clamping {
		c := planning.Clamping{Kind: machining.WorkholdingVise, Hold: &planning.Hold{Set: 10_000}}
		const rows = 12
		for i := range rows {
			low, high := top*float64(i)/rows, top*float64(i+1)/rows
			z := max(low-radius, radius-high, 0)
			half := max(math.Sqrt(max(r*r-z*z, 0)), 1.5)
			for _, y := range [][2]float64{{radius - 60, radius - half}, {radius + half, radius + 60}} {
				end := geom.Vec3{X: size.X, Y: y[1], Z: high}
				c.Solid = append(c.Solid, geom.BoxOf(geom.Vec3{Y: y[0], Z: low}, end))
			}
		}
		return c
	}
	wrong := map[float64]holding.Check{radius: "", radius + 4: holding.Touches, radius - 1: holding.Overlaps}
	for r, check := range wrong {
		in := byHand(size, bored(r), endMill(10, 3), 3, 1, .05)
		axis := 0
		in.Plan.Bar = &axis
		s := &audit(t, in)[0]
		if check == "" && (len(s.Failures()) > 0 || s.Kind != holding.FormedVise || s.Depth < 10) {
			t.Errorf("%+v: %v", s, s.Failures())
		}
		if check != "" && !fails(s, check) {
			t.Errorf("bored to %g mm: %v", 2*r, s.Uses)
		}
	}
}
