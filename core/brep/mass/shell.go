package mass

import (
	"context"
	"math"

	"millwright/core/brep"
)

// ShellVolumes returns the signed volumes (mm³) that closed shells enclose, by position in shells: positive
// where the normals point out of the shell. It is NaN for a shell with a face that bounds no region. Other
// shells of the model are not looked at. The error is that of ctx.
func ShellVolumes(ctx context.Context, m *brep.Model, shells []brep.ShellID) ([]float64, error) {
	s := sampleEdges(m)
	var faces []brep.FaceID
	var of []int // by face: into shells
	for i, sh := range shells {
		for _, f := range m.Shells[sh].Faces {
			faces = append(faces, f)
			of = append(of, i)
		}
	}
	shares := make([]float64, len(faces))
	err := spread(ctx, len(faces), func() func(int) error {
		g := newIntegrator(m, s)
		return func(i int) error {
			p, _, err := g.face(faces[i])
			if shares[i] = p.volume / 3; err != nil {
				shares[i] = math.NaN()
			}
			return nil
		}
	})
	volumes := make([]float64, len(shells))
	for i, v := range shares {
		volumes[of[i]] += v
	}
	return volumes, err
}
