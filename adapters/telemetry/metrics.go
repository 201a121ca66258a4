package telemetry

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// Metrics counts and measures in its own registry, without metrics of other packages.
type Metrics struct {
	registry *prometheus.Registry

	requests   *prometheus.CounterVec   // by route, method, status
	latency    *prometheus.HistogramVec // by route, method
	attempts   *prometheus.CounterVec   // by product, outcome
	refused    *prometheus.CounterVec   // by code, check
	lasted     *prometheus.HistogramVec // by product
	stages     *prometheus.HistogramVec // by product, stage
	programs   *prometheus.CounterVec   // that may be run, by completeness
	pathLeft   prometheus.Counter
	reaped     *prometheus.CounterVec // by event kind
	troubles   prometheus.Counter
	computed   *prometheus.CounterVec // runs by device
	calls      *prometheus.CounterVec // of compute primitives, by where they ran
	fallbacks  prometheus.Counter
	portCalls  *prometheus.HistogramVec // by port, call
	portErrors *prometheus.CounterVec   // by port, call
}

const namespace = "millwright"

// Upper ends of histogram buckets, s: requests, stages of jobs, and calls of ports.
var (
	requestBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60}
	stageBuckets   = []float64{.005, .02, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}
	portBuckets    = []float64{.0002, .0005, .001, .002, .005, .01, .02, .05, .1, .25, 1, 5, 30}
)

// NewMetrics creates the metrics; queue metrics are read from the store at each scrape. Ages use the clock, whose skew
// is a metric too.
func NewMetrics(store job.Store, clock *record.SharedClock) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: name, Help: help, Buckets: buckets,
		}, labels)
	}
	single := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("http_requests_total", "Requests answered.", "route", "method", "status"),
		latency:  histogram("http_request_seconds", "Time to answer.", requestBuckets, "route", "method"),
		attempts: counter("attempts_total", "Attempts at jobs that ended in this process.", "product", "outcome"),
		refused: counter("failures_total", "Attempts that failed for good, by the code that clients see and, for "+
			"geometry that contradicts itself, the check that found it.", "code", "check"),
		lasted:   histogram("attempt_seconds", "Time from lease to end.", stageBuckets, "product"),
		stages:   histogram("stage_seconds", "Time of a stage of an attempt.", stageBuckets, "product", "stage"),
		programs: counter("programs_total", "Programs that may be run, by how complete they are.", "completeness"),
		pathLeft: single("programs_path_left_total", "Programs whose paths leave material that their plan makes."),
		reaped: counter("reaper_total", "What the reaper of this process did: leases taken back, attempts cleaned, "+
			"parts deleted.", "did"),
		troubles:  single("worker_troubles_total", "Troubles of workers that may pass."),
		computed:  counter("kernel_runs_total", "Runs of the kernel by the device they computed on.", "device"),
		calls:     counter("compute_calls_total", "Calls of compute primitives.", "primitive", "device"),
		fallbacks: single("gpu_fallbacks_total", "Computations that a graphics device failed and the processor did."),
		portCalls: histogram("port_call_seconds", "Time of calls of store, queue and objects.", portBuckets,
			"port", "call"),
		portErrors: counter("port_errors_total", "Calls of store, queue and objects that failed.", "port", "call"),
	}
	m.registry.MustRegister(
		m.requests, m.latency, m.attempts, m.refused, m.programs, m.pathLeft, m.lasted, m.stages, m.reaped, m.troubles,
		m.computed, m.calls, m.fallbacks, m.portCalls, m.portErrors, newBacklog(store, clock),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: namespace, Name: "clock_ahead_seconds",
			Help: "How far the clock of this process is ahead of the store's, as last measured; negative: behind.",
		}, func() float64 { return clock.Skew().Ahead.Seconds() }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Handler shows the metrics to Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Begin implements httpapi.Observer.
func (*Metrics) Begin(r *http.Request) context.Context { return r.Context() }

// End implements httpapi.Observer.
func (m *Metrics) End(_ context.Context, e httpapi.Exchange) {
	route := e.Route
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(route, e.Method, strconv.Itoa(e.Status)).Inc()
	m.latency.WithLabelValues(route, e.Method).Observe(e.Took.Seconds())
}

// OnEvent counts the events of workers.
func (m *Metrics) OnEvent(e worker.Event) {
	product := string(e.Job.Product)
	switch e.Kind {
	case worker.Committed, worker.Failed, worker.Retried, worker.Released, worker.Fenced:
		m.attempts.WithLabelValues(product, string(e.Kind)).Inc()
		if e.Kind == worker.Failed {
			m.fail(e.Err)
		}
		m.account(e.Account)
	case worker.Ended:
		m.lasted.WithLabelValues(product).Observe(e.Took.Seconds())
	case worker.Staged:
		m.stages.WithLabelValues(product, string(e.Stage)).Observe(e.Took.Seconds())
		if e.Compute != nil {
			m.computed.WithLabelValues(e.Compute.Device).Inc()
			for name, n := range e.Compute.OnCPU {
				m.calls.WithLabelValues(name, "cpu").Add(float64(n))
			}
			for name, n := range e.Compute.OnGPU {
				m.calls.WithLabelValues(name, "gpu").Add(float64(n))
			}
			m.fallbacks.Add(float64(e.Compute.Fallbacks))
		}
	case worker.Reclaimed, worker.Cleaned, worker.Expired:
		m.reaped.WithLabelValues(string(e.Kind)).Add(float64(max(1, e.Count)))
	case worker.OutageStarted:
		m.troubles.Inc()
	}
}

// account counts the completeness of a program; a is nil without an account.
func (m *Metrics) account(a *completeness.Account) {
	if a == nil {
		return
	}
	m.programs.WithLabelValues(string(a.Completeness)).Inc()
	if a.Has(completeness.PathLeft) {
		m.pathLeft.Inc()
	}
}

// fail counts why a job failed.
func (m *Metrics) fail(err error) {
	why := &fault.Error{Code: fault.KernelError}
	errors.As(err, &why)
	m.refused.WithLabelValues(string(why.Code), why.Check).Inc()
}

// call measures a call of a port. Expected results, such as a missing record, and the end of a wait do not count as
// errors.
func (m *Metrics) call(port, name string, do func() error) error {
	begin := time.Now()
	err := do()
	m.portCalls.WithLabelValues(port, name).Observe(time.Since(begin).Seconds())
	if err != nil && !expected(err) {
		m.portErrors.WithLabelValues(port, name).Inc()
	}
	return err
}

func expected(err error) bool {
	var soon *part.RateLimitedError
	for _, answer := range []error{
		record.ErrNotFound, record.ErrExists, record.ErrFenced, job.ErrNotAvailable, object.ErrNotFound,
		object.ErrTooLarge, job.ErrEnded, job.ErrNotFailed, context.Canceled,
	} {
		if errors.Is(err, answer) {
			return true
		}
	}
	var refused *apierr.Error
	return errors.As(err, &soon) || errors.As(err, &refused)
}
