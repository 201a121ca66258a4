package programs

import (
	"context"

	"millwright.dev/millwright/bench/reach"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// Roughing is the figures of roughing, and the air of all work.
type Roughing struct {
	Removed    float64 `json:"removed"`    // cm³ that all work removes
	Volume     float64 `json:"volume"`     // cm³ of these that roughing removes
	Rate       float64 `json:"rate"`       // cm³/min
	PresetRate float64 `json:"presetRate"` // cm³/min of the presets of its tools, by their minutes
	RateShare  float64 `json:"rateShare"`  // of these

	LevelsCut    float64 `json:"levelsCut"`    // over all lines
	LevelsNeeded float64 `json:"levelsNeeded"` // by depth
	Levels       float64 `json:"levels"`       // their ratio

	Air      float64 `json:"air"`      // share of the time at a feed, of all work
	AirRough float64 `json:"airRough"` // the same of roughing
	Entry    float64 `json:"entry"`    // share of roughing on moves that fall
	Slow     float64 `json:"slow"`     // share of roughing on level moves at a reduced feed
	Small    float64 `json:"small"`    // share of roughing by tools of smallTool and less

	Arcs    []float64 `json:"arcs"`    // share of the length of roughing cuts by classes of 5°
	Over    float64   `json:"over"`    // share over 110 % of the target
	FarOver float64   `json:"farOver"` // share over 130 %
	Slots   float64   `json:"slots"`   // share of true slots
}

const (
	smallTool = 2 // mm, the diameter up to which a tool is small
	mm3PerCm3 = 1000
)

// engage replays the motion and fills in the figures of roughing.
func (r *Row) engage(ctx context.Context, p *planning.Plan, set *toolpath.Set, c *machining.CutConfig) error {
	cuts := cutsOf(p, c)
	found, err := replay.Engage(ctx, replayOf(p, set), cuts)
	if err != nil {
		return err
	}
	var all, rough replay.Work
	g := &r.Roughing
	for i, works := range found.Operations {
		for k := range works {
			all.Add(&works[k])
			if cuts[i][k].Rough {
				rough.Add(&works[k])
			}
		}
	}
	g.Removed, g.Volume = all.Volume/mm3PerCm3, rough.Volume/mm3PerCm3
	g.Rate, g.RateShare = ratio(g.Volume, r.Split.Rough), ratio(ratio(g.Volume, r.Split.Rough), g.PresetRate)
	g.LevelsCut, g.LevelsNeeded = found.LevelsCut, found.LevelsNeeded
	g.Levels = ratio(g.LevelsCut, g.LevelsNeeded)
	g.Air, g.AirRough = ratio(all.Air, all.Fed), ratio(rough.Air, rough.Fed)
	g.Entry, g.Slow = ratio(rough.Entry, rough.Fed), ratio(rough.Slow, rough.Fed)
	length := rough.Arcs.Length()
	for _, l := range rough.Arcs.Classes {
		g.Arcs = append(g.Arcs, ratio(l, length))
	}
	g.Over, g.FarOver = ratio(rough.Arcs.Over, length), ratio(rough.Arcs.FarOver, length)
	g.Slots = ratio(rough.Arcs.Slot, length)
	return nil
}

// ratio returns a/b; 0 where there is nothing to compare with.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// cutsOf returns the cutting data of the operations. The axial depth is the tool's own, by its preset.
func cutsOf(p *planning.Plan, c *machining.CutConfig) [][]replay.Cut {
	out := make([][]replay.Cut, len(p.Setups))
	for i := range p.Setups {
		for k := range p.Setups[i].Operations {
			o := &p.Setups[i].Operations[k]
			axial, _ := presetOf(&p.Tools[o.Tool].Tool, c)
			out[i] = append(out[i], replay.Cut{
				Rough: isRough(o), Feed: o.Cutting.Feed.Value, Axial: max(axial, o.Cutting.Axial.Value),
				Radial: o.Cutting.Radial.Value,
			})
		}
	}
	return out
}

// presetOf returns the axial depth (mm) and the removal rate (mm³/min) of a tool's preset for roughing; 0 without one.
func presetOf(t *machining.Tool, c *machining.CutConfig) (axial, rate float64) {
	d, err := cutting.Resolve(cutting.Request{
		Tool: t, Material: c.Material, Machine: &c.Machine, Purpose: cutting.Rough,
	})
	if err != nil {
		return 0, 0
	}
	return d.Axial.Value, d.Axial.Value * d.Radial.Value * d.Feed.Value
}

// replayOf returns the motion of a plan in the terms of a replay, cycles expanded.
func replayOf(p *planning.Plan, set *toolpath.Set) *replay.Program {
	out := &replay.Program{Tools: map[int]replay.Tool{}, Workpiece: p.Workpiece}
	for i := range p.Tools {
		t := p.Tools[i].Tool
		t.BodyLength = p.Tools[i].Stickout
		shape := reach.ShapeOf(&t)
		out.Tools[i+1] = shape.Body()
	}
	for i := range set.Setups {
		f := p.Setups[i].Frame
		s := replay.Setup{Origin: f.Origin, Z: f.Z, X: f.X}
		for k := range set.Setups[i].Operations {
			o := &set.Setups[i].Operations[k]
			o.Steps(func(step motion.Step) bool {
				s.Moves = append(s.Moves, replay.Move{
					Tool: int(o.Tool) + 1, Operation: k + 1, Rapid: step.Kind == motion.Rapid,
					To: step.To, Center: step.Center, Turn: step.Turn, Feed: step.Feed,
				})
				return true
			})
		}
		out.Setups = append(out.Setups, s)
	}
	if p.Bar != nil {
		middle, size := p.Stock.Center(), p.Stock.Size()
		out.IsStock = func(at geom.Vec3) bool {
			d := p.Workpiece.Local(at).Sub(middle)
			d.SetCoordinate(*p.Bar, 0)
			return d.Norm() <= size.Coordinate((*p.Bar+1)%3)/2
		}
	}
	if len(out.Setups) > 0 {
		out.Stock = replay.Carried(p.Workpiece, p.Setups[0].Frame, p.Stock)
	}
	return out
}

// presets sums up the minutes of roughing tools: by their presets' rates, and of small ones.
func (r *Row) presets(p *planning.Plan, seconds func(setup, operation int) float64, c *machining.CutConfig) {
	var all, small, rates float64
	for i := range p.Setups {
		for k := range p.Setups[i].Operations {
			o := &p.Setups[i].Operations[k]
			if !isRough(o) {
				continue
			}
			t := &p.Tools[o.Tool].Tool
			took := seconds(i, k)
			_, rate := presetOf(t, c)
			all += took
			rates += took * rate
			if t.Diameter <= smallTool {
				small += took
			}
		}
	}
	r.Roughing.PresetRate, r.Roughing.Small = ratio(rates/mm3PerCm3, all), ratio(small, all)
}
