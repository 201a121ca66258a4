// Package datasheet measures recognised features: the facts that are needed to plan them.
package datasheet

// Measurement of features.
//
// Everything is taken from the exact boundary where its faces are planes, cylinders, cones, spheres or
// tori and its edges lines or circles: outlines seen along the feature's direction become plane
// regions of segments and arcs (package outline, measured by geom/region), areas and volumes are
// integrals round the faces (package integral). Freeform faces are as exact as their mesh.
//
// What the fields mean beyond their names is written with the structs of package feature, and with the
// functions that measure each kind, one file per kind.
//
// Cost: linear in the edges of each feature and its neighbours; clearances round a boss or a wall also
// look at everything of the part that stands higher than its foot.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright/core/brep"
	"millwright/core/brep/mass"
	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/feature/outline"
	"millwright/core/feature/recognize"
	"millwright/core/gdt/limit"
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/parallel"
)

// Options choose what the part does not say.
type Options struct {
	Class limit.Class // of ISO 2768-1, for what carries no tolerance; empty = medium
	// Only says of each feature of the run whether it is to be measured; nil measures all.
	Only []bool
}

// part is what the measurements of one part share.
type part struct {
	g       *graph.Graph
	run     *recognize.Run
	opt     Options
	samples *outline.Samples
	owners  [][]int32 // features by patch
	pmi     stated
	extents map[geom.Vec3]extents // by direction
	heads   []subject
	views   map[geom.Vec3]outline.View // by direction
	fields  fields
	areas   map[int]float64 // mm², of the faces of surfaces, by face

	planes    *graph.Planes // all of the part
	cylinders *graph.Axes   // likewise
}

// subject is one feature being measured.
type subject struct {
	f       *feature.Feature
	id      int32 // index in the run
	dir     geom.Vec3
	view    outline.View
	patches []int32 // ascending
	z       geom.Interval
	extents []geom.Interval // of all patches along dir
	whole   geom.Interval   // of the part along dir
}

// extents are the ranges along a direction of all patches, and that of all of them together.
type extents struct {
	patch []geom.Interval
	whole geom.Interval
}

// Measure returns the datasheets of a run's features, in their order; those left out by opt.Only are
// empty. It returns the error of ctx, and one for a feature of a kind that has no datasheet.
func Measure(ctx context.Context, run *recognize.Run, opt Options) ([]feature.Datasheet, error) {
	p, err := newPart(ctx, run, opt)
	if err != nil {
		return nil, err
	}
	return p.sheets(ctx)
}

func newPart(ctx context.Context, run *recognize.Run, opt Options) (*part, error) {
	if opt.Class == "" {
		opt.Class = limit.Medium
	}
	p := &part{g: run.Graph, run: run, opt: opt, extents: make(map[geom.Vec3]extents),
		views: make(map[geom.Vec3]outline.View), fields: fields{along: make(map[geom.Vec3]*field)}}
	p.samples = outline.Sample(p.g)
	p.owners = make([][]int32, len(p.g.Patches))
	p.heads = make([]subject, len(run.Features))
	p.pmi = statedOn(p.g)
	if err := p.layOutExtents(ctx); err != nil {
		return nil, err
	}
	for i := range run.Features {
		p.heads[i] = p.subject(int32(i))
		for _, q := range p.heads[i].patches {
			p.owners[q] = append(p.owners[q], int32(i))
		}
	}
	p.planes, p.cylinders = byPlace(p.g)
	return p, p.freeAreas(ctx)
}

// byPlace enters the planes and cylinders of a part where they can be found.
func byPlace(g *graph.Graph) (*graph.Planes, *graph.Axes) {
	var all, round []int32
	for i := range g.Patches {
		all = append(all, int32(i))
		if g.Patches[i].Kind == surface.KindCylinder {
			round = append(round, int32(i))
		}
	}
	return g.NewPlanes(all), g.NewAxes(round)
}

