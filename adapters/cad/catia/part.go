package catia

import (
	"context"
	"fmt"
	"slices"

	"millwright/core/brep"
	"millwright/core/brep/faceted"
	"millwright/core/fault"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// minTolerance (mm) is how well CATIA closes its models.
const minTolerance = 1e-3

// build makes the model of what is displayed.
func build(ctx context.Context, bodies []*body, carriers [][]surface.Surface) (*brep.Model, error) {
	m := &brep.Model{}
	box := geom.EmptyBox()
	hidden := 0
	for _, b := range bodies {
		box = geom.BoxOf(b.points...).Union(box)
		if !b.isShown {
			hidden++
		}
	}
	m.Tolerance = geom.Tolerance{Length: max(minTolerance, box.Diagonal()/roundOff), Angle: geom.DefaultTolerance.Angle}
	warn := func(code string, count int, format string, args ...any) {
		if count > 0 {
			m.Warnings = append(m.Warnings, fault.Warnf(code, count, format, args...))
		}
	}
	if hidden == len(bodies) {
		warn("all_hidden", 1, "Everything in the file is hidden; it was read all the same")
	} else {
		warn("hidden_geometry", hidden, "%d hidden bodies and surfaces were left out", hidden)
	}
	sag := 0.0
	for i, b := range bodies {
		if hidden < len(bodies) && !b.isShown {
			continue
		}
		sag = max(sag, b.sag)
		if err := faceted.Append(ctx, m, b.faceted(carriers[i]), m.Tolerance.Length); err != nil {
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
	rough := 0
	for i := range m.Faces {
		if !surface.Exact(m.Faces[i].Surface).Kind().IsAnalytic() {
			rough++
		}
	}
	warn("tessellated_shape", len(m.Faces), "The CATIA part was read from what it displays, which is within %.2g mm of "+
		"its exact shape: %d of %d faces have a plane, cylinder, cone, sphere or torus in single precision, the others only "+
		"triangles; export it as STEP for the exact shape", sag, len(m.Faces)-rough, len(m.Faces))
	return m, nil
}

// faceted returns the body with the surfaces of its faces.
func (b *body) faceted(carriers []surface.Surface) faceted.Body {
	out := faceted.Body{Solid: b.isSolid, Slack: b.sag, Faces: make([]faceted.Face, len(b.faces))}
	for i, p := range b.faces {
		f := faceted.Face{Points: b.points, Triangles: p.triangles, Carrier: carriers[i], Colour: p.colour}
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
