package reach

import (
	"math"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/cam/machining"
)

// disc is a step of an outline: the tool is at least so wide from a height above its tip on upward.
type disc struct {
	height, radius float64
	behind         bool // neck, shank or holder
	wide           bool // of these, what is wider than the flutes
}

// Tool is a tool in its holder.
type Tool struct {
	Name         string
	plunges      bool
	radius       float64 // of the flutes
	corner       float64 // radius between the end and the side
	cutting      replay.Outline
	inner, outer []disc // steps within and around the outline, ascending
}

// NewTool takes the figures of a tool; plunges says that it goes down only.
func NewTool(name string, s replay.Shape, plunges bool) Tool {
	body := s.Body()
	t := Tool{
		Name: name, plunges: plunges, cutting: body.Cutting,
		radius: body.Cutting[len(body.Cutting)-1].Radius, corner: s.CornerRadius,
	}
	if t.isBall() { // the sphere is asked itself
		t.inner = []disc{{height: t.corner, radius: t.radius}}
		t.outer = t.inner
	} else {
		t.inner, t.outer = steps(body.Cutting, false)
	}
	if len(body.Behind) > 0 {
		inner, outer := steps(body.Behind, true)
		t.inner, t.outer = append(t.inner, inner...), append(t.outer, outer...)
	}
	for _, list := range [][]disc{t.inner, t.outer} {
		for i := range list {
			if plunges && list[i].behind { // chips must get out
				list[i].radius += chips
			}
			list[i].wide = list[i].behind && list[i].radius > t.radius+1e-9
		}
	}
	return t
}

// chips (mm) is the room that what is behind the flutes of a drill needs, so that no more than these go into a hole.
const chips = 1

func (t *Tool) isBall() bool { return t.corner > 0 && t.corner >= t.radius-1e-9 }

// steps draws an outline by steps within and around it.
func steps(o replay.Outline, behind bool) (inner, outer []disc) {
	const sloped = 32 // steps of a corner or a cone
	pieces := 0
	for i := 1; i < len(o); i++ {
		if o[i].Height > o[i-1].Height && o[i].Radius > o[i-1].Radius {
			pieces++
		}
	}
	inner = append(inner, disc{height: o[0].Height, radius: o[0].Radius, behind: behind})
	outer = append(outer, inner[0])
	for i := 1; i < len(o); i++ {
		a, b, n := o[i-1], o[i], 1
		if b.Height > a.Height && b.Radius > a.Radius {
			n = max(sloped/pieces, 1)
		}
		if pieces > sloped && i%(pieces/sloped) != 0 && i < len(o)-1 {
			continue
		}
		for k := range n {
			s := float64(k+1) / float64(n)
			h, r := a.Height+s*(b.Height-a.Height), a.Radius+s*(b.Radius-a.Radius)
			outer = append(outer, disc{height: inner[len(inner)-1].height, radius: r, behind: behind})
			inner = append(inner, disc{height: h, radius: r, behind: behind})
		}
	}
	return inner, outer
}

// Tools are those of a cut config that the search knows to use.
func Tools(list []machining.Tool) (out []Tool) {
	for _, t := range list {
		plunges := false
		switch t.Kind {
		case machining.FlatEndMill, machining.BallEndMill, machining.BullNoseEndMill, machining.FaceMill:
		case machining.Drill, machining.Reamer:
			plunges = true
		default:
			continue
		}
		out = append(out, NewTool(t.Name, ShapeOf(&t), plunges))
	}
	return out
}

// ShapeOf returns the shape of a tool in its holder.
func ShapeOf(t *machining.Tool) replay.Shape {
	s := replay.Shape{
		Kind: string(t.Kind), Diameter: t.Diameter, CornerRadius: t.CornerRadius, FluteLength: t.FluteLength,
		ShankDiameter: t.ShankDiameter, Stickout: t.BodyLength, OverallLength: t.OverallLength,
	}
	if t.TipAngleDeg != nil {
		s.TipAngle = *t.TipAngleDeg
	}
	if t.TipDiameter != nil {
		s.TipDiameter = *t.TipDiameter
	}
	if t.Holder == nil { // its shank continues
		s.Stickout = max(s.Stickout, t.OverallLength)
	} else {
		for _, c := range t.Holder.Cones {
			s.Holder = append(s.Holder, [3]float64{c.DiameterBottom, c.DiameterTop, c.Height})
		}
	}
	return s
}

// length is the way along the outline from the axis to the side of the flutes.
func (t *Tool) length() float64 { return t.radius - t.corner + t.corner*math.Pi/2 }

// along returns distance from the axis and height above the tip after a way along the outline.
func (t *Tool) along(s float64) (distance, height float64) {
	flat := t.radius - t.corner
	if s <= flat || t.corner == 0 {
		return min(s, flat), 0
	}
	sin, cos := math.Sincos(min((s-flat)/t.corner, math.Pi/2))
	return flat + t.corner*sin, t.corner * (1 - cos)
}

// heightAt returns the height of the flutes above the tip at a distance from the axis within their radius.
func (t *Tool) heightAt(d float64) float64 {
	o := t.cutting
	for i, r := range o {
		if d > r.Radius {
			continue
		}
		if i == 0 || r.Radius == o[i-1].Radius {
			return r.Height
		}
		b := o[i-1]
		return b.Height + (r.Height-b.Height)*max(0, d-b.Radius)/(r.Radius-b.Radius)
	}
	return o[len(o)-1].Height
}
