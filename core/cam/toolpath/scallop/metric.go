package scallop

import (
	"context"
	"math"

	"millwright.dev/millwright/core/parallel"
)

// The metric of passes. On the tip surface with the fundamental forms
//
//	I = [1+p² pq; pq 1+q²]    II = Hess T / w (positive where it is hollow)
//
// two passes with the offset v in the plane leave a cusp of h·(v·M·v), M = (I/R + II)/(8h). A hollow counts, but
// not a dome: second differences exaggerate domes, and passes that are too far apart show, those too near do not.
//
// A bull nose of the corner r is as round as r up the slope, and as r + (R-r)/sin θ across it. Its hollows count by
// their greatest curvature in all directions.

// curl is the curvature of the tip surface (1/mm, positive: hollow) in the tangent directions up the slope and across.
type curl struct {
	up, mixed, across float64
}

// split returns half of the sum and half of the difference of the principal curvatures, and the angle of the greater.
func (c curl) split() (mean, half, angle float64) {
	return (c.up + c.across) / 2, math.Hypot((c.up-c.across)/2, c.mixed), math.Atan2(2*c.mixed, c.up-c.across) / 2
}

// form is the quadratic form a·x² + 2b·x·y + c·y² of offsets in cells.
type form struct{ a, b, c float64 }

func (f *form) of(x, y float64) float64 { return f.a*x*x + 2*f.b*x*y + f.c*y*y }

// curvatures returns the curvature at each cell by second differences over ±s/2.
func (t *tips) curvatures(ctx context.Context) ([]curl, error) {
	w, h := t.Grid.Width, t.Grid.Height
	d := max(1, int(math.Round(t.s/2/t.Grid.Step)))
	out := make([]curl, t.Grid.Len())
	span := float64(d) * t.Grid.Step
	most := span * math.Tan(steepest)
	err := parallel.For(ctx, max(h-2*d, 0), rowBatch, func(row int) {
		for k := (row+d)*w + d; k < (row+d+1)*w-d; k++ {
			z := t.z[k]
			if math.IsInf(z, 0) {
				continue
			}
			// A wall has no curvature.
			second := func(by int) float64 {
				back, ahead := t.z[k-by]-z, t.z[k+by]-z
				if math.Abs(back) > most || math.Abs(ahead) > most {
					return 0
				}
				return back + ahead
			}
			e, f := second(d), second(d*w)
			m := (second(d*w+d) - second(d*w-d)) / 4
			out[k] = tangent(t.p[k], t.q[k], e/(span*span), m/(span*span), f/(span*span))
		}
	})
	return out, err
}

// tangent returns the curvature of a surface with a gradient and second derivatives xx, xy, yy.
func tangent(p, q, xx, xy, yy float64) curl {
	w := math.Sqrt(1 + p*p + q*q)
	x, y := uphill(p, q)
	return curl{
		up:     (xx*x*x + 2*xy*x*y + yy*y*y) / (w * w * w),
		mixed:  (-xx*x*y + xy*(x*x-y*y) + yy*x*y) / (w * w),
		across: (xx*y*y - 2*xy*x*y + yy*x*x) / w,
	}
}

// uphill returns the direction of a gradient.
func uphill(p, q float64) (x, y float64) {
	if n := math.Hypot(p, q); n > 1e-9 {
		return p / n, q / n
	}
	return 1, 0
}

// hollowest (share of the corner's curvature) limits hollows: beyond it creases begin, which get their pass.
const hollowest = 3

// level (sine of the slope) is the least slope that widens the passes of a bull nose.
const level = 0.05

// rowBatch is the number of rows that a goroutine takes at a time.
const rowBatch = 16

// measure sets the metric.
func (t *tips) measure(ctx context.Context) error {
	t.form = make([]form, t.Grid.Len())
	return parallel.For(ctx, t.Grid.Height, rowBatch, func(row int) {
		for k := row * t.Grid.Width; k < (row+1)*t.Grid.Width; k++ {
			if t.mask[k] {
				t.form[k] = t.formAt(k)
			}
		}
	})
}

func (t *tips) formAt(k int) form {
	p, q, round := t.p[k], t.q[k], t.Corner
	w := math.Sqrt(1 + p*p + q*q)
	x, y := uphill(p, q)
	bounded := func(c float64) float64 { return min(max(c, 0), hollowest/round) }
	mean, half, angle := t.curls[k].split()
	sin, cos := math.Sincos(angle)
	k1, k2 := bounded(mean+half), bounded(mean-half)
	up, mixed, across := 1/round+k1*cos*cos+k2*sin*sin, (k1-k2)*cos*sin, 1/round+k1*sin*sin+k2*cos*cos
	if wide := t.Radius - t.Corner; wide > 0 {
		slope := max(math.Sqrt(1-1/(w*w)), level)
		up, mixed, across = 1/round+k1, 0, 1/(round+wide/slope)+k1
	}
	scale := t.Grid.Step * t.Grid.Step / (8 * t.Scallop)
	return form{
		a: scale * (up*w*w*x*x - 2*mixed*w*x*y + across*y*y),
		b: scale * (up*w*w*x*y + mixed*w*(x*x-y*y) - across*x*y),
		c: scale * (up*w*w*y*y + 2*mixed*w*x*y + across*x*x),
	}
}
