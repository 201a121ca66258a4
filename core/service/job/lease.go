package job

import (
	"time"
)

// Lease is a worker's claim on a job.
type Lease struct {
	Worker string // takes one job at a time; no other has the same name, so that a lease is known by it and Now
	Now    time.Time
	Until  time.Time
}

// FencingToken names one lease of one job. Tokens of a job only grow; each lease takes the next. A write
// with a token that is not the job's newest, or on a job that is not running, is record.ErrFenced.
type FencingToken struct {
	JobID string
	Token int64
}
