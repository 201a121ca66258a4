package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/datasheet"
	"millwright/core/geom"
	"millwright/core/geom/curve"
	"millwright/core/service"
)

// enrich measures the features with the given tags, all when there are none, and bounds the part along
// its candidate directions.
func enrich(ctx context.Context, part *Part, tags []string, a *service.Analysis) error {
	start := time.Now()
	sheets, err := datasheet.Measure(ctx, part.Found, datasheet.Options{})
	if err != nil {
		return fmt.Errorf("measure features: %w", err)
	}
	a.Datasheets = []service.FeatureSheet{}
	for i := range part.Found.Features {
		f := &part.Found.Features[i]
		if len(tags) > 0 && !slices.Contains(tags, f.Tag) {
			continue
		}
		if err := writable(&sheets[i]); err != nil {
			a.Warnings = append(a.Warnings, fmt.Sprintf("The %s %s could not be measured: %v.", f.Type, f.Tag, err))
			continue
		}
		a.Datasheets = append(a.Datasheets, service.FeatureSheet{FeatureTag: f.Tag, Datasheet: sheets[i]})
	}
	a.DirectionZBounds = make([]service.DirectionZBounds, len(part.Found.Directions))
	for i, d := range part.Found.Directions {
		z := zBounds(part, a.Bounds, d)
		a.DirectionZBounds[i] = service.DirectionZBounds{Direction: vec(d), ZMin: z.Lo, ZMax: z.Hi}
	}
	a.EnrichmentMs = time.Since(start).Milliseconds()
	return nil
}

// writable reports why a datasheet cannot be written down: it holds a number that is not finite.
func writable(d *feature.Datasheet) error {
	_, err := json.Marshal(d)
	return err
}

// zBounds is how far the part reaches along a unit direction, mm. Along an axis of the part it is exact. Else
// it is exact where the part ends in a vertex, a straight edge or a conic, and short by at most the chord
// tolerance where it ends within a face or on a free-form edge.
func zBounds(part *Part, box service.Bounds, dir geom.Vec3) geom.Interval {
	for _, axis := range []struct {
		share  float64
		lo, hi float64
	}{{dir.X, box.Min.X, box.Max.X}, {dir.Y, box.Min.Y, box.Max.Y}, {dir.Z, box.Min.Z, box.Max.Z}} {
		if math.Abs(axis.share) == 1 {
			a, b := axis.lo*axis.share, axis.hi*axis.share
			return geom.Interval{Lo: min(a, b), Hi: max(a, b)}
		}
	}
	z := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	take := func(lo, hi float64) { z.Lo, z.Hi = min(z.Lo, lo), max(z.Hi, hi) }
	for _, t := range part.Mesh.Triangles {
		for _, p := range t {
			h := part.Mesh.Points[p].Dot(dir)
			take(h, h)
		}
	}
	upright := geom.FromFrame(geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})).Inverse()
	for i := range part.Model.Edges {
		if e := &part.Model.Edges[i]; isConic(e) && !ofSheet(part.Model, e) {
			b := e.Curve.Transform(upright).Bounds(e.Range)
			take(b.Min.Z, b.Max.Z)
		}
	}
	return z
}

func ofSheet(m *brep.Model, e *brep.Edge) bool {
	return len(e.Coedges) == 0 || m.IsSheet(m.FaceOf(e.Coedges[0]))
}

func isConic(e *brep.Edge) bool {
	switch e.Curve.(type) {
	case curve.Circle, curve.Ellipse:
		return true
	}
	return false
}
