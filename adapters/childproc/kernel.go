// Package childproc runs a service.Kernel in a child process, so that no CAD file, however malformed,
// can take the worker down: a crash, an endless loop or a gigantic allocation ends the child alone.
//
// The parent (Kernel) sends one JSON request on the child's standard input and reads progress and one
// answer as JSON from its descriptor 3. The child (Serve) is the same program under another command.
//
// Limits:
//   - Time: the parent kills the child's process group when the limit has passed.
//   - Memory: the parent reads the resident size from /proc/<pid>/statm every 20 ms and kills the group
//     above the limit; the child sets Go's soft limit to 85 % of it, so that garbage is collected harder
//     before real need runs into the limit. RLIMIT_AS would not do: Go reserves address space far beyond
//     what it uses. RLIMIT_DATA counts mappings that Go has given back to the system, so that a child
//     well within its memory could be stopped. A cgroup is exact but needs rights that a container
//     often lacks. The price of polling is an overshoot of what a child can touch between two looks:
//     up to 30 MB on an idle two-core machine, more when the poller has to wait for a processor. If
//     the machine runs out first, the child has volunteered to the kernel's OOM killer.
//   - Life: when the parent dies the kernel kills the child (Pdeathsig), and the child leaves by itself
//     when its standard input ends, which also covers a parent that dies while starting it.
//
// Peak memory is the child's own VmHWM. rusage is not used: ru_maxrss of a child starts at the size of
// the parent it was forked from.
//
// The package needs Linux.
package childproc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"millwright/core/fault"
	"millwright/core/service"
)

var _ service.Kernel = (*Kernel)(nil)

// Defaults of Options.
const (
	DefaultTimeout     = 10 * time.Minute
	DefaultMemoryBytes = 4 << 30
)

// Options are the settings of a Kernel.
type Options struct {
	Argv []string // program and arguments of the child; it must call Serve
	// Env is the child's whole environment: what the parent was told in confidence stays with it.
	Env         []string
	Timeout     time.Duration // 0 = DefaultTimeout
	MemoryBytes int64         // largest resident size; 0 = DefaultMemoryBytes
}

// Kernel is a service.Kernel that starts a child for every file.
type Kernel struct{ options Options }

// New checks the options.
func New(o Options) (*Kernel, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = DefaultMemoryBytes
	}
	if len(o.Argv) == 0 || o.Timeout < 0 || o.MemoryBytes < 0 {
		return nil, errors.New("childproc: Argv is required, Timeout and MemoryBytes must not be negative")
	}
	return &Kernel{options: o}, nil
}

// Reasons for which the parent ends a child.
var (
	errTimeout = errors.New("time limit")
	errMemory  = errors.New("memory limit")
)

// Analyze implements service.Kernel. Besides the kernel's own failures it returns timed_out and
// out_of_memory; a crash is an error with what the child last wrote to its standard error.
func (k *Kernel) Analyze(
	ctx context.Context, req service.KernelRequest, progress func(percent int, stage string),
) (*service.Analysis, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(int, string) {}
	}
	child, err := start(k.options, request{Request: req, MemoryBytes: k.options.MemoryBytes})
	if err != nil {
		return nil, fmt.Errorf("start the kernel process: %w", err)
	}
	answered := make(chan answer, 1)
	go func() { answered <- child.listen(progress) }()
	why := child.watch(ctx, k.options)
	child.close()
	got := <-answered
	return k.outcome(why, got, child.reap(), child.stderr)
}

// outcome decides what a run that has ended was. why is the reason for which the parent ended it, nil
// when the child ended by itself.
func (k *Kernel) outcome(why error, got answer, exit error, stderr *excerpt) (*service.Analysis, error) {
	switch {
	case errors.Is(why, errTimeout):
		return nil, fault.Errorf(fault.TimedOut,
			"The file was still being processed after %v, the longest time allowed.", k.options.Timeout)
	case errors.Is(why, errMemory):
		return nil, fault.Errorf(fault.OutOfMemory,
			"Processing the file takes more than %d MB of memory, the most allowed.",
			k.options.MemoryBytes>>20)
	case why != nil:
		return nil, why
	case exit != nil:
		return nil, fmt.Errorf("the kernel process ended with %w (its answer: %s): %s", exit, got, stderr)
	case got.err != nil:
		return nil, fmt.Errorf("the answer of the kernel process is unusable: %w: %s", got.err, stderr)
	case got.Failure != nil:
		return nil, got.Failure
	case got.Error != "":
		return nil, fmt.Errorf("kernel: %s", got.Error)
	}
	return got.Analysis, nil
}
