package device

import (
	"context"
	"fmt"
	"time"
)

// Ceilings are the peak rates of a device, measured on it.
type Ceilings struct {
	BytesPerSecond  float64 // read and written together, in its own memory
	FlopsPerSecond  float64 // float32 multiply-adds in registers, two operations each
	UploadPerSecond float64 // bytes from the processor's memory to the device
}

// MeasureCeilings measures the device over some tenths of a second on a quick device; on a software renderer a
// second or two.
func (g *GPU) MeasureCeilings(ctx context.Context) (Ceilings, error) {
	var c Ceilings
	n, rounds := 1<<22, 1024 // invocations and rounds of the arithmetic
	if g.IsSoftware() {
		n, rounds = 1<<18, 64
	}
	const vector, operations = 16, 16 // bytes of a vec4; operations of a round
	data := make([][4]float32, n)
	err := g.Do(ctx, func(s *Session) error {
		given, err := Alloc[[4]float32](s, n)
		if err != nil {
			return err
		}
		taken, err := Alloc[[4]float32](s, n)
		if err != nil {
			return err
		}
		job := Job{
			Shader: Shader{Name: "ceiling.comp"}, Buffers: []Buffer{given, taken}, Items: n,
		}
		up, err := fastest(s, func() error { return Write(s, given, 0, data) })
		if err != nil {
			return err
		}
		copied, err := fastest(s, func() error { return s.Run(job) })
		if err != nil {
			return err
		}
		job.Shader.Defines = []string{fmt.Sprintf("ROUNDS %d", rounds)}
		computed, err := fastest(s, func() error { return s.Run(job) })
		c = Ceilings{
			BytesPerSecond:  float64(2*vector*n) / copied,
			FlopsPerSecond:  float64(operations*rounds*n) / computed,
			UploadPerSecond: float64(vector*n) / up,
		}
		return err
	})
	return c, err
}

// fastest returns the seconds of the quickest of some runs of work, including the wait for its end.
func fastest(s *Session, work func() error) (seconds float64, err error) {
	const runs = 6
	for i := range runs {
		start := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		if err := s.Finish(); err != nil {
			return 0, err
		}
		if took := time.Since(start).Seconds(); i == 0 || took < seconds {
			seconds = took
		}
	}
	return seconds, nil
}
