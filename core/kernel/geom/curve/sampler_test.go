package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// samplerOf returns a sampler over one smooth run of c.
func samplerOf(c Curve, iv geom.Interval, tol, angle float64) *sampler {
	s := &sampler{c: c, tol: tol, angle: angle, still: standstill / iv.Length()}
	s.nodes = append(s.nodes, s.dense(iv.Lo))
	s.addPiece(iv.Hi)
	s.work = append(s.work, s.nodes...)
	return s
}

// TestNeedIsExactForArcs checks that the need of an arc in parts equals the need of the whole, which follows from the
// sagitta and the turn of a circle.
func TestNeedIsExactForArcs(t *testing.T) {
	circle := Circle{geom.World, 10}
	rows := []struct {
		name       string
		iv         geom.Interval
		tol, angle float64
		want       float64
	}{
		{"turn", geom.Interval{Hi: 3}, math.Inf(1), 0.1, 30},
		// A chord over the angle a has the sagitta r·(1 - cos a/2), close to r·a²/8.
		{"sagitta", geom.Interval{Hi: 3}, 0.001, 3, 3 / math.Sqrt(8*0.001/sagMargin/10)},
		{"short", geom.Interval{Lo: 1, Hi: 1.01}, math.Inf(1), 0.1, 0.1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := samplerOf(circle, r.iv, r.tol, r.angle)
			// A chord is shorter than its arc by 1/24 of the square of the turn, here below 0.35.
			if got := s.load(); math.Abs(got-r.want) > 0.003*r.want {
				t.Errorf("need %v, want %v", got, r.want)
			}
			density := s.work[0].density * r.iv.Length()
			if math.Abs(density-r.want) > 1e-12*r.want {
				t.Errorf("density times length %v, want %v", density, r.want)
			}
		})
	}
}

func TestArcBetweenNodes(t *testing.T) {
	x, y := geom.Vec3{X: 1}, geom.Vec3{Y: 1}
	rows := []struct {
		name        string
		a, b        node
		length, phi float64
	}{
		{"straight", node{out: x}, node{t: 1, p: x, in: x}, 1, 0},
		{"quarter circle", node{out: x}, node{t: 1, p: geom.Vec3{X: 1, Y: 1}, in: y}, math.Sqrt2, math.Pi / 2},
		{"S", node{out: y}, node{t: 1, p: x, in: y}, 1, math.Pi},
		{"unknown start", node{}, node{t: 1, p: x, in: y}, 1, math.Pi / 2},
		{"loop", node{out: x, speed: 1}, node{t: 1, in: y}, 0, maxTurn},
		{"standing still", node{}, node{t: 1}, 0, 0},
		{"too short to have a direction", node{out: x, speed: 1},
			node{t: 1e-10, p: geom.Vec3{Y: 1e-10}, in: x}, 1e-10, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			length, phi := arc(&r.a, &r.b)
			if math.Abs(length-r.length) > 1e-15 || math.Abs(phi-r.phi) > 1e-7 {
				t.Errorf("length %v, turn %v, want %v, %v", length, phi, r.length, r.phi)
			}
		})
	}
}

func TestMeasure(t *testing.T) {
	circle := Circle{geom.World, 10}
	sagittaOf := func(a float64) float64 { return 10 * (1 - math.Cos(a/2)) }
	rows := []struct {
		name       string
		hi         float64
		tol, angle float64
		want       float64
	}{
		{"as long as the turn allows", 0.2, math.Inf(1), 0.2, 1},
		{"twice as long", 0.4, math.Inf(1), 0.2, 2},
		{"as long as the sagitta allows", 0.2, sagittaOf(0.2) * sagMargin, 2, 1},
		{"twice as long for the sagitta", 0.4, sagittaOf(0.2) * sagMargin, 2, 2},
		{"so small that it may turn", 0.4, 1000 * 0.4 * 10, 0.2, math.Sqrt(sagittaOf(0.4) * sagMargin / 4000)},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			iv := geom.Interval{Hi: r.hi}
			s := samplerOf(circle, iv, r.tol, r.angle)
			a, b := s.work[0], s.work[len(s.work)-1]
			got, mid, next := s.measure(&a, &b, 0)
			if math.Abs(got-r.want) > 0.01*r.want { // the sagitta is not quite quadratic
				t.Errorf("factor %v, want %v", got, r.want)
			}
			if math.Abs(mid.t-r.hi/2) > 1e-15 || next != len(s.work)-1 {
				t.Errorf("middle %v, next node %d of %d", mid.t, next, len(s.work))
			}
		})
	}
}

