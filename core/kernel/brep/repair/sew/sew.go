// Package sew joins faces that share no edges into shells, and makes solids of closed shells.
//
// In files with surfaces only (IGES 144, STEP surface models) every face has its own edges and vertices. They lie on
// the edges and vertices of its neighbors to within some gap. Method, after the stepwise tolerance of G. Barequet and
// M. Sharir, Filling gaps in the boundary of a polyhedron (1995), on exact curves:
//
//  1. loops in the wrong direction are reversed (orient.go);
//  2. with a tolerance that grows from the file's resolution: vertices are merged through a spatial grid
//     (vertex.go), edges split at the vertex of an edge that runs along them (split.go), and free edges with
//     equal ends merged when the curves themselves lie within the tolerance (match.go);
//  3. slits between edges with the same ends are closed (slit.go), copies of a face removed, and touching
//     solids separated (contact.go, duplicate.go, multiple.go);
//  4. faces are flipped to agree across their edges (orient.go); connected faces become shells, closed
//     shells become solids or, by their nesting, voids (cap.go, shell.go, nest.go).
//
// Exact pairs are found first, so a wider tolerance never separates them. No vertex moves by more than half of the
// shortest edge at it. Cost: near-linear in the number of free edges for each step of the tolerance, one inversion for
// each sample of a pair and of a face's boundary.
//
// Not handled: faces that overlap or pierce each other, and gaps wider than the largest tolerance.
package sew

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/heal"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
)

// Options bound the tolerance of a sewing, in mm. 0 means the default.
type Options struct {
	Start float64 // first tolerance; default: 1e-5 mm or 1e-7 of the size, whichever is larger
	// Max is the last tolerance. Default: 1e-4 of the size, or the model's tolerance up to 1e-3 of the size, whichever
	// is larger, but no more than 0.05 mm. If free edges are left, and a last try with 1e-3 of the size, but no more
	// than 0.5 mm, would leave no free edges, that tolerance is used.
	Max float64
}

const (
	defaultStart  = 1e-5 // mm: below the resolution of any exchange file
	startShare    = 1e-7 // of the box: rounding of coordinates with seven digits
	defaultMax    = 0.05 // mm: wider gaps are design, not rounding
	maxShare      = 1e-4 // of the box: in a small part a wider gap is a feature
	statedShare   = 1e-3 // of the box: the same, where the file states such a tolerance
	growth        = 3    // of the tolerance from one step to the next
	wideMax       = 0.5  // mm: the widest gap that is closed where that closes everything
	wideShare     = 1e-3 // of the box: the same
	shareOfEdge   = 0.5  // of the shortest edge at a vertex: the most that it may move
	histogramBase = 1e-7 // mm: upper end of the first class of gaps, each further one is ten times as wide
)

// GapClasses is the number of classes of Gaps.Histogram.
const GapClasses = 8

// Gaps are the distances, in mm, that merged edges bridge.
type Gaps struct {
	Max, Mean float64
	// Histogram counts the gaps up to 1e-7, 1e-6, … mm; the last class is open.
	Histogram [GapClasses]int
}

// Report counts the repairs of a sewing.
type Report struct {
	FreeBefore, FreeAfter int     // edges of sheets that bound one face only
	Merged                int     // pairs of edges made one
	Split                 int     // edges cut at a neighbor's vertex
	Slits                 int     // merged pairs with the same ends and a gap between them
	WidestSlit            float64 // mm
	Duplicates            int     // faces removed because another one covers them
	ReversedLoops         int     // loops in the wrong direction around their face
	ReversedFaces         int     // faces flipped to agree with their neighbors
	Closed                int     // shells that became solids or voids of solids
	Capped                int     // plane faces added where faces of a solid were missing
	Demoted               int     // solids that do not close and became sheets
	Beside                int     // sheets in a model with solids, left unchanged
	MisplacedVoid         int     // solids with voids outside them, or in other voids
	Multiple              int     // edges with three faces or more
	NonOrientable         int     // shells whose faces cannot agree (Möbius)
	Gaps                  Gaps    // of the merged edges
	Tolerance             float64 // mm: of the last step that merged an edge; 0 without merges
	OpenGap               float64 // mm: largest distance of a free edge's middle from the next free edge
}

