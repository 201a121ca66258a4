package shadow

import (
	"encoding/binary"
	"math"

	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// SectionAbove is the area of a part above a height, face by face. For faces taken from the mesh it encloses their true
// shape.
type SectionAbove struct {
	// Faces are nil for faces below the height. A face that the height does not cut has the same area for all heights.
	Faces []*arcpoly.Area
	IsCut []bool // by the height
	// Whole are the unions of the faces that the height does not cut: those from edges and analytic surfaces, and those
	// from the mesh. Heights between which no face begins or ends share the same areas.
	Whole [2]*arcpoly.Area
}

// The kinds of joined faces.
const (
	ofEdges = iota
	ofMesh
)

// set is the key of joined faces.
type set struct {
	kind  int
	faces string
}

// SectionAbove cuts the part. The tolerance of the mesh, mm, has to be the same at each call.
func (s *Shadow) SectionAbove(z, tolerance float64) (*SectionAbove, error) {
	c := s.section()
	if err := s.takeExact(c, z); err != nil {
		return nil, err
	}
	return c, s.takeWide(c, z, tolerance)
}

func (s *Shadow) section() *SectionAbove {
	return &SectionAbove{Faces: make([]*arcpoly.Area, len(s.faces)), IsCut: make([]bool, len(s.faces))}
}

// cut returns the faces that the height cuts.
func (c *SectionAbove) cut() (areas []*arcpoly.Area) {
	for i, a := range c.Faces {
		if c.IsCut[i] {
			areas = append(areas, a)
		}
	}
	return areas
}

// takeExact fills in the faces computed from edges and analytic surfaces.
func (s *Shadow) takeExact(c *SectionAbove, z float64) (err error) {
	var whole []int
	for i := range s.faces {
		switch q := &s.faces[i]; {
		case q.span.Hi <= z+margin || q.whole == nil:
		case q.span.Lo >= z-margin:
			c.Faces[i] = q.whole
			whole = append(whole, i)
		case q.isExact:
			c.IsCut[i] = true
			if c.Faces[i], err = s.split(q, z); err != nil {
				return err
			}
		}
	}
	return s.join(c, ofEdges, whole)
}

// takeWide fills in the enclosing areas of meshed faces.
func (s *Shadow) takeWide(c *SectionAbove, z, tolerance float64) (err error) {
	if _, reaches := s.meshLayer(z, tolerance); !reaches {
		return nil
	}
	var whole []int
	for i := range s.faces {
		q := &s.faces[i]
		if !s.isMeshed(q, z, tolerance) {
			continue
		}
		if c.IsCut[i] = q.span.Lo < z-tolerance-margin; c.IsCut[i] {
			c.Faces[i], err = s.enclosed(q.patch, z-tolerance, tolerance)
		} else {
			whole = append(whole, i)
			c.Faces[i], err = s.all.Get(q.patch, func() (*arcpoly.Area, error) {
				return s.enclosed(q.patch, math.Inf(-1), tolerance)
			})
		}
		if err != nil {
			return err
		}
	}
	return s.join(c, ofMesh, whole)
}

// join fills in the union of some faces.
func (s *Shadow) join(c *SectionAbove, kind int, faces []int) (err error) {
	var key []byte
	var areas []*arcpoly.Area
	for _, i := range faces {
		key = binary.AppendUvarint(key, uint64(i))
		areas = append(areas, c.Faces[i])
	}
	c.Whole[kind], err = s.joined.Get(set{kind, string(key)}, func() (*arcpoly.Area, error) {
		return arcpoly.Union(areas...)
	})
	return err
}
