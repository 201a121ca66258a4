package live

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of Stack.Database

	"millwright/adapters/objects/s3"
	"millwright/adapters/objects/s3/s3test"
	"millwright/adapters/postgres"
	"millwright/adapters/postgres/pgtest"
	"millwright/adapters/queue/redis/redistest"
)

// prefix names the buckets of the production stack.
const prefix = "millwright-live"

// Production is the stack of many machines, each server private to the caller: PostgreSQL, Redis, S3. Errors:
// pgtest.ErrAbsent or exec.ErrNotFound where one of their programs is not installed.
func Production(ctx context.Context, folder string) (*Stack, error) {
	s := &Stack{Name: "production"}
	fail := func(err error) (*Stack, error) { return nil, errors.Join(err, s.Close()) }
	pg, err := pgtest.New(ctx, pgtest.Options{})
	if err != nil {
		return fail(err)
	}
	s.ending = append(s.ending, pg.Close)
	database, err := pg.Database(ctx)
	if err != nil {
		return fail(err)
	}
	address := pg.URL(database)
	s.Break = func() error { return pg.Stop(pgtest.Immediate) }

	redis, err := redistest.Run(ctx, made(folder, "redis"))
	if err != nil {
		return fail(err)
	}
	s.ending = append(s.ending, ended(redis.Kill))
	store3, err := s3test.Run(ctx, made(folder, "s3"))
	if err != nil {
		return fail(err)
	}
	s.ending = append(s.ending, ended(store3.Kill))
	s.Flags = []string{
		"--data", made(folder, "data"), "--database", address, "--queue", redis.URL,
		"--objects", "s3://" + prefix + "?endpoint=" + store3.Endpoint + "&region=" + s3test.Region + "&create=true",
	}
	s.Environment = []string{"AWS_ACCESS_KEY_ID=" + s3test.AccessKey, "AWS_SECRET_ACCESS_KEY=" + s3test.Secret}
	if err := s.open(ctx, address, store3.Endpoint); err != nil {
		return fail(err)
	}
	return s, nil
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
