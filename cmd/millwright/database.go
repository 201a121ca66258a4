package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"millwright/adapters/postgres"
	"millwright/adapters/sqlite"
	"millwright/core/service"
)

// databaseFlags say where the records are kept. The address holds a password, so it can come from a file, or from the
// environment, which other users of the machine do not see as they see the command line.
type databaseFlags struct {
	Database     string `placeholder:"URL" help:"PostgreSQL database of the records, postgres://USER:PASSWORD@HOST:PORT/NAME (default: a file in the data folder)."`
	DatabaseFile string `type:"path" placeholder:"FILE" help:"File that holds the address of the database."`
}

// recordStore is a store that ends with the process.
type recordStore interface {
	service.Store
	Close() error
}

// open opens the database, or the file in the data folder where none is named.
func (f databaseFlags) open(ctx context.Context, dir string) (recordStore, error) {
	address, err := f.address()
	if err != nil {
		return nil, err
	}
	if address == "" {
		return sqlite.Open(ctx, filepath.Join(dir, "millwright.db"))
	}
	return postgres.Open(ctx, postgres.Options{URL: address})
}

// address is "" where none is named.
func (f databaseFlags) address() (string, error) {
	switch {
	case f.Database != "" && f.DatabaseFile != "":
		return "", errors.New("--database and --database-file both say where the records are; give one of them")
	case f.DatabaseFile == "":
		return f.Database, nil
	}
	text, err := os.ReadFile(f.DatabaseFile)
	if err != nil {
		return "", fmt.Errorf("--database-file: %w", err)
	}
	address := strings.TrimSpace(string(text))
	if address == "" {
		return "", fmt.Errorf("--database-file: %s is empty", f.DatabaseFile)
	}
	return address, nil
}
