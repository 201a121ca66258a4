// Package childproc is a pipeline.Sandbox of child processes, so that no CAD file, however malformed, can take the
// worker down: a crash, an endless loop or a gigantic allocation ends the child alone.
//
// A workspace is a folder with a file for each artifact, named by its stage. The parent sends one JSON request on the
// child's standard input and reads progress and one answer as JSON from its descriptor 3. The child (Serve) is the
// same program under another command.
//
// The child has no rights but to read what it needs to run, to write its workspace, and to answer (package confine): a
// file that takes it over reaches neither the service nor the parts of others. What it may need besides, a converter, is
// run by the parent, on a file that the child leaves in the workspace. Where the kernel has no such confinement it runs
// without.
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
// A child is used for one run only. A Sandbox that is kept warm has the next one started already, in the workspace of
// the next run (spare.go); limits of time and memory hold from the request on.
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
	// Env is the child's whole environment: what the parent was told in confidence stays with it.
	Env         []string
	Dir         string        // folder of the workspaces, made when it is not there; "" = that for temporary files
	Timeout     time.Duration // 0 = DefaultTimeout
	MemoryBytes int64         // largest resident size; 0 = DefaultMemoryBytes

	Read, Write []string  // what it may read, and write, besides its program, the libraries of the system and its workspace
	Converter   Converter // nil: none
}

// Converter turns a file of a format into one of another, which it writes to out. It may use the folder, which is empty
// at first and removed afterward. suffix is that of the file's name.
type Converter interface {
	Convert(ctx context.Context, dir string, in io.Reader, format, suffix string, out io.Writer) error
}

// Sandbox runs a child for every run.
type Sandbox struct {
	options Options
	standby standby
}

// New checks the options, makes the folder of the workspaces and removes those of processes that died.
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

// Make implements pipeline.Workspace. Besides the faults of the file it returns timed_out and out_of_memory; a crash is
// an error with what the child last wrote to its standard error.
func (w *Workspace) Make(
	ctx context.Context, recipe pipeline.Params, want []pipeline.Name, tell func(pipeline.Progress),
) (pipeline.Run, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Run{}, err
	}
	if tell == nil {
		tell = func(pipeline.Progress) {}
	}
	o := w.sandbox.options
	child, err := w.begin(request{Recipe: recipe, Want: want, Dir: w.Dir, MemoryBytes: o.MemoryBytes})
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

// outcome decides what a run that has ended was. why is the reason for which the parent ended it, nil
// when the child ended by itself.
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
