package sqlite

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// versions has a connection of its own that never writes: SQLite's data_version on it changes when any other
// connection, of this process or another, has committed. Asking costs some microseconds and holds nothing up.
type versions struct {
	mu   sync.Mutex
	db   *dbsql.DB
	conn *dbsql.Conn // nil: none is open
	ask  *dbsql.Stmt
	era  int // counts the connections: the numbers of two cannot be compared
}

// Version implements service.Store.
func (s *Store) Version(ctx context.Context) (string, error) {
	v := &s.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.conn == nil {
		if err := v.open(ctx); err != nil {
			return "", fmt.Errorf("open a connection for the version: %w", err)
		}
	}
	var n int64
	// Nothing makes this wait; a context that may end would cost a goroutine, which costs more than the answer.
	if err := v.ask.QueryRowContext(context.WithoutCancel(ctx)).Scan(&n); err != nil {
		return "", errors.Join(fmt.Errorf("version: %w", err), v.close())
	}
	return strconv.Itoa(v.era) + "." + strconv.FormatInt(n, 10), nil
}

func (v *versions) open(ctx context.Context) (err error) {
	v.era++
	if v.conn, err = v.db.Conn(ctx); err != nil {
		return err
	}
	if v.ask, err = v.conn.PrepareContext(ctx, `PRAGMA data_version`); err != nil {
		return errors.Join(err, v.close())
	}
	return nil
}

// close gives up the connection, which may be broken.
func (v *versions) close() error {
	if v.conn == nil {
		return nil
	}
	err := v.conn.Close()
	v.conn, v.ask = nil, nil
	return err
}

// shut is for the end of the store.
func (v *versions) shut() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return errors.Join(v.close(), v.db.Close())
}
