package engage

import (
	"context"

	"millwright.dev/millwright/compute/device"
)

// onGPU is the GPU backend: an invocation per sample, the method of the processor. See shaders/engage.comp.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	out := Output{Parts: make([]uint32, len(in.Samples))}
	if len(in.Samples) == 0 || len(in.Field) == 0 {
		return out, nil
	}
	samples := make([][4]float64, len(in.Samples))
	for i := range in.Samples {
		s := &in.Samples[i]
		u, v := in.cells(s.Center)
		samples[i] = [4]float64{u, v, s.Direction.X, s.Direction.Y}
	}
	err := gpu.Do(ctx, func(s *device.Session) error {
		field, err := device.Upload(s, in.Field)
		if err != nil {
			return err
		}
		middles, err := device.Upload(s, in.middles())
		if err != nil {
			return err
		}
		const sample = 32 // bytes
		return s.Chunks(len(samples), sample, func(lo, hi int) error {
			given, err := device.Upload(s, samples[lo:hi])
			if err != nil {
				return err
			}
			defer s.Free(given)
			counts, err := device.Alloc[uint32](s, hi-lo)
			if err != nil {
				return err
			}
			defer s.Free(counts)
			err = s.Run(device.Job{
				Shader: device.Shader{Name: "engage.comp"}, Buffers: []device.Buffer{field, middles, given, counts},
				Uniforms: []device.Uniform{
					{Name: "size", Value: [2]int32{int32(in.Grid.Width), int32(in.Grid.Height)}},
					{Name: "parts", Value: uint32(in.Parts)},
				},
				Items: hi - lo, Weight: float64(in.Parts),
			})
			if err != nil {
				return err
			}
			return device.Download(s, counts, out.Parts[lo:hi])
		})
	})
	return out, err
}
