package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"millwright/adapters/toollib"
	"millwright/core/service"
	"millwright/core/service/worker"
)

// dataFlags say where everything is kept and how clients reach them.
type dataFlags struct {
	Data      string `default:"./var" type:"path" help:"Folder of the records and objects, where they are not elsewhere, and of running jobs."`
	PublicURL string `placeholder:"URL" help:"Address that clients use (default: http:// and --listen)."`
	MaxUpload int64  `default:"500" help:"Largest accepted file, MB."`

	createInterval time.Duration // for the command that serves; the others create nothing for clients

	Records databaseFlags `embed:""`
	Wakes   queueFlags    `embed:""`
	Files   objectsFlags  `embed:""`
}

const megabyte = 1_000_000 // bytes

// objectsPath is where the object handler is mounted below the public address.
const objectsPath = "/objects"

// fallbackURL signs no address that anybody sees: commands without a listener only need the store.
const fallbackURL = "http://127.0.0.1:8080"

// backend is the adapters with the use cases on them.
type backend struct {
	store   recordStore
	objects *objectStore
	wakes   queueFlags
	service *service.Service
	dir     string
	nudge   func() // set before requests are served; wakes this process's relay
}

func openBackend(ctx context.Context, flags dataFlags) (*backend, error) {
	if flags.MaxUpload < 1 {
		return nil, fmt.Errorf("--max-upload must be at least 1 MB, got %d", flags.MaxUpload)
	}
	if err := os.MkdirAll(flags.Data, 0o755); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	base := flags.PublicURL
	if base == "" {
		base = fallbackURL
	}
	b := &backend{dir: flags.Data, wakes: flags.Wakes, nudge: func() {}}
	var err error
	if b.store, err = flags.Records.open(ctx, flags.Data); err != nil {
		return nil, err
	}
	b.objects, err = flags.Files.open(flags.Data, base, flags.MaxUpload*megabyte)
	if err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	b.service, err = service.New(
		service.Ports{
			Store: b.store, Objects: b.objects, Tools: toollib.Reader{}, Nudge: func() { b.nudge() },
		},
		service.Config{
			MaxUpload: flags.MaxUpload * megabyte, CreateInterval: flags.createInterval,
			SourceBucket: b.objects.sourceBucket, ResultBucket: b.objects.resultBucket,
		},
	)
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *backend) close() {
	if err := errors.Join(b.objects.close(), b.store.Close()); err != nil {
		slog.Error("close the data folder", "error", err)
	}
}

// workerFlags size the workers of a process.
type workerFlags struct {
	Workers int           `default:"1" help:"Jobs run at the same time."`
	Lease   time.Duration `default:"20s" help:"Silence of a worker after which another takes its job."`
	Clean   time.Duration `name:"clean-after" default:"10m" help:"Age of a lost attempt at which what it stored is deleted."`
	Limits  processLimits `embed:""`
	Compute computeDevice `embed:""`
}

// minLease leaves room for a few heartbeats on a busy machine.
const minLease = time.Second

// Validate reports everything wrong with the flags at once (kong calls it).
func (f workerFlags) Validate() error {
	errs := []error{f.Limits.check()}
	if f.Workers < 0 {
		errs = append(errs, fmt.Errorf("--workers must not be negative, got %d", f.Workers))
	}
	if f.Lease < minLease {
		errs = append(errs, fmt.Errorf("--lease must be at least %s, got %s", minLease, f.Lease))
	}
	if f.Clean <= f.Lease {
		errs = append(errs, fmt.Errorf("--clean-after must be longer than --lease, got %s", f.Clean))
	}
	return errors.Join(errs...)
}

// workers is a pool with the queue that wakes it.
type workers struct {
	*worker.Pool
	closeQueue func() error
}

// Run works until ctx ends.
func (w workers) Run(ctx context.Context) error { return errors.Join(w.Pool.Run(ctx), w.closeQueue()) }

// workers builds the workers of this process.
func (b *backend) workers(ctx context.Context, flags workerFlags, log *slog.Logger) (workers, error) {
	kernel, err := childKernel(flags.Limits, flags.Compute)
	if err != nil {
		return workers{}, err
	}
	queue, closeQueue, err := b.wakes.open(ctx, log)
	if err != nil {
		return workers{}, err
	}
	pool, err := worker.New(
		worker.Ports{
			Store: b.store, Queue: queue, Objects: b.objects, Kernel: kernel,
			OnEvent: func(e worker.Event) { logEvent(log, e) },
		},
		worker.Config{
			Runners: flags.Workers, Lease: flags.Lease, WorkDir: filepath.Join(b.dir, "work"),
			ResultBucket: b.objects.resultBucket, CleanTime: flags.Clean,
		},
	)
	if err != nil {
		return workers{}, errors.Join(err, closeQueue())
	}
	return workers{pool, closeQueue}, nil
}

func logEvent(log *slog.Logger, e worker.Event) {
	switch e.Kind {
	case worker.Relayed, worker.Reaped, worker.Cleaned:
		return // the ordinary course of things
	case worker.Trouble:
		log.Error("workers", "event", e.Kind, "error", e.Err)
		return
	}
	attrs := []any{"event", e.Kind}
	if e.Job.ID != "" {
		attrs = append(attrs,
			"job", e.Job.ID, "part", e.Job.PartID, "product", e.Job.Product, "attempt", e.Job.Attempt)
	}
	if e.Count > 0 {
		attrs = append(attrs, "count", e.Count)
	}
	if e.Err != nil {
		attrs = append(attrs, "error", e.Err)
	}
	log.Info("workers", attrs...)
}
