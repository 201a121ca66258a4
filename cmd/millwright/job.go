package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// jobCmd looks after jobs.
type jobCmd struct {
	List   jobListCmd   `cmd:"" help:"List the jobs of a team, newest first."`
	Cancel jobCancelCmd `cmd:"" help:"End a job that waits or runs; a running one stops within a heartbeat."`
	Retry  jobRetryCmd  `cmd:"" help:"Queue a failed job again."`
}

// jobRecord is a job as these commands print it.
type jobRecord struct {
	ID        string     `json:"id"`
	PartID    string     `json:"partId"`
	Product   string     `json:"productType"`
	Class     string     `json:"class"`
	Status    string     `json:"status"`
	Progress  *int       `json:"progress"`
	Attempt   int        `json:"attempt"`
	Worker    string     `json:"worker,omitempty"`
	Failure   fault.Code `json:"failureCode,omitempty"`
	Reason    string     `json:"failureReason,omitempty"`
	CreatedAt time.Time  `json:"createdAt"`
	UpdatedAt time.Time  `json:"updatedAt"`
}

func jobRecordOf(j job.Job) jobRecord {
	return jobRecord{
		ID: j.ID, PartID: j.PartID, Product: string(j.Product), Class: j.Class.String(), Status: string(j.Status),
		Progress: j.Progress, Attempt: j.Attempt, Worker: j.Worker, Failure: j.FailureCode, Reason: j.FailureReason,
		CreatedAt: j.CreatedAt, UpdatedAt: j.UpdatedAt,
	}
}

type jobListCmd struct {
	dataFlags
	keyOutput
	Team   string `required:"" help:"Team whose jobs are listed."`
	Status string `enum:"queued,running,succeeded,failed," default:"" help:"Only jobs in this state (queued, running, succeeded, failed)."`
	Page   int    `default:"1" help:"Page of 100 jobs, from 1."`
}

// Run lists a page of jobs.
func (c *jobListCmd) Run(ctx context.Context) error {
	b, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	defer b.close()
	team, err := b.use.Accounts.Team(ctx, c.Team)
	if err != nil {
		return err
	}
	list, err := b.use.Jobs.List(ctx, account.Caller{TeamID: team.ID}, job.Filter{
		Page: record.Page{Page: c.Page, PageSize: 100}, Status: job.Status(c.Status),
	})
	if err != nil {
		return err
	}
	records := make([]jobRecord, len(list.Items))
	for i, j := range list.Items {
		records[i] = jobRecordOf(j)
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(records)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ID\tPRODUCT\tCLASS\tSTATUS\tATTEMPT\tCREATED\tFAILURE")
	for _, r := range records {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n",
			r.ID, r.Product, r.Class, r.Status, r.Attempt, r.CreatedAt.Format(time.RFC3339), r.Failure)
	}
	if list.Total > len(records) {
		_, _ = fmt.Fprintf(w, "page %d of %d jobs\n", c.Page, list.Total)
	}
	return w.Flush()
}

type jobCancelCmd struct {
	dataFlags
	keyOutput
	ID string `arg:"" help:"Id of the job."`
}

// Run cancels the job.
func (c *jobCancelCmd) Run(ctx context.Context) error {
	return c.change(ctx, c.dataFlags, c.ID, "is cancelled", (*job.Service).Cancel)
}

type jobRetryCmd struct {
	dataFlags
	keyOutput
	ID string `arg:"" help:"Id of the job."`
}

// Run queues the job again.
func (c *jobRetryCmd) Run(ctx context.Context) error {
	return c.change(ctx, c.dataFlags, c.ID, "is queued again", (*job.Service).Retry)
}

// change applies an operation to a job and reports it.
func (o keyOutput) change(
	ctx context.Context, flags dataFlags, id, done string,
	do func(*job.Service, context.Context, string) (job.Job, error),
) error {
	b, err := openExisting(ctx, flags)
	if err != nil {
		return err
	}
	defer b.close()
	job, err := do(b.use.Jobs, ctx, id)
	if err != nil {
		return err
	}
	if o.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(jobRecordOf(job))
	}
	fmt.Printf("Job %s (%s of part %s) %s.\n", job.ID, job.Product, job.PartID, done)
	return nil
}
