package catia

import (
	"bytes"
	"context"
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// A display mesh is CATIA's mesh of one body: points, normals, and a packet of triangles for each face. The points of a
// face lie on its exact surface, and the points of an edge on the exact edge, in single precision. Between the points,
// triangles deviate from the surface by at most the sag that the file states.

// blockMark begins the block of a body. Most of its occurrences begin other data.
var blockMark = []byte{0xFF, 0xFF, 0x02, 0x00, 0x01}

// Limits for a whole file, above the sizes of real parts. They bound the memory for a crafted file.
const (
	maxPoints    = 1 << 22
	maxTriangles = 1 << 22
	maxFaces     = 1 << 19
	maxExtent    = 1e6 // mm from the origin
	maxSag       = 1e3 // mm
	// maxRetries is the number of times that the stream may be read again after a false block.
	maxRetries = 8
)

// Bits of a packet's kind: the encodings of its triangles.
const (
	hasTriangles = 1 << iota
	hasStrips
	hasFans
	hasNormal
	packetKind = 0x40 // the other bits that are set
)

// Bits in the row of a face.
const (
	rowSize   = 8
	ofSolid   = 0x10 // in the first byte
	isShown   = 0x02 // in the fourth
	rowMiddle = 0x04 // the two bytes between
)

// body is the display data of one body.
type body struct {
	points  []geom.Vec3
	normals []geom.Vec3 // by point; zero if unknown
	sag     float64     // mm
	faces   []packet
	isSolid bool
	isShown bool
	// isListed reports whether the surfaces of its faces are known; a face without a surface is then freeform.
	isListed bool
}

// packet is the triangles of one face.
type packet struct {
	normal    geom.Vec3 // of a plane face; zero for others
	triangles [][3]int32
	color     *brep.Color
}

// display reads the bodies in the main stream.
func display(ctx context.Context, data []byte) ([]*body, error) {
	var out []*body
	points, triangles, faces, wasted := 0, 0, 0, 0
	for at := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := bytes.Index(data[at:], blockMark)
		if next < 0 || wasted > maxRetries*len(data) {
			return out, nil
		}
		begin := at + next + len(blockMark)
		c := cursor{data: data, at: begin}
		b := c.body()
		if c.bad || len(b.faces) == 0 {
			wasted += c.at - begin
			at += next + 1
			continue
		}
		at = c.at
		b.rows(data[at:])
		out = append(out, b)
		points, faces = points+len(b.points), faces+len(b.faces)
		for _, f := range b.faces {
			triangles += len(f.triangles)
		}
		if points > maxPoints || triangles > maxTriangles || faces > maxFaces {
			return nil, fault.Errorf(fault.TooComplex, "The display mesh of the CATIA part has more than %d points, "+
				"%d triangles or %d faces.", maxPoints, maxTriangles, maxFaces)
		}
	}
}

// body reads the data after the mark of a block.
func (c *cursor) body() *body {
	b := &body{}
	n, known := c.count(2), c.count(0)
	c.demand(c.u32() == 0 && n >= 3 && n <= maxPoints && known <= n)
	c.readPoints(b, n)
	if known > 0 {
		c.readNormals(b, known)
	}
	b.sag = c.decimal()
	c.demand(b.sag > 0 && b.sag < maxSag)
	const controls = 4 // bytes before the packets, of unknown meaning
	c.take(controls)
	const least = 8 * 9 // bits of a packet
	faces := c.count(least)
	width := 1
	for limit := 1 << 8; limit < n; limit <<= 8 {
		width++
	}
	for range faces {
		if c.bad {
			break
		}
		b.faces = append(b.faces, c.packet(n, width))
	}
	return b
}

// Codes of points: which coordinates are given, and which are equal to those of the previous point.
const (
	pointNew    = 0
	pointSame   = 1
	pointSameXY = 2
	pointSameX  = 3
)

// readPoints reads n points of the block.
func (c *cursor) readPoints(b *body, n int) {
	codes := c.take((2*n + 7) / 8)
	numbers := c.count(32)
	if c.bad {
		return
	}
	b.points = make([]geom.Vec3, n)
	first := c.at
	var p geom.Vec3
	for i := range b.points {
		switch codes[i/4] >> (2 * (i % 4)) & 3 {
		case pointNew:
			p = c.vec(c.f32)
		case pointSameX:
			p.Y, p.Z = c.f32(), c.f32()
		case pointSameXY:
			p.Z = c.f32()
		case pointSame:
		}
		// Not a number is not within.
		c.demand(math.Abs(p.X) <= maxExtent && math.Abs(p.Y) <= maxExtent && math.Abs(p.Z) <= maxExtent)
		if c.bad {
			return
		}
		b.points[i] = p
	}
	c.demand(c.at-first == 4*numbers)
}

