// Package dfm reports the features of a part's design that make it expensive or impossible to machine. A finding has
// the value, the limit that it exceeds, and a change that would correct it.
package dfm

// Method: values of datasheets are compared with the limits of a table (limit.go), each feature separately. Findings
// with equal kind, value and sentence are merged for all their features. A feature without a datasheet uses the
// measurement of its hole during recognition, if it is a hole.
//
// Limits: the limits are for metal. A wall is thin only if the datasheet has its thickness.
//
// Cost: linear in features.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"millwright.dev/millwright/core/feature"
)

// Part is the input of the check.
type Part struct {
	Features []Feature
	Left     []Unmachined
}

// Feature is a feature with its available measurements.
type Feature struct {
	Regions []int
	Hole    *feature.HoleFacts // of a hole without a datasheet
	Sheet   *feature.Datasheet // nil: not measured
}

// Unmachined is a set of faces of no feature.
type Unmachined struct {
	Feature int // feature with the faces, -1 without one
	Regions []int
	Area    float64 // mm²
	Reason  string  // one of the Reason constants of package feature
	Detail  string
}

// Finding is a proposed change of the design.
type Finding struct {
	Kind     Kind
	Severity Severity
	Features []int   // of the part, ascending; empty for faces only
	Regions  []int   // ascending
	Value    float64 // in the unit of the kind
	Limit    float64 // exceeded limit
	Sentence string
	Remedy   string
}

// finder collects findings.
type finder struct{ out []Finding }

// Check returns the findings of a part: problems first, then by kind, then by lowest feature.
func Check(p *Part) []Finding {
	f := finder{out: []Finding{}}
	for i := range p.Features {
		x := &p.Features[i]
		switch {
		case x.Sheet != nil:
			f.sheet(i, x)
		case x.Hole != nil:
			f.hole(i, x, x.Hole)
		}
	}
	for i := range p.Left {
		f.left(&p.Left[i])
	}
	slices.SortStableFunc(f.out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(rank(a.Severity), rank(b.Severity)), cmp.Compare(order(a.Kind), order(b.Kind)))
	})
	return f.out
}

func rank(s Severity) int { return slices.Index([]Severity{Problem, Advice}, s) }

func order(k Kind) int {
	return slices.Index([]Kind{Unreachable, SharpCorner, ThinWall, DeepHole, DeepPocket, SmallTool, TightTolerance}, k)
}

// sheet checks one datasheet.
func (f *finder) sheet(i int, x *Feature) {
	f.tolerance(i, x)
	switch facts := x.Sheet.Facts.(type) {
	case *feature.HoleFacts:
		f.hole(i, x, facts)
	case *feature.PocketFacts:
		f.pocket(i, x, facts)
	case *feature.WallFacts:
		if t := facts.Thickness; t != nil {
			f.add(ThinWall, i, x, *t, "The wall is %s mm thick and %s mm high.", *t, facts.Height)
		}
		f.corner(i, x, "wall", facts.MinConcaveRadius)
	case *feature.ProfileFacts:
		f.corner(i, x, "profile", facts.MinConcaveRadius)
	case *feature.BossFacts:
		f.corner(i, x, "boss", facts.MinConcaveRadius)
	case *feature.SurfaceFacts:
		if r := facts.MinConcaveRadius; r != nil && *r > 0 {
			f.add(SmallTool, i, x, 2**r, "A hollow of the surface has a radius of %s mm: no larger ball than ⌀%s fits.",
				*r, 2**r)
		}
	}
}

func (f *finder) hole(i int, x *Feature, h *feature.HoleFacts) {
	if h.Diameter <= 0 {
		return
	}
	f.add(DeepHole, i, x, h.Depth/h.Diameter, "The hole of ⌀%s is %s mm deep.", h.Diameter, h.Depth)
	f.add(SmallTool, i, x, h.Diameter, "The hole asks for a drill of ⌀%s.", h.Diameter)
}

