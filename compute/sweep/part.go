package sweep

import "millwright.dev/millwright/core/cam/machining/toolprofile"

// part is the part of a tool in one zone: its flutes, which cut, or a zone that must not touch anything. Each part
// meets only the rays of its own shadow, so a wide holder high above the stock adds no cost.
type part struct {
	zone      toolprofile.Zone
	bodies    []body
	flat      [][]slab // the bodies for slanted rays
	radius    float64  // mm, the greatest
	low, high float64  // mm above the tip
}

// partsOf divides a tool by its zones, the cutting one first. A tool without zones consists of cutting parts only.
func partsOf(in *Input, slantedRays bool) []part {
	var out []part
	for from := 0; from < len(in.Tool); {
		to := len(in.Tool)
		zone := toolprofile.Cutting
		if in.Zones != nil {
			zone = in.Zones[from]
			for to = from; to < len(in.Tool) && in.Zones[to] == zone; to++ {
			}
		}
		p := in.Tool[from:to]
		q := part{zone: zone, bodies: bodies(p), radius: p.MaxRadius(), low: p[0].From.Y, high: p.Top()}
		for i := range q.bodies {
			if slantedRays {
				q.flat = append(q.flat, q.bodies[i].flattened())
			}
		}
		if len(q.bodies) > 0 {
			out = append(out, q)
		}
		from = to
	}
	return out
}

// cuttingRadius returns how wide the flutes are (mm), 0 for a tool without any.
func (in *Input) cuttingRadius() float64 {
	r := 0.0
	for i, s := range in.Tool {
		if in.Zones == nil || in.Zones[i] == toolprofile.Cutting {
			r = max(r, toolprofile.Profile{s}.MaxRadius())
		}
	}
	return r
}

// appendActions prepares a leg for the parts of the tool, in the order in which they pass a height. While the tool
// rises, its upper parts go first, otherwise the flutes. So contacts of the other parts are real collisions: a leg
// rises, falls or stays level as a whole.
func (s *sweeper) appendActions(actions []action, l *leg) []action {
	n := len(s.parts)
	for i := range n {
		k := i
		if l.to.Z > l.from.Z {
			k = n - 1 - i
		}
		if p := &s.parts[k]; s.reaches(p, l) {
			actions = append(actions, s.view.newAction(l, p))
			actions[len(actions)-1].part = int32(k)
		}
	}
	return actions
}

// reaches reports whether a part of the tool is as low as the top of the stock on a leg.
func (s *sweeper) reaches(p *part, l *leg) bool { return p.low <= s.view.reach(l, p.high) }
