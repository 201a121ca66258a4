// Package sqlite keeps the service's records in one SQLite file. It is the embedded twin of the
// PostgreSQL adapter and passes the same suite (core/service/storetest).
//
// One connection writes and a few read, in write-ahead-log mode: readers never wait for the writer and
// within a process no write finds the database locked. Several processes may share the file; between
// them the busy timeout makes a writer wait. Every commit is synced to the disk (synchronous=FULL): a
// commit costs one fsync, which is small beside the work of a job, and in return nothing that a client
// was told is lost, neither by kill -9 (which synchronous=NORMAL would survive too) nor by a power cut
// (which it would not).
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pressly/goose/v3/database"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	migrate "millwright/adapters/sql"
	record "millwright/adapters/sql"
	"millwright/core/service"
)

var _ service.Store = (*Store)(nil)

//go:embed migrations/*.sql
var migrations embed.FS

const (
	busyTimeout = 10 * time.Second // how long a writer waits for another process's transaction
	readers     = 4
)

// Store is service.Store on one SQLite file.
type Store struct {
	write    *sql.DB // one connection; every transaction begins IMMEDIATE
	read     *sql.DB
	versions versions
}

// Open opens or creates the database file and brings its tables up to date.
func Open(ctx context.Context, path string) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	write, err := open(abs, false)
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := upgrade(ctx, write, abs+".lock"); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate %s: %w", path, err), write.Close())
	}
	read, err := open(abs, true)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	watch, err := open(abs, true)
	if err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	return &Store{write: write, read: read, versions: versions{db: watch}}, nil
}

func open(path string, readOnly bool) (*sql.DB, error) {
	q := url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
	}}
	if readOnly {
		q.Add("_pragma", "query_only(ON)")
	} else {
		q.Set("_txlock", "immediate")
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// upgrade runs under a file lock: two processes that start at once must not both create the tables.
func upgrade(ctx context.Context, db *sql.DB, lockPath string) error {
	lock, err := os.OpenFile(lockPath, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // closing releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", lockPath, err)
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, database.DialectSQLite3, db, folder)
}

// Close closes the database; the last one to close folds the log into the file.
func (s *Store) Close() error {
	return errors.Join(s.versions.shut(), s.read.Close(), s.write.Close())
}

// Ping reads one value through the file.
func (s *Store) Ping(ctx context.Context) error {
	var n int
	return s.read.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM teams LIMIT 1)`).Scan(&n)
}

// inTx runs do in one write transaction.
func (s *Store) inTx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", busy(err))
	}
	if err := do(tx); err != nil {
		if back := tx.Rollback(); back != nil && !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, back)
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// exec runs one statement that changes rows.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	done, err := s.write.ExecContext(ctx, statement, args...)
	return done, busy(err)
}

// busy tells the error of a file that another process has locked for longer than the busy timeout.
func busy(err error) error {
	var se *sqlite.Error
	if errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_BUSY { // the low byte; the rest says more
		return fmt.Errorf("%w: %w", service.ErrUnavailable, err)
	}
	return err
}

// found turns the absence of a row into the port's error.
func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return service.ErrNotFound
	}
	return err
}

// unique turns a broken uniqueness constraint into the port's error.
func unique(err error) error {
	var se *sqlite.Error
	if errors.As(err, &se) {
		switch se.Code() {
		case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
			return fmt.Errorf("%w: %w", service.ErrExists, err)
		}
	}
	return err
}

// collect reads all rows of a query.
func collect[T any](rows *sql.Rows, err error, scan func(record.Row) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
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

// oneRow is a single row, whose absence is the port's error.
type oneRow struct{ row *sql.Row }

func one(r *sql.Row) oneRow { return oneRow{r} }

// Scan implements record.Row.
func (o oneRow) Scan(dest ...any) error { return found(o.row.Scan(dest...)) }

// Times as columns hold them.
var (
	micros       = record.Micros
	fromMicros   = record.Time
	microsOrNull = record.MicrosOrNull
)
