package device_test

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
)

// A primitive uploads, runs and downloads in one call of Do. Here a kernel in Go replaces the shader
//
//	layout(std430, binding = 0) readonly buffer Given { float given[]; };
//	layout(std430, binding = 1) writeonly buffer Wanted { float wanted[]; };
//	void main() {
//		uint i = itemIndex();
//		if (i < itemCount()) wanted[i] = sqrt(given[i]);
//	}
func ExampleDevice_Do() {
	fake := &devicetest.Fake{Kernels: map[string]devicetest.Kernel{
		"root.comp": func(first, groups int, bound []*devicetest.Buffer, uniforms map[string]any) {
			const local = 64
			for i := first * local; i < min((first+groups)*local, int(uniforms["mwItems"].(uint32))); i++ {
				x := float64(math.Float32frombits(bound[0].Word(i)))
				bound[1].SetWord(i, math.Float32bits(float32(math.Sqrt(x))))
			}
		},
	}}
	d, err := device.Open([]device.Opener{fake.Opener()}, device.Options{Source: source})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()

	values := []float32{1, 4, 9, 16}
	err = d.Do(context.Background(), func(s *device.Session) error {
		given, err := device.Upload(s, values)
		if err != nil {
			return err
		}
		wanted, err := device.Alloc[float32](s, len(values))
		if err != nil {
			return err
		}
		if err := s.Run(device.Job{
			Shader:  device.Shader{Name: "root.comp"},
			Buffers: []device.Buffer{given, wanted},
			Items:   len(values),
		}); err != nil {
			return err
		}
		return device.Download(s, wanted, values)
	})
	fmt.Println(values, err)
	// Output: [1 2 3 4] <nil>
}
