package sql

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

const planColumns = `p.id, p.team_id, p.part_id, p.report_id, p.job_id, p.cut_config_id, p.name, p.snapshot, p.status,
	p.failure_code, p.failure_reason, p.body, p.created_at, p.updated_at`

// scanPlan reads a row of planColumns.
func scanPlan(r Row) (program.Plan, error) {
	var p program.Plan
	var body []byte
	var created, updated int64
	err := r.Scan(&p.ID, &p.TeamID, &p.PartID, &p.ReportID, &p.JobID, &p.CutConfigID, &p.Name, &p.Snapshot, &p.Status,
		&p.Failure.Code, &p.Failure.Reason, &body, &created, &updated)
	if err != nil {
		return program.Plan{}, err
	}
	if body != nil {
		p.Made = &program.PlanSummary{}
		if err := json.Unmarshal(body, p.Made); err != nil {
			return program.Plan{}, fmt.Errorf("plan %s: %w", p.ID, err)
		}
	}
	p.CreatedAt, p.UpdatedAt = Time(created), Time(updated)
	return p, nil
}

const setColumns = `s.job_id, s.plan_id, s.team_id, s.part_id, s.body, s.created_at`

// scanSet reads a row of setColumns.
func scanSet(r Row) (program.ToolpathSet, error) {
	var s program.ToolpathSet
	var body []byte
	var created int64
	if err := r.Scan(&s.JobID, &s.PlanID, &s.TeamID, &s.PartID, &body, &created); err != nil {
		return program.ToolpathSet{}, err
	}
	s.CreatedAt = Time(created)
	if err := json.Unmarshal(body, &s.Result); err != nil {
		return program.ToolpathSet{}, fmt.Errorf("toolpaths of job %s: %w", s.JobID, err)
	}
	return s, nil
}

const programColumns = `g.id, g.team_id, g.part_id, g.project_id, g.plan_id, g.job_id, g.status, g.failure_code,
	g.failure_reason, g.body, g.created_at, g.updated_at`

// scanProgram reads a row of programColumns.
func scanProgram(r Row) (program.Program, error) {
	var p program.Program
	var body []byte
	var created, updated int64
	err := r.Scan(&p.ID, &p.TeamID, &p.PartID, &p.ProjectID, &p.PlanID, &p.JobID, &p.Status, &p.Failure.Code,
		&p.Failure.Reason, &body, &created, &updated)
	if err != nil {
		return program.Program{}, err
	}
	p.CreatedAt, p.UpdatedAt = Time(created), Time(updated)
	if err := json.Unmarshal(body, &p.Result); err != nil {
		return program.Program{}, fmt.Errorf("program %s: %w", p.ID, err)
	}
	return p, nil
}

// Plan implements program.Store.
func (s *Store) Plan(ctx context.Context, teamID, planID string) (program.Plan, error) {
	return ReadRow(ctx, s.DB, scanPlan, `SELECT `+planColumns+` FROM plans p JOIN parts t ON t.id = p.part_id
		WHERE p.id = $1 AND p.team_id = $2 AND t.expired_at = 0`, planID, teamID)
}

// ListPlans implements program.Store.
func (s *Store) ListPlans(ctx context.Context, teamID, partID string, p record.Page,
) (items []program.Plan, total int, err error) {
	err = s.DB.Snapshot(ctx, func(ctx context.Context, q Querier) error {
		total, err = One(ctx, q, Value[int], `SELECT count(*) FROM plans WHERE part_id = $1 AND team_id = $2`,
			partID, teamID)
		if err == nil {
			items, err = Collect(ctx, q, scanPlan, `SELECT `+planColumns+` FROM plans p
				WHERE p.part_id = $1 AND p.team_id = $2 ORDER BY p.seq DESC LIMIT $3 OFFSET $4`,
				partID, teamID, p.PageSize, p.Offset())
		}
		return err
	})
	return items, total, err
}

// Cutting implements program.Store.
func (s *Store) Cutting(ctx context.Context, teamID, planID string) ([]byte, error) {
	return ReadRow(ctx, s.DB, Value[[]byte], `SELECT c.body FROM plans p
		JOIN cuttings c ON c.team_id = p.team_id AND c.digest = p.snapshot WHERE p.id = $1 AND p.team_id = $2`,
		planID, teamID)
}

