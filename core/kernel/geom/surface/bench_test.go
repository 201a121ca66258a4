package surface_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// BenchmarkKinds measures the calls of the tessellator's hot loops on each kind.
func BenchmarkKinds(b *testing.B) {
	profile := wave(b, geom.Vec3{}, v3(1, 0, 0), v3(0, 0, 1), 3)
	ext, err := surface.NewExtrusion(profile, v3(0, 1, 0))
	if err != nil {
		b.Fatal(err)
	}
	rev, err := surface.NewRevolution(profile, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		b.Fatal(err)
	}
	f := geom.NewFrame(v3(1, 2, 3), v3(1, 1, 2), v3(1, 0, 0))
	for _, s := range []surface.Surface{
		surface.Plane{Frame: f}, surface.Cylinder{Frame: f, Radius: 5},
		surface.Cone{Frame: f, Radius: 5, HalfAngle: 0.4}, surface.Sphere{Frame: f, Radius: 5},
		surface.Torus{Frame: f, Major: 5, Minor: 2}, ext, rev, gentle(b), wholeSphere(b, 5),
		mustOffset(b, gentle(b), 3),
	} {
		name := s.Kind().String()
		benchCalls(b, name, s)
	}
}

func benchCalls(b *testing.B, name string, s surface.Surface) {
	uvs := make([]geom.Vec2, 64)
	pts := make([]geom.Vec3, len(uvs))
	for i := range uvs {
		x := float64(i) / float64(len(uvs))
		uvs[i] = uv(0.2+0.6*x, 0.5+0.3*math.Sin(3*x))
		pts[i] = s.At(uvs[i].X, uvs[i].Y)
	}
	s.Invert(pts[0])
	b.Run(name+"/At", func(b *testing.B) {
		for i := range b.N {
			s.At(uvs[i&63].X, uvs[i&63].Y)
		}
	})
	b.Run(name+"/Normal", func(b *testing.B) {
		for i := range b.N {
			s.Normal(uvs[i&63].X, uvs[i&63].Y)
		}
	})
	b.Run(name+"/D2", func(b *testing.B) {
		for i := range b.N {
			s.D2(uvs[i&63].X, uvs[i&63].Y)
		}
	})
	b.Run(name+"/InvertNear", func(b *testing.B) {
		hint := uvs[0]
		for i := range b.N {
			if i&63 == 0 {
				hint = uvs[0]
			}
			hint, _ = s.InvertNear(pts[i&63], hint)
		}
	})
	b.Run(name+"/Invert", func(b *testing.B) {
		for i := range b.N {
			s.Invert(pts[i&63])
		}
	})
}
