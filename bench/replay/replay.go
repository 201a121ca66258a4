// Package replay replays programs as an independent check of the product's verification. It reads the moves that
// LinuxCNC's interpreter derives from the g-code, and removes material from separate columns. It shares no code with
// the packages that create, print or verify motion.
//
// # Method
//
// The stock is a square grid of columns along the axis of a setup, each a list of stretches of material. A level line
// or arc is drawn at once: each column whose distance to the path is less than a radius of the tool loses the material
// between the heights of the tool there. Moves that climb are drawn as points, a grid step apart at most. For a setup
// along another axis the columns are sampled again, which costs up to a step at their ends; along the same axis, in
// either sense, there is no loss.
//
// The part is columns of its mesh. A gouge is reported for a tool that is smaller by Tolerance on all sides, so a gouge
// less deep than that is not detected. The part's columns are scattered over their cells, so that not all along a wall
// miss a gouge narrower than a step.
//
// Engage is another replay, of the same moves: it measures how the tools engage the material (engage.go).
package replay

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Program is the input of a machine, in terms independent of the product's.
type Program struct {
	Stock geom.Box // in the frame of the first setup
	// IsStock reports whether a point of the box, in part coordinates, is in the stock; nil: all are. Only Engage asks.
	IsStock func(geom.Vec3) bool
	Tools   map[int]Tool
	Setups  []Setup

	Workpiece geom.Frame // along whose axes setups are, in part coordinates; of no use to the replay
}

// Setup is one clamping of the part.
type Setup struct {
	Origin, Z, X geom.Vec3  // of its frame, in part coordinates
	Jaws         []geom.Box // in its frame
	Moves        []Move
}

// Move is one canonical move of the interpreter.
type Move struct {
	Tool      int
	Operation int // the number in the last comment that begins an operation, from 1; 0: before the first
	Rapid     bool
	To        geom.Vec3
	Center    geom.Vec2 // of an arc
	Turn      float64   // rad, counter-clockwise positive; 0: a line
	Feed      float64   // mm/min; 0: a rapid, or not known
	Unknown   bool      // where it comes from is not known: after a tool change
}

// Options say how finely it is looked.
type Options struct {
	Step      float64 // mm between columns
	Tolerance float64 // mm, of gouges
}

// Findings is what went wrong, and what came out.
type Findings struct {
	Gouge    float64 // mm along the axis of the setup, the deepest
	Gouges   int     // moves
	Rapids   int     // moves that meet material at rapid speed
	Shanks   int     // moves at which neck, shank or holder meet material
	Fixtures int     // moves at which anything meets jaws
	Uncut    float64 // mm³ that is left beyond the part
	Removed  float64 // mm³
	First    string  // the first that went wrong, for people
}

// Sound reports whether nothing touches what it must not.
func (f *Findings) Sound() bool { return f.Gouges+f.Rapids+f.Shanks+f.Fixtures == 0 }

// Run plays a program on a part.
func Run(p *Program, part *mesh.Mesh, o Options) (Findings, error) {
	var out Findings
	if len(p.Setups) == 0 {
		return out, fmt.Errorf("the program has no setups")
	}
	var stock *columns
	var last geom.Frame
	for i := range p.Setups {
		s := &p.Setups[i]
		f := frame(s)
		box := p.Stock
		if i > 0 {
			box = Carried(last, f, stock.box)
		}
		keep := fromMesh(part, f, box, o.Step, true)
		if i == 0 {
			stock = block(box, o.Step)
		} else {
			stock = stock.seen(last, f, box)
		}
		last = f
		run := player{program: p, setup: s, index: i, stock: stock, keep: keep, o: o, out: &out}
		if err := run.play(); err != nil {
			return out, err
		}
		if i == len(p.Setups)-1 {
			out.Uncut = stock.minus(fromMesh(part, f, box, o.Step, false))
		}
	}
	return out, nil
}

func frame(s *Setup) geom.Frame { return geom.NewFrame(s.Origin, s.Z, s.X) }

// Carried is a box of one frame in another whose axes are along its own.
func Carried(from, to geom.Frame, b geom.Box) geom.Box {
	out := geom.EmptyBox()
	for i := range 8 {
		c := b.Min
		if i&1 != 0 {
			c.X = b.Max.X
		}
		if i&2 != 0 {
			c.Y = b.Max.Y
		}
		if i&4 != 0 {
			c.Z = b.Max.Z
		}
		out = out.Add(to.Local(from.Point(c)))
	}
	return out
}

// player plays one setup.
type player struct {
	program     *Program
	setup       *Setup
	index       int
	stock, keep *columns
	o           Options
	out         *Findings

	at    geom.Vec3
	known bool
	tool  int
	body  Tool

	// What the move at hand has met.
	gouge                 float64
	rapid, shank, fixture bool
}

func (r *player) play() error {
	r.tool = -1
	for i, m := range r.setup.Moves {
		if m.Tool == 0 { // nothing in the spindle
			continue
		}
		if m.Tool != r.tool {
			t, ok := r.program.Tools[m.Tool]
			if !ok {
				return fmt.Errorf("setup %d: there is no tool %d", r.index+1, m.Tool)
			}
			r.tool, r.body, r.known = m.Tool, t, false
		}
		if m.Unknown || !r.known {
			r.at, r.known = m.To, !m.Unknown
			continue
		}
		r.gouge, r.rapid, r.shank, r.fixture = 0, false, false, false
		r.move(m)
		r.at = m.To
		r.count(i, m)
	}
	return nil
}

