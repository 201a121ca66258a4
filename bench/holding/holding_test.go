package holding_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"millwright.dev/millwright/bench/holding"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/geom"
)

// A mutant changes the clamping of a setup that holds.
type mutant struct {
	name  string
	kinds []holding.Kind
	spoil func(c *planning.Clamping, depth float64)
	found []holding.Check // one of these
}

// move moves boxes by a vector that depends on them.
func move(c *planning.Clamping, by func(b geom.Box) geom.Vec3) {
	for i, b := range c.Solid {
		v := by(b)
		c.Solid[i] = geom.Box{Min: b.Min.Add(v), Max: b.Max.Add(v)}
	}
}

// outward returns the direction away from the part of the jaw that a box is of, for jaws along either axis.
func outward(c *planning.Clamping) func(b geom.Box) geom.Vec3 {
	all := geom.EmptyBox()
	for _, b := range c.Solid {
		all = all.Union(b)
	}
	for _, axis := range []int{0, 1} {
		sign := func(b geom.Box) float64 {
			low := b.Min.Coordinate(axis) < all.Min.Coordinate(axis)+0.01
			high := b.Max.Coordinate(axis) > all.Max.Coordinate(axis)-0.01
			switch {
			case low && !high:
				return -1
			case high && !low:
				return 1
			}
			return 0
		}
		if !slices.ContainsFunc(c.Solid, func(b geom.Box) bool { return sign(b) == 0 }) {
			return func(b geom.Box) (v geom.Vec3) {
				v.SetCoordinate(axis, sign(b))
				return v
			}
		}
	}
	return nil
}

var mutants = []mutant{
	{"force / 3", []holding.Kind{holding.RawVise, holding.SoftVise, holding.FormedVise},
		func(c *planning.Clamping, _ float64) { c.Hold.Set /= 3 }, []holding.Check{holding.Slips, holding.Tips}},
	{"1 mm deep", []holding.Kind{holding.RawVise, holding.SoftVise, holding.FormedVise},
		func(c *planning.Clamping, depth float64) {
			move(c, func(geom.Box) geom.Vec3 { return geom.Vec3{Z: 1 - depth} })
		}, []holding.Check{holding.Shallow}},
	{"a jaw 10 mm outward", []holding.Kind{holding.RawVise, holding.SoftVise, holding.FormedVise},
		func(c *planning.Clamping, _ float64) {
			out := outward(c)
			move(c, func(b geom.Box) geom.Vec3 {
				if v := out(b); v.X+v.Y > 0 {
					return v.Scale(10)
				}
				return geom.Vec3{}
			})
		}, []holding.Check{holding.Touches}},
	{"a jaw 10 mm inward", []holding.Kind{holding.RawVise, holding.SoftVise, holding.FormedVise},
		func(c *planning.Clamping, _ float64) {
			out := outward(c)
			move(c, func(b geom.Box) geom.Vec3 {
				if v := out(b); v.X+v.Y < 0 {
					return v.Scale(-10)
				}
				return geom.Vec3{}
			})
		}, []holding.Check{holding.Overlaps}},
	{"jaws 2 mm aside", []holding.Kind{holding.FormedVise},
		func(c *planning.Clamping, _ float64) {
			out := outward(c)
			move(c, func(b geom.Box) geom.Vec3 {
				v := out(b)
				return geom.Vec3{X: 2 * math.Abs(v.Y), Y: 2 * math.Abs(v.X)}
			})
		}, []holding.Check{holding.Overlaps}},
}

// Plans of parts pass the audit, and it finds each spoiled clamping.
func TestMutantsAreFound(t *testing.T) {
	seen := map[holding.Kind]int{}
	for _, name := range []string{"through_hole", "stepped_disc", "slotted_bar"} {
		model, coarse := featuretest.Part(t, name)
		in := program(t, model, coarse)
		in.Cells = 250
		sound := audit(t, in)
		if again := audit(t, in); !reflect.DeepEqual(again, sound) {
			t.Errorf("%s: %+v, then %+v", name, sound, again)
		}
		for i := range sound {
			if f := sound[i].Failures(); len(f) > 0 {
				t.Errorf("%s: setup %d, %s: %v", name, i+1, sound[i].Kind, f)
			}
		}
		for _, m := range mutants {
			p := *in.Plan
			p.Setups = slices.Clone(p.Setups)
			for i := range p.Setups {
				c := &p.Setups[i].Clamping
				c.Solid = slices.Clone(c.Solid)
				hold := *c.Hold
				if c.Hold = &hold; slices.Contains(m.kinds, sound[i].Kind) {
					m.spoil(c, sound[i].Depth)
				}
			}
			spoiled := in
			spoiled.Plan = &p
			for i, s := range audit(t, spoiled) {
				if !slices.Contains(m.kinds, sound[i].Kind) {
					continue
				}
				seen[sound[i].Kind]++
				if !slices.ContainsFunc(s.Failures(), func(u holding.Use) bool { return slices.Contains(m.found, u.Check) }) {
					t.Errorf("%s: setup %d, %s: %s is not found: %v", name, i+1, sound[i].Kind, m.name, s.Uses)
				}
			}
		}
	}
	for _, k := range []holding.Kind{holding.RawVise, holding.SoftVise, holding.FormedVise} {
		if seen[k] < len(mutants)-1 {
			t.Errorf("%d mutants of %s", seen[k], k)
		}
	}
}

