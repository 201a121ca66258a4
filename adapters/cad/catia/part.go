package catia

import (
	"context"
	"fmt"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/faceted"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// minTolerance (mm) is the tolerance within which CATIA closes its models.
const minTolerance = 1e-3

// mostBulge is the largest distance, in units of the sag, of the points of an edge from a longer side along it.
const mostBulge = 4

// toleranceOf returns that to which points in single precision lie on their surfaces, mm.
func toleranceOf(bodies []*body) float64 {
	box := geom.EmptyBox()
	for _, b := range bodies {
		box = geom.BoxOf(b.points...).Union(box)
	}
	return max(minTolerance, box.Diagonal()/roundOff)
}

// build makes the model of the display data.
func build(
	ctx context.Context, bodies []*body, carriers [][]surface.Surface, tolerance float64,
) (*brep.Model, error) {
	m := &brep.Model{Tolerance: geom.Tolerance{Length: tolerance, Angle: geom.DefaultTolerance.Angle}}
	hidden := 0
	for _, b := range bodies {
		if !b.isShown {
			hidden++
		}
	}
	warn := func(code string, count int, format string, args ...any) {
		if count > 0 {
			m.Warnings = append(m.Warnings, fault.Warnf(code, count, format, args...))
		}
	}
	if hidden == len(bodies) {
		warn("all_hidden", 1, "Everything in the file is hidden; it was read anyway")
	} else {
		warn("hidden_geometry", hidden, "%d hidden bodies and surfaces were left out", hidden)
	}
	for i, b := range bodies {
		if hidden < len(bodies) && !b.isShown {
			continue
		}
		m.Sag = max(m.Sag, b.sag)
		if b.isListed {
			if err := b.refine(ctx, carriers[i], tolerance); err != nil {
				return nil, err
			}
		}
		if err := faceted.Append(ctx, m, b.faceted(carriers[i]), tolerance); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return nil, &fault.Error{Code: fault.UnreadableFile,
				Reason: fmt.Sprintf("A body of the CATIA part cannot be used: %v.", err)}
		}
	}
	if len(m.Faces) == 0 {
		return nil, fault.Errorf(fault.NoSolid, "The display mesh of the CATIA part has no triangle with an area.")
	}
	m.Link()
	restored, err := faceted.Restore(ctx, m, tolerance)
	if err != nil {
		return nil, err
	}
	warn("tessellated_shape", len(m.Faces),
		"The CATIA part was read from what it displays, within %.2g mm, not from its exact shape: "+
			"%d of its %d faces are planes, cylinders, cones, spheres or tori in single precision, %d are triangles; "+
			"export it as STEP for the exact shape", m.Sag, restored, len(m.Faces), len(m.Faces)-restored)
	return m, nil
}

// faceted returns the body with the surfaces of its faces.
func (b *body) faceted(carriers []surface.Surface) faceted.Body {
	out := faceted.Body{Solid: b.isSolid, Slack: mostBulge * b.sag, Faces: make([]faceted.Face, len(b.faces))}
	for i, p := range b.faces {
		f := faceted.Face{Points: b.points, Triangles: p.triangles, Carrier: carriers[i], Color: p.color}
		if p.normal != (geom.Vec3{}) {
			f.Normals = []geom.Vec3{p.normal.Unit()}
		} else if b.hasNormals(p) {
			f.Normals = b.normals
		}
		out.Faces[i] = f
	}
	return out
}

// hasNormals reports whether the normals of all corners of a face are known.
func (b *body) hasNormals(p packet) bool {
	return b.normals != nil && !slices.ContainsFunc(p.triangles, func(t [3]int32) bool {
		return b.normals[t[0]] == geom.Vec3{} || b.normals[t[1]] == geom.Vec3{} || b.normals[t[2]] == geom.Vec3{}
	})
}
