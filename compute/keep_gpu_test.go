//go:build gpu

package compute

import (
	"context"
	"math"
	"reflect"
	"testing"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
	"millwright.dev/millwright/compute/device/opengl"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/compute/visibility/visibilitytest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// saddle is a wavy sheet whose height is scaled by so much.
func saddle(scale float64) *mesh.Mesh {
	const side = 24
	m := &mesh.Mesh{}
	for i := range side {
		for j := range side {
			x, y := float64(i)/4, float64(j)/4
			m.Points = append(m.Points, geom.Vec3{X: x, Y: y, Z: scale * math.Sin(2*x) * math.Cos(y)})
		}
	}
	for i := range int32(side - 1) {
		for j := range int32(side - 1) {
			a := i*side + j
			m.Triangles = append(m.Triangles, [3]int32{a, a + side, a + side + 1}, [3]int32{a, a + side + 1, a + 1})
		}
	}
	return m
}

func overSaddle(m *mesh.Mesh) visibility.Input {
	in := visibility.Input{Points: m.Points, Triangles: m.Triangles}
	for _, d := range []geom.Vec3{{Z: 1}, {X: 1, Z: 0.2}, {X: -1, Y: 2, Z: 0.3}} {
		in.Directions = append(in.Directions, d.Unit())
	}
	for i, p := range m.Points {
		if i%3 == 0 {
			in.Samples = append(in.Samples, [3]float32{float32(p.X), float32(p.Y), float32(p.Z + 0.01)})
		}
	}
	return in
}

// uploads returns the number of bytes that a call sends to the device.
func uploads(e *device.GPU, call func()) int64 {
	before := e.Stats().BytesUp
	call()
	return e.Stats().BytesUp - before
}

// TestMeshIsUploadedOnce checks that a mesh is sent once, and that a changed mesh in the same memory is sent again.
func TestMeshIsUploadedOnce(t *testing.T) {
	e, m := primitivetest.GPU(t), saddle(1)
	see := func(e *device.GPU) (rows [][]uint64) {
		out, err := visibility.Primitive.Run(context.Background(), primitive.OnGPU(e), overSaddle(m))
		if err != nil {
			t.Error(err)
		}
		return out.Rows
	}
	var first, second, other [][]uint64
	sent := uploads(e, func() { first = see(e) })
	again := uploads(e, func() { second = see(e) })
	if !reflect.DeepEqual(first, second) || again > sent/2 || e.Stats().Hits != 1 {
		t.Errorf("first %d bytes are sent, then %d; %d hits", sent, again, e.Stats().Hits)
	}
	copy(m.Points, saddle(-2).Points)
	other = see(e)
	if want := see(primitivetest.GPU(t)); !reflect.DeepEqual(other, want) || reflect.DeepEqual(other, first) {
		t.Error("the answer is that of the mesh before")
	}
	if s := e.Stats(); s.Hits != 1 || s.Kept == 0 {
		t.Errorf("%d hits, %d bytes are kept", s.Hits, s.Kept)
	}
}

// TestMeshIsUploadedAgainAfterDeviceLoss checks that a new device does not use data kept for the lost one.
func TestMeshIsUploadedAgainAfterDeviceLoss(t *testing.T) {
	var faults devicetest.Faults
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	e, err := opengl.Open(device.GPUOptions{
		Software: true, Poison: true, Now: func() time.Time { return now },
		Openers: func() []device.Opener { return faults.Over(opengl.Openers()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	in := overSaddle(saddle(1))
	want, err := visibility.Primitive.Run(t.Context(), primitive.OnGPU(e), in)
	if err != nil {
		t.Fatal(err)
	}
	faults.Dispatch(1, device.Lost)
	if _, err := visibility.Primitive.Run(t.Context(), primitive.OnGPU(e), in); err == nil {
		t.Fatal("the device is not lost")
	}
	faults.Dispatch(0, "")
	now = now.Add(5 * time.Second)
	hits := e.Stats().Hits
	for range 2 {
		if got, err := visibility.Primitive.Run(t.Context(), primitive.OnGPU(e), in); err != nil ||
			!reflect.DeepEqual(got, want) {
			t.Errorf("after the loss: %v, %v", got, err)
		}
	}
	if s := e.Stats(); s.Hits != hits+1 || s.Lost != 1 {
		t.Errorf("%d hits, before %d; lost %d", s.Hits, hits, s.Lost)
	}
	visibilitytest.Suite(t, primitive.OnGPU(e)) // many meshes, few of them used before
}
