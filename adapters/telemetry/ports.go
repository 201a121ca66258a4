package telemetry

import (
	"context"
	"io"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// Only calls for which requests and workers wait are measured.

// Pinger measures a look whether the store answers.
func (m *Metrics) Pinger(p record.Pinger) record.Pinger { return measuredPinger{p, m} }

type measuredPinger struct {
	record.Pinger
	m *Metrics
}

// Ping implements record.Pinger.
func (s measuredPinger) Ping(ctx context.Context) error {
	return s.m.call("store", "ping", func() error { return s.Pinger.Ping(ctx) })
}

// Keys measures the store of keys.
func (m *Metrics) Keys(s account.KeyStore) account.KeyStore { return measuredKeys{s, m} }

type measuredKeys struct {
	account.KeyStore
	m *Metrics
}

// KeyByHash implements account.KeyStore.
func (s measuredKeys) KeyByHash(ctx context.Context, hash [32]byte) (k account.Key, err error) {
	err = s.m.call("store", "key_by_hash", func() error { k, err = s.KeyStore.KeyByHash(ctx, hash); return err })
	return k, err
}

// Parts measures the store of parts.
func (m *Metrics) Parts(s part.Store) part.Store { return measuredParts{s, m} }

type measuredParts struct {
	part.Store
	m *Metrics
}

// Part implements part.Store.
func (s measuredParts) Part(ctx context.Context, teamID, partID string) (p part.Part, err error) {
	err = s.m.call("store", "part", func() error { p, err = s.Store.Part(ctx, teamID, partID); return err })
	return p, err
}

// Report implements part.Store.
func (s measuredParts) Report(ctx context.Context, teamID, partID, jobID string) (r part.AnalysisReport, err error) {
	err = s.m.call("store", "report", func() error { r, err = s.Store.Report(ctx, teamID, partID, jobID); return err })
	return r, err
}

// Enqueue implements part.Store.
func (s measuredParts) Enqueue(ctx context.Context, j job.Job, t part.EnqueueOptions) (p part.Part, err error) {
	err = s.m.call("store", "enqueue", func() error { p, err = s.Store.Enqueue(ctx, j, t); return err })
	return p, err
}

// Jobs measures the store of jobs.
func (m *Metrics) Jobs(s job.Store) job.Store { return measuredJobs{s, m} }

type measuredJobs struct {
	job.Store
	m *Metrics
}

// ListJobs implements job.Store.
func (s measuredJobs) ListJobs(ctx context.Context, q job.Query) (j []job.Job, n int, err error) {
	err = s.m.call("store", "list_jobs", func() error { j, n, err = s.Store.ListJobs(ctx, q); return err })
	return j, n, err
}

// Attempts measures the workers' calls of a store.
func (m *Metrics) Attempts(s worker.Attempts) worker.Attempts { return measuredAttempts{s, m} }

type measuredAttempts struct {
	worker.Attempts
	m *Metrics
}

// LeaseNext implements worker.Attempts.
func (s measuredAttempts) LeaseNext(ctx context.Context, f job.WorkFilter, l job.Lease,
) (j job.Job, p part.Part, err error) {
	err = s.m.call("store", "lease_next", func() error { j, p, err = s.Attempts.LeaseNext(ctx, f, l); return err })
	return j, p, err
}

// Heartbeat implements worker.Attempts.
func (s measuredAttempts) Heartbeat(ctx context.Context, f job.FencingToken, until time.Time, progress *int, now time.Time,
) error {
	return s.m.call("store", "heartbeat", func() error { return s.Attempts.Heartbeat(ctx, f, until, progress, now) })
}

// Commit implements worker.Attempts.
func (s measuredAttempts) Commit(ctx context.Context, f job.FencingToken, o worker.Outcome, now time.Time) error {
	return s.m.call("store", "commit", func() error { return s.Attempts.Commit(ctx, f, o, now) })
}

// Objects measures the calls of an object store; Get is measured until the first byte can be read.
func (m *Metrics) Objects(o object.Store) object.Store { return measuredObjects{o, m} }

type measuredObjects struct {
	object.Store
	m *Metrics
}

// Head implements object.Store.
func (o measuredObjects) Head(ctx context.Context, ref object.Ref) (i object.Info, err error) {
	err = o.m.call("objects", "head", func() error { i, err = o.Store.Head(ctx, ref); return err })
	return i, err
}

// Get implements object.Store.
func (o measuredObjects) Get(ctx context.Context, ref object.Ref,
) (r io.ReadCloser, i object.Info, err error) {
	err = o.m.call("objects", "get", func() error { r, i, err = o.Store.Get(ctx, ref); return err })
	return r, i, err
}

// Put implements object.Store.
func (o measuredObjects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	return o.m.call("objects", "put", func() error { return o.Store.Put(ctx, ref, r) })
}

// Seal implements object.Store.
func (o measuredObjects) Seal(ctx context.Context, from, to object.Ref, most int64,
) (i object.Info, err error) {
	err = o.m.call("objects", "seal", func() error { i, err = o.Store.Seal(ctx, from, to, most); return err })
	return i, err
}

// Delete implements object.Store.
func (o measuredObjects) Delete(ctx context.Context, ref object.Ref) error {
	return o.m.call("objects", "delete", func() error { return o.Store.Delete(ctx, ref) })
}

// Queue measures the duration of publishing; receiving consists of waiting and is not measured.
func (m *Metrics) Queue(q job.Queue) job.Queue { return measuredQueue{q, m} }

type measuredQueue struct {
	job.Queue
	m *Metrics
}

// Publish implements job.Queue.
func (q measuredQueue) Publish(ctx context.Context, w job.WakeUp) error {
	return q.m.call("queue", "publish", func() error { return q.Queue.Publish(ctx, w) })
}