// Sew sews, in place, the sheets of a model without solids, and the solids that have free edges, faces that contradict
// their neighbors, or voids outside them. Sound solids, and sheets in a model with solids, stay unchanged. A solid of
// the file gets plane caps where faces are missing (cap.go). If it still does not close, it becomes a sheet. If free
// edges remain, Sew tries a tolerance wider than rounding explains, and accepts it only if everything closes. Shells
// and faces are renumbered: first the unchanged ones, then shell by shell in the order of their first faces. Loops must
// be closed, as after heal.Topology. The error is the error of ctx; the model is then not usable.
func Sew(ctx context.Context, m *brep.Model, opts Options) (Report, error) {
	var before *brep.Model
	isFree := func(e brep.Edge) bool { return e.Curve != nil && len(e.Coedges) == 1 }
	if opts.Max == 0 && slices.ContainsFunc(m.Edges, isFree) {
		before = clone(m)
	}
	s := &sewer{m: m}
	if err := s.sew(ctx, opts); err != nil {
		return s.report, err
	}
	opts.Max = min(wideMax, wideShare*s.box.Diagonal())
	if before != nil && s.report.FreeAfter > 0 && s.report.OpenGap <= opts.Max {
		wide := &sewer{m: before}
		if err := wide.sew(ctx, opts); err != nil {
			return s.report, err
		}
		if r := wide.report; r.FreeAfter == 0 && r.NonOrientable == 0 && r.Closed > s.report.Closed {
			*m = *before
			s, wide.m = wide, m
		}
	}
	s.warn()
	return s.report, ctx.Err()
}

// clone returns a copy of m that shares its geometry.
func clone(m *brep.Model) *brep.Model {
	c := &brep.Model{
		Name: m.Name, Numbering: m.Numbering, Tolerance: m.Tolerance, Warnings: slices.Clone(m.Warnings),
	}
	c.Append(m, geom.Identity)
	return c
}

// sew is one sewing with the tolerances of opts.
func (s *sewer) sew(ctx context.Context, opts Options) error {
	m := s.m
	s.openSolids()
	for i := range m.Shells {
		if len(m.Solids) > 0 && m.Shells[i].Solid == brep.None && s.wasSolid[i] == brep.None {
			s.tally(&s.report.Beside, SheetsKept, func() fault.Location { return m.ShellName(brep.ShellID(i)) })
		}
	}
	if !s.collect() {
		return nil
	}
	s.report.FreeBefore = len(s.free)
	if len(s.free) > 0 || len(s.solids) > 0 {
		if err := s.joinFree(ctx, opts); err != nil {
			return err
		}
	}
	s.connect()
	s.sortCopies()
	s.splitMultiple()
	s.orient()
	s.capHoles()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.makeSolids()
	for i := range m.Edges {
		if s.isSewn(&m.Edges[i]) {
			heal.GrowVertexTolerance(m, &m.Edges[i])
		}
	}
	m.Compact()
	s.isMine = make([]bool, len(m.Faces))
	for i := range m.Faces {
		s.isMine[i] = m.Faces[i].Shell >= s.firstNew
	}
	s.findFree()
	s.report.FreeAfter = len(s.free)
	s.report.OpenGap = s.openGap()
	return ctx.Err()
}

// sewer is the state of one sewing.
type sewer struct {
	m        *brep.Model
	report   Report
	faces    []brep.FaceID  // to sew, ascending
	isMine   []bool         // by face: it is sewn
	solids   []brep.Solid   // before, if some of them were open
	wasSolid []brep.SolidID // by old shell: the open solid it belonged to
	free     []brep.EdgeID  // their edges with one use, ascending
	box      geom.Box
	into     []brep.VertexID // by vertex: toward the one it becomes
	last     float64         // mm: the widest tolerance
	reach    []float64       // by vertex: mm it may move
	lines    []polyline      // by edge, made when asked for

	group      []brep.FaceID // by face: toward the first face that edges of two faces connect it with
	components []component
	component  []int32      // by face that is sewn, -1 for others
	firstNew   brep.ShellID // shells before it are left as they were
	gapSum     float64
	demoted    opening                   // of the first solid that became a sheet
	first      map[string]fault.Location // by the code of a repair: its first location

	builder trim.Builder
	domains []domain // by face; computed on demand
}

// collect finds the faces to sew and their free edges, and reports whether there are any. It discards all earlier data
// about them.
func (s *sewer) collect() bool {
	m := s.m
	s.faces, s.lines, s.domains = s.faces[:0], nil, nil
	for i := range m.Shells {
		if m.Shells[i].Solid == brep.None && (len(m.Solids) == 0 || s.wasSolid[i] != brep.None) {
			s.faces = append(s.faces, m.Shells[i].Faces...)
		}
	}
	if len(s.faces) == 0 {
		return false
	}
	slices.Sort(s.faces)
	s.isMine = make([]bool, len(m.Faces))
	for _, f := range s.faces {
		s.isMine[f] = true
	}
	s.box = geom.EmptyBox()
	for _, v := range m.Vertices {
		s.box = s.box.Add(v.Point)
	}
	s.findFree()
	for _, id := range s.free { // a closed edge has only one vertex
		for _, p := range s.polyline(id).p {
			s.box = s.box.Add(p)
		}
	}
	return true
}

// unsound returns the solid that is not closed at an edge, or None. Only one face uses such an edge, or two use it in
// the same direction.
func unsound(m *brep.Model, e *brep.Edge) brep.SolidID {
	isTurned := len(e.Coedges) == 2 && m.Coedges[e.Coedges[0]].Reversed == m.Coedges[e.Coedges[1]].Reversed
	if e.Curve == nil || len(e.Coedges) != 1 && !isTurned {
		return brep.None
	}
	return m.Shells[m.Faces[m.FaceOf(e.Coedges[0])].Shell].Solid
}

