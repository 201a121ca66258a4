// Package datasheets checks the figures of datasheets by brute force. It uses only a fine mesh of the part and the
// faces of each feature, sampled by columns on a grid, sections and discs. It shares no code with the code under test.
//
// A figure agrees when it lies between the bounds that the resolution of the check permits: a cell of the grid, the
// chords of the mesh, the cells along the boundary of a plan.
package datasheets

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// FineChord (mm) and FineAngle (rad) are the tolerances that meshes for the check are to have.
const (
	FineChord = 0.01
	FineAngle = 0.1
)

// Row is one figure of a datasheet, with the bounds from the check, NaN for a missing bound.
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

// Checks reports whether a feature has figures to check. An external thread has the figures of the surface on which it
// is cut.
func Checks(f *feature.Feature) bool {
	return slices.Contains([]feature.Type{feature.Pocket, feature.Boss, feature.Wall, feature.Profile}, f.Type) && !f.HasOuterThread()
}

// part is a part under the check.
type part struct {
	m     *mesh.Mesh
	doubt float64 // share of a radius
}

const (
	ofArcs   = 0.015 // doubt
	ofCoarse = 0.02  // where a file has only its own, coarser mesh
)

const leastPlan = 50 // cells: of less nothing is told

// Check measures one feature again and returns its figures, or no rows if it is not visible along its direction.
func Check(m *mesh.Mesh, f *feature.Feature, d *feature.Datasheet) []Row {
	p := &part{m, ofArcs}
	if p.chord(f.Regions) > 2*FineChord {
		p.doubt = ofCoarse
	}
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
	from, to, z := p.box(f.Regions, &v)
	if z.Length() <= 3*FineChord && len(base) == 0 {
		return
	}
	small := min(to.X-from.X, to.Y-from.Y)
	if k.NarrowestWidth > 0 {
		small = min(small, k.NarrowestWidth)
	}
	margin, h := 0.1*small, small/150
	if k.IsOpen || k.MaxClearingDiameter > 1.05*k.NarrowestWidth { // it reaches out
		margin = max(margin, min(k.MaxClearingDiameter, k.Length))
	}
	g := newGrid(from, to, margin, h, k.NarrowestWidth/8)
	var pl *plan
	opens := 0.0 // by what walls that lean are further apart where they are looked at
	if len(base) > 0 {
		pl = p.newPlan(f, &v, base, nil, g, max(z.Hi, d.ZMax))
	} else {
		if pl = p.newPassage(f, &v, g, z, math.Inf(1)); pl.size < leastPlan { // roofed over: a tool comes from below
			pl = p.newPassage(f, &v, g, z, z.Hi)
		}
		top, opens = z.Lo, 2*rise(z.Length())*p.lean(f.Regions, &v)
	}
	if pl.size < leastPlan {
		return
	}
	a, b := pl.clearing(max(k.Length, k.MaxClearingDiameter), k.MaxClearingDiameter)
	coarse := 2 * (p.chord(f.Regions) - FineChord)
	a, b = a-coarse-opens, b+coarse
	low, high, floors, lowest := top, max(z.Hi, d.ZMax), base, z.Lo
	isTrough := len(base) > 0 && high-top < 3*FineChord // no wall extends above the fillets, which end at one height
	if isTrough {
		low, z.Lo, floors = below(top, lowest, 0.05), below(top, lowest, 0.05), nil
	}
	mouth := geom.Interval{Lo: z.Lo, Hi: high}
	stands := p.standing(pl, f, &v, base, mouth.Hi)
	gap, least := p.narrowest(stands, f, &v, floors, mouth)
	if isTrough { // its width is that of its opening
		mouth.Lo = below(top, lowest, 0.005)
		if rim, _ := p.narrowest(stands, f, &v, nil, mouth); !math.IsInf(rim, 1) {
			gap = max(gap, rim)
		}
	}
	p.addWidth(add, pl, k.NarrowestWidth, geom.Interval{Lo: least, Hi: gap}, opens)
	c := p.planCorners(pl, floors, &v, low, high)
	p.addCorner(add, "minCornerRadius", value(k.MinCornerRadius), c)
	if len(base) > 0 {
		fillet := p.fillets(pl, f.Regions, &v, z.Lo, top+rise(z.Hi-top), z.Hi)
		if !fillet.ok {
			fillet = radii{ok: true}
		}
		p.addCorner(add, "floorRadius", k.FloorRadius, fillet)
		if p.isTrough(base, &v) && fillet.least > 0 {
			a, b = min(a, 2*fillet.least*(1-p.doubt)-FineChord), min(b, 2*fillet.most*(1+p.doubt)+FineChord)
		}
	}
	add("maxClearingDiameter", k.MaxClearingDiameter, a, b)
}

