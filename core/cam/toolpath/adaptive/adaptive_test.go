package adaptive_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const degree = math.Pi / 180

// limits are the bounds of a test on the measured figures.
type limits struct {
	left    float64 // share of the reachable target
	enters  int     // most
	helices int
}

// clear clears a level and checks the properties of every path.
func clear(t *testing.T, l adaptive.Level, most limits) (*adaptive.Result, figures) {
	t.Helper()
	r, err := adaptive.Clear(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	checkOrder(t, &l, r.Moves)
	f := measure(t, &l, r.Moves)
	if f.over > 0.001 || f.worst > 1.3*l.Arc {
		t.Errorf("front arc over 110 %% on %.3f %% of the cut, worst %.1f°, target %.1f°; want 0.1 %%, 130 %%",
			100*f.over, f.worst/degree, l.Arc/degree)
	}
	if f.outside > 1e-3 {
		t.Errorf("path %.4f mm outside the allowed area; want 0.001", f.outside)
	}
	if f.linkWorst > 10*degree {
		t.Errorf("front arc of links %.1f°; want at most 10°: 1.5 %% of the radius", f.linkWorst/degree)
	}
	if f.entryWorst > 0 {
		t.Errorf("%.1f° of the circle in material at an entry in air; want 0", f.entryWorst/degree)
	}
	if f.left > most.left*f.reachable {
		t.Errorf("%.1f mm² of %.1f left: %.2f %%; want %.2f %%",
			f.left, f.reachable, 100*f.left/f.reachable, 100*most.left)
	}
	if f.enters > most.enters || f.helices > most.helices {
		t.Errorf("%d entries, %d by helix; want at most %d, %d", f.enters, f.helices, most.enters, most.helices)
	}
	return r, f
}

// checkOrder checks that moves join, and that entries and retracts alternate.
func checkOrder(t *testing.T, l *adaptive.Level, moves []adaptive.Move) {
	t.Helper()
	isDown := false
	for i := range moves {
		m := &moves[i]
		switch m.Kind {
		case adaptive.Enter:
			if isDown || (m.Helix > 0) == m.Air || m.Helix > l.HelixRadius {
				t.Fatalf("move %d: entry %+v, down before: %t", i, *m, isDown)
			}
			isDown = true
		case adaptive.Retract:
			if !isDown || m.To != moves[i-1].To {
				t.Fatalf("move %d: retract %+v after %+v", i, *m, moves[i-1])
			}
			isDown = false
		default:
			if !isDown {
				t.Fatalf("move %d: %+v above the level", i, *m)
			}
		}
		if m.Turn != 0 {
			if m.Kind != adaptive.Cut && m.Kind != adaptive.Link {
				t.Fatalf("move %d: an arc of kind %d", i, m.Kind)
			}
			arc := planar.NewArc(m.Center, moves[i-1].To, m.Turn)
			if gap := arc.To.Dist(m.To); gap > 1e-6 {
				t.Errorf("move %d: arc ends %g mm from its end", i, gap)
			}
		}
	}
}

func TestClearKeepsBoundOnShapes(t *testing.T) {
	want := map[string]limits{
		"rectangle": {0.001, 1, 1}, "island": {0.005, 1, 1}, "rooms": {0.005, 1, 1}, "star": {0.005, 1, 1},
		"comb": {0.02, 1, 1}, "boss": {0.001, 1, 0}, "slot": {0.005, 1, 0},
	}
	for _, name := range shapes {
		t.Run(name, func(t *testing.T) {
			l := areas{t}.shape(name, 10, 60*degree)
			r, f := clear(t, l, want[name])
			t.Logf("worst %.1f°, over 110 %%: %.3f %%, left %.2f %%, %d moves",
				f.worst/degree, 100*f.over, 100*f.left/f.reachable, len(r.Moves))
			t.Logf("cut %.0f mm, without contact %.0f, links %.0f, %.1f s", f.cut, f.idle, f.link, f.seconds)
			if f.mean < 0.7*l.Arc {
				t.Errorf("mean front arc %.1f°; want 70 %% of %.1f°", f.mean/degree, l.Arc/degree)
			}
			for i, m := range r.Moves {
				if m.Kind == adaptive.Cut && m.Arc > 1.1*l.Arc {
					t.Errorf("move %d reports %.1f°", i, m.Arc/degree)
				}
			}
		})
	}
}

func TestClearSpiralsAroundBoss(t *testing.T) {
	l := areas{t}.shape("boss", 10, 60*degree)
	r, f := clear(t, l, limits{0.001, 1, 0})
	if f.link > 0.2*f.cut || f.mean < 58*degree {
		t.Errorf("links %.0f mm of %.0f mm, mean front arc %.1f°; want one spiral", f.link, f.cut, f.mean/degree)
	}
	if !r.Moves[0].Air || l.Stock.Distance(r.Moves[0].To) > -l.Radius {
		t.Errorf("entry %+v; want one in air", r.Moves[0])
	}
}

func TestClearKeepsBoundInRandomPockets(t *testing.T) {
	n := 50
	if testing.Short() {
		n = 12
	}
	left, reachable := 0.0, 0.0
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			// Narrow ends of these pockets stay.
			_, f := clear(t, areas{t}.pocket(areas{t}.random(uint64(seed)), 10, 60*degree), limits{0.2, 4, 4})
			left += f.left
			reachable += f.reachable
		})
	}
	if left > 0.015*reachable {
		t.Errorf("%.1f mm² of %.1f left; want 1.5 %%", left, reachable)
	}
}

