// Package mass measures a boundary representation exactly: areas, volumes, centroids and bounds that
// depend on no tessellation.
//
// Lengths are mm in part coordinates, areas mm², volumes mm³.
package mass

import (
	"context"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/parallel"
)

// Version is part of the key of stored properties. It rises whenever some model measures differently.
const Version = 11

// Properties are the measures of a model.
type Properties struct {
	Faces    []Face  // by brep.FaceID
	Solids   []Solid // by brep.SolidID
	Area     float64 // of all faces, sheets included
	Volume   float64 // of all solids
	Centroid geom.Vec3
	Bounds   geom.Box // of all faces, sheets included
}

// Face contains the measures of one face.
type Face struct {
	Area   float64
	Bounds geom.Box
	// Gap is the largest distance of the face's boundary from its surface, and Turned the number of its loops in the
	// wrong direction. Both are 0 in a sound file.
	Gap    float64
	Turned int
}

// Solid contains the measures of one solid.
type Solid struct {
	Volume   float64
	Area     float64   // of all its shells
	Centroid geom.Vec3 // of its material; the zero vector when the volume is 0
	Bounds   geom.Box
	// InsideOut lists the shells whose faces all have their normals into the material: they are measured as if flipped.
	InsideOut []brep.ShellID
}

// facesAtOnce is the number of faces in one goroutine's batch.
const facesAtOnce = 16

// Compute measures a model. Faces run on all processors; the sums have the order of the model, so that the result does
// not depend on the number of processors. Errors are the errors of ctx, or a *trim.Error for a face that bounds no
// region.
func Compute(ctx context.Context, m *brep.Model) (*Properties, error) {
	s := sampleEdges(m)
	parts := make([]part, len(m.Faces))
	p := &Properties{
		Faces:  make([]Face, len(m.Faces)),
		Solids: make([]Solid, len(m.Solids)),
		Bounds: geom.EmptyBox(),
	}
	err := parallel.Try(ctx, len(m.Faces), facesAtOnce, func() func(int) error {
		g := newIntegrator(m, s)
		return func(i int) (err error) {
			parts[i], p.Faces[i], err = g.face(brep.FaceID(i))
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	p.sum(m, parts, s.centers)
	return p, nil
}

// SignedCone is the cone between a face and a point common to all faces of a solid, or sheet.
type SignedCone struct {
	Area   float64 // mm², of the face
	Volume float64 // mm³; negative where the normal of the face points to the point
}

// FaceCones measures some faces, in their order. The volumes of the faces of a closed shell add up to its volume. It
// returns the errors of Compute.
func FaceCones(ctx context.Context, m *brep.Model, faces []brep.FaceID) ([]SignedCone, error) {
	s := sampleEdges(m)
	out := make([]SignedCone, len(faces))
	err := parallel.Try(ctx, len(faces), facesAtOnce, func() func(int) error {
		g := newIntegrator(m, s)
		return func(i int) error {
			p, f, err := g.face(faces[i])
			out[i] = SignedCone{f.Area, p.volume / 3}
			return err
		}
	})
	return out, err
}

// part is the contribution of a face to its solid, about the center of the solid.
type part struct {
	volume float64   // three times the signed volume of the cone over the face
	moment geom.Vec3 // four times its first moment
}

func (p *Properties) sum(m *brep.Model, parts []part, centers []geom.Vec3) {
	for i := range p.Faces {
		p.Area += p.Faces[i].Area
		p.Bounds = p.Bounds.Union(p.Faces[i].Bounds)
	}
	var moment geom.Vec3
	for i, solid := range m.Solids {
		s := &p.Solids[i]
		s.Bounds = geom.EmptyBox()
		var center geom.Vec3
		var sum part
		for _, sh := range solid.Shells {
			var shell part
			for _, f := range m.Shells[sh].Faces {
				center = centers[f]
				s.Area += p.Faces[f].Area
				s.Bounds = s.Bounds.Union(p.Faces[f].Bounds)
				shell.volume += parts[f].volume
				shell.moment = shell.moment.Add(parts[f].moment)
			}
			if shell.volume < 0 != m.Shells[sh].IsVoid && shell.volume != 0 {
				s.InsideOut = append(s.InsideOut, sh)
				shell = part{-shell.volume, shell.moment.Neg()}
			}
			sum.volume += shell.volume
			sum.moment = sum.moment.Add(shell.moment)
		}
		s.Volume = sum.volume / 3
		if s.Volume != 0 {
			s.Centroid = center.AddScaled(0.25/s.Volume, sum.moment)
		}
		p.Volume += s.Volume
		moment = moment.AddScaled(s.Volume, center).AddScaled(0.25, sum.moment)
	}
	if p.Volume != 0 {
		p.Centroid = moment.Scale(1 / p.Volume)
	}
}
