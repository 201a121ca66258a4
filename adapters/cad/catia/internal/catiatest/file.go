// Package catiatest writes small CATIA V5 parts for tests: containers, display meshes and carriers, as package catia
// reads them.
//
// Lengths are mm.
package catiatest

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf16"

	"millwright.dev/millwright/core/kernel/geom"
)

// Body is one body of a part.
type Body struct {
	Sag     float64
	Faces   []Face
	IsSheet bool
	Hidden  bool
	// NoList leaves the list of carriers out.
	NoList bool
}

// Face is the triangles of a face, as strips of points with the normals there.
type Face struct {
	Points  []geom.Vec3
	Normals []geom.Vec3 // a planar face has one for all points
	Strips  [][]int
	Record  []byte  // kind and parameters of its surface; nil for freeform
	Color   [3]byte // red, green, blue
	Low     geom.Vec3
	High    geom.Vec3 // corners of the bounding box
}

// File writes a part.
func File(bodies ...Body) []byte { return Container(Streams(bodies...)) }

// Container writes a part with the given streams.
func Container(display, carriers []byte) []byte {
	inner := Display(display, carriers)
	return container(stream{"CATPrtCont", []byte("CATPrtCont of the part")}, stream{"CATIA1", inner})
}

// Display writes a file with display data only (.cgr).
func Display(display, carriers []byte) []byte {
	return container(stream{"MainDataStream", display}, stream{"MainDataStream", []byte("smaller")},
		stream{"SurfacicReps", carriers})
}

// Streams writes the streams of the display data and of the carriers.
func Streams(bodies ...Body) (display, carriers []byte) {
	display = append(display, "something before"...)
	for i := range bodies {
		display = append(display, bodies[i].mesh()...)
		if !bodies[i].NoList {
			carriers = append(carriers, bodies[i].list()...)
		}
	}
	return display, carriers
}

// Empty writes a part that was saved without its visualisation; Assembly an assembly.
func Empty() []byte    { return container(stream{"Data", []byte("CATPrtCont and no more")}) }
func Assembly() []byte { return container(stream{"Data", []byte("CATProdCont and no more")}) }

type stream struct {
	name string
	data []byte
}

// container writes streams, each in two pieces where it is long enough, and their directory.
func container(streams ...stream) []byte {
	out := append([]byte("V5_CFV2\x00"), make([]byte, 8)...)
	out = append(out, bytes.Repeat([]byte{0xFF}, 8)...)
	out = append(out, make([]byte, 40)...)
	directory := []byte("CATIA_V5 CB0001\x00\x00\x00\x00")
	for _, s := range streams {
		for _, u := range utf16.Encode([]rune(s.name)) {
			directory = binary.LittleEndian.AppendUint16(directory, u)
		}
		pieces := [][]byte{s.data}
		if half := len(s.data) / 2; half > 8 {
			pieces = [][]byte{s.data[:half], s.data[half:]}
		}
		d := make([]byte, 3+0x54)
		binary.BigEndian.PutUint32(d[3+0x0C:], uint32(len(s.data)))
		binary.BigEndian.PutUint32(d[3+0x50:], uint32(len(pieces)))
		directory = append(directory, d...)
		logical := 0
		for _, p := range pieces {
			for _, x := range []int{len(out), len(p), len(p), logical, 0} {
				directory = binary.BigEndian.AppendUint32(directory, uint32(x))
			}
			out, logical = append(out, p...), logical+len(p)
		}
	}
	directory = append(directory, "CB__END"...)
	binary.BigEndian.PutUint32(out[8:], uint32(len(out)))
	binary.BigEndian.PutUint32(out[12:], uint32(len(directory)))
	return append(out, directory...)
}

// count writes a number in one byte, or in FF and four bytes.
func count(out []byte, n int) []byte {
	if n < 0xFF {
		return append(out, byte(n))
	}
	return binary.LittleEndian.AppendUint32(append(out, 0xFF), uint32(n))
}

func f32(out []byte, xs ...float64) []byte {
	for _, x := range xs {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
	}
	return out
}

// mesh writes the block of a body.
func (b *Body) mesh() []byte {
	points, normals, first := b.table()
	out := []byte{0xFF, 0xFF, 0x02, 0x00, 0x01}
	out = count(count(out, len(points)), len(normals))
	out = append(out, 0, 0, 0, 0)
	out = appendPoints(out, points)
	if len(normals) > 0 {
		out = appendNormals(out, normals)
	}
	out = append(f32(out, b.Sag), 0, 4, 2, 10)
	out = count(out, len(b.Faces))
	for i := range b.Faces {
		out = b.Faces[i].packet(out, first[i], len(points))
	}
	for _, f := range b.Faces {
		row := []byte{0x30, 4, 4, 0xFF, 0xFF, f.Color[2], f.Color[1], f.Color[0]}
		if b.IsSheet {
			row[0] = 0x20
		}
		if b.Hidden {
			row[3] = 0xFD
		}
		out = append(out, row...)
	}
	return out
}

