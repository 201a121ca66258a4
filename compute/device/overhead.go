package device

import (
	"context"
	"time"
)

// Overhead is the cost of a call in addition to its work.
type Overhead struct {
	Latency        time.Duration // of the smallest call
	BytesPerSecond float64       // of uploads and downloads, whichever is slower
}

// MeasureOverhead measures the latency and the bandwidth of calls; some milliseconds on a hardware device.
func (g *GPU) MeasureOverhead(ctx context.Context) (Overhead, error) {
	const few, many = 64, 1 << 18 // vec4
	var cost Overhead
	data := make([][4]float32, many)
	err := g.Do(ctx, func(s *Session) error {
		given, err := Alloc[[4]float32](s, many)
		if err != nil {
			return err
		}
		taken, err := Alloc[[4]float32](s, many)
		if err != nil {
			return err
		}
		small, err := fastest(s, func() error {
			if err := Write(s, given, 0, data[:few]); err != nil {
				return err
			}
			job := Job{Shader: Shader{Name: "ceiling.comp"}, Buffers: []Buffer{given, taken}, Items: few}
			if err := s.Run(job); err != nil {
				return err
			}
			return Read(s, taken, 0, data[:few])
		})
		if err != nil {
			return err
		}
		up, err := fastest(s, func() error { return Write(s, given, 0, data) })
		if err != nil {
			return err
		}
		down, err := fastest(s, func() error { return Read(s, given, 0, data) })
		const vector = 16 // bytes
		cost = Overhead{
			Latency:        time.Duration(small * float64(time.Second)),
			BytesPerSecond: vector * many / max(up, down),
		}
		return err
	})
	return cost, err
}
