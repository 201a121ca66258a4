// Package device runs compute shaders. It owns a context, its programs and buffers, and the one thread that may use
// them. GPU reopens such a Device after a loss; the primitives work with GPU.
//
// A primitive is one call of Do. Its function runs on the thread of the context and receives a Session. The buffers
// that it allocates are released when it returns. So a primitive prepares its inputs beforehand, uploads, runs and
// downloads inside, and does the remaining work on its own goroutine:
//
//	err := d.Do(ctx, func(s *device.Session) error {
//		in, err := device.Upload(s, values)
//		if err != nil {
//			return err
//		}
//		out, err := device.Alloc[float32](s, len(values))
//		if err != nil {
//			return err
//		}
//		err = s.Run(device.Job{
//			Shader:   device.Shader{Name: "double.comp"},
//			Buffers:  []device.Buffer{in, out}, // layout(binding = 0) and (binding = 1)
//			Uniforms: []device.Uniform{{Name: "count", Value: uint32(len(values))}},
//			Items:    len(values),
//		})
//		if err != nil {
//			return err
//		}
//		return device.Download(s, out, values)
//	})
//
// Errors of the device are *Error: the caller repeats the call on the processor. After an error of reason Lost the
// Device fails every call; a GPU closes it and opens another one later.
package device

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Options configure a device. Source is required; the other fields have defaults.
type Options struct {
	// Source returns the text of a shader with its includes; see package shaders.
	Source func(name string, defines []string) (string, error)
	// Software takes renderers that run on the processor; without it they are passed over.
	Software bool
	// PoolBytes is the maximum size of free buffer memory kept for later calls, 0 = 256 MiB.
	PoolBytes int
	// KeepBytes is the maximum size of the buffers that Keep retains between calls, 0 = 256 MiB.
	KeepBytes int
	// Timeout is the maximum duration of a dispatch, after which the device counts as lost, 0 = 10 s.
	Timeout time.Duration
	// Poison fills every new buffer with NaNs, so that tests detect reads of unwritten values.
	Poison bool
	// Watch receives each finished job of Run, on the thread of the context. A program that draws in the same context
	// keeps the buffers of a result there, see Session.Keep. Later jobs may write to them.
	Watch func(*Session, Job)
}

func (o Options) withDefaults() Options {
	if o.PoolBytes == 0 {
		o.PoolBytes = 256 << 20
	}
	if o.KeepBytes == 0 {
		o.KeepBytes = 256 << 20
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	return o
}

// Device is an open context. It is safe for concurrent use: calls queue up.
type Device struct {
	opts  Options
	info  Info
	queue chan request
	quit  chan struct{} // closed by Close
	gone  chan struct{} // closed when the thread has released everything
	once  sync.Once
	stats counters

	// Owned by the thread.
	driver   Driver
	pool     pool
	cached   []*cached // least recently used first
	programs map[string]*program
	lost     *Error
}

type request struct {
	ctx  context.Context
	work func(*Session) error
	done chan<- outcome
}

type outcome struct {
	err   error
	panic any
}

// Open tries the openers in order and returns the first device that responds; software renderers are skipped unless the
// options permit them. The error is that of the most informative opener: a failed context ranks before a missing
// library.
func Open(openers []Opener, opts Options) (*Device, error) {
	d := &Device{
		opts:     opts.withDefaults(),
		queue:    make(chan request),
		quit:     make(chan struct{}),
		gone:     make(chan struct{}),
		programs: map[string]*program{},
	}
	opened := make(chan error)
	go d.own(openers, opened)
	if err := <-opened; err != nil {
		return nil, err
	}
	return d, nil
}

// own is the goroutine of the context. Its thread is never unlocked, so that it ends with it.
func (d *Device) own(openers []Opener, opened chan<- error) {
	runtime.LockOSThread()
	defer close(d.gone)
	driver, err := first(openers, d.opts.Software)
	if err != nil {
		opened <- err
		return
	}
	d.driver, d.info = driver, driver.Info()
	d.pool = pool{driver: driver, bound: d.opts.PoolBytes, stats: &d.stats}
	opened <- nil
	defer d.release()
	for {
		select {
		case r := <-d.queue:
			r.done <- d.serve(r)
		case <-d.quit:
			return
		}
	}
}

// first opens the first usable context.
func first(openers []Opener, software bool) (Driver, error) {
	var worst error = Errorf(NoDevice, "no way to open a device")
	rank := 0
	for _, o := range openers {
		driver, err := o.Open()
		if err == nil && driver.Info().Software && !software {
			err = Errorf(Software, "%s is a software renderer, the processor itself is faster", driver.Info().Renderer)
			driver.Close()
		}
		if err == nil {
			return driver, nil
		}
		if r := telling(err); r >= rank {
			worst, rank = fmt.Errorf("%s: %w", o.Name, err), r
		}
	}
	return nil, worst
}

// telling orders the errors of openers by the information that they give about the machine.
func telling(err error) int {
	switch reason, _ := ReasonOf(err); reason {
	case NoDevice:
		return 1
	case Software:
		return 2
	}
	return 3
}

// Info returns the description of the device.
func (d *Device) Info() Info { return d.info }

// Do runs work on the thread of the context and returns its error. After the end of the context it returns ctx.Err():
// at once while work waits for its turn, and after the current slice of Run while it runs.
func (d *Device) Do(ctx context.Context, work func(*Session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan outcome, 1)
	select {
	case d.queue <- request{ctx, work, done}:
	case <-ctx.Done():
		return ctx.Err()
	case <-d.gone:
		return Errorf(Closed, "the device was closed")
	}
	o := <-done
	if o.panic != nil {
		panic(o.panic)
	}
	return o.err
}

// serve processes one request and releases its remaining resources.
func (d *Device) serve(r request) (o outcome) {
	d.stats.calls.Add(1)
	if d.lost != nil {
		return outcome{err: d.lost}
	}
	s := &Session{ctx: r.ctx, device: d}
	defer func() {
		o.panic = recover()
		if err := s.drain(); o.err == nil {
			o.err = err
		}
		if err := d.driver.Check(); o.err == nil {
			o.err = err
		}
		for _, b := range s.held {
			d.pool.put(b)
		}
		for _, k := range d.cached {
			k.user = nil
		}
		if reason, ok := ReasonOf(o.err); ok && reason == Lost {
			d.markLost(o.err)
		}
	}()
	return outcome{err: r.work(s)}
}

// markLost remembers that the context is gone.
func (d *Device) markLost(err error) {
	d.lost = Errorf(Lost, "%s", err)
	d.stats.lost.Add(1)
}

// release gives everything back; it runs last on the thread.
func (d *Device) release() {
	d.forget(nil, 0)
	d.pool.clear()
	for _, p := range d.programs {
		d.driver.FreeProgram(p.Handle)
	}
	d.driver.Close()
}

// Close waits for the current call, releases buffers, programs and context, and ends the thread. Waiting and later
// calls get an error of reason Closed.
func (d *Device) Close() {
	d.once.Do(func() { close(d.quit) })
	<-d.gone
}
