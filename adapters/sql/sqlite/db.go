package sqlite

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/record"
)

var _ sql.DB = db{}

// Read implements sql.DB.
func (d db) Read(ctx context.Context, do func(context.Context, sql.Querier) error) error {
	return do(ctx, querier{on: d.known})
}

// Snapshot implements sql.DB.
func (d db) Snapshot(ctx context.Context, do func(context.Context, sql.Querier) error) error {
	tx, err := d.read.BeginTx(ctx, &dbsql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return do(ctx, querier{on: tx})
}

// Write implements sql.DB.
func (d db) Write(ctx context.Context, _ sql.RetryPolicy, do func(context.Context, sql.Querier) error) error {
	return do(ctx, querier{on: d.write})
}

// Tx implements sql.DB.
func (d db) Tx(ctx context.Context, _ sql.RetryPolicy, do func(context.Context, sql.Querier) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", explain(err))
	}
	if err := do(ctx, querier{on: tx}); err != nil {
		if back := tx.Rollback(); back != nil && !errors.Is(back, dbsql.ErrTxDone) {
			err = errors.Join(err, back)
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", explain(err))
	}
	return nil
}

// querier is a database or a transaction.
type querier struct {
	dialect
	on interface {
		ExecContext(ctx context.Context, query string, args ...any) (dbsql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*dbsql.Rows, error)
	}
}

// Exec implements sql.Querier.
func (q querier) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	done, err := q.on.ExecContext(ctx, statement, bind(args)...)
	if err != nil {
		return 0, explain(err)
	}
	return done.RowsAffected()
}

// Query implements sql.Querier.
func (q querier) Query(ctx context.Context, query string, args ...any) (sql.Rows, error) {
	rows, err := q.on.QueryContext(ctx, query, bind(args)...)
	return result{rows}, explain(err)
}

// bind converts arguments to types of the driver: a list becomes a JSON array.
func bind(args []any) []any {
	for i, arg := range args {
		if list, ok := arg.(sql.List); ok {
			args[i] = "[" + strings.Join(list, ",") + "]"
		}
	}
	return args
}

type result struct{ *dbsql.Rows }

// Err implements sql.Rows.
func (r result) Err() error { return explain(r.Rows.Err()) }

// Close implements sql.Rows.
func (r result) Close() { _ = r.Rows.Close() } // Err returns its error

// explain translates errors to errors of the port: a violated uniqueness constraint, a file that another process has
// locked for longer than the busy timeout, and a full disk. SQLite returns SQLITE_IOERR_WRITE for a full quota.
func explain(err error) error {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return err
	}
	switch se.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return fmt.Errorf("%w: %w", record.ErrExists, err)
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return fmt.Errorf("%w: %w", record.ErrUnavailable, err)
	}
	if se.Code()&0xff == sqlite3.SQLITE_BUSY { // low byte; the others are details
		return fmt.Errorf("%w: %w", record.ErrUnavailable, err)
	}
	return err
}
