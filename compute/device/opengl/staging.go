//go:build gpu

package opengl

import (
	"context"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/core/parallel"
)

// staging is host memory that the device writes to. Reading a buffer through it keeps the buffer in device memory. A
// driver that sees a direct read may move the buffer to host memory for good, and then every shader accesses it over
// the bus. Two slots alternate: the device fills one while the other is copied out. It needs immutable buffers (OpenGL
// 4.4 or ARB_buffer_storage).
type staging struct {
	buffer uint32
	memory []byte // mapped for as long as the buffer lives
	fences [slots]uintptr
}

const (
	slots    = 2
	slotSize = 4 << 20 // bytes: a millisecond or less on the bus
	timeout  = 10 * time.Second
)

// newStaging maps the memory; nil where the driver does not.
func newStaging() *staging {
	const flags = gl.MAP_READ_BIT | gl.MAP_PERSISTENT_BIT | gl.MAP_COHERENT_BIT
	s := &staging{}
	gl.GenBuffers(1, &s.buffer)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, s.buffer)
	gl.BufferStorage(gl.COPY_WRITE_BUFFER, slots*slotSize, nil, flags|gl.CLIENT_STORAGE_BIT)
	p := gl.MapBufferRange(gl.COPY_WRITE_BUFFER, 0, slots*slotSize, flags)
	if p == nil {
		gl.DeleteBuffers(1, &s.buffer)
		return nil
	}
	s.memory = unsafe.Slice((*byte)(p), slots*slotSize)
	return s
}

// read copies from the buffer that is bound to COPY_READ_BUFFER.
func (s *staging) read(offset int, data []byte) error {
	defer s.forget()
	parts := (len(data) + slotSize - 1) / slotSize
	part := func(k int) []byte { return data[k*slotSize : min(len(data), (k+1)*slotSize)] }
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, s.buffer)
	for k := range parts + slots - 1 {
		if k < parts {
			slot := k % slots
			gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, offset+k*slotSize, slot*slotSize,
				len(part(k)))
			s.fences[slot] = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
			gl.Flush()
		}
		if done := k - slots + 1; done >= 0 {
			if err := s.take(done%slots, part(done)); err != nil {
				return err
			}
		}
	}
	return nil
}

// take copies a slot out once the device has filled it.
func (s *staging) take(slot int, data []byte) error {
	switch gl.ClientWaitSync(s.fences[slot], gl.SYNC_FLUSH_COMMANDS_BIT, uint64(timeout)) {
	case gl.TIMEOUT_EXPIRED:
		return device.Errorf(device.Lost, "a download did not end within %v", timeout)
	case gl.WAIT_FAILED:
		return device.Errorf(device.Lost, "the end of a download cannot be waited for")
	}
	gl.DeleteSync(s.fences[slot])
	s.fences[slot] = 0
	const share = 256 << 10 // bytes: one processor copies, and first touches, slower than the bus delivers
	return parallel.For(context.Background(), (len(data)+share-1)/share, 1, func(i int) {
		copy(data[i*share:min(len(data), (i+1)*share)], s.memory[slot*slotSize+i*share:])
	})
}

// forget drops the fences of a read that failed.
func (s *staging) forget() {
	for i, f := range s.fences {
		if f != 0 {
			gl.DeleteSync(f)
			s.fences[i] = 0
		}
	}
}

// close unmaps the memory and gives it back.
func (s *staging) close() { gl.DeleteBuffers(1, &s.buffer) }
