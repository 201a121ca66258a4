package teststack

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of Stack.Database
	"github.com/redis/go-redis/v9/logging"

	"millwright.dev/millwright/adapters/objects/s3"
	"millwright.dev/millwright/adapters/objects/s3/s3test"
	"millwright.dev/millwright/adapters/queue/redis/redistest"
	"millwright.dev/millwright/adapters/sql/postgres"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
)

// prefix names the buckets of the production stack.
const prefix = "millwright-live"

// Servers are those of the production stack, for faults. Their methods are for one goroutine at a time.
type Servers struct {
	Postgres *pgtest.Server
	Redis    *redistest.Server
	S3       *s3test.Server
}

// prepare builds the S3 server where it is missing, and says which others are.
func prepare(ctx context.Context) error {
	if s3test.Installed() != nil {
		_, _ = fmt.Fprintln(os.Stderr, "building versitygw, the S3 server") // it takes a while
		out, err := exec.CommandContext(ctx, ".ci/versitygw").CombinedOutput()
		if err != nil {
			return fmt.Errorf("build versitygw (run this in the folder of the module): %w\n%s", err, out)
		}
	}
	return installed()
}

func installed() error {
	return errors.Join(pgtest.Installed(), redistest.Installed(), s3test.Installed())
}

// Production is the stack of many machines, each server private to the caller. Errors: pgtest.ErrAbsent or
// exec.ErrNotFound where one of their programs is not installed.
func Production(ctx context.Context, folder string) (*Stack, error) {
	if err := installed(); err != nil {
		return nil, err
	}
	s := &Stack{Name: Many, Folder: folder, Servers: &Servers{}}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// start starts the servers and opens the ports on them.
func (s *Stack) start(ctx context.Context) error {
	logging.Disable() // of the Redis client, which says at length that a server that starts does not answer yet
	var err error
	own := s.Servers
	if own.Postgres, err = pgtest.New(ctx, pgtest.Options{}); err != nil {
		return err
	}
	s.ending = append(s.ending, own.Postgres.Close)
	database, err := own.Postgres.Database(ctx)
	if err != nil {
		return err
	}
	address := own.Postgres.URL(database)
	if own.Redis, err = redistest.Run(ctx, made(s.Folder, "redis")); err != nil {
		return err
	}
	s.ending = append(s.ending, ended(own.Redis.Kill))
	if own.S3, err = s3test.Run(ctx, made(s.Folder, "s3")); err != nil {
		return err
	}
	s.ending = append(s.ending, ended(own.S3.Kill))
	s.Buckets = own.S3.Folder
	s.Flags = []string{
		"--data", made(s.Folder, "data"), "--database", address, "--queue", own.Redis.URL,
		"--objects", "s3://" + prefix + "?endpoint=" + own.S3.Endpoint + "&region=" + s3test.Region + "&create=true",
	}
	s.Environment = []string{"AWS_ACCESS_KEY_ID=" + s3test.AccessKey, "AWS_SECRET_ACCESS_KEY=" + s3test.Secret}
	return s.open(ctx, address, own.S3.Endpoint)
}

// open opens the ports of the stack from outside the servers.
func (s *Stack) open(ctx context.Context, address, endpoint string) error {
	store, err := postgres.Open(ctx, postgres.Options{URL: address})
	if err != nil {
		return err
	}
	s.Store, s.ending = store, append(s.ending, store.Close)
	s.Objects, err = s3.New(s3.Options{
		Endpoint: endpoint, Region: s3test.Region, AccessKey: s3test.AccessKey, Secret: s3test.Secret,
	})
	if err != nil {
		return err
	}
	if s.Database, err = sql.Open("pgx", address); err != nil {
		return err
	}
	s.ending = append(s.ending, s.Database.Close)
	return nil
}

// made is a folder that exists; that it could not be made shows at once where it is used.
func made(folder, name string) string {
	path := filepath.Join(folder, name)
	_ = os.MkdirAll(path, 0o700)
	return path
}

func ended(kill func()) func() error {
	return func() error {
		kill()
		return nil
	}
}
