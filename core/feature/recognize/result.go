package recognize

// The final order of features and their tags.
//
// Equal tags, of a body that is in one place twice, get the position in the list.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/tag"
	"millwright.dev/millwright/core/parallel"
)

// result returns the features in order, with tags. The error is that of ctx.
func result(ctx context.Context, r *reading) (feature.Result, error) {
	res := feature.Result{
		Directions: r.v.Dirs, DirectionZ: r.v.Z, Unmachined: direction.Unmachined(r.g, r.v, r.taken()),
	}
	type ranked struct {
		f    *candidate
		tag  string
		rank int
	}
	list := make([]ranked, len(r.features))
	const batch = 32 // features per batch
	err := parallel.For(ctx, len(list), batch, func(i int) {
		f := r.features[i]
		rank := r.v.Find(f.dir)
		if rank == graph.None {
			rank = len(r.v.Dirs)
		}
		list[i] = ranked{f, tag.Hash(r.g, f.typ, f.patches, f.dir), rank}
	})
	if err != nil {
		return feature.Result{}, err
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		step := func(z float64) float64 { return math.Round(z / tag.Length) }
		return cmp.Or(cmp.Compare(a.rank, b.rank), direction.Compare(a.f.dir, b.f.dir),
			cmp.Compare(step(b.f.z.Hi), step(a.f.z.Hi)), cmp.Compare(a.tag, b.tag),
			slices.Compare(a.f.patches, b.f.patches))
	})
	seen := make(map[string]int)
	for i := range list {
		f := list[i].f
		name := list[i].tag
		if n := seen[name]; n > 0 {
			name = tag.Disambiguate(name, n)
		}
		seen[list[i].tag]++
		res.Features = append(res.Features, feature.Feature{
			Tag: name, Type: f.typ, Regions: r.g.Regions(f.patches),
			Direction: f.dir, Axis: f.axis, Hole: f.hole, Pocket: f.pocket, Thread: f.thread, Rule: f.rule, Reasons: f.reasons,
		})
	}
	return res, nil
}
