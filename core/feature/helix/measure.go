package helix

// Properties of a thread from its flanks.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// mostStarts is the maximum number of starts.
	mostStarts = 12

	// apart is the least distance along the axis between two starts, as a share of the lead.
	apart = 0.5 / mostStarts

	// straight is the share of the height of a profile, on both sides of its middle, over which its flanks have their
	// angle.
	straight = 0.25
)

// turns measures the starts and the angle of a thread, and returns the number of turns of each start.
//
// Seen along the axis a thread covers the ring between its diameters twice in each turn: with the flank that faces
// along the axis, and with the opposite one. Where flanks cross the middle of that ring, their positions along the
// axis, less the climb to there, differ by whole leads for each start.
func (t *Thread) turns(g *graph.Graph, climb float64) float64 {
	frame := geom.NewFrame(t.Axis.Origin, t.Axis.Axis, geom.Vec3{})
	middle, high := (t.Major+t.Minor)/4, (t.Major-t.Minor)/2
	var phases [2][]float64   // of flanks that face along the axis, and against it
	var covered float64       // mm², seen along the axis
	var lean, rise [2]float64 // mm² about the middle, seen from the side and along the axis
	for _, p := range t.Patches {
		g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
			n := b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
			up, side := n.Dot(t.Axis.Axis), 0
			if up < 0 {
				side = 1
			}
			covered += math.Abs(up)
			d := a.Add(b).Add(c).Scale(1.0 / 3).Sub(t.Axis.Origin)
			d = d.Reject(t.Axis.Axis)
			if math.Abs(d.Norm()-middle) <= straight*high {
				rise[side] += math.Abs(up)
				lean[side] += math.Abs(n.Dot(d.Unit()))
			}
			for _, e := range [3][2]geom.Vec3{{a, b}, {b, c}, {c, a}} {
				p, q := frame.Local(e[0]), frame.Local(e[1])
				rp, rq := math.Hypot(p.X, p.Y), math.Hypot(q.X, q.Y)
				if (rp < middle) == (rq < middle) {
					continue
				}
				at := p.Lerp(q, (middle-rp)/(rq-rp))
				phases[side] = append(phases[side], math.Mod(at.Z-climb*math.Atan2(at.Y, at.X), t.Lead))
			}
			return true
		})
	}
	t.Starts = max(1, groups(phases[0], t.Lead), groups(phases[1], t.Lead))
	t.Flank = math.Atan2(lean[0], rise[0]) + math.Atan2(lean[1], rise[1])
	return covered / (4 * math.Pi * middle * high * float64(t.Starts))
}

// groups returns the number of clusters of numbers on a circle of a length.
func groups(at []float64, length float64) int {
	for i := range at {
		at[i] = math.Mod(at[i]+length, length)
	}
	slices.Sort(at)
	n := 0
	for i := range at {
		before := at[(i+len(at)-1)%len(at)]
		if i == 0 {
			before -= length
		}
		if at[i]-before > apart*length {
			n++
		}
	}
	return n
}
