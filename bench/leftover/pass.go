package leftover

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/geom"
)

// point is a place or a direction in the frame of the first setup, or in that of a setup.
type point [3]float64

func of(p geom.Vec3) point { return point{p.X, p.Y, p.Z} }

// box is an axis-aligned box.
type box struct{ min, max point }

func (b box) overlaps(o box) bool {
	for k := range 3 {
		if b.min[k] > o.max[k] || b.max[k] < o.min[k] {
			return false
		}
	}
	return true
}

// view maps the frame of the first setup to that of another. Its axes are those of the first, reordered or
// reversed: local[a] = sign[a]·(p[axis[a]] − origin[axis[a]]).
type view struct {
	axis   [3]int
	sign   [3]float64
	origin point
}

func viewOf(first geom.Frame, s *replay.Setup) (v view, err error) {
	const askew = 1e-6 // of the components of a direction
	f := frame(s)
	v.origin = of(first.Local(f.Origin))
	for a, d := range []geom.Vec3{f.X, f.Y, f.Z} {
		found := false
		for k, c := range of(first.LocalDir(d)) {
			if math.Abs(math.Abs(c)-1) < askew {
				v.axis[a], v.sign[a], found = k, math.Copysign(1, c), true
			}
		}
		if !found {
			return v, errors.New("an axis is not along an axis of the first setup; this replay cannot play it")
		}
	}
	return v, nil
}

func frame(s *replay.Setup) geom.Frame { return geom.NewFrame(s.Origin, s.Z, s.X) }

// local returns the coordinate of the setup's axis a from the coordinate of the first setup on the same line.
func (v *view) local(a int, w float64) float64 { return v.sign[a] * (w - v.origin[v.axis[a]]) }

// outer is the inverse of local.
func (v *view) outer(a int, l float64) float64 { return v.sign[a]*l + v.origin[v.axis[a]] }

// pass is one level or vertical cutting move of a tool, in the frame of its setup.
type pass struct {
	view             *view
	tool             *replay.Tool
	radius           float64
	from, to, center geom.Vec2
	turn             float64 // rad, of an arc
	lo, hi           float64 // of the tip
	box              box     // of the removed material, in the frame of the first setup
}

// rise (mm) is the largest height of a piece of a climbing move that is played as level.
const rise = 0.02

// passes splits the cutting moves of a program into level and vertical ones.
func passes(p *replay.Program) (out []pass, err error) {
	first := frame(&p.Setups[0])
	for i := range p.Setups {
		s := &p.Setups[i]
		v, err := viewOf(first, s)
		if err != nil {
			return nil, fmt.Errorf("setup %d: %w", i+1, err)
		}
		at, known, loaded := geom.Vec3{}, false, -1
		for _, m := range s.Moves {
			if m.Tool == 0 {
				continue
			}
			if m.Tool != loaded {
				loaded, known = m.Tool, false
			}
			tool, ok := p.Tools[m.Tool]
			if !ok {
				return nil, fmt.Errorf("setup %d: there is no tool %d", i+1, m.Tool)
			}
			if known && !m.Unknown && !m.Rapid {
				radius := tool.Cutting[len(tool.Cutting)-1].Radius
				out = split(out, at, m, pass{view: &v, tool: &tool, radius: radius})
			}
			at, known = m.To, !m.Unknown
		}
	}
	return out, nil
}

// split adds the passes of one move.
func split(out []pass, at geom.Vec3, m replay.Move, p pass) []pass {
	from, to := flat(at), flat(m.To)
	climb := m.To.Z - at.Z
	vertical := m.Turn == 0 && from.Dist(to) < 1e-9
	n := 1
	if !vertical {
		n = max(int(math.Ceil(math.Abs(climb)/rise)), 1)
	}
	for i := range n {
		q := p
		s, e := float64(i)/float64(n), float64(i+1)/float64(n)
		q.from, q.to = along(from, m, s), along(from, m, e)
		q.center, q.turn = m.Center, m.Turn/float64(n)
		q.lo, q.hi = at.Z, m.To.Z
		if !vertical {
			q.lo = at.Z + climb*(s+e)/2
			q.hi = q.lo
		}
		q.lo, q.hi = min(q.lo, q.hi), max(q.lo, q.hi)
		q.bound()
		out = append(out, q)
	}
	return out
}

// along is the place on a move after a share of its length.
func along(from geom.Vec2, m replay.Move, t float64) geom.Vec2 {
	if m.Turn == 0 {
		return from.Lerp(flat(m.To), t)
	}
	sin, cos := math.Sincos(m.Turn * t)
	d := from.Sub(m.Center)
	return m.Center.Add(geom.Vec2{X: d.X*cos - d.Y*sin, Y: d.X*sin + d.Y*cos})
}

// bound sets the box of a pass.
func (p *pass) bound() {
	lo := geom.Vec2{X: min(p.from.X, p.to.X), Y: min(p.from.Y, p.to.Y)}
	hi := geom.Vec2{X: max(p.from.X, p.to.X), Y: max(p.from.Y, p.to.Y)}
	if p.turn != 0 {
		const onArc = 1e-6 // mm
		r := p.from.Dist(p.center)
		for _, d := range []geom.Vec2{{X: r}, {X: -r}, {Y: r}, {Y: -r}} {
			if q := p.center.Add(d); p.distance(q) < onArc {
				lo = geom.Vec2{X: min(lo.X, q.X), Y: min(lo.Y, q.Y)}
				hi = geom.Vec2{X: max(hi.X, q.X), Y: max(hi.Y, q.Y)}
			}
		}
	}
	local := box{
		point{lo.X - p.radius, lo.Y - p.radius, p.lo}, point{hi.X + p.radius, hi.Y + p.radius, p.hi + p.tool.Flute},
	}
	for a := range 3 {
		u, v := p.view.outer(a, local.min[a]), p.view.outer(a, local.max[a])
		p.box.min[p.view.axis[a]], p.box.max[p.view.axis[a]] = min(u, v), max(u, v)
	}
}

func flat(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }
