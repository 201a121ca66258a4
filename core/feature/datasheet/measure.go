// Package datasheet measures recognized features: the facts that are needed to plan them.
package datasheet

// Measurement of features.
//
// Measurements use the exact boundary if its faces are planes, cylinders, cones, spheres or tori and its edges lines or
// circles. Outlines seen along the feature's direction become plane regions of segments and arcs (package outline,
// measured by geom/planar). Areas and volumes are integrals around the faces (package integral). Freeform faces are as
// exact as their mesh.
//
// The structs of package feature define the fields beyond their names, as do the functions that measure each kind, one
// file per kind.
//
// Cost: linear in the edges of each feature and its neighbors. Clearances around a boss or a wall also examine all
// material of the part above its base.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/gdt/limit"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// Version is part of the key of stored datasheets. It rises whenever some feature measures differently.
const Version = 32

// Options are choices that the part does not state.
type Options struct {
	Class limit.Class // general tolerance class of ISO 2768-1; empty = medium
	// Only selects the features of the run to measure, by index; nil measures all.
	Only []bool
}

// partContext is the data that the measurements of one part share.
type partContext struct {
	g       *graph.Graph
	run     *recognize.Recognition
	opt     Options
	samples *outline.Samples
	owners  [][]int32 // features by patch
	pmi     stated
	extents map[geom.Vec3]*graph.Extents // by direction
	heads   []lazyHeight
	views   map[geom.Vec3]outline.Projection // by direction
	fields  fields
	arounds parallel.Memo[geom.Vec3, *shadow.PointQuery] // by direction
	areas   map[int]float64                              // mm², of the faces of surfaces, by face

	placed    sync.Once
	planes    *graph.PlaneIndex // all planes of the part, see byPlace
	cylinders *graph.AxisIndex  // likewise
}

// lazyHeight is a subject whose height is measured on first use, since most measurements need few others.
type lazyHeight struct {
	once sync.Once
	featureMeasurer
}

// featureMeasurer is one feature being measured.
type featureMeasurer struct {
	f       *feature.Feature
	id      int32 // index in the run
	dir     geom.Vec3
	view    outline.Projection
	patches []int32 // ascending
	z       geom.Interval
	footing float64        // mm along dir: where the walls begin, of a pocket over its fillets
	extents *graph.Extents // of all patches along dir
}

// Measure returns the datasheets of a run's features, in their order; those left out by opt.Only are
// empty. It returns the error of ctx, and one for a feature of a kind that has no datasheet.
func Measure(ctx context.Context, run *recognize.Recognition, opt Options) ([]feature.Datasheet, error) {
	p, err := newPart(ctx, run, opt)
	if err != nil {
		return nil, err
	}
	return p.sheets(ctx)
}

func newPart(ctx context.Context, run *recognize.Recognition, opt Options) (*partContext, error) {
	if opt.Class == "" {
		opt.Class = limit.Medium
	}
	p := &partContext{g: run.Graph, run: run, opt: opt, extents: make(map[geom.Vec3]*graph.Extents),
		views: make(map[geom.Vec3]outline.Projection), fields: fields{along: make(map[geom.Vec3]*field)}}
	p.samples = outline.Sample(p.g)
	p.owners = make([][]int32, len(p.g.Patches))
	p.heads = make([]lazyHeight, len(run.Features))
	p.pmi = statedOn(p.g)
	for i := range run.Features {
		p.heads[i].featureMeasurer = p.featureMeasurer(int32(i))
		for _, q := range p.heads[i].patches {
			p.owners[q] = append(p.owners[q], int32(i))
		}
	}
	if opt.Only == nil { // all are needed: compute them in parallel
		if err := p.layOutExtents(ctx); err != nil {
			return nil, err
		}
	}
	return p, p.freeAreas(ctx)
}

// asked reports whether a feature is to be measured.
func (p *partContext) asked(i int) bool { return p.opt.Only == nil || p.opt.Only[i] }

// byPlace enters the planes and cylinders of the part where they can be found.
func (p *partContext) byPlace() (*graph.PlaneIndex, *graph.AxisIndex) {
	p.placed.Do(func() {
		var all, round []int32
		for i := range p.g.Patches {
			all = append(all, int32(i))
			if p.g.Patches[i].Kind == surface.KindCylinder {
				round = append(round, int32(i))
			}
		}
		p.planes, p.cylinders = p.g.NewPlanes(all), p.g.NewAxes(round)
	})
	return p.planes, p.cylinders
}

// sheets measures the features that are wanted, on all processors: each by itself, so that their
// number changes nothing.
func (p *partContext) sheets(ctx context.Context) ([]feature.Datasheet, error) {
	out := make([]feature.Datasheet, len(p.heads))
	errs := make([]error, len(p.heads))
	err := parallel.For(ctx, len(out), 1, func(i int) {
		if p.asked(i) {
			out[i], errs[i] = p.sheet(p.lazyHeight(int32(i)))
		}
	})
	if err != nil {
		return nil, err
	}
	return out, errors.Join(errs...)
}

