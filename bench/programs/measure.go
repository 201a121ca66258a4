package programs

import (
	"context"

	"millwright.dev/millwright/bench/target"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/pipeline"
)

// Measure splits the minutes of a program that is made, compares them with the target and replays the motion. Part has
// the known data of the part, and shape is its mesh.
func (r *Row) Measure(
	ctx context.Context, part, m *plancmd.Result, sheets *pipeline.DatasheetSet, shape *mesh.Mesh,
) (err error) {
	p, c := m.Plan, &m.Cutting.Config
	if r.Split, err = splitOf(p, m.Times); err != nil {
		return err
	}
	for i := range p.Setups {
		r.Holding = append(r.Holding, string(p.Setups[i].Clamping.Kind))
	}
	in := &target.Input{
		Mesh: shape, Volume: part.Part.Volume, Workpiece: p.Workpiece, Bar: p.Bar, Tools: m.Cutting.Tools, Config: c,
		Holes: holesOf(part.Part, sheets, c),
	}
	for i := range p.Setups {
		in.Directions = append(in.Directions, p.Setups[i].Frame)
	}
	if r.Target, err = target.Compute(ctx, in); err != nil {
		return err
	}
	r.CycleRatio = ratio(r.Split.Cycle(), r.Target.Minutes())
	r.RoughRatio = ratio(r.Split.Rough, r.Target.Rough)
	r.presets(p, func(i, k int) float64 { return m.Times.Setups[i].Operations[k].Seconds }, c)
	err = r.engage(ctx, p, m.Set, c)
	r.Replayed = ratio(r.Roughing.Removed, r.Target.Volume)
	return err
}

// holesOf returns the holes of a part, with the threads that are tapped.
func holesOf(part *pipeline.Analysis, sheets *pipeline.DatasheetSet, c *machining.CutConfig) (out []target.Hole) {
	threads := map[string]*feature.ThreadFacts{}
	for _, s := range sheets.Sheets {
		if s.Datasheet == nil {
			continue
		}
		f, ok := s.Datasheet.Facts.(*feature.HoleFacts)
		if ok && f.Thread != nil && (f.Thread.Source != feature.ThreadInferred || c.TapInferredThreads) {
			threads[s.FeatureTag] = f.Thread
		}
	}
	for _, h := range part.Holes {
		hole := target.Hole{Center: h.Center, Axis: h.Axis, Diameter: h.Diameter, Depth: h.Depth, Through: h.IsThrough}
		if t := threads[h.FeatureTag]; t != nil {
			hole.Pitch, hole.ThreadDepth = t.Pitch, t.Depth
		}
		out = append(out, hole)
	}
	return out
}
