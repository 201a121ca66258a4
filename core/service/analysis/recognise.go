package analysis

import (
	"context"
	"fmt"
	"time"

	"millwright/core/feature"
	"millwright/core/feature/recognize"
	"millwright/core/geom"
	"millwright/core/service"
)

// recognise fills the directions, the features and what was measured on the holes.
func (p *Pipeline) recognise(ctx context.Context, part *Part, a *service.Analysis) error {
	start := time.Now()
	found, err := recognize.Part(ctx, part.Model, part.Mesh, p.Visibility)
	if err != nil {
		return fmt.Errorf("recognise features: %w", err)
	}
	part.Found = found
	a.CandidateDirections = make([]geom.Vec3, len(found.Directions))
	for i, d := range found.Directions {
		a.CandidateDirections[i] = d
	}
	a.Features = make([]service.PartFeature, len(found.Features))
	a.Holes = []service.HoleSummary{}
	for i := range found.Features {
		f := &found.Features[i]
		a.Features[i] = service.PartFeature{
			FeatureTag:         f.Tag,
			RegionIdxs:         f.Regions,
			FeatureType:        string(f.Type),
			MachiningDirection: f.Direction,
			Rule:               f.Rule,
			Reasons:            f.Reasons,
		}
		if f.Axis != nil {
			axis := *f.Axis
			a.Features[i].Axis = &axis
		}
		if f.Hole != nil {
			a.Holes = append(a.Holes, hole(f))
		}
	}
	a.Unmachined = make([]service.UnmachinedRegion, len(found.Unmachined))
	for i, u := range found.Unmachined {
		a.Unmachined[i] = service.UnmachinedRegion{RegionIdx: u.Region, Reason: u.Reason, Detail: u.Detail}
	}
	a.Setups = append([]int{}, found.Setups...)
	a.RecognitionMs = time.Since(start).Milliseconds()
	return nil
}

func hole(f *feature.Feature) service.HoleSummary {
	h := f.Hole
	s := service.HoleSummary{
		FeatureTag: f.Tag,
		Kind:       string(h.Kind),
		Diameter:   h.Diameter,
		Depth:      h.Depth,
		IsThrough:  h.Through,
		Bottom:     h.Bottom,
		Center:     h.TopCenter,
		Axis:       f.Direction,
	}
	if h.Counterbore != nil {
		s.Counterbore = &service.CounterboreSummary{Diameter: h.Counterbore.Diameter, Depth: h.Counterbore.Depth}
	}
	if h.Countersink != nil {
		s.Countersink = &service.CountersinkSummary{
			Diameter: h.Countersink.Diameter,
			AngleDeg: geom.Degrees(h.Countersink.Angle),
			Depth:    h.Countersink.Depth,
		}
	}
	return s
}
