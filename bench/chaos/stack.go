package chaos

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"millwright.dev/millwright/adapters/testserver"
	"millwright.dev/millwright/bench/teststack"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// stack is the processes of the service and their infrastructure.
type stack struct {
	Config
	*teststack.Stack
	base string // address of the API

	api     *testserver.Server
	workers []*testserver.Server

	backlog atomic.Int64 // number of unfinished jobs, as last counted

	key  string // API key
	team string // id
}

func start(ctx context.Context, c Config) (*stack, error) {
	on, err := teststack.Open(ctx, c.Stack, c.Dir)
	if err != nil {
		return nil, err
	}
	s := &stack{Config: c, Stack: on}
	if err := s.begin(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// begin makes a key and starts the processes: one that does everything, or the API and workers apart.
func (s *stack) begin(ctx context.Context) error {
	key, err := s.MakeKey(ctx, teststack.KeyRequest{Team: "chaos"})
	if err != nil {
		return err
	}
	s.key, s.team = key.Text, key.Key.TeamID
	if s.Name == teststack.Single {
		return s.serve(ctx, s.Workers)
	}
	if err := s.serve(ctx, 0); err != nil {
		return err
	}
	for i := range s.Workers {
		w, err := s.process(ctx, fmt.Sprint("worker", i), nil, "worker")
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	return nil
}

// serve starts the API, with so many runners in its process, on an address that it keeps when it starts again.
func (s *stack) serve(ctx context.Context, runners int) error {
	port, err := testserver.FreePort()
	if err != nil {
		return err
	}
	address := "127.0.0.1:" + strconv.Itoa(port)
	s.base = "http://" + address
	s.api, err = s.process(ctx, "serve", s.answers,
		"serve", "--listen", address, "--workers", strconv.Itoa(runners), "--create-interval", "0")
	if err != nil {
		return err
	}
	s.api.Ready = nil // starting again, it may find its servers away
	return nil
}

// answers returns an error unless the API responds.
func (s *stack) answers(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/health", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	_ = res.Body.Close() // only its status counts
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s", res.Status)
	}
	return nil
}

// process starts a command of the program that gives up early on silent peers. The smallest file needs no graphics
// device.
func (s *stack) process(
	ctx context.Context, name string, ready func(context.Context) error, args ...string,
) (*testserver.Server, error) {
	argv := append([]string{s.Program}, args...)
	argv = append(argv, "--lease", lease.String(), "--clean-after", cleanAfter.String(), "--device", "cpu")
	return s.Start(ctx, filepath.Join(s.Dir, name+".log"), ready, argv...)
}

// processes are all of the service.
func (s *stack) processes() []*testserver.Server {
	return append([]*testserver.Server{s.api}, s.workers...)
}

func (s *stack) close() {
	for _, p := range s.processes() {
		if p != nil {
			p.Kill()
		}
	}
	if err := s.Close(); err != nil {
		_, _ = fmt.Fprintln(s.Log, "chaos: clean up:", err) // the run is over either way
	}
}

// unfinished counts the jobs that have not ended.
func (s *stack) unfinished(ctx context.Context) (int, error) {
	queued, err := s.count(ctx, job.Queued)
	if err != nil {
		return 0, err
	}
	running, err := s.count(ctx, job.Running)
	return queued + running, err
}

// count returns the number of jobs in a state.
func (s *stack) count(ctx context.Context, state job.Status) (int, error) {
	_, n, err := s.Store.ListJobs(ctx, job.Query{
		TeamID: s.team, Filter: job.Filter{Page: record.Page{Page: 1, PageSize: 1}, Status: state},
	})
	return n, err
}
