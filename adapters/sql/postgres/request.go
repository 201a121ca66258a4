package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// ClaimRequest implements service.Requests. A claim that made the request anew can be told by its record id, which
// nobody else has, and so is repeated when its outcome is not known. One that took a request over cannot: should it have
// taken place, the request is held until that claim expires.
func (s *Store) ClaimRequest(ctx context.Context, c service.RequestClaim) (known service.KnownRequest, err error) {
	err = s.inTx(ctx, harmless, func(ctx context.Context, tx pgx.Tx) error {
		// Claimable: new; kept for its time, when everything but the token starts again; or unanswered, the
		// same, and held by nobody.
		known, err = record.ScanRequest(one(tx.QueryRow(ctx, `INSERT INTO requests AS r (`+record.RequestColumns+`)
			VALUES ($1, $2, $3, 1, $5, 0, '', '', $6)
			ON CONFLICT (scope) DO UPDATE SET
				fingerprint = excluded.fingerprint, token = r.token + 1, lease_until = excluded.lease_until,
				record_id = CASE WHEN r.keep_until <= $4 THEN excluded.record_id ELSE r.record_id END,
				keep_until = CASE WHEN r.keep_until <= $4 THEN excluded.keep_until ELSE r.keep_until END,
				status = 0, content_type = '', body = ''
			WHERE r.keep_until <= $4
				OR r.status = 0 AND r.lease_until <= $4 AND r.fingerprint = excluded.fingerprint
			RETURNING `+record.RequestColumns,
			c.Scope[:], c.Fingerprint[:], c.RecordID, micros(c.Now), micros(c.Until), micros(c.KeepUntil))))
		if !errors.Is(err, service.ErrNotFound) {
			known.Claimed = err == nil
			return err
		}
		known, err = record.ScanRequest(one(tx.QueryRow(ctx,
			`SELECT `+record.RequestColumns+` FROM requests WHERE scope = $1`, c.Scope[:])))
		known.Claimed = known.RecordID == c.RecordID && known.Answer == nil
		return err
	})
	return known, err
}

// claimed are the conditions under which a claim is still its holder's.
const claimed = `scope = $1 AND record_id = $2 AND token = $3 AND status = 0`

// HoldRequest implements service.Requests.
func (s *Store) HoldRequest(ctx context.Context, f service.RequestFence, until time.Time) error {
	return wrote(s.exec(ctx, harmless,
		`UPDATE requests SET lease_until = greatest(lease_until, $4) WHERE lease_until > 0 AND `+claimed,
		f.Scope[:], f.RecordID, f.Token, micros(until)))
}

// AnswerRequest implements service.Requests.
func (s *Store) AnswerRequest(ctx context.Context, f service.RequestFence, a service.Answer) error {
	answered := unless(func(ctx context.Context, q querier) (bool, error) {
		return scanValue[bool](q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM requests
			WHERE scope = $1 AND record_id = $2 AND token = $3 AND status <> 0)`, f.Scope[:], f.RecordID, f.Token))
	})
	return s.onConn(ctx, answered, func(ctx context.Context, q querier) error {
		done, err := q.Exec(ctx, `UPDATE requests SET status = $4, content_type = $5, body = $6 WHERE `+claimed,
			f.Scope[:], f.RecordID, f.Token, a.Status, a.ContentType, a.Body)
		return wrote(done.RowsAffected(), err)
	})
}

// ReleaseRequest implements service.Requests.
func (s *Store) ReleaseRequest(ctx context.Context, f service.RequestFence, forget bool) error {
	statement := `UPDATE requests SET lease_until = 0 WHERE ` + claimed
	if forget && f.Token == 1 {
		statement = `DELETE FROM requests WHERE ` + claimed
	}
	_, err := s.exec(ctx, harmless, statement, f.Scope[:], f.RecordID, f.Token)
	return err
}

// PurgeRequests implements service.Requests.
func (s *Store) PurgeRequests(ctx context.Context, now time.Time, limit int) (int, error) {
	n, err := s.exec(ctx, never, `DELETE FROM requests WHERE scope = ANY(ARRAY(SELECT scope FROM requests
		WHERE keep_until <= $1 ORDER BY keep_until LIMIT $2 FOR UPDATE SKIP LOCKED))`, micros(now), limit)
	return int(n), err
}
