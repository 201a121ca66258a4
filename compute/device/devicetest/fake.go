// Package devicetest provides drivers for tests. One has no device: its shaders are Go functions and its clock is the
// test's. The other adds faults to another driver. Programs never import it.
package devicetest

import (
	"encoding/binary"
	"fmt"
	"time"

	"millwright.dev/millwright/compute/device"
)

// Kernel implements a shader: it runs work groups first to first + groups - 1 on the bound buffers.
type Kernel func(first, groups int, bound []*Buffer, uniforms map[string]any)

// Buffer is the memory of a fake device.
type Buffer struct{ Data []byte }

// Word returns 32-bit word i.
func (b *Buffer) Word(i int) uint32 { return binary.LittleEndian.Uint32(b.Data[4*i:]) }

// SetWord sets 32-bit word i.
func (b *Buffer) SetWord(i int, w uint32) { binary.LittleEndian.PutUint32(b.Data[4*i:], w) }

// Fake is a device.Driver without a device. A source names its kernel; it compiles when there is one.
type Fake struct {
	Kernels  map[string]Kernel
	Local    int                              // invocations of a work group, 0 = 64
	Cost     func(first, n int) time.Duration // duration of a dispatch; nil = 1 µs
	Memory   int                              // bytes there are, 0 = 64 MiB
	Storage  int                              // bytes of a buffer, 0 = 1 MiB
	Most     int                              // work groups of a dispatch, 0 = 65,535
	Software bool                             // value of Info.Software
	Log      []Dispatch                       // finished dispatches

	buffers  map[uint32]*Buffer
	programs map[uint32]string
	uniforms map[uint32]map[string]any
	bound    []*Buffer
	current  uint32
	handles  uint32
	pending  []time.Duration
	open     bool
}

// Dispatch is the record of one dispatch on a Fake.
type Dispatch struct {
	Shader        string
	First, Groups int
	Took          time.Duration
	UnderWay      int // dispatches not waited for, this one included
}

var _ device.Driver = (*Fake)(nil)

// Opener opens the fake once; a closed one comes back empty.
func (f *Fake) Opener() device.Opener {
	return device.Opener{Name: "fake", Open: func() (device.Driver, error) {
		f.buffers, f.programs = map[uint32]*Buffer{}, map[uint32]string{}
		f.uniforms = map[uint32]map[string]any{}
		f.bound, f.pending, f.open = make([]*Buffer, 16), nil, true
		return f, nil
	}}
}

// Left returns the number of unreleased buffers and programs, and reports whether the driver is still open.
func (f *Fake) Left() (buffers, programs int, open bool) {
	return len(f.buffers), len(f.programs), f.open
}

// Info implements device.Driver.
func (f *Fake) Info() device.Info {
	or := func(v, otherwise int) int {
		if v == 0 {
			return otherwise
		}
		return v
	}
	return device.Info{Renderer: "fake", Software: f.Software, Limits: device.Limits{
		StorageBytes: or(f.Storage, 1<<20), StorageBindings: 16, Invocations: 1024, SharedBytes: 32 << 10,
		Groups: or(f.Most, 65535),
	}}
}

// NewBuffer implements device.Driver.
func (f *Fake) NewBuffer(bytes int) (uint32, error) {
	total := bytes
	for _, b := range f.buffers {
		total += len(b.Data)
	}
	most := f.Memory
	if most == 0 {
		most = 64 << 20
	}
	if total > most {
		return 0, device.Errorf(device.Memory, "%d bytes are too many", total)
	}
	f.handles++
	f.buffers[f.handles] = &Buffer{make([]byte, bytes)}
	return f.handles, nil
}

// FreeBuffer implements device.Driver.
func (f *Fake) FreeBuffer(handle uint32) { delete(f.buffers, handle) }

// Write implements device.Driver.
func (f *Fake) Write(handle uint32, offset int, data []byte) error {
	copy(f.buffers[handle].Data[offset:], data)
	return nil
}

// Read implements device.Driver.
func (f *Fake) Read(handle uint32, offset int, data []byte) error {
	copy(data, f.buffers[handle].Data[offset:])
	return nil
}

// Fill implements device.Driver.
func (f *Fake) Fill(handle uint32, word uint32) error {
	b := f.buffers[handle]
	for i := range len(b.Data) / 4 {
		b.SetWord(i, word)
	}
	return nil
}

// Compile implements device.Driver.
func (f *Fake) Compile(name, source string) (device.Program, error) {
	if _, ok := f.Kernels[name]; !ok {
		return device.Program{}, device.Errorf(device.Compile, "shader %s does not compile", name)
	}
	f.handles++
	f.programs[f.handles] = name
	f.uniforms[f.handles] = map[string]any{}
	local := f.Local
	if local == 0 {
		local = 64
	}
	return device.Program{Handle: f.handles, Local: local}, nil
}

// FreeProgram implements device.Driver.
func (f *Fake) FreeProgram(handle uint32) { delete(f.programs, handle) }

// Use implements device.Driver.
func (f *Fake) Use(handle uint32) error {
	f.current = handle
	return nil
}

// Uniform implements device.Driver.
func (f *Fake) Uniform(handle uint32, name string, value any) error {
	if handle != f.current {
		return fmt.Errorf("uniform %s of a program that is not current", name)
	}
	f.uniforms[handle][name] = value
	return nil
}

// Bind implements device.Driver.
func (f *Fake) Bind(binding int, handle uint32, bytes int) error {
	b, ok := f.buffers[handle]
	if !ok || bytes > len(b.Data) {
		return device.Errorf(device.Lost, "%d bytes of buffer %d do not exist", bytes, handle)
	}
	f.bound[binding] = b
	return nil
}

// Dispatch implements device.Driver.
func (f *Fake) Dispatch(groups int) (device.Ticket, error) {
	name, uniforms := f.programs[f.current], f.uniforms[f.current]
	first := int(uniforms["mwFirst"].(uint32))
	f.Kernels[name](first, groups, f.bound, uniforms)
	took := time.Microsecond
	if f.Cost != nil {
		took = f.Cost(first, groups)
	}
	f.pending = append(f.pending, took)
	f.Log = append(f.Log, Dispatch{name, first, groups, took, len(f.pending)})
	return device.Ticket(len(f.Log)), nil
}

// Wait implements device.Driver.
func (f *Fake) Wait(_ device.Ticket, timeout time.Duration) (time.Duration, error) {
	took := f.pending[0]
	f.pending = f.pending[1:]
	if took > timeout {
		return 0, device.Errorf(device.Lost, "a dispatch did not end within %v", timeout)
	}
	return took, nil
}

// Check implements device.Driver.
func (f *Fake) Check() error { return nil }

// Close implements device.Driver.
func (f *Fake) Close() { f.open = false }
