package heal

import (
	"context"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// octant adds the solid between two balls about a corner, in the octant that three perpendicular directions span.
func octant(b *build.Builder, corner geom.Vec3, inner, outer float64, x, y, z geom.Vec3) {
	axes := [3]geom.Vec3{x, y, z}
	if x.Cross(y).Dot(z) < 0 {
		axes[1], axes[2] = axes[2], axes[1]
	}
	var arcs [2][3]brep.EdgeID // arc i runs from axis i to the next one
	var spokes [3]brep.EdgeID
	var at [2][3]brep.VertexID
	for i, a := range axes {
		at[0][i], at[1][i] = b.Vertex(corner.AddScaled(inner, a)), b.Vertex(corner.AddScaled(outer, a))
		spokes[i] = b.Line(at[0][i], at[1][i])
	}
	for k, r := range []float64{inner, outer} {
		for i, a := range axes {
			next := axes[(i+1)%3]
			arcs[k][i] = b.Edge(curve.Circle{Frame: geom.NewFrame(corner, a.Cross(next), a), Radius: r}, 0, math.Pi/2,
				at[k][i], at[k][(i+1)%3])
		}
	}
	for i, a := range axes {
		n := (i + 1) % 3
		b.Face(surface.Plane{Frame: geom.NewFrame(corner, axes[n].Cross(a), a)}, false,
			build.Chain(build.Fwd(arcs[0][i]), build.Fwd(spokes[n]), build.Rev(arcs[1][i]), build.Rev(spokes[i])))
	}
	pole := x.Add(y).Add(z).Unit()
	sphere := func(r float64) surface.Surface {
		return surface.Sphere{Frame: geom.NewFrame(corner, pole, pole.Perp()), Radius: r}
	}
	b.Face(sphere(outer), false, build.Chain(build.Fwd(arcs[1][0]), build.Fwd(arcs[1][1]), build.Fwd(arcs[1][2])))
	b.Face(sphere(inner), true, build.Chain(build.Rev(arcs[0][2]), build.Rev(arcs[0][1]), build.Rev(arcs[0][0])))
	b.Solid()
}

func octants(n int) *brep.Model {
	b := build.New("octants")
	for i := range n {
		octant(b, geom.Vec3{X: 50 * float64(i)}, 5, 10, geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1})
	}
	return b.Model()
}

// TestSidesOfSpheres negates the sense of one face of an eighth of a hollow ball. A flipped outer sphere makes the
// shell inside out. A flipped inner one, a whole ball less an eighth, bounds a solid too: similar faces decide, or a
// warning names it.
func TestSidesOfSpheres(t *testing.T) {
	for _, n := range []int{1, 3} {
		sound := octants(n)
		if m := clone(sound); Model(context.Background(), m) != nil || len(m.Warnings) > 0 {
			t.Errorf("%d octants are mended: %v", n, m.Warnings)
		}
		for f := range sound.Faces {
			m := clone(sound)
			m.Faces[f].Reversed = !m.Faces[f].Reversed
			if err := Model(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			isOpen := n == 1 && f == 4
			var turned []int
			for g := range m.Faces {
				if m.Faces[g].Reversed != sound.Faces[g].Reversed {
					turned = append(turned, g)
				}
			}
			code := FlippedFace
			if isOpen {
				code = AmbiguousSide
			}
			if isOpen != slices.Equal(turned, []int{f}) || len(m.Warnings) != 1 || m.Warnings[0].Code != code {
				t.Errorf("%d octants, face %d turned: faces %v are, warnings %v, want %s", n, f, turned,
					m.Warnings, code)
			}
		}
	}
}

// TestFacesOfOneSphere negates the sense of one of two faces of a sphere, which would cover the other one.
func TestFacesOfOneSphere(t *testing.T) {
	at := func(x, y, bulge float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}, Bulge: bulge} }
	// A bar with two ends of one ball, which is as wide as the bar is long.
	arc := build.Bulge(math.Asin(3.0 / 5))
	sound := build.Revolve("bar", geom.World, []build.Corner{at(0, -5, arc), at(3, -4, 0), at(3, 4, arc), at(0, 5, 0)},
		build.Style{})
	for f := range sound.Faces {
		if sound.Faces[f].Surface.Kind() != surface.KindSphere {
			continue
		}
		m := clone(sound)
		m.Faces[f].Reversed = !m.Faces[f].Reversed
		if err := Model(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		if m.Faces[f].Reversed != sound.Faces[f].Reversed {
			t.Errorf("face %d stays turned: %v", f, m.Warnings)
		}
	}
}

// TestVerticesOffTheirFaces moves a ball away from the vertex that it is written with.
func TestVerticesOffTheirFaces(t *testing.T) {
	b := build.New("ball")
	ball := surface.Sphere{Frame: geom.World, Radius: 5}
	b.Face(ball, false, build.Loop{Vertex: b.Vertex(geom.Vec3{Z: 5})})
	b.Solid()
	m := b.Model()
	if err := Model(context.Background(), m); err != nil || len(m.Warnings) > 0 {
		t.Errorf("a ball: %v, %v", m.Warnings, err)
	}
	ball.Radius = 4
	m.Faces[0].Surface = ball
	if err := Model(context.Background(), m); err != nil || len(m.Warnings) != 1 ||
		m.Warnings[0].Code != VertexOffFace {
		t.Errorf("a smaller ball: %v, %v, want %s", m.Warnings, err, VertexOffFace)
	}
}
