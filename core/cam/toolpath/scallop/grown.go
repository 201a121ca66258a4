package scallop

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// grown returns a tool that is thicker by some mm on all sides, with its tip at height 0 again: the tip was by lower.
// Where the outline turns outward it gets an arc, where it turns inward its lines are cut off at their intersection.
// It returns an error for a step of the outline that is smaller than by.
func grown(p toolprofile.Profile, by float64) (toolprofile.Profile, error) {
	if by == 0 {
		return p, nil
	}
	var out toolprofile.Profile
	at, along := geom.Vec2{}, geom.Vec2{X: 1}
	for _, k := range p {
		n := normals(k)
		up := geom.Vec2{Y: by}
		next := toolprofile.Segment{From: k.From.Add(n[0].Scale(by)).Add(up), To: k.To.Add(n[1].Scale(by)).Add(up)}
		if k.Radius != 0 {
			next.Radius = k.Radius + by
		}
		start := geom.Vec2{X: -n[0].Y, Y: n[0].X}
		const straight = 1e-9 // sine of the turn
		switch turn := along.Cross(start); {
		case turn > straight:
			out = append(out, toolprofile.Segment{From: at, To: next.From, Radius: by})
		case turn < -straight:
			corner := at.Add(along.Scale(next.From.Sub(at).Cross(start) / along.Cross(start)))
			if len(out) > 0 {
				out[len(out)-1].To = corner
			}
			next.From = corner
		default:
			next.From = at
		}
		out = append(out, next)
		at, along = next.To, geom.Vec2{X: -n[1].Y, Y: n[1].X}
	}
	if err := out.Check(); err != nil {
		return nil, fmt.Errorf("finishing: the tool cannot leave %g mm of stock: %w", by, err)
	}
	return out, nil
}

// normals returns the outward normals of an outline at the ends of a segment.
func normals(k toolprofile.Segment) [2]geom.Vec2 {
	if c, ok := k.Center(); ok {
		return [2]geom.Vec2{k.From.Sub(c).Scale(1 / k.Radius), k.To.Sub(c).Scale(1 / k.Radius)}
	}
	d := k.To.Sub(k.From)
	n := geom.Vec2{X: d.Y, Y: -d.X}.Scale(1 / math.Max(d.Norm(), math.SmallestNonzeroFloat64))
	return [2]geom.Vec2{n, n}
}
