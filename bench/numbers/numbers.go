// Package numbers checks the figures of datasheets by brute force: nothing but a fine mesh of the part and the faces
// of each feature, looked at through columns on a grid, sections and discs. It shares no code with what it checks.
//
// A figure agrees when it lies between the bounds that the resolution of the check leaves: a cell of the grid, the
// chords of the mesh, the cells along the rim of a plan.
package numbers

import (
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/mesh"
)

// FineChord (mm) and FineAngle (rad) are the tolerances that meshes for the check are to have.
const (
	FineChord = 0.01
	FineAngle = 0.1
)

// Row is one figure of a datasheet, with the bounds that the check gives for it, NaN for none.
type Row struct {
	Feature int
	Kind    feature.Type
	Figure  string
	Sheet   float64
	Lo, Hi  float64
}

// Agrees reports whether the figure lies within the bounds.
func (r *Row) Agrees() bool {
	if math.IsNaN(r.Lo) || math.IsNaN(r.Sheet) {
		return math.IsNaN(r.Lo) && math.IsNaN(r.Sheet)
	}
	return r.Lo <= r.Sheet && r.Sheet <= r.Hi
}

// Checks reports whether features of a kind have figures that are checked.
func Checks(kind feature.Type) bool {
	return slices.Contains([]feature.Type{feature.Pocket, feature.Boss, feature.Wall, feature.Profile}, kind)
}

// part is a part under the check.
type part struct{ m *mesh.Mesh }

// Check measures one feature anew and returns its figures; none when it cannot be seen along its direction.
func Check(m *mesh.Mesh, f *feature.Feature, d *feature.Datasheet) []Row {
	p := &part{m}
	var rows []Row
	add := func(figure string, sheet, lo, hi float64) {
		rows = append(rows, Row{Kind: f.Type, Figure: figure, Sheet: sheet, Lo: lo, Hi: hi})
	}
	switch k := d.Facts.(type) {
	case *feature.PocketFacts:
		p.pocket(f, d, k, add)
	case *feature.BossFacts:
		p.upright(f, add, map[string]*float64{"minConcaveRadius": k.MinConcaveRadius})
	case *feature.WallFacts:
		p.upright(f, add, map[string]*float64{"minConcaveRadius": k.MinConcaveRadius})
	case *feature.ProfileFacts:
		p.upright(f, add, map[string]*float64{"minConcaveRadius": k.MinConcaveRadius, "minConvexRadius": k.MinConvexRadius})
	}
	return rows
}

func value(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

type adder func(figure string, sheet, lo, hi float64)

func (p *part) pocket(f *feature.Feature, d *feature.Datasheet, k *feature.PocketFacts, add adder) {
	v := newView(f.Direction)
	base, top := p.base(f, &v)
	lo, hi, z := p.box(f.Regions, &v)
	if z.Length() <= 3*FineChord && len(base) == 0 {
		return
	}
	small := min(hi.X-lo.X, hi.Y-lo.Y)
	if k.NarrowestWidth > 0 {
		small = min(small, k.NarrowestWidth)
	}
	margin, h := 0.1*small, small/60
	if k.IsOpen {
		margin = max(margin, min(k.MaxClearingDiameter, k.Length))
	}
	g := newGrid(lo, hi, margin, h)
	var pl *plan
	if len(base) > 0 {
		pl = p.newPlan(f, &v, base, g, max(z.Hi, d.ZMax))
	} else {
		pl = p.newPassage(f, &v, g, z)
		top = z.Lo
	}
	if pl.size < 50 {
		return
	}
	a, b := pl.clearing(max(k.Length, k.MaxClearingDiameter))
	add("maxClearingDiameter", k.MaxClearingDiameter, a, b)
	gap, _ := pl.narrowest()
	add("narrowestWidth", k.NarrowestWidth, gap-2.5*pl.h, gap+2.5*pl.h)
	c := p.planCorners(pl, &v, top, max(z.Hi, d.ZMax))
	p.addCorner(add, "minCornerRadius", value(k.MinCornerRadius), c)
	if len(base) > 0 {
		fillet := p.fillets(pl, f.Regions, &v, z.Lo, top+rise(z.Hi-top), z.Hi)
		if !fillet.ok {
			fillet = radii{ok: true}
		}
		p.addCorner(add, "floorRadius", k.FloorRadius, fillet)
	}
}

// upright compares the corners of walls, in sections of their own faces alone.
func (p *part) upright(f *feature.Feature, add adder, sheet map[string]*float64) {
	v := newView(f.Direction)
	found := map[string]*radii{"minConcaveRadius": {}, "minConvexRadius": {}}
	_, _, z := p.box(f.Regions, &v)
	for _, share := range [5]float64{0.03, 0.25, 0.5, 0.75, 0.97} {
		linked, closed := chains(section(p.m, f.Regions, &v, z.Lo+share*z.Length()+1e-7))
		for i, c := range linked {
			for _, r := range split(c, closed[i], func(s *side) bool {
				lean := math.Abs(s.normal.Dot(v.z)) // what leans counts at its foot
				return lean <= 0.003 || share < 0.1 && lean <= wallSlope
			}) {
				found["minConcaveRadius"].join(corners(r.sides, r.closed, 1))
				if round := corners(r.sides, false, -1); round.most > 0 { // of a whole circle as well
					found["minConvexRadius"].join(round)
				}
			}
		}
	}
	for _, figure := range [2]string{"minConcaveRadius", "minConvexRadius"} {
		if x, ok := sheet[figure]; ok {
			p.addCorner(add, figure, value(x), *found[figure])
		}
	}
}

// addCorner adds a radius, which a chord's error may change.
func (p *part) addCorner(add adder, figure string, sheet float64, c radii) {
	if !c.ok {
		add(figure, sheet, math.NaN(), math.NaN())
		return
	}
	add(figure, sheet, c.least*0.98-FineChord/2, c.most*1.02+FineChord/2)
}
