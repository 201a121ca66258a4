package chaos

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// Audit is the state of the store and the objects at the end.
type Audit struct {
	Accepted  int            `json:"accepted"`  // jobs that clients were told of
	Jobs      int            `json:"jobs"`      // that the store has
	Succeeded int            `json:"succeeded"` // with exactly one result, whose objects are all there
	Failed    map[string]int `json:"failed"`    // ended with a reason, by its code
	Repeated  int            `json:"repeated"`  // jobs that took more than one attempt
	Retries   int            `json:"retries"`   // requests that clients had to send again

	Programs map[string]int `json:"programs"` // by how they ended: ready, or the code of the failure
	Gcode    int            `json:"gcode"`    // setups whose g-code reads as it was proved

	Lost  int `json:"lost"`  // accepted, and not in the store
	Stuck int `json:"stuck"` // not ended
	// results beyond one for each job that succeeded, and records that nobody asked for
	Duplicate int `json:"duplicate"`
	Broken    int `json:"broken"`    // succeeded without a whole result, or failed without a reason
	Orphans   int `json:"orphans"`   // objects of jobs that would outlive the parts
	Leftovers int `json:"leftovers"` // uploads, wake-ups and traces of lost attempts that nobody will look at again

	Examples []string `json:"examples,omitempty"` // a few of the defects
}

// Clean reports whether every job ended exactly once and nothing else is left.
func (a *Audit) Clean() bool {
	return a.Lost+a.Stuck+a.Duplicate+a.Broken+a.Orphans+a.Leftovers == 0
}

const mostExamples = 10

func (a *Audit) example(kind, what string) {
	if len(a.Examples) < mostExamples {
		a.Examples = append(a.Examples, kind+": "+what)
	}
}

// audit looks at every job, every result and every object.
func (s *stack) audit(ctx context.Context, sent *submission) (*Audit, error) {
	a := &Audit{Accepted: len(sent.jobs), Failed: map[string]int{}, Programs: map[string]int{}, Retries: sent.retries}
	jobs, err := s.allJobs(ctx)
	if err != nil {
		return nil, err
	}
	a.Jobs = len(jobs)
	reports := map[string]string{}
	for _, j := range jobs {
		if j.Attempt > 1 {
			a.Repeated++
		}
		switch {
		case j.Status == job.Failed && j.FailureCode != "" && j.FailureReason != "" && j.ReportID == "":
			a.Failed[string(j.FailureCode)]++
		case j.Status == job.Succeeded && j.Input.PlanID != "":
			if err := s.auditPlan(ctx, a, j); err != nil {
				return nil, err
			}
		case j.Status == job.Succeeded:
			if err := s.auditResult(ctx, a, j, reports); err != nil {
				return nil, err
			}
		case j.Status == job.Failed:
			a.Broken++
			a.example("failed without a reason", j.ID)
		default:
			a.Stuck++
			a.example("stuck", string(j.Status)+" "+j.ID)
		}
	}
	for id := range sent.jobs {
		if _, ok := jobs[id]; !ok {
			a.Lost++
			a.example("lost", id)
		}
	}
	if err := s.auditPrograms(ctx, a, sent, jobs); err != nil {
		return nil, err
	}
	if err := s.auditLeftovers(ctx, a); err != nil {
		return nil, err
	}
	named, err := s.expireAll(ctx) // last: nothing is left of the parts
	if err != nil {
		return nil, err
	}
	return a, s.auditObjects(a, named)
}

// allJobs pages through the jobs of the team.
func (s *stack) allJobs(ctx context.Context) (map[string]job.Job, error) {
	out := map[string]job.Job{}
	for page := 1; ; page++ {
		items, _, err := s.Store.ListJobs(ctx, job.Query{
			TeamID: s.team, Filter: job.Filter{Page: record.Page{Page: page, PageSize: 100}},
		})
		if err != nil || len(items) == 0 {
			return out, err
		}
		for _, j := range items {
			out[j.ID] = j
		}
	}
}

// auditResult checks that a job that succeeded has one whole result, and that no other job has the same.
func (s *stack) auditResult(
	ctx context.Context, a *Audit, j job.Job, reports map[string]string,
) error {
	r, err := s.Store.Report(ctx, s.team, j.PartID, j.ID)
	if errors.Is(err, record.ErrNotFound) {
		a.Broken++
		a.example("succeeded without a result", j.ID)
		return nil
	}
	if err != nil {
		return err
	}
	if other, taken := reports[r.ID]; taken {
		a.Duplicate++
		a.example("one result for two jobs", j.ID+" and "+other)
		return nil
	}
	reports[r.ID] = j.ID
	if !s.hasObjects(a, j, r.Objects, pipeline.STL, pipeline.GLB, pipeline.Thumbnail) {
		return nil
	}
	if r.JobID != j.ID || r.ID != j.ReportID || r.Analysis.Faces == 0 || r.Analysis.MeshTriangleCount == 0 {
		a.Broken++
		a.example("result that is not whole", j.ID)
		return nil
	}
	a.Succeeded++
	return nil
}

// hasObjects checks that what a job made is stored.
func (s *stack) hasObjects(a *Audit, j job.Job, objects map[pipeline.Name]object.Ref, names ...pipeline.Name) bool {
	for _, n := range names {
		o := objects[n]
		info, err := os.Stat(filepath.Join(s.Buckets, o.Bucket, filepath.FromSlash(o.Key)))
		if err != nil || info.Size() == 0 {
			a.Broken++
			a.example("result without its objects", j.ID+" "+o.Key)
			return false
		}
	}
	return true
}

// expireAll has every part expire, as after its time, and returns the objects that then are to be deleted.
func (s *stack) expireAll(ctx context.Context) (map[string]bool, error) {
	named, now := map[string]bool{}, time.Now()
	for {
		parts, err := s.Store.Expire(ctx, now.Add(time.Hour), now, 100)
		if err != nil || len(parts) == 0 {
			return named, err
		}
		for _, p := range parts {
			for _, o := range p.Results {
				named[o.Key] = true
			}
			if err := s.Store.DeletePart(ctx, p.ID, now); err != nil {
				return nil, err
			}
		}
	}
}

// auditObjects finds results that nobody names, which is what a second result of a job, or a lost attempt that was not
// cleaned up, would leave; and uploads that were not sealed.
func (s *stack) auditObjects(a *Audit, named map[string]bool) error {
	return filepath.WalkDir(s.Buckets, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // the server removes a folder with its last object
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.Buckets, path)
		if err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && len(parts) == 2 { // the server's own
				return filepath.SkipDir
			}
			return nil
		}
		switch key := strings.Join(parts[1:], "/"); {
		case slices.Contains(parts, "jobs") && !named[key]:
			a.Orphans++
			a.example("object of no part", key)
		case strings.HasPrefix(d.Name(), "upload."):
			a.Leftovers++
			a.example("upload", key)
		}
		return nil
	})
}

// auditLeftovers looks for work that is planned for jobs that have ended.
func (s *stack) auditLeftovers(ctx context.Context, a *Audit) error {
	done, err := s.settled(ctx)
	if err == nil && !done && a.Stuck == 0 {
		a.Leftovers++
		a.example("left over", "traces of lost attempts")
	}
	return err
}
