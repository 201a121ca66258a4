package planning

// From features to a plan.
//
// The work is a list of tasks: the faces of a hole, the pieces of a chamfer, or one patch. A task has up to six
// approaches, one from each direction along the axes of the workpiece. Each names its finishing tool and the least
// height of the tip (task.go, wall.go, floor.go, hole.go, bevel.go, slope.go, undercut.go). A task without an approach
// keeps the reason, and so becomes one of Plan.Unmachinable.
//
// The directions of the setups, their order and the clamping in each are found by search (search.go): the orders of up
// to six directions are few enough to test one by one, jaws included. The tasks of each setup then become operations
// (write.go, rough.go, sequence.go).
//
// It covers planes perpendicular to an axis, walls along one, holes, chamfers, fillets that a corner of a tool makes,
// slopes and free forms, and straight undercuts that are open at both ends. Other undercuts and features oblique to the
// axes are named with their reasons.
//
// Cost: the tasks times the tested orders, at most 1956, times the clampings in each of their setups, and a raster of
// the part for each direction.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/parallel"
)

// Version is part of the key of stored plans. It rises whenever some part is planned differently.
const Version = 28

// Input is the input of a plan.
type Input struct {
	Run    *recognize.Recognition
	Sheets []feature.Datasheet // of the features of the run, in their order
	Config machining.CutConfig
	Tools  []machining.Tool  // sound, in the order of the libraries
	Only   []int             // features that are wanted; nil: all, and the faces of no feature
	Avoid  []Attempt         // what an earlier plan of the part tried in vain
	Mill   removal.Simulator // computes how low tools get

	Excluded []int // features that are not made
	Terms
}

// planner is one plan on its way.
type planner struct {
	in    Input
	g     *graph.Graph
	frame geom.Frame // of the workpiece, its origin that of the part
	part  geom.Box   // in frame
	stock geom.Box   // likewise
	fits  [sides]bool

	boxes       []geom.Box  // of the patches, in frame
	owners      [][]int     // wanted features by patch
	wanted      []bool      // by patch
	finished    []bool      // by patch: before the first setup
	ready       [sides]bool // the end of the part toward the side is finished before the first setup
	seen        [sides]int  // index of the direction among those that recognition kept, graph.None
	heightField [sides]*heightField
	samples     *outline.Samples
	profiles    [sides]*profile

	tools    []tool
	madeUp   []madeUp
	farthest float64 // mm, the largest stickout of mills that rough
	tasks    []task
	fixed    []fixedSetup
	taskOf   []int                 // by patch, -1 without a task
	cuts     []cut                 // that were written
	sharp    []Unmachinable        // edges that are to be broken and are not
	without  map[option]bool       // ways that are not gone
	known    map[string][]clamping // found clampings, by the part of a state that decides them
	slabs    map[slabKey][]extent
	owed     []bool // by task
	bulk     bulk
	plan     *Plan
}