func (f *finder) pocket(i int, x *Feature, p *feature.PocketFacts) {
	tool, what := p.NarrowestWidth, "a gap of "+number(p.NarrowestWidth)+" mm"
	if r := p.MinCornerRadius; r != nil && *r > 0 && (tool <= 0 || 2**r < tool) {
		tool, what = 2**r, "a corner of radius "+number(*r)+" mm"
	}
	f.corner(i, x, "pocket", p.MinCornerRadius)
	if tool <= 0 {
		return
	}
	f.add(DeepPocket, i, x, p.Depth/tool, "The pocket is %s mm deep, with "+what+" in it.", p.Depth)
	f.add(SmallTool, i, x, tool, "The pocket has "+what+": its tool is ⌀%s at most.", tool)
}

// corner checks the smallest concave radius of walls.
func (f *finder) corner(i int, x *Feature, name string, radius *float64) {
	switch {
	case radius == nil:
	case *radius <= 0:
		f.say(SharpCorner, Problem, i, x, 0, 0,
			fmt.Sprintf("The %s has an inner corner without a radius: no round tool makes it.", name))
	case name != "pocket":
		f.add(SmallTool, i, x, 2**radius, "The "+name+" has an inner corner of radius %s mm: its tool is ⌀%s at most.",
			*radius, 2**radius)
	}
}

// tolerance checks the tighter of the two bands that the file states for a feature.
func (f *finder) tolerance(i int, x *Feature) {
	t := &x.Sheet.ToleranceBand
	if t.Source != feature.ToleranceFromPMI {
		return
	}
	width := math.Inf(1)
	for _, w := range [2]float64{2 * (t.RadialUpper - t.RadialLower), t.AxialUpper - t.AxialLower} {
		if w > 0 {
			width = min(width, w)
		}
	}
	if !math.IsInf(width, 1) {
		f.add(TightTolerance, i, x, width, "A tolerance of %s mm is stated in all.", width)
	}
}

// left checks faces of no feature. Faces visible from other directions are machined in their setups.
func (f *finder) left(l *Unmachined) {
	if l.Reason != feature.ReasonNotVisible && l.Reason != feature.ReasonUndercut || l.Area <= 0 {
		return
	}
	x, i := Feature{Regions: l.Regions}, l.Feature
	f.say(Unreachable, Problem, i, &x, l.Area, 0, l.Detail)
}

// add adds a finding for a value beyond a limit, with a sentence about numbers in mm.
func (f *finder) add(k Kind, i int, x *Feature, value float64, format string, numbers ...float64) {
	b := bounds[k]
	severity, limit, breaks := b.judge(value)
	if !breaks {
		return
	}
	words := make([]any, len(numbers))
	for n, v := range numbers {
		words[n] = number(v)
	}
	f.say(k, severity, i, x, value, limit, fmt.Sprintf(format, words...))
}

// say adds a finding, or a feature to one that is the same.
func (f *finder) say(k Kind, s Severity, i int, x *Feature, value, limit float64, sentence string) {
	for n := range f.out {
		if o := &f.out[n]; i >= 0 && o.Kind == k && o.Sentence == sentence && k != Unreachable {
			o.Features = append(o.Features, i)
			o.Regions = append(o.Regions, x.Regions...)
			slices.Sort(o.Regions)
			return
		}
	}
	one := Finding{
		Kind: k, Severity: s, Features: []int{}, Regions: slices.Sorted(slices.Values(x.Regions)),
		Value: value, Limit: limit, Sentence: sentence, Remedy: bounds[k].remedy,
	}
	if i >= 0 {
		one.Features = append(one.Features, i)
	}
	f.out = append(f.out, one)
}

// number shows a length to a hundredth, without trailing zeros.
func number(v float64) string {
	const places = 100
	return strconv.FormatFloat(math.Round(v*places)/places, 'f', -1, 64)
}
