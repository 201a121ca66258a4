package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/job"
)

const typeEvents = "text/event-stream"

// eventsPath ends the addresses of streams.
const eventsPath = "/events"

const (
	// eventPulse is the longest silence of a stream. Proxies end connections that are silent for a minute.
	eventPulse = 15 * time.Second
	// eventLife bounds a stream: the next connection is identified anew, so a revoked key hears no more after it.
	eventLife = time.Minute
	// The numbers of open streams of a team and of this process. A further stream ends after its snapshot.
	eventsOfTeam, eventsInAll = 32, 512
	// eventRetry (ms) is when a client should connect again, and eventRetryFull one whose stream ended early.
	eventRetry, eventRetryFull = "1000", "10000"
)

// streams counts the open streams by team. It is safe for concurrent use.
type streams struct {
	mu   sync.Mutex
	of   map[string]int
	open int
}

// enter counts a stream; false: there are enough.
func (s *streams) enter(team string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= eventsInAll || s.of[team] >= eventsOfTeam {
		return false
	}
	if s.of == nil {
		s.of = map[string]int{}
	}
	s.open++
	s.of[team]++
	return true
}

func (s *streams) leave(team string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.of[team]--; s.of[team] == 0 {
		delete(s.of, team)
	}
}

func eventsOperation() huma.Operation {
	op := explained(operation(http.MethodGet, "/v1/jobs/{jobId}"+eventsPath, "watch-job", "Watch a job", core,
		apierr.NotFound),
		"A stream of server-sent events named job: the job as read-job answers it, at once and after each change. "+
			"The stream ends after the event of a job that has ended, and after a minute: connect again, as "+
			"EventSource does, and the first event is the present state. A comment comes at least every 15 seconds. "+
			"When a team has many open streams, a further one ends after its first event and asks for a longer pause.")
	op.Responses = map[string]*huma.Response{"200": {
		Description: "Server-sent events; the data of each is a JobDetail.",
		Headers: map[string]*huma.Param{"X-Accel-Buffering": {
			Description: "Asks proxies to pass each event on at once.",
			Schema:      &huma.Schema{Type: huma.TypeString, Enum: []any{"no"}},
		}},
		Content: map[string]*huma.MediaType{typeEvents: {
			Schema:  &huma.Schema{Type: huma.TypeString, Description: "Events as in the HTML standard."},
			Example: "retry: 1000\n\nevent: job\ndata: {\"status\":\"running\",\"progress\":40}\n\n",
		}},
	}}
	return op
}

// watchJob streams a job.
func (a *api) watchJob(ctx context.Context, in *JobPath) (*huma.StreamResponse, error) {
	if _, err := a.use.Jobs.Get(ctx, caller(ctx), in.JobID); err != nil {
		return nil, a.fail(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		_, w := humamux.Unwrap(hc)
		a.stream(ctx, w, in.JobID)
	}}, nil
}

// stream writes the events of a job.
func (a *api) stream(ctx context.Context, w http.ResponseWriter, jobID string) {
	ctx, cancel := context.WithTimeout(ctx, eventLife)
	defer cancel()
	if a.config.Stopping != nil {
		defer context.AfterFunc(a.config.Stopping, cancel)()
	}
	w.Header().Set("Content-Type", typeEvents)
	w.Header().Set("X-Accel-Buffering", "no") // nginx
	team := caller(ctx).TeamID
	retry := eventRetry
	if a.streams.enter(team) {
		defer a.streams.leave(team)
	} else {
		retry = eventRetryFull
	}
	conn := http.NewResponseController(w)
	send := func(text string) error {
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		return conn.Flush()
	}
	err := send("retry: " + retry + "\n\n")
	if err == nil {
		err = a.use.Jobs.Watch(ctx, caller(ctx), jobID, eventPulse, func(j job.Job, changed bool) error {
			if !changed {
				return send(":\n\n")
			}
			data, err := json.Marshal(wireJobDetail(j))
			if err == nil {
				err = send("event: job\ndata: " + string(data) + "\n\n")
			}
			if err == nil && retry == eventRetryFull {
				cancel()
			}
			return err
		})
	}
	if err != nil && ctx.Err() == nil { // else the client has gone, or the job was deleted
		a.config.Logger.Info("a stream of events ended", "job", jobID, "error", err)
	}
}
