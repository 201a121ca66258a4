package recognition

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/process"
	"millwright.dev/millwright/core/kernel/geom"
)

// Within which a size that was read from a table of faces must be met, and a direction of three digits.
const (
	readLength    = 0.01 // mm
	readShare     = 1e-4 // of the size
	readAngle     = 0.1  // degrees
	readDirection = 0.2  // degrees
)

// agreement pairs the labels of a part with the features found on it.
type agreement struct {
	label *labeledPart
	part  *Part
	used  []bool // by feature found
	loose []bool // by face: free, or of a label that may have it or not, or that need not be
	taken []*claim
	pair  []int // of taken: the feature found, or -1
}

// agree pairs each label with at most one feature. Where a label allows several readings, the one by which
// the least is wrong counts.
func agree(l *labeledPart, p *Part) *agreement {
	a := &agreement{label: l, part: p, used: make([]bool, len(p.Found)), loose: make([]bool, p.Faces)}
	for _, f := range l.Free {
		a.loose[f] = true
	}
	// Labels that allow no other reading choose first: what they need is not up for choice.
	for _, isOpen := range []bool{false, true} {
		for i := range l.Features {
			if c := &l.Features[i]; !c.Optional && (len(c.Or) > 0) == isOpen {
				a.choose(c)
			}
		}
	}
	for i := range l.Features {
		if c := &l.Features[i]; c.Optional {
			if f := a.find(c, nil); f >= 0 {
				a.used[f] = true
			}
			for _, f := range slices.Concat(c.Faces, c.May) {
				a.loose[f] = true
			}
		}
	}
	return a
}

// choose takes the reading of a label by which the least is wrong, and of such the one of which most is found.
func (a *agreement) choose(c *claim) {
	best := []claim{*c}
	pairs, wrong := a.pairs(best)
	for _, other := range c.Or {
		if p, w := a.pairs(other); w < wrong || w == wrong && paired(p) > paired(pairs) {
			best, pairs, wrong = other, p, w
		}
	}
	for i := range best {
		a.taken = append(a.taken, &best[i])
		a.pair = append(a.pair, pairs[i])
		if pairs[i] >= 0 {
			a.used[pairs[i]] = true
		}
		for _, f := range best[i].May {
			a.loose[f] = true
		}
	}
}

// pairs finds a feature for each claim of a reading. Wrong are claims without one, and features on faces of the
// reading that it does not have.
func (a *agreement) pairs(reading []claim) (pairs []int, wrong int) {
	var faces []int
	var claims []*claim
	for i := range reading {
		f := a.find(&reading[i], pairs)
		claims = append(claims, &reading[i])
		pairs = append(pairs, f)
		faces = append(faces, reading[i].Faces...)
		if f < 0 {
			wrong++
		}
	}
	for i := range a.part.Found {
		f := &a.part.Found[i]
		isOurs := 2*common(f.Faces, faces) > len(f.Faces)
		if isOurs && !a.used[i] && !slices.Contains(pairs, i) && !a.isNeutral(f, claims) {
			wrong++
		}
	}
	return pairs, wrong
}

// paired counts the claims that have a feature.
func paired(pairs []int) (n int) {
	for _, f := range pairs {
		if f >= 0 {
			n++
		}
	}
	return n
}

// find returns the unused feature of the claim's kind that shares the largest part of the faces of both, and more
// than half, or -1.
func (a *agreement) find(c *claim, besides []int) int {
	best, most := -1, 0.5
	for i, f := range a.part.Found {
		if f.Kind != c.Kind || a.used[i] || slices.Contains(besides, i) {
			continue
		}
		if s := sharedFaces(c.Faces, a.strict(c, i)); s > most {
			best, most = i, s
		}
	}
	return best
}

// strict returns the faces of found feature i without those that may be of the claim or not.
func (a *agreement) strict(c *claim, i int) []int {
	return slices.DeleteFunc(slices.Clone(a.part.Found[i].Faces), func(f int) bool {
		return !slices.Contains(c.Faces, f) && (slices.Contains(c.May, f) || slices.Contains(a.label.Free, f))
	})
}

// sharedFaces is the number of faces in both lists over that in either.
func sharedFaces(a, b []int) float64 {
	both := common(a, b)
	return float64(both) / float64(max(len(a)+len(b)-both, 1))
}

// common is the number of faces of a that are in b too.
func common(a, b []int) (n int) {
	for _, f := range a {
		if slices.Contains(b, f) {
			n++
		}
	}
	return n
}