// TestMeasureSeesNodes gives a segment a detour that neither its quarters nor its middle show.
func TestMeasureSeesNodes(t *testing.T) {
	s := samplerOf(Line{Dir: geom.Vec3{X: 1}}, geom.Interval{Hi: 8}, 0.1, 0.3)
	a, b := s.work[0], s.work[len(s.work)-1]
	if f, _, _ := s.measure(&a, &b, 0); f != 0 {
		t.Fatalf("a line falls short by %v", f)
	}
	s.work[3].p.Y = 0.4
	if f, _, _ := s.measure(&a, &b, 0); math.Abs(f-2*math.Sqrt(sagMargin)) > 1e-12 {
		t.Errorf("a node 0.4 off falls short by %v, want %v", f, 2*math.Sqrt(sagMargin))
	}
	s.work[3].p.Y = 0
	s.work[5].in = geom.Vec3{Y: 1}
	s.work[5].out = geom.Vec3{Y: 1}
	if f, _, _ := s.measure(&a, &b, 0); math.Abs(f-math.Pi/0.3) > 1e-6 {
		t.Errorf("a node that turns by 90° and back falls short by %v, want %v", f, math.Pi/0.3)
	}
}

func TestMergeKeepsOrder(t *testing.T) {
	at := func(ts ...float64) (n []node) {
		for _, t := range ts {
			n = append(n, node{t: t})
		}
		return n
	}
	rows := []struct {
		name       string
		work, seen []float64
		want       []float64
	}{
		{"nothing", []float64{0, 1}, nil, []float64{0, 1}},
		{"between", []float64{0, 1, 2}, []float64{0.5, 1.5}, []float64{0, 0.5, 1, 1.5, 2}},
		{"same place", []float64{0, 1, 2}, []float64{0.5, 1, 1.5}, []float64{0, 0.5, 1, 1.5, 2}},
		{"all in one gap", []float64{0, 9}, []float64{1, 2, 3}, []float64{0, 1, 2, 3, 9}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := sampler{work: at(r.work...), seen: at(r.seen...)}
			s.merge()
			if len(s.work) != len(r.want) {
				t.Fatalf("%d nodes, want %v", len(s.work), r.want)
			}
			for i, n := range s.work {
				if n.t != r.want[i] {
					t.Fatalf("node %d at %v, want %v", i, n.t, r.want)
				}
			}
		})
	}
}

func TestApart(t *testing.T) {
	iv := geom.Interval{Lo: 0, Hi: 10}
	got := apart([]float64{1e-12, 1, 1 + 1e-12, 2, 10 - 1e-12}, iv)
	if len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("kept %v, want 1 and 2", got)
	}
	if got := apart(nil, iv); len(got) != 0 {
		t.Errorf("kept %v of nothing", got)
	}
}

func TestHalveLongest(t *testing.T) {
	got := []float64{7, 0, 1, 3, 5}
	want := []float64{7, 0, 1, 2, 3, 5} // the first of two equal ranges, the prefix left alone
	got = halveLongest(got, 1)
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// TestHalvingStopsAtLimit checks that segments end at the limit with a tolerance that no division meets.
func TestHalvingStopsAtLimit(t *testing.T) {
	cusp, err := NewBSpline(3, []float64{0, 0, 0, 0, 1, 1, 1, 1},
		[]geom.Vec3{{}, {X: 1, Y: 1}, {Y: 1}, {X: 1}}, nil, false)
	must(t, cusp, err)
	for _, angle := range []float64{1, 0.1, 0.01} {
		for _, chord := range []float64{0, 0.1, 1e-3} {
			s := Sample(cusp, cusp.Domain(), chord, angle)
			// The curve turns by 2π at most, a cusp adds a run of halvings on each side.
			if most := int(2*2*math.Pi/angle) + 2*segmentHalvings + 40; chord > 0.01 && len(s) > most {
				t.Errorf("chord %v, angle %v: %d samples, want at most %d", chord, angle, len(s), most)
			}
			if len(s) > 20000 {
				t.Errorf("chord %v, angle %v: %d samples", chord, angle, len(s))
			}
		}
	}
}
