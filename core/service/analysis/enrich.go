package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"millwright/core/feature"
	"millwright/core/feature/datasheet"
	"millwright/core/service"
)

// enrich measures the features with the given tags, all when there are none, and passes on how far the
// part reaches along its candidate directions.
func enrich(ctx context.Context, part *Part, tags []string, a *service.Analysis) error {
	start := time.Now()
	features := part.Found.Features
	asked := make([]bool, len(features))
	for i := range features {
		asked[i] = len(tags) == 0 || slices.Contains(tags, features[i].Tag)
	}
	sheets, err := datasheet.Measure(ctx, part.Found, datasheet.Options{Only: asked})
	if err != nil {
		return fmt.Errorf("measure features: %w", err)
	}
	a.Datasheets = []service.FeatureSheet{}
	for i := range features {
		if !asked[i] {
			continue
		}
		f := &features[i]
		if err := writable(&sheets[i]); err != nil {
			a.Warnings = append(a.Warnings, fmt.Sprintf("The %s %s could not be measured: %v.", f.Type, f.Tag, err))
			continue
		}
		a.Datasheets = append(a.Datasheets, service.FeatureSheet{FeatureTag: f.Tag, Datasheet: sheets[i]})
	}
	a.DirectionZBounds = make([]service.DirectionZBounds, len(part.Found.Directions))
	for i, d := range part.Found.Directions {
		z := part.Found.DirectionZ[i]
		a.DirectionZBounds[i] = service.DirectionZBounds{Direction: d, ZMin: z.Lo, ZMax: z.Hi}
	}
	a.EnrichmentMs = time.Since(start).Milliseconds()
	return nil
}

// writable reports why a datasheet cannot be written down: it holds a number that is not finite.
func writable(d *feature.Datasheet) error {
	_, err := json.Marshal(d)
	return err
}
