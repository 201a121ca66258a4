package pipeline

import (
	"context"
	"io"
	"strings"
	"time"

	"millwright.dev/millwright/core/fault"
)

// Sandbox runs stages outside the calling process, because their inputs are untrusted.
type Sandbox interface {
	// Open makes an empty workspace, which the caller closes. Other processes remove the workspaces of dead processes.
	Open() (Workspace, error)
}

// Workspace contains the artifacts of one set of parameters, as bytes, while stages run on them.
type Workspace interface {
	// Put adds an artifact or the source. It must not exist yet.
	Put(ctx context.Context, n Name, r io.Reader) error
	// Make is Pipeline.Make in the sandbox, on the artifacts that were put. Errors caused by the file are *fault.Error.
	// Any other error is a fault of the sandbox and may be temporary. Calls of tell are sequential and end before Make
	// returns.
	Make(ctx context.Context, params Params, want []Name, tell func(Progress)) (Run, error)
	// Get opens an artifact that was put or made. The error of a missing artifact wraps fs.ErrNotExist.
	Get(n Name) (io.ReadCloser, error)
	// Close removes everything.
	Close() error
}

// Progress is the state of a run.
type Progress struct {
	Percent int    `json:"percent"`
	Doing   string `json:"doing"`
	Made    Name   `json:"made,omitempty"` // a wanted artifact that is written from now on
	// Format is the format of the CAD file; "" until it is known, and in runs that do not read the file.
	Format string `json:"format,omitempty"`
}

// Fault returns the error of a run that stopped at this point without a fault of the file. recorded is the end of the
// sentence; it says where more information is recorded.
func (p Progress) Fault(recorded string) *fault.Error {
	file, step := "The file", ""
	if p.Format != "" {
		file = "The " + strings.ToUpper(strings.ReplaceAll(p.Format, "_", " ")) + " file"
	}
	if p.Doing != "" {
		step = " (step: " + p.Doing + ")"
	}
	return fault.Errorf(fault.KernelError,
		"%s could not be processed because of a fault in Millwright%s; %s.", file, step, recorded)
}

// Run is the artifacts of a sandbox and the resources that they took.
type Run struct {
	Made         []Built    `json:"made"` // in the order of the stages
	PeakRSSBytes int64      `json:"peakRssBytes"`
	Compute      ComputeUse `json:"compute"`
}

// Took returns the total time of the given stages; a stage that did not run counts as 0.
func (r *Run) Took(names ...Name) (sum time.Duration) {
	for _, m := range r.Made {
		for _, n := range names {
			if m.Name == n {
				sum += m.Took
			}
		}
	}
	return sum
}

// ComputeUse is the use of processors and graphics device by the large computations of one run.
type ComputeUse struct {
	Device string         `json:"device"` // gpu or cpu
	OnCPU  map[string]int `json:"onCpu"`  // computations carried out by the processor, by primitive
	OnGPU  map[string]int `json:"onGpu"`  // computations carried out by the graphics device, by primitive
	// computations that failed on the device and were carried out by the processor
	Fallbacks int `json:"fallbacks"`
}
