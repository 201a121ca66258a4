package curve

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"

	"pgregory.net/rapid"
)

func TestNewTrimmed(t *testing.T) {
	circle, line := Circle{geom.World, 2}, Line{Dir: geom.Vec3{X: 1}}
	spline := circleSpline(t, 1)
	open := drawnOnce(t)
	pi := math.Pi
	rows := []struct {
		name   string
		base   Curve
		lo, hi float64
		want   geom.Interval
		period float64
	}{
		{"arc", circle, 1, 2, geom.Interval{Lo: 1, Hi: 2}, 0},
		{"arc across the seam", circle, 5, 1, geom.Interval{Lo: 5, Hi: 1 + 2*pi}, 0},
		{"equal ends are a whole turn", circle, 1, 1, geom.Interval{Lo: 1, Hi: 1 + 2*pi}, 2 * pi},
		{"ends a turn apart", circle, 0, 2 * pi, geom.Interval{Hi: 2 * pi}, 2 * pi},
		{"a turn with rounding", circle, 0, 2*pi + 1e-12, geom.Interval{Hi: 2 * pi}, 2 * pi},
		{"a turn short of rounding", circle, 0, 2*pi - 1e-12, geom.Interval{Hi: 2 * pi}, 2 * pi},
		{"several turns", circle, 0, 1 + 6*pi, geom.Interval{Hi: 1}, 0},
		{"negative turns", circle, 0, 1 - 6*pi, geom.Interval{Hi: 1}, 0},
		{"closed spline across the seam", spline, 3, 0.5, geom.Interval{Lo: 3, Hi: 4.5}, 0},
		{"line", line, -3, 5, geom.Interval{Lo: -3, Hi: 5}, 0},
		{"half line", line, -3, math.Inf(1), geom.Interval{Lo: -3, Hi: math.Inf(1)}, 0},
		{"cut to the domain", open, -9, 0.5, geom.Interval{Lo: 0, Hi: 0.5}, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c, err := NewTrimmed(r.base, geom.Interval{Lo: r.lo, Hi: r.hi}, false)
			must(t, c, err)
			got := c.Domain()
			off := math.Abs(got.Lo - r.want.Lo)
			if got.Hi != r.want.Hi { // both may be infinite
				off = max(off, math.Abs(got.Hi-r.want.Hi))
			}
			if off > 1e-14 {
				t.Errorf("range %v, want %v", got, r.want)
			}
			if got := c.Period(); math.Abs(got-r.period) > 1e-14 {
				t.Errorf("period %v, want %v", got, r.period)
			}
		})
	}
}

// drawnOnce returns an open cubic over [0, 1].
func drawnOnce(t rapid.TB) *BSpline {
	c, err := NewBSpline(3, []float64{0, 0, 0, 0, 1, 1, 1, 1},
		[]geom.Vec3{{}, {X: 1, Y: 1}, {X: 2, Y: -1}, {X: 3}}, nil, false)
	return must(t, c, err)
}

func TestDerivedKindsReject(t *testing.T) {
	line, circle := Line{Dir: geom.Vec3{X: 1}}, Circle{geom.World, 1}
	nan := math.NaN()
	trim := func(c Curve, lo, hi float64) error {
		_, err := NewTrimmed(c, geom.Interval{Lo: lo, Hi: hi}, false)
		return err
	}
	chain := func(s ...Curve) error { _, err := NewComposite(s); return err }
	poly := func(p ...geom.Vec3) error { _, err := NewPolyline(p); return err }
	offset := func(c Curve, ref geom.Vec3) error { _, err := NewOffset(c, 1, ref); return err }
	rows := []struct {
		name string
		err  error
		want string
	}{
		{"trim nothing", trim(nil, 0, 1), "basis"},
		{"trim with NaN", trim(line, 0, nan), "not a number"},
		{"trim backwards", trim(line, 1, 0), "empty"},
		{"trim a circle to infinity", trim(circle, 0, math.Inf(1)), "infinite"},
		{"trim outside the domain", trim(drawnOnce(t), 2, 3), "empty"},
		{"chain of nothing", chain(), "no segments"},
		{"chain with a gap in the list", chain(circle, nil), "segment 2"},
		{"chain with an unbounded line", chain(circle, line), "segment 2"},
		{"polyline of one point", poly(geom.Vec3{}), "two points"},
		{"polyline with NaN", poly(geom.Vec3{}, geom.Vec3{X: nan}), "finite"},
		{"offset of nothing", offset(nil, geom.Vec3{Z: 1}), "basis"},
		{"offset without direction", offset(circle, geom.Vec3{}), "zero"},
		{"offset of an unbounded parabola", offset(Parabola{geom.World, 1}, geom.Vec3{Z: 1}), "unbounded"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if r.err == nil || !strings.Contains(r.err.Error(), r.want) {
				t.Errorf("error %v, want one about %q", r.err, r.want)
			}
		})
	}
}