// Make plans a part. It returns *fault.Error where nothing can be planned, and the error of ctx.
func Make(ctx context.Context, in Input) (*Plan, error) {
	p, err := makePlan(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	if in.FallbackTools {
		return makeWithFallback(ctx, in, p)
	}
	return p.plan, nil
}

// makePlan plans a part with some made-up tools.
func makePlan(ctx context.Context, in Input, made []madeUp) (*planner, error) {
	p := &planner{in: in, g: in.Run.Graph, madeUp: made, plan: &Plan{
		Tools: []Tool{}, Setups: []Setup{}, Unmachinable: []Unmachinable{}, Warnings: []fault.Warning{},
	}}
	if n := len(in.Run.Graph.Model.Solids); n > 1 {
		return nil, fault.Errorf(fault.MultipleSolids,
			"The part is made of %d solids, and a program is for one workpiece: put each solid into its own file.", n)
	}
	if err := p.measure(ctx); err != nil {
		return nil, err
	}
	if err := p.place(); err != nil {
		return nil, err
	}
	if err := p.usable(); err != nil {
		return nil, err
	}
	if err := p.findTasks(ctx); err != nil {
		return nil, err
	}
	steps, err := p.search(ctx)
	if err != nil {
		return nil, err
	}
	for i := range steps {
		if err := p.write(ctx, &steps[i]); err != nil {
			return nil, err
		}
	}
	for i, c := range p.explain(steps) {
		p.plan.Setups[i].Choice = &c
	}
	p.breakEdges(steps)
	p.account(steps)
	p.numberTools()
	p.warnOfTools()
	p.warnOfMadeUp()
	p.plan.Workpiece, p.plan.Stock = p.frame, steps[0].before
	p.plan.Finished = p.finishedFaces()
	return p, nil
}

// measure finds the frame of the workpiece, and the part and its patches in it.
func (p *planner) measure(ctx context.Context) error {
	p.frame, p.samples = workpiece(p.in.Run.Visibility), outline.Sample(p.g)
	axes := []geom.Vec3{p.frame.X, p.frame.Y, p.frame.Z}
	reach, err := p.g.PartExtents(ctx, axes)
	if err != nil {
		return err
	}
	p.boxes = make([]geom.Box, len(p.g.Patches))
	for a, axis := range axes {
		heights := p.g.HeightsAlong(axis)
		put(&p.part, a, reach[a])
		err := parallel.For(ctx, len(p.boxes), 32, func(i int) { put(&p.boxes[i], a, heights.Of(int32(i))) })
		if err != nil {
			return err
		}
	}
	for s := range p.seen {
		p.seen[s] = p.in.Run.Visibility.Find(side(s).dir(p.frame))
	}
	p.ownPatches()
	p.noteDone()
	return nil
}

// ownPatches notes which wanted features each patch belongs to.
func (p *planner) ownPatches() {
	p.owners = make([][]int, len(p.g.Patches))
	p.wanted = make([]bool, len(p.g.Patches))
	owned := make([]bool, len(p.g.Patches))
	excluded := p.excludedPatches()
	for i := range p.in.Run.Features {
		is := p.isWanted(i)
		for _, q := range p.patchesOf(i) {
			owned[q] = true
			if is && !excluded[q] {
				p.owners[q] = append(p.owners[q], i)
				p.wanted[q] = true
			}
		}
	}
	for q := range p.wanted {
		p.wanted[q] = p.wanted[q] || p.in.Only == nil && !owned[q]
	}
}

func (p *planner) isWanted(feature int) bool {
	return !p.isExcluded(feature) && (p.in.Only == nil || slices.Contains(p.in.Only, feature))
}

// patchesOf returns the patches of a feature, ascending.
func (p *planner) patchesOf(feature int) []int32 {
	var out []int32
	for _, r := range p.in.Run.Features[feature].Regions {
		if q := p.g.PatchOf[r]; q != graph.None {
			out = append(out, q)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// faces returns the faces of some patches, ascending.
func (p *planner) faces(patches []int32) []int { return append([]int{}, p.g.Regions(patches)...) }

// featuresOf returns the wanted features of some patches, ascending.
func (p *planner) featuresOf(patches []int32) []int {
	out := []int{}
	for _, q := range patches {
		out = append(out, p.owners[q]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// numberTools gives the tools that are used their numbers: their own where it is free, else the next after all others.
func (p *planner) numberTools() {
	used := make([]bool, len(p.tools))
	for _, s := range p.plan.Setups {
		for _, o := range s.Operations {
			used[o.Tool] = true
		}
	}
	taken, last := map[int]bool{}, 0
	for i := range p.tools {
		if n := p.tools[i].Number; used[i] && n != nil {
			last = max(last, *n)
		}
	}
	type numbered struct{ number, tool int }
	var list []numbered
	for i := range p.tools {
		if !used[i] {
			continue
		}
		n := p.tools[i].Number
		if n == nil || *n == 0 || taken[*n] {
			last++
			n = &last
		}
		taken[*n] = true
		list = append(list, numbered{*n, i})
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	at := make([]int, len(p.tools))
	for i, l := range list {
		t := &p.tools[l.tool]
		at[l.tool] = i
		p.plan.Tools = append(p.plan.Tools, Tool{Number: l.number, Stickout: t.assembly.Stickout, Tool: *t.Tool, Fallback: t.why()})
	}
	for i := range p.plan.Setups {
		for k := range p.plan.Setups[i].Operations {
			o := &p.plan.Setups[i].Operations[k]
			o.Tool = at[o.Tool]
		}
	}
}

// tol is the length within which sizes are equal, mm.
func (p *planner) tol() float64 { return p.g.Length }

// round takes rounding from a length that goes into a sentence or decides an order, to 0.1 µm.
func round(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 } // no negative zero
