package verify_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// operation returns an operation of the first setup with its index.
func operation(t *testing.T, p *verifytest.Program, id string) (*motion.Operation, int) {
	t.Helper()
	ops := p.Set.Setups[0].Operations
	i := slices.IndexFunc(ops, func(o motion.Operation) bool { return o.ID == id })
	if i < 0 {
		t.Fatalf("no operation %q", id)
	}
	return &ops[i], i
}

func drop(t *testing.T, p *verifytest.Program, id string) {
	_, i := operation(t, p, id)
	p.Set.Setups[0].Operations = slices.Delete(p.Set.Setups[0].Operations, i, i+1)
	p.Set.Paths[0] = slices.Delete(p.Set.Paths[0], i, i+1)
	p.Plan.Setups[0].Operations = slices.Delete(p.Plan.Setups[0].Operations, i, i+1)
}

// TestEachFindingKindIsReported checks that each kind of finding is reported with its operation and position.
func TestEachFindingKindIsReported(t *testing.T) {
	for _, row := range []struct {
		name  string
		spoil func(*testing.T, *verifytest.Program)
		kind  verify.Kind
		at    string
		is    func(*verify.Finding) bool
	}{
		{"a floor 0.05 mm too deep", func(t *testing.T, p *verifytest.Program) {
			o, _ := operation(t, p, "floor")
			for i := range o.Moves {
				if o.Moves[i].To.Z == -10 {
					o.Moves[i].To.Z = -10.05
				}
			}
		}, verify.Gouge, "floor", func(f *verify.Finding) bool {
			return f.Depth > 0.02 && f.Depth < 0.06 && math.Abs(f.Position.Z-9.95) < 0.01 &&
				slices.Equal(f.Regions, []int{verifytest.PocketFloor})
		}},
		{"a rapid into the stock", func(t *testing.T, p *verifytest.Program) {
			o, _ := operation(t, p, "pocket")
			o.Moves[1].Kind, o.Moves[1].Feed = motion.Rapid, 0
		}, verify.RapidCollision, "pocket", func(f *verify.Finding) bool { return f.Move == 1 && f.Depth > 50 }},
		{"a rapid down and sideways", func(t *testing.T, p *verifytest.Program) {
			o, _ := operation(t, p, "wall")
			o.Moves[0].To.X = 1
		}, verify.RapidCollision, "wall", func(f *verify.Finding) bool { return f.Move == 0 }},
		{"a rapid that is clear only if straight", func(t *testing.T, p *verifytest.Program) {
			o, _ := operation(t, p, "outside")
			verifytest.PastCorner(o)
		}, verify.RapidCollision, "outside", func(f *verify.Finding) bool { return f.Move == 2 }},
		{"a shank wider than the flutes",
			func(_ *testing.T, p *verifytest.Program) { p.Plan.Tools[1].Tool.ShankDiameter = 11 },
			verify.ShankCollision, "pocket", func(f *verify.Finding) bool { return f.Depth > 0 }},
		{"a shank that only scrapes",
			func(_ *testing.T, p *verifytest.Program) { p.Plan.Tools[1].Tool.ShankDiameter = 8.1 },
			verify.ShankCollision, "wall", nil},
		{"a holder too low", func(_ *testing.T, p *verifytest.Program) { p.Plan.Tools[1].Tool.BodyLength = 9 },
			verify.HolderCollision, "wall", nil},
		{"jaws too high",
			func(_ *testing.T, p *verifytest.Program) { p.Plan.Setups[0].Clamping.Solid[1].Max.Z = -20.4 },
			verify.FixtureCollision, "outside", func(f *verify.Finding) bool { return f.Position.Y < -20 }},
		{"a machine too small", func(_ *testing.T, p *verifytest.Program) { p.Travel.X = 85.5 },
			verify.Overtravel, "face", func(f *verify.Finding) bool { return math.Abs(f.Depth-0.5) < 1e-9 }},
		{"a stock that does not hold the part", func(_ *testing.T, p *verifytest.Program) { p.Plan.Stock.Max.X = 29.8 },
			verify.Gouge, "", func(f *verify.Finding) bool { return math.Abs(f.Depth-0.2) < 1e-9 }},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := verifytest.Made(chord).Clone()
			row.spoil(t, p)
			proof, _ := prove(t, p, 150)
			if !slices.ContainsFunc(proof.Findings, func(f verify.Finding) bool {
				return f.Kind == row.kind && f.Operation == row.at && (row.is == nil || row.is(&f))
			}) {
				t.Errorf("want %s in %q: %+v", row.kind, row.at, proof.Findings)
			}
		})
	}
}

// TestRapidPathDependsOnAxisSpeeds checks that a rapid past a corner collides or not, depending on the speeds of the
// axes.
func TestRapidPathDependsOnAxisSpeeds(t *testing.T) {
	p := verifytest.Made(chord).Clone()
	o, _ := operation(t, p, "outside")
	verifytest.PastCorner(o)
	for _, row := range []struct {
		x, y  float64
		holds bool
	}{{12400, 8000, true}, {8000, 8000, false}, {30000, 8000, true}, {8000, 12400, false}} {
		proof, _, err := verify.Replay(t.Context(), verify.Input{
			Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: 100,
			RapidX: row.x, RapidY: row.y,
		})
		if err != nil {
			t.Fatal(err)
		}
		if proof.Passes() != row.holds {
			t.Errorf("at %g and %g mm/min: %+v", row.x, row.y, proof.Findings)
		}
	}
}

