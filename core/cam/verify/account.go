package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
)

// Comparison of the remaining material with the plan's expectations.
//
// Material is expected
//
//   - next to a face that the plan names as unmachinable;
//   - at an unmachinable corner, within its bound of all faces of the corner;
//   - next to a machined face, within the radius of its tool of an unmachinable face: a tool that does not reach a face
//     leaves as much on the adjacent faces.
//
// Material that the paths declare to leave is not expected for that reason. All other material is unexpected.

// unexpected is the cause of material that the plan does not expect. Other causes are indices into Plan.Unmachinable.
const unexpected = -1

// sharp is the cause of material at edges that the plan breaks.
const sharp = -2

// finished is the cause of material next to faces that are finished before the first setup: the stock does not have it.
const finished = -3

// expectation assigns causes. It is safe for concurrent use.
type expectation struct {
	whole []int              // by region: the first entry with the whole region, else unexpected
	made  *nearest.Selection // the regions with such an entry
	spill []float64          // mm, by region: distance by which an unmachinable face keeps its tool away
	// corners are the entries with corners, and faces the bounds of faces that they ask for.
	corners []corner
	faces   []bound
	edges   *brokenEdges
}

// bound is a face and a distance from it (mm).
type bound struct {
	region int
	within float64
	of     *nearest.Selection
}

// corner is an unmachinable entry with corners. Material belongs to it that is within all bounds of one of its sets and
// within one bound of its own regions. Bounds are indices into expectation.faces.
type corner struct {
	entry int
	sets  [][]int
	own   []int
}

func newExpectation(p *planning.Plan, finder *nearest.Finder, regions int) *expectation {
	e := &expectation{whole: slices.Repeat([]int{unexpected}, regions), spill: make([]float64, regions)}
	each := func(list []int, visit func(region int)) {
		for _, r := range list {
			if r >= 0 && r < regions {
				visit(r)
			}
		}
	}
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			tool := &p.Tools[o.Tool].Tool
			if o.Strategy == planning.Face || tool.Kind == machining.FaceMill {
				continue
			}
			each(o.Regions, func(r int) { e.spill[r] = max(e.spill[r], tool.Diameter/2) })
		}
	}
	for k, u := range p.Unmachinable {
		if len(u.Corners) > 0 || u.Reason.IsUnmeasured() {
			continue
		}
		each(u.Regions, func(r int) {
			if e.whole[r] == unexpected {
				e.whole[r] = k
			}
		})
	}
	e.made = finder.Select(func(r int) bool { return r < regions && e.whole[r] != unexpected })
	each(p.Finished, func(r int) { e.whole[r] = finished })
	e.addCorners(p, finder)
	return e
}

// addCorners prepares the entries with corners.
func (e *expectation) addCorners(p *planning.Plan, finder *nearest.Finder) {
	widest := 0.0
	for _, u := range p.Unmachinable {
		if len(u.Corners) > 0 {
			widest = max(widest, u.Within)
		}
	}
	if widest == 0 {
		return
	}
	number := map[bound]int{}
	bounds := func(regions []int, within float64) (out []int) {
		for _, r := range regions {
			b := bound{region: r, within: within}
			n, known := number[b]
			if !known {
				n = len(e.faces)
				number[b] = n
				e.faces = append(e.faces, b)
			}
			out = append(out, n)
		}
		return out
	}
	for k, u := range p.Unmachinable {
		if len(u.Corners) == 0 {
			continue
		}
		c := corner{entry: k, own: bounds(u.Regions, widest)}
		for _, faces := range u.Corners {
			c.sets = append(c.sets, bounds(faces, u.Within))
		}
		e.corners = append(e.corners, c)
	}
	of := map[int]*nearest.Selection{}
	for i := range e.faces {
		r := e.faces[i].region
		if of[r] == nil {
			of[r] = finder.Select(func(region int) bool { return region == r })
		}
		e.faces[i].of = of[r]
	}
}

// cause returns the entry of Plan.Unmachinable that explains material at a point, else unexpected.
func (e *expectation) cause(p geom.Vec3, near nearest.Contact) int {
	if near.Region < 0 || near.Region >= len(e.whole) {
		return unexpected
	}
	if edge, isEdge := e.edges.of(near.Region); isEdge {
		if near.Distance <= e.edges.width {
			return sharp
		}
		near.Region = edge[0] // more than an edge is left there
	}
	if k := e.whole[near.Region]; k != unexpected {
		return k
	}
	if k := e.corner(p); k != unexpected {
		return k
	}
	reach := e.spill[near.Region]
	if reach == 0 {
		return unexpected
	}
	if r := e.made.Nearest(p, max(reach, near.Distance)); r >= 0 {
		return e.whole[r]
	}
	return unexpected
}

