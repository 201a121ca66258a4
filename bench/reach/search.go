package reach

import (
	"container/heap"
	"math"
)

// verdict is the result of a search.
type verdict int

const (
	none  verdict = iota // there is no place, which is proven
	open                 // places are used up
	found                // there is one
)

// search looks for a place of a tool that takes a point.
type search struct {
	tree *tree
	view view
	tool *Tool
	p    point // as seen
	gauge
}

// discs are the steps of the tool that the gauge holds it to.
func (s *search) discs() []disc {
	if s.outer {
		return s.tool.outer
	}
	return s.tool.inner
}

// slack is that of the tool with its axis and tip at a place; values of most and more are returned as most, and those
// below least may be too large.
func (s *search) slack(x, y, tip, lift, least, most float64) float64 {
	q := probe{view: s.view, x: x, y: y, tip: tip, lift: lift, gap: s.gap, discs: s.discs(), best: most, least: least}
	if s.tool.isBall() {
		q.ball = s.tool.radius
	}
	s.tree.ask(&q)
	return q.best
}

// plunge reports whether the tool takes the point at a place.
func (s *search) plunge(x, y float64) bool {
	d := math.Hypot(x-s.p[0], y-s.p[1])
	if s.tool.radius-d < s.gauge.slack {
		return false
	}
	tip := s.p[2] - s.tool.heightAt(min(d, s.tool.radius))
	return s.slack(x, y, tip, s.lift, s.gauge.slack, s.gauge.slack+1) >= s.gauge.slack
}

// square is a set of places, by their ways along the outline.
type square struct {
	x, y, half float64
	bound      float64 // that no slack in it exceeds
}

// squares are a queue, the highest bound first.
type squares []square

func (q squares) Len() int           { return len(q) }
func (q squares) Less(i, j int) bool { return q[i].bound > q[j].bound }
func (q squares) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *squares) Push(x any)        { *q = append(*q, x.(square)) }
func (q *squares) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// places is the number of positions in a search.
const places = 1500

// anywhere looks for a place by branch and bound.
func (s *search) anywhere() verdict {
	length := s.tool.length()
	root := square{half: length}
	if s.look(&root) {
		return found
	}
	queue := squares{root}
	for tried := 1; len(queue) > 0; {
		q := heap.Pop(&queue).(square)
		if q.bound < s.gauge.slack {
			return none
		}
		if tried >= places {
			return open
		}
		h := q.half / 2
		for _, c := range [4][2]float64{{-h, -h}, {h, -h}, {-h, h}, {h, h}} {
			child := square{x: q.x + c[0], y: q.y + c[1], half: h}
			if math.Hypot(child.x, child.y)-math.Sqrt2*h > length-s.gauge.slack {
				continue
			}
			tried++
			if s.look(&child) {
				return found
			}
			if child.bound >= s.gauge.slack {
				heap.Push(&queue, child)
			}
		}
	}
	return none
}

// look asks for the middle of a square, sets its bound, and reports whether the slack suffices there.
func (s *search) look(q *square) bool {
	way, reach := math.Hypot(q.x, q.y), math.Sqrt2*q.half
	length := s.tool.length()
	d, height := s.tool.along(min(way, length))
	x, y := s.p[0], s.p[1]
	if way > 0 {
		x, y = x+q.x/way*(d+max(way-length, 0)), y+q.y/way*(d+max(way-length, 0))
	}
	tip, inside := s.p[2]-height, length-way
	least, most := s.gauge.slack-reach, s.gauge.slack+reach+1
	slack := min(inside, s.slack(x, y, tip, s.lift, least, most))
	if slack >= s.gauge.slack {
		return true
	}
	if s.tool.corner > 0 { // elsewhere in the square the tip may be higher by as much
		slack = min(inside, s.slack(x, y, tip, s.lift+reach, least, most))
	}
	q.bound = slack + reach
	return false
}
