//go:build gpu

package opengl

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
	"millwright.dev/millwright/shaders"
)

// sources are the shaders of the tests; the prelude is the real one.
func sources(text map[string]string) func(string, []string) (string, error) {
	return func(name string, defines []string) (string, error) {
		prelude, err := shaders.Source("prelude.glsl", nil)
		if err != nil {
			return "", err
		}
		prelude = strings.TrimPrefix(prelude, "#version 430\n")
		fsys := fstest.MapFS{"prelude.glsl": {Data: []byte(prelude)}}
		for n, s := range text {
			fsys[n] = &fstest.MapFile{Data: []byte(s)}
		}
		return shaders.Expand(fsys, name, defines)
	}
}

const doubling = `#version 430
#include "prelude.glsl"
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { float given[]; };
layout(std430, binding = 1) writeonly buffer Out { float wanted[]; };
uniform float factor;
void main() {
	uint i = itemIndex();
	if (i < itemCount()) wanted[i] = factor * given[i];
}
`

// open returns the software device of the machine.
func open(t testing.TB, text map[string]string) *device.Device {
	t.Helper()
	d, err := device.Open(Openers(), device.Options{Source: sources(text), Software: true, Poison: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// double multiplies values by a factor on the device.
func double(ctx context.Context, d *device.Device, values []float32, factor float32) error {
	return d.Do(ctx, func(s *device.Session) error {
		in, err := device.Upload(s, values)
		if err != nil {
			return err
		}
		out, err := device.Alloc[float32](s, len(values))
		if err != nil {
			return err
		}
		if err := s.Run(device.Job{
			Shader:   device.Shader{Name: "double.comp"},
			Buffers:  []device.Buffer{in, out},
			Uniforms: []device.Uniform{{Name: "factor", Value: factor}},
			Items:    len(values),
		}); err != nil {
			return err
		}
		return device.Download(s, out, values)
	})
}

func TestRunOverManySizes(t *testing.T) {
	d := open(t, map[string]string{"double.comp": doubling})
	for _, n := range []int{0, 1, 63, 64, 65, 5000, 1 << 20} {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(i)
		}
		if err := double(t.Context(), d, values, 3); err != nil {
			t.Fatalf("%d values: %v", n, err)
		}
		for i, v := range values {
			if v != 3*float32(i) {
				t.Fatalf("%d values: value %d is %g", n, i, v)
			}
		}
	}
	if s := d.Stats(); s.Programs != 1 || s.Calls != 7 || s.BytesUp != s.BytesDown || s.Slices < 6 {
		t.Errorf("stats %+v", s)
	}
}

func TestAnyGoroutineMayCall(t *testing.T) {
	d := open(t, map[string]string{"double.comp": doubling})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			values := make([]float32, 1000)
			for i := range values {
				values[i] = float32(i)
			}
			if err := double(t.Context(), d, values, float32(g)); err != nil {
				t.Error(err)
			}
			for i, v := range values {
				if v != float32(g*i) {
					t.Errorf("caller %d: value %d is %g", g, i, v)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestGroupsFillTheirBox(t *testing.T) {
	d := open(t, map[string]string{"box.comp": `#version 430
#include "prelude.glsl"
layout(local_size_x = 4, local_size_y = 2) in;
layout(std430, binding = 0) buffer Out { uint hits[]; };
uniform uvec3 size;
void main() {
	uvec3 g = groupID();
	atomicAdd(hits[(g.z * size.y + g.y) * size.x + g.x], 1u);
}
`})
	box := [3]int{7, 5, 300}
	hits := make([]uint32, 7*5*300)
	err := d.Do(t.Context(), func(s *device.Session) error {
		out, err := device.Upload(s, hits)
		if err != nil {
			return err
		}
		if err := s.Run(device.Job{
			Shader: device.Shader{Name: "box.comp"}, Buffers: []device.Buffer{out}, Groups: box,
			Uniforms: []device.Uniform{{Name: "size", Value: [3]uint32{7, 5, 300}}},
		}); err != nil {
			return err
		}
		return device.Download(s, out, hits)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hits {
		if h != 8 {
			t.Fatalf("work group %d ran %d invocations, want 8", i, h)
		}
	}
}

func TestCompileErrorsQuoteTheLine(t *testing.T) {
	d := open(t, map[string]string{"broken.comp": `#version 430
#include "prelude.glsl"
layout(local_size_x = 64) in;
void main() {
	float x = nonsense;
}
`})
	err := d.Do(t.Context(), func(s *device.Session) error {
		return s.Run(device.Job{Shader: device.Shader{Name: "broken.comp"}, Items: 1})
	})
	if reason, _ := device.ReasonOf(err); reason != device.Compile {
		t.Fatalf("reason %q of %v", reason, err)
	}
	for _, want := range []string{"broken.comp:5", "float x = nonsense;"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestContextEndsACall(t *testing.T) {
	d := open(t, map[string]string{"double.comp": doubling})
	ctx, cancel := context.WithCancel(t.Context())
	err := d.Do(ctx, func(s *device.Session) error {
		cancel()
		b, err := device.Alloc[float32](s, 1000)
		if err != nil {
			return err
		}
		return s.Run(device.Job{
			Shader: device.Shader{Name: "double.comp"}, Buffers: []device.Buffer{b, b}, Items: 1000,
			Uniforms: []device.Uniform{{Name: "factor", Value: float32(1)}},
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call answers %v", err)
	}
}

func TestCloseReleasesEverything(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		d, err := device.Open(Openers(), device.Options{
			Source: sources(map[string]string{"double.comp": doubling}), Software: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := double(t.Context(), d, make([]float32, 100), 1); err != nil {
			t.Fatal(err)
		}
		if n := d.Stats().Buffers; n != 2 {
			t.Errorf("%d buffers pooled, want 2", n)
		}
		d.Close()
		if n := d.Stats().Buffers; n != 0 {
			t.Errorf("%d buffers left", n)
		}
		err = double(t.Context(), d, make([]float32, 100), 1)
		if reason, _ := device.ReasonOf(err); reason != device.Closed {
			t.Errorf("a closed device answers %v", err)
		}
	}
	after := devicetest.Goroutines(before)
	if after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestSoftwareIsTakenOnlyWhenAskedFor(t *testing.T) {
	d, err := device.Open(Openers(), device.Options{Source: shaders.Source})
	if err == nil {
		defer d.Close()
		if d.Info().Software {
			t.Errorf("%s was taken unasked", d.Info().Renderer)
		}
		return
	}
	if reason, _ := device.ReasonOf(err); reason != device.Software {
		t.Errorf("reason %q of %v", reason, err)
	}
}

func TestInfo(t *testing.T) {
	d := open(t, nil)
	i := d.Info()
	l := i.Limits
	if i.Renderer == "" || i.Version == "" || l.StorageBytes < 16<<20 || l.StorageBindings < 8 ||
		l.Invocations < 1024 || l.SharedBytes < 32<<10 || l.Groups < 65535 {
		t.Errorf("info %+v", i)
	}
	fmt.Printf("device: %s, %s, by %s, %+v, robust %v, timestamps %v\n",
		i.Renderer, i.Version, i.Opener, l, i.Robust, i.Timestamps)
}
