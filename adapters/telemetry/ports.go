package telemetry

import (
	"context"
	"io"
	"time"

	"millwright/core/service"
)

// Store measures the calls of a store that requests and workers wait for.
func (m *Metrics) Store(s service.Store) service.Store { return measuredStore{s, m} }

type measuredStore struct {
	service.Store
	m *Metrics
}

// Ping implements service.Store.
func (s measuredStore) Ping(ctx context.Context) error {
	return s.m.call("store", "ping", func() error { return s.Store.Ping(ctx) })
}

// KeyByHash implements service.Accounts.
func (s measuredStore) KeyByHash(ctx context.Context, hash [32]byte) (k service.Key, err error) {
	err = s.m.call("store", "key_by_hash", func() error { k, err = s.Store.KeyByHash(ctx, hash); return err })
	return k, err
}

// Part implements service.Parts.
func (s measuredStore) Part(ctx context.Context, teamID, partID string) (p service.Part, err error) {
	err = s.m.call("store", "part", func() error { p, err = s.Store.Part(ctx, teamID, partID); return err })
	return p, err
}

// Report implements service.Parts.
func (s measuredStore) Report(ctx context.Context, teamID, partID, jobID string) (r service.Report, err error) {
	err = s.m.call("store", "report", func() error { r, err = s.Store.Report(ctx, teamID, partID, jobID); return err })
	return r, err
}

// Enqueue implements service.Jobs.
func (s measuredStore) Enqueue(ctx context.Context, j service.Job, t service.EnqueueTerms) (p service.Part, err error) {
	err = s.m.call("store", "enqueue", func() error { p, err = s.Store.Enqueue(ctx, j, t); return err })
	return p, err
}

// ListJobs implements service.Jobs.
func (s measuredStore) ListJobs(ctx context.Context, q service.JobQuery) (j []service.Job, n int, err error) {
	err = s.m.call("store", "list_jobs", func() error { j, n, err = s.Store.ListJobs(ctx, q); return err })
	return j, n, err
}

// LeaseNext implements service.Attempts.
func (s measuredStore) LeaseNext(ctx context.Context, f service.WorkFilter, l service.Lease,
) (j service.Job, p service.Part, err error) {
	err = s.m.call("store", "lease_next", func() error { j, p, err = s.Store.LeaseNext(ctx, f, l); return err })
	return j, p, err
}

// Heartbeat implements service.Attempts.
func (s measuredStore) Heartbeat(ctx context.Context, f service.Fence, until time.Time, progress *int, now time.Time,
) error {
	return s.m.call("store", "heartbeat", func() error { return s.Store.Heartbeat(ctx, f, until, progress, now) })
}

// Commit implements service.Attempts.
func (s measuredStore) Commit(ctx context.Context, f service.Fence, o service.Outcome, now time.Time) error {
	return s.m.call("store", "commit", func() error { return s.Store.Commit(ctx, f, o, now) })
}

// Objects measures the calls of an object store; Get is measured until the first byte can be read.
func (m *Metrics) Objects(o service.Objects) service.Objects { return measuredObjects{o, m} }

type measuredObjects struct {
	service.Objects
	m *Metrics
}

// Head implements service.Objects.
func (o measuredObjects) Head(ctx context.Context, ref service.ObjectRef) (i service.ObjectInfo, err error) {
	err = o.m.call("objects", "head", func() error { i, err = o.Objects.Head(ctx, ref); return err })
	return i, err
}

// Get implements service.Objects.
func (o measuredObjects) Get(ctx context.Context, ref service.ObjectRef,
) (r io.ReadCloser, i service.ObjectInfo, err error) {
	err = o.m.call("objects", "get", func() error { r, i, err = o.Objects.Get(ctx, ref); return err })
	return r, i, err
}

// Put implements service.Objects.
func (o measuredObjects) Put(ctx context.Context, ref service.ObjectRef, r io.Reader) error {
	return o.m.call("objects", "put", func() error { return o.Objects.Put(ctx, ref, r) })
}

// Seal implements service.Objects.
func (o measuredObjects) Seal(ctx context.Context, from, to service.ObjectRef, most int64,
) (i service.ObjectInfo, err error) {
	err = o.m.call("objects", "seal", func() error { i, err = o.Objects.Seal(ctx, from, to, most); return err })
	return i, err
}

// Delete implements service.Objects.
func (o measuredObjects) Delete(ctx context.Context, ref service.ObjectRef) error {
	return o.m.call("objects", "delete", func() error { return o.Objects.Delete(ctx, ref) })
}

// Queue measures how long publishing takes; receiving is waiting.
func (m *Metrics) Queue(q service.Queue) service.Queue { return measuredQueue{q, m} }

type measuredQueue struct {
	service.Queue
	m *Metrics
}

// Publish implements service.Queue.
func (q measuredQueue) Publish(ctx context.Context, w service.Wake) error {
	return q.m.call("queue", "publish", func() error { return q.Queue.Publish(ctx, w) })
}
