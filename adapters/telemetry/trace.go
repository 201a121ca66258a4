package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/worker"
)

// EndpointVariable names the collector for traces by OTLP over HTTP; unset, tracing is off. The other OTEL_ variables
// of the exporter and the sampler apply too.
const EndpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"

// Tracing traces a request through the API, and its job through worker and stages. The trace context is in the job's
// row, so the trace continues at any later time, on any machine and for each attempt.
type Tracing struct {
	provider *trace.TracerProvider
	tracer   api.Tracer
	carrier  propagation.TraceContext

	mu       sync.Mutex
	attempts map[job.FencingToken]attemptSpan // that run in this process
}

type attemptSpan struct {
	span api.Span
	ctx  context.Context
}

// OpenTracing sends spans to the collector that the environment names; without one it returns nil, which is a
// Tracing that does nothing.
func OpenTracing(ctx context.Context, version string) (*Tracing, error) {
	if os.Getenv(EndpointVariable) == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return nil, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "millwright"), attribute.String("service.version", version),
	), resource.WithFromEnv(), resource.WithHost())
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	return newTracing(trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))), nil
}

func newTracing(p *trace.TracerProvider) *Tracing {
	return &Tracing{provider: p, tracer: p.Tracer("millwright"), attempts: map[job.FencingToken]attemptSpan{}}
}

// Close sends the remaining spans.
func (t *Tracing) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Begin implements httpapi.Observer.
func (t *Tracing) Begin(r *http.Request) context.Context {
	ctx := t.carrier.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, _ = t.tracer.Start(ctx, "HTTP", api.WithSpanKind(api.SpanKindServer))
	return ctx
}

// End implements httpapi.Observer.
func (t *Tracing) End(ctx context.Context, e httpapi.Exchange) {
	span := api.SpanFromContext(ctx)
	span.SetName(e.Method + " " + e.Route)
	span.SetAttributes(
		attribute.String("http.request.method", e.Method), attribute.String("http.route", e.Route),
		attribute.Int("http.response.status_code", e.Status), attribute.Int64("http.response.body.size", e.Bytes),
		attribute.String("millwright.request", e.RequestID), attribute.String("millwright.team", e.TeamID),
	)
	if e.Status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, http.StatusText(e.Status))
	}
	span.End()
}

// Context gives the trace context of a request as W3C traceparent, for the job that it makes.
func (t *Tracing) Context(ctx context.Context) string {
	if t == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	t.carrier.Inject(ctx, carrier)
	return carrier.Get("traceparent")
}

// OnEvent makes a span of each attempt, and one of each of its stages.
func (t *Tracing) OnEvent(e worker.Event) {
	if t == nil || e.Job.ID == "" {
		return
	}
	fence := job.FencingToken{JobID: e.Job.ID, Token: e.Job.Token}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Kind == worker.Leased {
		parent := t.carrier.Extract(context.Background(), propagation.MapCarrier{"traceparent": e.Job.Trace})
		ctx, span := t.tracer.Start(parent, "job "+string(e.Job.Product), api.WithSpanKind(api.SpanKindConsumer),
			api.WithAttributes(
				attribute.String("millwright.job", e.Job.ID), attribute.String("millwright.part", e.Job.PartID),
				attribute.String("millwright.team", e.Job.TeamID), attribute.Int("millwright.attempt", e.Job.Attempt),
				attribute.String("millwright.class", e.Job.Class.String()),
			))
		t.attempts[fence] = attemptSpan{span, ctx}
		return
	}
	a, ours := t.attempts[fence]
	if !ours {
		return
	}
	switch e.Kind {
	case worker.Staged:
		end := time.Now()
		_, span := t.tracer.Start(a.ctx, string(e.Stage), api.WithTimestamp(end.Add(-e.Took)))
		if e.Compute != nil {
			span.SetAttributes(attribute.String("millwright.device", e.Compute.Device))
		}
		span.End(api.WithTimestamp(end))
	case worker.Ended:
		a.span.End()
		delete(t.attempts, fence)
	default:
		a.span.AddEvent(string(e.Kind))
		if e.Err != nil {
			a.span.SetStatus(codes.Error, string(e.Kind))
			a.span.RecordError(e.Err)
		}
	}
}
