package holding

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// Cutting forces.
//
// Method: Kienzle's law for each piece of each edge, integrated along the edges of a mill and compared over a turn. An
// edge with a helix is spread over an arc behind its tip. Its force is the difference of an integral over the angle,
// tabulated once for a cut. Drills have a closed form: the chip of their lips is equally thick everywhere.

const (
	worn        = 1.3  // force of a worn edge over the force of a sharp one
	radialShare = 0.5  // radial force over the tangential one
	axialShare  = 0.4  // axial force over the tangential one, of edges with a helix
	pull        = 0.3  // of the thrust, upward, as a drill breaks through
	helix       = 30.0 // degrees, of end mills
	usualTip    = 118  // degrees, of drills without a stated angle

	turn     = 2880 // places in the table of a turn
	perPitch = 720  // positions of the mill between two edges
)

// Force is the peak force of a tool on the workpiece, N.
type Force struct {
	Tangential float64 // sum of the edges
	Across     float64 // of the tangential and radial forces, as vectors
	Up         float64
	Down       float64
}

// Mill returns the peak force of a mill of diameter d with z edges (mm, mm per tooth, degrees).
func Mill(kc11, mc, d float64, z int, fz, ap, ae, helixDeg float64) Force {
	if ap <= 0 || ae <= 0 || fz <= 0 || z < 1 {
		return Force{}
	}
	arc := math.Acos(max(-1, 1-2*ae/d))
	at := func(a float64) (v [3]float64) { // tangential force, and its components x and y, per mm of depth
		a = math.Mod(math.Mod(a, 2*math.Pi)+2*math.Pi, 2*math.Pi)
		if a <= 0 || a >= arc {
			return v
		}
		f := worn * kc11 * math.Pow(fz*math.Sin(a), 1-mc)
		sin, cos := math.Sincos(a)
		return [3]float64{f, f * (-cos - radialShare*sin), f * (sin - radialShare*cos)}
	}
	slope := math.Tan(geom.Radians(helixDeg)) / (d / 2) // rad per mm of depth
	var sums [turn + 1][3]float64                       // from angle 0
	for i := range turn {
		v := at((float64(i) + 0.5) * 2 * math.Pi / turn)
		for k := range v {
			sums[i+1][k] = sums[i][k] + v[k]*2*math.Pi/turn
		}
	}
	integral := func(a float64) (v [3]float64) {
		turns := math.Floor(a / (2 * math.Pi))
		x := (a/(2*math.Pi) - turns) * turn
		i := min(int(x), turn-1)
		for k := range v {
			v[k] = turns*sums[turn][k] + sums[i][k] + (x-float64(i))*(sums[i+1][k]-sums[i][k])
		}
		return v
	}
	var out Force
	for r := range perPitch {
		var sum [3]float64
		for edge := range z {
			a := 2 * math.Pi * (float64(r)/perPitch + float64(edge)) / float64(z)
			v := at(a)
			if lag := ap * slope; lag > 1e-9 {
				from, to := integral(a-lag), integral(a)
				for k := range v {
					v[k] = (to[k] - from[k]) / lag
				}
			}
			for k := range sum {
				sum[k] += v[k] * ap
			}
		}
		out.Tangential = max(out.Tangential, sum[0])
		out.Across = max(out.Across, math.Hypot(sum[1], sum[2]))
	}
	if helixDeg > 0 {
		out.Up = axialShare * out.Tangential
	}
	return out
}

// Drill returns the peak force of a drill of diameter d with a feed per turn (mm) and a point angle (degrees).
func Drill(kc11, mc, d, feed, tipDeg float64) Force {
	h := feed / 2 * math.Sin(geom.Radians(tipDeg)/2)
	thrust := worn * kc11 * math.Pow(h, -mc) * d * feed / 4
	return Force{Down: thrust, Up: pull * thrust}
}

// cut is the force of an operation and the height of its middle in the frame of the setup.
type cut struct {
	Force
	height float64
	finish bool
}

// cutOf returns the cut of an operation. Top is the height of the stock.
func cutOf(o *planning.Operation, t *machining.Tool, m *machining.Material, top float64) cut {
	kc, mc := m.SpecificCuttingForce, m.ForceExponent
	out := cut{height: min(o.Top, top)}
	switch o.Strategy {
	case planning.Drill, planning.PeckDrill:
		tip := float64(usualTip)
		if t.TipAngleDeg != nil {
			tip = *t.TipAngleDeg
		}
		out.Force = Drill(kc, mc, t.Diameter, o.Cutting.FeedPerTooth*float64(t.FluteCount), tip)
		return out
	case planning.Ream, planning.Tap, planning.ThreadMill, planning.Chamfer, planning.BreakEdges:
		return out // little
	}
	h := helix
	if t.Kind == machining.FaceMill { // inserts
		h = 0
	}
	ap, ae := o.Cutting.Axial.Value, min(o.Cutting.Radial.Value, t.Diameter)
	if deep := o.Top - o.Bottom; deep > 0 {
		ap = min(ap, deep)
	}
	out.Force = Mill(kc, mc, t.Diameter, t.FluteCount, o.Cutting.FeedPerTooth, ap, ae, h)
	out.height -= ap / 2
	out.finish = o.Floor || o.Strategy == planning.Bore || o.Strategy == planning.Contour && o.LeaveRadial == 0
	return out
}
