package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// What happens when a try fails depends on what is known about it.
//
//	it did not commit                  a deadlock or a failed serialization was reported, or the connection broke
//	                                   before the COMMIT was sent: the try is repeated
//	it may have committed              the connection broke after the COMMIT, or a statement outside a transaction,
//	                                   was sent: the repeat below says what to do
//	everything else                    the error is returned
//
// Tries follow each other after growing pauses and end with the context, at the latest after about four seconds:
// longer outages are for the callers, which have more patience and other things to do.

// repeat says whether a change may be made again when it is not known whether it took place.
type repeat struct {
	always bool
	// settled reports whether the change took place; with nil the error is returned to the caller.
	settled func(ctx context.Context, q querier) (bool, error)
}

var (
	harmless = repeat{always: true} // twice is the same as once
	never    = repeat{}
)

// unless is for changes that leave a trace of their own: when it is there, they took place.
func unless(settled func(ctx context.Context, q querier) (bool, error)) repeat {
	return repeat{settled: settled}
}

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

// onConn runs one statement outside a transaction.
func (s *Store) onConn(ctx context.Context, again repeat, do func(context.Context, querier) error) error {
	return s.persist(ctx, again, func(ctx context.Context) error {
		return s.withConn(ctx, func(conn *pgx.Conn) error {
			err := do(ctx, conn)
			return judge(err, conn, errDoubt)
		})
	})
}

// inTx runs do in one transaction. do may run several times: it must set what it returns anew each time.
func (s *Store) inTx(ctx context.Context, again repeat, do func(context.Context, pgx.Tx) error) error {
	return s.inTxAs(ctx, pgx.TxOptions{}, again, do)
}

func (s *Store) inTxAs(
	ctx context.Context, o pgx.TxOptions, again repeat, do func(context.Context, pgx.Tx) error,
) error {
	return s.persist(ctx, again, func(ctx context.Context) error {
		return s.withConn(ctx, func(conn *pgx.Conn) error {
			tx, err := conn.BeginTx(ctx, o)
			if err != nil {
				return judge(fmt.Errorf("begin: %w", err), conn, errUnchanged)
			}
			err = do(ctx, tx)
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

func (s *Store) withConn(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		if ctx.Err() == nil && mayPass(err) {
			err = fmt.Errorf("%w: %w", errUnchanged, err)
		}
		return err
	}
	defer conn.Release()
	return do(conn.Conn())
}

// judge marks an error by what is known of the try: broken is the mark when the connection broke.
func judge(err error, conn *pgx.Conn, broken error) error {
	switch {
	case err == nil:
		return nil
	case condition(err) == serializationFails, condition(err) == deadlock:
		return fmt.Errorf("%w: %w", errUnchanged, err)
	case !conn.IsClosed() && !ended(err):
		return err // the server reported it, or it is no error of the database
	}
	// pgconn.SafeToRetry is not asked: of a COMMIT that was sent and whose answer never came, it says that it was not.
	return fmt.Errorf("%w: %w", broken, err)
}

// ended says that the server ended the connection, at a moment that is not known.
func ended(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.SeverityUnlocalized == "FATAL" || pg.SeverityUnlocalized == "PANIC")
}

// persist tries until it succeeds, the reason to go on is gone, or patience ends.
func (s *Store) persist(ctx context.Context, again repeat, try func(context.Context) error) error {
	doubt := false
	for n, pause := 1, firstPause; ; n, pause = n+1, pause*2 {
		err := s.tryOnce(ctx, again, doubt, try)
		inDoubt := errors.Is(err, errDoubt)
		if err == nil || !inDoubt && !errors.Is(err, errUnchanged) {
			return err
		}
		doubt = doubt || inDoubt && !again.always
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || n == tries ||
			doubt && again.settled == nil {
			if doubt && !inDoubt {
				err = fmt.Errorf("%w: %w", errDoubt, err)
			}
			return err
		}
		if condition(err) == "" {
			s.pool.Reset() // the other connections are likely broken too
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// tryOnce tries with a limit of time. When an earlier try may have committed and this one is refused, it asks
// whether it was that one which stands in the way. It asks afterwards, not before: a commit that is still under way
// holds its locks, and the try has waited for them.
func (s *Store) tryOnce(ctx context.Context, again repeat, doubt bool, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	err := try(ctx)
	if !doubt || err == nil || errors.Is(err, errDoubt) || errors.Is(err, errUnchanged) {
		return err
	}
	asked := s.withConn(ctx, func(conn *pgx.Conn) error {
		settled, lost := again.settled(ctx, conn)
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