// Set implements program.Store.
func (s *Store) Set(ctx context.Context, teamID, planID, jobID string) (program.ToolpathSet, error) {
	return ReadRow(ctx, s.DB, scanSet, `SELECT `+setColumns+` FROM toolpaths s
		WHERE s.plan_id = $1 AND s.team_id = $2 AND (s.job_id = $3 OR $3 = '') ORDER BY s.seq DESC LIMIT 1`,
		planID, teamID, jobID)
}

// Program implements program.Store.
func (s *Store) Program(ctx context.Context, teamID, partID, programID string) (w program.ProgramDetail, err error) {
	err = s.DB.Snapshot(ctx, func(ctx context.Context, q Querier) error {
		w = program.ProgramDetail{}
		w.Program, err = One(ctx, q, scanProgram, `SELECT `+programColumns+` FROM programs g
			JOIN parts t ON t.id = g.part_id
			WHERE g.id = $1 AND g.part_id = $2 AND g.team_id = $3 AND t.expired_at = 0`, programID, partID, teamID)
		if err == nil {
			err = complete(ctx, q, &w)
		}
		return err
	})
	return w, err
}

// complete adds the components of a program.
func complete(ctx context.Context, q Querier, w *program.ProgramDetail) error {
	var err error
	w.Plan, err = One(ctx, q, scanPlan, `SELECT `+planColumns+` FROM plans p WHERE p.id = $1`, w.PlanID)
	if err != nil {
		return err
	}
	set, err := One(ctx, q, scanSet, `SELECT `+setColumns+` FROM toolpaths s WHERE s.job_id = $1`, w.JobID)
	if err == nil {
		w.Set = &set
	}
	return noneMeans(err, nil)
}

// ListPrograms implements program.Store.
func (s *Store) ListPrograms(ctx context.Context, teamID, partID string, p record.Page,
) (items []program.ProgramDetail, total int, err error) {
	err = s.DB.Snapshot(ctx, func(ctx context.Context, q Querier) error {
		items = []program.ProgramDetail{}
		total, err = One(ctx, q, Value[int], `SELECT count(*) FROM programs WHERE part_id = $1 AND team_id = $2`,
			partID, teamID)
		if err != nil {
			return err
		}
		found, err := Collect(ctx, q, scanProgram, `SELECT `+programColumns+` FROM programs g
			WHERE g.part_id = $1 AND g.team_id = $2 ORDER BY g.seq DESC LIMIT $3 OFFSET $4`,
			partID, teamID, p.PageSize, p.Offset())
		for _, f := range found {
			items = append(items, program.ProgramDetail{Program: f})
			if err := complete(ctx, q, &items[len(items)-1]); err != nil {
				return err
			}
		}
		return err
	})
	return items, total, err
}

// Place implements program.Store. The slot comes first: a refused request leaves no dead row behind.
func (s *Store) Place(ctx context.Context, o program.JobOrder,
	terms program.CreateOptions,
) (placed program.JobOrder, err error) {
	err = s.DB.Tx(ctx, unlessThere("jobs", o.Job.ID), func(ctx context.Context, q Querier) error {
		placed = o
		err := takeSlot(ctx, q, o.Job.TeamID, terms.Pace, o.Job.CreatedAt)
		if err == nil {
			err = lockQuota(ctx, q, o.Job.TeamID, terms.Quota)
		}
		if err != nil {
			return unlessPlaced(ctx, q, o, err)
		}
		pt, err := One(ctx, q, ScanPart, `SELECT `+PartColumns+` FROM parts
			WHERE id = $1 AND team_id = $2 AND expired_at = 0`+q.Lock("NO KEY UPDATE"), o.Job.PartID, o.Job.TeamID)
		if err != nil {
			return err
		}
		more := account.Held{Queued: 1, Bytes: 1} // results have at least one byte
		newProject := o.Program != nil && pt.ProjectID == "" && terms.Project.ID != ""
		if newProject {
			more.Projects = 1
		}
		if err := allow(ctx, q, o.Job.TeamID, terms.Quota, more); err != nil {
			return unlessPlaced(ctx, q, o, err)
		}
		if newProject {
			if err := insertProject(ctx, q, terms.Project); err != nil {
				return err
			}
			pt.ProjectID = terms.Project.ID
		}
		if o.Program != nil {
			own := *o.Program
			own.ProjectID = pt.ProjectID
			placed.Program = &own
		}
		if err := lockCuttings(ctx, q, placed); err != nil {
			return err
		}
		if err := insertOrder(ctx, q, placed, &pt); err != nil {
			return err
		}
		if terms.MeterTo != "" {
			if err := insertUsage(ctx, q, o.Job, terms.MeterTo); err != nil {
				return err
			}
		}
		return setPrograms(ctx, q, &pt, o.Job.CreatedAt)
	})
	return placed, err
}

