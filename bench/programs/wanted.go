package programs

import (
	"cmp"
	"math"
	"slices"
)

// Figure is one figure of all programs of a cut config that are made.
type Figure struct {
	Config string  `json:"config"`
	Name   string  `json:"name"`
	Median float64 `json:"median"`
	// Worst is the bound of the worst 5 %: 95 % of the programs are as good or better.
	Worst        float64  `json:"worst"`
	MedianWanted *float64 `json:"medianWanted,omitempty"`
	WorstWanted  *float64 `json:"worstWanted,omitempty"`
	Missed       bool     `json:"missed"`
}

// wanted is a figure with its bounds, those that a good programmer keeps.
type wanted struct {
	name          string
	of            func(*Row) float64
	more          bool // is better
	median, worst *float64
}

// figures are the figures of a summary.
var figures = []wanted{
	{name: "cycle / target", of: func(r *Row) float64 { return r.CycleRatio }, median: new(1.3), worst: new(2.0)},
	{name: "roughing / target", of: func(r *Row) float64 { return r.RoughRatio }, median: new(1.4)},
	{name: "rate / preset", of: func(r *Row) float64 { return r.Roughing.RateShare }, more: true, median: new(0.5)},
	{name: "air", of: func(r *Row) float64 { return r.Roughing.Air }, median: new(0.1)},
	{name: "levels / needed", of: func(r *Row) float64 { return r.Roughing.Levels }, median: new(1.1)},
	{name: "arc over 110 %", of: func(r *Row) float64 { return r.Roughing.Over }, worst: new(0.001)},
	{name: "arc over 130 %", of: func(r *Row) float64 { return r.Roughing.FarOver }, worst: new(0.0)},
	{name: "slots", of: func(r *Row) float64 { return r.Roughing.Slots }},
	{name: "reduced feed", of: func(r *Row) float64 { return r.Roughing.Slow }},
	{name: "entries", of: func(r *Row) float64 { return r.Roughing.Entry }},
	{name: "tools to 2 mm", of: func(r *Row) float64 { return r.Roughing.Small }},
	{name: "made", of: func(r *Row) float64 { return r.Removed }, more: true},
	{name: "setups", of: func(r *Row) float64 { return float64(r.Setups) }},
	{name: "tools", of: func(r *Row) float64 { return float64(r.Tools) }},
	{name: "price, USD", of: func(r *Row) float64 { return float64(r.Cents) / 100 }},
}

// Figures sums up the programs that are made, by cut config in the order of the rows.
func Figures(rows []*Row) (out []Figure) {
	var configs []string
	byConfig := map[string][]*Row{}
	for _, r := range rows {
		if r.Target == nil {
			continue
		}
		if byConfig[r.Config] == nil {
			configs = append(configs, r.Config)
		}
		byConfig[r.Config] = append(byConfig[r.Config], r)
	}
	for _, c := range configs {
		for i := range figures {
			out = append(out, figures[i].sum(c, byConfig[c]))
		}
	}
	return out
}

// sum sums up one figure.
func (w *wanted) sum(config string, rows []*Row) Figure {
	values := make([]float64, len(rows))
	for i, r := range rows {
		values[i] = w.of(r)
	}
	sign := 1.0
	if w.more {
		sign = -1
	}
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(sign*a, sign*b) })
	const best = 0.95
	n := len(values)
	f := Figure{Config: config, Name: w.name, MedianWanted: w.median, WorstWanted: w.worst}
	f.Median = (values[(n-1)/2] + values[n/2]) / 2
	f.Worst = values[int(math.Ceil(best*float64(n)))-1]
	misses := func(v float64, most *float64) bool { return most != nil && sign*v > sign**most }
	f.Missed = misses(f.Median, w.median) || misses(f.Worst, w.worst)
	return f
}
