// Package stockview shows the result of material removal: the stock after each setup, and the excess material at the
// end.
//
// Bodies are dexels, and are shown as square columns along z with the exact heights of their rays. If a lattice has
// more rays than a picture needs, only some of them are shown: these files are for viewing, not for measurement.
package stockview

import (
	"fmt"
	"io"

	"millwright.dev/millwright/adapters/export/glb"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

var (
	stockColor   = brep.Color{R: 0.66, G: 0.68, B: 0.71}
	residueColor = brep.Color{R: 0.84, G: 0.37, B: 0.00}
)

// WriteStock writes the stock after each setup, in the part frame, one node each. frame maps the frame of the stocks to
// the part frame.
func WriteStock(w io.Writer, frame geom.Frame, after []*dexel.Stock) error {
	m := &mesh.Mesh{}
	var groups []glb.Group
	for i, d := range after {
		columnsOf(d, func(i, j int) []dexel.Span { return d.Ray(2, i, j) }).appendTo(m)
		groups = append(groups, glb.Group{
			Name: fmt.Sprintf("after setup %d", i+1), Material: "stock", Color: stockColor, Regions: []int{i},
			Extras: map[string]int{"setup": i + 1},
		})
	}
	return write(w, "stock", frame, m, groups)
}

// WriteResidue writes the excess material of more than least (mm) along z of the stocks' frame, in the part frame. left
// and part have the same lattice; frame maps their frame to the part frame.
func WriteResidue(w io.Writer, frame geom.Frame, left, part *dexel.Stock, least float64) error {
	if left.Lattice != part.Lattice {
		return fmt.Errorf("milled: the lattices %+v and %+v differ", left.Lattice, part.Lattice)
	}
	m := &mesh.Mesh{}
	columnsOf(left, func(i, j int) (out []dexel.Span) {
		for _, s := range without(left.Ray(2, i, j), part.Ray(2, i, j)) {
			if float64(s.Hi)-float64(s.Lo) > least {
				out = append(out, s)
			}
		}
		return out
	}).appendTo(m)
	return write(w, "residue", frame, m, []glb.Group{
		{Name: "left", Material: "residue", Color: residueColor, Regions: []int{0}},
	})
}

func write(w io.Writer, name string, frame geom.Frame, m *mesh.Mesh, groups []glb.Group) error {
	if len(m.Triangles) == 0 {
		return glb.WriteNothing(w, name)
	}
	for i := range m.Points {
		m.Points[i] = frame.Point(m.Points[i])
	}
	return glb.Write(w, m, glb.Options{Name: name, Groups: groups, Flat: true})
}
