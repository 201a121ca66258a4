package visibilitytest

import (
	"math"
	"math/rand/v2"

	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func bodies(points []geom.Vec3, triangles ...[3]int32) visibility.Input {
	return visibility.Input{Points: points, Triangles: triangles}
}

func over(m *mesh.Mesh) visibility.Input { return bodies(m.Points, m.Triangles...) }

// spread returns n directions at random.
func spread(rng *rand.Rand, n int) []geom.Vec3 { return solids.Directions(rng, n) }

// join puts the bodies into one scene.
func join(parts ...visibility.Input) visibility.Input {
	all := make([]*mesh.Mesh, len(parts))
	for i, p := range parts {
		all[i] = &mesh.Mesh{Points: p.Points, Triangles: p.Triangles}
	}
	return over(solids.Join(all...))
}

func moved(in visibility.Input, by geom.Vec3) visibility.Input {
	return over(solids.Move(&mesh.Mesh{Points: in.Points, Triangles: in.Triangles}, by))
}

func insideOut(in visibility.Input) visibility.Input {
	for i, t := range in.Triangles {
		in.Triangles[i] = [3]int32{t[1], t[0], t[2]}
	}
	return in
}

func boxes(corners ...[2]geom.Vec3) visibility.Input { return over(solids.Boxes(corners...)) }

func post(n int, radius, height float64) visibility.Input {
	return over(solids.Post(n, radius, height))
}

func ball(rng *rand.Rand, levels int, roughness float64) visibility.Input {
	return over(solids.Ball(rng, levels, roughness))
}

// aroundMesh returns n samples in the box of the mesh and around it.
func aroundMesh(rng *rand.Rand, in *visibility.Input, n int) [][3]float32 {
	box := geom.EmptyBox().Add(in.Origin)
	for _, p := range in.Points {
		box = box.Add(p)
	}
	out := make([][3]float32, n)
	for i := range out {
		d := box.Max.Sub(box.Min)
		p := box.Min.Add(geom.Vec3{X: d.X * (1.4*rng.Float64() - 0.2), Y: d.Y * (1.4*rng.Float64() - 0.2),
			Z: d.Z * (1.4*rng.Float64() - 0.2)})
		out[i] = float(p.Sub(in.Origin))
	}
	return out
}

// aboveMesh returns up to n samples a little off the triangles, outside of the body.
func aboveMesh(rng *rand.Rand, in *visibility.Input, n int) [][3]float32 {
	var out [][3]float32
	for range min(n, n*len(in.Triangles)) {
		t := in.Triangles[rng.IntN(len(in.Triangles))]
		a, b, c := in.Points[t[0]], in.Points[t[1]], in.Points[t[2]]
		normal := b.Sub(a).Cross(c.Sub(a)).Unit()
		p := a.Lerp(b, rng.Float64()).Lerp(c, rng.Float64())
		out = append(out, float(p.AddScaled(1e-3*math.Pow(1000, rng.Float64()), normal).Sub(in.Origin)))
	}
	return out
}