func (r *player) count(i int, m Move) {
	say := func(what string) {
		if r.out.First == "" {
			r.out.First = fmt.Sprintf("setup %d, move %d to %.3f %.3f %.3f with tool %d: %s", r.index+1, i, m.To.X, m.To.Y,
				m.To.Z, m.Tool, what)
		}
	}
	if r.gouge > 0 {
		r.out.Gouges++
		say(fmt.Sprintf("cuts %.3f mm into the part", r.gouge))
		r.out.Gouge = max(r.out.Gouge, r.gouge)
	}
	if r.rapid {
		r.out.Rapids++
		say("meets material at rapid speed")
	}
	if r.shank {
		r.out.Shanks++
		say("the shank or holder meets material")
	}
	if r.fixture {
		r.out.Fixtures++
		say("meets the jaws")
	}
}

// move draws one move: at once where it is level, by points where it climbs.
func (r *player) move(m Move) {
	from, to := r.at, m.To
	length := flat(to).Sub(flat(from)).Norm()
	if m.Turn != 0 {
		length = math.Abs(m.Turn) * flat(to).Sub(m.Center).Norm()
	}
	rise := math.Abs(to.Z - from.Z)
	switch {
	case length < 1e-9: // straight up or down: flutes pass a height before what is behind them does
		n := 1
		if !m.Rapid && r.body.Flute > 0 {
			n = int(math.Ceil(2 * rise / r.body.Flute))
		}
		for i := range n + 1 {
			r.draw(travel{from: flat(to), to: flat(to)}, from.Z+float64(i)/float64(n)*(to.Z-from.Z), m.Rapid)
		}
	case rise < 1e-9:
		r.draw(travelOf(flat(from), m), to.Z, m.Rapid)
		if m.Rapid && m.Turn == 0 { // without linear interpolation of rapids, one axis continues alone
			d := flat(to).Sub(flat(from))
			both := min(math.Abs(d.X), math.Abs(d.Y))
			knee := flat(from).Add(geom.Vec2{X: math.Copysign(both, d.X), Y: math.Copysign(both, d.Y)})
			r.draw(travel{from: flat(from), to: knee}, to.Z, true)
			r.draw(travel{from: knee, to: flat(to)}, to.Z, true)
		}
	default:
		if m.Rapid && min(from.Z, to.Z) < r.stock.box.Max.Z-1e-6 { // down and sideways, by a way that no control tells
			r.rapid = true
		}
		n := int(math.Ceil(max(length, rise) / r.o.Step))
		for i := range n + 1 {
			t := float64(i) / float64(n)
			p := along(flat(from), m, t)
			r.draw(travel{from: p, to: p}, from.Z+t*(to.Z-from.Z), m.Rapid)
		}
	}
}

// along returns the position of a move after a share of its path.
func along(from geom.Vec2, m Move, t float64) geom.Vec2 {
	if m.Turn == 0 {
		return from.Add(flat(m.To).Sub(from).Scale(t))
	}
	sin, cos := math.Sincos(m.Turn * t)
	d := from.Sub(m.Center)
	return m.Center.Add(geom.Vec2{X: d.X*cos - d.Y*sin, Y: d.X*sin + d.Y*cos})
}

// draw takes from the columns what a tool passes on a level way at a height.
func (r *player) draw(w travel, z float64, rapid bool) {
	reach := r.body.radius()
	lo, hi := w.bounds()
	for _, jaw := range r.setup.Jaws {
		if d := w.toBox(jaw); z+r.body.lowest(d) < jaw.Max.Z-1e-6 && d < reach {
			r.fixture = true
		}
	}
	top := float64(r.stock.box.Max.Z)
	if z > top+1e-6 && z > r.keep.top {
		return
	}
	reach = r.body.reach(max(top, r.keep.top) - z) // what is wider is above all
	r.stock.each(lo, hi, reach, func(c int, p geom.Vec2) {
		d := w.distance(p)
		if d >= reach {
			return
		}
		if rapid {
			if u := r.body.lowest(d); r.stock.meets(c, z+u+1e-4, math.Inf(1)) {
				r.rapid = true
				r.stock.cut(c, z+u, math.Inf(1))
			}
			return
		}
		if u := r.body.Cutting.lowest(d); !math.IsInf(u, 1) {
			r.out.Removed += r.stock.cut(c, z+u, z+r.body.top(d)) * r.stock.step * r.stock.step
		}
		if u := r.body.lowestBehind(d); r.stock.meets(c, z+u+1e-4, math.Inf(1)) {
			r.shank = true
		}
	})
	if rapid {
		return
	}
	slack := r.o.Tolerance
	r.keep.each(lo, hi, r.body.Cutting.reach(r.keep.top-z), func(c int, p geom.Vec2) {
		if len(r.keep.of[c]) == 0 {
			return
		}
		d := w.distance(p) + slack
		if u := r.body.Cutting.lowest(d); !math.IsInf(u, 1) {
			r.gouge = max(r.gouge, r.keep.depth(c, z+u+slack, z+r.body.top(d)-slack))
		}
	})
}
