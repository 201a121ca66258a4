package sqlite

import (
	"context"
	"fmt"
	"strings"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
)

// ListJobs implements job.Store.
func (s *Store) ListJobs(ctx context.Context, q job.Query) (items []job.Job, total int, err error) {
	where, args := []string{"team_id = $1"}, []any{q.TeamID}
	for _, f := range []struct{ column, value string }{
		{"part_id", q.PartID}, {"status", string(q.Status)}, {"product", string(q.Product)},
	} {
		if f.value != "" {
			args = append(args, f.value)
			where = append(where, fmt.Sprintf("%s = $%d", f.column, len(args)))
		}
	}
	from := ` FROM jobs WHERE ` + strings.Join(where, " AND ")
	err = s.Snapshot(ctx, func(ctx context.Context, on sql.Querier) error {
		total, err = sql.One(ctx, on, sql.Value[int], `SELECT count(*)`+from, args...)
		if err == nil {
			items, err = sql.Collect(ctx, on, sql.ScanJob, fmt.Sprintf(`SELECT `+sql.JobColumns+from+
				` ORDER BY created_at DESC, seq DESC LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2),
				append(args, q.PageSize, q.Offset())...)
		}
		return err
	})
	return items, total, err
}