// corner returns the first entry with a corner to which material at a point belongs.
func (e *expectation) corner(p geom.Vec3) int {
	const near, far = 1, 2
	var few [64]byte
	known := few[:]
	if len(e.faces) > len(few) {
		known = make([]byte, len(e.faces))
	}
	isNear := func(i int) bool {
		if known[i] == 0 {
			known[i] = far
			if f := &e.faces[i]; f.of.IsWithin(p, f.within) {
				known[i] = near
			}
		}
		return known[i] == near
	}
	isFar := func(i int) bool { return !isNear(i) }
	for i := range e.corners {
		c := &e.corners[i]
		if slices.ContainsFunc(c.sets, func(set []int) bool { return !slices.ContainsFunc(set, isFar) }) &&
			slices.ContainsFunc(c.own, isNear) {
			return c.entry
		}
	}
	return unexpected
}

// Facts are the further inputs of an account, in addition to the program and its report.
type Facts struct {
	Removable float64 // mm³: the stock less the part
	Area      float64 // mm² of the part
	FeatureOf []int   // by region: its feature, -1 without one
	// Bench returns the price of filing an area (mm²) of each part; nil: unknown.
	Bench func(area float64) *completeness.Price
	// Idle are operations of the plan that had no moves.
	Idle []toolpath.Idle
	// Requested reports whether the plan covers a feature; nil: all features.
	Requested func(feature int) bool
}

// Settle returns the plan with the account of the remaining material in the report, and with the unmachinable entries
// that have remaining material. The set contains the verified paths.
func Settle(p *planning.Plan, set *toolpath.Set, proof *Report, f Facts) *planning.Plan {
	out := *p
	p = withIdleEdges(p, f.Idle)
	s := settlement{plan: p, set: set, pieces: proof.Left, facts: f}
	out.Account = completeness.New(completeness.Found, s.entries(), f.Removable, f.Area)
	out.Unmachinable = s.unmachinable(out.Account)
	return &out
}

func isFinished(p completeness.Piece) bool { return p.Cause == finished }

// settlement compares an expectation with the remaining material.
type settlement struct {
	plan   *planning.Plan
	set    *toolpath.Set // nil before there are paths
	pieces []completeness.Piece
	facts  Facts
}

func (s *settlement) feature(region int) int {
	if region < len(s.facts.FeatureOf) {
		return s.facts.FeatureOf[region]
	}
	return -1
}

// entries joins pieces with the same explanation, and unexpected pieces of the same feature.
func (s *settlement) entries() []completeness.Entry {
	type group struct{ cause, feature int }
	var order []group
	found := map[group]*completeness.Entry{}
	for _, p := range slices.SortedStableFunc(slices.Values(s.pieces), func(a, b completeness.Piece) int {
		return cmp.Compare(b.Volume, a.Volume) // the largest gives the reason
	}) {
		g := group{cause: p.Cause}
		if p.Cause == unexpected {
			g.feature = s.feature(p.Region)
		}
		e := found[g]
		if e == nil {
			e = &completeness.Entry{Feature: g.feature}
			switch p.Cause {
			case unexpected:
				e.Reason, e.Detail = s.why(p.Region, g.feature)
			case sharp:
				e.Feature, e.Reason, e.Remedy = -1, completeness.EdgeNotBroken, "A file."
				e.Detail = "The chamfer mill does not get to all of the edges that the plan breaks."
			default:
				u := &s.plan.Unmachinable[p.Cause]
				e.Feature, e.Reason, e.Detail, e.Remedy, e.Price = u.Feature, u.Reason, u.Detail, u.Remedy, u.Price
			}
			found[g], order = e, append(order, g)
		}
		e.Regions = append(e.Regions, p.Region)
		e.Volume, e.Area = e.Volume+p.Volume, e.Area+p.Area
		if p.Height > e.Height {
			e.Height, e.At = p.Height, s.plan.Workpiece.Point(p.At)
		}
	}
	var out []completeness.Entry
	for _, g := range order {
		e := found[g]
		if e.Reason == completeness.SharpCorner { // some corners are smaller than the cells
			e.Regions = append(e.Regions, s.plan.Unmachinable[g.cause].Regions...)
		}
		slices.Sort(e.Regions)
		e.Regions = slices.Compact(e.Regions)
		if g.cause < 0 && e.Reason != completeness.NotRequested && s.facts.Bench != nil {
			e.Price = s.facts.Bench(e.Area)
		}
		out = append(out, *e)
	}
	for k, u := range s.plan.Unmachinable {
		if _, isFound := found[group{cause: k}]; u.Reason.IsUnmeasured() || s.set == nil && !isFound {
			out = append(out, completeness.Entry{
				Feature: u.Feature, Regions: u.Regions, Reason: u.Reason, Detail: u.Detail, Remedy: u.Remedy,
				Price: u.Price,
			})
		}
	}
	return out
}