// unlessPlaced is unlessMade of an order, whose request fixed the id of one of its records.
func unlessPlaced(ctx context.Context, q Querier, o program.JobOrder, err error) error {
	err = unlessMade(ctx, q, "jobs", o.Job.ID, err)
	if o.Plan != nil {
		err = unlessMade(ctx, q, "plans", o.Plan.ID, err)
	}
	if o.Program != nil {
		err = unlessMade(ctx, q, "programs", o.Program.ID, err)
	}
	return err
}

// lockCuttings inserts the snapshots of the plans that the team does not have. It locks them, so that the deletion of
// their last plan does not delete them. Like dropPlans, it locks rows in the order of their digests.
func lockCuttings(ctx context.Context, q Querier, orders ...program.JobOrder) error {
	orders = slices.DeleteFunc(slices.Clone(orders), func(o program.JobOrder) bool { return o.Plan == nil })
	slices.SortFunc(orders, func(a, b program.JobOrder) int { return cmp.Compare(a.Plan.Snapshot, b.Plan.Snapshot) })
	for _, o := range orders {
		err := change(ctx, q, `INSERT INTO cuttings (team_id, digest, body) VALUES ($1, $2, $3)
			ON CONFLICT (team_id, digest) DO UPDATE SET digest = excluded.digest`, o.Plan.TeamID, o.Plan.Snapshot, o.Cutting)
		if err != nil {
			return err
		}
	}
	return nil
}

// dropPlans deletes the plans of a part with their toolpaths and programs, and the snapshots that no other plan of the
// team uses.
func dropPlans(ctx context.Context, q Querier, partID string) error {
	const team = `team_id = (SELECT team_id FROM parts WHERE id = $1)`
	digests, err := Collect(ctx, q, Value[string], `SELECT digest FROM cuttings WHERE `+team+` AND digest IN (
		SELECT snapshot FROM plans WHERE part_id = $1) ORDER BY digest`+q.Lock("UPDATE"), partID)
	if err != nil {
		return err
	}
	held, err := ids(digests)
	if err != nil {
		return err
	}
	if err := change(ctx, q, `DELETE FROM plans WHERE part_id = $1`, partID); err != nil {
		return err
	}
	return change(ctx, q, `DELETE FROM cuttings WHERE `+team+`
		AND digest IN (SELECT value ->> 0 FROM `+q.List("$2")+` l)
		AND NOT EXISTS (SELECT 1 FROM plans p WHERE p.team_id = cuttings.team_id AND p.snapshot = cuttings.digest)`,
		partID, held)
}

