package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawTransform(t *rapid.T) Transform {
	m := Rotation(drawVec3(t, "axis").Add(Vec3{Z: 200}), rapid.Float64Range(-4, 4).Draw(t, "angle"))
	m = m.Mul(Scaling(rapid.Float64Range(0.01, 50).Draw(t, "scale")))
	if rapid.Bool().Draw(t, "mirror") {
		m = m.Mul(Transform{X: Vec3{X: -1}, Y: Vec3{Y: 1}, Z: Vec3{Z: 1}})
	}
	return Translation(drawVec3(t, "move")).Mul(m)
}

func TestTransformIsSimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawTransform(t)
		p, q := drawVec3(t, "p"), drawVec3(t, "q")
		if got, want := m.Point(p).Dist(m.Point(q)), m.Scale()*p.Dist(q); math.Abs(got-want) > 1e-11*(1+want) {
			t.Fatalf("distance %v becomes %v, want %v", p.Dist(q), got, want)
		}
		if got := m.Inverse().Point(m.Point(p)); got.Dist(p) > 1e-9*(1+p.Norm()) {
			t.Fatalf("inverse gives %v, want %v", got, p)
		}
		if got := m.Dir(p.Sub(q)); got.Dist(m.Point(p).Sub(m.Point(q))) > 1e-10*(1+got.Norm()) {
			t.Fatalf("Dir and Point disagree: %v", got)
		}
		n := drawTransform(t)
		if got, want := m.Mul(n).Point(p), m.Point(n.Point(p)); got.Dist(want) > 1e-10*(1+want.Norm()) {
			t.Fatalf("product gives %v, want %v", got, want)
		}
		if m.Mul(n).IsMirror() != (m.IsMirror() != n.IsMirror()) {
			t.Fatal("mirrors do not multiply")
		}
	})
}

func TestRotation(t *testing.T) {
	quarter := math.Pi / 2
	rows := []struct {
		name        string
		axis        Vec3
		angle       float64
		point, want Vec3
	}{
		{"x to y about z", Vec3{Z: 3}, quarter, Vec3{X: 1}, Vec3{Y: 1}},
		{"y to z about x", Vec3{X: 1}, quarter, Vec3{Y: 1}, Vec3{Z: 1}},
		{"backwards", Vec3{Z: 1}, -quarter, Vec3{X: 1}, Vec3{Y: -1}},
		{"along the axis", Vec3{1, 1, 1}, 1, Vec3{2, 2, 2}, Vec3{2, 2, 2}},
		{"thirds permute the axes", Vec3{1, 1, 1}, 2 * math.Pi / 3, Vec3{X: 1}, Vec3{Y: 1}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			m := Rotation(r.axis, r.angle)
			if got := m.Point(r.point); got.Dist(r.want) > 1e-15 {
				t.Errorf("%v becomes %v, want %v", r.point, got, r.want)
			}
			if m.IsMirror() || math.Abs(m.Scale()-1) > 1e-15 {
				t.Errorf("a rotation mirrors or scales by %v", m.Scale())
			}
		})
	}
}

func TestFrameTransform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawTransform(t)
		f := NewFrame(drawVec3(t, "origin"), drawVec3(t, "z"), drawVec3(t, "x"))
		p := drawVec3(t, "p")
		if got := f.Point(f.Local(p)); got.Dist(p) > 1e-11*(1+p.Norm()) {
			t.Fatalf("there and back gives %v, want %v", got, p)
		}
		if got := FromFrame(f).Point(p); got.Dist(f.Point(p)) > 1e-11 {
			t.Fatalf("FromFrame gives %v, want %v", got, f.Point(p))
		}
		g := f.Transform(m)
		if g.IsRightHanded() == m.IsMirror() {
			t.Fatalf("handedness after a transform with mirror %v is wrong", m.IsMirror())
		}
		want := m.Point(f.Point(p))
		if got := g.Point(p.Scale(m.Scale())); got.Dist(want) > 1e-10*(1+want.Norm()) {
			t.Fatalf("the moved frame puts the point at %v, want %v", got, want)
		}
	})
}

// TestLeftHandedFrame: a mirrored frame maps there and back like any other.
func TestLeftHandedFrame(t *testing.T) {
	f := NewFrame(Vec3{1, 2, 3}, Vec3{Z: 1}, Vec3{X: 1})
	g := f.Transform(Transform{X: Vec3{X: -1}, Y: Vec3{Y: 1}, Z: Vec3{Z: 1}})
	if g.IsRightHanded() || !f.IsRightHanded() {
		t.Errorf("handedness of %v and %v", f, g)
	}
	if got := g.Point(Vec3{1, 1, 1}); got != (Vec3{-2, 3, 4}) {
		t.Errorf("point %v, want (-2, 3, 4)", got)
	}
	if got := g.Local(Vec3{-2, 3, 4}); got != (Vec3{1, 1, 1}) {
		t.Errorf("local %v, want (1, 1, 1)", got)
	}
	if got := World.Local(Vec3{1, 2, 3}); got != (Vec3{1, 2, 3}) {
		t.Errorf("world coordinates become %v", got)
	}
}
