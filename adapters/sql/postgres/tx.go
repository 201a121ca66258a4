package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"millwright.dev/millwright/adapters/sql"
)

// The reaction to a failed try depends on its known effect.
//
// 	it did not commit                  a deadlock or a failed serialization was reported, or the connection broke
// 	                                   before the COMMIT was sent: the try is repeated
// 	it may have committed              the connection broke after the COMMIT, or a statement outside a transaction,
// 	                                   was sent: sql.RetryPolicy decides
// 	everything else                    the error is returned
//
// Tries follow each other after growing pauses. They end with the context, and at the latest after about four seconds.
// Callers handle longer outages.

const (
	tries      = 8
	firstPause = 20 * time.Millisecond // doubled each time
	tryTime    = 30 * time.Second      // of one try, should the server fall silent
	commitTime = 10 * time.Second
)

// errDoubt marks the error of a try that may have committed.
var errDoubt = errors.New("whether it was stored is not known")

// errUnchanged marks the error of a try that certainly did not commit and may go well another time.
var errUnchanged = errors.New("it was not stored")

// Read implements sql.DB.
func (d db) Read(ctx context.Context, do func(context.Context, sql.Querier) error) error {
	return d.Write(ctx, sql.Harmless, do)
}

// Write implements sql.DB.
func (d db) Write(ctx context.Context, again sql.RetryPolicy, do func(context.Context, sql.Querier) error) error {
	return d.persist(ctx, again, func(ctx context.Context) error {
		return d.withConn(ctx, func(conn *pgx.Conn) error {
			err := do(ctx, querier{on: conn})
			return judge(err, conn, errDoubt)
		})
	})
}

// Snapshot implements sql.DB.
func (d db) Snapshot(ctx context.Context, do func(context.Context, sql.Querier) error) error {
	return d.transact(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, sql.Harmless, do)
}

// Tx implements sql.DB.
func (d db) Tx(ctx context.Context, again sql.RetryPolicy, do func(context.Context, sql.Querier) error) error {
	return d.transact(ctx, pgx.TxOptions{}, again, do)
}

func (d db) transact(
	ctx context.Context, o pgx.TxOptions, again sql.RetryPolicy, do func(context.Context, sql.Querier) error,
) error {
	return d.persist(ctx, again, func(ctx context.Context) error {
		return d.withConn(ctx, func(conn *pgx.Conn) error {
			tx, err := conn.BeginTx(ctx, o)
			if err != nil {
				return judge(fmt.Errorf("begin: %w", err), conn, errUnchanged)
			}
			err = do(ctx, querier{on: tx})
			if err == nil {
				err = ctx.Err()
			}
			// From here on the end is not left to the caller's context, so that its outcome is known.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
			defer cancel()
			if err != nil {
				err = judge(err, conn, errUnchanged)
				_ = tx.Rollback(ctx) // a connection that could not do this is closed, which does it too
				return err
			}
			if err := tx.Commit(ctx); err != nil {
				return judge(fmt.Errorf("commit: %w", err), conn, errDoubt)
			}
			return nil
		})
	})
}

func (d db) withConn(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		if ctx.Err() == nil && mayPass(err) {
			err = fmt.Errorf("%w: %w", errUnchanged, err)
		}
		return err
	}
	defer conn.Release()
	return do(conn.Conn())
}

// judge marks an error with the known effect of the try; broken is the mark of a broken connection.
func judge(err error, conn *pgx.Conn, broken error) error {
	switch {
	case err == nil:
		return nil
	case condition(err) == serializationFails, condition(err) == deadlock:
		return fmt.Errorf("%w: %w", errUnchanged, err)
	case !conn.IsClosed() && !ended(err):
		return err // the server reported it, or it is no error of the database
	}
	// pgconn.SafeToRetry is not used: it calls a COMMIT safe whose answer did not arrive, although it was sent.
	return fmt.Errorf("%w: %w", broken, err)
}

// ended reports whether the server ended the connection, at an unknown moment.
func ended(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.SeverityUnlocalized == "FATAL" || pg.SeverityUnlocalized == "PANIC")
}

// persist repeats a try until it succeeds, fails for good, or reaches the limit of tries.
func (d db) persist(ctx context.Context, again sql.RetryPolicy, try func(context.Context) error) error {
	doubt := false
	for n, pause := 1, firstPause; ; n, pause = n+1, pause*2 {
		err := d.tryOnce(ctx, again, doubt, try)
		inDoubt := errors.Is(err, errDoubt)
		if err == nil || !inDoubt && !errors.Is(err, errUnchanged) {
			return err
		}
		doubt = doubt || inDoubt && !again.Always
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || n == tries ||
			doubt && again.Settled == nil {
			if doubt && !inDoubt {
				err = fmt.Errorf("%w: %w", errDoubt, err)
			}
			return err
		}
		if condition(err) == "" {
			d.pool.Reset() // the other connections are likely broken too
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// tryOnce runs a try with a time limit. If an earlier try may have committed and this one fails, it checks whether the
// earlier one is the reason. The check follows the try, because the try waits for the locks of a commit in progress.
func (d db) tryOnce(ctx context.Context, again sql.RetryPolicy, doubt bool, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	err := try(ctx)
	if !doubt || err == nil || errors.Is(err, errDoubt) || errors.Is(err, errUnchanged) {
		return err
	}
	asked := d.withConn(ctx, func(conn *pgx.Conn) error {
		settled, lost := again.Settled(ctx, querier{on: conn})
		if settled {
			err = nil
		}
		return judge(lost, conn, errUnchanged)
	})
	if asked != nil {
		return asked
	}
	return err
}
