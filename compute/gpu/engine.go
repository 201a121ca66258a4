// Package gpu holds the compute primitives as OpenGL compute shaders. Each is a method of Engine in a file
// of its own, with the same signature as its twin in compute/cpu; the shaders are in package shaders, and
// device runs them.
//
// The package always builds; without the tag gpu, Open says that the program has no GPU support. A method
// answers with a *device.Error when the device cannot do the call, which is then to be done on the processor.
package gpu

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"millwright/compute/device"
	"millwright/compute/device/opengl"
	"millwright/shaders"
)

// Options configure an engine; the zero value takes the best hardware device.
type Options struct {
	Software bool                   // take a renderer that runs on the processor too: for tests and CI
	Timeout  time.Duration          // of one dispatch, after which the device counts as lost; 0 = 10 s
	Logger   *slog.Logger           // hears of lost and found devices; nil = slog.Default()
	Poison   bool                   // hand out device memory filled with NaNs: for tests
	Openers  func() []device.Opener // ways to a device; nil = those of this build
	Now      func() time.Time       // nil = time.Now
}

// A lost device is looked for again after retryFirst, and after twice as long each time that fails, up to
// retryMost: a driver that was reset is back within seconds, one that was unplugged is not worth the noise.
const (
	retryFirst = 5 * time.Second
	retryMost  = 5 * time.Minute
)

// Engine runs the primitives on one device. It is safe for concurrent use; calls queue up.
type Engine struct {
	opts Options
	info device.Info // of the device that was opened first

	doubts atomic.Int64 // samples of EvalSurface that the processor did

	mu      sync.Mutex
	dev     *device.Device // nil while lost
	closed  bool
	looking bool          // for a lost device
	retry   time.Time     // when a lost device is looked for again
	pause   time.Duration // until the retry after
	past    device.Stats  // of devices that were lost
}

// Open finds a device. The error is a *device.Error whose reason says why there is none.
func Open(opts Options) (*Engine, error) {
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if opts.Openers == nil {
		opts.Openers = opengl.Openers
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	e := &Engine{opts: opts}
	dev, err := e.open()
	if err != nil {
		return nil, err
	}
	e.dev, e.info = dev, dev.Info()
	return e, nil
}

func (e *Engine) open() (*device.Device, error) {
	return device.Open(e.opts.Openers(), device.Options{
		Source: shaders.Source, Software: e.opts.Software, Timeout: e.opts.Timeout, Poison: e.opts.Poison,
	})
}

// Name is what the device calls itself.
func (e *Engine) Name() string { return e.info.Renderer }

// IsSoftware reports whether the device is a renderer on the processor.
func (e *Engine) IsSoftware() bool { return e.info.Software }

// Limits are those of the device.
func (e *Engine) Limits() device.Limits { return e.info.Limits }

// Info says what the device is.
func (e *Engine) Info() device.Info { return e.info }

// Close releases the device. Later calls answer with the reason Closed.
func (e *Engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.drop()
}

// drop closes the device and keeps its counts.
func (e *Engine) drop() {
	if e.dev == nil {
		return
	}
	e.dev.Close()
	e.past = e.past.Add(e.dev.Stats())
	e.dev = nil
}

// Stats returns the counts over all devices the engine has had.
func (e *Engine) Stats() device.Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dev == nil {
		return e.past
	}
	return e.past.Add(e.dev.Stats())
}

// do runs work on the device; the primitives go through here. A device that was lost is closed, and looked
// for again at the first call after a pause; calls in between answer with the reason Lost at once.
func (e *Engine) do(ctx context.Context, work func(*device.Session) error) error {
	dev, err := e.device()
	if err != nil {
		return err
	}
	err = dev.Do(ctx, work)
	if reason, _ := device.ReasonOf(err); reason == device.Lost || reason == device.Closed {
		err = e.lose(dev, err)
	}
	return err
}

// device returns the open device, after a look for a new one where it is time for it.
func (e *Engine) device() (*device.Device, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return nil, device.Errorf(device.Closed, "the engine was closed")
	case e.dev != nil:
		return e.dev, nil
	case e.looking || e.opts.Now().Before(e.retry):
		return nil, device.Errorf(device.Lost, "%s was lost", e.info.Renderer)
	}
	return e.look()
}

// look opens a device in the place of a lost one. The lock is not held meanwhile, so that other calls need not wait.
func (e *Engine) look() (*device.Device, error) {
	e.looking = true
	e.mu.Unlock()
	dev, err := e.open()
	e.mu.Lock()
	e.looking = false
	switch {
	case err != nil:
		e.pause = min(2*e.pause, retryMost)
		e.retry = e.opts.Now().Add(e.pause)
		return nil, device.Errorf(device.Lost, "%s was lost: %v", e.info.Renderer, err)
	case e.closed:
		dev.Close()
		return nil, device.Errorf(device.Closed, "the engine was closed")
	}
	e.dev = dev
	e.opts.Logger.Info("gpu is back", "device", dev.Info().Renderer)
	return dev, nil
}

// lose closes a device that is gone, once for all calls that met it.
func (e *Engine) lose(dev *device.Device, cause error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return device.Errorf(device.Closed, "the engine was closed")
	}
	if e.dev == dev {
		e.drop()
		e.pause = retryFirst
		e.retry = e.opts.Now().Add(e.pause)
		e.opts.Logger.Warn("gpu lost, its calls run on the processor",
			"device", e.info.Renderer, "cause", cause, "retry", e.pause)
	}
	return device.Errorf(device.Lost, "%v", cause)
}
