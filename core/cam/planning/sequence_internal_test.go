package planning

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// stretch returns heights: first ones, then others.
func stretch(n int, z float32, m int, y float32) []float32 {
	return slices.Concat(slices.Repeat([]float32{z}, n), slices.Repeat([]float32{y}, m))
}

// row is a row of 100 cells of 1 mm, with 10 mm of stock over a floor. The last cells are so narrow that only the thin
// mill reaches their floor.
func row(narrow int) *roughing {
	wide := 100 - narrow
	r := &roughing{
		grid: grid.Grid{Step: 1, Width: 100, Height: 1}, deep: make([]bool, 100),
		stock: stretch(100, 10, 0, 0), goal: stretch(100, 0, 0, 0),
		rooms: []room{{5, stretch(100, 0, 0, 0)}, {20, stretch(wide, 0, narrow, 10)}},
	}
	r.findOpen()
	r.mills = []roughMill{
		{tool: 0, low: stretch(wide, 0, narrow, 10), axial: 10, paces: []float64{1, 0.5, 2}, swap: 10},
		{tool: 1, low: stretch(100, 0, 0, 0), axial: 5, paces: []float64{2, 1, 4}, swap: 10},
	}
	r.tail = []roughMill{{tool: 2, low: r.goal, axial: 1, paces: []float64{10, 10, 10}}}
	return r
}

func TestMillsRoughByTime(t *testing.T) {
	thick, thin, both := []int{0}, []int{1}, []int{0, 1}
	for _, c := range []struct {
		narrow int
		want   []int
	}{
		{0, thick}, // 50 + 10 s; the thin one takes 200 + 10
		{40, both}, // 30 + 10 s, and 2 levels of 40 cells in 160 + 10
		{98, thin}, // 98 cells in 392, 2 in 4, and 10 s: the thick one would save 3 s and cost 10
	} {
		if got := row(c.narrow).best(); !slices.Equal(got, c.want) {
			t.Errorf("%d narrow cells: mills %v, want %v", c.narrow, got, c.want)
		}
	}
}

// A finishing mill that clears the narrow cells makes the thin roughing mill needless.
func TestFinishingMillsClearTheRest(t *testing.T) {
	r := row(40)
	r.tail = []roughMill{{tool: 3, low: r.goal, axial: 5, paces: []float64{2, 1, 4}}, r.tail[0]}
	if got := r.best(); !slices.Equal(got, []int{0}) {
		t.Errorf("mills %v, want the thick one", got)
	}
}

func TestNarrowPlacesTakeLonger(t *testing.T) {
	r := row(40)
	m := &r.mills[1]
	for _, c := range []struct {
		cell int
		low  float32
		want float64
	}{
		{0, 0, 1},  // 20 mm wide
		{99, 0, 2}, // 5 mm
		{99, -20, 4},
	} {
		if got := r.pace(m, c.cell, 10, c.low); got != c.want {
			t.Errorf("cell %d down to %g: %g s/mm², want %g", c.cell, c.low, got, c.want)
		}
	}
}

func TestExplainNamesTheNextBestMill(t *testing.T) {
	p := &planner{tools: []tool{{Tool: &machining.Tool{Name: "thick"}}, {Tool: &machining.Tool{Name: "thin"}}}}
	got := row(0).explain(p, []int{0})
	if len(got) != 1 || got[0].Mill != "thick" || got[0].Instead != "thin" || math.Abs(got[0].Seconds-150) > 1e-9 {
		t.Errorf("explanation %+v, want thin instead of thick for 150 s", got)
	}
	got = row(40).explain(p, []int{0, 1})
	// The thick mill saves 60 · 2 − 30 s less its change. Without the thin one the last mill takes 10 levels.
	if len(got) != 2 || got[0] != (MillChoice{"thick", "", 80}) || got[1] != (MillChoice{"thin", "", 40*10*10 - 170}) {
		t.Errorf("explanation %+v", got)
	}
}
