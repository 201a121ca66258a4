// Package sql stores the service's records in a database: their tables, the conversion of records to rows and back, and
// the methods of their ports. Packages sqlite and postgres contain the differences between databases: connections and
// transactions, the dialect of SQL, the search for the next job, and the lists of jobs.
//
// Statements are correct for transactions that run one after the other (SQLite), and at READ COMMITTED (PostgreSQL).
// There they lock the rows on which a decision depends. The order of locks is the same everywhere, so there are no
// deadlocks:
//
// - budgets first, a slot before a quota
// - jobs by seq, then parts by id, then features by id; cuttings after parts
// - cut configs, then tool libraries, then the rows that name them
//
// The lock of a job also protects rows of other tables. The token in the WHERE clause fences a worker's write.
// PostgreSQL evaluates the clause again on the newest row after a wait for a lock.
package sql

import (
	"context"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
	"millwright.dev/millwright/core/service/worker"
)

// Store contains the methods that are the same for all databases; it stores the records of all ports.
type Store struct{ DB DB }

// special are the methods that a database adds.
type special interface {
	record.Timekeeper
	LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease) (job.Job, part.Part, error)
	ListJobs(ctx context.Context, q job.Query) (items []job.Job, total int, err error)
}

// whole is a complete store: the common methods and the methods of one database.
type whole struct {
	*Store
	special
}

var (
	_ record.Pinger         = (*Store)(nil)
	_ record.Timekeeper     = whole{}
	_ account.Store         = (*Store)(nil)
	_ account.KeyStore      = (*Store)(nil)
	_ session.Store         = (*Store)(nil)
	_ idempotency.Store     = (*Store)(nil)
	_ catalog.CutConfigs    = (*Store)(nil)
	_ catalog.ToolLibraries = (*Store)(nil)
	_ catalog.Holders       = (*Store)(nil)
	_ catalog.Projects      = (*Store)(nil)
	_ part.Store            = (*Store)(nil)
	_ program.Store         = (*Store)(nil)
	_ worker.Records        = (*Store)(nil)
	_ worker.Retention      = (*Store)(nil)
	_ job.Store             = whole{}
	_ worker.Attempts       = whole{}
)

// Ping reads one value through a table.
func (s *Store) Ping(ctx context.Context) error {
	_, err := ReadRow(ctx, s.DB, Value[int], `SELECT count(*) FROM (SELECT 1 FROM teams LIMIT 1) one`)
	return err
}
