package datasheets

// Datasheets of one part in two files: pairs of identical features, and the figures in which they differ.
//
// Two features are identical if they have one kind and one position, the middle of their faces. All figures have to
// agree: lengths and angles to SameLength, areas and volumes to those of a skin of that thickness. For a feature that
// is accessible from several sides, the position of the part determines the direction. If the directions are opposite,
// only figures independent of position are compared; if they are perpendicular, no figures are compared.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// SameLength (mm, °) is the maximum difference of equal figures.
	SameLength = 0.01

	samePlace     = 0.02 // of the size of a feature, and mm: between two meshes of it
	sameDirection = 1e-3 // rad
)

// Sheets are the features of a part with their datasheets.
type Sheets struct {
	Run    *recognize.Recognition
	Sheets []feature.Datasheet
}

// Difference is the result of the comparison of two lists of features.
type Difference struct {
	Features, Found int // of both lists, and those of them that the other has
	Aside           int // those of them that are seen from another side
	Figures, Equal  int
	Notes           []string // what differs
}

// Compare holds a rewritten part against the first, which the move takes to where it lies.
func Compare(first, again Sheets, move geom.Transform) Difference {
	a, b := placesOf(first, move), placesOf(again, geom.Identity)
	out := Difference{Features: len(a) + len(b)}
	for len(a) > 0 {
		f := a[0]
		a = a[1:]
		k := f.nearest(b)
		if k < 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("only before: %s", f.text()))
			continue
		}
		out.Found += 2
		if !f.isAlong(&b[k]) {
			out.Aside += 2
		}
		out.figures(&f, &b[k])
		b = slices.Delete(b, k, k+1)
	}
	for i := range b {
		out.Notes = append(out.Notes, fmt.Sprintf("only after: %s", b[i].text()))
	}
	return out
}

// place is a feature where it lies.
type place struct {
	id     int
	f      *feature.Feature
	dir    geom.Vec3
	middle geom.Vec3
	size   float64
	leaves map[string]any
}

func (p *place) text() string {
	return fmt.Sprintf("#%d %s along %.3f at %.2f", p.id, p.f.Type, p.dir, p.middle)
}

func placesOf(s Sheets, move geom.Transform) []place {
	out := make([]place, len(s.Sheets))
	g := s.Run.Graph
	for i := range out {
		f := &s.Run.Features[i]
		sum, area := geom.Vec3{}, 0.0
		for _, r := range f.Regions {
			for t := g.Mesh.Regions[r].Start; t < g.Mesh.Regions[r].End; t++ {
				v := g.Mesh.Triangles[t]
				m := g.Mesh.Points[v[0]].Add(g.Mesh.Points[v[1]]).Add(g.Mesh.Points[v[2]])
				sum, area = sum.AddScaled(g.Areas[t]/3, m), area+g.Areas[t]
			}
		}
		middle := move.Point(sum.Scale(1 / max(area, speck)))
		out[i] = place{i, f, move.Dir(f.Direction), middle, math.Sqrt(area), map[string]any{}}
		d := s.Sheets[i]
		if h, ok := d.Facts.(*feature.HoleFacts); ok {
			moved := *h
			moved.Center, moved.Axis = move.Point(h.Center), move.Dir(h.Axis)
			d.Facts = &moved
		}
		text, _ := json.Marshal(d) // of finite numbers and strings
		var whole map[string]any
		_ = json.Unmarshal(text, &whole)
		flatten(out[i].leaves, "", whole)
	}
	return out
}

// flatten lists the leaves of a document by path.
func flatten(leaves map[string]any, path string, x any) {
	switch x := x.(type) {
	case map[string]any:
		for k, v := range x {
			flatten(leaves, path+"."+k, v)
		}
	case []any:
		leaves[path+".count"] = float64(len(x))
		for i, v := range x {
			flatten(leaves, fmt.Sprintf("%s.%d", path, i), v)
		}
	default:
		leaves[path] = x
	}
}

// nearest returns the index of the identical feature, -1 if there is none. Among several it takes the one with the most
// equal figures.
func (p *place) nearest(all []place) int {
	best, least := -1, math.Inf(1)
	for i := range all {
		o := &all[i]
		if o.f.Type != p.f.Type || o.middle.Dist(p.middle) > samePlace*(1+max(o.size, p.size)) {
			continue
		}
		n := float64(len(p.differences(o))) + o.middle.Dist(p.middle)
		if !p.isAlong(o) {
			n += float64(len(p.leaves))
		}
		if n < least {
			best, least = i, n
		}
	}
	return best
}

// isAlong reports whether two features are seen from the same side.
func (p *place) isAlong(o *place) bool { return o.dir.Dist(p.dir) <= sameDirection }

// places are the figures that say where a feature lies along its direction, or which of its ends is up.
var places = regexp.MustCompile(`(?i)z(min|max)|center|axis|segments|limitingZ|counterbore|countersink|tip|bottom$`)

// figures counts the equal figures of two features.
func (l *Difference) figures(a, b *place) {
	wrong := a.differences(b)
	l.Figures += len(a.leaves)
	l.Equal += len(a.leaves) - min(len(wrong), len(a.leaves))
	if len(wrong) > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("%s: %s", a.text(), strings.Join(wrong, ", ")))
	}
}

// differences lists the figures that differ.
func (p *place) differences(o *place) []string {
	var out []string
	isAlong := p.isAlong(o)
	if !isAlong && o.dir.Add(p.dir).Norm() > sameDirection {
		return nil
	}
	names := maps.Clone(p.leaves)
	maps.Copy(names, o.leaves)
	for _, name := range slices.SortedFunc(maps.Keys(names), cmp.Compare[string]) {
		a, hasA := p.leaves[name]
		b, hasB := o.leaves[name]
		if !isAlong && places.MatchString(name) {
			continue
		}
		if hasA != hasB || !same(name, a, b) {
			out = append(out, fmt.Sprintf("%s %v, after %v", strings.TrimPrefix(strings.TrimPrefix(name, "."), "facts."), a, b))
		}
	}
	return out
}

// same compares two figures of one name.
func same(name string, a, b any) bool {
	x, ok := a.(float64)
	y, also := b.(float64)
	if !ok || !also {
		return a == b
	}
	tolerance := SameLength
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, "area"):
		tolerance *= 4 * math.Sqrt(max(1, x, y))
	case strings.HasSuffix(name, "volume"):
		tolerance *= 6 * math.Cbrt(max(1, x, y)*max(1, x, y))
	case strings.HasSuffix(name, "fraction"):
		tolerance *= 0.1
	}
	return math.Abs(x-y) <= tolerance
}
