package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"millwright/adapters/toollib"
	"millwright/core/service"
)

// dataFlags say where everything is kept and how clients reach them.
type dataFlags struct {
	Data      string `default:"./var" type:"path" help:"Folder of the records and objects, where they are not elsewhere, and of running jobs."`
	PublicURL string `placeholder:"URL" help:"Address that clients use (default: http:// and --listen)."`
	MaxUpload int64  `default:"500" help:"Largest accepted file, MB."`

	createInterval time.Duration // for the command that serves; the others create nothing for clients
	maxQueued      int           // as createInterval
	maxQueuedTeam  int           // as createInterval

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
	watch   *watch
	ring    func(context.Context, service.Wake) // set before requests are served
}

// openBackend is for commands that nobody watches.
func openBackend(ctx context.Context, flags dataFlags) (*backend, error) {
	return openWatched(ctx, flags, nil)
}

func openWatched(ctx context.Context, flags dataFlags, observed func(service.Operations) *watch) (*backend, error) {
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
	b := &backend{dir: flags.Data, wakes: flags.Wakes, ring: func(context.Context, service.Wake) {}}
	var err error
	if b.store, err = flags.Records.open(ctx, flags.Data); err != nil {
		return nil, err
	}
	b.objects, err = flags.Files.open(flags.Data, base, flags.MaxUpload*megabyte)
	if err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	ports := service.Ports{
		Store: b.store, Objects: b.objects, Tools: toollib.Reader{},
		Ring: func(ctx context.Context, w service.Wake) { b.ring(ctx, w) },
	}
	if observed != nil {
		b.watch = observed(b.store)
		ports.Store, ports.Objects = b.watch.metrics.Store(b.store), b.watch.metrics.Objects(b.objects)
		ports.Trace = b.watch.traces.Context
	}
	b.service, err = service.New(
		ports,
		service.Config{
			MaxUpload: flags.MaxUpload * megabyte, CreateInterval: flags.createInterval,
			MaxQueued: flags.maxQueued, MaxQueuedOfTeam: flags.maxQueuedTeam,
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
