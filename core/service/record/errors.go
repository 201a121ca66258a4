package record

import "errors"

// Errors that stores return, wrapped or not; callers test with errors.Is.
var (
	ErrNotFound    = errors.New("no such record")
	ErrExists      = errors.New("record exists already")
	ErrNoReference = errors.New("a record that this one names does not exist")
	ErrFenced      = errors.New("the lease on this job is held by someone else or the job has ended")
	ErrUnavailable = errors.New("the store cannot do it now") // nothing is written; it may be asked again
)
