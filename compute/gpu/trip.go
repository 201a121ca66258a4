package gpu

import (
	"context"
	"time"

	"millwright/compute/device"
)

// Trip is what a call costs beside its work.
type Trip struct {
	Latency        time.Duration // of the smallest call
	BytesPerSecond float64       // of what goes up and comes back, whichever is slower
}

// MeasureTrip measures the way to the device and back; some milliseconds on a hardware device.
func (e *Engine) MeasureTrip(ctx context.Context) (Trip, error) {
	const few, many = 64, 1 << 18 // vec4
	var trip Trip
	data := make([][4]float32, many)
	err := e.do(ctx, func(s *device.Session) error {
		given, err := device.Alloc[[4]float32](s, many)
		if err != nil {
			return err
		}
		taken, err := device.Alloc[[4]float32](s, many)
		if err != nil {
			return err
		}
		small, err := fastest(s, func() error {
			if err := device.Write(s, given, 0, data[:few]); err != nil {
				return err
			}
			job := device.Job{Shader: device.Shader{Name: "ceiling.comp"}, Buffers: []device.Buffer{given, taken}, Items: few}
			if err := s.Run(job); err != nil {
				return err
			}
			return device.Read(s, taken, 0, data[:few])
		})
		if err != nil {
			return err
		}
		up, err := fastest(s, func() error { return device.Write(s, given, 0, data) })
		if err != nil {
			return err
		}
		down, err := fastest(s, func() error { return device.Read(s, given, 0, data) })
		const vector = 16 // bytes
		trip = Trip{
			Latency:        time.Duration(small * float64(time.Second)),
			BytesPerSecond: vector * many / max(up, down),
		}
		return err
	})
	return trip, err
}
