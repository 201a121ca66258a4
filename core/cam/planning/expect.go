package planning

// Expected times of operations, before there are paths.
//
// Clearing takes the time by which its mills were chosen (sequence.go). Floors and tops take their area at the rate of
// the tool, walls and bevels their length for each pass, holes their depth at the feed. Operations take an approach.

import (
	"cmp"
	"math"
	"slices"
)

const (
	placeSeconds = 1.5 // of the approach to each floor beyond the first, s
	floorRate    = 0.5 // of the rate of a tool on a floor: its turns, and overlaps
)

// expect notes the times of the operations of the setup that have none.
func (w *writer) expect() {
	for i := range w.out.Operations {
		o := &w.out.Operations[i]
		if o.Expected == 0 {
			o.Expected = w.seconds(o)
		}
		if o.Floor {
			o.Expected = o.Expected/floorRate + placeSeconds*float64(len(w.patchesAt(o.Regions))-1)
		}
		if o.Spring {
			o.Expected *= 2
		}
		if len(o.Holes) == 0 || o.Strategy == Bore {
			o.Expected += approachSeconds
		}
		if math.IsInf(o.Expected, 0) || math.IsNaN(o.Expected) { // its cutting data lack a feed or a depth
			o.Expected = approachSeconds
		}
		o.Expected = round(o.Expected)
	}
}

// seconds returns the time of an operation with its moves between places, s.
func (w *writer) seconds(o *Operation) float64 {
	d, t := &o.Cutting, &w.tools[o.Tool]
	s := w.step.side
	feed := d.Feed.Value / secondsPerMinute
	high := o.Top - o.Bottom
	patches := w.patchesAt(o.Regions)
	sum := 0.0
	switch o.Strategy {
	case Face:
		a, b := s.across()
		wide, long := along(w.step.before, a).Length(), along(w.step.before, b).Length()
		if wide > long {
			wide, long = long, wide
		}
		rows := math.Ceil(wide / d.Radial.Value)
		return math.Ceil(high/d.Axial.Value-w.tol()) * rows * (long + t.Diameter/2) / feed
	case Chamfer:
		for _, q := range patches {
			if up := s.span(w.boxes[q]).Length(); up > w.tol() {
				sum += w.g.Patches[q].Area / (math.Sqrt2 * up) / feed
			}
		}
		return sum
	case Slot, Dovetail:
		if c := o.Channel; c != nil {
			passes := math.Ceil((c.Width-c.Opening)/2/d.Radial.Value) * math.Ceil(high/d.Axial.Value)
			return 2 * passes * (c.Ends[0].Dist(c.Ends[1]) + 2*t.Diameter) / feed
		}
	case BreakEdges:
		return sum + float64(len(o.Edges))*placeSeconds
	}
	for i := range o.Holes {
		sum += w.holeSeconds(o, &o.Holes[i])
	}
	return sum
}

// holeSeconds returns the time of a hole, s.
func (w *writer) holeSeconds(o *Operation, h *Hole) float64 {
	d, t := &o.Cutting, &w.tools[o.Tool]
	depth, feed := h.Top-h.Bottom, d.Feed.Value/secondsPerMinute
	plunge := depth / cmp.Or(d.PlungeFeed.Value, d.Feed.Value) * secondsPerMinute
	around := math.Pi * max(h.Diameter-t.Diameter, 0)
	switch o.Strategy {
	case PeckDrill:
		pecks := math.Ceil(depth / d.Axial.Value)
		up := d.Axial.Value * pecks * (pecks + 1) / w.in.Config.Machine.AxisLimits().Z.RapidFeed * secondsPerMinute
		return hop + plunge + up + pecks*turning
	case Ream, Tap:
		return hop + 2*plunge
	case Bore:
		rings := max(math.Ceil((h.Diameter-t.Diameter)/2/d.Radial.Value), 1)
		return hop + math.Ceil(depth/d.Axial.Value)*rings*around/feed + plunge
	case ThreadMill:
		return hop + 2*around/feed
	case Slot:
		rings := max(math.Ceil((h.Diameter-t.Diameter)/2/d.Radial.Value), 1)
		return hop + math.Ceil(depth/d.Axial.Value)*rings*around/feed
	}
	return hop + plunge
}

// patchesAt returns the patches of some faces, ascending.
func (p *planner) patchesAt(faces []int) (list []int32) {
	for _, r := range faces {
		list = append(list, p.g.PatchOf[r])
	}
	slices.Sort(list)
	return slices.Compact(list)
}
