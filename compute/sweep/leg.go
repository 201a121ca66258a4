package sweep

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// leg is a piece of a move that moves a tool along a line, or along an arc or helix of at most half a turn, in the tool
// frame.
type leg struct {
	move     int32 // the move it belongs to
	arc      bool
	from, to geom.Vec3 // mm
	center   geom.Vec3 // mm, of an arc, at the height of from
	angle    float64   // rad, of an arc, signed
}

// maxLegs bounds the memory of a call: this many legs of one move are more than any machine ever ran.
const maxLegs = 1 << 24

// appendLegs divides a move into legs: arcs and helices into halves, or into chords if curved is false.
func appendLegs(legs []leg, m *motion.Segment, move int32, curved bool) ([]leg, error) {
	if m.Turn == 0 {
		return append(legs, leg{move: move, from: m.From, to: m.To}), nil
	}
	turn, radius := math.Abs(m.Turn), math.Hypot(m.From.X-m.Center.X, m.From.Y-m.Center.Y)
	curved = curved && (m.From.Z == m.To.Z || radius > Chord)
	n := int(math.Ceil(turn / math.Pi))
	if !curved {
		n = chords(radius, turn)
	}
	if n > maxLegs {
		return nil, fmt.Errorf("sweep: move %d turns by %g rad, more than can be divided into chords", move, m.Turn)
	}
	from := m.From
	for i := 1; i <= n; i++ {
		to := m.At(float64(i) / float64(n))
		legs = append(legs, leg{
			move: move, arc: curved, from: from, to: to,
			center: geom.Vec3{X: m.Center.X, Y: m.Center.Y, Z: from.Z}, angle: m.Turn / float64(n),
		})
		from = to
	}
	return legs, nil
}

// box bounds the tip on the leg: the ends, and of an arc where it turns back along an axis.
func (l *leg) box() geom.Box {
	box := geom.BoxOf(l.from, l.to)
	if !l.arc {
		return box
	}
	from, to := l.from.Sub(l.center), l.to.Sub(l.center)
	r, sense := math.Hypot(from.X, from.Y), math.Copysign(1, l.angle)
	for _, u := range [4]geom.Vec3{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		if sense*(from.X*u.Y-from.Y*u.X) >= 0 && sense*(u.X*to.Y-u.Y*to.X) >= 0 {
			box = box.Add(l.center.AddScaled(r, u))
		}
	}
	return box
}

// How rays lie to the tool's axis.
const (
	along = iota
	across
	slanted
)

// rayView is a bundle of rays with the tool seen along them. Ray coordinates are mm from the lattice's origin:
// first along the rays, then along the lower and along the higher of the axes across.
type rayView struct {
	bundle, b, c int
	lattice      dexel.Lattice
	frame        geom.Frame // of the tool
	top          float64    // mm, of the lattice in it
	kind         int
	up           float64    // of rays along: 1 where they point from tip to spindle, else -1
	axis         [2]float64 // of rays across: the tool's axis in the other two coordinates

	// Of slanted rays, in the tool's axes: their direction, the corner of the lattice (mm), and the axes across.
	dir, origin, right, over [3]float64
}

// parallel is the sine of the angle to the tool's axis up to which rays count as parallel to it, and likewise as
// perpendicular. Over a meter that is a thousandth of a micrometer. The oblique method would be less exact at smaller
// angles.
const parallel = 1e-9

func newView(in *Input, bundle int) rayView {
	v := rayView{bundle: bundle, lattice: in.Stock.Lattice, frame: in.Frame}
	v.top = topOf(&v.lattice, &v.frame)
	v.b, v.c = dexel.Side(bundle)
	d := in.Frame.LocalDir(unit(bundle))
	v.dir = array(d)
	switch {
	case math.Hypot(d.X, d.Y) <= parallel:
		v.kind, v.up = along, math.Copysign(1, d.Z)
	case math.Abs(d.Z) <= parallel:
		v.kind = across
		z := array(in.Frame.Z)
		n := math.Hypot(z[v.b], z[v.c])
		v.axis = [2]float64{z[v.b] / n, z[v.c] / n}
		for k := range v.axis {
			if math.Abs(v.axis[k]) <= parallel {
				v.axis[k], v.axis[1-k] = 0, math.Copysign(1, v.axis[1-k])
			}
		}
	default:
		v.kind = slanted
		v.origin = array(in.Frame.Local(v.lattice.Origin))
		v.right, v.over = array(in.Frame.LocalDir(unit(v.b))), array(in.Frame.LocalDir(unit(v.c)))
	}
	return v
}

func unit(axis int) geom.Vec3 {
	var e [3]float64
	e[axis] = 1
	return geom.Vec3{X: e[0], Y: e[1], Z: e[2]}
}

