package verify

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
	"millwright.dev/millwright/core/parallel"
)

// Version is part of the keys of all that is made from a replay. It rises whenever some program has another result.
const Version = 14

const (
	// DefaultTolerance (mm) is the depth of a cut into the part that fails a program. Half of it is for the mesh and
	// for the rounding of post processors.
	DefaultTolerance = 0.01

	// DefaultCells is the maximum number of cells along the longest side of the stock.
	DefaultCells = 600

	// finest (mm) is the least width of cells, except for stocks with fewer than fewest of them. Time grows with the
	// square of their number, and the drop-cutter finds thinner cuts.
	finest, fewest = 0.8, 300

	// rub (mm) is the permitted contact depth of a tool with material, as the mean over its shadow. Arcs are chords
	// where rays cross them obliquely, twice over, and ends of rays are float32.
	rub = 0.001

	// snap (mm) is the largest difference of frames, ends of moves and boxes that should agree: half the printed
	// resolution, twice.
	snap = motion.Resolution
)

// Input is a program with its plan and part.
type Input struct {
	Plan      *planning.Plan
	Set       *toolpath.Set
	Part      *mesh.Mesh       // closed, in the part frame, one region for each face; within 0.4 Tolerance of the part
	Travel    machining.Extent // of the machine, mm
	RapidX    float64          // rapid speeds of the machine's X and Y: in any unit, or both 0 if equal
	RapidY    float64
	Mill      removal.Simulator
	Tolerance float64               // mm; 0: DefaultTolerance
	MaxCells  int                   // along the longest side of the stock; 0: DefaultCells
	Progress  func(done, total int) // counts operations; nil: no reports
	Record    bool                  // the stock after each operation: RemainingStock.Recorded
}

// RemainingStock is the stock after the program.
type RemainingStock struct {
	Frame geom.Frame     // of the stocks: the workpiece frame, which maps to the part frame
	Stock *dexel.Stock   // at the beginning
	After []*dexel.Stock // when each setup has ended
	Part  *dexel.Stock   // in the same lattice
	// Recorded is the in-process stock of each setup, if it was asked for.
	Recorded []*inprocess.Recorder
}

// replay is the state of a program's simulation.
type replay struct {
	Input
	proof   *Report
	left    *RemainingStock
	edges   brokenEdges
	part    *mesh.Mesh      // in the workpiece frame
	finder  *nearest.Finder // of the part in the workpiece frame
	session removal.Simulation
	tools   []*tool
	done    int
}

// Replay simulates a program and returns its findings and the remaining stock. Errors are for invalid input, a mesh
// that is not closed, and the context; errors of the program are findings.
func Replay(ctx context.Context, in Input) (*Report, *RemainingStock, error) {
	if in.Tolerance == 0 {
		in.Tolerance = DefaultTolerance
	}
	if in.MaxCells == 0 {
		in.MaxCells = DefaultCells
	}
	if err := in.check(); err != nil {
		return nil, nil, fmt.Errorf("verify: %w", err)
	}
	r := &replay{Input: in, proof: &Report{}, left: &RemainingStock{Frame: in.Plan.Workpiece}}
	if err := r.breakEdges(); err != nil {
		return nil, nil, fmt.Errorf("verify: %w", err)
	}
	if err := r.start(ctx); err != nil {
		return nil, nil, fmt.Errorf("verify: %w", err)
	}
	setups := make([]*setup, len(in.Set.Setups))
	for i := range setups {
		setups[i] = newSetup(r, i)
	}
	if err := r.play(ctx, setups); err != nil {
		return nil, nil, fmt.Errorf("verify: %w", err)
	}
	for _, s := range setups {
		if err := s.judge(ctx); err != nil {
			return nil, nil, fmt.Errorf("verify: %w", err)
		}
	}
	if err := r.leaves(ctx, setups); err != nil {
		return nil, nil, fmt.Errorf("verify: %w", err)
	}
	r.proof.Digest = motion.Digest(in.Set.Setups)
	return r.proof, r.left, nil
}