// table lists the points of all faces; points with their own normals come first.
func (b *Body) table() (points, normals []geom.Vec3, first []int) {
	first = make([]int, len(b.Faces))
	for pass := range 2 {
		for i, f := range b.Faces {
			if isPlane := len(f.Normals) == 1; isPlane == (pass == 1) {
				first[i] = len(points)
				points = append(points, f.Points...)
				if !isPlane {
					normals = append(normals, f.Normals...)
				}
			}
		}
	}
	return points, normals, first
}

func appendPoints(out []byte, points []geom.Vec3) []byte {
	codes := make([]byte, (2*len(points)+7)/8)
	var numbers []byte
	for i, p := range points {
		code, list := 0, []float64{p.X, p.Y, p.Z}
		if i > 0 {
			switch q := points[i-1]; {
			case p == q:
				code, list = 1, nil
			case p.X == q.X && p.Y == q.Y:
				code, list = 2, []float64{p.Z}
			case p.X == q.X:
				code, list = 3, []float64{p.Y, p.Z}
			}
		}
		codes[i/4] |= byte(code << (2 * (i % 4)))
		numbers = f32(numbers, list...)
	}
	return append(count(append(out, codes...), len(numbers)/4), numbers...)
}

func appendNormals(out []byte, normals []geom.Vec3) []byte {
	codes := make([]byte, (len(normals)+1)/2)
	var numbers []byte
	for i, n := range normals {
		code := 8
		if i == 0 || n != normals[i-1] {
			x := [3]float64{n.X, n.Y, n.Z}
			drop := 0
			for k := range x {
				if math.Abs(x[k]) > math.Abs(x[drop]) {
					drop = k
				}
			}
			code = 2 * drop
			if x[drop] < 0 {
				code++
			}
			for k := range x {
				if k != drop {
					numbers = binary.LittleEndian.AppendUint16(numbers, uint16(int16(math.Round(x[k]*math.MaxInt16))))
				}
			}
		}
		codes[i/2] |= byte(code << (4 * (i % 2)))
	}
	return append(append(count(out, len(numbers)/2), numbers...), codes...)
}

// packet writes a face. Its first strip of three points becomes a triangle, a strip of four points becomes a fan, and
// the others stay strips.
func (f *Face) packet(out []byte, first, points int) []byte {
	var triangles, strips, fans [][]int
	for _, s := range f.Strips {
		switch len(s) {
		case 3:
			triangles = append(triangles, s)
		case 4:
			fans = append(fans, []int{s[0], s[1], s[3], s[2]})
		default:
			strips = append(strips, s)
		}
	}
	kind := byte(0x40)
	var numbers, lengths []byte
	all := 3 * len(triangles)
	for bit, list := range [][][]int{triangles, strips, fans} {
		if len(list) == 0 {
			continue
		}
		kind |= 1 << bit
		numbers = count(numbers, len(list))
		for _, s := range list {
			if bit > 0 {
				lengths, all = count(lengths, len(s)), all+len(s)
			}
		}
	}
	if len(f.Normals) == 1 {
		kind |= 8
	}
	out = append(append(out, 1, kind), numbers...)
	out = binary.LittleEndian.AppendUint32(append(out, 0xFF), uint32(all))
	if n := f.Normals; len(n) == 1 {
		out = f32(out, n[0].X, n[0].Y, n[0].Z)
	}
	out = append(out, lengths...)
	for _, list := range [][][]int{triangles, strips, fans} {
		for _, s := range list {
			for _, i := range s {
				if i += first; points > 256 {
					out = append(out, byte(i>>8))
				}
				out = append(out, byte(i))
			}
		}
	}
	return out
}

// list writes the carriers of a body.
func (b *Body) list() []byte {
	var out []byte
	out = append(f32(out, math.Pi/4, 1e12), 0)
	for i, f := range b.Faces {
		out = binary.LittleEndian.AppendUint32(out, uint32(100+i))
		out = append(binary.LittleEndian.AppendUint16(out, uint16(len(f.Record))), f.Record...)
		c, h := f.Low.Lerp(f.High, 0.5), f.High.Sub(f.Low).Scale(0.5)
		out = f32(out, c.X, c.Y, c.Z, h.X, h.Y, h.Z, c.X, c.Y, c.Z, h.Norm())
		out = append(out, 1)
	}
	out = append(out, "\x60edges follow"...)
	return append(binary.LittleEndian.AppendUint32([]byte{0xFF}, uint32(len(out)+5)), out...)
}
