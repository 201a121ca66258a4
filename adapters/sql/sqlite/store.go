// Package sqlite stores the service's records in one SQLite file for package sql.
//
// One connection writes and a few read, in write-ahead-log mode. Readers never wait for the writer, and within a
// process no write finds the database locked. Several processes may share the file; the busy timeout then makes a
// writer wait. Every commit is synced to the disk (synchronous=FULL). A commit thus costs one fsync, which is small
// compared with a job. In return, no reported write is lost by kill -9 (which synchronous=NORMAL would survive too) or
// by a power failure (which it would not).
package sqlite

import (
	"context"
	dbsql "database/sql"
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
	_ "modernc.org/sqlite" // the driver

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

var (
	_ job.Store       = (*Store)(nil)
	_ worker.Attempts = (*Store)(nil)
)

//go:embed migrations/*.sql
var migrations embed.FS

const (
	busyTimeout = 10 * time.Second // maximum wait of a writer for another process's transaction
	readers     = 4
)

// Store keeps all records on one SQLite file.
type Store struct {
	sql.Store
	db
}

// db is the file.
type db struct {
	dialect
	write *dbsql.DB // one connection; every transaction begins IMMEDIATE
	read  *dbsql.DB
	known *prepared // statements on read
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
	if err := upgrade(ctx, write, abs); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate %s: %w", path, err), write.Close())
	}
	read, err := open(abs, true)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	file := db{write: write, read: read, known: &prepared{db: read}}
	return &Store{Store: sql.Store{DB: file}, db: file}, nil
}

func open(path string, readOnly bool) (*dbsql.DB, error) {
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
	db, err := dbsql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// upgrade runs under a file lock, so that two processes that start at once do not both create the tables.
func upgrade(ctx context.Context, file *dbsql.DB, path string) error {
	lockPath := path + ".lock"
	lock, err := os.OpenFile(lockPath, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // closing releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", lockPath, err)
	}
	if err := makePrivate(path); err != nil {
		return err
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return sql.Migrate(ctx, database.DialectSQLite3, file, folder)
}

// makePrivate makes an empty file with access for its owner only, if there is no file. SQLite gives its other files the
// same access. It does not open an existing file: closing it would release the locks of SQLite on it in this process.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Time implements record.Timekeeper by the clock of the machine: all processes that share the file are on it.
func (*Store) Time(context.Context) (time.Time, error) { return time.Now(), nil }

// Close closes the database; the last one to close folds the log into the file.
func (s *Store) Close() error {
	return errors.Join(s.read.Close(), s.write.Close())
}
