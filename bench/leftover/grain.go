package leftover

import (
	"context"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Grain is a piece of a column that is left. All grains together are the rest.
type Grain struct {
	From, To geom.Vec3 // its ends, in part coordinates
	Volume   float64   // mm³, of its share of the cell
	Height   float64   // mm, the distance of its middle from the part
	Faces    []int     // the nearest: one, or those that meet at the nearest edge
}

// grain is a Grain in the frame of the first setup.
type grain struct {
	from, to point
	faces    faces
	volume   float64
	height   float64
}

// Grains replays a program and visits the rest material. It is less exact than Measure, and is also fast with much rest
// material: tiles with more than a small volume are measured once, by columns of searchStep.
func Grains(ctx context.Context, p *replay.Program, part *mesh.Mesh, visit func(Grain)) error {
	const (
		little   = 50             // mm³
		fineStep = searchStep / 4 // mm
	)
	s, err := newScene(p, part)
	if err != nil {
		return err
	}
	s.grains = true
	all := [3]bool{true, true, true}
	for b := range s.tiles() {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := s.window(b)
		t := w.measure(b, searchStep, all)
		if t.volume > 0 && t.volume < little {
			t = w.measure(b, fineStep, all)
		}
		for _, g := range t.grains {
			visit(g.outer(s.first))
		}
	}
	return nil
}

func (g *grain) outer(first geom.Frame) Grain {
	place := func(p point) geom.Vec3 { return first.Point(geom.Vec3{X: p[0], Y: p[1], Z: p[2]}) }
	out := Grain{From: place(g.from), To: place(g.to), Volume: g.volume, Height: g.height}
	for _, face := range g.faces {
		if face >= 0 {
			out.Faces = append(out.Faces, int(face))
		}
	}
	return out
}
