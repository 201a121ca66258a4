// Package postgres stores the service's records in a PostgreSQL database for package sql. Transactions run at READ
// COMMITTED.
//
// After a broken connection, a deadlock or a failed serialization, a transaction is repeated. The condition is that the
// first try certainly changed nothing, or that a repetition is harmless (tx.go).
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

var (
	_ job.Store       = (*Store)(nil)
	_ worker.Attempts = (*Store)(nil)
)

// Store keeps all records on a PostgreSQL database.
type Store struct {
	sql.Store
	db
}

// db is a database of a server.
type db struct {
	dialect
	pool *pgxpool.Pool
}

var _ sql.DB = db{}

// Close ends all connections.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// Time implements record.Timekeeper by the clock of the server.
func (s *Store) Time(ctx context.Context) (time.Time, error) {
	n, err := sql.ReadRow(ctx, s.db, sql.Value[int64],
		`SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`)
	return sql.Time(n), err
}

// querier is a connection or a transaction.
type querier struct {
	dialect
	on interface {
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	}
}

// Exec implements sql.Querier.
func (q querier) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	done, err := q.on.Exec(ctx, statement, args...)
	return done.RowsAffected(), ported(err)
}

// Query implements sql.Querier.
func (q querier) Query(ctx context.Context, query string, args ...any) (sql.Rows, error) {
	rows, err := q.on.Query(ctx, query, args...)
	return result{rows}, ported(err)
}

type result struct{ pgx.Rows }

// Err implements sql.Rows.
func (r result) Err() error { return ported(r.Rows.Err()) }

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

// ported translates errors of the server to errors of the port. No row can contain invalid text.
func ported(err error) error {
	switch condition(err) {
	case uniqueViolation:
		return fmt.Errorf("%w: %w", record.ErrExists, err)
	case notText:
		return fmt.Errorf("%w: %w", record.ErrNotFound, err)
	}
	return err
}