func TestReversedArcRunsBackwards(t *testing.T) {
	c, err := NewTrimmed(Circle{geom.World, 1}, geom.Interval{Lo: 1, Hi: 2}, true)
	must(t, c, err)
	if got, want := c.At(1), c.Base.At(2); got != want {
		t.Errorf("starts at %v, want %v", got, want)
	}
	if got, want := c.At(2), c.Base.At(1); got != want {
		t.Errorf("ends at %v, want %v", got, want)
	}
	_, d1 := c.D1(1.25)
	_, b1 := c.Base.D1(1.75)
	if d1.Add(b1).Norm() > 1e-15 {
		t.Errorf("tangent %v, want %v", d1, b1.Neg())
	}
	got := Breaks(nil, must(t, &Trimmed{periodicSpline(t), geom.Interval{Lo: 0.5, Hi: 2.5}, true}, nil),
		geom.Interval{Lo: 0.5, Hi: 2.5})
	if len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("breaks %v, want 1 and 2", got)
	}
}

func TestPolyline(t *testing.T) {
	c, err := NewPolyline([]geom.Vec3{{}, {X: 2}, {X: 2}, {X: 2, Y: 4}})
	must(t, c, err)
	rows := []struct {
		name    string
		p       geom.Vec3
		t, dist float64
	}{
		{"before the start", geom.Vec3{X: -3}, 0, 3},
		{"beside the first", geom.Vec3{X: 1, Y: -1}, 0.5, 1},
		{"at the repeated corner", geom.Vec3{X: 3, Y: -1}, 1, math.Sqrt2},
		{"beside the last", geom.Vec3{X: 3, Y: 3}, 2.75, 1},
		{"beyond the end", geom.Vec3{X: 2, Y: 9}, 3, 5},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got, d := c.Invert(r.p); got != r.t || math.Abs(d-r.dist) > 1e-15 {
				t.Errorf("Invert(%v) = %v at %v, want %v at %v", r.p, got, d, r.t, r.dist)
			}
		})
	}
	square, err := NewPolyline([]geom.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {}})
	must(t, square, err)
	if got := square.At(4.5); got != (geom.Vec3{X: 0.5}) {
		t.Errorf("half a segment past the end is %v", got)
	}
	if got, _ := InvertIn(square, geom.Vec3{X: 0.5, Y: -0.1}, geom.Interval{Lo: 3.5, Hi: 5}); got != 4.5 {
		t.Errorf("InvertIn across the seam gives %v, want 4.5", got)
	}
	box := square.Bounds(geom.Interval{Lo: 3.5, Hi: 4.25})
	if box.Min != (geom.Vec3{}) || box.Max != (geom.Vec3{X: 0.25, Y: 0.5}) {
		t.Errorf("box across the seam is %v", box)
	}
}