func array(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// dirOf maps a direction of the tool frame to ray coordinates.
func (v *rayView) dirOf(d geom.Vec3) [3]float64 {
	x := array(v.frame.Dir(d))
	return [3]float64{x[v.bundle], x[v.b], x[v.c]}
}

// pointOf maps a point of the tool frame to ray coordinates.
func (v *rayView) pointOf(p geom.Vec3) [3]float64 {
	x := array(v.frame.Point(p).Sub(v.lattice.Origin))
	return [3]float64{x[v.bundle], x[v.b], x[v.c]}
}

// turned maps ray coordinates so that the last one is parallel to the tool's axis for rays across it, or the first one
// for rays along it.
func (v *rayView) turned(x [3]float64) [3]float64 {
	switch v.kind {
	case along:
		x[0] *= v.up
	case across:
		x[1], x[2] = v.turn(x[1], x[2])
	}
	return x
}

// turn maps the coordinates across the rays to coordinates across and along the tool.
func (v *rayView) turn(p, q float64) (y, z float64) {
	return p*v.axis[1] - q*v.axis[0], p*v.axis[0] + q*v.axis[1]
}

// action is a leg in the coordinates of a view's rays.
type action struct {
	move     int32
	part     int32 // of the tool
	curved   bool
	space              // of the swept volume and of the tip
	straight axialMove // along
	slide    crossMove // across; along: path of the axis across the rays, for the range of a row
	arc      arc       // along and across
	slant    *slant    // of slanted rays
}

// slant is a leg in the coordinates of oblique rays.
type slant struct {
	start    [3]float64   // mm, tool frame
	by       [3]float64   // mm, the move
	top      float64      // mm, relevant height of the tool
	outlines [4]crossMove // area of the widest disc across the rays, for the range of a row
}

// newAction prepares a leg for a part of the tool.
func (v *rayView) newAction(l *leg, p *part) action {
	a := action{move: l.move, curved: l.arc}
	a.space = v.space(l, p)
	from, to := v.turned(v.pointOf(l.from)), v.turned(v.pointOf(l.to))
	switch {
	case l.arc:
		a.arc = v.newArc(l)
	case v.kind == along:
		a.straight = newStraight(from, to)
		a.straight.roof = max(v.up, 0) * float64(v.lattice.Count[v.bundle]) * v.lattice.Step
		a.slide = flat(from, to)
	case v.kind == across:
		a.slide = newSlide(from, to)
	default:
		lift := geom.Vec3{Z: v.reach(l, p.high)}
		above, beyond := v.pointOf(l.from.Add(lift)), v.pointOf(l.to.Add(lift))
		a.slant = &slant{
			start: array(l.from), by: array(l.to.Sub(l.from)), top: lift.Z,
			outlines: [4]crossMove{flat(from, to), flat(above, beyond), flat(from, above), flat(to, beyond)},
		}
	}
	return a
}

// newArc prepares an arc or a helix. Its swept volume does not depend on the sense, so a helix is prepared as falling.
func (v *rayView) newArc(l *leg) arc {
	d, angle, rise := l.from.Sub(l.center), l.angle, l.to.Z-l.from.Z
	d.Z = 0
	center := l.center
	if rise > 0 {
		sin, cos := math.Sincos(angle)
		d.X, d.Y = cos*d.X-sin*d.Y, sin*d.X+cos*d.Y
		center.Z, angle, rise = l.to.Z, -angle, -rise
	}
	ahead := geom.Vec3{X: -d.Y, Y: d.X}
	if angle < 0 {
		ahead = ahead.Neg()
	}
	c, x, y := v.turned(v.pointOf(center)), v.turned(v.dirOf(d)), v.turned(v.dirOf(ahead))
	if v.kind == along {
		return newArc(c, [2]float64{x[1], x[2]}, [2]float64{y[1], y[2]}, math.Abs(angle), rise)
	}
	// In the plane of the ray and the direction perpendicular to both the ray and the tool.
	return newArc([3]float64{c[2], c[0], c[1]}, [2]float64{x[0], x[1]}, [2]float64{y[0], y[1]}, math.Abs(angle), rise)
}

// square reports whether rays are across the tool, and their columns or rows lie along it.
func (v *rayView) square() bool { return v.kind == across && (v.axis[0] == 0 || v.axis[1] == 0) }

// flat is a line across the rays.
func flat(from, to [3]float64) crossMove {
	return newSlide([3]float64{from[1], from[2]}, [3]float64{to[1], to[2]})
}

// reach returns the length of the tool, from its tip, that can be within the lattice on a leg.
func (v *rayView) reach(l *leg, height float64) float64 {
	return min(max(v.top-min(l.from.Z, l.to.Z), 0), height)
}

// topOf returns the greatest height of a lattice in a frame.
func topOf(l *dexel.Lattice, f *geom.Frame) float64 {
	box := l.Box()
	mid, half := f.Local(box.Min.Lerp(box.Max, 0.5)), box.Max.Sub(box.Min).Scale(0.5)
	return mid.Z + math.Abs(f.Z.X)*half.X + math.Abs(f.Z.Y)*half.Y + math.Abs(f.Z.Z)*half.Z
}

// space bounds a leg of a part of the tool.
func (v *rayView) space(l *leg, p *part) space {
	tip := l.box()
	swept := geom.Box{
		Min: tip.Min.Add(geom.Vec3{X: -p.radius, Y: -p.radius, Z: p.low}),
		Max: tip.Max.Add(geom.Vec3{X: p.radius, Y: p.radius, Z: v.reach(l, p.high)}),
	}
	return space{swept: v.boxOf(swept), tip: v.boxOf(tip)}
}

// boxOf bounds a box of the tool frame in ray coordinates.
func (v *rayView) boxOf(b geom.Box) (out box) {
	mid := v.pointOf(b.Min.Lerp(b.Max, 0.5))
	half := b.Max.Sub(b.Min).Scale(0.5)
	x, y, z := v.dirOf(geom.Vec3{X: half.X}), v.dirOf(geom.Vec3{Y: half.Y}), v.dirOf(geom.Vec3{Z: half.Z})
	for k := range 3 {
		w := math.Abs(x[k]) + math.Abs(y[k]) + math.Abs(z[k])
		out.lo[k], out.hi[k] = mid[k]-w, mid[k]+w
	}
	return out
}
