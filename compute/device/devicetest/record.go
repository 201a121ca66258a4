package devicetest

import (
	"sync"

	"millwright.dev/millwright/compute/device"
)

// Recorder keeps the sources that drivers were given to compile.
type Recorder struct {
	mu      sync.Mutex
	sources map[string]string // source to name
}

// Over returns openers whose drivers are listened to.
func (r *Recorder) Over(openers []device.Opener) []device.Opener {
	out := make([]device.Opener, len(openers))
	for i, o := range openers {
		out[i] = device.Opener{Name: o.Name, Open: func() (device.Driver, error) {
			d, err := o.Open()
			if err != nil {
				return nil, err
			}
			return &recorded{d, r}, nil
		}}
	}
	return out
}

// Each calls visit with every source once, in no order.
func (r *Recorder) Each(visit func(name, source string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for source, name := range r.sources {
		visit(name, source)
	}
}

type recorded struct {
	device.Driver
	recorder *Recorder
}

// Compile implements device.Driver.
func (d *recorded) Compile(name, source string) (device.Program, error) {
	d.recorder.mu.Lock()
	if d.recorder.sources == nil {
		d.recorder.sources = map[string]string{}
	}
	d.recorder.sources[source] = name
	d.recorder.mu.Unlock()
	return d.Driver.Compile(name, source)
}
