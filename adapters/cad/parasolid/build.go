package parasolid

import (
	"context"
	"errors"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// tolerance (mm) is the distance within which two points of a Parasolid model are one: its resolution, 1e-8 m.
const tolerance = 1e-5

// maxFaces limits the faces after all instances are placed. It is above real parts; so many faces take about 1 GB.
const maxFaces = 1 << 19

// Build makes the model of bodies, in their order. Errors that are the file's fault are *fault.Error.
func Build(ctx context.Context, instances []Instance) (*brep.Model, error) {
	m := &brep.Model{}
	b := &builder{geometry: newGeometry(ctx), trails: map[*xt.Stream]*trail{}}
	built := map[*Body]*brep.Model{}
	faces := 0
	var lost error
	for _, in := range instances {
		if faces += in.Body.Faces; faces > maxFaces {
			return nil, fault.Errorf(fault.TooComplex, "The Parasolid file has more than %d faces.", maxFaces)
		}
		body, ok := built[in.Body]
		if !ok {
			var err error
			body, err = b.body(in.Body)
			if err != nil && !b.skipShape(err) {
				return nil, err
			}
			if err != nil {
				lost = err
			}
			built[in.Body] = body
		}
		switch {
		case body == nil:
		case len(instances) == 1 && in.At == geom.Identity:
			m = body
		default:
			m.Append(body, in.At)
		}
	}
	b.countWires(instances)
	if len(m.Faces) == 0 && lost != nil {
		return nil, lost
	}
	if len(m.Faces) == 0 {
		return nil, fault.Errorf(fault.NoSolid, "The Parasolid data hold no solid and no surface.")
	}
	m.Tolerance = geom.Tolerance{Length: tolerance, Angle: geom.DefaultTolerance.Angle}
	m.Warnings = b.warnings
	return m, nil
}

// builder builds bodies.
type builder struct {
	*geometry
	trails   map[*xt.Stream]*trail
	warnings []fault.Warning
}

// warn adds a warning, or adds its count to an earlier warning with the same code.
func (b *builder) warn(w fault.Warning) {
	for i := range b.warnings {
		if b.warnings[i].Code == w.Code {
			b.warnings[i].Count += w.Count
			return
		}
	}
	b.warnings = append(b.warnings, w)
}

func (b *builder) skip(code, what string, err error) bool {
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.UnreadableFile {
		return false
	}
	w := fault.Warnf(code, 1, "%s was left out: %s", what, f.Reason)
	w.Entity = f.Entity
	b.warn(w)
	return true
}

func (b *builder) skipShape(err error) bool { return b.skip(brep.SkippedShape, "A body", err) }

// countWires warns of wire bodies, which have no faces: they are construction geometry.
func (b *builder) countWires(instances []Instance) {
	n := 0
	for _, in := range instances {
		if in.Body.Kind == Wire {
			n++
		}
	}
	if n > 0 {
		b.warn(fault.Warnf("wires", n, "%d wires and points, which bound no face, were left out.", n))
	}
}