// start lays part and stock on the lattice.
func (r *replay) start(ctx context.Context) error {
	part := inFrame(r.Part, r.Plan.Workpiece)
	r.part = part
	for i := range r.Plan.Tools {
		r.tools = append(r.tools, newTool(&r.Plan.Tools[i], r.Tolerance))
	}
	l := latticeOver(r.Plan.Stock, r.MaxCells)
	r.finder = nearest.New(part)
	var err error
	if r.left.Stock, err = r.Plan.Raw(l); err != nil {
		return err
	}
	if r.left.Part, err = r.Mill.Dexelize(ctx, part, l); err != nil {
		return err
	}
	if r.session, err = r.Mill.Start(r.left.Stock, r.left.Part, r.Tolerance); err != nil {
		return err
	}
	r.proof.Step = l.Step
	r.proof.PartVolume, r.proof.StockVolume = part.Volume(), r.Plan.RawVolume()
	if out := r.Plan.Stock.Union(part.Bounds()); volume(out) > 0 {
		miss := max(beyond(out.Min, r.Plan.Stock.Min), beyond(out.Max, r.Plan.Stock.Max))
		if miss > r.Tolerance {
			r.proof.Findings = append(r.proof.Findings, Finding{
				Kind: Gouge, Move: -1, Position: r.Plan.Workpiece.Point(part.Bounds().Center()), Depth: miss,
			})
			r.proof.MaxGouge = miss
		}
	}
	return nil
}

// beyond returns the largest distance between two corners along any axis.
func beyond(a, b geom.Vec3) float64 {
	return max(math.Abs(a.X-b.X), math.Abs(a.Y-b.Y), math.Abs(a.Z-b.Z))
}

func volume(b geom.Box) float64 {
	s := b.Size()
	return s.X * s.Y * s.Z
}

// play simulates all setups, and concurrently compares the paths of their tools with the part and its clamping.
func (r *replay) play(ctx context.Context, setups []*setup) error {
	return parallel.Try(ctx, 1+len(setups), 1, func() func(int) error {
		return func(i int) error {
			if i == 0 {
				return r.mill(ctx, setups)
			}
			return setups[i-1].pass(ctx)
		}
	})
}

// mill does the operations, one after the other.
func (r *replay) mill(ctx context.Context, setups []*setup) error {
	for i, s := range setups {
		s.before = r.left.Stock
		if i > 0 {
			s.before = setups[i-1].after
		}
		record := r.record(s)
		for _, p := range s.passages {
			if err := p.cut(ctx); err != nil {
				return fmt.Errorf("setup %d: operation %s: %w", i+1, p.plan.ID, err)
			}
			if record != nil {
				now, err := r.session.Stock(ctx)
				if err != nil {
					return fmt.Errorf("setup %d: operation %s: %w", i+1, p.plan.ID, err)
				}
				record.Add(p.plan.ID, now)
			}
			if r.done++; r.Progress != nil {
				r.Progress(r.done, r.operations())
			}
		}
		var err error
		if s.after, err = r.session.Stock(ctx); err != nil {
			return fmt.Errorf("setup %d: %w", i+1, err)
		}
		r.left.After = append(r.left.After, s.after)
	}
	return nil
}

// record begins the record of a setup; nil: there is none.
func (r *replay) record(s *setup) *inprocess.Recorder {
	if !r.Record {
		return nil
	}
	record := inprocess.NewRecorder(r.left.Stock.Lattice, s.inWork)
	record.Add("part", r.left.Part)
	record.Add("start", s.before)
	r.left.Recorded = append(r.left.Recorded, record)
	return record
}

func (r *replay) operations() (n int) {
	for i := range r.Set.Setups {
		n += len(r.Set.Setups[i].Operations)
	}
	return n
}

// latticeOver returns cells over a box. They start a fraction of a cell before it, so that rays do not lie in planes of
// faces, which are at round distances from the sides of the stock. If a ray does, its result is weighted by the
// distance from the face.
func latticeOver(b geom.Box, cells int) dexel.Lattice {
	const before = 0.381966 // share of a cell: far from all simple fractions
	size := b.Size()
	longest := max(size.X, size.Y, size.Z)
	step := max(longest/float64(cells), min(finest, longest/fewest))
	l := dexel.Lattice{Step: step, Origin: b.Min.Sub(geom.Vec3{X: before * step, Y: before * step, Z: before * step})}
	for a, s := range [3]float64{size.X, size.Y, size.Z} {
		l.Count[a] = int(math.Ceil(s/step+before)) + 1
	}
	return l
}

// inFrame returns a mesh in the coordinates of a frame.
func inFrame(m *mesh.Mesh, f geom.Frame) *mesh.Mesh {
	out := &mesh.Mesh{Points: make([]geom.Vec3, len(m.Points)), Triangles: m.Triangles, Regions: m.Regions}
	for i, p := range m.Points {
		out.Points[i] = f.Local(p)
	}
	return out
}

// compose returns a frame that maps to the part as one that maps to where work maps from.
func compose(work, f geom.Frame) geom.Frame {
	return geom.Frame{
		Origin: work.Local(f.Origin), X: work.LocalDir(f.X), Y: work.LocalDir(f.Y), Z: work.LocalDir(f.Z),
	}
}
