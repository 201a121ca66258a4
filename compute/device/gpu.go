package device

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// GPUOptions configures a graphics device that outlives its contexts. Source and Openers are required; package opengl
// sets both. The defaults of the other fields select the best hardware device.
type GPUOptions struct {
	Source   func(name string, defines []string) (string, error) // as in Options
	Openers  func() []Opener                                     // openers of a device, called again after a loss
	Software bool                                                // renderers on the processor too: for tests and CI
	Timeout  time.Duration                                       // of a dispatch until the device is lost; 0 = 10 s
	// hears of lost and found devices; nil = slog.Default()
	Logger *slog.Logger
	Poison bool                // hand out device memory filled with NaNs: for tests
	Watch  func(*Session, Job) // as in Options; nil = no observer
	Now    func() time.Time    // nil = time.Now
}

// A search for a lost device starts after retryFirst. The interval doubles with each failure, up to retryMost. A driver
// that was reset is available within seconds; for an unplugged device, frequent searches would only produce log lines.
const (
	retryFirst = 5 * time.Second
	retryMost  = 5 * time.Minute
)

// GPU is a graphics device for primitives: it is reopened after a loss. It is safe for concurrent use; calls are
// queued.
type GPU struct {
	opts GPUOptions
	info Info // of the device that was opened first

	redone atomic.Int64 // items that the processor did again

	mu      sync.Mutex
	dev     *Device // nil while lost
	closed  bool
	looking bool          // for a lost device
	retry   time.Time     // time of the next search for a lost device
	pause   time.Duration // until the retry after
	past    Stats         // of devices that were lost
}

// OpenGPU finds a device. If there is no device, it returns a *device.Error with the reason.
func OpenGPU(opts GPUOptions) (*GPU, error) {
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	g := &GPU{opts: opts}
	dev, err := g.open()
	if err != nil {
		return nil, err
	}
	g.dev, g.info = dev, dev.Info()
	return g, nil
}

func (g *GPU) open() (*Device, error) {
	return Open(g.opts.Openers(), Options{
		Source: g.opts.Source, Software: g.opts.Software, Timeout: g.opts.Timeout, Poison: g.opts.Poison,
		Watch: g.opts.Watch,
	})
}

// Name returns the renderer name that the device reports.
func (g *GPU) Name() string { return g.info.Renderer }

// IsSoftware reports whether the device is a renderer on the processor.
func (g *GPU) IsSoftware() bool { return g.info.Software }

// Limits returns the limits of the device.
func (g *GPU) Limits() Limits { return g.info.Limits }

// Info returns the description of the device.
func (g *GPU) Info() Info { return g.info }

// Close releases the device. Later calls answer with the reason Closed.
func (g *GPU) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.drop()
}

// drop closes the device and keeps its counts.
func (g *GPU) drop() {
	if g.dev == nil {
		return
	}
	g.dev.Close()
	g.past = g.past.Add(g.dev.Stats())
	g.dev = nil
}

// Stats returns the counts over all devices there were.
func (g *GPU) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.past
	if g.dev != nil {
		s = s.Add(g.dev.Stats())
	}
	s.Redone = g.redone.Load()
	return s
}

// CountRedone adds to the count of items that the device left in doubt and the processor did.
func (g *GPU) CountRedone(n int) { g.redone.Add(int64(n)) }

// Do runs work on the device; all primitives use it. A lost device is closed, and reopened at the first call after a
// pause. Calls in between fail at once with reason Lost.
func (g *GPU) Do(ctx context.Context, work func(*Session) error) error {
	dev, err := g.device()
	if err != nil {
		return err
	}
	err = dev.Do(ctx, work)
	if reason, _ := ReasonOf(err); reason == Lost || reason == Closed {
		err = g.markLost(dev, err)
	}
	return err
}

// device returns the open device, after a look for a new one where it is time for it.
func (g *GPU) device() (*Device, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return nil, Errorf(Closed, "the device was closed")
	case g.dev != nil:
		return g.dev, nil
	case g.looking || g.opts.Now().Before(g.retry):
		return nil, Errorf(Lost, "%s was lost", g.info.Renderer)
	}
	return g.look()
}

// look opens a device in place of a lost one. It works without the lock, so that other calls need not wait.
func (g *GPU) look() (*Device, error) {
	g.looking = true
	g.mu.Unlock()
	dev, err := g.open()
	g.mu.Lock()
	g.looking = false
	switch {
	case err != nil:
		g.pause = min(2*g.pause, retryMost)
		g.retry = g.opts.Now().Add(g.pause)
		return nil, Errorf(Lost, "%s was lost: %v", g.info.Renderer, err)
	case g.closed:
		dev.Close()
		return nil, Errorf(Closed, "the device was closed")
	}
	g.dev = dev
	g.opts.Logger.Info("gpu is back", "device", dev.Info().Renderer)
	return dev, nil
}

// markLost closes a device that is gone, once for all calls that met it.
func (g *GPU) markLost(dev *Device, cause error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return Errorf(Closed, "the device was closed")
	}
	if g.dev == dev {
		g.drop()
		g.pause = retryFirst
		g.retry = g.opts.Now().Add(g.pause)
		g.opts.Logger.Warn("gpu lost, its calls run on the processor",
			"device", g.info.Renderer, "cause", cause, "retry", g.pause)
	}
	return Errorf(Lost, "%v", cause)
}
