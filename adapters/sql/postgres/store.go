// Package postgres keeps the service's records in a PostgreSQL database. It is the production twin of the SQLite
// adapter and passes the same suite (core/service/storetest).
//
// Transactions run at READ COMMITTED and take row locks where they decide by what they read. The order of locks is
// the same everywhere, so that no two wait for each other: jobs by seq, then parts by id, then features by id; rows
// of other tables are locked by who holds their job. A worker's write is fenced by the token in its WHERE clause,
// which the server evaluates again on the newest row after it has waited for a lock.
//
// A connection that breaks, a deadlock and a failed serialization are tried again, as far as it is certain that the
// first try changed nothing or that repeating it does no harm (tx.go).
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

var _ service.Store = (*Store)(nil)

// Store is service.Store on a PostgreSQL database.
type Store struct {
	pool *pgxpool.Pool
}

// Close ends all connections.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// Ping reads one value through a table.
func (s *Store) Ping(ctx context.Context) error {
	_, err := readRow(ctx, s, scanValue[int], `SELECT count(*) FROM (SELECT 1 FROM teams LIMIT 1) one`)
	return err
}

// querier is what connections and transactions share.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// readRow reads one row. Nothing is changed, so it is tried again when the connection breaks.
func readRow[T any](
	ctx context.Context, s *Store, scan func(record.Row) (T, error), sql string, args ...any,
) (out T, err error) {
	err = s.onConn(ctx, harmless, func(ctx context.Context, q querier) error {
		out, err = scan(one(q.QueryRow(ctx, sql, args...)))
		return err
	})
	return out, err
}

// readRows reads all rows of a query; no row is an empty list.
func readRows[T any](
	ctx context.Context, s *Store, scan func(record.Row) (T, error), sql string, args ...any,
) (out []T, err error) {
	err = s.onConn(ctx, harmless, func(ctx context.Context, q querier) error {
		out, err = collect(ctx, q, scan, sql, args...)
		return err
	})
	return out, err
}

// exec runs one statement that changes rows and returns how many.
func (s *Store) exec(ctx context.Context, again repeat, sql string, args ...any) (changed int64, err error) {
	err = s.onConn(ctx, again, func(ctx context.Context, q querier) error {
		done, err := q.Exec(ctx, sql, args...)
		changed = done.RowsAffected()
		return err
	})
	return changed, err
}

func collect[T any](
	ctx context.Context, q querier, scan func(record.Row) (T, error), sql string, args ...any,
) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func scanValue[T any](r record.Row) (v T, err error) {
	err = r.Scan(&v)
	return v, found(err)
}

// Conditions of the server (SQLSTATE) that the adapter knows.
const (
	uniqueViolation    = "23505"
	notText            = "22021" // a zero byte, or bytes that are not UTF-8
	serializationFails = "40001"
	deadlock           = "40P01"
)

// condition is the SQLSTATE of an error of the server; "" for others.
func condition(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

// found turns the absence of a row into the port's error. No row holds what is not text.
func found(err error) error {
	if errors.Is(err, pgx.ErrNoRows) || condition(err) == notText {
		return service.ErrNotFound
	}
	return err
}

// unique turns a broken uniqueness constraint into the port's error.
func unique(err error) error {
	if condition(err) == uniqueViolation {
		return fmt.Errorf("%w: %w", service.ErrExists, err)
	}
	return err
}

// text is s as a TEXT column can hold it: without zero bytes and in UTF-8.
func text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// oneRow is a single row, whose absence is the port's error.
type oneRow struct{ row pgx.Row }

func one(r pgx.Row) oneRow { return oneRow{r} }

// Scan implements record.Row.
func (o oneRow) Scan(dest ...any) error { return found(o.row.Scan(dest...)) }

// Times as columns hold them.
var (
	micros       = record.Micros
	fromMicros   = record.Time
	microsOrNull = record.MicrosOrNull
)