func TestClearKeepsBoundAtAnyStepover(t *testing.T) {
	for _, share := range []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6} {
		if testing.Short() && share < 0.2 {
			continue
		}
		for _, name := range []string{"island", "star", "slot"} {
			t.Run(fmt.Sprintf("%s/%.2f", name, share), func(t *testing.T) {
				clear(t, areas{t}.shape(name, 10, math.Acos(1-2*share)), limits{0.015, 2, 1})
			})
		}
	}
}

func TestClearKeepsBoundAtAnySize(t *testing.T) {
	for _, diameter := range []float64{1, 3, 6, 12, 20, 50} {
		for _, name := range []string{"rectangle", "island", "boss"} {
			t.Run(fmt.Sprintf("%s/D%g", name, diameter), func(t *testing.T) {
				clear(t, areas{t}.shape(name, diameter, 60*degree), limits{0.01, 1, 1})
			})
		}
	}
}

// TestRimIsCutInOneWalk: a rim around a boss, narrower than the stepover, takes one walk.
func TestRimIsCutInOneWalk(t *testing.T) {
	for _, rim := range []float64{0.1, 0.2, 0.25} { // diameters
		k := 12.0
		boss := polygon(pt(rim*k+3, rim*k), pt(100, rim*k), pt(100, 80), pt(rim*k, 80), pt(rim*k, rim*k+3))
		stock := areas{t}.of(box(0, 0, 100+rim*k, 80+rim*k))
		zone := areas{t}.ok(areas{t}.of(box(-2*k, -2*k, 100+3*k, 80+3*k)).Minus(areas{t}.of(boss)))
		r, f := clear(t, areas{t}.open(zone, stock, k, 60*degree), limits{0.003, 1, 0})
		if f.link > 0.3*f.cut {
			t.Errorf("rim of %g mm: %.0f mm of links for %.0f mm of cuts, %d moves", rim*k, f.link, f.cut, len(r.Moves))
		}
	}
}

func TestClearRepeatsItself(t *testing.T) {
	for _, name := range []string{"rooms", "slot"} {
		var first *adaptive.Result
		for range 3 {
			l := areas{t}.shape(name, 10, 60*degree)
			r, err := adaptive.Clear(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(first, r) {
				t.Fatalf("%s: the results of two runs differ", name)
			}
		}
	}
}

func TestClearStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := adaptive.Clear(ctx, areas{t}.shape("rooms", 10, 60*degree)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v; want the error of the context", r, err)
	}
}

