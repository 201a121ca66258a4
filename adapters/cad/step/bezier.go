package step

import (
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/geom"
)

// Curved triangles (ISO 10303-42, CUBIC_BEZIER_TRIANGULATED_FACE): ten control points each, of a cubic in barycentric
// coordinates (G. Farin, Triangular Bernstein–Bézier patches, 1986). They become flat triangles, pieces per side,
// evaluated with the Bernstein polynomials. The points of a side are computed once, from its own four control points,
// so that neighbors join without a gap.
//
// Writers list the ten in different orders: rows, from a corner or from a side, and the corners or the outline first.
// The chosen order minimizes the total length of the control nets of the face: any other order makes distant points
// neighbors. Cost: linear in the number of triangles produced.

// pieces is the number of pieces per side of a curved triangle: the chordal deviation becomes 64 times smaller, less
// than 1 % of a side.
const pieces = 8

// Control points are numbered in rows from the first corner, 0 to the last side, 6 to 9.
const (
	controlPoints = 10
	cornerA       = 0
	cornerB       = 6
	cornerC       = 9
)

// listings are the orders in use: for each point listed, its number.
var listings = [][controlPoints]int{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, // rows from a corner
	{0, 1, 3, 6, 2, 4, 7, 5, 8, 9}, // rows from a side
	{0, 6, 9, 1, 3, 7, 8, 5, 2, 4}, // corners, then sides, then the middle
	{0, 1, 3, 6, 7, 8, 9, 5, 2, 4}, // the outline, then the middle
}

// net are the neighbors in a control net.
var net = [...][2]int{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {2, 4}, {2, 5}, {3, 4}, {4, 5}, {3, 6}, {3, 7},
	{4, 7}, {4, 8}, {5, 8}, {5, 9}, {6, 7}, {7, 8}, {8, 9}}

// curvedTriangle is the list of its control points, as indexes into the points of the face.
type curvedTriangle [controlPoints]int32

// curvedTriangles reads lists of ten point numbers, counted from 1; ok is false if a number is out of range.
func curvedTriangles(rows part21.Args, points []geom.Vec3) (out []curvedTriangle, ok bool) {
	c := corners{limit: int64(len(points))}
	for rows.More() && !c.bad {
		row := rows.List()
		if row.Len() != controlPoints {
			return nil, false
		}
		var t curvedTriangle
		for i := range t {
			t[i] = c.next(&row)
		}
		out = append(out, t)
	}
	if c.bad {
		return nil, false
	}
	return inRows(out, points), true
}

// inRows renumbers the control points of triangles that are listed in one of the orders in use.
func inRows(listed []curvedTriangle, points []geom.Vec3) []curvedTriangle {
	var best []curvedTriangle
	shortest := 0.0
	for _, order := range listings {
		out := make([]curvedTriangle, len(listed))
		length := 0.0
		for i, t := range listed {
			for k, number := range order {
				out[i][number] = t[k]
			}
			for _, e := range net {
				length += points[out[i][e[0]]].Dist(points[out[i][e[1]]])
			}
		}
		if best == nil || length < shortest {
			best, shortest = out, length
		}
	}
	return best
}

// flattener cuts the curved triangles of one face into flat ones.
type flattener struct {
	control []geom.Vec3
	face    *faceted.Face
	sides   map[[4]int32][pieces + 1]int32 // by the control points of a side: the points on it
	ends    map[int32]int32                // by control point at a corner
}

// flatten fills the points and triangles of a face. Triangles are flipped to agree with the normals: one for the
// whole face, one for each control point, or none.
func flatten(f *faceted.Face, triangles []curvedTriangle, control, normals []geom.Vec3) {
	fl := flattener{control: control, face: f, sides: map[[4]int32][pieces + 1]int32{}, ends: map[int32]int32{}}
	for _, t := range triangles {
		fl.add(t, normals)
	}
}

