// Package record says how the records of the service lie in rows: their columns, and how a row becomes a record. Both
// databases hold them alike. The statements stay with the adapters, since locks, placeholders of lists, functions on JSON
// and what is known after a failure differ.
package sql

import "time"

// Row is a row of a result.
type Row interface{ Scan(dest ...any) error }

// Micros is a time as a column holds it; the zero time is 0.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Time is the time that a column holds; 0 is the zero time.
func Time(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// MicrosOrNull is a time for a column that holds NULL for none.
func MicrosOrNull(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

// TimeOrNil is the time of such a column.
func TimeOrNil(n *int64) *time.Time {
	if n == nil {
		return nil
	}
	t := time.UnixMicro(*n).UTC()
	return &t
}
