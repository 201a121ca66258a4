package planning

// Threads, and what is below a hole.

import (
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// thread cuts the thread of the hole, or notes why not.
func (s *stack) thread(b *bore) []step {
	th, p := s.facts.Thread, s.p
	if th == nil || th.Confidence == feature.ThreadPossible { // as likely a plain hole
		return nil
	}
	note := func(r *rejection) []step {
		s.keeps(b.patches, r)
		return nil
	}
	if th.Source == feature.ThreadInferred && !p.in.Config.TapInferredThreads {
		return note(refuse(completeness.ThreadNotStated,
			"The hole is made; its diameter of %.4g mm suggests %s, which the file does not state.",
			round(s.facts.Diameter), th.Designation).
			with("State the thread in the file, or switch on tapInferredThreads in the cut config."))
	}
	if strings.HasSuffix(th.Designation, "-LH") || strings.Contains(th.Designation, "xPh") {
		return note(refuse(completeness.NoToolFits,
			"The hole is made; %s is left-handed or has several starts, which no tap here cuts.", th.Designation).
			with("Cut the thread %s by hand.", th.Designation))
	}
	nominal := metric(th.Designation)
	low := max(s.top-th.Depth, b.z.Lo)
	if !s.closed && low <= b.z.Lo+p.tol() {
		low = b.z.Lo - breakthrough
	}
	list := p.choose(func(t *tool) bool {
		return math.Abs(t.Diameter-nominal) <= thinner && math.Abs(*t.Pitch-th.Pitch) <= p.tol() &&
			s.reaches(t, b.radius, low)
	}, machining.TapRightHand)
	if len(list) > 0 {
		return []step{{phase: threading, strategy: Tap, purpose: cutting.Tapping, tool: list[0],
			top: s.top, bottom: low,
			diameter: nominal, notes: []string{th.Designation}}}
	}
	list = p.choose(func(t *tool) bool {
		return t.Diameter <= boreShare*2*b.radius && math.Abs(*t.Pitch-th.Pitch) <= p.tol() &&
			s.reaches(t, b.radius, low)
	}, machining.ThreadMill)
	if len(list) > 0 && nominal > 0 {
		return []step{{phase: threading, strategy: ThreadMill, purpose: cutting.ThreadMilled, tool: list[0], top: s.top,
			bottom:   low,
			diameter: nominal, notes: []string{th.Designation}}}
	}
	return note(refuse(completeness.NoToolFits, "The hole is made; no tap or thread mill for %s reaches %.4g mm deep.",
		th.Designation, round(th.Depth)).
		with("A tap or a thread mill for %s that reaches %.4g mm deep.", th.Designation, round(th.Depth)))
}

// keeps names the material that stays in a hole, once, for any side from which it is made.
func (s *stack) keeps(patches []int32, r *rejection) {
	s.extra = append(s.extra, r.of(s.id, s.p.faces(patches)))
}

// metric returns the diameter of a metric thread such as M6x1, mm; 0 for others.
func metric(designation string) float64 {
	rest, ok := strings.CutPrefix(designation, "M")
	if !ok {
		return 0
	}
	rest, _, _ = strings.Cut(strings.ReplaceAll(rest, "×", "x"), "x")
	d, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
	if err != nil {
		return 0
	}
	return d
}

// clearanceBelow returns the distance of material below the end of a hole, mm, over its section from a point on its
// axis (part frame).
func (p *planner) clearanceBelow(s side, axis geom.Vec3, radius, z float64) float64 {
	dir := s.dir(p.frame)
	f := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
	c := f.LocalDir(axis)
	const inside = 0.9 // of the radius: clear of the wall itself
	rays := []geom.Vec2{{X: c.X, Y: c.Y}}
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		rays = append(rays, geom.Vec2{X: c.X + inside*radius*cos, Y: c.Y + inside*radius*sin})
	}
	room := math.Inf(1)
	for q := range p.g.Patches {
		if s.span(p.boxes[q]).Lo > z {
			continue
		}
		p.g.EachTriangle(int32(q), func(a, b, e geom.Vec3) bool {
			a, b, e = f.LocalDir(a), f.LocalDir(b), f.LocalDir(e)
			for _, r := range rays {
				if h, ok := pierce(a, b, e, r); ok && h < z-p.tol() {
					room = min(room, z-h)
				}
			}
			return true
		})
	}
	return room
}

// pierce returns the height at which an upright line goes through a triangle.
func pierce(a, b, c geom.Vec3, at geom.Vec2) (float64, bool) {
	cross := func(p, q geom.Vec3) float64 { return (p.X-at.X)*(q.Y-at.Y) - (p.Y-at.Y)*(q.X-at.X) }
	u, v, w := cross(b, c), cross(c, a), cross(a, b)
	if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) || u+v+w == 0 {
		return 0, false
	}
	return (u*a.Z + v*b.Z + w*c.Z) / (u + v + w), true
}
