package device

import (
	"context"
	"reflect"
	"unsafe"
)

// Session is the interface to the device within the function of one Do. It must not outlive that function.
type Session struct {
	ctx      context.Context
	device   *Device
	held     []held
	inFlight []flight
}

// Buffer is device memory of a session; the zero value has no memory.
type Buffer struct {
	handle uint32
	bytes  int // as asked for; the memory behind may be larger
}

// Bytes returns the size that was asked for.
func (b Buffer) Bytes() int { return b.bytes }

// Handle returns the driver's name of the buffer, for drawing from it on the thread of the context.
func (b Buffer) Handle() uint32 { return b.handle }

// copyChunk is the number of bytes copied between two checks of the context: about 10 ms on a slow bus.
const copyChunk = 32 << 20

// Context is the one given to Do.
func (s *Session) Context() context.Context { return s.ctx }

// Limits returns the limits of the device.
func (s *Session) Limits() Limits { return s.device.info.Limits }

// Alloc returns a buffer for n values of T, with undefined contents. T is plain data without pointers, in the layout of
// the shader's std430 block: a vec3 occupies a vec4 there.
func Alloc[T any](s *Session, n int) (Buffer, error) {
	var zero T
	if !plain(reflect.TypeFor[T]()) {
		return Buffer{}, Errorf(Limit, "values of type %T hold pointers", zero)
	}
	return s.alloc(n, int(unsafe.Sizeof(zero)))
}

func (s *Session) alloc(n, size int) (Buffer, error) {
	most := s.device.info.Limits.StorageBytes
	if n < 0 || n > most/max(size, 1) {
		return Buffer{}, Errorf(Limit, "a buffer of %d × %d bytes is larger than the %d bytes of this device",
			n, size, most)
	}
	h, err := s.device.pool.get(n * size)
	if reason, _ := ReasonOf(err); reason == Memory && s.device.forget(s, 0) {
		h, err = s.device.pool.get(n * size)
	}
	if err != nil {
		return Buffer{}, err
	}
	s.held = append(s.held, h)
	if s.device.opts.Poison {
		const nan = 0xFFFFFFFF
		if err := s.device.driver.Fill(h.handle, nan); err != nil {
			return Buffer{}, err
		}
	}
	return Buffer{h.handle, n * size}, nil
}

// Upload returns a buffer with a copy of data.
func Upload[T any](s *Session, data []T) (Buffer, error) {
	b, err := Alloc[T](s, len(data))
	if err != nil {
		return b, err
	}
	return b, Write(s, b, 0, data)
}

// Write copies data into b, whose element first becomes data[0].
func Write[T any](s *Session, b Buffer, first int, data []T) error {
	return s.copy(b, first*sizeOf[T](), Bytes(data), &s.device.stats.bytesUp, s.device.driver.Write)
}

// Download fills data with the first values of b.
func Download[T any](s *Session, b Buffer, data []T) error { return Read(s, b, 0, data) }

// Read fills data with values of b from element first on.
func Read[T any](s *Session, b Buffer, first int, data []T) error {
	return s.copy(b, first*sizeOf[T](), Bytes(data), &s.device.stats.bytesDown, s.device.driver.Read)
}

// Zero clears a buffer.
func (s *Session) Zero(b Buffer) error { return s.device.driver.Fill(b.handle, 0) }

func (s *Session) copy(
	b Buffer, offset int, data []byte, count adder, move func(uint32, int, []byte) error,
) error {
	if offset < 0 || offset+len(data) > b.bytes {
		return Errorf(Limit, "%d bytes at %d do not fit a buffer of %d", len(data), offset, b.bytes)
	}
	for len(data) > 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		n := min(len(data), copyChunk)
		if err := move(b.handle, offset, data[:n]); err != nil {
			return err
		}
		count.Add(int64(n))
		data, offset = data[n:], offset+n
	}
	return nil
}

// Chunks calls work for [0, n) in runs [lo, hi) that each fit a buffer of this device at bytesPerItem; it stops
// at the first error and when the context ends.
func (s *Session) Chunks(n, bytesPerItem int, work func(lo, hi int) error) error {
	most := max(1, s.device.info.Limits.StorageBytes/max(1, bytesPerItem))
	for lo := 0; lo < n; lo += most {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := work(lo, min(n, lo+most)); err != nil {
			return err
		}
	}
	return nil
}

// Free gives a buffer back before the session ends; dispatches that still use it are waited for by the driver.
func (s *Session) Free(b Buffer) {
	for i, h := range s.held {
		if h.handle == b.handle {
			s.held = append(s.held[:i], s.held[i+1:]...)
			s.device.pool.put(h)
			return
		}
	}
}

// flight is a dispatch whose end has not been awaited yet.
type flight struct {
	ticket Ticket
	work   float64
	speed  *throughput
}

// settle waits until at most n dispatches are pending.
func (s *Session) settle(n int) error {
	for len(s.inFlight) > n {
		f := s.inFlight[0]
		s.inFlight = s.inFlight[1:]
		took, err := s.device.driver.Wait(f.ticket, s.device.opts.Timeout)
		if err != nil {
			return err
		}
		s.device.stats.slice(took)
		f.speed.learn(f.work, took)
	}
	return nil
}

// Finish waits until everything started so far is done.
func (s *Session) Finish() error { return s.settle(0) }

// drain waits for the pending work, so that its buffers can be reused, and returns the first error.
func (s *Session) drain() (first error) {
	for len(s.inFlight) > 0 {
		if err := s.settle(0); first == nil {
			first = err
		}
	}
	return first
}

func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// Bytes returns the memory of plain data.
func Bytes[T any](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*sizeOf[T]())
}

// plain reports whether values of t contain only numbers.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Bool, reflect.Int, reflect.Uint, reflect.Uintptr:
		return false // no fixed layout in a shader
	}
	return t.Kind() >= reflect.Int8 && t.Kind() <= reflect.Float64
}

// adder counts.
type adder interface{ Add(int64) int64 }
