package devicetest

import (
	"sync/atomic"

	"millwright.dev/millwright/compute/device"
)

// Faults lays faults over the drivers of other openers; they can be changed at any time.
type Faults struct {
	open, compile, dispatch, read atomic.Pointer[device.Error]
	after                         atomic.Int64 // dispatches that still go well
}

// Open makes opening fail with a reason, "" to end the fault: Absent simulates a missing library, Context a context
// that cannot be created.
func (f *Faults) Open(reason device.Reason) { f.open.Store(fault(reason, "opening fails")) }

// Compile makes every shader be refused.
func (f *Faults) Compile(on bool) {
	f.compile.Store(nil)
	if on {
		f.compile.Store(fault(device.Compile, "the shader is refused"))
	}
}

// Dispatch makes all dispatches after the next n fail with a reason: Lost simulates the loss of a device during a call,
// Memory a device without free memory.
func (f *Faults) Dispatch(n int, reason device.Reason) {
	f.after.Store(int64(n))
	f.dispatch.Store(fault(reason, "the dispatch fails"))
}

// Read makes downloads fail with a reason.
func (f *Faults) Read(reason device.Reason) { f.read.Store(fault(reason, "the download fails")) }

func fault(reason device.Reason, detail string) *device.Error {
	if reason == "" {
		return nil
	}
	return device.Errorf(reason, "injected: %s", detail)
}

// Over returns openers with the faults laid over them.
func (f *Faults) Over(openers []device.Opener) []device.Opener {
	out := make([]device.Opener, len(openers))
	for i, o := range openers {
		out[i] = device.Opener{Name: o.Name, Open: func() (device.Driver, error) {
			if err := f.open.Load(); err != nil {
				return nil, err
			}
			d, err := o.Open()
			if err != nil {
				return nil, err
			}
			return &faulty{d, f}, nil
		}}
	}
	return out
}

// faulty is a driver with faults.
type faulty struct {
	device.Driver
	faults *Faults
}

// Compile implements device.Driver.
func (d *faulty) Compile(name, source string) (device.Program, error) {
	if err := d.faults.compile.Load(); err != nil {
		return device.Program{}, err
	}
	return d.Driver.Compile(name, source)
}

// Dispatch implements device.Driver.
func (d *faulty) Dispatch(groups int) (device.Ticket, error) {
	if err := d.faults.dispatch.Load(); err != nil && d.faults.after.Add(-1) < 0 {
		return 0, err
	}
	return d.Driver.Dispatch(groups)
}

// Read implements device.Driver.
func (d *faulty) Read(handle uint32, offset int, data []byte) error {
	if err := d.faults.read.Load(); err != nil {
		return err
	}
	return d.Driver.Read(handle, offset, data)
}
