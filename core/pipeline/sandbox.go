package pipeline

import (
	"context"
	"io"
	"strings"
	"time"

	"millwright.dev/millwright/core/fault"
)

// Sandbox runs stages away from the process that asks for them, because what they take comes from strangers.
type Sandbox interface {
	// Open makes an empty workspace. The caller closes it; those of processes that died are removed by others.
	Open() (Workspace, error)
}

// Workspace holds the bytes of the artifacts of one recipe while stages run on them.
type Workspace interface {
	// Put adds an artifact, or the source, which is not there yet.
	Put(ctx context.Context, n Name, r io.Reader) error
	// Make is Tree.Make in the sandbox, on what was put. An error is a *fault.Error when the file is to blame; any
	// other is the sandbox's own and may pass. What is told comes one after the other, and is over when Make returns.
	Make(ctx context.Context, recipe Params, want []Name, tell func(Progress)) (Run, error)
	// Get opens an artifact that was put or made; fs.ErrNotExist, wrapped or not, for what is not there.
	Get(n Name) (io.ReadCloser, error)
	// Close removes everything.
	Close() error
}

// Progress is how far a run is.
type Progress struct {
	Percent int    `json:"percent"`
	Doing   string `json:"doing"`
	Made    Name   `json:"made,omitempty"` // a wanted artifact that is written from now on
	// Format is what the content of the CAD file is; "" until it is found, and in runs that do not read the file.
	Format string `json:"format,omitempty"`
}

// Fault is why a run that came so far ended through no fault of the file; recorded is the rest of the sentence, which
// says where more is known about it.
func (p Progress) Fault(recorded string) *fault.Error {
	file, step := "The file", ""
	if p.Format != "" {
		file = "The " + strings.ToUpper(strings.ReplaceAll(p.Format, "_", " ")) + " file"
	}
	if p.Doing != "" {
		step = " (step: " + p.Doing + ")"
	}
	return fault.Errorf(fault.KernelError, "%s could not be processed because of a fault in Millwright%s; %s.", file, step,
		recorded)
}

// Run is what a sandbox made, and what it took.
type Run struct {
	Made         []Built    `json:"made"` // in the order of the stages
	PeakRSSBytes int64      `json:"peakRssBytes"`
	Compute      ComputeUse `json:"compute"`
}

// Took returns how long the given stages took together, those that did not run nothing.
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

// ComputeUse is what the large computations of one run were carried out on.
type ComputeUse struct {
	Device    string         `json:"device"`    // gpu or cpu
	OnCPU     map[string]int `json:"onCpu"`     // computations carried out by the processor, by primitive
	OnGPU     map[string]int `json:"onGpu"`     // and those by the graphics device
	Fallbacks int            `json:"fallbacks"` // computations that it failed, carried out by the processor
}
