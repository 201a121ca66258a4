package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

// workerFlags are the size of a process's worker pool and its selection of jobs.
type workerFlags struct {
	Workers   int               `default:"1" help:"Jobs run at the same time."`
	LargeJobs int               `placeholder:"N" help:"Large jobs run at the same time (default: as many as --memory fits into the memory of the machine)."`
	Jobs      []string          `placeholder:"PRODUCT" help:"Product types of the jobs to take, as part_processing,feature_details (default: all)."`
	Classes   []string          `placeholder:"CLASS" help:"Classes of the jobs to take, of small, medium and large (default: all)."`
	Lease     time.Duration     `default:"20s" help:"Silence of a worker after which another takes its job."`
	Clean     time.Duration     `name:"clean-after" default:"10m" help:"Age of a lost attempt at which what it stored is deleted."`
	Retain    int               `name:"retain-days" default:"0" help:"Days after its last change at which a part is deleted with all that was made of it (0: never)."`
	Limits    stagechild.Limits `embed:""`
	Compute   stagechild.Device `embed:""`
}

// minLease permits a few heartbeats on a busy machine.
const minLease = time.Second

// Validate reports all errors in the flags at once (kong calls it).
func (f workerFlags) Validate() error {
	errs := []error{f.Limits.Check()}
	if f.Workers < 0 || f.LargeJobs < 0 {
		errs = append(errs, fmt.Errorf("--workers and --large-jobs must not be negative, got %d and %d",
			f.Workers, f.LargeJobs))
	}
	if f.Retain < 0 || f.Retain > 36500 {
		errs = append(errs, fmt.Errorf("--retain-days lies between 0 and 36500, got %d", f.Retain))
	}
	if f.Lease < minLease {
		errs = append(errs, fmt.Errorf("--lease must be at least %s, got %s", minLease, f.Lease))
	}
	if f.Clean <= f.Lease {
		errs = append(errs, fmt.Errorf("--clean-after must be longer than --lease, got %s", f.Clean))
	}
	_, err := f.filter()
	return errors.Join(append(errs, err)...)
}

// filter returns the selection of jobs for the workers.
func (f workerFlags) filter() (job.WorkFilter, error) {
	var out job.WorkFilter
	for _, p := range f.Jobs {
		out.Products = append(out.Products, job.Product(p))
	}
	for _, name := range f.Classes {
		c, err := job.ParseClass(name)
		if err != nil {
			return out, fmt.Errorf("--classes: %w", err)
		}
		out.Classes = append(out.Classes, c)
	}
	if err := out.Validate(); err != nil {
		return out, fmt.Errorf("--jobs: %w", err)
	}
	return out, nil
}

// largeJobs returns the maximum number of concurrent large jobs: each may use the whole memory limit of a file.
func (f workerFlags) largeJobs() int {
	most := f.LargeJobs
	if most == 0 {
		most = max(1, int(machineMemory()/(f.Limits.Memory<<20)))
	}
	return min(most, max(1, f.Workers))
}

// machineMemory returns the memory limit of this process in bytes: that of its control group, else that of the machine;
// a very large number if neither can be read.
func machineMemory() int64 {
	const plenty = 1 << 60
	memory := int64(plenty)
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
			memory = n // else "max"
		}
	}
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return memory
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			if kB, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64); err == nil {
				memory = min(memory, kB<<10)
			}
		}
	}
	return memory
}

// pool builds the workers of this process on a queue; closeKernel ends their standby processes.
func (b *backend) pool(flags workerFlags, queue job.Queue) (_ *worker.Pool, closeKernel func() error, err error) {
	work, err := flags.filter()
	if err != nil {
		return nil, nil, err
	}
	if err := flags.Limits.Apart(flags.Compute, b.private...); err != nil {
		return nil, nil, err
	}
	if err := confine.Check(); err != nil {
		b.watch.log.Warn("files are read without confinement: a file that takes over the process that reads it reaches the service",
			"error", err)
	}
	sandbox, err := stagechild.Sandbox(filepath.Join(b.dir, "work"), flags.Limits, flags.Compute)
	if err != nil {
		return nil, nil, err
	}
	b.onDisk = true
	ports := app.Workers(b.store, b.use)
	ports.Queue, ports.Objects, ports.Sandbox, ports.Clock = queue, b.objects, sandbox, b.clock
	b.watch.measureWork(&ports)
	pool, err := worker.New(ports, worker.Config{
		Runners: flags.Workers, LargeRunners: flags.largeJobs(), Work: work, Lease: flags.Lease,
		ResultBucket: b.objects.resultBucket, CleanTime: flags.Clean,
		RetainTime: time.Duration(flags.Retain) * 24 * time.Hour,
	})
	if err == nil {
		sandbox.Warm()
	}
	return pool, sandbox.Close, err
}

// workerCmd is serve --role worker under the name that it had first.
type workerCmd struct {
	dataFlags
	workerFlags
	processFlags
}

// Run works until the process receives a stop signal.
func (c *workerCmd) Run(ctx context.Context) error {
	serve := &serveCmd{
		dataFlags: c.dataFlags, workerFlags: c.workerFlags, processFlags: c.processFlags, Role: roleWorker,
	}
	return serve.Run(ctx)
}