func TestClearRejectsInvalidLevel(t *testing.T) {
	for name, change := range map[string]func(l *adaptive.Level){
		"no radius":    func(l *adaptive.Level) { l.Radius = 0 },
		"not a number": func(l *adaptive.Level) { l.Radius = math.NaN() },
		"no arc":       func(l *adaptive.Level) { l.Arc = 0 },
		"full slot":    func(l *adaptive.Level) { l.Arc = math.Pi },
		"wide helix":   func(l *adaptive.Level) { l.HelixRadius = 6 },
	} {
		l := areas{t}.shape("slot", 10, 60*degree)
		change(&l)
		if r, err := adaptive.Clear(t.Context(), l); err == nil {
			t.Errorf("%s: got %d moves; want an error", name, len(r.Moves))
		}
	}
}

func TestClearWithoutWorkIsEmpty(t *testing.T) {
	for name, change := range map[string]func(l *adaptive.Level){
		"nothing allowed":  func(l *adaptive.Level) { l.Allowed = nil },
		"no stock":         func(l *adaptive.Level) { l.Stock = nil },
		"no target":        func(l *adaptive.Level) { l.Target = nil },
		"target elsewhere": func(l *adaptive.Level) { l.Target = areas{t}.of(box(1000, 0, 1010, 10)) },
		"sliver": func(l *adaptive.Level) {
			l.Allowed = areas{t}.of(box(0, 0, 100, 1e-3))
		},
	} {
		l := areas{t}.shape("rectangle", 10, 60*degree)
		change(&l)
		r, err := adaptive.Clear(t.Context(), l)
		if err != nil || len(r.Moves) > 0 {
			t.Errorf("%s: got %+v, %v; want no moves", name, r, err)
		}
	}
}

