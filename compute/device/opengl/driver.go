//go:build gpu

package opengl

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"millwright.dev/millwright/compute/device"
)

// driver is a context that is current on the thread of its owner.
type driver struct {
	info  device.Info
	end   func()
	names map[string]int32 // program and uniform → location
	marks []mark           // pending dispatches, oldest first
	next  device.Ticket    // of the next dispatch
	spare []uint32         // query objects

	staging *staging // nil: buffers are mutable and read directly
}

var _ device.Driver = (*driver)(nil)

// mark is the pair of timestamps around a dispatch.
type mark struct {
	ticket       device.Ticket
	before, past uint32 // timestamp queries
	fence        uintptr
	started      time.Time
}

// Info implements device.Driver.
func (d *driver) Info() device.Info { return d.info }

// NewBuffer implements device.Driver.
func (d *driver) NewBuffer(bytes int) (uint32, error) {
	var handle uint32
	gl.GenBuffers(1, &handle)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, handle)
	if d.staging != nil {
		gl.BufferStorage(gl.COPY_WRITE_BUFFER, bytes, nil, gl.DYNAMIC_STORAGE_BIT)
	} else {
		gl.BufferData(gl.COPY_WRITE_BUFFER, bytes, nil, gl.DYNAMIC_COPY)
	}
	if err := d.Check(); err != nil {
		d.FreeBuffer(handle)
		return 0, err
	}
	return handle, nil
}

// FreeBuffer implements device.Driver.
func (d *driver) FreeBuffer(handle uint32) { gl.DeleteBuffers(1, &handle) }

// Write implements device.Driver.
func (d *driver) Write(handle uint32, offset int, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, handle)
	gl.BufferSubData(gl.COPY_WRITE_BUFFER, offset, len(data), unsafe.Pointer(&data[0]))
	return d.Check()
}

// Read implements device.Driver.
func (d *driver) Read(handle uint32, offset int, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	gl.MemoryBarrier(gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.BindBuffer(gl.COPY_READ_BUFFER, handle)
	if d.staging == nil {
		gl.GetBufferSubData(gl.COPY_READ_BUFFER, offset, len(data), unsafe.Pointer(&data[0]))
		return d.Check()
	}
	if err := d.staging.read(offset, data); err != nil {
		return err
	}
	return d.Check()
}

// Fill implements device.Driver. It waits until the fill ends. NVIDIA's driver was observed to run the first clear of a
// process, for which it builds an internal program, after the write that followed it.
func (d *driver) Fill(handle uint32, word uint32) error {
	gl.MemoryBarrier(gl.BUFFER_UPDATE_BARRIER_BIT)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, handle)
	gl.ClearBufferData(gl.COPY_WRITE_BUFFER, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, unsafe.Pointer(&word))
	gl.Finish()
	return d.Check()
}

// Use implements device.Driver.
func (d *driver) Use(handle uint32) error {
	gl.UseProgram(handle)
	return d.Check()
}

// Bind implements device.Driver.
func (d *driver) Bind(binding int, handle uint32, bytes int) error {
	gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, uint32(binding), handle, 0, (bytes+3)&^3)
	return d.Check()
}

// Uniform implements device.Driver.
func (d *driver) Uniform(handle uint32, name string, value any) error {
	key := fmt.Sprint(handle, name)
	at, ok := d.names[key]
	if !ok {
		at = gl.GetUniformLocation(handle, gl.Str(name+"\x00"))
		d.names[key] = at
	}
	if at < 0 {
		return nil
	}
	switch v := value.(type) {
	case int32:
		gl.Uniform1i(at, v)
	case uint32:
		gl.Uniform1ui(at, v)
	case float32:
		gl.Uniform1f(at, v)
	case [2]float32:
		gl.Uniform2fv(at, 1, &v[0])
	case [3]float32:
		gl.Uniform3fv(at, 1, &v[0])
	case [4]float32:
		gl.Uniform4fv(at, 1, &v[0])
	case [2]uint32:
		gl.Uniform2uiv(at, 1, &v[0])
	case [3]uint32:
		gl.Uniform3uiv(at, 1, &v[0])
	case [4]uint32:
		gl.Uniform4uiv(at, 1, &v[0])
	case [2]int32:
		gl.Uniform2iv(at, 1, &v[0])
	case [3]int32:
		gl.Uniform3iv(at, 1, &v[0])
	case [4]int32:
		gl.Uniform4iv(at, 1, &v[0])
	default:
		return fmt.Errorf("uniform %s: values of type %T are not handled", name, value)
	}
	return d.Check()
}

