package clearing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/pipeline"
)

// Part is the roughing of the pockets of a part in one setup, by one operation of its program. Heights and positions
// are in the frame of the setup, mm.
type Part struct {
	Frame     geom.Frame // of the setup, to the part's
	Operation planning.Operation
	Tool      machining.Tool
	Machine   machining.Machine
	Pockets   []Floor
	Motion    motion.Operation
}

// Floor is the floor of a pocket.
type Floor struct {
	Z     float64
	Point geom.Vec2 // inside
	Loops []Polygon // outline
}

// chord (mm) is the chord tolerance of outlines.
const chord = 0.01

// Rough plans a part and makes the paths that rough its pockets alone. The plan's operation that roughs them keeps its
// tool and cutting data. It cuts between the top face and the floors, in a stock that is already faced and as wide as
// the part. The floors must be level in the frame of the part.
func Rough(
	ctx context.Context, tree *pipeline.Pipeline, model *brep.Model, cutting *pipeline.PlanParams,
) (*Part, error) {
	made, err := tree.Tessellator.Tessellate(ctx, model, chord, 0, nil)
	if err != nil {
		return nil, err
	}
	found, err := recognize.Recognize(ctx, model, made.Mesh, tree.Visibility)
	if err != nil {
		return nil, err
	}
	sheets, err := datasheet.Measure(ctx, found, datasheet.Options{})
	if err != nil {
		return nil, err
	}
	plan, err := planning.Make(ctx, planning.Input{
		Run: found, Sheets: sheets, Config: cutting.Config, Tools: cutting.Tools, Mill: tree.Mill,
	})
	if err != nil {
		return nil, err
	}
	p := &Part{Machine: cutting.Config.Machine}
	setup := p.choose(plan, found, made.Mesh)
	if setup == nil {
		return nil, errors.New("no operation of the program roughs a pocket that opens at the top, along z of the file")
	}
	axes := p.Machine.AxisLimits()
	set, err := toolpath.Make(ctx, toolpath.Input{
		Plan: p.alone(plan, setup, made.Mesh), Graph: found.Graph, Samples: outline.Sample(found.Graph),
		Chord: made.ChordTolerance, Travel: p.Machine.Travel, RapidX: axes.X.RapidFeed, RapidY: axes.Y.RapidFeed,
		MaxFeed: p.Machine.MaxFeed,
	})
	if err != nil {
		return nil, err
	}
	p.Motion = set.Setups[0].Operations[0]
	p.Motion.SpindleRPM = 0 // both motions without the start of the spindle
	if len(p.Motion.Moves) == 0 {
		return nil, fmt.Errorf("operation %s has no moves", p.Operation.ID)
	}
	return p, nil
}

// choose finds the first operation that roughs a pocket, and its pockets.
func (p *Part) choose(plan *planning.Plan, found *recognize.Recognition, m *mesh.Mesh) *planning.Setup {
	for i := range plan.Setups {
		s := &plan.Setups[i]
		if s.Frame.Z.Dot(geom.World.Z) < 1-1e-9 || s.Frame.X.Dot(geom.World.X) < 1-1e-9 {
			continue
		}
		for _, o := range s.Operations {
			if o.Strategy != planning.Pocket || o.Floor {
				continue
			}
			p.Pockets = nil
			for _, f := range o.Features {
				if found.Features[f].Type == feature.Pocket {
					p.Pockets = append(p.Pockets, floors(&found.Features[f], m, s.Frame, o.Top)...)
				}
			}
			if len(p.Pockets) > 0 {
				p.Frame, p.Operation, p.Tool = s.Frame, o, plan.Tools[o.Tool].Tool
				return s
			}
		}
	}
	return nil
}

// floors returns the level faces of a feature whose walls end at a height.
func floors(f *feature.Feature, m *mesh.Mesh, frame geom.Frame, height float64) (out []Floor) {
	top := math.Inf(-1)
	for _, r := range f.Regions {
		for _, v := range m.Regions[r].Vertices {
			top = max(top, frame.Local(m.Points[v]).Z)
		}
	}
	if math.Abs(top-height) > chord {
		return nil
	}
	isTilted := func(n geom.Vec3) bool { return n.Dot(frame.Z) < 1-1e-9 }
	for _, r := range f.Regions {
		region := &m.Regions[r]
		if region.Start == region.End || slices.ContainsFunc(region.Normals, isTilted) {
			continue
		}
		floor := Floor{Loops: boundary(m, region, frame)}
		largest := 0.0
		for _, t := range m.Triangles[region.Start:region.End] {
			a, b, c := frame.Local(m.Points[t[0]]), frame.Local(m.Points[t[1]]), frame.Local(m.Points[t[2]])
			if size := b.Sub(a).Cross(c.Sub(a)).Norm(); size > largest {
				largest, floor.Z = size, a.Z
				floor.Point = flat(a.Add(b).Add(c).Scale(1.0 / 3))
			}
		}
		out = append(out, floor)
	}
	return out
}