// readNormals reads the normals of the first n points: two components each, and a code of four bits. The code gives the
// index and the sign of the omitted component, or repeats the previous normal.
func (c *cursor) readNormals(b *body, n int) {
	const repeated, unit = 8, math.MaxInt16
	numbers := c.count(16)
	given := cursor{data: c.take(2 * numbers)}
	codes := c.take((n + 1) / 2)
	if c.bad {
		return
	}
	b.normals = make([]geom.Vec3, len(b.points))
	component := func() float64 { return float64(int16(given.u16())) / unit }
	var last geom.Vec3
	for i := range n {
		code := codes[i/2] >> (4 * (i % 2)) & 0xF
		if code < repeated {
			x, y := component(), component()
			z := math.Sqrt(max(0, 1-x*x-y*y))
			if code&1 != 0 {
				z = -z
			}
			switch code >> 1 {
			case 0:
				last = geom.Vec3{X: z, Y: x, Z: y}
			case 1:
				last = geom.Vec3{X: x, Y: z, Z: y}
			case 2:
				last = geom.Vec3{X: x, Y: y, Z: z}
			default:
				last = geom.Vec3{}
			}
			last = last.Unit()
		}
		b.normals[i] = last
	}
	if given.bad || given.left() > 0 {
		b.normals = nil // in an unknown encoding; the triangles give approximate normals
	}
}

// packet reads the triangles of a face, with corners among n points given by width bytes each.
func (c *cursor) packet(n, width int) packet {
	var p packet
	c.demand(c.byte() == 1)
	kind := c.byte()
	c.demand(kind&0xF0 == packetKind)
	number := func(bit byte) int {
		if kind&bit == 0 {
			return 0
		}
		return c.count(8)
	}
	triangles, strips, fans := number(hasTriangles), number(hasStrips), number(hasFans)
	c.demand(c.byte() == 0xFF)
	all := int(c.u32())
	if kind&hasNormal != 0 {
		p.normal = c.vec(c.f32)
		c.demand(p.normal.IsFinite())
	}
	if c.bad || all > c.left() {
		c.bad = true
		return p
	}
	lengths := make([]int, strips+fans)
	sum := 3 * triangles
	for i := range lengths {
		lengths[i] = c.count(8 * width)
		sum += lengths[i]
	}
	c.demand(sum == all)
	raw := c.take(all * width)
	if c.bad {
		return p
	}
	corners := make([]int32, all)
	for i := range corners {
		for _, b := range raw[i*width : (i+1)*width] {
			corners[i] = corners[i]<<8 | int32(b)
		}
		c.demand(corners[i] >= 0 && int(corners[i]) < n)
	}
	for ; triangles > 0; triangles-- {
		p.triangles = append(p.triangles, [3]int32(corners[:3]))
		corners = corners[3:]
	}
	for i, length := range lengths {
		p.run(corners[:length], i >= strips)
		corners = corners[length:]
	}
	return p
}

// run adds the triangles of a strip, which alternate in sense, or of a fan around its first corner.
func (p *packet) run(corners []int32, isFan bool) {
	for i := 2; i < len(corners); i++ {
		t := [3]int32{corners[i-2], corners[i-1], corners[i]}
		switch {
		case isFan:
			t[0] = corners[0]
		case i%2 == 1:
			t[0], t[1] = t[1], t[0]
		}
		p.triangles = append(p.triangles, t)
	}
}

// rows reads the display attributes of the faces, which follow the packets. Without them the body counts as a displayed
// solid.
func (b *body) rows(data []byte) {
	b.isSolid, b.isShown = true, true
	if len(data) < rowSize*len(b.faces) {
		return
	}
	for i := range b.faces {
		r := data[rowSize*i : rowSize*(i+1)]
		if r[1] != rowMiddle || r[2] != rowMiddle {
			return
		}
		b.isSolid, b.isShown = r[0]&ofSolid != 0, r[3]&isShown != 0
		if b.isShown { // r[4] is the transparency
			b.faces[i].color = &brep.Color{R: float64(r[7]) / 255, G: float64(r[6]) / 255, B: float64(r[5]) / 255}
		}
	}
}
