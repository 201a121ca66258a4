//go:build gpu

package compute

import (
	"bytes"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
	"millwright.dev/millwright/compute/device/opengl"
	"millwright.dev/millwright/compute/dexelize"
	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitivetest/registry"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestEveryPrimitiveRunsOnTheDevice: on a graphics device, be it one of software.
func TestEveryPrimitiveRunsOnTheDevice(t *testing.T) {
	e, err := New(Options{Device: GPU, GPU: device.GPUOptions{Software: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	runAll(t, e)
	for _, c := range registry.Primitives {
		want := [2]int{1, 0}
		if c.Name() == dexelize.Primitive.Name || c.Name() == dropcutter.AtPoints.Name ||
			c.Name() == dropcutter.AlongPaths.Name { // have no twin there
			want = [2]int{0, 1}
		}
		s := e.Stats()
		if got := [2]int{s.OnGPU[c.Name()], s.OnCPU[c.Name()]}; got != want && c.Usual() != nil ||
			len(s.FallBacks) > 0 {
			t.Errorf("%s on %s: %+v", c.Name(), e.Backend(), s)
		}
	}
	seen, err := e.Visible(t.Context(), &tetrahedron, []geom.Vec3{{Z: 1}, {X: -1}})
	if want := [][]float32{{0, 1, 1, 1}, {1, 1, 1, 0}}; err != nil ||
		!slices.EqualFunc(seen, want, slices.Equal[[]float32]) {
		t.Errorf("seen %v (%v), want %v", seen, err, want)
	}
}

// TestDeviceLossFallsBackToProcessor removes the device in every possible manner during the processing of parts. The
// processor must give the same result, with one log line.
func TestDeviceLossFallsBackToProcessor(t *testing.T) {
	directions := []geom.Vec3{{Z: 1}, {X: -1}, {X: 1, Y: 2, Z: 3}}
	plain, err := New(Options{Device: CPU})
	if err != nil {
		t.Fatal(err)
	}
	want, err := plain.Visible(t.Context(), &tetrahedron, directions)
	if err != nil {
		t.Fatal(err)
	}
	for name, fail := range map[string]func(*devicetest.Faults){
		"shaders refused":          func(f *devicetest.Faults) { f.Compile(true) },
		"lost at the first shader": func(f *devicetest.Faults) { f.Dispatch(0, device.Lost) },
		"lost in mid-run":          func(f *devicetest.Faults) { f.Dispatch(2, device.Lost) },
		"lost at the download":     func(f *devicetest.Faults) { f.Read(device.Lost) },
		"out of memory":            func(f *devicetest.Faults) { f.Dispatch(1, device.Memory) },
	} {
		var faults devicetest.Faults
		var text bytes.Buffer
		e, err := New(Options{
			Device: GPU, Logger: slog.New(slog.NewTextHandler(&text, nil)),
			GPU: device.GPUOptions{Software: true,
				Openers: func() []device.Opener { return faults.Over(opengl.Openers()) }},
		})
		if err != nil {
			t.Fatal(err)
		}
		text.Reset() // that it was found
		fail(&faults)
		for range 2 {
			got, err := e.Visible(t.Context(), &tetrahedron, directions)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v (%v), want %v", name, got, err, want)
			}
		}
		if s := e.Stats(); s.OnCPU["visibility"] != 2 || s.OnGPU["visibility"] != 0 {
			t.Errorf("%s: %+v", name, s)
		}
		if lines := strings.Count(text.String(), "\n"); lines != 1 {
			t.Errorf("%s: %d lines, want one:\n%s", name, lines, text.String())
		}
		e.Close()
	}
}
