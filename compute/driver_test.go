package compute

import (
	"time"

	"millwright/compute/gpu/device"
)

// memory is a driver whose shaders do nothing, and that fails where it is told to.
type memory struct {
	latency time.Duration
	compile error        // what Compile answers
	lost    func() error // what Dispatch answers
	buffers map[uint32][]byte
	last    uint32
}

// opener returns a way to the driver, or to the error.
func opener(m *memory, err error) []device.Opener {
	return []device.Opener{{Name: "test", Open: func() (device.Driver, error) {
		if err != nil {
			return nil, err
		}
		m.buffers = map[uint32][]byte{}
		return m, nil
	}}}
}

func (m *memory) Info() device.Info {
	return device.Info{Renderer: "memory", Limits: device.Limits{
		StorageBytes: 1 << 27, StorageBindings: 16, Invocations: 1024, SharedBytes: 1 << 15, Groups: 65535,
	}}
}

func (m *memory) NewBuffer(bytes int) (uint32, error) {
	m.last++
	m.buffers[m.last] = make([]byte, bytes)
	return m.last, nil
}

func (m *memory) FreeBuffer(handle uint32) { delete(m.buffers, handle) }

func (m *memory) Write(handle uint32, offset int, data []byte) error {
	copy(m.buffers[handle][offset:], data)
	return nil
}

func (m *memory) Read(handle uint32, offset int, data []byte) error {
	copy(data, m.buffers[handle][offset:])
	return nil
}

func (m *memory) Fill(handle uint32, word uint32) error               { return nil }
func (m *memory) FreeProgram(handle uint32)                           {}
func (m *memory) Use(handle uint32) error                             { return nil }
func (m *memory) Uniform(handle uint32, name string, value any) error { return nil }
func (m *memory) Bind(binding int, handle uint32, bytes int) error    { return nil }
func (m *memory) Check() error                                        { return nil }
func (m *memory) Close()                                              {}
func (m *memory) Compile(name, source string) (device.Program, error) {
	return device.Program{Handle: 1, Local: 64}, m.compile
}

func (m *memory) Dispatch(groups int) (device.Ticket, error) {
	if m.lost != nil {
		return 0, m.lost()
	}
	return 1, nil
}

func (m *memory) Wait(device.Ticket, time.Duration) (time.Duration, error) {
	time.Sleep(m.latency)
	return m.latency, nil
}
