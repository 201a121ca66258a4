package access

import (
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// squares are those of a grid that are in an area, row by row.
type squares struct {
	width, height int
	in            []bool
}

func newSquares(width, height int) squares {
	width, height = max(width, 0), max(height, 0)
	return squares{width, height, make([]bool, width*height)}
}

func (s *squares) contains(i, j int) bool {
	return i >= 0 && j >= 0 && i < s.width && j < s.height && s.in[j*s.width+i]
}

// loops returns the boundary, with the squares on the left; at says where a corner is.
func (s *squares) loops(at func(i, j int) geom.Vec2) (loops []planar.Loop) {
	walked := make([]bool, len(s.in)) // lower sides
	for k := range s.in {
		if i, j := k%s.width, k/s.width; s.in[k] && !s.contains(i, j-1) && !walked[k] {
			loops = append(loops, s.walk(i, j, walked, at))
		}
	}
	return loops
}

// walk follows the boundary from the lower side of a square, and notes the lower sides on its way.
func (s *squares) walk(i, j int, walked []bool, at func(i, j int) geom.Vec2) planar.Loop {
	var corners []geom.Vec2
	dx, dy := 1, 0
	for x, y := i, j; ; {
		if dx == 1 {
			if walked[y*s.width+x] {
				break
			}
			walked[y*s.width+x] = true
		}
		x, y = x+dx, y+dy
		// The squares ahead are those whose corner this is: half a side on, and half a side to the left or right.
		ahead := func(side int) bool { return s.contains(x+(dx-side*dy-1)/2, y+(dy+side*dx-1)/2) }
		turn := 0
		switch isLeft, isRight := ahead(1), ahead(-1); {
		case isRight:
			turn = -1
		case !isLeft:
			turn = 1
		}
		if turn != 0 {
			corners = append(corners, at(x, y))
			dx, dy = -turn*dy, turn*dx
		}
	}
	loop := make(planar.Loop, len(corners))
	for k := range loop {
		loop[k] = planar.NewLine(corners[k], corners[(k+1)%len(corners)])
		loop[k].Tag = graph.None
	}
	return loop
}
