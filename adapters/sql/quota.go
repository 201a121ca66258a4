package sql

import (
	"context"
	"errors"
	"fmt"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// quotaBudget is the name of a row in budgets. Requests that a quota limits lock this row until their transaction ends,
// so that concurrent requests of a team are counted.
const quotaBudget = "quota"

// lockQuota takes that row, after a slot and before all others.
func lockQuota(ctx context.Context, q Querier, teamID string, quota account.Quota) error {
	if quota == (account.Quota{}) {
		return nil
	}
	return change(ctx, q, `INSERT INTO budgets (team_id, budget, next_at) VALUES ($1, $2, 0)
		ON CONFLICT (team_id, budget) DO UPDATE SET next_at = excluded.next_at`, teamID, quotaBudget)
}

// allow returns the error of a request beyond the team's quota, whose row is locked.
func allow(ctx context.Context, q Querier, teamID string, quota account.Quota, more account.Held) (err error) {
	var held account.Held
	for _, b := range []struct {
		bound, more int64
		held        *int64
		query       string
	}{
		{quota.Bytes, more.Bytes, &held.Bytes, selectBytes},
		{quota.Projects, more.Projects, &held.Projects, selectProjects},
		{quota.Queued, more.Queued, &held.Queued, selectQueued},
	} {
		if b.bound == 0 || b.more == 0 {
			continue // counting takes its time
		}
		if *b.held, err = One(ctx, q, Value[int64], b.query, teamID); err != nil {
			return fmt.Errorf("count what a quota bounds: %w", err)
		}
	}
	return quota.Allow(held, more)
}

const (
	// selectBytes returns the size of uploaded files and of results. An object of several parts counts once, and parts
	// marked as deleted do not count.
	selectBytes = `SELECT CAST(coalesce((SELECT sum(size_bytes) FROM parts WHERE team_id = $1 AND expired_at = 0), 0)
		+ coalesce((SELECT sum(size) FROM (SELECT DISTINCT a.bucket, a.object, a.size
			FROM artefacts a JOIN parts p ON p.id = a.part_id WHERE a.team_id = $1 AND p.expired_at = 0) o), 0) AS BIGINT)`
	selectProjects = `SELECT count(*) FROM projects WHERE team_id = $1`
	selectQueued   = `SELECT count(*) FROM jobs WHERE status = 'queued' AND team_id = $1`
)

// Held implements account.Store.
func (s *Store) Held(ctx context.Context, teamID string) (account.Held, error) {
	return ReadRow(ctx, s.DB, func(r Row) (h account.Held, err error) {
		return h, r.Scan(&h.Bytes, &h.Projects, &h.Queued)
	}, `SELECT (`+selectBytes+`), (`+selectProjects+`), (`+selectQueued+`)`, teamID)
}

// unlessMade returns record.ErrExists if err is a refusal of a request for a record and an earlier try made that
// record. Otherwise it returns err, or the error of the look-up.
func unlessMade(ctx context.Context, q Querier, table, id string, err error) error {
	var early *part.RateLimitedError
	var refused *apierr.Error
	if !errors.As(err, &early) && !errors.As(err, &refused) {
		return err
	}
	there, look := One(ctx, q, Value[bool], `SELECT EXISTS (SELECT 1 FROM `+table+` WHERE id = $1)`, id)
	switch {
	case look != nil:
		return look
	case there:
		return record.ErrExists
	}
	return err
}
