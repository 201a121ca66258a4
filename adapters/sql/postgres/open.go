package postgres

import (
	"context"
	"crypto/tls"
	dbsql "database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3/database"

	"millwright.dev/millwright/adapters/sql"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options say which database and how patient to be.
type Options struct {
	// URL is postgres://USER:PASSWORD@HOST:PORT/NAME?PARAMETERS. Parameters are:
	//
	//   - the parameters of libpq, such as sslrootcert and sslmode. verify-full checks the certificate of the server.
	//     Without sslmode, TLS is used if the server supports it.
	//   - pool_max_conns and the other pool_ parameters of pgxpool.
	//   - settings of the server's sessions. statement_timeout, lock_timeout and idle_in_transaction_session_timeout
	//     have defaults here.
	URL  string
	Wait time.Duration // maximum wait of Open for an unreachable server; 0 = 30 s
}

const (
	defaultWait  = 30 * time.Second
	maxConns     = 16
	oldestServer = 130000 // PostgreSQL 13, in the form of server_version_num
)

// sessionDefaults limit the effect of a stalled process or an expensive query, milliseconds.
var sessionDefaults = map[string]string{
	"application_name":                    "millwright",
	"statement_timeout":                   "30000",
	"lock_timeout":                        "10000",
	"idle_in_transaction_session_timeout": "60000",

	// Pages of indexes are in memory or on flash, and no query is worth compiling.
	"random_page_cost": "1.1",
	"jit":              "off",
}

// Open connects to the database and migrates its tables. Errors never contain the password; they include sql.ErrNewer.
func Open(ctx context.Context, o Options) (*Store, error) {
	return open(ctx, o, func(*pgxpool.Config) {})
}

// open is Open with a last word on the configuration.
func open(ctx context.Context, o Options, adjust func(*pgxpool.Config)) (*Store, error) {
	config, err := configure(o.URL)
	if err != nil {
		return nil, err
	}
	adjust(config)
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	where := describe(config.ConnConfig)
	if err := prepare(ctx, config.ConnConfig, o.Wait); err != nil {
		return nil, fmt.Errorf("the database %s: %w", where, explain(err))
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("the database %s: %w", where, err)
	}
	server := db{pool: pool}
	return &Store{Store: sql.Store{DB: server}, db: server}, nil
}

// configure parses the address. Its errors do not quote an invalid address, since the position of the password is
// unknown.
func configure(url string) (*pgxpool.Config, error) {
	if !strings.HasPrefix(url, "postgres://") && !strings.HasPrefix(url, "postgresql://") {
		return nil, errors.New("the address of the database must look like postgres://USER:PASSWORD@HOST:PORT/NAME")
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the address of the database cannot be read; it must look like " +
			"postgres://USER:PASSWORD@HOST:PORT/NAME?sslmode=verify-full, with special characters of the password " +
			"percent-encoded, and files that it names must exist")
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = maxConns
	}
	for name, value := range sessionDefaults {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	config.AfterConnect = insistOnDurability
	return config, nil
}

// insistOnDurability overrules a server that reports commits before they are on its disk.
func insistOnDurability(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false)
		WHERE current_setting('synchronous_commit') = 'off'`)
	return err
}

// describe returns the name of the database without secrets.
func describe(c *pgx.ConnConfig) string {
	host := c.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, fmt.Sprint(c.Port))
	}
	return fmt.Sprintf("%q on %s (user %q)", c.Database, host, c.User)
}

// prepare waits for the server, checks whether it is suitable, and migrates the tables.
func prepare(ctx context.Context, config *pgx.ConnConfig, wait time.Duration) error {
	config = config.Copy()
	for _, limit := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		config.RuntimeParams[limit] = "0" // a migration takes the time that it takes
	}
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	conn, err := connect(ctx, db, wait)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	var version int
	var encoding string
	err = conn.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int,
		current_setting('server_encoding')`).Scan(&version, &encoding)
	switch {
	case err != nil:
		return err
	case version < oldestServer:
		return fmt.Errorf("the server is PostgreSQL %d; it must be %d or later", version/10000, oldestServer/10000)
	case encoding != "UTF8":
		return fmt.Errorf("its encoding is %s; it must be UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)",
			encoding)
	}
	return upgrade(ctx, db, conn)
}

// connect waits for a server that is about to start.
func connect(ctx context.Context, db *dbsql.DB, wait time.Duration) (*dbsql.Conn, error) {
	const longest = time.Second
	end := time.Now().Add(wait)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, longest) {
		try, cancel := context.WithDeadline(ctx, end)
		conn, err := db.Conn(try)
		cancel()
		if err == nil || ctx.Err() != nil || !mayPass(err) {
			return conn, err
		}
		if time.Now().Add(pause).After(end) {
			return nil, fmt.Errorf("not reached within %s: %w", wait, err)
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}

// mayPass reports whether a connection failure may be temporary: the server is starting, stopping or full.
func mayPass(err error) bool {
	switch code := condition(err); {
	case code == "57P01", code == "57P02", code == "57P03", code == "53300":
		return true
	case code != "":
		return false
	}
	var stranger *tls.CertificateVerificationError
	var network net.Error
	return !errors.As(err, &stranger) &&
		(errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}

// flat is an error in one line.
type flat struct{ error }

func (f flat) Error() string {
	return strings.NewReplacer(":\n\t", ": ", "\n\t", "; ", "\n", " ").Replace(f.error.Error())
}

func (f flat) Unwrap() error { return f.error }

// explain adds advice to some errors of the server.
func explain(err error) error {
	err = flat{err}
	switch condition(err) {
	case "28P01", "28000":
		return fmt.Errorf("user or password is wrong, or the server does not let this user in from here: %w", err)
	case "3D000":
		return fmt.Errorf("there is no such database; create it first: %w", err)
	case "42501":
		return fmt.Errorf("the user may not change the tables; let it own the database: %w", err)
	}
	return err
}

// migrationLock is the advisory lock for migrations, so that replicas that start at once migrate one after the other.
const migrationLock = 0x6d696c6c77726974

// upgrade takes the lock on conn and migrates. The server releases the lock if this process dies.
func upgrade(ctx context.Context, db *dbsql.DB, conn *dbsql.Conn) error {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, int64(migrationLock)); err != nil {
		return fmt.Errorf("wait for other replicas to migrate: %w", err)
	}
	err = sql.Migrate(ctx, database.DialectPostgres, db, folder)
	_, unlock := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, int64(migrationLock))
	return errors.Join(err, unlock)
}