// slot is a closed chain: two lines and two half circles, one of them reversed.
func slot(t rapid.TB) *Composite {
	left := geom.NewFrame(geom.Vec3{X: -2}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	right := geom.NewFrame(geom.Vec3{X: 2}, geom.Vec3{Z: -1}, geom.Vec3{X: 1})
	c, err := NewComposite([]Curve{
		&Trimmed{Base: Line{geom.Vec3{X: -2, Y: -1}, geom.Vec3{X: 1}}, Range: geom.Interval{Hi: 4}},
		&Trimmed{Base: Circle{right, 1}, Range: geom.Interval{Lo: -math.Pi / 2, Hi: math.Pi / 2}, Reversed: true},
		&Trimmed{Base: Line{geom.Vec3{X: -2, Y: 1}, geom.Vec3{X: 1}}, Range: geom.Interval{Hi: 4}, Reversed: true},
		&Trimmed{Base: Circle{left, 1}, Range: geom.Interval{Lo: math.Pi / 2, Hi: 1.5 * math.Pi}},
	})
	return must(t, c, err)
}

func TestComposite(t *testing.T) {
	c := slot(t)
	total := 8 + 2*math.Pi
	if got := c.Period(); math.Abs(got-total) > 1e-14 {
		t.Errorf("period %v, want %v", got, total)
	}
	if got := Length(c, c.Domain()); math.Abs(got-total) > 1e-13 {
		t.Errorf("length %v, want %v", got, total)
	}
	rows := []struct {
		name string
		t    float64
		want geom.Vec3
	}{
		{"start", 0, geom.Vec3{X: -2, Y: -1}},
		{"first line", 1, geom.Vec3{X: -1, Y: -1}},
		{"joint", 4, geom.Vec3{X: 2, Y: -1}},
		{"reversed arc", 4 + math.Pi/2, geom.Vec3{X: 3}},
		{"reversed line", 5 + math.Pi, geom.Vec3{X: 1, Y: 1}},
		{"last arc", 8 + 1.5*math.Pi, geom.Vec3{X: -3}},
		{"next turn", 1 + total, geom.Vec3{X: -1, Y: -1}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := c.At(r.t); got.Dist(r.want) > 1e-14 {
				t.Errorf("At(%v) = %v, want %v", r.t, got, r.want)
			}
			if got, d := c.Invert(r.want); math.Abs(got-math.Mod(r.t, total)) > 1e-14 || d > 1e-14 {
				t.Errorf("Invert(%v) = %v at %v, want %v", r.want, got, d, r.t)
			}
		})
	}
	joints := c.Breaks(nil, geom.Interval{Lo: 1, Hi: total + 1})
	if len(joints) != 4 || math.Abs(joints[3]-total) > 1e-14 {
		t.Errorf("breaks %v, want the four joints", joints)
	}
	box := c.Bounds(c.Domain())
	if box.Min.Dist(geom.Vec3{X: -3, Y: -1}) > 1e-14 || box.Max.Dist(geom.Vec3{X: 3, Y: 1}) > 1e-14 {
		t.Errorf("box %v", box)
	}
}

// TestScaledChainKeepsPoints scales lines and arcs, whose parameters scale differently.
func TestScaledChainKeepsPoints(t *testing.T) {
	c := slot(t)
	m := geom.Scaling(10)
	image := c.Transform(m)
	if got, want := image.Domain().Hi, 80+2*math.Pi; math.Abs(got-want) > 1e-12 {
		t.Errorf("domain up to %v, want %v", got, want)
	}
	got := TransformRange(c, m, geom.Interval{Lo: 2, Hi: c.Period() + 2})
	if math.Abs(got.Lo-20) > 1e-12 || math.Abs(got.Hi-100-2*math.Pi) > 1e-12 {
		t.Errorf("range %v, want 20 to %v", got, 100+2*math.Pi)
	}
	if d := image.At(got.Hi).Dist(m.Point(c.At(2))); d > 1e-12 {
		t.Errorf("end is off by %v", d)
	}
}

