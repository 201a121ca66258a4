package sql

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// ErrNewer means that the tables were made by a later release, whose records this one would damage.
var ErrNewer = errors.New("the tables are newer than this program")

// Migrate applies the migrations in files that the database lacks. The caller keeps others from doing so at the same
// time. Errors: ErrNewer.
func Migrate(ctx context.Context, dialect database.Dialect, db *dbsql.DB, files fs.FS) error {
	return MigrateTo(ctx, dialect, db, files, math.MaxInt64)
}

// MigrateTo is Migrate up to a version. It makes the tables of an earlier release.
func MigrateTo(ctx context.Context, dialect database.Dialect, db *dbsql.DB, files fs.FS, version int64) error {
	provider, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	last := sources[len(sources)-1].Version
	has, err := provider.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	if has > last {
		return fmt.Errorf("%w: they have version %d, it knows versions up to %d; run the release that made them, "+
			"or restore a backup from before the upgrade", ErrNewer, has, last)
	}
	_, err = provider.UpTo(ctx, min(version, last))
	return err
}
