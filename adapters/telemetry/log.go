// Package telemetry observes the service: structured logs, Prometheus metrics and OpenTelemetry traces. It receives the
// events of workers and the exchanges of the REST interface, and measures ports by wrapping them; core does not depend
// on it.
//
// No secrets are written: no key text, no signed query, no body. Names of routes, methods and product types come from
// the program, never from a client, so that no client can create series.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/worker"
)

// Formats of logs.
const (
	FormatText = "text"
	FormatJSON = "json"
)

// NewLogger returns a logger that writes lines of text or of JSON, from a level (debug, info, warn, error) upward.
func NewLogger(w io.Writer, format, level string) (*slog.Logger, error) {
	var from slog.Level
	if err := from.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level %q is none of debug, info, warn, error", level)
	}
	options := &slog.HandlerOptions{Level: from}
	switch format {
	case FormatText:
		return slog.New(slog.NewTextHandler(w, options)), nil
	case FormatJSON:
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, fmt.Errorf("log format %q is none of %s, %s", format, FormatText, FormatJSON)
}

// AccessLog writes a line for each request.
type AccessLog struct{ Logger *slog.Logger }

// Begin implements httpapi.Observer.
func (AccessLog) Begin(r *http.Request) context.Context { return r.Context() }

// End implements httpapi.Observer. Times are ms.
func (l AccessLog) End(ctx context.Context, e httpapi.Exchange) {
	level := slog.LevelInfo
	if e.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attrs := []slog.Attr{
		slog.String("request", e.RequestID), slog.String("method", e.Method), slog.String("route", e.Route),
		slog.Int("status", e.Status), slog.Float64("ms", float64(e.Took.Microseconds())/1000),
		slog.Int64("bytes", e.Bytes),
	}
	if e.TeamID != "" {
		attrs = append(attrs, slog.String("team", e.TeamID), slog.String("key", e.KeyID))
	}
	l.Logger.LogAttrs(ctx, level, "request", attrs...)
}

// LogEvent writes a log line for an event of a job or a pool.
func LogEvent(log *slog.Logger, e worker.Event) {
	level := slog.LevelInfo
	switch e.Kind {
	case worker.Reaped, worker.Cleaned, worker.Staged, worker.Ended:
		level = slog.LevelDebug // the ordinary course of things
	case worker.OutageStarted:
		level = slog.LevelError
	case worker.Failed, worker.Retried:
		var ofTheFile *fault.Error
		if !errors.As(e.Err, &ofTheFile) {
			level = slog.LevelError // such as a crash; the client learns no details
		}
	}
	if !log.Enabled(context.Background(), level) {
		return
	}
	attrs := []slog.Attr{slog.String("event", string(e.Kind))}
	if e.Job.ID != "" {
		attrs = append(attrs, slog.String("job", e.Job.ID))
	}
	if e.Job.PartID != "" {
		attrs = append(attrs, slog.String("part", e.Job.PartID), slog.String("product", string(e.Job.Product)),
			slog.String("team", e.Job.TeamID), slog.Int("attempt", e.Job.Attempt))
	}
	if e.Loop != "" {
		attrs = append(attrs, slog.String("loop", e.Loop))
	}
	if e.Count > 0 {
		attrs = append(attrs, slog.Int("count", e.Count))
	}
	if e.Stage != "" {
		attrs = append(attrs, slog.String("stage", string(e.Stage)))
	}
	if e.Took > 0 {
		attrs = append(attrs, slog.Float64("ms", float64(e.Took.Microseconds())/1000))
	}
	if e.Err != nil {
		attrs = append(attrs, slog.Any("error", e.Err))
	}
	log.LogAttrs(context.Background(), level, "workers", attrs...)
}
