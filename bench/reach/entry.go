package reach

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/core/kernel/geom"
)

// Outcome is the result of the search for an entry.
type Outcome string

// The outcomes.
const (
	True         Outcome = "true"         // it says that nothing gets there, and nearly nothing does
	Open         Outcome = "open"         // the upper figure is too large and the lower is not
	Contradicted Outcome = "contradicted" // it says so, and something does
	Apart        Outcome = "apart"        // it names another limit
	Gone         Outcome = "gone"         // the replay finds nothing there
	Mixed        Outcome = "mixed"        // it finds much more, of other entries on the same faces
)

// Nearly nothing is less than either.
const (
	nearlyShare  = 0.05
	nearlyVolume = 5 // mm³
)

// unreachable are the reasons that say that nothing gets there.
var unreachable = []string{"out_of_reach", "no_tool_fits", "not_accessible", "undercut", "sharp_corner"}

// otherLimits are words of sentences that name a limit of planning or a kind of tool, though their reason is one of
// unreachable.
var otherLimits = []string{"not planned yet", "No end mill with a corner of", "chamfer mill"}

// SaysUnreachable reports whether an entry says that nothing gets there.
func SaysUnreachable(e *leftover.Entry) bool {
	return slices.Contains(unreachable, e.Reason) &&
		!slices.ContainsFunc(otherLimits, func(w string) bool { return strings.Contains(e.Detail, w) })
}

// IsLarge reports whether an entry is drawn at all.
func IsLarge(e *leftover.Entry) bool {
	const leastHeight = 0.1 // mm
	return (e.Volume > nearlyVolume || e.Height > leastHeight) && e.Reason != "thread_not_stated"
}

// Way is the share that a tool reaches from a direction. A point counts for each direction, with one tool.
type Way struct {
	Tool      string  `json:"tool"`
	Direction string  `json:"direction"` // in the frame of the part that is asked
	Planned   bool    `json:"planned"`   // a setup has the direction
	Share     float64 `json:"share"`
}

// Row is what can be got at of an entry. Shares are of Left.
type Row struct {
	Part    string  `json:"part"`
	Entry   int     `json:"entry"` // number in the account
	Reason  string  `json:"reason"`
	Detail  string  `json:"detail"`
	Volume  float64 `json:"volume"` // mm³, that the account says
	Height  float64 `json:"height"` // mm, too
	Left    float64 `json:"left"`   // mm³, by the replay
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Clear   float64 `json:"clear"`   // with the gap about what is wider than the flutes
	Planned float64 `json:"planned"` // by tools from directions of the setups, within Lower
	By      []Way   `json:"by"`      // the largest first
	Outcome Outcome `json:"outcome"`
}

// Judge asks for points of an entry. Setups are the directions, in part coordinates, that a program has setups for.
func Judge(q *Query, e *leftover.Entry, s *Sample, points int, along []geom.Vec3) Row {
	setups := q.Part.along(along)
	out := Row{Reason: e.Reason, Detail: e.Detail, Volume: e.Volume, Height: e.Height, Left: s.Volume, By: []Way{}}
	all := s.Points(points)
	share := 1 / float64(max(len(all), 1))
	for _, p := range all {
		a := q.Ask(p)
		if a.Upper {
			out.Upper += share
		}
		if a.Lower {
			out.Lower += share
		}
		if a.Clear {
			out.Clear += share
		}
		if a.Lower && slices.ContainsFunc(a.By, func(b By) bool { return setups[b.Direction] }) {
			out.Planned += share
		}
		for _, b := range a.By {
			out.add(Way{q.Tools[b.Tool].Name, directions[b.Direction], setups[b.Direction], share})
		}
	}
	slices.SortStableFunc(out.By, func(a, b Way) int { return cmp.Compare(b.Share, a.Share) })
	out.Outcome = out.outcome(SaysUnreachable(e))
	return out
}

func (r *Row) add(w Way) {
	for i := range r.By {
		if b := &r.By[i]; b.Tool == w.Tool && b.Direction == w.Direction {
			b.Share += w.Share
			return
		}
	}
	r.By = append(r.By, w)
}

func (r *Row) outcome(says bool) Outcome {
	nearlyNothing := func(share float64) bool { return share < nearlyShare || share*r.Left < nearlyVolume }
	switch {
	case r.Left == 0:
		return Gone
	case r.Left > 2*r.Volume+nearlyVolume:
		return Mixed
	case !says:
		return Apart
	case nearlyNothing(r.Upper):
		return True
	case nearlyNothing(r.Lower):
		return Open
	}
	return Contradicted
}

// Owner returns the entry that a grain belongs to, −1 if there is none. Among the entries that name one of its faces
// and state material of its height, it takes the one whose highest point is nearest.
func Owner(list []leftover.Entry, g *leftover.Grain) int {
	const slack = 0.1 // mm, of heights
	best, bestIsHigh := -1, false
	mid := g.From.Lerp(g.To, 0.5)
	for i := range list {
		if !slices.ContainsFunc(g.Faces, func(f int) bool { return slices.Contains(list[i].Regions, f) }) {
			continue
		}
		isHigh := list[i].Height+slack >= g.Height
		nearer := best < 0 || list[i].At.Dist(mid) < list[best].At.Dist(mid)
		if best < 0 || isHigh && !bestIsHigh || isHigh == bestIsHigh && nearer {
			best, bestIsHigh = i, isHigh
		}
	}
	return best
}

// Sample holds material, thinned evenly by volume where it is much.
type Sample struct {
	Volume float64 // mm³
	random *rand.Rand
	grains []leftover.Grain
	least  float64 // mm³, that a grain stands for
}

// NewSample begins without material.
func NewSample(seed uint64) *Sample {
	return &Sample{random: rand.New(rand.NewPCG(seed, 0))}
}

// Add adds a grain.
func (s *Sample) Add(g leftover.Grain) {
	const most = 100_000
	s.Volume += g.Volume
	s.keep(g)
	if len(s.grains) <= most {
		return
	}
	sum := 0.0
	for i := range s.grains {
		sum += s.grains[i].Volume
	}
	s.least = 2 * sum / most
	list := s.grains
	s.grains = nil
	for _, g := range list {
		s.keep(g)
	}
}

// keep keeps a grain, or one of several that are small.
func (s *Sample) keep(g leftover.Grain) {
	if g.Volume < s.least {
		if s.random.Float64()*s.least >= g.Volume {
			return
		}
		g.Volume = s.least
	}
	s.grains = append(s.grains, g)
}

// Points are places in the material, evenly by volume.
func (s *Sample) Points(n int) (out []geom.Vec3) {
	sum := 0.0
	for i := range s.grains {
		sum += s.grains[i].Volume
	}
	step := sum / float64(n)
	at := step * s.random.Float64()
	for i := range s.grains {
		g := &s.grains[i]
		for ; at < g.Volume; at += step {
			out = append(out, g.From.Lerp(g.To, s.random.Float64()))
		}
		at -= g.Volume
	}
	return out
}