// insertOrder inserts the records of an order and adds its program to the programs of a part, whose row is locked.
func insertOrder(ctx context.Context, q Querier, o program.JobOrder, pt *part.Part) error {
	if o.Job.ID != "" {
		if err := insertJob(ctx, q, o.Job); err != nil {
			return err
		}
	}
	if p := o.Plan; p != nil {
		err := change(ctx, q, `INSERT INTO plans (id, team_id, part_id, report_id, job_id, cut_config_id, name, snapshot,
			status, failure_code, failure_reason, body, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, NULL, $12, $13)`,
			p.ID, p.TeamID, p.PartID, p.ReportID, p.JobID, p.CutConfigID, text(p.Name), p.Snapshot, p.Status,
			p.Failure.Code, text(p.Failure.Reason), Micros(p.CreatedAt), Micros(p.UpdatedAt))
		if err != nil {
			return err
		}
	}
	if o.Program == nil {
		return nil
	}
	p := o.Program
	body, err := json.Marshal(p.Result)
	if err != nil {
		return err
	}
	pt.ProgramIDs = append(slices.Clone(pt.ProgramIDs), p.ID)
	return change(ctx, q, `INSERT INTO programs (id, team_id, part_id, project_id, plan_id, job_id, status, failure_code,
		failure_reason, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		p.ID, p.TeamID, p.PartID, pt.ProjectID, p.PlanID, p.JobID, p.Status, p.Failure.Code,
		text(p.Failure.Reason), body, Micros(p.CreatedAt), Micros(p.UpdatedAt))
}

// setPrograms stores the programs of a part, its current program and its project.
func setPrograms(ctx context.Context, q Querier, pt *part.Part, now time.Time) error {
	programs, err := jsonText(pt.ProgramIDs)
	if err != nil {
		return err
	}
	return change(ctx, q, `UPDATE parts SET program_ids = $2, current_program_id = $3, project_id = $4, updated_at = $5
		WHERE id = $1`, pt.ID, programs, pt.CurrentProgramID, pt.ProjectID, Micros(now))
}

// follow places the orders that depend on a part when the part first becomes ready.
func follow(ctx context.Context, q Querier, partID string, orders []program.JobOrder, now time.Time) error {
	if len(orders) == 0 {
		return nil
	}
	pt, err := One(ctx, q, ScanPart, `SELECT `+PartColumns+` FROM parts WHERE id = $1`+q.Lock("NO KEY UPDATE"), partID)
	if err != nil || pt.Status == part.Ready {
		return err
	}
	if err := lockCuttings(ctx, q, orders...); err != nil {
		return err
	}
	for _, o := range orders {
		if err := insertOrder(ctx, q, o, &pt); err != nil {
			return err
		}
	}
	pt.CurrentProgramID = orders[0].Program.ID
	return setPrograms(ctx, q, &pt, now)
}

// setPlan stores the plan of a job. The toolpaths of a job change a ready plan, since they determine the machined part
// of it; the plan of a program stays the same.
func setPlan(ctx context.Context, q Querier, j job.Job, o *program.Outcome, now time.Time) error {
	if o == nil {
		return nil
	}
	body, err := json.Marshal(o.Made)
	if err != nil {
		return fmt.Errorf("encode plan %s: %w", o.PlanID, err)
	}
	err = change(ctx, q, `UPDATE plans SET status = 'ready', failure_code = '', failure_reason = '', body = $2,
		updated_at = $3 WHERE id = $1 AND (status <> 'ready' OR $4 AND
			NOT EXISTS (SELECT 1 FROM programs WHERE plan_id = plans.id))`, o.PlanID, body, Micros(now), o.Set != nil)
	if err != nil {
		return err
	}
	if s := o.Set; s != nil {
		body, err := json.Marshal(s.Result)
		if err != nil {
			return fmt.Errorf("encode toolpaths of plan %s: %w", o.PlanID, err)
		}
		err = change(ctx, q, `INSERT INTO toolpaths (job_id, plan_id, team_id, part_id, body, created_at)
			VALUES ($1, $2, $3, $4, $5, $6)`, s.JobID, s.PlanID, s.TeamID, s.PartID, body, Micros(s.CreatedAt))
		if err != nil {
			return err
		}
	}
	if o.Verdict == nil {
		return nil
	}
	status, failure := program.Ready, program.Failure{}
	if why := o.Verdict.Failure; why != nil {
		status, failure = program.Failed, program.Failure{Code: why.Code, Reason: why.Reason}
	}
	if body, err = json.Marshal(o.Verdict.Result); err != nil {
		return fmt.Errorf("encode the program of job %s: %w", j.ID, err)
	}
	return change(ctx, q, `UPDATE programs SET status = $2, failure_code = $3, failure_reason = $4, body = $5,
		updated_at = $6 WHERE job_id = $1`, j.ID, status, failure.Code, text(failure.Reason), body, Micros(now))
}

// failPlans ends the plan and the program that a job makes, as it does.
func failPlans(ctx context.Context, q Querier, jobID string, code, reason string, now time.Time) error {
	for _, table := range []string{"plans", "programs"} {
		err := change(ctx, q, `UPDATE `+table+` SET status = 'failed', failure_code = $2, failure_reason = $3,
			updated_at = $4 WHERE job_id = $1 AND status = 'processing'`, jobID, code, reason, Micros(now))
		if err != nil {
			return err
		}
	}
	return nil
}

// reopenPlans resets the failed plans and programs of a job to processing.
func reopenPlans(ctx context.Context, q Querier, jobID string, now time.Time) error {
	for _, table := range []string{"plans", "programs"} {
		err := change(ctx, q, `UPDATE `+table+` SET status = 'processing', failure_code = '', failure_reason = '',
			updated_at = $2 WHERE job_id = $1 AND status = 'failed'`, jobID, Micros(now))
		if err != nil {
			return err
		}
	}
	return nil
}