// standing returns the plan up to where walls stand, fillets of other features at their feet included.
func (p *part) standing(pl *plan, f *feature.Feature, v *view, base []int, top float64) *plan {
	if fillets := p.filletsAt(f, v, base); len(fillets) > 0 {
		return p.newPlan(f, v, base, fillets, *pl.grid, top)
	}
	return pl
}

// addWidth adds the narrowest width: the gap that was found, or, without walls that face each other, that of the
// largest disc, less by how much walls that lean open.
func (p *part) addWidth(add adder, pl *plan, sheet float64, gap geom.Interval, opens float64) {
	if !math.IsInf(gap.Hi, 1) {
		off := min(2*FineChord, 0.05*gap.Lo)
		add("narrowestWidth", sheet, 0.99*gap.Lo-off, 1.01*gap.Hi+off)
		return
	}
	widest := pl.widest()
	least := widest - 2.5*pl.h - opens
	if widest < 5*pl.h { // the walls meet
		least = 0
	}
	add("narrowestWidth", sheet, least, widest+2.5*pl.h)
}

// below returns the height at a share of a depth under its top, where a section still finds something.
func below(top, lowest, share float64) float64 { return top - max(FineChord, share*(top-lowest)) }

// upright compares the corners of walls, in sections of their own faces alone.
func (p *part) upright(f *feature.Feature, add adder, sheet map[string]*float64) {
	v := newView(f.Direction)
	found := map[string]*radii{"minConcaveRadius": {}, "minConvexRadius": {}}
	_, _, z := p.box(f.Regions, &v)
	upright := p.leastLeans(f.Regions, &v)
	for _, share := range p.heights(f, &v, z) {
		linked, closed := chains(section(p.m, f.Regions, &v, z.Lo+share*z.Length()+1e-7))
		for i, c := range linked {
			for _, r := range split(c, closed[i], func(s *side) bool {
				return math.Abs(s.normal.Dot(v.z)) <= upright[s.region]+0.003
			}) {
				found["minConcaveRadius"].join(corners(r.sides, r.closed, 1))
				if round := corners(r.sides, false, -1); round.most > 0 { // of a whole circle as well
					found["minConvexRadius"].join(round)
				}
			}
			for _, r := range split(c, closed[i], func(s *side) bool { return math.Abs(s.normal.Dot(v.z)) <= wallSlope }) {
				if c := corners(r.sides, r.closed, 1); c.ok && c.most == 0 { // a mitre of fillets
					found["minConcaveRadius"].join(c)
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

// leastLeans returns the least lean of each region. A part with more lean, such as a flare at the base, is not a wall,
// nor are fillets and edge rounds.
func (p *part) leastLeans(regions []int, v *view) map[int32]float64 {
	out := map[int32]float64{}
	for _, r := range regions {
		least, most := 1.0, 0.0
		for _, n := range p.m.Regions[r].Normals {
			lean := math.Abs(n.Dot(v.z))
			least, most = min(least, lean), max(most, lean)
		}
		if most <= wallSlope {
			out[int32(r)] = least + 0.02
		}
	}
	return out
}

// heights returns where to cut through the walls of a feature, as shares of its height: near both ends, and near those
// and in the middle of each face.
func (p *part) heights(f *feature.Feature, v *view, z geom.Interval) []float64 {
	const steps = 1e5
	out := []float64{0.03, 0.97}
	for _, r := range f.Regions {
		_, _, own := p.box([]int{r}, v)
		for _, share := range [3]float64{0.02, 0.5, 0.98} {
			out = append(out, math.Round((own.Lo+share*own.Length()-z.Lo)/z.Length()*steps)/steps)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// addCorner adds a radius, which a chord's error may change.
func (p *part) addCorner(add adder, figure string, sheet float64, c radii) {
	if !c.ok {
		add(figure, sheet, math.NaN(), math.NaN())
		return
	}
	add(figure, sheet, c.least*(1-p.doubt)-FineChord/2, c.most*(1+p.doubt)+FineChord/2)
}
