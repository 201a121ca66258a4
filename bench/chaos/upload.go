package chaos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// upload is one part in progress, and its requests.
type upload struct {
	*stack
	*submission
	number int
	file   []byte
	part   string // once it is made
}

// jobsPerPart are those of its first analysis, of the program that the part is made with, of an analysis with another
// tolerance, of toolpaths, and of one more thing (more).
const jobsPerPart = 5

// finer is the chord tolerance of the second analysis of a part, mm. It finds the model of the first stored and makes
// the rest.
const finer = 0.05

// unlike returns a STEP file of the same part with a unique comment, so that the service does not know it yet.
func unlike(file []byte, number int) []byte {
	const head = "ISO-10303-21;"
	return bytes.Replace(file, []byte(head), fmt.Appendf(nil, "%s /* part %d */", head, number), 1)
}

// send makes a part and has it analyzed twice.
func (u *upload) send(ctx context.Context) error {
	var made struct{ PartID, UploadURL string }
	err := u.call(ctx, http.MethodPost, u.base+"/v1/parts", `{"fileName":"part.step"}`, "create", &made)
	if err != nil {
		return err
	}
	if err := u.call(ctx, http.MethodPut, made.UploadURL, string(u.file), "", nil); err != nil {
		return err
	}
	u.part = made.PartID
	if err := u.queue(ctx, http.MethodPost, u.address("/complete"), "", "job0"); err != nil {
		return err
	}
	return u.queue(ctx, http.MethodPatch, u.address(""), fmt.Sprintf(`{"chordTolerance": %g}`, finer), "job1")
}

// address is one below that of the part.
func (u *upload) address(below string) string { return u.base + "/v1/parts/" + u.part + below }

// queue asks for a job, and takes down that it was accepted, with the plan that it makes if the part gets one more.
func (u *upload) queue(ctx context.Context, method, address, body, name string) error {
	var job struct{ JobID, PlanID string }
	if err := u.call(ctx, method, address, body, name, &job); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.jobs[job.JobID] = u.part
	if job.PlanID != "" && !slices.Contains(u.plans[u.part], job.PlanID) {
		u.plans[u.part] = append(u.plans[u.part], job.PlanID)
	}
	return nil
}

// machine asks for what can be asked of a part that is ready; of none it does nothing.
func (u *upload) machine(ctx context.Context) error {
	if u == nil {
		return nil
	}
	program, err := u.ready(ctx)
	if err != nil {
		return err
	}
	if err := u.programmed(ctx, program); err != nil {
		return err
	}
	if err := u.queue(ctx, http.MethodPost, u.address("/toolpaths"), "{}", "toolpaths"); err != nil {
		return err
	}
	return u.more(ctx)
}

// ready waits until the part is ready, having its job tried again when it fails, and returns its first program.
func (u *upload) ready(ctx context.Context) (program string, err error) {
	for {
		var part struct{ Status, JobID, CurrentProgramID string }
		if err := u.call(ctx, http.MethodGet, u.address("/record?wait=10"), "", "", &part); err != nil {
			return "", err
		}
		switch part.Status {
		case "ready":
			return part.CurrentProgramID, nil
		case "failed":
			err := u.call(ctx, http.MethodPost, u.base+"/v1/jobs/"+part.JobID+"/retry", "", "", nil)
			var refused *refusal
			// 400: it runs again
			if err != nil && !(errors.As(err, &refused) && refused.status == http.StatusBadRequest) {
				return "", err
			}
		}
	}
}

// programmed takes down a program that was accepted.
func (u *upload) programmed(ctx context.Context, id string) error {
	var program struct{ JobID string }
	if err := u.call(ctx, http.MethodGet, u.address("/programs/"+id), "", "", &program); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.jobs[program.JobID] = u.part
	u.programs[u.part] = append(u.programs[u.part], id)
	return nil
}

// more asks for a plan, for the toolpaths of a plan once more, or for another program, in turns.
func (u *upload) more(ctx context.Context) error {
	switch u.number % 3 {
	case 0:
		return u.queue(ctx, http.MethodPost, u.address("/plans"), `{"name":"another"}`, "plan")
	case 1:
		return u.queue(ctx, http.MethodPost, u.base+"/v1/plans/"+u.planOf()+"/toolpaths", "", "again")
	}
	return u.program(ctx, "program")
}

// planOf returns the first requested plan that does not belong to a program.
func (u *upload) planOf() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.plans[u.part][0]
}

// program asks for another program.
func (u *upload) program(ctx context.Context, name string) error {
	var made struct{ ID string }
	if err := u.call(ctx, http.MethodPost, u.address("/programs"), "", name, &made); err != nil {
		return err
	}
	return u.programmed(ctx, made.ID)
}
