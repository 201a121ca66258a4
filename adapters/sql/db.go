package sql

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"millwright.dev/millwright/core/service/record"
)

// DB is a database with the tables of the records. Statements are written for PostgreSQL; Dialect gives the parts that
// differ. The argument of do is valid until do returns. As do may run several
// times, each run must set all results.
type DB interface {
	Dialect
	// Read is for queries that change nothing.
	Read(ctx context.Context, do func(context.Context, Querier) error) error
	// Snapshot is Read for queries whose results agree.
	Snapshot(ctx context.Context, do func(context.Context, Querier) error) error
	// Write is for one statement.
	Write(ctx context.Context, again RetryPolicy, do func(context.Context, Querier) error) error
	// Tx is for statements that take place together or not at all.
	Tx(ctx context.Context, again RetryPolicy, do func(context.Context, Querier) error) error
}

// Querier runs statements. Its errors include record.ErrExists for a violated uniqueness constraint, and
// record.ErrNotFound for an argument that no row can contain.
type Querier interface {
	Dialect
	Exec(ctx context.Context, statement string, args ...any) (changed int64, err error)
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// Dialect returns the parts of statements that databases write differently. Arguments are SQL.
type Dialect interface {
	// Lock returns the clause that locks the rows of a query, such as " FOR UPDATE" for UPDATE, or "" where only one
	// connection writes.
	Lock(strength string) string
	// List returns the table of a List argument: key rises with the order of the items, and value ->> 0, 1, … are the
	// fields of one item.
	List(argument string) string
	// AnyOf returns the condition, after a column, that a query returns the value of the column.
	AnyOf(query string) string
	Greatest(a, b string) string
	// Position returns the position of part in text, from 1; 0 where text does not contain part.
	Position(text, part string) string
	// JSONArray returns the aggregate of items.
	JSONArray(items string) string
	// JSON converts text to the type of columns with JSON.
	JSON(text string) string
}

// Rows are the rows of a result, one after the other.
type Rows interface {
	Next() bool
	Row
	Err() error
	Close()
}

// Row is a row of a result.
type Row interface{ Scan(dest ...any) error }

// longer is a row with more columns.
type longer struct {
	Row
	last []any
}

// Scan reads the last columns too.
func (l longer) Scan(dest ...any) error { return l.Row.Scan(append(dest, l.last...)...) }

// RetryPolicy defines whether a change may be repeated if its outcome is unknown. Only a database with connections that
// may break uses it.
type RetryPolicy struct {
	Always bool
	// Settled reports whether the change took place; with nil the error is returned to the caller.
	Settled func(ctx context.Context, q Querier) (bool, error)
}

// Harmless is the policy of idempotent changes.
var Harmless = RetryPolicy{Always: true}

// Never is for changes that would be another one when repeated.
var Never = RetryPolicy{}

// unless is the policy of changes that leave a trace: they took place if the query finds it.
func unless(trace string, args ...any) RetryPolicy {
	return RetryPolicy{Settled: func(ctx context.Context, q Querier) (bool, error) {
		return One(ctx, q, Value[bool], `SELECT EXISTS (`+trace+`)`, args...)
	}}
}

// unlessThere is the retry policy for adding a record: it was added if its id exists, because ids are unique.
func unlessThere(table, id string) RetryPolicy {
	return unless(`SELECT 1 FROM `+table+` WHERE id = $1`, id)
}

// unlessDeleted is for deletions: a row that is gone was deleted.
func unlessDeleted(table, id string) RetryPolicy {
	return RetryPolicy{Settled: func(ctx context.Context, q Querier) (bool, error) {
		return One(ctx, q, Value[bool], `SELECT NOT EXISTS (SELECT 1 FROM `+table+` WHERE id = $1)`, id)
	}}
}

// Collect reads all rows of a query; no row is an empty list.
func Collect[T any](
	ctx context.Context, q Querier, scan func(Row) (T, error), query string, args ...any,
) ([]T, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// One reads one row, whose absence is record.ErrNotFound.
func One[T any](
	ctx context.Context, q Querier, scan func(Row) (T, error), query string, args ...any,
) (out T, err error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return out, err
		}
		return out, record.ErrNotFound
	}
	if out, err = scan(rows); err != nil {
		return out, err
	}
	rows.Next() // a statement that changes rows has ended only then
	return out, rows.Err()
}

