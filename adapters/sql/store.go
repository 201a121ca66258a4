// Package sql keeps the service's records in a database: their tables, how a record becomes rows and back, and what
// each method of their ports does. What differs between databases is theirs (sqlite, postgres): connections and
// transactions, words of SQL, how the next job is found, and how jobs are listed and counted.
//
// Statements are right where transactions run one after the other, as on SQLite, and where they run at READ COMMITTED,
// as on PostgreSQL: there they take row locks where they decide by what they read. The order of locks is the same
// everywhere, so that no two wait for each other: jobs by seq, then parts by id, then features by id; cut configs, then
// tool libraries, then the rows that name them; cuttings after parts; budgets before all of these, a slot before a quota;
// rows of other tables are locked by who holds their job. A worker's write is fenced by the token in its WHERE clause, which
// is evaluated again on the newest row after a lock was waited for.
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
	"millwright.dev/millwright/core/service/worker"
)

// Store is what every database does in the same way; it keeps the records of all ports.
type Store struct{ DB DB }

// special are the methods that a database adds.
type special interface {
	record.Timekeeper
	LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease) (job.Job, part.Part, error)
	ListJobs(ctx context.Context, q job.Query) (items []job.Job, total int, err error)
}

// whole is what a database is in the end.
type whole struct {
	*Store
	special
}

var (
	_ record.Pinger         = (*Store)(nil)
	_ record.Timekeeper     = whole{}
	_ account.Store         = (*Store)(nil)
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