func audit(t testing.TB, in holding.Input) []holding.Setup {
	t.Helper()
	list, err := holding.Audit(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// byHand returns a program of one operation: a mill runs along a side of a block, 1 mm outside it unless it is wide.
func byHand(size geom.Vec3, c planning.Clamping, tool machining.Tool, ap, ae, fz float64) holding.Input {
	config := machining.BuiltInCutConfig()
	value := func(x float64) cutting.SourcedValue { return cutting.SourcedValue{Value: x} }
	o := planning.Operation{
		ID: "1", Strategy: planning.Contour, Top: size.Z, Bottom: size.Z - ap, LeaveRadial: 0.1,
		Cutting: cutting.CuttingData{Axial: value(ap), Radial: value(ae), FeedPerTooth: fz},
	}
	out := -tool.Diameter/2 + min(ae, 1)
	run := motion.Operation{ID: "1", Start: geom.Vec3{X: -50, Y: out, Z: size.Z - ap}, Moves: []motion.Move{
		{To: geom.Vec3{X: size.X + 50, Y: out, Z: size.Z - ap}, Kind: motion.Cut, Feed: 1000},
	}}
	return holding.Input{
		Plan: &planning.Plan{
			Workpiece: geom.World, Stock: geom.BoxOf(geom.Vec3{}, size),
			Tools:  []planning.Tool{{Number: 1, Stickout: 60, Tool: tool}},
			Setups: []planning.Setup{{Frame: geom.World, Clamping: c, Operations: []planning.Operation{o}}},
		},
		Set:    &toolpath.Set{Setups: []motion.Setup{{Frame: geom.World, Operations: []motion.Operation{run}}}},
		Config: &config, Mill: compute.OnCPU(0),
	}
}

func endMill(diameter float64, flutes int) machining.Tool {
	return machining.Tool{ID: "mill", Kind: machining.FlatEndMill, Diameter: diameter, FluteLength: 3 * diameter,
		OverallLength: 6 * diameter, ShankDiameter: diameter, BodyLength: 4 * diameter, FluteCount: flutes}
}

// jaws are two plain jaws along y with a grip on a block.
func jaws(size geom.Vec3, depth, force float64) planning.Clamping {
	x := size.X/2 - 75
	return planning.Clamping{Kind: machining.WorkholdingVise, Hold: &planning.Hold{Set: force}, Solid: []geom.Box{
		{Min: geom.Vec3{X: x, Y: -40, Z: depth - 44}, Max: geom.Vec3{X: x + 150, Z: depth}},
		{Min: geom.Vec3{X: x, Y: size.Y, Z: depth - 44}, Max: geom.Vec3{X: x + 150, Y: size.Y + 40, Z: depth}},
	}}
}

func use(t testing.TB, s *holding.Setup, c holding.Check) float64 {
	t.Helper()
	for _, u := range s.Uses {
		if u.Check == c {
			return u.Value
		}
	}
	t.Errorf("no %s in %v", c, s.Uses)
	return 0
}

// Blocks in a vise, calculated by hand from the forces of the mill.
func TestVisesOfBlocks(t *testing.T) {
	const al = 0.95 // friction of aluminum
	for _, row := range []struct {
		name  string
		size  geom.Vec3
		depth float64
		d     float64
		ap    float64
		ae    float64
		fz    float64
	}{
		{"40 mm over the jaws", geom.Vec3{X: 100, Y: 50, Z: 46}, 6, 20, 20, 5, .16},
		{"60 mm over narrow jaws", geom.Vec3{X: 100, Y: 10, Z: 65}, 5, 10, 10, 2.5, .1},
	} {
		in := byHand(row.size, jaws(row.size, row.depth, 20_000), endMill(row.d, 3), row.ap, row.ae, row.fz)
		s := &audit(t, in)[0]
		f := holding.Mill(700, .25, row.d, 3, row.fz, row.ap, row.ae, 30)
		lever := row.size.Z - row.ap/2 - row.depth/2
		mu, force := 0.45*al, 20_000.0
		slip := 2 * math.Hypot(f.Across, f.Up) / (2 * mu * force)
		rock := 2 * f.Across * lever / (mu * force * row.size.X)
		for check, want := range map[holding.Check]float64{
			holding.Slips:  math.Hypot(slip, rock),
			holding.Tips:   2 * f.Across * lever / (force * (row.depth/3 + mu*row.size.Y)),
			holding.Pushes: 2 * f.Across / force, holding.Crushes: force / (276 * row.depth * row.size.X),
			holding.StandsOut: (row.size.Z - row.depth) / (3 * row.size.Y), holding.Opens: row.size.Y / 430,
			holding.Overlaps: 0, holding.Touches: 0, holding.Loosens: 0,
		} {
			if got := use(t, s, check); math.Abs(got-want) > 0.02*want+0.002 {
				t.Errorf("%s: %s %.3f, want %.3f", row.name, check, got, want)
			}
		}
		if s.Kind != holding.RawVise || math.Abs(s.Depth-row.depth) > 1e-3 || math.Abs(s.Length-row.size.X) > 0.5 {
			t.Errorf("%s: %+v", row.name, s)
		}
	}
}

// The part bends over the jaws as a beam, and bows between them as a column.
func TestBendingOfBlocks(t *testing.T) {
	// A plate 3 mm thick lies between the jaws: a column with hinges.
	plate := geom.Vec3{X: 150, Y: 134, Z: 3}
	s := &audit(t, byHand(plate, jaws(plate, 2.9, 3200), endMill(6, 3), .5, .2, .06))[0]
	if got, want := use(t, s, holding.Bows), 3200/3200.0; math.Abs(got/want-1) > 0.03 {
		t.Errorf("a plate bows by %.3f of what it may, want %.3f", got, want)
	}
	// The beam: a tall plate, held below.
	tall := geom.Vec3{X: 134, Y: 10.35, Z: 266}
	in := byHand(tall, jaws(tall, 10, 8000), endMill(20, 3), 13, 5, .16)
	in.Cells = 1000
	s = &audit(t, in)[0]
	f := holding.Mill(700, .25, 20, 3, .16, 13, 5, 30)
	high := tall.Z - 6.5 - 10
	inertia := tall.X * math.Pow(tall.Y, 3) / 12
	want := f.Across * math.Pow(high, 3) / (3 * 69_000 * inertia) / 0.1
	if got := use(t, s, holding.Sways); math.Abs(got/want-1) > 0.05 {
		t.Errorf("a tall plate sways by %.1f of what it may, want %.1f", got, want)
	}
}

// A bed with vacuum bears light cuts between stops; deep ones lift the part, and without stops it slides.
func TestBeds(t *testing.T) {
	size := geom.Vec3{X: 200, Y: 120, Z: 10}
	stops := func() planning.Clamping {
		return planning.Clamping{Kind: machining.WorkholdingNone, Solid: []geom.Box{
			{Min: geom.Vec3{X: -20}, Max: geom.Vec3{Y: size.Y, Z: 3}},
			{Min: geom.Vec3{X: size.X}, Max: geom.Vec3{X: size.X + 20, Y: size.Y, Z: 3}},
			{Min: geom.Vec3{Y: -20}, Max: geom.Vec3{X: size.X, Z: 3}},
			{Min: geom.Vec3{Y: size.Y}, Max: geom.Vec3{X: size.X, Y: size.Y + 20, Z: 3}},
		}}
	}
	light := byHand(size, stops(), endMill(6, 3), 6.35, .18, .06)
	s := &audit(t, light)[0]
	if s.Kind != holding.Bed || len(s.Failures()) > 0 || math.Abs(s.Force/1920-1) > 0.01 {
		t.Errorf("a light cut: %+v", s)
	}
	deep := audit(t, byHand(size, stops(), endMill(20, 3), 10, 5, .16))[0]
	if use(t, &deep, holding.Tips) <= 1 {
		t.Errorf("a deep cut does not lift: %+v", deep)
	}
	for n := range 4 {
		c := stops()
		c.Solid = slices.Delete(c.Solid, n, n+1)
		in := byHand(size, c, endMill(10, 3), 2, 1, .1)
		s := audit(t, in)[0]
		if !slices.ContainsFunc(s.Failures(), func(u holding.Use) bool { return u.Check == holding.Slips }) {
			t.Errorf("without stop %d: %+v", n, s)
		}
	}
}

// Clampings that nobody has designed are counted, those of the caller are not judged.
func TestKindsAndCounts(t *testing.T) {
	size := geom.Vec3{X: 40, Y: 40, Z: 40}
	tool := endMill(6, 3)
	fixture := byHand(size, planning.Clamping{Kind: machining.WorkholdingFixture}, tool, 2, 1, .05)
	caller := byHand(size, planning.Clamping{Kind: machining.WorkholdingNone}, tool, 2, 1, .05)
	caller.Config.Workholding.Kind = machining.WorkholdingNone
	unforced := byHand(size, jaws(size, 6, 0), tool, 2, 1, .05)
	var all [][]holding.Setup
	for _, in := range []holding.Input{fixture, caller, unforced} {
		all = append(all, audit(t, in))
	}
	s := holding.Sum(all)
	got := fmt.Sprint(s.Parts, s.Judged, s.Pass, s.Fails[holding.Undesigned], s.Fails[holding.NoForce], s.MedianSetups,
		len(s.Missed()))
	if want := "3 2 0 1 1 1 2"; got != want {
		t.Errorf("%s, want %s: %+v", got, want, s)
	}
}
