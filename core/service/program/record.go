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

// Plan is the machining plan of a part, for a snapshot of one cut config and its tools at the request. Text fields are
// "" for null.
type Plan struct {
	ID          string
	TeamID      string
	PartID      string
	ReportID    string // whose features it names
	JobID       string // that makes it; "" where it failed before
	CutConfigID string // source of the snapshot
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

// PlanSummary is the result of planning.
type PlanSummary struct {
	planning.Plan
	// FeatureIDs maps the feature indexes of the plan to ids.
	FeatureIDs []string `json:"featureIds"`
}

// ToolpathSet is the toolpaths of a plan as calculated and verified by one job.
type ToolpathSet struct {
	JobID     string
	PlanID    string
	TeamID    string
	PartID    string
	Result    SetResult
	CreatedAt time.Time
}

// SetResult is the result of a toolpath calculation. Lists of setups and operations match the plan's lists.
type SetResult struct {
	Paths   [][]toolpath.Path            `json:"paths"`
	Proof   verify.Report                `json:"proof"`
	Times   estimate.Times               `json:"times"`
	Objects map[pipeline.Name]object.Ref `json:"objects"` // that clients are shown, and the motion
}

// Program is the complete machining of a part: a plan, its verified toolpaths, and the g-code from them.
type Program struct {
	ID        string
	TeamID    string
	PartID    string
	ProjectID string // "" = unset
	PlanID    string
	JobID     string // that makes it, and its plan and toolpaths; "" where it failed before
	Status    Status
	Failure   Failure
	Result    Result // zero until it has ended well
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Result is the data of a program beyond its plan and toolpaths.
type Result struct {
	// title of its g-code: the name of the part's file at the program's creation
	Title    string          `json:"title"`
	Post     string          `json:"post"`   // the dialect of its cut config
	Digests  []string        `json:"digest"` // of its g-code in that dialect, for each setup: hex SHA-256
	Warnings []fault.Warning `json:"warnings"`
}

// ProgramDetail is a program with its plan and toolpaths.
type ProgramDetail struct {
	Program
	Plan Plan
	Set  *ToolpathSet // nil until its toolpaths are calculated; present even if verification fails
}

// JobOrder is records to be created together: a job and its target records.
type JobOrder struct {
	Job     job.Job  // ID "": there is nothing to do
	Plan    *Plan    // nil: the job is about a plan that there is
	Cutting []byte   // input of the hash Plan.Snapshot
	Program *Program // nil: the job is about an existing plan
}

// Outcome is the result of a job on a plan, toolpaths or a program.
type Outcome struct {
	PlanID  string
	Made    PlanSummary
	Set     *ToolpathSet    // nil of a plan alone
	Verdict *ProgramOutcome // nil when no program was asked for
}

// ProgramOutcome is the end of a program.
type ProgramOutcome struct {
	Failure *fault.Error // nil: the program passed verification
	Result  Result
}

// encode returns the parameters of a plan as canonical JSON.
func encode(c *pipeline.PlanParams) ([]byte, error) { return json.Marshal(c) }

func decode(text []byte) (*pipeline.PlanParams, error) {
	c := &pipeline.PlanParams{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("decode a cut config as it was: %w", err)
	}
	return c, nil
}

// Named returns the indices of all features in a plan, possibly with repetitions.
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
