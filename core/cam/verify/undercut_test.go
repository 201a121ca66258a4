package verify_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// slotted returns the section of a block of 80 × 40 mm with a channel in the middle of its top: a neck of a width and
// depth, and a head that is wider at its floor and at its top.
func slotted(neck, depth, floor, top, height float64) []geom.Vec2 {
	const wide, high = 80.0, 40.0
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: wide/2 + x, Y: high - y} }
	list := []geom.Vec2{{}, {X: wide}, {X: wide, Y: high}}
	right := []geom.Vec2{at(neck/2, 0), at(neck/2, depth), at(top/2, depth), at(floor/2, depth+height)}
	if top == neck {
		right = slices.Delete(right, 2, 3)
	}
	if depth == 0 {
		right = right[1:]
	}
	list = append(list, right...)
	for _, p := range slices.Backward(right) {
		list = append(list, geom.Vec2{X: wide - p.X, Y: p.Y})
	}
	return append(list, geom.Vec2{Y: high})
}

// inChannel returns the program of a slotted block.
func inChannel(t *testing.T, profile []geom.Vec2, terms planning.Terms) verify.Input {
	t.Helper()
	return programOn(t, build.Prism("slotted", build.Polygon(profile...), 60, build.Style{}), terms)
}

// programOn returns the program of a model with the built-in tools.
func programOn(t *testing.T, model *brep.Model, terms planning.Terms) verify.Input {
	t.Helper()
	coarse, err := tessellate.Mesh(t.Context(), model, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := programWith(t, model, coarse.Mesh, machining.BuiltInCutConfig(), machining.BuiltInTools(), terms)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// undercut returns the setup and the place of the operation that cuts a channel; false without one.
func undercut(p *planning.Plan) (setup, operation int, ok bool) {
	for i := range p.Setups {
		for k := range p.Setups[i].Operations {
			if p.Setups[i].Operations[k].Channel != nil {
				return i, k, true
			}
		}
	}
	return 0, 0, false
}

func TestChannels(t *testing.T) {
	lean := func(deg, height float64) float64 { return 2 * height * math.Tan(geom.Radians(deg)) }
	for _, c := range []struct {
		name                            string
		neck, depth, floor, top, height float64
		want                            planning.Strategy // empty: no cutter fits
	}{
		{"T-slot of DIN 650", 12, 12, 21, 21, 9, planning.Slot},
		{"T-slot in two levels", 16, 8, 24, 24, 15, planning.Slot},
		{"T-slot wider than its cutter", 24, 6, 40, 40, 14, planning.Slot},
		{"T-slot wider than any cutter", 24, 6, 50, 50, 8, ""},
		{"T-slot under a neck for no shank", 10, 11, 21, 21, 9, ""},
		{"dovetail of 60°", 24, 0, 24 + lean(30, 6), 24, 6, planning.Dovetail},
		{"dovetail of 45°", 20, 0, 20 + lean(45, 4), 20, 4, planning.Dovetail},
		{"dovetail with a wide floor", 50, 0, 50 + lean(30, 9), 50, 9, planning.Dovetail},
		{"dovetail under a neck", 20, 5, 20 + lean(30, 7), 20, 7, planning.Dovetail},
		{"dovetail higher than any cutter", 30, 0, 30 + lean(30, 16), 30, 16, ""},
		{"dovetail of an angle without a cutter", 24, 0, 24 + lean(35, 6), 24, 6, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			profile := slotted(c.neck, c.depth, c.floor, c.top, c.height)
			in := inChannel(t, profile, planning.Terms{})
			_, _, ok := undercut(in.Plan)
			if ok != (c.want != "") {
				t.Errorf("not made: %+v", in.Plan.Unmachinable)
			}
			if !ok && !slices.ContainsFunc(in.Plan.Unmachinable, func(u planning.Unmachinable) bool {
				return u.Reason == completeness.NoToolFits && strings.Contains(u.Remedy, "cutter")
			}) {
				t.Errorf("no reason: %+v", in.Plan.Unmachinable)
			}
			if !ok { // a cutter that is made up does
				in = inChannel(t, profile, planning.Terms{FallbackTools: true})
			}
			i, k, ok := undercut(in.Plan)
			if !ok || c.want != "" && in.Plan.Setups[i].Operations[k].Strategy != c.want {
				t.Fatalf("operation %d of setup %d; not made: %+v", k, i, in.Plan.Unmachinable)
			}
			proof, _, err := verify.Replay(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if !proof.Passes() {
				t.Errorf("%+v", proof.Findings)
			}
			if proof.UncutVolume > 0.1 {
				t.Errorf("%g mm³ are left: %+v", proof.UncutVolume, proof.Left)
			}
		})
	}
}

// The proof finds a cutter in the part between its rays: a little too far aside or too deep, or with a neck that is too
// thick for the opening.
func TestChannelsThatAreCutWrong(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile []geom.Vec2
	}{
		{"T-slot", slotted(12, 12, 21, 21, 9)}, {"dovetail", slotted(20, 0, 20+12*math.Tan(geom.Radians(30)), 20, 6)},
	} {
		in := inChannel(t, c.profile, planning.Terms{})
		i, k, ok := undercut(in.Plan)
		if !ok {
			t.Fatalf("%s: %+v", c.name, in.Plan.Unmachinable)
		}
		cut := &in.Set.Setups[i].Operations[k]
		check := func(what string, want ...verify.Kind) {
			t.Helper()
			proof, _, err := verify.Replay(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			var got []verify.Kind
			for _, f := range proof.Findings {
				if f.Operation == in.Plan.Setups[i].Operations[k].ID {
					got = append(got, f.Kind)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s %s: %v, want %v", c.name, what, proof.Findings, want)
			}
		}
		check("as it is")
		const off = 0.02 // mm, twice the tolerance and less than the rays are apart
		for _, by := range []geom.Vec3{{X: off}, {X: -off}, {Y: off}, {Y: -off}, {Z: -off}} {
			shift := func(by geom.Vec3) {
				cut.Start = cut.Start.Add(by)
				for n := range cut.Moves {
					cut.Moves[n].To = cut.Moves[n].To.Add(by)
				}
			}
			run := in.Plan.Setups[i].Operations[k].Channel
			along := run.Ends[1].Sub(run.Ends[0])
			if math.Abs(by.X*along.X+by.Y*along.Y) > 1e-6 {
				continue // along the channel it does no harm
			}
			shift(by)
			check(fmt.Sprintf("shifted by %v", by), verify.Gouge)
			shift(by.Neg())
		}
		tool := &in.Plan.Tools[in.Plan.Setups[i].Operations[k].Tool].Tool
		if neck := tool.ShankDiameter; c.name == "T-slot" {
			tool.ShankDiameter = 12.1
			check("with a thick neck", verify.ShankCollision)
			tool.ShankDiameter = neck
		}
	}
}

func TestGroovesInBores(t *testing.T) {
	p := func(radius, depth float64) geom.Vec2 { return geom.Vec2{X: radius, Y: depth} }
	for _, c := range []struct {
		name   string
		plate  float64 // mm, thickness
		bore   []geom.Vec2
		made   int // grooves
		reason string
	}{
		{"for a retaining ring", 20, []geom.Vec2{p(15, 0), p(15, 3), p(15.7, 3), p(15.7, 4.3), p(15, 4.3), p(15, 20)},
			1, ""},
		{"one at either end", 40, []geom.Vec2{p(15, 0), p(15, 3), p(15.7, 3), p(15.7, 4.3), p(15, 4.3), p(15, 35.7),
			p(15.7, 35.7), p(15.7, 37), p(15, 37), p(15, 40)}, 2, ""},
		{"two from one end", 25, []geom.Vec2{p(15, 0), p(15, 3), p(15.7, 3), p(15.7, 4.3), p(15, 4.3), p(15, 8),
			p(15.7, 8), p(15.7, 9.3), p(15, 9.3), p(15, 25)}, 2, ""},
		{"wide", 25, []geom.Vec2{p(14, 0), p(14, 4), p(15.5, 4), p(15.5, 13), p(14, 13), p(14, 25)}, 1, ""},
		{"in the wider of two bores", 25, []geom.Vec2{p(13, 0), p(13, 3), p(14, 3), p(14, 5), p(13, 5), p(13, 10),
			p(8, 10), p(8, 25)}, 1, ""},
		{"in a blind bore", 25, []geom.Vec2{p(13, 0), p(13, 3), p(14, 3), p(14, 5), p(13, 5), p(13, 12), p(0, 12)},
			1, ""},
		{"wider than its cutters", 20, []geom.Vec2{p(6, 0), p(6, 4), p(12, 4), p(12, 8), p(6, 8), p(6, 20)}, 0,
			"no slot cutter fits"},
		{"out of reach", 90, []geom.Vec2{p(15, 0), p(15, 44), p(15.7, 44), p(15.7, 45.3), p(15, 45.3), p(15, 90)}, 0,
			"reaches as deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := programOn(t, build.Plate(geom.Vec3{X: 80, Y: 60, Z: c.plate}, build.Style{},
				build.Hole{Center: geom.Vec2{X: 40, Y: 30}, Profile: c.bore}), planning.Terms{})
			made := 0
			for _, s := range in.Plan.Setups {
				for _, o := range s.Operations {
					if o.Strategy == planning.Slot {
						made += len(o.Holes)
					}
				}
			}
			isNamed := slices.ContainsFunc(in.Plan.Unmachinable, func(u planning.Unmachinable) bool {
				return c.reason != "" && strings.Contains(u.Detail, c.reason)
			})
			if made != c.made || isNamed != (c.reason != "") {
				t.Errorf("%d grooves; not made: %+v", made, in.Plan.Unmachinable)
			}
			proof, _, err := verify.Replay(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if !proof.Passes() {
				t.Errorf("%+v", proof.Findings)
			}
			if c.reason == "" && proof.UncutVolume > 0.1 {
				t.Errorf("%g mm³ are left: %+v", proof.UncutVolume, proof.Left)
			}
		})
	}
}

// A wall that stands under a ledge in part is made where it is seen, and the rest is named.
func TestWallUnderALedge(t *testing.T) {
	v := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	in := programOn(t, build.Blocks("ledge", build.Add(v(0, 0, 0), v(60, 40, 30)),
		build.Subtract(v(10, 5, 10), v(50, 35, 30)),
		build.Add(v(10, 15, 24), v(16, 25, 30))), planning.Terms{})
	i := slices.IndexFunc(in.Plan.Unmachinable, func(u planning.Unmachinable) bool {
		return strings.Contains(u.Detail, "covers 26 % of it")
	})
	if i < 0 {
		t.Fatalf("%+v", in.Plan.Unmachinable)
	}
	wall := in.Plan.Unmachinable[i].Regions[0]
	if !slices.ContainsFunc(in.Plan.Setups, func(s planning.Setup) bool {
		return slices.ContainsFunc(s.Operations, func(o planning.Operation) bool {
			return o.Strategy == planning.Contour && slices.Contains(o.Regions, wall)
		})
	}) {
		t.Errorf("no operation makes face %d", wall)
	}
	proof, _, err := verify.Replay(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Passes() {
		t.Errorf("%+v", proof.Findings)
	}
	const under, corners = 6 * 10 * 14, 250 // mm³
	if proof.UncutVolume < under || proof.UncutVolume > under+corners {
		t.Errorf("%g mm³ are left: %+v", proof.UncutVolume, proof.Left)
	}
}
