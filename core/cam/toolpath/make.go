package toolpath

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Version is part of the keys of all that is made from toolpaths. It rises whenever some plan has other toolpaths.
const Version = 33

// Input is a plan with its own inputs.
type Input struct {
	Plan    *planning.Plan
	Graph   *graph.Graph
	Samples *outline.Samples
	Mill    removal.Simulator // computes the material that a setup leaves to the next; nil: of plans with one setup
	Chord   float64           // mm, that the mesh of the graph may be off

	Part *mesh.Mesh // of the part, in its frame, that surfaces are finished on; nil: that of the graph

	Travel machining.Extent // of the machine, mm; zero: no limit
	RapidX float64          // rapid speeds of the machine's X and Y: in any unit, or both 0 if equal
	RapidY float64
	// MaxFeed is the machine's largest feed while cutting, mm/min; 0: no operation is faster than its feed.
	MaxFeed float64
	// Progress receives the number of completed operations and the total; nil: no reports.
	Progress func(done, total int)

	slopes map[*planning.Setup]*relief
}

// Make computes the motion of a plan. It returns the error of ctx, the simulator's, or one of arcpoly, with no known
// case. Material that cannot be cut is not an error, but rest material of its operation.
func Make(ctx context.Context, in Input) (*Set, error) {
	assemblies := make([]toolprofile.Assembly, len(in.Plan.Tools))
	for i := range in.Plan.Tools {
		assemblies[i] = in.Plan.Tools[i].Tool.Assembly()
	}
	total, done := 0, 0
	sites := make([]*access.Site, len(in.Plan.Setups))
	in.slopes = map[*planning.Setup]*relief{}
	for i := range in.Plan.Setups {
		setup := &in.Plan.Setups[i]
		total += len(setup.Operations)
		in.slopes[setup] = newRelief(setup)
		var err error
		sites[i], err = access.New(in.Graph, in.Samples, setup.Frame, access.NewStock(setup.Before),
			setup.Clamping.Solid, in.Chord)
		if err != nil {
			return nil, err
		}
	}
	defer ahead(ctx, &in, sites, assemblies)()
	handed, err := newHandover(ctx, &in, assemblies)
	if err != nil {
		return nil, err
	}
	defer handed.end()
	set := &Set{}
	failed := make([]error, len(sites))
	var settling sync.WaitGroup
	defer settling.Wait()
	for i := range in.Plan.Setups {
		setup, site := &in.Plan.Setups[i], sites[i]
		found, err := handed.next()
		if err != nil {
			return nil, err
		}
		if found != nil {
			site.Stock = found
		}
		made := motion.Setup{Frame: setup.Frame}
		paths, workers := []Path(nil), []*operationBuilder(nil)
		for k := range setup.Operations {
			w := newWorker(ctx, &in, setup, site, &setup.Operations[k], assemblies)
			if last := lastMoved(made.Operations); last != nil && last.Tool == w.moves.Tool {
				w.begin(last.End())
			}
			path, err := w.make()
			if err != nil {
				return nil, fmt.Errorf("operation %s: %w", setup.Operations[k].ID, err)
			}
			handed.take(&w.moves)
			made.Operations = append(made.Operations, w.moves)
			paths, workers = append(paths, path), append(workers, w)
			if done++; in.Progress != nil {
				in.Progress(done, total)
			}
		}
		if err := handed.stockToLeave(site.Stock); err != nil {
			return nil, err
		}
		settling.Go(func() { failed[i] = declare(ctx, site.Stock, workers, paths) })
		set.Setups, set.Paths = append(set.Setups, made), append(set.Paths, paths)
	}
	settling.Wait()
	return set, errors.Join(failed...)
}

// lastMoved returns the last operation with moves, nil without one: the others are pruned.
func lastMoved(list []motion.Operation) *motion.Operation {
	for i := len(list) - 1; i >= 0; i-- {
		if len(list[i].Moves) > 0 {
			return &list[i]
		}
	}
	return nil
}
