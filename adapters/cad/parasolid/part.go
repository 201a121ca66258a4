package parasolid

import (
	"context"
	"math"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// Part is a decoded stream: its bodies can be looked at before shapes are built of them.
type Part struct {
	Name      string // of the text header, "" without
	stream    *xt.Stream
	instances []Instance
}

// Instance is a body where the part has it.
type Instance struct {
	Body *Body
	At   geom.Transform
}

// Kind is the kind of a body.
type Kind int

// The kinds, with the numbers of the format. A general body may have solid regions, sheets and wires.
const (
	Solid   Kind = 1
	Wire    Kind = 2
	Sheet   Kind = 3
	General Kind = 6
)

// Body is a body of a part.
type Body struct {
	Name  string // "" if the file states no name
	Kind  Kind
	Faces int // how many it has
	node  xt.Node
}

// Open decodes a stream, with or without a text header. It rejects streams of roll-back data, which containers store
// after the bodies. Errors are *fault.Error or the error of ctx.
func Open(ctx context.Context, stream []byte) (*Part, error) {
	if xt.IsDeltas(stream) {
		return nil, fault.Errorf(fault.NoSolid, "The Parasolid data hold only what a part was before, and no body.")
	}
	s, err := xt.Decode(ctx, stream)
	if err != nil {
		return nil, err
	}
	p := &Part{Name: s.Header.Name, stream: s}
	return p, p.place()
}

// Instances returns the placed bodies of the part: those that its assembly places, or else all bodies.
func (p *Part) Instances() []Instance { return p.instances }

func newBody(n xt.Node, seen *marks) *Body {
	b := &Body{Kind: Kind(n.Int("body_type")), node: n}
	b.Name, _ = labels(n)
	for region := range chain(n.To("region"), "next", seen) {
		for shell := range chain(region.To("shell"), "next", seen) {
			for range chain(shell.To("face"), "next", seen) {
				b.Faces++
			}
		}
	}
	return b
}

// Bounds returns the box (mm) of the body's vertices and circles. The box of the body is larger only if a face, or a
// curve of another kind, bulges out of it.
func (b *Body) Bounds() geom.Box {
	box := geom.EmptyBox()
	for v := range round(b.node.To("vertex"), "next") {
		if p, ok := pointOf(v.To("point"), "pvec"); ok {
			box = box.Add(p)
		}
	}
	for e := range round(b.node.To("edge"), "next") {
		if c := e.To("curve"); c.Kind() == nodeCircle && isRing(e) {
			if circle, err := circleOf(c); err == nil {
				box = box.Union(circle.Bounds(geom.Interval{Hi: 2 * math.Pi}))
			}
		}
	}
	return box
}