func (fl *flattener) add(t curvedTriangle, normals []geom.Vec3) {
	grid := [pieces + 1][pieces + 1]int32{} // by row from corner A, and by column from side AB
	ab := fl.side(t[0], t[1], t[3], t[6])
	ac := fl.side(t[0], t[2], t[5], t[9])
	bc := fl.side(t[6], t[7], t[8], t[9])
	for row := range pieces + 1 {
		for place := range row + 1 {
			switch {
			case place == 0:
				grid[row][place] = ab[row]
			case place == row:
				grid[row][place] = ac[row]
			case row == pieces:
				grid[row][place] = bc[place]
			default:
				grid[row][place] = fl.point(fl.inside(t, row, place))
			}
		}
	}
	turned := fl.isTurned(t, normals)
	emit := func(a, b, c int32) {
		if turned {
			b, c = c, b
		}
		fl.face.Triangles = append(fl.face.Triangles, [3]int32{a, b, c})
	}
	for row := range pieces {
		for place := range row + 1 {
			emit(grid[row][place], grid[row+1][place], grid[row+1][place+1])
			if place < row {
				emit(grid[row][place], grid[row+1][place+1], grid[row][place+1])
			}
		}
	}
}

// isTurned reports whether the orientation of a triangle contradicts the normals at its corners.
func (fl *flattener) isTurned(t curvedTriangle, normals []geom.Vec3) bool {
	if len(normals) == 0 {
		return false
	}
	a, b, c := fl.control[t[cornerA]], fl.control[t[cornerB]], fl.control[t[cornerC]]
	n, sum := b.Sub(a).Cross(c.Sub(a)), 0.0
	for _, corner := range []int{cornerA, cornerB, cornerC} {
		if len(normals) == 1 {
			return n.Dot(normals[0]) < 0
		}
		sum += n.Dot(normals[t[corner]])
	}
	return sum < 0
}

func (fl *flattener) point(p geom.Vec3) int32 {
	fl.face.Points = append(fl.face.Points, p)
	return int32(len(fl.face.Points) - 1)
}

// side returns the points of a side from its first to its last control point. The opposite sense gives the same points.
func (fl *flattener) side(a, b, c, d int32) (out [pieces + 1]int32) {
	key := [4]int32{a, b, c, d}
	backwards := a > d
	if backwards {
		key = [4]int32{d, c, b, a}
	}
	on, known := fl.sides[key]
	if !known {
		on[0], on[pieces] = fl.end(key[0]), fl.end(key[3])
		for i := 1; i < pieces; i++ {
			v := float64(i) / pieces
			u := 1 - v
			p := fl.control[key[0]].Scale(u * u * u).Add(fl.control[key[1]].Scale(3 * u * u * v))
			p = p.Add(fl.control[key[2]].Scale(3 * u * v * v)).Add(fl.control[key[3]].Scale(v * v * v))
			on[i] = fl.point(p)
		}
		fl.sides[key] = on
	}
	for i := range out {
		if backwards {
			out[i] = on[pieces-i]
		} else {
			out[i] = on[i]
		}
	}
	return out
}

// end returns the point at a corner.
func (fl *flattener) end(control int32) int32 {
	p, known := fl.ends[control]
	if !known {
		p = fl.point(fl.control[control])
		fl.ends[control] = p
	}
	return p
}

// inside evaluates the cubic at a point of the grid.
func (fl *flattener) inside(t curvedTriangle, row, place int) geom.Vec3 {
	w := float64(place) / pieces
	v := float64(row-place) / pieces
	u := 1 - v - w
	weights := [controlPoints]float64{u * u * u, 3 * u * u * v, 3 * u * u * w, 3 * u * v * v, 6 * u * v * w,
		3 * u * w * w, v * v * v, 3 * v * v * w, 3 * v * w * w, w * w * w}
	var p geom.Vec3
	for i, weight := range weights {
		p = p.Add(fl.control[t[i]].Scale(weight))
	}
	return p
}