// isNeutral reports whether a feature without a label does not count. It has only faces that are not judged, or it is a
// plane of a contour, which decisions permits as an additional Face.
func (a *agreement) isNeutral(f *Found, contours []*claim) bool {
	if !slices.ContainsFunc(f.Faces, func(i int) bool { return !a.loose[i] }) {
		return true
	}
	return f.Kind == feature.Face && slices.ContainsFunc(contours, func(c *claim) bool {
		return c.Kind == feature.Profile && !slices.ContainsFunc(f.Faces, func(i int) bool {
			return !slices.Contains(c.Faces, i) && !a.loose[i]
		})
	})
}

// made scores the process of a part.
func (r *MachinistReport) made(l *labeledPart, c process.Class) {
	isRight := slices.Contains(l.Process, c.Kind)
	if r.Process.count(isRight); !isRight {
		r.wrong(l, "process is %s, want %q: %s", c.Kind, l.Process, strings.Join(c.Reasons, " "))
	}
	if l.Sheet == nil {
		return
	}
	var got blankOf
	if c.Blank != nil {
		got = blankOf{c.Blank.Thickness, c.Blank.Bends, c.Blank.Flats}
	}
	isRight = math.Abs(got.Thickness-l.Sheet.Thickness) <= readLength && got.Bends == l.Sheet.Bends &&
		got.Flats == l.Sheet.Flats
	if r.Blanks.count(isRight); !isRight {
		r.wrong(l, "its sheet is %+v, want %+v", got, *l.Sheet)
	}
}

// add scores the features of a part.
func (r *MachinistReport) add(l *labeledPart, p *Part) error {
	r.Parts++
	r.Times.add(p.Times)
	a := agree(l, p)
	for i, c := range a.taken {
		f := a.pair[i]
		if f < 0 {
			at(r.Kinds, c.Kind).Missed++
			r.wrong(l, "missed %s %v, taken for %s", c.Kind, c.Faces,
				strings.Join(p.instead(c.Faces), ", "))
			for range c.Faces {
				r.Faces.count(false)
			}
			continue
		}
		at(r.Kinds, c.Kind).Both++
		strict := a.strict(c, f)
		for _, face := range c.Faces {
			r.Faces.count(slices.Contains(strict, face))
		}
		isExact := slices.Equal(strict, c.Faces)
		if r.Exact.count(isExact); !isExact {
			r.wrong(l, "%s %v has faces %v", c.Kind, c.Faces, p.Found[f].Faces)
		}
		if err := r.measured(l, c, p, f); err != nil {
			return err
		}
	}
	for i := range p.Found {
		if f := &p.Found[i]; !a.used[i] && !a.isNeutral(f, a.taken) {
			at(r.Kinds, f.Kind).Extra++
			r.wrong(l, "extra %s %v (%s)", f.Kind, f.Faces, f.Rule)
		}
	}
	return nil
}

func (r *MachinistReport) wrong(l *labeledPart, format string, args ...any) {
	r.Wrong = append(r.Wrong, l.name+": "+fmt.Sprintf(format, args...))
}

// measured compares direction and sizes of found feature i with a claim. The sizes of a feature count as one.
func (r *MachinistReport) measured(l *labeledPart, c *claim, p *Part, i int) error {
	isRight := len(c.Directions) == 0
	got := p.Result.Features[i].Direction
	for _, text := range c.Directions {
		d, err := parseDirection(text)
		if err != nil {
			return err
		}
		isRight = isRight || geom.Degrees(d.Angle(got)) <= readDirection
	}
	if r.Directions.count(isRight); !isRight {
		r.wrong(l, "%s %v has direction %.3v, want %v", c.Kind, c.Faces, got, c.Directions)
	}
	if len(c.Sizes) == 0 {
		return nil
	}
	facts, err := factsOf(p.Sheets[i])
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	isRight = true
	for _, name := range sortedKeys(c.Sizes) {
		var value any = facts
		for step := range strings.SplitSeq(name, ".") {
			below, _ := value.(map[string]any)
			value = below[step]
		}
		if !sameSize(name, value, c.Sizes[name]) {
			isRight = false
			r.wrong(l, "%s %v: %s is %v, want %v", c.Kind, c.Faces, name, plain(value), plain(c.Sizes[name]))
		}
	}
	r.Sizes.count(isRight)
	return nil
}

// sameSize compares values of a datasheet and of a label: numbers within what can be read, others exactly.
func sameSize(name string, got, want any) bool {
	w, isNumber := want.(float64)
	if !isNumber {
		return got == want
	}
	g, ok := got.(float64)
	if strings.HasSuffix(name, "Deg") {
		return ok && math.Abs(g-w) <= readAngle
	}
	return ok && math.Abs(g-w) <= readLength+readShare*math.Abs(w)
}