// openSolids makes sheets of the solids that have an unsound edge or an invalid void, and records them.
func (s *sewer) openSolids() {
	m := s.m
	s.wasSolid = make([]brep.SolidID, len(m.Shells))
	for i := range s.wasSolid {
		s.wasSolid[i] = brep.None
	}
	isOpen := make([]bool, len(m.Solids))
	any := false
	for i := range m.Edges {
		if solid := unsound(m, &m.Edges[i]); solid != brep.None {
			isOpen[solid], any = true, true
		}
	}
	for i := range m.Solids {
		if !isOpen[i] && !s.containsItsVoids(&m.Solids[i]) {
			isOpen[i], any = true, true
			s.tally(&s.report.MisplacedVoid, MisplacedVoid,
				func() fault.Location { return m.ShellName(m.Solids[i].Shells[len(m.Solids[i].Shells)-1]) })
		}
	}
	if !any {
		return
	}
	s.solids = m.Solids
	m.Solids = nil
	for i, solid := range s.solids {
		id := brep.SolidID(brep.None)
		if !isOpen[i] {
			id = brep.SolidID(len(m.Solids))
			m.Solids = append(m.Solids, solid)
		}
		for _, sh := range solid.Shells {
			m.Shells[sh].Solid = id
			if isOpen[i] {
				s.wasSolid[sh] = brep.SolidID(i)
				m.Shells[sh].IsVoid = false
			}
		}
	}
}

// findFree lists the free edges of the faces to sew.
func (s *sewer) findFree() {
	s.free = s.free[:0]
	for i := range s.m.Edges {
		e := &s.m.Edges[i]
		if e.Curve != nil && len(e.Coedges) == 1 && s.isMine[s.m.FaceOf(e.Coedges[0])] {
			s.free = append(s.free, brep.EdgeID(i))
		}
	}
}

// limits returns the first and the last tolerance, in mm.
func (s *sewer) limits(opts Options) (start, last float64) {
	size := s.box.Diagonal()
	start, last = opts.Start, opts.Max
	if !(start > 0) {
		start = max(defaultStart, startShare*size)
	}
	if !(last > 0) {
		last = min(defaultMax, max(maxShare*size, min(s.m.Tolerance.Length, statedShare*size)))
	}
	return min(start, last), last
}

// joinFree merges the free edges. If some are left, and the shortest of them prevent merges, these become vertices.
func (s *sewer) joinFree(ctx context.Context, opts Options) error {
	for first := true; ; first = false {
		s.collect()
		if err := s.layOutAll(ctx); err != nil {
			return err
		}
		s.turnLoops()
		if err := s.grow(ctx, opts); err != nil {
			return err
		}
		var short []brep.EdgeID
		for _, id := range s.free {
			if e := &s.m.Edges[id]; e.Start != e.End && s.polyline(id).length <= s.last {
				short = append(short, id)
			}
		}
		if !first || len(short) == 0 {
			s.closeSlits()
			s.gather()
			return nil
		}
		heal.Collapse(s.m, short, s.last)
	}
}

// grow merges free edges with a growing tolerance until all are merged or the tolerance has its largest value.
func (s *sewer) grow(ctx context.Context, opts Options) error {
	tol, last := s.limits(opts)
	s.last = last
	if !(last > 0) {
		return nil // the whole part is one point
	}
	s.measureReach()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		before := s.report.Merged
		s.mergeVertices(tol)
		s.splitEdges(tol)
		s.mergeEdges(tol)
		s.findFree()
		if s.report.Merged > before {
			s.report.Tolerance = tol
		}
		if len(s.free) == 0 || tol >= last {
			return nil
		}
		tol = min(growth*tol, last)
	}
}

// addGap records that a merged edge bridges a gap of d mm.
func (s *sewer) addGap(d float64) {
	g := &s.report.Gaps
	g.Max = max(g.Max, d)
	s.gapSum += d
	class := 0
	for limit := histogramBase; d > limit && class < GapClasses-1; limit *= 10 {
		class++
	}
	g.Histogram[class]++
	s.report.Merged++
	g.Mean = s.gapSum / float64(s.report.Merged)
}

// measureReach sets the largest move of each vertex: half of the shortest edge at it.
func (s *sewer) measureReach() {
	s.reach = make([]float64, len(s.m.Vertices))
	for i := range s.reach {
		s.reach[i] = math.Inf(1)
	}
	for i := range s.m.Edges {
		s.limitReach(brep.EdgeID(i))
	}
}

// limitReach limits the displacement of an edge's ends to half of its length.
func (s *sewer) limitReach(id brep.EdgeID) {
	e := &s.m.Edges[id]
	if e.Curve == nil || len(e.Coedges) == 0 {
		return
	}
	far := shareOfEdge * s.polyline(id).length
	s.reach[e.Start] = min(s.reach[e.Start], far)
	s.reach[e.End] = min(s.reach[e.End], far)
}
