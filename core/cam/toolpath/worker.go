package toolpath

import (
	"context"
	"math"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/parallel"
)

const (
	// above (mm) is the height above material at which a rapid ends.
	above = 1.0
	// touch (mm) is the height above material at which the descent in the air ends.
	touch = 0.1
	// trifle (mm²) is the area of a level that may remain without a cut or a report.
	trifle = 1e-2
	// slotting is the largest share of the feed where the whole width of the tool is in material.
	slotting = 0.5
	// stray (mm) is the permitted distance of a path outside of the tool's free area: rounding.
	stray = 1e-3
)

// operationBuilder makes one operation.
type operationBuilder struct {
	ctx      context.Context
	in       *Input
	setup    *planning.Setup
	site     *access.Site
	op       *planning.Operation
	tool     *planning.Tool
	assembly *toolprofile.Assembly
	radius   float64 // mm, of the flutes
	safe     float64 // mm
	window   access.Window

	moves   motion.Operation
	at      geom.Vec3
	isBegun bool
	flags   motion.Flags
	left    leftovers
	layer   layer
	beneath []floor
	depth   float64 // mm, of the level; 0: of no more than the axial depth
}

func newWorker(
	ctx context.Context, in *Input, setup *planning.Setup, site *access.Site, op *planning.Operation,
	assemblies []toolprofile.Assembly,
) *operationBuilder {
	tool := &in.Plan.Tools[op.Tool]
	return &operationBuilder{
		ctx: ctx, in: in, setup: setup, site: site, op: op, tool: tool, assembly: &assemblies[op.Tool],
		radius: tool.Tool.Diameter / 2, safe: max(setup.Safe, site.StockHeight()+above), window: window(in, setup, op),
		moves: motion.Operation{
			ID: op.ID, Tool: int32(op.Tool), SpindleRPM: op.Cutting.SpindleRPM.Value, Coolant: op.Coolant,
		},
	}
}

// make runs the strategy and rounds its motion.
func (w *operationBuilder) make() (Path, error) {
	if w.op.LeaveRadial == 0 && w.op.LeaveAxial == 0 {
		w.flags = motion.Finishing
	}
	var err error
	switch w.op.Strategy {
	case planning.Face:
		err = w.face()
	case planning.Pocket:
		err = w.pocket()
	case planning.Contour:
		err = w.contour()
	case planning.Drill, planning.PeckDrill, planning.Ream, planning.Tap:
		err = w.drill()
	case planning.Bore:
		err = w.bore()
	case planning.ThreadMill:
		err = w.thread()
	case planning.Chamfer:
		err = w.chamfer()
	case planning.BreakEdges:
		err = w.breakEdges()
	case planning.Surface:
		err = w.surface()
	case planning.Slot, planning.Dovetail:
		if w.op.Channel == nil {
			err = w.grooves()
			break
		}
		err = w.undercut()
	}
	if err != nil {
		return Path{}, err
	}
	w.up()
	if len(w.left.claims) > 0 && w.isIdle() {
		if err := settle(w.ctx, w.site.Stock, []*operationBuilder{w}); err != nil {
			return Path{}, err
		}
	}
	if len(w.moves.Moves) == 0 && len(w.left.list) == 0 {
		w.left.add(leftover{reason: completeness.NotAccessible,
			detail: "nothing is left there that the tool could cut."})
	}
	w.begin(geom.Vec3{Z: w.safe}) // a tool that has nothing to do waits there
	w.moves = w.moves.Round()
	p := Path{MoveCount: len(w.moves.Moves), Bounds: geom.BoxOf(w.moves.Start)}
	w.moves.Steps(func(s motion.Step) bool {
		if s.Kind == motion.Rapid {
			p.RapidLength += s.Length()
		} else {
			p.CutLength += s.Length()
		}
		for i := range 9 {
			p.Bounds = p.Bounds.Add(s.At(float64(i) / 8))
		}
		return true
	})
	return p, nil
}

// isIdle reports whether the operation has no moves, and no later one of the setup finishes some of its faces.
func (w *operationBuilder) isIdle() bool {
	return len(w.moves.Moves) == 0 && !w.sharesFaces(w.ofSameKind(true))
}

// stockToLeave is the operation's stock to leave on the part.
func (w *operationBuilder) stockToLeave() access.StockToLeave {
	return access.StockToLeave{Radial: w.op.LeaveRadial, Axial: w.op.LeaveAxial}
}

func (w *operationBuilder) feed() float64 { return w.op.Cutting.Feed.Value }

// plungeFeed returns the feed of the plunge, else of the ramp, else a share of the feed, for moves without material.
func (w *operationBuilder) plungeFeed() float64 {
	switch {
	case w.op.Cutting.PlungeFeed.Value > 0:
		return w.op.Cutting.PlungeFeed.Value
	case w.op.Cutting.RampFeed.Value > 0:
		return w.op.Cutting.RampFeed.Value
	}
	return w.feed() * slotting
}

