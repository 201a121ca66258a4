package toolpath

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Chamfers are cut by the middle of a cone's flank. The path is the section of the part at that height, offset by the
// radius of the cone there. The tip goes as deep as it may, up to the middle of the flank, so that the flank cuts and
// not the tip, whether a point or a flat. The tip keeps clear of material below and next to it.

// slips (mm) is the permitted overlap of the discs that approximate a cone with the chamfer that it touches.
const slips = 0.08

func (w *operationBuilder) chamfer() error {
	angle := w.tool.Tool.TipAngleDeg
	if angle == nil {
		w.left.add(leftover{reason: completeness.NoToolFits, patches: w.patches(), detail: "the tool has no flank."})
		return nil
	}
	slope := math.Tan(geom.Radians(*angle) / 2)
	heights := w.in.Graph.HeightsAlong(w.setup.Frame.Z)
	ground := w.setup.Frame.Origin.Dot(w.setup.Frame.Z)
	groups := map[geom.Interval]map[int32]bool{}
	var order []geom.Interval
	for p := range w.in.Graph.Patches {
		if wanted := w.patches(); wanted == nil || !wanted[int32(p)] {
			continue
		}
		span := heights.Of(int32(p))
		span = geom.Interval{Lo: round(span.Lo - ground), Hi: round(span.Hi - ground)}
		if groups[span] == nil {
			groups[span] = map[int32]bool{}
			order = append(order, span)
		}
		groups[span][int32(p)] = true
	}
	for _, span := range order {
		if err := w.bevel(span, groups[span], slope); err != nil {
			return err
		}
	}
	return nil
}

// round makes heights equal that differ only by rounding.
func round(z float64) float64 { return math.Round(z/motionStep) * motionStep }

const motionStep = 1e-4 // mm

// bevel cuts the chamfers between two heights.
func (w *operationBuilder) bevel(span geom.Interval, patches map[int32]bool, slope float64) error {
	if span.Length() < motionStep {
		w.left.add(leftover{reason: completeness.NoToolFits, patches: patches,
			detail: "it has no height in this setup."})
		return nil
	}
	middle, blunt := span.Mid(), w.tool.Tool.TipRadius()
	part, err := w.site.Part(middle, 0)
	if err != nil {
		return err
	}
	for _, share := range [...]float64{0.5, 0.4, 0.3, 0.6, 0.2, 0.7, 0.12} {
		r := blunt + share*(w.radius-blunt)
		z := middle - (r-blunt)/slope // of the tip
		if (span.Hi-z)*slope+blunt > w.radius || span.Lo < z {
			continue // the chamfer is wider than the flank there
		}
		chains, way, err := w.flank(part, z, r, patches)
		if err != nil {
			return err
		}
		if len(chains) == 0 {
			continue
		}
		l := &level{z: z, air: w.op.Top + above, way: way}
		for len(chains) > 0 {
			k := nearestChain(chains, flat(w.at))
			if err := w.edge(l, chains[k]); err != nil {
				return err
			}
			chains = append(chains[:k], chains[k+1:]...)
		}
		return nil
	}
	w.left.add(leftover{
		reason: completeness.NoToolFits, patches: patches, bottom: span.Lo, top: span.Hi,
		detail: fmt.Sprintf("no part of the flank of the tool of %.4g mm reaches it past other material.", 2*w.radius),
	})
	return nil
}

// flank returns the paths of the tip along chamfers at which the flank touches them at a radius; nil if some part of
// them is not free.
func (w *operationBuilder) flank(part *arcpoly.Area, z, r float64,
	patches map[int32]bool,
) ([]chain, *access.PathCheck, error) {
	grown, err := part.Offset(r)
	if err != nil {
		return nil, nil, err
	}
	kept, met := chainsOf(grown, patches, 0), map[int32]bool{}
	for i := range kept {
		c := &kept[i]
		c.trim(r)
		for i, k := 0, len(c.pieces)-1; i < k; i, k = i+1, k-1 {
			c.pieces[i], c.pieces[k] = c.pieces[k], c.pieces[i]
		}
		for i := range c.pieces {
			p := &c.pieces[i]
			p.From, p.To, p.Turn = p.To, p.From, -p.Turn
			met[p.Tag] = true
		}
	}
	for p := range patches {
		if !met[p] {
			return nil, nil, nil
		}
	}
	kept = slices.DeleteFunc(kept, func(c chain) bool { return len(c.pieces) == 0 })
	way, err := w.site.PathCheck(w.assembly, z, access.StockToLeave{Radial: -slips}, w.margin())
	if err != nil {
		return nil, nil, err
	}
	holds := func(list []planar.Segment) bool {
		return !slices.ContainsFunc(list, func(p planar.Segment) bool { return !way.Holds(&p, stray) })
	}
	for i := range kept {
		var pieces []planar.Segment
		for k := range kept[i].pieces {
			some := kept[i].pieces[k : k+1]
			if !holds(some) {
				if some = miter(&some[0], r); !holds(some) || some == nil {
					return nil, nil, nil
				}
			}
			pieces = append(pieces, some...)
		}
		kept[i].pieces = pieces
	}
	return kept, way, nil
}

// miter returns the path past a sharp outer corner in the direction of both edges, instead of a turn of a radius (mm)
// around it: chamfers share an edge there that a turning cone would cut off. It is nil for other segments, and for
// corners so sharp that the path would lead far out.
func miter(p *planar.Segment, radius float64) []planar.Segment {
	const most = 2 * math.Pi / 3
	turn := math.Abs(p.Turn)
	if turn == 0 || turn > most || math.Abs(p.Radius()-radius) > geom.Resolution {
		return nil
	}
	out := p.From.Add(p.To).Scale(0.5).Sub(p.Center)
	tip := p.Center.Add(out.Scale(radius / math.Cos(turn/2) / out.Norm()))
	first, second := planar.NewLine(p.From, tip), planar.NewLine(tip, p.To)
	first.Tag, second.Tag = p.Tag, p.Tag
	return []planar.Segment{first, second}
}

// trim removes the turns of a radius (mm) at the ends of an open chain, since they cut nothing.
func (c *chain) trim(radius float64) {
	isTurn := func(p *planar.Segment) bool { return p.Turn != 0 && math.Abs(p.Radius()-radius) <= geom.Resolution }
	for !c.closed && len(c.pieces) > 0 && isTurn(&c.pieces[0]) {
		c.pieces = c.pieces[1:]
	}
	for n := len(c.pieces); !c.closed && n > 0 && isTurn(&c.pieces[n-1]); n-- {
		c.pieces = c.pieces[:n-1]
	}
}

// edge cuts along a chamfer, with the part on the right.
func (w *operationBuilder) edge(l *level, c chain) error {
	in, walk, out, err := w.route(l, c)
	if err != nil {
		return err
	}
	start := in[0].From
	if err := w.over(start, l.z, nil); err != nil {
		return err
	}
	w.line(lift(start, l.z), motion.LeadIn, w.plungeFeed())
	w.walk(l, in, walk, out)
	return nil
}
