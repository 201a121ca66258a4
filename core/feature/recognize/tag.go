package recognize

// Tags and the final order of features.
//
// A tag is a hash of what does not depend on the order of entities in the file or on the mesh: the
// type, the shapes of the faces and the exact vertices of their edges, all in quanta of tagLength, as
// a sorted list. Two features with one tag (a body that lies twice in one place) are told apart by
// their position in the list.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

const (
	// tagLength (mm) is coarser than the rounding of coordinates and finer than any tolerance.
	tagLength = 1e-4

	tagBytes = 8 // of the hash: 16 hexadecimal digits
)

// result orders the features and gives them their tags. It returns the error of ctx.
func (r *recognizer) result(ctx context.Context) (feature.Result, error) {
	res := feature.Result{
		Directions: r.v.Dirs, DirectionZ: r.v.Z, Setups: r.v.Setups, Unmachined: direction.Unmachined(r.g, r.v, r.taken),
	}
	type ranked struct {
		f    found
		tag  string
		rank int
	}
	list := make([]ranked, len(r.out))
	err := graph.Spread(ctx, len(list), func() func(int) {
		return func(i int) {
			f := r.out[i]
			rank := r.v.Find(f.dir)
			if rank == graph.None {
				rank = len(r.v.Dirs)
			}
			list[i] = ranked{f, r.tag(&f), rank}
		}
	})
	if err != nil {
		return feature.Result{}, err
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		step := func(z float64) float64 { return math.Round(z / tagLength) }
		return cmp.Or(cmp.Compare(a.rank, b.rank), direction.Compare(a.f.dir, b.f.dir),
			cmp.Compare(step(b.f.z.Hi), step(a.f.z.Hi)), cmp.Compare(a.tag, b.tag),
			slices.Compare(a.f.patches, b.f.patches))
	})
	seen := make(map[string]int)
	for i := range list {
		f := &list[i].f
		tag := list[i].tag
		if n := seen[tag]; n > 0 {
			sum := sha256.Sum256(binary.BigEndian.AppendUint32([]byte(tag), uint32(n)))
			tag = hex.EncodeToString(sum[:tagBytes])
		}
		seen[list[i].tag]++
		res.Features = append(res.Features, feature.Feature{
			Tag: tag, Type: f.typ, Regions: r.g.Regions(f.patches),
			Direction: f.dir, Axis: f.axis, Hole: f.hole, Pocket: f.pocket, Rule: f.rule, Reasons: f.reasons,
		})
	}
	return res, nil
}

// tag hashes the geometry of a feature.
func (r *recognizer) tag(f *found) string {
	type row [4]int64
	var rows []row
	q := func(x float64) int64 { return int64(math.Round(x / tagLength)) }
	point := func(kind int64, p geom.Vec3) row { return row{kind, q(p.X), q(p.Y), q(p.Z)} }
	const shapeRow, vertexRow, dirRow = 100, 200, 300 // tell the kinds of rows apart
	for _, p := range f.patches {
		s := &r.g.Patches[p].Shape
		shape := row{shapeRow + int64(s.Kind), q(s.Radius), q(s.Minor), q(math.Abs(s.Slope))}
		if s.Kind == surface.KindCone {
			shape[1] = 0 // taken where the mesh has its middle
		}
		rows = append(rows, shape)
		for _, face := range r.g.Patches[p].Faces {
			for _, l := range r.g.Model.Faces[face].Loops {
				for _, c := range r.g.Model.Loops[l].Coedges {
					e := &r.g.Model.Edges[r.g.Model.Coedges[c].Edge]
					rows = append(rows, point(vertexRow, r.g.Model.Vertices[e.Start].Point),
						point(vertexRow, r.g.Model.Vertices[e.End].Point))
					if e.Curve != nil {
						rows = append(rows, point(vertexRow, e.Curve.At(e.Range.Mid())))
					}
				}
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return slices.Compare(a[:], b[:]) })
	rows = slices.Compact(rows)
	h := sha256.New()
	h.Write([]byte(f.typ))
	var bytes []byte
	for _, row := range append(rows, point(dirRow, f.dir)) {
		for _, x := range row {
			bytes = binary.BigEndian.AppendUint64(bytes, uint64(x))
		}
	}
	h.Write(bytes)
	return hex.EncodeToString(h.Sum(nil)[:tagBytes])
}
