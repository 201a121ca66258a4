package access

import (
	"math"

	"millwright/core/machining/profile"
)

const (
	// fine (mm) is how far a step of the cutting zone may stand out of it, across.
	fine = 0.05
	// coarse (mm) is the same for what must only keep clear.
	coarse = 2.0
)

// step is a disc that the tool fills, or more: nothing of what it stands for is lower or wider.
type step struct{ radius, height float64 } // mm; the height is above the tip

// Steps are the discs that the underside of a tool in its holder is made of, from the tip upwards, each wider than the
// one below it.
type steps struct {
	cutting []step
	body    []step // of neck, shank and holder
}

// newSteps cuts an assembly into discs.
func newSteps(a *profile.Assembly) steps {
	var s steps
	for i, k := range a.Outline {
		list, wide := &s.cutting, fine
		if a.Zones[i] != profile.Cutting {
			list, wide = &s.body, coarse
		}
		if k.From.Y == k.To.Y {
			continue // the next segment begins with it
		}
		n := 1 + int(math.Abs(k.To.X-k.From.X)/wide)
		if _, isArc := k.Center(); isArc {
			n = 1 + int((math.Abs(k.To.X-k.From.X)+k.To.Y-k.From.Y)/wide)
		}
		for j := range n {
			x0, y0 := along(k, float64(j)/float64(n))
			x1, _ := along(k, float64(j+1)/float64(n))
			*list = append(*list, step{max(x0, x1), y0})
		}
	}
	s.cutting, s.body = widening(s.cutting), widening(s.body)
	return s
}

// along returns the point of a segment at a share of the way.
func along(k profile.Segment, t float64) (x, y float64) {
	c, isArc := k.Center()
	if !isArc {
		p := k.From.Lerp(k.To, t)
		return p.X, p.Y
	}
	from, to := k.From.Sub(c), k.To.Sub(c)
	turn := math.Atan2(from.Cross(to), from.Dot(to))
	sin, cos := math.Sincos(t * turn)
	p := c.Add(from.Scale(cos)).Add(perp(from).Scale(sin))
	return p.X, p.Y
}

// widening keeps the steps that are wider than all below them.
func widening(list []step) []step {
	var kept []step
	widest := 0.0
	for _, s := range list { // outlines never fall
		if s.radius > widest {
			widest = s.radius
			kept = append(kept, s)
		}
	}
	return kept
}
