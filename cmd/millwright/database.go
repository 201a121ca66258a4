package main

import (
	"context"
	"path/filepath"

	"millwright.dev/millwright/adapters/sql/postgres"
	"millwright.dev/millwright/adapters/sql/sqlite"
	"millwright.dev/millwright/cmd/millwright/app"
)

// databaseFlags select the database of the records. The address may contain a password, see addressFrom.
type databaseFlags struct {
	Database     string `placeholder:"URL" help:"PostgreSQL database of the records, postgres://USER:PASSWORD@HOST:PORT/NAME (default: a file in the data folder)."`
	DatabaseFile string `type:"secretfile" placeholder:"FILE" help:"File that holds the address of the database."`
}

// recordStore is a store that ends with the process.
type recordStore interface {
	app.Store
	Close() error
}

// open opens the database, or the file in the data folder if no database is given.
func (f databaseFlags) open(ctx context.Context, dir string) (recordStore, error) {
	address, err := addressFrom("database", f.Database, f.DatabaseFile)
	if err != nil {
		return nil, err
	}
	if address == "" {
		return sqlite.Open(ctx, fileIn(dir))
	}
	return postgres.Open(ctx, postgres.Options{URL: address})
}

// file returns the file of the records, "" if a database is given.
func (f databaseFlags) file(dir string) (string, error) {
	address, err := addressFrom("database", f.Database, f.DatabaseFile)
	if err != nil || address != "" {
		return "", err
	}
	return fileIn(dir), nil
}

func fileIn(dir string) string { return filepath.Join(dir, "millwright.db") }
