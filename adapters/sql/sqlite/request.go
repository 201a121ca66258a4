package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// ClaimRequest implements service.Requests.
func (s *Store) ClaimRequest(ctx context.Context, c service.RequestClaim) (service.KnownRequest, error) {
	var known service.KnownRequest
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		// Claimable: new; kept for its time, when everything but the token starts again; or unanswered, the
		// same, and held by nobody.
		known, err = record.ScanRequest(one(tx.QueryRowContext(ctx, `INSERT INTO requests AS r (`+record.RequestColumns+`)
			VALUES (?1, ?2, ?3, 1, ?5, 0, '', x'', ?6)
			ON CONFLICT (scope) DO UPDATE SET
				fingerprint = excluded.fingerprint, token = r.token + 1, lease_until = excluded.lease_until,
				record_id = CASE WHEN r.keep_until <= ?4 THEN excluded.record_id ELSE r.record_id END,
				keep_until = CASE WHEN r.keep_until <= ?4 THEN excluded.keep_until ELSE r.keep_until END,
				status = 0, content_type = '', body = x''
			WHERE r.keep_until <= ?4
				OR r.status = 0 AND r.lease_until <= ?4 AND r.fingerprint = excluded.fingerprint
			RETURNING `+record.RequestColumns,
			c.Scope[:], c.Fingerprint[:], c.RecordID, micros(c.Now), micros(c.Until), micros(c.KeepUntil))))
		if !errors.Is(err, service.ErrNotFound) {
			known.Claimed = err == nil
			return err
		}
		known, err = record.ScanRequest(one(tx.QueryRowContext(ctx,
			`SELECT `+record.RequestColumns+` FROM requests WHERE scope = ?`, c.Scope[:])))
		return err
	})
	return known, err
}

// claimed are the conditions under which a claim is still its holder's.
const claimed = `scope = ? AND record_id = ? AND token = ? AND status = 0`

// HoldRequest implements service.Requests.
func (s *Store) HoldRequest(ctx context.Context, f service.RequestFence, until time.Time) error {
	return wrote(s.exec(ctx,
		`UPDATE requests SET lease_until = max(lease_until, ?) WHERE lease_until > 0 AND `+claimed,
		micros(until), f.Scope[:], f.RecordID, f.Token))
}

// AnswerRequest implements service.Requests.
func (s *Store) AnswerRequest(ctx context.Context, f service.RequestFence, a service.Answer) error {
	return wrote(s.exec(ctx,
		`UPDATE requests SET status = ?, content_type = ?, body = ? WHERE `+claimed,
		a.Status, a.ContentType, a.Body, f.Scope[:], f.RecordID, f.Token))
}

// ReleaseRequest implements service.Requests.
func (s *Store) ReleaseRequest(ctx context.Context, f service.RequestFence, forget bool) error {
	statement := `UPDATE requests SET lease_until = 0 WHERE ` + claimed
	if forget && f.Token == 1 {
		statement = `DELETE FROM requests WHERE ` + claimed
	}
	_, err := s.exec(ctx, statement, f.Scope[:], f.RecordID, f.Token)
	return err
}

// PurgeRequests implements service.Requests.
func (s *Store) PurgeRequests(ctx context.Context, now time.Time, limit int) (int, error) {
	done, err := s.exec(ctx, `DELETE FROM requests WHERE scope IN
		(SELECT scope FROM requests WHERE keep_until <= ? ORDER BY keep_until LIMIT ?)`, micros(now), limit)
	if err != nil {
		return 0, err
	}
	n, err := done.RowsAffected()
	return int(n), err
}
