package verify

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// lengths (mm) are the lengths of the ranges of a path tested as a whole, the longest first.
var lengths = []float64{16, 2}

// tool is a tool with the derived data of the checks.
type tool struct {
	assembly toolprofile.Assembly
	swept    toolprofile.Assembly  // the assembly, its body as much thinner than the flutes as ways are rounded
	cutting  toolprofile.Profile   // the outline of the cutting zone
	toShank  toolprofile.Profile   // of all but the holder
	under    toolprofile.Underside // of the cutting zone
	radius   float64               // mm, of the cutting zone
	thread   float64               // mm, depth of its thread in the wall of the modeled hole
	undercut bool                  // wider below than above: it may go where nothing comes from above
	spacing  float64               // mm, between places where the tool is dropped
}

// threadDepth is the depth of an internal thread of ISO 68-1, as a share of its pitch: 5/8 of its triangle.
const threadDepth = 0.5413

func newTool(p *planning.Tool, tolerance float64) *tool {
	t := &tool{assembly: p.Tool.Assembly()}
	for i, k := range t.assembly.Outline {
		if t.assembly.Zones[i] == toolprofile.Cutting {
			t.cutting = append(t.cutting, k)
		}
		if t.assembly.Zones[i] != toolprofile.Holder {
			t.toShank = append(t.toShank, k)
		}
	}
	t.under, t.radius = t.cutting.Underside(), t.cutting.MaxRadius()
	t.swept = thinned(&t.assembly, t.radius)
	if p.Tool.Kind.Threading() && p.Tool.Pitch != nil {
		t.thread = threadDepth * *p.Tool.Pitch
	}
	switch p.Tool.Kind {
	case machining.DovetailMill, machining.SlotMill, machining.Lollipop:
		t.undercut = true
	}
	// Between two points s apart a cut deviates from the cut of a disc of radius R by s²/8R: half of the tolerance.
	t.spacing = 2 * math.Sqrt(t.radius*tolerance)
	return t
}

// graze (mm) is the depth by which a body as wide as the flutes may exceed their cut on the same path at another level:
// both are rounded, to half the printed resolution along each axis.
const graze = 1.5 * motion.Resolution

// thinned returns an assembly whose body is thinner than its flutes where it is as wide, up to graze. A ray in the film
// between two rounded paths would otherwise count for its whole neighborhood.
func thinned(a *toolprofile.Assembly, radius float64) toolprofile.Assembly {
	thin := func(p geom.Vec2) geom.Vec2 {
		if math.Abs(p.X-radius) < graze {
			p.X = radius - graze
		}
		return p
	}
	out := toolprofile.Assembly{Stickout: a.Stickout}
	for i, k := range a.Outline {
		if a.Zones[i] != toolprofile.Cutting {
			from := thin(k.From)
			if n := len(out.Outline); n > 0 {
				out.Line(from.X, from.Y, a.Zones[i]) // in from the flutes
			}
			if k.From, k.To = from, thin(k.To); k.From == k.To {
				continue
			}
		}
		out.Outline, out.Zones = append(out.Outline, k), append(out.Zones, a.Zones[i])
	}
	return out
}

// area returns the shadow (mm²) of a zone of the tool from the side and from below, at most.
func (t *tool) area(zone toolprofile.Zone) float64 {
	radius, low, high := 0.0, math.Inf(1), 0.0
	for i, k := range t.assembly.Outline {
		if t.assembly.Zones[i] == zone {
			radius = max(radius, k.From.X, k.To.X)
			low, high = min(low, k.From.Y), max(high, k.To.Y)
		}
	}
	return 2*radius*max(high-low, 0) + math.Pi*radius*radius
}

// widest returns the greatest radius of the tool between two heights above its tip, or 0 if it has no body there.
func (t *tool) widest(lo, hi float64) (r float64) {
	for _, k := range t.assembly.Outline {
		a, b := max(lo, k.From.Y), min(hi, k.To.Y)
		if a > b {
			continue
		}
		c, arc := k.Center()
		switch {
		case !arc && k.To.Y == k.From.Y:
			r = max(r, k.From.X, k.To.X)
		case !arc:
			along := func(y float64) float64 {
				return k.From.X + (k.To.X-k.From.X)*(y-k.From.Y)/(k.To.Y-k.From.Y)
			}
			r = max(r, along(a), along(b))
		default:
			across := func(y float64) float64 {
				half := math.Sqrt(max(k.Radius*k.Radius-(y-c.Y)*(y-c.Y), 0))
				return c.X + math.Copysign(half, k.Radius)
			}
			r = max(r, across(a), across(b))
			if k.Radius > 0 {
				r = max(r, across(min(max(c.Y, a), b)))
			}
		}
	}
	return r
}

// moved returns an outline whose points lie d mm farther from the axis (nearer for a negative d), and the rise of its
// lowest point above the tip; the outline is empty if no material is left.
func moved(p toolprofile.Profile, d float64) (out toolprofile.Profile, rise float64) {
	if d > 0 {
		out = append(out, toolprofile.Segment{To: geom.Vec2{X: d}})
	}
	for _, k := range p {
		c, arc := k.Center()
		k.From.X, k.To.X, c.X = k.From.X+d, k.To.X+d, c.X+d
		if k.From.X <= 0 && k.To.X <= 0 {
			continue
		}
		if k.From.X < 0 { // the axis cuts it
			if arc {
				k.From.Y = c.Y - math.Copysign(math.Sqrt(max(k.Radius*k.Radius-c.X*c.X, 0)), k.Radius)
			} else {
				k.From.Y -= k.From.X * (k.To.Y - k.From.Y) / (k.To.X - k.From.X)
			}
			k.From.X = 0
		}
		k.To.X = max(k.To.X, 0)
		out = append(out, k)
	}
	if len(out) == 0 {
		return nil, 0
	}
	rise = out[0].From.Y
	for i := range out {
		out[i].From.Y -= rise
		out[i].To.Y -= rise
	}
	return out, rise
}