// Dispatch implements device.Driver. The barrier after it covers all that can follow: other dispatches and
// copies in both directions.
func (d *driver) Dispatch(groups int) (device.Ticket, error) {
	d.next++
	m := mark{ticket: d.next, started: time.Now()}
	if d.info.Timestamps {
		m.before, m.past = d.query(), d.query()
		gl.QueryCounter(m.before, gl.TIMESTAMP)
	}
	gl.DispatchCompute(uint32(groups), 1, 1)
	gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	if d.info.Timestamps {
		gl.QueryCounter(m.past, gl.TIMESTAMP)
	}
	m.fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	gl.Flush()
	d.marks = append(d.marks, m)
	return m.ticket, d.Check()
}

// Wait implements device.Driver.
func (d *driver) Wait(t device.Ticket, timeout time.Duration) (time.Duration, error) {
	if len(d.marks) == 0 || d.marks[0].ticket != t {
		return 0, device.Errorf(device.Lost, "dispatch %d is not the oldest under way", t)
	}
	m := d.marks[0]
	d.marks = d.marks[1:]
	defer d.forget(m)
	switch gl.ClientWaitSync(m.fence, gl.SYNC_FLUSH_COMMANDS_BIT, uint64(timeout)) {
	case gl.TIMEOUT_EXPIRED:
		return 0, device.Errorf(device.Lost, "a dispatch did not end within %v", timeout)
	case gl.WAIT_FAILED:
		if err := d.Check(); err != nil {
			return 0, err
		}
		return 0, device.Errorf(device.Lost, "the end of a dispatch cannot be waited for")
	}
	took := time.Since(m.started)
	if d.info.Timestamps {
		var before, past uint64 // ns
		gl.GetQueryObjectui64v(m.before, gl.QUERY_RESULT, &before)
		gl.GetQueryObjectui64v(m.past, gl.QUERY_RESULT, &past)
		if past > before {
			took = time.Duration(past - before)
		}
	}
	return took, d.Check()
}

func (d *driver) query() (id uint32) {
	if n := len(d.spare); n > 0 {
		id, d.spare = d.spare[n-1], d.spare[:n-1]
		return id
	}
	gl.GenQueries(1, &id)
	return id
}

func (d *driver) forget(m mark) {
	gl.DeleteSync(m.fence)
	if d.info.Timestamps {
		d.spare = append(d.spare, m.before, m.past)
	}
}

// Check implements device.Driver.
func (d *driver) Check() error {
	const contextLost, most = 0x0507, 16 // errors that a broken context may keep answering with
	var first uint32
	for range most {
		e := gl.GetError()
		if e == gl.NO_ERROR {
			break
		}
		if first == gl.NO_ERROR || first == gl.OUT_OF_MEMORY {
			first = e
		}
	}
	switch {
	case first == gl.OUT_OF_MEMORY:
		return device.Errorf(device.Memory, "the device has no memory left")
	case first == contextLost:
		return device.Errorf(device.Lost, "the context was lost")
	case first != gl.NO_ERROR:
		return device.Errorf(device.Lost, "OpenGL error 0x%04x", first)
	}
	if d.info.Robust {
		if status := gl.GetGraphicsResetStatusARB(); status != gl.NO_ERROR {
			return device.Errorf(device.Lost, "the device was reset (0x%04x)", status)
		}
	}
	return nil
}

// Close implements device.Driver.
func (d *driver) Close() {
	for _, m := range d.marks {
		d.forget(m)
	}
	if n := len(d.spare); n > 0 {
		gl.DeleteQueries(int32(n), &d.spare[0])
	}
	if d.staging != nil {
		d.staging.close()
	}
	d.marks, d.spare, d.staging = nil, nil, nil
	d.end()
}
