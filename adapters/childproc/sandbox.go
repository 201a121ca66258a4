// Package childproc is a pipeline.Sandbox of child processes. No malformed CAD file can end the worker: a crash, an
// endless loop or a huge allocation ends only the child.
//
// A workspace is a folder with a file for each artifact, named by its stage. The parent sends one JSON request to the
// child's standard input and reads progress and one answer as JSON from its descriptor 3. The child (Serve) is the same
// program with another command.
//
// The child may only read the files that it needs to run, write its workspace, and answer (package confine). A file
// that takes the child over can access neither the service nor other parts. A converter is run by the parent, on a file
// that the child writes to the workspace. On kernels without such confinement the child runs unconfined.
//
// Limits:
//   - Time: the parent kills the child's process group after the limit.
//   - Memory: the parent reads the resident size from /proc/<pid>/statm every 20 ms and kills the group
//     above the limit. The child sets Go's soft limit to 85 % of it, so that garbage is collected harder
//     before live memory reaches the limit. RLIMIT_AS is unsuitable: Go reserves far more address space
//     than it uses. RLIMIT_DATA counts mappings that Go has returned to the system, so a child far below
//     its limit could be stopped. A cgroup is exact but needs rights that containers often lack. Polling
//     permits an overshoot by the memory that a child can touch between two polls: up to 30 MB on an idle
//     two-core machine, more when the poller waits for a processor. If the machine runs out of memory
//     first, the kernel's OOM killer prefers the child.
//   - Life: when the parent dies the kernel kills the child (Pdeathsig). The child also exits when its
//     standard input ends, which covers a parent that dies while it starts the child.
//
// A child serves one run only. A warm Sandbox starts the next child early, in the workspace of the next run
// (standby.go); limits of time and memory apply from the request on.
//
// Peak memory is the child's VmHWM. rusage is not used: a child's ru_maxrss starts at the size of its parent.
//
// The package needs Linux.
package childproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

var _ pipeline.Sandbox = (*Sandbox)(nil)

// Defaults of Options.
const (
	DefaultTimeout     = 10 * time.Minute
	DefaultMemoryBytes = 4 << 30
)

// Options are the settings of a Sandbox.
type Options struct {
	Argv []string // program and arguments of the child; it must call Serve
	// Env is the child's whole environment. It excludes the parent's secrets.
	Env         []string
	Dir         string        // folder of the workspaces, made when it is not there; "" = that for temporary files
	Timeout     time.Duration // 0 = DefaultTimeout
	MemoryBytes int64         // largest resident size; 0 = DefaultMemoryBytes

	// paths that the child may read or write, in addition to its program, the system libraries and its workspace
	Read, Write []string
	Converter   Converter // nil: no converter
}

// Converter converts a file from a format and writes the result to out. It may use the folder dir, which is empty at
// first and removed afterward. suffix is the suffix of the file's name.
type Converter interface {
	Convert(ctx context.Context, dir string, in io.Reader, format, suffix string, out io.Writer) error
}

// Sandbox runs a child for every run.
type Sandbox struct {
	options Options
	standby standby
}

// New checks the options, creates the folder of the workspaces and removes workspaces of dead processes.
func New(o Options) (*Sandbox, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = DefaultMemoryBytes
	}
	if len(o.Argv) == 0 || o.Timeout < 0 || o.MemoryBytes < 0 {
		return nil, errors.New("childproc: Argv is required, Timeout and MemoryBytes must not be negative")
	}
	if o.Dir != "" {
		if err := os.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of workspaces: %w", err)
		}
		alone, err := clearDead(o.Dir)
		if err != nil {
			return nil, err
		}
		_ = alone.Close() // which only ends the lock
	}
	return &Sandbox{options: o}, nil
}

// Reasons for which the parent ends a child.
var (
	errTimeout = errors.New("time limit")
	errMemory  = errors.New("memory limit")
)

// Make implements pipeline.Workspace. In addition to the file's faults it returns timed_out and out_of_memory. A crash
// is an error with the end of the child's standard error.
func (w *Workspace) Make(
	ctx context.Context, params pipeline.Params, want []pipeline.Name, tell func(pipeline.Progress),
) (pipeline.Run, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Run{}, err
	}
	if tell == nil {
		tell = func(pipeline.Progress) {}
	}
	o := w.sandbox.options
	child, err := w.begin(request{Params: params, Want: want, Dir: w.Dir, MemoryBytes: o.MemoryBytes})
	if err != nil {
		return pipeline.Run{}, fmt.Errorf("start the kernel process: %w", err)
	}
	defer w.sandbox.refill()
	answered := make(chan answer, 1)
	running, ended := context.WithCancel(ctx)
	defer ended()
	go func() {
		answered <- child.listen(tell, func(c conversion) message { return messageOf(w.convert(running, c)) })
	}()
	why := child.watch(ctx, o)
	ended() // and with it a conversion that it waited for
	child.close()
	got := <-answered
	return o.outcome(why, got, child.reap(), child.stderr)
}

// outcome returns the result of a run that has ended. why is the parent's reason for killing the child, or nil if the
// parent did not kill it.
func (o Options) outcome(why error, got answer, exit error, stderr *excerpt) (pipeline.Run, error) {
	switch {
	case errors.Is(why, errTimeout):
		return pipeline.Run{}, &fault.Error{Code: fault.TimedOut, Reason: fmt.Sprintf(
			"The file was still being processed after %v, the longest time allowed.", o.Timeout)}
	case errors.Is(why, errMemory):
		return pipeline.Run{}, &fault.Error{Code: fault.OutOfMemory, Reason: fmt.Sprintf(
			"Processing the file takes more than %d MB of memory, the most allowed.", o.MemoryBytes>>20)}
	case why != nil:
		return pipeline.Run{}, why
	case exit != nil:
		return pipeline.Run{}, fmt.Errorf("the kernel process ended with %w (its answer: %s): %s", exit, got, stderr)
	case got.err != nil:
		return pipeline.Run{}, fmt.Errorf("the answer of the kernel process is unusable: %w: %s", got.err, stderr)
	case got.Run == nil:
		return pipeline.Run{}, got.failure("kernel")
	}
	return *got.Run, nil
}