func TestReportAndProgress(t *testing.T) {
	p := verifytest.Made(chord)
	var told []int
	proof, left, err := verify.Replay(t.Context(), verify.Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(1), MaxCells: 100,
		Progress: func(done, total int) { told = append(told, done, total) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []int{1, 7, 2, 7, 3, 7, 4, 7, 5, 7, 6, 7, 7, 7}) {
		t.Errorf("progress %v", told)
	}
	if want := 61.0 * 41 * 29; math.Abs(proof.StockVolume-want) > 1e-6 {
		t.Errorf("stock of %g mm³, want %g", proof.StockVolume, want)
	}
	if want := 60*40*20 - (36*20-6*6*(4-math.Pi))*10 - math.Pi*25*10; math.Abs(proof.PartVolume-want) > 10 {
		t.Errorf("part of %g mm³, want %g", proof.PartVolume, want)
	}
	if d := proof.StockVolume - proof.PartVolume - proof.RemovedVolume; math.Abs(d) > 0.03*proof.StockVolume {
		t.Errorf("%g mm³ of the stock are nowhere", d)
	}
	if proof.Digest != motion.Digest(p.Set.Setups) || len(left.After) != 2 || left.Part.Lattice != left.Stock.Lattice {
		t.Errorf("%+v", proof)
	}
	if v, w := left.After[1].Volume()[2], left.Part.Volume()[2]; math.Abs(v-w) > 1e-3*w {
		t.Errorf("%g mm³ are left of a part of %g", v, w)
	}
}

// TestInvalidInputGivesError checks that invalid input gives an error and no panic.
func TestInvalidInputGivesError(t *testing.T) {
	first := func(in *verify.Input) []motion.Move { return in.Set.Setups[0].Operations[0].Moves }
	for name, spoil := range map[string]func(*verify.Input, *verifytest.Program){
		"no plan":       func(in *verify.Input, _ *verifytest.Program) { in.Plan = nil },
		"no mill":       func(in *verify.Input, _ *verifytest.Program) { in.Mill = nil },
		"an empty part": func(in *verify.Input, _ *verifytest.Program) { in.Part = &mesh.Mesh{} },
		"an open part": func(in *verify.Input, _ *verifytest.Program) {
			in.Part.Triangles = in.Part.Triangles[3:]
		},
		"no such point":       func(in *verify.Input, _ *verifytest.Program) { in.Part.Triangles[0][0] = -1 },
		"a point nowhere":     func(in *verify.Input, _ *verifytest.Program) { in.Part.Points[3].X = math.Inf(1) },
		"no such triangle":    func(in *verify.Input, _ *verifytest.Program) { in.Part.Regions[0].End = 1 << 20 },
		"an empty stock":      func(in *verify.Input, _ *verifytest.Program) { in.Plan.Stock = geom.EmptyBox() },
		"a skew frame":        func(in *verify.Input, _ *verifytest.Program) { in.Set.Setups[0].Frame.X.Y = 0.1 },
		"a left-handed frame": func(in *verify.Input, _ *verifytest.Program) { in.Plan.Workpiece.Z.Z = -1 },
		"another frame":       func(in *verify.Input, _ *verifytest.Program) { in.Plan.Setups[0].Frame.Origin.X++ },
		"a setup too few":     func(in *verify.Input, _ *verifytest.Program) { in.Set.Setups = in.Set.Setups[:1] },
		"another operation": func(in *verify.Input, _ *verifytest.Program) {
			in.Set.Setups[0].Operations[0].ID = "no"
		},
		"no such tool":      func(in *verify.Input, _ *verifytest.Program) { in.Set.Setups[0].Operations[0].Tool = 9 },
		"a tool of nothing": func(in *verify.Input, _ *verifytest.Program) { in.Plan.Tools[0].Tool.Diameter = 0 },
		"a move to nowhere": func(in *verify.Input, _ *verifytest.Program) {
			first(in)[1].To.X = math.NaN()
		},
		"a turn of nothing": func(in *verify.Input, _ *verifytest.Program) {
			first(in)[1].Turn = math.Inf(1)
		},
		"an arc that misses": func(in *verify.Input, _ *verifytest.Program) { first(in)[4].Turn = 1 },
		"no such cycle": func(in *verify.Input, p *verifytest.Program) {
			o, _ := operation(t, p, "hole")
			o.Cycles = nil
		},
		"many cells":        func(in *verify.Input, _ *verifytest.Program) { in.MaxCells = 1 << 20 },
		"a tolerance below": func(in *verify.Input, _ *verifytest.Program) { in.Tolerance = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			p := verifytest.Made(0.1).Clone()
			in := verify.Input{Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(1),
				MaxCells: 60}
			spoil(&in, p)
			if proof, _, err := verify.Replay(t.Context(), in); err == nil {
				t.Errorf("no error: %+v", proof)
			}
		})
	}
}

func TestAnEndedContextEndsTheReplay(t *testing.T) {
	p := verifytest.Made(0.1)
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := verify.Replay(ctx, verify.Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(1), MaxCells: 60,
		Progress: func(done, _ int) {
			if done == 2 {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
