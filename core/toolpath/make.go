package toolpath

import (
	"context"
	"fmt"

	"millwright/core/feature/graph"
	"millwright/core/feature/outline"
	"millwright/core/geom"
	"millwright/core/machining"
	"millwright/core/machining/profile"
	"millwright/core/motion"
	"millwright/core/planning"
	"millwright/core/planning/access"
	"millwright/core/stock/dexel"
	"millwright/core/stock/milling"
)

// Input is a plan with what it was made for.
type Input struct {
	Plan    *planning.Plan
	Graph   *graph.Graph
	Samples *outline.Samples
	Mill    milling.Mill // says what a setup leaves to the next one; nil: of plans with one setup
	Chord   float64      // mm, that the mesh of the part may be off

	Travel machining.Extent // of the machine, mm; zero: no limit
	RapidX float64          // of the machine, and RapidY: in any unit, or both 0 where they are alike
	RapidY float64
	// Progress is told how many operations of how many are made; nil: nobody is.
	Progress func(done, total int)
}

// cells is how many cells the longest side of the stock has where setups hand it on.
const cells = 120

// Make turns a plan into motion. It returns the error of ctx, that of the mill, or one of arcpoly, of which no case is
// known; what cannot be cut is no error, but residue of its operation.
func Make(ctx context.Context, in Input) (*Set, error) {
	total, done := 0, 0
	for i := range in.Plan.Setups {
		total += len(in.Plan.Setups[i].Operations)
	}
	assemblies := make([]profile.Assembly, len(in.Plan.Tools))
	for i := range in.Plan.Tools {
		assemblies[i] = in.Plan.Tools[i].Tool.Assembly()
	}
	sites := make([]*access.Site, len(in.Plan.Setups))
	for i := range in.Plan.Setups {
		setup := &in.Plan.Setups[i]
		var err error
		sites[i], err = access.New(in.Graph, in.Samples, setup.Frame, access.NewStock(setup.Before), setup.Hold.Solid, in.Chord)
		if err != nil {
			return nil, err
		}
	}
	stop := ahead(ctx, &in, sites, assemblies)
	defer stop()
	set := &Set{}
	var left *dexel.Stock
	for i := range in.Plan.Setups {
		setup, site := &in.Plan.Setups[i], sites[i]
		if left != nil {
			site.Stock = access.Remaining(left, in.Plan.Workpiece, setup.Frame)
		}
		made := motion.Setup{Frame: setup.Frame}
		var paths []Path
		var lefts []leftovers
		for k := range setup.Operations {
			w := newWorker(ctx, &in, setup, site, &setup.Operations[k], assemblies)
			if n := len(made.Operations); n > 0 && made.Operations[n-1].Tool == w.moves.Tool {
				w.begin(made.Operations[n-1].End())
			}
			path, err := w.make()
			if err != nil {
				return nil, fmt.Errorf("operation %s: %w", setup.Operations[k].ID, err)
			}
			made.Operations = append(made.Operations, w.moves)
			paths, lefts = append(paths, path), append(lefts, w.left)
			if done++; in.Progress != nil {
				in.Progress(done, total)
			}
		}
		for k := range paths {
			if paths[k].MoveCount > 0 { // why nothing was cut is told in any case
				if err := lefts[k].keep(site.Stock); err != nil {
					return nil, err
				}
			}
			paths[k].Residue = lefts[k].residue(in.Graph)
		}
		set.Setups, set.Paths = append(set.Setups, made), append(set.Paths, paths)
		if in.Mill != nil && i+1 < len(in.Plan.Setups) {
			var err error
			if left, err = replay(ctx, &in, left, made, assemblies); err != nil {
				return nil, err
			}
		}
	}
	return set, nil
}

// replay removes what a setup cuts from what the setups before it have left, nil for all of the stock.
func replay(
	ctx context.Context, in *Input, left *dexel.Stock, made motion.Setup, assemblies []profile.Assembly,
) (*dexel.Stock, error) {
	if left == nil {
		size := in.Plan.Stock.Size()
		step := max(size.X, size.Y, size.Z) / cells
		l := dexel.Lattice{Origin: in.Plan.Stock.Min, Step: step}
		for axis, side := range [3]float64{size.X, size.Y, size.Z} {
			l.Count[axis] = max(int(side/step+0.999), 1)
		}
		var err error
		if left, err = dexel.NewBlock(l, in.Plan.Stock); err != nil {
			return nil, err
		}
	}
	session, err := in.Mill.Start(left, nil, 0)
	if err != nil {
		return nil, err
	}
	place := in.Plan.Workpiece
	frame := geom.Frame{
		Origin: place.Local(made.Frame.Origin),
		X:      place.LocalDir(made.Frame.X), Y: place.LocalDir(made.Frame.Y), Z: place.LocalDir(made.Frame.Z),
	}
	for i := range made.Operations {
		o := &made.Operations[i]
		cut := milling.Cut{Tool: &assemblies[o.Tool], Frame: frame}
		o.Steps(func(s motion.Step) bool {
			if s.Kind != motion.Dwell && s.Kind != motion.Rapid { // which remove nothing
				cut.Moves = append(cut.Moves, s.Segment)
			}
			return true
		})
		if _, err := session.Cut(ctx, cut); err != nil {
			return nil, err
		}
	}
	return session.Stock(ctx)
}
