package mesh

import (
	"hash/maphash"
	"math"
	"math/bits"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// The stored form of meshes: points and normals to the last bit, everything else as small differences. The
// normals of a plane region are one, and the points of an edge's polyline are mostly points of the mesh.

// Serialize serializes a mesh. A reader checks every index.
func Serialize(c *pack.Archive, m *Mesh) {
	c.Vecs(&m.Points)
	var corner int32
	pack.Slice(c, &m.Triangles, 3, func(t *[3]int32) {
		for i := range t {
			index(c, &t[i], &corner, len(m.Points))
		}
	})
	var end int32
	pack.Slice(c, &m.Regions, 5, func(r *Region) {
		pack.Delta(c, &r.Start, &end)
		pack.Delta(c, &r.End, &end)
		if c.Reading() && (r.Start < 0 || r.Start > r.End || int(r.End) > len(m.Triangles)) {
			c.Fail("a region has the triangles %d to %d of %d", r.Start, r.End, len(m.Triangles))
		}
		vertex := int32(-1)
		pack.Slice(c, &r.Vertices, 1, func(v *int32) { index(c, v, &vertex, len(m.Points)) })
		normals(c, r)
	})
}

// index serializes an index below length.
func index(c *pack.Archive, v, before *int32, length int) {
	if pack.Delta(c, v, before); c.Reading() && (*v < 0 || int(*v) >= length) {
		c.Fail("there is no point %d of %d", *v, length)
	}
}

// normals serializes the normals of a region: once where all its vertices have the same.
func normals(c *pack.Archive, r *Region) {
	flat := len(r.Normals) > 1 && len(r.Normals) == len(r.Vertices)
	for i := 1; i < len(r.Normals) && flat; i++ {
		flat = bitsOf(r.Normals[0]) == bitsOf(r.Normals[i])
	}
	if c.Flags(&flat); !flat {
		c.Vecs(&r.Normals)
		return
	}
	var n geom.Vec3
	if !c.Reading() {
		n = r.Normals[0]
	}
	if c.Dir(&n); c.Reading() {
		r.Normals = make([]geom.Vec3, len(r.Vertices))
		for i := range r.Normals {
			r.Normals[i] = n
		}
	}
}

// SerializeLines serializes the polylines of a part's edges next to the part's mesh. A point that is also in the mesh
// is serialized as its index.
func SerializeLines(c *pack.Archive, m *Mesh, lines *[][]geom.Vec3) {
	var numbers places
	if !c.Reading() {
		numbers = newPlaces(m.Points)
	}
	var before int32
	pack.Slice(c, lines, 1, func(line *[]geom.Vec3) {
		pack.Slice(c, line, 1, func(p *geom.Vec3) {
			number := int32(-1)
			if !c.Reading() {
				number = numbers.at(*p)
			}
			pack.Delta(c, &number, &before)
			switch {
			case number == -1:
				c.Vec(p)
			case c.Reading() && number >= 0 && int(number) < len(m.Points):
				*p = m.Points[number]
			case c.Reading():
				c.Fail("there is no point %d of %d", number, len(m.Points))
			}
		})
	})
}

// places maps a position to the number of its point, the first of coincident ones. It is a table with open addressing,
// which takes less than half the time of a map of a million points.
type places struct {
	seed   maphash.Seed // prevents chosen points that collide in one slot
	points []geom.Vec3
	slots  []int32 // 1 + number; the length is a power of two, at most half full
}

func newPlaces(points []geom.Vec3) places {
	p := places{seed: maphash.MakeSeed(), points: points, slots: make([]int32, 2<<bits.Len(uint(len(points))))}
	for i := range points {
		if slot := p.slot(points[i]); *slot == 0 {
			*slot = int32(i) + 1
		}
	}
	return p
}

// slot returns the slot of the point at this position, or the empty one for it.
func (p *places) slot(at geom.Vec3) *int32 {
	place := bitsOf(at)
	for i := maphash.Comparable(p.seed, place); ; i++ {
		slot := &p.slots[i&uint64(len(p.slots)-1)]
		if *slot == 0 || bitsOf(p.points[*slot-1]) == place {
			return slot
		}
	}
}

// at returns the number of the point at a position, -1 if absent.
func (p *places) at(place geom.Vec3) int32 { return *p.slot(place) - 1 }

func bitsOf(p geom.Vec3) [3]uint64 {
	return [3]uint64{math.Float64bits(p.X), math.Float64bits(p.Y), math.Float64bits(p.Z)}
}
