package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// backlog reads the state of the queue from the store. Every process that shares a store shows the same: take the
// maximum over processes, not the sum. The time of a process's last look bounds how often the store is asked.
type backlog struct {
	store                                     job.Store
	clock                                     record.Clock
	queued, oldest, running, leaseAge, failed *prometheus.Desc

	mu      sync.Mutex
	looked  time.Time
	metrics []prometheus.Metric
}

const (
	lookAgain  = 5 * time.Second
	lookTime   = 3 * time.Second
	mostLeases = 1000
)

func newBacklog(store job.Store, clock record.Clock) *backlog {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+"_"+name, help, labels, nil)
	}
	return &backlog{
		store:  store,
		clock:  clock,
		queued: desc("queued_jobs", "Jobs that wait for a worker.", "product", "class"),
		oldest: desc("queued_oldest_seconds", "For how long the job has been due that has waited longest.",
			"product", "class"),
		running:  desc("running_jobs", "Jobs that run, at most 1000.", "product", "class"),
		leaseAge: desc("lease_oldest_seconds", "For how long the oldest lease is held."),
		failed:   desc("backlog_read", "1 when the store answered, else 0."),
	}
}

// Describe implements prometheus.Collector.
func (b *backlog) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{b.queued, b.oldest, b.running, b.leaseAge, b.failed} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (b *backlog) Collect(to chan<- prometheus.Metric) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := b.clock.Now(); now.Sub(b.looked) >= lookAgain {
		b.metrics, b.looked = b.look(now), now
	}
	for _, m := range b.metrics {
		to <- m
	}
}

func (b *backlog) look(now time.Time) (out []prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out = append(out, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...))
	}
	waiting, err := b.store.Backlog(ctx)
	leases, err2 := b.store.Leases(ctx, mostLeases)
	if err != nil || err2 != nil {
		gauge(b.failed, 0)
		return out
	}
	gauge(b.failed, 1)
	for _, w := range waiting {
		gauge(b.queued, float64(w.Queued), string(w.Product), w.Class.String())
		gauge(b.oldest, max(0, now.Sub(w.Oldest).Seconds()), string(w.Product), w.Class.String())
	}
	type lane struct{ product, class string }
	running, oldest := map[lane]int{}, 0.0
	for _, j := range leases {
		running[lane{string(j.Product), j.Class.String()}]++
		oldest = max(oldest, now.Sub(j.LeasedAt).Seconds())
	}
	for l, n := range running {
		gauge(b.running, float64(n), l.product, l.class)
	}
	gauge(b.leaseAge, oldest)
	return out
}
