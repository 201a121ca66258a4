package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/fault"
	"millwright/core/service"
)

// TakeBack implements service.Attempts. Rows that somebody holds are left to them: another reaper, or a worker that
// is about to write. All parts are locked in one order first, since reapers may meet on parts with several jobs.
func (s *Store) TakeBack(ctx context.Context, now time.Time, maxAttempts int, why fault.Error, limit int,
) (taken []service.Job, err error) {
	err = s.inTx(ctx, never, func(ctx context.Context, tx pgx.Tx) error {
		expired, err := collect(ctx, tx, record.ScanJob, `SELECT `+record.JobColumns+` FROM jobs
			WHERE status = 'running' AND lease_until <= $1 ORDER BY lease_until, seq LIMIT $2
			FOR NO KEY UPDATE SKIP LOCKED`, micros(now), limit)
		if err != nil || len(expired) == 0 {
			return err
		}
		ids, parts := make([]string, len(expired)), make([]string, len(expired))
		for i, j := range expired {
			ids[i], parts[i] = j.ID, j.PartID
		}
		_, err = tx.Exec(ctx, `SELECT 1 FROM parts WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`, parts)
		if err != nil {
			return err
		}
		for _, j := range expired {
			f := service.Fence{JobID: j.ID, Token: j.Token}
			if j.Attempt < maxAttempts {
				err = requeue(ctx, tx, f, 0, nil, now)
			} else {
				err = fail(ctx, tx, f, why, now)
			}
			if err != nil {
				return err
			}
		}
		taken, err = collect(ctx, tx, record.ScanJob, `SELECT `+record.JobColumns+`
			FROM unnest($1::text[]) WITH ORDINALITY t (taken, place) JOIN jobs ON id = t.taken ORDER BY t.place`, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// LostAttempts implements service.Attempts.
func (s *Store) LostAttempts(ctx context.Context, endedBefore time.Time, limit int,
) ([]service.LostAttempt, error) {
	return readRows(ctx, s, func(r record.Row) (a service.LostAttempt, err error) {
		return a, r.Scan(&a.JobID, &a.Token, &a.TeamID, &a.PartID)
	}, `SELECT a.job_id, a.token, j.team_id, j.part_id FROM open_attempts a JOIN jobs j ON j.id = a.job_id
		WHERE a.ended_at > 0 AND a.ended_at < $1 ORDER BY a.ended_at, a.job_id, a.token LIMIT $2`,
		micros(endedBefore), limit)
}

// Forget implements service.Attempts.
func (s *Store) Forget(ctx context.Context, f service.Fence) error {
	_, err := s.exec(ctx, harmless,
		`DELETE FROM open_attempts WHERE job_id = $1 AND token = $2 AND ended_at > 0`, f.JobID, f.Token)
	return err
}