// sheets measures the features that are wanted, on all processors: each by itself, so that their
// number changes nothing.
func (p *part) sheets(ctx context.Context) ([]feature.Datasheet, error) {
	out := make([]feature.Datasheet, len(p.heads))
	errs := make([]error, len(p.heads))
	err := parallel.For(ctx, len(out), 1, func(i int) {
		if p.opt.Only == nil || p.opt.Only[i] {
			out[i], errs[i] = p.sheet(&p.heads[i])
		}
	})
	if err != nil {
		return nil, err
	}
	return out, errors.Join(errs...)
}

func (p *part) subject(id int32) subject {
	f := &p.run.Features[id]
	s := subject{f: f, id: id, dir: f.Direction}
	for _, r := range f.Regions {
		if q := p.g.PatchOf[r]; q != graph.None {
			s.patches = append(s.patches, q)
		}
	}
	slices.Sort(s.patches)
	s.patches = slices.Compact(s.patches)
	s.view = p.viewAlong(s.dir)
	e := p.extents[s.dir]
	s.extents, s.whole = e.patch, e.whole
	s.z = union(s.extents, s.patches)
	if f.Pocket != nil && s.z.Length() <= p.g.Length { // all its walls are other features'
		s.z.Hi = s.z.Lo + max(f.Pocket.Depth, 0)
	}
	return s
}

// freeAreas measures the faces of what needs three axes exactly; those that bound no region, as the
// mesh has them.
func (p *part) freeAreas(ctx context.Context) error {
	p.areas = make(map[int]float64)
	var faces []brep.FaceID
	for i := range p.run.Features {
		if p.run.Features[i].Type != feature.Three {
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
	exact, err := mass.Areas(ctx, p.g.Model, faces)
	if err != nil {
		return ctx.Err() // the mesh has what the exact boundary lacks
	}
	for i, f := range faces {
		p.areas[int(f)] = exact[i]
	}
	return nil
}

// viewAlong returns the view along a direction, the same for all subjects.
func (p *part) viewAlong(dir geom.Vec3) outline.View {
	v, ok := p.views[dir]
	if !ok {
		v = p.samples.Along(p.g, dir)
		p.views[dir] = v
	}
	return v
}

// layOutExtents measures how far all patches reach along the directions of the features.
func (p *part) layOutExtents(ctx context.Context) error {
	var dirs []geom.Vec3
	seen := make(map[geom.Vec3]bool)
	for i := range p.run.Features {
		if d := p.run.Features[i].Direction; !seen[d] {
			seen[d] = true
			dirs = append(dirs, d)
		}
	}
	all := make([][]geom.Interval, len(dirs))
	err := parallel.For(ctx, len(dirs), 1, func(i int) { all[i] = p.g.Extents(dirs[i]) })
	for i, d := range dirs {
		e := extents{all[i], geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}}
		for _, iv := range e.patch {
			e.whole.Lo, e.whole.Hi = min(e.whole.Lo, iv.Lo), max(e.whole.Hi, iv.Hi)
		}
		p.extents[d] = e
	}
	return err
}

func union(extents []geom.Interval, patches []int32) geom.Interval {
	iv := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, q := range patches {
		iv.Lo, iv.Hi = min(iv.Lo, extents[q].Lo), max(iv.Hi, extents[q].Hi)
	}
	if iv.Lo > iv.Hi {
		return geom.Interval{}
	}
	return iv
}

// sheet measures one feature.
func (p *part) sheet(s *subject) (feature.Datasheet, error) {
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
		d.Facts, radial, axial = f, f.Length, max(0, s.whole.Length())
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

// has reports whether the subject holds patch q.
func (s *subject) has(q int32) bool {
	_, ok := slices.BinarySearch(s.patches, q)
	return ok
}

// edge returns the edge of arc x.
func (p *part) edge(x int32) *brep.Edge { return &p.g.Model.Edges[p.g.Arcs[x].Edge] }
