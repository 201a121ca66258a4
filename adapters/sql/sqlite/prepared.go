package sqlite

import (
	"context"
	dbsql "database/sql"
	"sync"
)

// prepared is a database that parses each statement once for each connection. Package sql has a limited number of
// statements.
type prepared struct {
	db         *dbsql.DB
	statements sync.Map // *dbsql.Stmt by text
}

func (p *prepared) statement(ctx context.Context, text string) (*dbsql.Stmt, error) {
	if known, ok := p.statements.Load(text); ok {
		return known.(*dbsql.Stmt), nil
	}
	made, err := p.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	first, late := p.statements.LoadOrStore(text, made)
	if late {
		_ = made.Close() // another one was faster
	}
	return first.(*dbsql.Stmt), nil
}

// QueryContext implements the method of the database.
func (p *prepared) QueryContext(ctx context.Context, text string, args ...any) (*dbsql.Rows, error) {
	s, err := p.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// ExecContext implements the method of the database.
func (p *prepared) ExecContext(ctx context.Context, text string, args ...any) (dbsql.Result, error) {
	s, err := p.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}
