package job

import (
	"time"
)

// Lease is a worker's claim on a job.
type Lease struct {
	Worker string // takes one job at a time. Its name is unique, so that it identifies a lease together with Now
	Now    time.Time
	Until  time.Time
}

// FencingToken names one lease of one job. Each lease of a job takes the next higher token. A write with a token that
// is not the job's newest, or on a job that is not running, is record.ErrFenced.
type FencingToken struct {
	JobID string
	Token int64
}