// boundary returns the outline of a region: edges of one triangle, one after the other.
func boundary(m *mesh.Mesh, r *mesh.Region, frame geom.Frame) (out []Polygon) {
	edges := map[[2]int32]bool{}
	for _, t := range m.Triangles[r.Start:r.End] {
		for i := range t {
			a, b := t[i], t[(i+1)%3]
			if back := [2]int32{b, a}; edges[back] {
				delete(edges, back)
			} else {
				edges[[2]int32{a, b}] = true
			}
		}
	}
	next := map[int32]int32{}
	for e := range edges {
		next[e[0]] = e[1]
	}
	for _, v := range r.Vertices {
		var p Polygon
		for at, ok := next[v]; ok; at, ok = next[v] {
			delete(next, v)
			p = append(p, flat(frame.Local(m.Points[v])))
			v = at
		}
		if len(p) > 0 {
			out = append(out, p)
		}
	}
	return out
}

func flat(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }

// alone returns a plan with the operation alone, in a stock that ends at the sides of the part and at its top.
func (p *Part) alone(plan *planning.Plan, setup *planning.Setup, m *mesh.Mesh) *planning.Plan {
	s := *setup
	p.Operation.Bottom = math.Inf(1)
	for i := range p.Pockets {
		p.Operation.Bottom = min(p.Operation.Bottom, p.Pockets[i].Z+p.Operation.LeaveAxial)
	}
	s.Operations = []planning.Operation{p.Operation}
	var corners []geom.Vec3
	for _, q := range m.Points {
		corners = append(corners, s.Frame.Local(q))
	}
	s.Before = geom.BoxOf(corners...)
	s.Before.Max.Z = p.Operation.Top
	out := *plan
	out.Setups = []planning.Setup{s}
	return &out
}

// Task returns the same work for FreeCAD. Its pocket operation plunges, and cuts slots at the full feed, where the
// roughing of programs halves the feed: so it is asked for half the stepdown too. The helix of its adaptive operation
// has the ramp angle of the tool. It is asked for the full depth as well as for the stepdown of the program.
func (p *Part) Task(file string) PartTask {
	c := &p.Operation.Cutting
	axial := c.Axial.Value
	t := PartTask{
		Operations: []OperationTask{
			{"pocket", "pocket", axial}, {"pocket, half the stepdown", "pocket", axial / 2},
			{"adaptive, full depth", "adaptive", 0}, {"adaptive, stepdown", "adaptive", axial},
		},
		File: file, Diameter: p.Tool.Diameter, Feed: c.Feed.Value, PlungeFeed: c.PlungeFeed.Value,
		RampFeed: c.RampFeed.Value, RampDeg: p.Tool.RampDeg(), Radial: c.Radial.Value,
		Leave: p.Operation.LeaveRadial,
	}
	for _, f := range p.Pockets {
		at := p.Frame.Point(geom.Vec3{X: f.Point.X, Y: f.Point.Y, Z: f.Z})
		up := p.Frame.Origin.Z
		t.Pockets = append(t.Pockets, FloorTask{
			Floor: [3]float64{at.X, at.Y, at.Z}, Top: up + p.Operation.Top, Bottom: up + f.Z + p.Operation.LeaveAxial,
		})
	}
	return t
}

// Measure returns the figures of operations on the pockets, over all levels.
func (p *Part) Measure(operations ...*motion.Operation) (sum Figures, err error) {
	for i := range p.Pockets {
		outline := p.Pockets[i].Loops
		area, err := Area(outline)
		if err != nil {
			return sum, err
		}
		if area, err = area.Offset(-p.Operation.LeaveRadial); err != nil {
			return sum, err
		}
		for _, l := range Levels(outline, p.Operation.Top, operations...) {
			f, err := Measure(polygons(area), p.Tool.Diameter/2, p.Arc(), l.Moves)
			if err != nil {
				return sum, err
			}
			sum.add(&f)
		}
	}
	return sum, nil
}

// Arc returns the front arc (rad) of the operation's stepover on a straight cut.
func (p *Part) Arc() float64 {
	return math.Acos(1 - 2*p.Operation.Cutting.Radial.Value/p.Tool.Diameter)
}
