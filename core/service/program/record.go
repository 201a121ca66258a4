package program

import (
	"encoding/json"
	"fmt"
	"time"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
)

// Status is the state of a plan or a program: processing → ready | failed.
type Status string

// The states.
const (
	Processing Status = "processing"
	Ready      Status = "ready"
	Failed     Status = "failed"
)

// Plan is how a part is to be machined, as one cut config and its tools were when it was asked for. Text fields are ""
// for null.
type Plan struct {
	ID          string
	TeamID      string
	PartID      string
	ReportID    string // whose features it names
	JobID       string // that makes it; "" where it failed before
	CutConfigID string // of which the snapshot was taken
	Name        string
	Snapshot    string // hex SHA-256 of its Cutting as JSON
	Status      Status
	Failure     Failure
	Made        *PlanSummary // nil until it is ready
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Failure is why something failed; zero when it has not.
type Failure struct {
	Code   fault.Code
	Reason string // one sentence
}

// PlanSummary is what a plan says.
type PlanSummary struct {
	planning.Plan
	// FeatureIDs are those of the features that the plan knows by their index.
	FeatureIDs []string `json:"featureIds"`
}

// ToolpathSet is the toolpaths of a plan as one job calculated and proved them.
type ToolpathSet struct {
	JobID     string
	PlanID    string
	TeamID    string
	PartID    string
	Result    SetResult
	CreatedAt time.Time
}

// SetResult is what was calculated. Lists of setups and operations are those of the plan.
type SetResult struct {
	Paths   [][]toolpath.Path            `json:"paths"`
	Proof   verify.Report                `json:"proof"`
	Times   estimate.Times               `json:"times"`
	Objects map[pipeline.Name]object.Ref `json:"objects"` // that clients are shown, and the motion
}

// Program is what a machine makes the part by: a plan, its toolpaths, proved, and the g-code that is written of them.
type Program struct {
	ID        string
	TeamID    string
	PartID    string
	ProjectID string // "" for none
	PlanID    string
	JobID     string // that makes it, and its plan and toolpaths; "" where it failed before
	Status    Status
	Failure   Failure
	Result    Result // zero until it has ended well
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Result is what a program has besides its plan and toolpaths.
type Result struct {
	Title    string          `json:"title"`  // in its g-code: the name of the part's file when it was made
	Post     string          `json:"post"`   // the dialect of its cut config
	Digests  []string        `json:"digest"` // of its g-code in that dialect, for each setup: hex SHA-256
	Warnings []fault.Warning `json:"warnings"`
}

// ProgramDetail is a program with what it consists of.
type ProgramDetail struct {
	Program
	Plan Plan
	Set  *ToolpathSet // nil until its toolpaths are calculated; those of a program that is not proved are there
}

// JobOrder is records that are to be made together: a job, and what it will fill in.
type JobOrder struct {
	Job     job.Job  // ID "": there is nothing to do
	Plan    *Plan    // nil: the job is about a plan that there is
	Cutting []byte   // what Plan.Snapshot is of
	Program *Program // nil: none is asked for
}

// Outcome is what the job of a plan, of toolpaths or of a program writes.
type Outcome struct {
	PlanID  string
	Made    PlanSummary
	Set     *ToolpathSet    // nil of a plan alone
	Verdict *ProgramOutcome // nil when no program was asked for
}

// ProgramOutcome is the end of a program.
type ProgramOutcome struct {
	Failure *fault.Error // nil: it may be run
	Result  Result
}

// encode returns what a plan depends on besides its part as canonical JSON.
func encode(c *pipeline.PlanParams) ([]byte, error) { return json.Marshal(c) }

func decode(text []byte) (*pipeline.PlanParams, error) {
	c := &pipeline.PlanParams{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("decode a cut config as it was: %w", err)
	}
	return c, nil
}

// Named are the indices of all features that a plan is about; some may be there several times.
func (m *PlanSummary) Named() (indices []int) {
	for i := range m.Setups {
		for k := range m.Setups[i].Operations {
			indices = append(indices, m.Setups[i].Operations[k].Features...)
		}
	}
	for _, u := range m.Unmachinable {
		if u.Feature >= 0 {
			indices = append(indices, u.Feature)
		}
	}
	if m.Account != nil {
		for _, e := range m.Account.Left {
			if e.Feature >= 0 {
				indices = append(indices, e.Feature)
			}
		}
	}
	return indices
}
