package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"time"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/telemetry"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// processFlags say how a process that serves or works is watched and stopped.
type processFlags struct {
	LogFormat string        `default:"text" enum:"text,json" help:"Lines of the log: text or json."`
	LogLevel  string        `default:"info" enum:"debug,info,warn,error" help:"Least that is logged: debug, info, warn or error."`
	Admin     string        `placeholder:"ADDRESS" help:"Address for /healthz, /readyz and /metrics, without keys: for the machine or the cluster only, as 127.0.0.1:9090 (default: none)."`
	Pprof     bool          `help:"Serve /debug/pprof at --admin too: it exposes the contents of memory, and a profile uses time of the service."`
	Drain     time.Duration `default:"30s" help:"When told to stop: time for requests and jobs to end; then jobs are given back."`
	Notice    time.Duration `default:"0s" help:"When told to stop: time that /readyz says so before the service stops listening."`
}

// watch is the observable state of this process.
type watch struct {
	log     *slog.Logger
	metrics *telemetry.Metrics
	traces  *telemetry.Tracing // nil: no traces
}

// newWatch is made in two steps: the metrics of the queue need a store, which logs when it opens.
func (f processFlags) newWatch(ctx context.Context) (func(job.Store, *record.SharedClock) *watch, error) {
	log, err := telemetry.NewLogger(os.Stderr, f.LogFormat, f.LogLevel)
	if err != nil {
		return nil, err
	}
	slog.SetDefault(log)
	traces, err := telemetry.OpenTracing(ctx, pipeline.KernelVersion)
	if err != nil {
		return nil, err
	}
	return func(store job.Store, clock *record.SharedClock) *watch {
		return &watch{log: log, metrics: telemetry.NewMetrics(store, clock), traces: traces}
	}, nil
}

func (w *watch) onEvent(e worker.Event) {
	telemetry.LogEvent(w.log, e)
	w.metrics.OnEvent(e)
	w.traces.OnEvent(e)
}

// measure inserts measurements between the use cases and their ports.
func (w *watch) measure(p *app.Ports) {
	p.Health, p.Keys, p.Jobs = w.metrics.Pinger(p.Health), w.metrics.Keys(p.Keys), w.metrics.Jobs(p.Jobs)
	p.Parts, p.Objects = w.metrics.Parts(p.Parts), w.metrics.Objects(p.Objects)
	p.Trace = w.traces.Context
}

// measureWork does the same for workers.
func (w *watch) measureWork(p *worker.Ports) {
	p.Attempts, p.Queue = w.metrics.Attempts(p.Attempts), w.metrics.Queue(p.Queue)
	p.Objects, p.OnEvent = w.metrics.Objects(p.Objects), w.onEvent
}

const (
	// a quarter of a lease: a machine that was suspended is right again before it loses one
	measureClock = 5 * time.Second
	measureTime  = 10 * time.Second // that a measurement may take
)

// watchClock measures the clock of the process until ctx ends, and warns of a large skew when it is seen first.
func watchClock(ctx context.Context, clock *record.SharedClock, log *slog.Logger) {
	ticks, stop := clock.Ticker(measureClock)
	defer stop()
	for warned := false; ; {
		skew := clock.Skew()
		if skew.Large() && !warned {
			log.Warn("the clock of this machine differs from that of the database, which counts; synchronize both",
				"ahead", skew.Ahead.Round(time.Millisecond), "within", skew.Within)
		}
		warned = skew.Large()
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		look, cancel := context.WithTimeout(ctx, measureTime)
		_, err := clock.Measure(look)
		cancel()
		if err != nil && ctx.Err() == nil {
			log.Warn("the clock of the database cannot be read; the last measurement stands", "error", err)
		}
	}
}

// observers see every request.
func (w *watch) observers() []httpapi.Observer {
	all := []httpapi.Observer{telemetry.AccessLog{Logger: w.log}, w.metrics}
	if w.traces != nil {
		all = append(all, w.traces)
	}
	return all
}

// readyTime is the maximum response time of the service's dependencies.
const readyTime = 2 * time.Second

// serveAdmin serves the operators' endpoints at a separate address, which it returns; "" if there is no such address.
// It closes last, so that a stop can be observed.
func (f processFlags) serveAdmin(w *watch, ready func(context.Context) error) (string, func(), error) {
	if f.Admin == "" {
		return "", func() {}, nil
	}
	listener, err := net.Listen("tcp", f.Admin)
	if err != nil {
		return "", nil, listenError("--admin", f.Admin, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("alive\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTime)
		defer cancel()
		answered := make(chan error, 1)
		go func() { answered <- ready(ctx) }()
		var err error
		select {
		case err = <-answered:
		case <-ctx.Done(): // something waits without looking at its context
			err = ctx.Err()
		}
		if err != nil {
			http.Error(w, "not ready: "+err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	})
	mux.Handle("GET /metrics", w.metrics.Handler())
	if f.Pprof {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTime}
	go func() { _ = server.Serve(listener) }() // ends with Close
	return listener.Addr().String(), func() { _ = server.Close() }, nil
}