// ReadRow is One outside a transaction.
func ReadRow[T any](
	ctx context.Context, db DB, scan func(Row) (T, error), query string, args ...any,
) (out T, err error) {
	err = db.Read(ctx, func(ctx context.Context, q Querier) error {
		out, err = One(ctx, q, scan, query, args...)
		return err
	})
	return out, err
}

// ReadRows is Collect outside a transaction.
func ReadRows[T any](
	ctx context.Context, db DB, scan func(Row) (T, error), query string, args ...any,
) (out []T, err error) {
	err = db.Read(ctx, func(ctx context.Context, q Querier) error {
		out, err = Collect(ctx, q, scan, query, args...)
		return err
	})
	return out, err
}

// Value reads a row of one column.
func Value[T any](r Row) (v T, err error) { return v, r.Scan(&v) }

// Exec runs one statement that changes rows, and returns the number of rows.
func Exec(ctx context.Context, db DB, again RetryPolicy, statement string, args ...any) (changed int64, err error) {
	err = db.Write(ctx, again, func(ctx context.Context, q Querier) error {
		changed, err = q.Exec(ctx, statement, args...)
		return err
	})
	return changed, err
}

// change is Exec of a Querier when the number does not matter.
func change(ctx context.Context, q Querier, statement string, args ...any) error {
	_, err := q.Exec(ctx, statement, args...)
	return err
}

// met returns the error of a change, or none if it changed no row.
func met(changed int64, err, none error) error {
	if err == nil && changed == 0 {
		return none
	}
	return err
}

// page reads one page of the team's rows of a table, and the total number of rows.
func page[T any](
	ctx context.Context, db DB, table, teamID string, scan func(Row) (T, error), query string, args ...any,
) (items []T, total int, err error) {
	err = db.Snapshot(ctx, func(ctx context.Context, q Querier) error {
		total, err = One(ctx, q, Value[int], `SELECT count(*) FROM `+table+` WHERE team_id = $1`, teamID)
		if err == nil {
			items, err = Collect(ctx, q, scan, query, args...)
		}
		return err
	})
	return items, total, err
}

// List is an argument with several items, each the JSON of its fields. Dialect.List returns its table.
type List []string

func list[T any](items []T, fields func(T) []any) (List, error) {
	out := make(List, len(items))
	for i, item := range items {
		row := fields(item)
		for k, field := range row {
			if s, ok := field.(string); ok {
				row[k] = text(s)
			}
		}
		body, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		out[i] = string(body)
	}
	return out, nil
}

// ids is a list of single fields.
func ids(items []string) (List, error) {
	return list(items, func(id string) []any { return []any{id} })
}

// text returns s without zero bytes and in valid UTF-8, as columns require.
func text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// jsonText is a value as JSON.
func jsonText(v any) (string, error) {
	body, err := json.Marshal(v)
	return string(body), err
}

// noneMeans replaces record.ErrNotFound.
func noneMeans(err, none error) error {
	if errors.Is(err, record.ErrNotFound) {
		return none
	}
	return err
}

// Micros returns the value of a column for a time; the zero time is 0.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Time returns the time of the value of a column; 0 is the zero time.
func Time(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// microsOrNull returns the value of a column that is NULL for nil.
func microsOrNull(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

// timeOrNil is the time of such a column.
func timeOrNil(n *int64) *time.Time {
	if n == nil {
		return nil
	}
	t := time.UnixMicro(*n).UTC()
	return &t
}
