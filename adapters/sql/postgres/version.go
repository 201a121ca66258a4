package postgres

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// version is what a statement sees. A snapshot says which transactions that write have ended; each takes its id
// before it writes and is in no later snapshot as running once its client was told that it committed. So two
// snapshots that read the same see the same rows. Ids are counted within a server: one that was restored or promoted
// may give some of them out again, and started at another time.
//
// Writes to other databases of the server change it too, which costs a look more than is needed.
const version = `SELECT pg_current_snapshot()::text, pg_postmaster_start_time()`

// Version implements service.Store. It is tried once: whoever asks can do without, and goes on to reads that try again.
func (s *Store) Version(ctx context.Context) (string, error) {
	var snapshot string
	var started time.Time
	err := s.withConn(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, version).Scan(&snapshot, &started)
	})
	return snapshot + " " + strconv.FormatInt(started.UnixMicro(), 36), err
}
