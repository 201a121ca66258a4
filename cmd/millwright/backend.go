package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/disk"
	"millwright.dev/millwright/adapters/httpapi/baseurl"
	"millwright.dev/millwright/adapters/toollib"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
)

// dataFlags say where everything is kept and how clients reach them.
type dataFlags struct {
	Data      string `default:"./var" type:"path" help:"Folder of the records and objects, where they are not elsewhere, and of running jobs."`
	PublicURL string `placeholder:"URL" help:"Address that clients use (default: the host that each of them names)."`
	MaxUpload int64  `default:"500" help:"Largest accepted file, MB."`

	createInterval time.Duration // for the command that serves; the others create nothing for clients
	maxQueued      int           // as createInterval
	maxQueuedTeam  int           // as createInterval
	quota          account.Quota // as createInterval
	clock          record.Clock  // of this process; nil: the system's

	Records databaseFlags `embed:""`
	Wakes   queueFlags    `embed:""`
	Files   objectsFlags  `embed:""`
}

const megabyte = 1_000_000 // bytes

// objectsPath is the mount path of the object handler below the public address.
const objectsPath = "/objects"

// base is the address that is put into addresses.
func (f dataFlags) base() string {
	if f.PublicURL == "" {
		return baseurl.Placeholder
	}
	return strings.TrimSuffix(f.PublicURL, "/")
}

// private returns the files and folders that contain secrets and clients' data.
func (f dataFlags) private() []string {
	named := []string{f.Data, f.Records.DatabaseFile, f.Wakes.QueueFile, f.Files.ObjectsCredentialsFile}
	return slices.DeleteFunc(named, func(path string) bool { return path == "" })
}

// backend is the adapters with the use cases on them.
type backend struct {
	store   recordStore
	clock   *record.SharedClock
	objects *objectStore
	wakes   queueFlags
	use     *app.UseCases

	sessions *session.Service // of the portal
	dir      string
	private  []string // files and folders that programs of others must not read
	onDisk   bool     // records or objects, or the files of running jobs, are kept in dir
	watch    *watch
	ring     func(context.Context, job.WakeUp) // set before requests are served
}

// openExisting is openBackend for maintenance commands: it creates nothing if there is no data.
func openExisting(ctx context.Context, flags dataFlags) (*backend, error) {
	file, err := flags.Records.file(flags.Data)
	if err != nil {
		return nil, err
	}
	if file != "" {
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("there are no records in %s: name the folder of the service with --data, or its "+
				"database with --database", flags.Data)
		} else if err != nil {
			return nil, err
		}
	}
	return openBackend(ctx, flags)
}

// openBackend is for commands that nobody watches.
func openBackend(ctx context.Context, flags dataFlags) (*backend, error) {
	return openWatched(ctx, flags, nil)
}

func openWatched(
	ctx context.Context, flags dataFlags, observed func(job.Store, *record.SharedClock) *watch,
) (*backend, error) {
	if flags.MaxUpload < 1 {
		return nil, fmt.Errorf("--max-upload must be at least 1 MB, got %d", flags.MaxUpload)
	}
	if err := makePrivate(flags.Data); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	b := &backend{dir: flags.Data, private: flags.private(), wakes: flags.Wakes, ring: func(context.Context, job.WakeUp) {}}
	var err error
	if b.store, err = flags.Records.open(ctx, flags.Data); err != nil {
		return nil, err
	}
	if flags.clock == nil {
		flags.clock = record.SystemClock{}
	}
	if b.clock, err = record.NewSharedClock(ctx, b.store, flags.clock); err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	b.objects, err = flags.Files.open(flags.Data, flags.base(), flags.MaxUpload*megabyte, b.clock)
	if err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	file, err := flags.Records.file(flags.Data)
	if err != nil {
		b.close()
		return nil, err
	}
	b.onDisk = file != "" || b.objects.handler != nil
	ports := app.On(b.store, b.objects)
	ports.Health, ports.Clock = b, b.clock
	ports.Tools = toollib.Reader{}
	ports.Ring = func(ctx context.Context, w job.WakeUp) { b.ring(ctx, w) }
	if observed != nil {
		b.watch = observed(b.store, b.clock)
		b.watch.measure(&ports)
	}
	b.use, err = app.New(ports, app.Config{
		Jobs: job.Config{MaxQueued: flags.maxQueued, MaxQueuedOfTeam: flags.maxQueuedTeam},
		Parts: part.Config{
			MaxUpload: flags.MaxUpload * megabyte, CreateInterval: flags.createInterval,
			SourceBucket: b.objects.sourceBucket,
		},
		Programs: program.Config{PlanWait: program.DefaultPlanWait},
		Quota:    flags.quota,
	})
	if err != nil {
		b.close()
		return nil, err
	}
	b.sessions = session.New(b.store, b.use.Accounts, b.clock, nil)
	return b, nil
}

// Ping implements record.Pinger: the records respond, and if this process writes to its disk, there is free space.
func (b *backend) Ping(ctx context.Context) error {
	if err := b.store.Ping(ctx); err != nil || !b.onDisk {
		return err
	}
	return disk.Check(b.dir)
}

func (b *backend) close() {
	if err := errors.Join(b.objects.close(), b.store.Close()); err != nil {
		slog.Error("close the data folder", "error", err)
	}
}