// why returns the reason for unexpected material next to a region.
func (s *settlement) why(region, feature int) (completeness.Reason, string) {
	if s.facts.Requested != nil && (feature < 0 || !s.facts.Requested(feature)) {
		return completeness.NotRequested, "The plan was asked for other features."
	}
	if s.set == nil {
		return completeness.OutOfReach, "The planned tools do not reach it."
	}
	operation, residue := "", (*toolpath.RestMaterial)(nil)
	for i := range s.plan.Setups {
		for k := range s.plan.Setups[i].Operations {
			o := &s.plan.Setups[i].Operations[k]
			if slices.Contains(o.Regions, region) {
				operation = fmt.Sprintf("%s (%s)", o.ID, o.Strategy)
			}
			for r := range s.set.Paths[i][k].RestMaterial {
				l := &s.set.Paths[i][k].RestMaterial[r]
				if slices.Contains(l.Regions, region) && (residue == nil || l.Volume > residue.Volume) {
					residue = l
				}
			}
		}
	}
	if operation == "" {
		for i := range s.facts.Idle {
			if n := &s.facts.Idle[i]; slices.Contains(n.Operation.Regions, region) {
				return completeness.PathLeft, n.Detail()
			}
		}
	}
	switch {
	case operation == "" && residue == nil:
		return completeness.PathLeft, "No operation of the plan makes it."
	case operation == "":
		return completeness.PathLeft, "No operation finishes it, and clearing leaves material: " + residue.Detail
	case residue == nil:
		return completeness.PathLeft, fmt.Sprintf("Operation %s makes it, and its path leaves material.", operation)
	}
	return completeness.PathLeft, fmt.Sprintf("Operation %s makes it, and its path leaves material: %s", operation,
		residue.Detail)
}

// unmachinable returns the entries of the plan with remaining material, and further entries found.
func (s *settlement) unmachinable(a *completeness.Account) []planning.Unmachinable {
	out := []planning.Unmachinable{}
	for _, u := range s.plan.Unmachinable {
		e := completeness.Entry{Reason: u.Reason}
		for _, p := range s.pieces {
			if !u.Reason.IsUnmeasured() && slices.Contains(u.Regions, p.Region) &&
				(p.Cause == unexpected || p.Cause >= 0 && s.plan.Unmachinable[p.Cause].Reason == u.Reason) {
				e.Volume, e.Height = e.Volume+p.Volume, max(e.Height, p.Height)
			}
		}
		if e.IsListed() {
			out = append(out, u)
		}
	}
	for _, e := range a.Left {
		if e.Reason == completeness.PathLeft || e.Reason == completeness.EdgeNotBroken && e.Volume > 0 {
			out = append(out, planning.Unmachinable{
				Feature: e.Feature, Regions: e.Regions, Reason: e.Reason, Detail: e.Detail, Remedy: e.Remedy,
				Price: e.Price,
			})
		}
	}
	slices.SortStableFunc(out, func(a, b planning.Unmachinable) int {
		return cmp.Compare(uint(a.Feature), uint(b.Feature))
	})
	return out
}

// leaves measures the remaining material outside the part after the last setup.
func (r *replay) leaves(ctx context.Context, setups []*setup) (err error) {
	left := r.left.Stock
	if n := len(r.left.After); n > 0 {
		left = r.left.After[n-1]
	}
	e := newExpectation(r.Plan, r.finder, max(len(r.Part.Regions), 1))
	e.edges = &r.edges
	r.proof.Left, err = completeness.Measure(ctx, completeness.Input{
		Left: left, Part: r.left.Part, Surface: r.finder, Tolerance: r.Tolerance, Cause: e.cause,
	})
	if err != nil {
		return err
	}
	r.proof.Left = slices.DeleteFunc(r.proof.Left, isFinished)
	if err := r.refine(ctx, setups, e); err != nil {
		return err
	}
	for i := range r.proof.Left {
		p := &r.proof.Left[i]
		if edge, isEdge := r.edges.of(p.Region); isEdge {
			p.Region = edge[0]
		}
		r.proof.UncutVolume += p.Volume
		if p.Cause == unexpected {
			r.proof.MaxUncut = max(r.proof.MaxUncut, p.Height)
		}
	}
	return nil
}