func (p *partContext) featureMeasurer(id int32) featureMeasurer {
	f := &p.run.Features[id]
	s := featureMeasurer{f: f, id: id, dir: f.Direction}
	for _, r := range f.Regions {
		if q := p.g.PatchOf[r]; q != graph.None {
			s.patches = append(s.patches, q)
		}
	}
	slices.Sort(s.patches)
	s.patches = slices.Compact(s.patches)
	s.view = p.viewAlong(s.dir)
	if p.extents[s.dir] == nil {
		p.extents[s.dir] = p.g.HeightsAlong(s.dir)
	}
	s.extents = p.extents[s.dir]
	return s
}

// lazyHeight returns a feature of the run with its height.
func (p *partContext) lazyHeight(id int32) *featureMeasurer {
	h := &p.heads[id]
	h.once.Do(func() {
		h.z = h.extents.Union(h.patches)
		if h.f.Pocket != nil && h.z.Length() <= p.g.Length { // all its walls are other features'
			h.z.Hi = h.z.Lo + max(h.f.Pocket.Depth, 0)
		}
		h.footing = p.footing(&h.featureMeasurer)
	})
	return &h.featureMeasurer
}

// footing returns the height at which the walls of a feature begin. For a pocket it is not below the walls: leaning
// walls are further apart over its fillets than at their intersection with its floor.
func (p *partContext) footing(s *featureMeasurer) float64 {
	low := math.Inf(1)
	if s.f.Type == feature.Pocket {
		for _, q := range s.patches {
			if p.isSteep(q, s.dir) {
				low = min(low, s.extents.Of(q).Lo)
			}
		}
	}
	if math.IsInf(low, 1) {
		return s.z.Lo
	}
	return low
}

// freeAreas measures the faces of three-axis features exactly; faces that bound no region keep their mesh area.
func (p *partContext) freeAreas(ctx context.Context) error {
	p.areas = make(map[int]float64)
	var faces []brep.FaceID
	for i := range p.run.Features {
		if p.run.Features[i].Type != feature.Three || !p.asked(i) {
			continue
		}
		for _, f := range p.run.Features[i].Regions {
			faces = append(faces, brep.FaceID(f))
			r := &p.g.Mesh.Regions[f]
			for _, a := range p.g.Areas[r.Start:r.End] {
				p.areas[f] += a
			}
		}
	}
	if len(faces) == 0 {
		return nil
	}
	exact, err := mass.FaceCones(ctx, p.g.Model, faces)
	if err != nil {
		return ctx.Err() // the mesh covers gaps of the exact boundary
	}
	for i, f := range faces {
		p.areas[int(f)] = exact[i].Area
	}
	return nil
}

// viewAlong returns the view along a direction, the same for all subjects.
func (p *partContext) viewAlong(dir geom.Vec3) outline.Projection {
	v, ok := p.views[dir]
	if !ok {
		v = p.samples.Along(p.g, dir)
		p.views[dir] = v
	}
	return v
}

// layOutExtents computes the extents of all patches along the directions of the features.
func (p *partContext) layOutExtents(ctx context.Context) error {
	dirs := slices.Collect(maps.Keys(p.extents)) // in any order: each by itself
	return parallel.For(ctx, len(dirs), 1, func(i int) { p.extents[dirs[i]].Whole() })
}

// sheet measures one feature.
func (p *partContext) sheet(s *featureMeasurer) (feature.Datasheet, error) {
	d := feature.Datasheet{FeatureType: s.f.Type, ZMin: s.z.Lo, ZMax: s.z.Hi}
	ext := p.extended(s)
	d.ExtendedZMin, d.ExtendedZMax = ext.Lo, ext.Hi
	p.surfaces(s, &d)
	var radial, axial float64 // nominal sizes, mm
	switch s.f.Type {
	case feature.Hole:
		h := p.hole(s)
		d.Facts, radial, axial = h, h.Diameter, h.Depth
	case feature.Pocket:
		f := p.pocket(s)
		d.Facts, radial, axial = f, f.Width, f.Depth
	case feature.Boss:
		f := p.boss(s)
		d.Facts, radial, axial = f, f.Width, f.Height
	case feature.Wall:
		f := p.wall(s)
		d.Facts, radial, axial = f, f.Length, f.Height
	case feature.Face:
		f := p.face(s)
		d.Facts, radial, axial = f, f.Length, max(0, s.extents.Whole().Length())
	case feature.Three:
		d.Facts, radial, axial = p.three(s), s.z.Length(), s.z.Length()
	case feature.Chamfer:
		f := p.chamfer(s)
		d.Facts, radial, axial = f, f.Bevel.Slant, f.Bevel.Slant
	case feature.Profile:
		f := p.profile(s)
		d.Facts, radial, axial = f, p.across(s), f.Height
	case feature.Dovetail:
		f := p.dovetail(s)
		d.Facts, radial, axial = f, f.NeckWidth, f.Depth
	case feature.Tslot:
		f := p.tslot(s)
		d.Facts, radial, axial = f, f.NeckWidth, f.NeckDepth+f.SlotHeight
	default:
		return d, fmt.Errorf("datasheet of feature %s: no facts for the kind %q", s.f.Tag, s.f.Type)
	}
	d.ToleranceBand = p.band(s, radial, axial)
	return d, nil
}

// has reports whether the subject contains patch q.
func (s *featureMeasurer) has(q int32) bool {
	_, ok := slices.BinarySearch(s.patches, q)
	return ok
}

// edge returns the edge of arc x.
func (p *partContext) edge(x int32) *brep.Edge { return &p.g.Model.Edges[p.g.Arcs[x].Edge] }