// begin sets the position of the tip before the first move.
func (w *operationBuilder) begin(at geom.Vec3) {
	if !w.isBegun {
		w.moves.Start, w.at, w.isBegun = at, at, true
	}
}

func (w *operationBuilder) add(m motion.Move) {
	w.moves.Moves = append(w.moves.Moves, m)
	w.at = m.To
}

// line moves the tip straight.
func (w *operationBuilder) line(to geom.Vec3, kind motion.Kind, feed float64) {
	if to == w.at {
		return
	}
	m := motion.Move{To: to, Kind: kind, Feed: feed}
	switch kind {
	case motion.Rapid:
		m.Flags = motion.ExpectedAir
	case motion.Cut:
		m.Flags = w.flags
	}
	w.add(m)
}

// piece moves the tip along a piece, to a height.
func (w *operationBuilder) piece(p planar.Segment, z float64, kind motion.Kind, feed float64) {
	to := geom.Vec3{X: p.To.X, Y: p.To.Y, Z: z}
	if p.Turn == 0 {
		w.line(to, kind, feed)
		return
	}
	m := motion.Move{To: to, Center: p.Center, Turn: p.Turn, Kind: kind, Feed: feed}
	if kind == motion.Cut {
		m.Flags = w.flags
	}
	w.add(m)
}

// follow moves the tip along pieces at its height.
func (w *operationBuilder) follow(pieces []planar.Segment, feed float64) {
	for _, p := range pieces {
		w.piece(p, w.at.Z, motion.Cut, feed)
	}
}

func flat(p geom.Vec3) geom.Vec2            { return geom.Vec2{X: p.X, Y: p.Y} }
func lift(p geom.Vec2, z float64) geom.Vec3 { return geom.Vec3{X: p.X, Y: p.Y, Z: z} }
func left(v geom.Vec2) geom.Vec2            { return geom.Vec2{X: -v.Y, Y: v.X} }

// plain returns a path without tags, for areas other than the part.
func plain(pieces []planar.Segment) []planar.Segment {
	out := make([]planar.Segment, len(pieces))
	copy(out, pieces)
	for i := range out {
		out[i].Tag = graph.None
	}
	return out
}

// take removes from the stock the material that the tool removes at a height. The callback returns the areas that discs
// of given radii sweep, concurrently; take returns the area of the full flutes.
func (w *operationBuilder) take(z float64,
	passed func(radius float64) (*arcpoly.Area, error),
) (swept *arcpoly.Area, err error) {
	radii, gone := []float64{w.radius}, []access.RemovedArea{{}} // the first is not one of them
	w.site.Cuts(w.assembly, func(radius, height float64) {
		radii, gone = append(radii, radius), append(gone, access.RemovedArea{Z: z + height})
	})
	var areas parallel.Memo[float64, *arcpoly.Area]
	err = parallel.Try(w.ctx, len(radii), 1, func() func(int) error {
		return func(i int) (err error) {
			gone[i].Area, err = areas.Get(radii[i], func() (*arcpoly.Area, error) { return passed(radii[i]) })
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	w.site.Stock.Cut(gone[1:]...)
	return gone[0].Area, nil
}

// along is the callback of take for paths.
func along(paths [][]planar.Segment) func(radius float64) (*arcpoly.Area, error) {
	return func(radius float64) (*arcpoly.Area, error) {
		if len(paths) == 0 {
			return nil, nil
		}
		return sweep(radius, paths)
	}
}

// sweep returns the area that a disc sweeps, without tags.
func sweep(radius float64, paths [][]planar.Segment) (*arcpoly.Area, error) {
	bare := make([][]planar.Segment, len(paths))
	for i, p := range paths {
		bare[i] = plain(p)
	}
	return arcpoly.SweepDisc(radius, bare...)
}

// patches returns the patches of the operation's regions; nil: all of them.
func (w *operationBuilder) patches() map[int32]bool { return w.patchesOf(w.op.Regions) }

// patchesOf returns the patches of some faces; nil for no faces.
func (w *operationBuilder) patchesOf(faces []int) map[int32]bool {
	if len(faces) == 0 {
		return nil
	}
	m := map[int32]bool{}
	for _, f := range faces {
		if p := w.in.Graph.PatchOf[f]; p != graph.None {
			m[p] = true
		}
	}
	return m
}

// ramp returns the tangent of how steeply the tool may go down in material; 0: it may not.
func (w *operationBuilder) ramp() float64 {
	if w.op.Cutting.RampFeed.Value <= 0 {
		return 0
	}
	return math.Tan(geom.Radians(w.tool.Tool.RampDeg()))
}

// plunges reports whether the tool may go straight down in material.
func (w *operationBuilder) plunges() bool {
	return w.tool.Tool.CutsCenter() && w.op.Cutting.PlungeFeed.Value > 0
}