func TestClearEntersNearStart(t *testing.T) {
	l := areas{t}.shape("boss", 10, 60*degree)
	for _, start := range []geom.Vec2{pt(-40, -40), pt(150, 100), pt(55, 150)} {
		l.Start, l.HasStart = start, true
		r, err := adaptive.Clear(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		// The start of the front that is found from there is at most a half round away along it.
		if d := r.Moves[0].To.Dist(start); d > 200 {
			t.Errorf("start %v: entry %v", start, r.Moves[0].To)
		}
	}
}

func TestClearUsesHoleOfEntry(t *testing.T) {
	l := areas{t}.shape("rectangle", 10, 60*degree)
	l.Entries, l.HelixRadius = []geom.Vec2{pt(2, 2), pt(45, 35)}, 0 // the first is not allowed
	r, f := clear(t, l, limits{0.002, 1, 0})
	if first := r.Moves[0]; first.To != l.Entries[1] || !first.Air {
		t.Errorf("entry %+v; want the hole", first)
	}
	if f.cut < 2000 {
		t.Errorf("cut of %.0f mm", f.cut)
	}
}

func TestClearWithoutEntryReportsParts(t *testing.T) {
	l := areas{t}.shape("rectangle", 10, 60*degree)
	l.HelixRadius = 0
	r, f := clear(t, l, limits{1, 0, 0})
	if len(r.Refused) != 1 || r.Refused[0].Reason != adaptive.NoEntry {
		t.Errorf("got %+v; want one part without an entry", r.Refused)
	}
	if math.Abs(r.Left-f.reachable) > 0.02*f.reachable {
		t.Errorf("left %.1f mm²; want %.1f", r.Left, f.reachable)
	}
}

// apart is a level with a pocket, an open side and a slot that is too narrow.
func apart(t areas) adaptive.Level {
	stock := t.of(box(0, 0, 200, 60))
	zones := []*arcpoly.Area{
		t.of(roundBox(10, 10, 60, 50, 6)), t.of(box(150, -10, 212, 70)), t.of(box(80, 10, 91, 50)),
	}
	l := adaptive.Level{Radius: 5, Arc: 60 * degree, Stock: stock, HelixRadius: 4}
	var allowed []*arcpoly.Area
	for _, z := range zones {
		allowed = append(allowed, t.ok(z.Offset(-5)))
	}
	l.Allowed = t.ok(arcpoly.Union(allowed...))
	l.Target = t.ok(arcpoly.Intersection(t.ok(arcpoly.Union(zones...)), stock))
	return l
}

func TestClearServesPartsApart(t *testing.T) {
	l := apart(areas{t})
	r, f := clear(t, l, limits{0.1, 2, 1})
	if f.enters != 2 || !r.Moves[0].Air {
		t.Errorf("%d entries, the first %+v; want one in air before one by a helix", f.enters, r.Moves[0])
	}
	if len(r.Refused) != 1 || math.Abs(r.Refused[0].Size-440) > 45 || r.Refused[0].At.Dist(pt(85, 30)) > 25 {
		t.Errorf("got %+v; want the slot", r.Refused)
	}
}

func TestClearOfPartOfStockStopsAtTarget(t *testing.T) {
	l := areas{t}.shape("boss", 10, 60*degree)
	l.Target = areas{t}.ok(arcpoly.Intersection(l.Target, areas{t}.of(box(-20, -15, 130, 0))))
	_, f := clear(t, l, limits{0.01, 3, 0})
	if most := 1.6 * 150 * 15 / (l.Radius * (1 - math.Cos(l.Arc))); f.cut > most {
		t.Errorf("cut of %.0f mm; want at most %.0f", f.cut, most)
	}
}

// FuzzClear clears pockets of any outline: it neither panics nor leaves the allowed area.
func FuzzClear(f *testing.F) {
	f.Add(uint64(1), uint8(60), uint8(10), uint8(0))
	f.Add(uint64(2), uint8(20), uint8(4), uint8(1))
	f.Add(uint64(3), uint8(100), uint8(30), uint8(2))
	f.Add(uint64(4), uint8(45), uint8(7), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, arc, diameter, variant uint8) {
		if arc < 15 || arc > 105 || diameter < 4 || diameter > 40 {
			t.Skip()
		}
		pocket := areas{t}.random(seed)
		l := areas{t}.pocket(pocket, float64(diameter), float64(arc)*degree)
		if variant&1 != 0 { // sharp corners and slivers that no offset of a pocket has
			l.Allowed = pocket
		}
		if variant&2 != 0 {
			l.Stock = areas{t}.of(box(50, 0, 120, 55))
			l.Target = areas{t}.ok(arcpoly.Intersection(pocket, l.Stock))
		}
		r, err := adaptive.Clear(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, &l, r.Moves)
		for i := 1; i < len(r.Moves); i++ {
			if m := &r.Moves[i]; m.Kind == adaptive.Cut || m.Kind == adaptive.Link {
				p := segmentOf(r.Moves[i-1].To, m)
				if d := outside(&l, &p); d > 1e-3 {
					t.Errorf("move %d is %.4f mm outside", i, d)
				}
			}
		}
	})
}

func TestClearDividesLargeLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("the measure takes seconds")
	}
	// A groove around a field, too large for one raster with a cutter of 1 mm.
	groove := areas{t}.of(roundBox(0, 0, 80, 60, 4), roundBox(2.6, 2.6, 77.4, 57.4, 1.4).Reverse())
	l := areas{t}.pocket(groove, 1, 60*degree)
	r, f := clear(t, l, limits{0.005, 5, 3})
	if f.enters < 2 {
		t.Errorf("%d entries; want one in each strip", f.enters)
	}
	if r.Left > 0.005*f.reachable {
		t.Errorf("left %.1f mm² of %.1f", r.Left, f.reachable)
	}
}
