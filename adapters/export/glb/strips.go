package glb

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Branch is a node with lines below it.
type Branch struct {
	Name   string
	Extras any // data of the node: a value of encoding/json, nil for no data
	Strips []Strip
}

// Strip is one polyline: a node with one primitive, whose vertices have colors.
type Strip struct {
	Name   string
	Points []geom.Vec3  // mm; fewer than two show nothing
	Colors []brep.Color // of each point; between two it fades
	Extras any
}

const colorSize = 4 // bytes of a vertex

// WriteStrips writes lines without a mesh: a node of a name with the branches below it. It fails when w does, when
// there is not one line to show and when a coordinate is not a finite float32.
func WriteStrips(w io.Writer, name string, branches []Branch) error {
	var points int64
	for _, b := range branches {
		for _, s := range b.Strips {
			if len(s.Points) != len(s.Colors) {
				return fmt.Errorf("glb: strip %s has %d points and %d colors", s.Name, len(s.Points), len(s.Colors))
			}
			if len(s.Points) > 1 {
				points += int64(len(s.Points))
			}
		}
	}
	if points == 0 {
		return errors.New("glb: there are no lines")
	}
	d := newDocument((vectorSize + colorSize) * points)
	d.BufferViews = []bufferView{
		{0, 0, vectorSize * points, vectorSize, targetVertices},
		{0, vectorSize * points, colorSize * points, colorSize, targetVertices},
	}
	palette := palette{index: map[material]int{}}
	line := palette.of(dull("line", brep.Color{R: 1, G: 1, B: 1})) // times the color of the vertices
	d.Materials = palette.list
	top := d.addNode(name, nil, nil)
	d.Nodes[0].Children = []int{top}
	at := int64(0)
	for _, b := range branches {
		branch := d.addNode(b.Name, nil, b.Extras)
		d.Nodes[top].Children = append(d.Nodes[top].Children, branch)
		for i := range b.Strips {
			s := &b.Strips[i]
			p, err := d.addStrip(s, at)
			if err != nil {
				return err
			}
			for k := range p {
				p[k].Material = line
				at += int64(len(s.Points))
			}
			d.Nodes[branch].Children = append(d.Nodes[branch].Children, d.addNode(s.Name, p, s.Extras))
		}
	}
	return writeFile(w, d, (vectorSize+colorSize)*points, func(out *bufio.Writer) { writeStrips(out, branches) })
}

// addStrip adds the accessors of a strip whose first vertex has index first, and returns its primitive. A strip with
// less than two points has no primitive.
func (d *document) addStrip(s *Strip, first int64) ([]primitive, error) {
	if len(s.Points) < 2 {
		return nil, nil
	}
	b := newBounds()
	for _, p := range s.Points {
		if !b.add(p) {
			return nil, fmt.Errorf("glb: a point of strip %s is not a finite float32: %v", s.Name, p)
		}
	}
	position, colors := len(d.Accessors), len(d.Accessors)+1
	d.Accessors = append(d.Accessors, accessor{
		BufferView: 0, ByteOffset: first * vectorSize, ComponentType: typeFloat, Count: len(s.Points), Type: "VEC3",
		Min: &b.min, Max: &b.max,
	}, accessor{
		BufferView: 1, ByteOffset: first * colorSize, ComponentType: typeUint8, Normalized: true,
		Count: len(s.Points), Type: "VEC4",
	})
	return []primitive{{Mode: modeStrip, Attributes: attributes{Position: position, Color: &colors}}}, nil
}

// writeStrips writes positions and then colors. Errors of out show at its Flush.
func writeStrips(out *bufio.Writer, branches []Branch) {
	each := func(write func(s *Strip, k int)) {
		for i := range branches {
			for k := range branches[i].Strips {
				s := &branches[i].Strips[k]
				for v := range s.Points {
					if len(s.Points) > 1 {
						write(s, v)
					}
				}
			}
		}
	}
	each(func(s *Strip, v int) { writeVector(out, narrow(s.Points[v])) })
	each(func(s *Strip, v int) {
		b := out.AvailableBuffer()
		for _, c := range color.Linear(s.Colors[v]) {
			b = append(b, byte(math.Round(c*math.MaxUint8)))
		}
		out.Write(append(b, math.MaxUint8)) // opaque
	})
}
