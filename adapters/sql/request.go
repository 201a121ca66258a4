package sql

import (
	"context"
	"errors"
	"time"

	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/record"
)

// requestColumns are the columns that scanRequest reads.
const requestColumns = `scope, fingerprint, record_id, token, lease_until, status, content_type, link, body, keep_until`

// scanRequest reads a row of its columns.
func scanRequest(r Row) (idempotency.StoredRequest, error) {
	var k idempotency.StoredRequest
	var scope, fingerprint, link []byte
	var lease, keep int64
	a := idempotency.StoredResponse{Body: []byte{}}
	err := r.Scan(&scope, &fingerprint, &k.RecordID, &k.Token, &lease, &a.Status, &a.ContentType, &link, &a.Body, &keep)
	if err != nil {
		return idempotency.StoredRequest{}, err
	}
	copy(k.Scope[:], scope)
	copy(k.Fingerprint[:], fingerprint)
	k.HeldUntil, a.Link = Time(lease), string(link)
	if a.Status != 0 {
		k.Response = &a
	}
	return k, nil
}

// ClaimRequest implements idempotency.Store. A claim that inserts the request has a unique record id, so it is repeated
// when its outcome is unknown. A claim that takes a request over has no such mark. If it took place, the request stays
// claimed until that claim expires.
func (s *Store) ClaimRequest(ctx context.Context,
	c idempotency.Reservation,
) (known idempotency.StoredRequest, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		// Claimable requests are new, past their retention (all columns but the token start again), or unanswered with
		// the same fingerprint and no lease.
		known, err = One(ctx, q, scanRequest, `INSERT INTO requests AS r (`+requestColumns+`)
			VALUES ($1, $2, $3, 1, $5, 0, '', $7, $7, $6)
			ON CONFLICT (scope) DO UPDATE SET
				fingerprint = excluded.fingerprint, token = r.token + 1, lease_until = excluded.lease_until,
				record_id = CASE WHEN r.keep_until <= $4 THEN excluded.record_id ELSE r.record_id END,
				keep_until = CASE WHEN r.keep_until <= $4 THEN excluded.keep_until ELSE r.keep_until END,
				status = 0, content_type = '', link = excluded.link, body = excluded.body
			WHERE r.keep_until <= $4
				OR r.status = 0 AND r.lease_until <= $4 AND r.fingerprint = excluded.fingerprint
			RETURNING `+requestColumns,
			c.Scope[:], c.Fingerprint[:], c.RecordID, Micros(c.Now), Micros(c.Until), Micros(c.KeepUntil), []byte{})
		if !errors.Is(err, record.ErrNotFound) {
			known.Claimed = err == nil
			return err
		}
		known, err = One(ctx, q, scanRequest,
			`SELECT `+requestColumns+` FROM requests WHERE scope = $1`, c.Scope[:])
		known.Claimed = known.RecordID == c.RecordID && known.Response == nil
		return err
	})
	return known, err
}

// claimed are the conditions under which a claim is still its holder's.
const claimed = `scope = $1 AND record_id = $2 AND token = $3 AND status = 0`

// LockRequest implements idempotency.Store.
func (s *Store) LockRequest(ctx context.Context, f idempotency.FencingToken, until time.Time) error {
	n, err := Exec(ctx, s.DB, Harmless,
		`UPDATE requests SET lease_until = `+s.DB.Greatest("lease_until", "$4")+` WHERE lease_until > 0 AND `+claimed,
		f.Scope[:], f.RecordID, f.Token, Micros(until))
	return met(n, err, record.ErrFenced)
}

// AnswerRequest implements idempotency.Store.
func (s *Store) AnswerRequest(ctx context.Context, f idempotency.FencingToken, a idempotency.StoredResponse) error {
	answered := unless(`SELECT 1 FROM requests WHERE scope = $1 AND record_id = $2 AND token = $3 AND status <> 0`,
		f.Scope[:], f.RecordID, f.Token)
	return s.DB.Write(ctx, answered, func(ctx context.Context, q Querier) error {
		n, err := q.Exec(ctx, `UPDATE requests SET status = $4, content_type = $5, link = $6, body = $7 WHERE `+claimed,
			f.Scope[:], f.RecordID, f.Token, a.Status, a.ContentType, []byte(a.Link), a.Body)
		return met(n, err, record.ErrFenced)
	})
}

// ReleaseRequest implements idempotency.Store.
func (s *Store) ReleaseRequest(ctx context.Context, f idempotency.FencingToken, forget bool) error {
	statement := `UPDATE requests SET lease_until = 0 WHERE ` + claimed
	if forget && f.Token == 1 {
		statement = `DELETE FROM requests WHERE ` + claimed
	}
	_, err := Exec(ctx, s.DB, Harmless, statement, f.Scope[:], f.RecordID, f.Token)
	return err
}

// PurgeRequests implements worker.Retention.
func (s *Store) PurgeRequests(ctx context.Context, now time.Time, limit int) (int, error) {
	n, err := Exec(ctx, s.DB, Never, `DELETE FROM requests WHERE scope `+s.DB.AnyOf(`SELECT scope FROM requests
		WHERE keep_until <= $1 ORDER BY keep_until LIMIT $2`+s.DB.Lock("UPDATE SKIP LOCKED")), Micros(now), limit)
	return int(n), err
}
