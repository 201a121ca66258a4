package planning

// Prices of the work that a plan leaves, made in the cheapest way.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/graph"
)

// Usual times and prices in shops.
const (
	pickUpSeconds = 60  // to take up a part at the bench
	cornerSeconds = 120 // to file a sharp inner corner, or to tap a thread by hand
	edgeSeconds   = 0.1 // s/mm, to break an edge by hand

	toolCents = 12000 // of a special tool

	axesSeconds = 2700 // to set up a machine with rotary axes
	axesLoad    = 120  // s
	axesRate    = 2    // of its hour, over that of the machine of the cut config

	latheSeconds, latheLoad = 1800, 120 // to set up a lathe, and for each part
)

// Bench returns the price of filing an area (mm²) of each part.
func Bench(c *machining.CutConfig, area float64) *completeness.Price {
	return benchFor(c, byHand*area)
}

func benchFor(c *machining.CutConfig, seconds float64) *completeness.Price {
	return &completeness.Price{Cents: rated(c, pickUpSeconds+seconds), Way: completeness.AtBench}
}

// rated returns the price of some time, cents.
func rated(c *machining.CutConfig, seconds float64) int {
	const hour = 3600
	return int(math.Round(seconds * float64(c.HourlyRateCents) / hour))
}

// priceOf returns the price of work that is left; nil where no way is known, or it is not wanted.
func (p *planner) priceOf(u *Unmachinable) *completeness.Price {
	c, n := &p.in.Config, p.batch()
	share := func(way completeness.Way, rate, once, each float64) *completeness.Price {
		return &completeness.Price{Cents: int(math.Round(rate * float64(rated(c, once/n+each)))), Way: way}
	}
	area, isOpen := 0.0, false
	var seen []int32
	for _, r := range u.Regions {
		if q := p.g.PatchOf[r]; q != graph.None && !slices.Contains(seen, q) {
			seen = append(seen, q)
			area += p.g.Patches[q].Area
			isOpen = isOpen || !p.g.Patches[q].Enclosed
		}
	}
	bench := Bench(c, area)
	tool := &completeness.Price{Cents: int(math.Round(toolCents / n)), Way: completeness.ByTool}
	setup := share(completeness.BySetup, 1, c.Machine.SetupSeconds, c.Machine.LoadSeconds)
	axes := share(completeness.ByAxes, axesRate, axesSeconds, axesLoad)
	switch u.Reason {
	case completeness.NoToolFits, completeness.OutOfReach:
		return cheapest(bench, tool)
	case completeness.SetupCostsMore, completeness.HeldThere:
		return cheapest(bench, setup)
	case completeness.Unheld:
		fixture := share(completeness.BySetup, 1, c.Machine.SetupSeconds, c.Machine.LoadSeconds)
		fixture.Cents += int(math.Round(float64(p.fixtureCents()) / n))
		return cheapest(bench, fixture)
	case completeness.NeedsMoreAxes:
		return cheapest(bench, axes)
	case completeness.Undercut:
		return cheapest(tool, axes)
	case completeness.NotAccessible:
		if isOpen {
			return axes
		}
	case completeness.Turned:
		return share(completeness.ByTurning, 1, latheSeconds, latheLoad)
	case completeness.SharpCorner:
		return benchFor(c, cornerSeconds*float64(max(len(u.Corners), 1)))
	case completeness.ThreadNotStated:
		return benchFor(c, cornerSeconds)
	case completeness.EdgeNotBroken:
		return benchFor(c, edgeSeconds*u.length)
	}
	return nil
}

// cheapest returns the first of the lowest prices.
func cheapest(list ...*completeness.Price) *completeness.Price {
	return slices.MinFunc(list, func(a, b *completeness.Price) int { return cmp.Compare(a.Cents, b.Cents) })
}