func TestOffsetDirection(t *testing.T) {
	up := geom.Vec3{Z: 1}
	// Positive distances go to the left of the tangent, seen from the tip of the reference direction.
	line, err := NewOffset(Line{Dir: geom.Vec3{X: 1}}, 2, up)
	must(t, line, err)
	if got := line.At(3); got != (geom.Vec3{X: 3, Y: 2}) {
		t.Errorf("line: %v, want (3, 2, 0)", got)
	}
	inner, err := NewOffset(Circle{geom.World, 5}, 2, up)
	must(t, inner, err)
	if c, ok := inner.(Circle); !ok || c.Radius != 3 {
		t.Errorf("offset inwards is %+v, want a circle of radius 3", inner)
	}
	below, err := NewOffset(Circle{geom.World, 5}, 2, up.Neg())
	must(t, below, err)
	if c, ok := below.(Circle); !ok || c.Radius != 7 {
		t.Errorf("offset seen from below is %+v, want a circle of radius 7", below)
	}
	ring := &Trimmed{Base: Circle{geom.World, 5}, Range: turn}
	c, err := NewOffset(ring, 2, up)
	must(t, c, err)
	for x := 0.1; x < 6; x += 0.7 {
		p, d1, d2 := c.D2(x)
		if math.Abs(p.Norm()-3) > 1e-15*5 || math.Abs(d1.Norm()-3) > 1e-13 || d2.Add(p).Norm() > 1e-13 {
			t.Errorf("at %v: %v %v %v, want a circle of radius 3", x, p, d1, d2)
		}
	}
	mirror := geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}
	if got := c.Transform(mirror).At(1); got.Dist(mirror.Point(c.At(1))) > 1e-14 {
		t.Errorf("mirrored offset is at %v, want %v", got, mirror.Point(c.At(1)))
	}
	past, err := NewOffset(Circle{geom.World, 5}, 8, up)
	must(t, past, err)
	if past.Kind() != KindOffset || past.At(0).Dist(geom.Vec3{X: -3}) > 1e-15 {
		t.Errorf("offset beyond the centre is %T at %v", past, past.At(0))
	}
	if box := past.Bounds(turn); math.Abs(box.Max.Y-3) > 3e-6 || !box.Contains(geom.Vec3{Y: 3}, 0) {
		t.Errorf("its box is %v", box)
	}
}

// TestOffsetOfSpline checks points of an offset against their distance from the basis curve.
func TestOffsetOfSpline(t *testing.T) {
	base := drawnOnce(t)
	c, err := NewOffset(base, 0.1, geom.Vec3{Z: 1})
	must(t, c, err)
	for x := 0.0; x <= 1; x += 1. / 32 {
		p := c.At(x)
		if got, d := base.Invert(p); math.Abs(d-0.1) > 1e-12 || math.Abs(got-x) > 1e-7 {
			t.Errorf("point at %v is %v from the basis curve at %v, want 0.1", x, d, got)
		}
		if got, d := c.Invert(p); math.Abs(got-x) > 1e-9 || d > 1e-12 {
			t.Errorf("Invert(At(%v)) = %v at %v", x, got, d)
		}
	}
}

// alien is a curve of a kind that this package does not know: it only evaluates.
type alien struct{ Curve }

func TestUnknownKindIsTabulated(t *testing.T) {
	c := alien{Ellipse{geom.World, 5, 3}}
	p := geom.Vec3{X: 3, Y: 2, Z: 1}
	iv := geom.Interval{Lo: -1, Hi: 2}
	want, wantDist := InvertIn(c.Curve, p, iv)
	if got, d := InvertIn(c, p, iv); math.Abs(got-want) > 1e-9 || math.Abs(d-wantDist) > 1e-12 {
		t.Errorf("InvertIn = %v at %v, want %v at %v", got, d, want, wantDist)
	}
	if got, want := third(c, 1), third(c.Curve, 1); got.Dist(want) > 1e-6 {
		t.Errorf("third derivative %v, want %v", got, want)
	}
	tab := NewTable(c, turn)
	for _, iv := range []geom.Interval{turn, {Lo: 1, Hi: 2}, {Lo: 5, Hi: 8}, {Lo: -3, Hi: 9}} {
		got, want := tab.Bounds(iv), c.Curve.Bounds(iv)
		if got.Min.Dist(want.Min) > 1e-5 || got.Max.Dist(want.Max) > 1e-5 || got.Union(want) != got {
			t.Errorf("box over %v is %v, want %v", iv, got, want)
		}
	}
	if got := Length(c, turn); math.Abs(got-Length(c.Curve, turn)) > 1e-10 {
		t.Errorf("length %v, want %v", got, Length(c.Curve, turn))
	}
	checkSamples(t, c, turn, Sample(c, turn, 0.01, 0.3), 0.01, 0.3)
}
