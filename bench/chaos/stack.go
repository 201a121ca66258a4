package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"millwright/adapters/objects/s3/s3test"
	"millwright/adapters/postgres"
	"millwright/adapters/postgres/pgtest"
	"millwright/adapters/queue/redis/redistest"
	"millwright/adapters/sqlite"
	"millwright/adapters/testserver"
	"millwright/core/service"
)

// stack is the processes of the service and the servers under them.
type stack struct {
	Config
	env  []string
	base string // address of the API

	api     *testserver.Server
	workers []*testserver.Server
	pg      *pgtest.Server    // nil in the embedded stack, like the next two
	redis   *redistest.Server // its methods and those of pg are for the goroutine of the faults
	s3      *s3test.Server

	backlog atomic.Int64 // jobs that have not ended, as far as is known

	store   records // the auditor's own connection
	objects string  // folder with a folder for each bucket
	key     string  // API key
	team    string  // id
}

// records is a store that can be closed.
type records interface {
	service.Store
	Close() error
}

func start(ctx context.Context, c Config) (*stack, error) {
	s := &stack{Config: c, env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.Dir, "TMPDIR=" + c.Dir}}
	var err error
	switch c.Stack {
	case Embedded:
		err = s.startEmbedded(ctx)
	case Production:
		err = s.startProduction(ctx)
	default:
		err = errUnknownStack
	}
	if err == nil {
		err = s.makeKey(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stack) startEmbedded(ctx context.Context) error {
	s.objects = filepath.Join(s.data(), "objects", "data")
	if err := s.serve(ctx, s.Workers); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(s.data(), "millwright.db"))
	if err == nil {
		s.store = store
	}
	return err
}

func (s *stack) startProduction(ctx context.Context) error {
	var err error
	if s.pg, err = pgtest.New(ctx, pgtest.Options{}); err != nil {
		return err
	}
	folders := map[string]string{}
	for _, name := range []string{"redis", "s3"} {
		folders[name] = filepath.Join(s.Dir, name)
		if err := os.Mkdir(folders[name], 0o700); err != nil {
			return err
		}
	}
	if s.redis, err = redistest.Run(ctx, folders["redis"]); err != nil {
		return err
	}
	if s.s3, err = s3test.Run(ctx, folders["s3"]); err != nil {
		return err
	}
	s.objects = s.s3.Folder
	name, err := s.pg.Database(ctx)
	if err != nil {
		return err
	}
	s.env = append(s.env, "MILLWRIGHT_DATABASE="+s.pg.URL(name), "MILLWRIGHT_QUEUE="+s.redis.URL,
		"MILLWRIGHT_OBJECTS=s3://millwright?create=true&endpoint="+url.QueryEscape(s.s3.Endpoint),
		"AWS_ACCESS_KEY_ID="+s3test.AccessKey, "AWS_SECRET_ACCESS_KEY="+s3test.Secret)
	if err := s.serve(ctx, 0); err != nil {
		return err
	}
	for i := range s.Workers {
		w, err := s.process(ctx, fmt.Sprint("worker", i), append([]string{"worker"}, workerFlags...)...)
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	store, err := postgres.Open(ctx, postgres.Options{URL: s.pg.URL(name)})
	if err == nil {
		s.store = store
	}
	return err
}

func (s *stack) data() string { return filepath.Join(s.Dir, "data") }

// workerFlags make a process give up early on what has gone silent. The smallest file needs no graphics device.
var workerFlags = []string{"--lease", lease.String(), "--clean-after", cleanAfter.String(), "--device", "cpu"}

// serve starts the API, with so many runners in its process.
func (s *stack) serve(ctx context.Context, runners int) error {
	port, err := testserver.FreePort()
	if err != nil {
		return err
	}
	address := "127.0.0.1:" + strconv.Itoa(port)
	s.base = "http://" + address
	s.api, err = s.process(ctx, "serve", append([]string{
		"serve", "--listen", address, "--workers", strconv.Itoa(runners), "--create-interval", "0",
	}, workerFlags...)...)
	if err != nil {
		return err
	}
	return s.await(ctx)
}

// await waits until the API answers for the first time.
func (s *stack) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, testserver.Patience)
	defer cancel()
	for {
		res, err := http.Get(s.base + "/health")
		if err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK {
			return nil
		}
		if !pause(ctx, tick) {
			return fmt.Errorf("the API does not answer: %w", err)
		}
	}
}

func (s *stack) process(ctx context.Context, name string, args ...string) (*testserver.Server, error) {
	return testserver.Start(ctx, testserver.Command{
		Argv: append(append([]string{s.Program}, args...), "--data", s.data()),
		Env:  s.env, Dir: s.Dir, Log: filepath.Join(s.Dir, name+".log"),
	})
}

// makeKey makes an API key as an operator does.
func (s *stack) makeKey(ctx context.Context) error {
	const team = "chaos"
	cmd := exec.CommandContext(ctx, s.Program,
		"key", "create", "--team", team, "--name", "chaos", "-o", "json", "--data", s.data())
	cmd.Env, cmd.Stderr = s.env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	var made struct{ Key string }
	if err := json.Unmarshal(out, &made); err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	t, err := s.store.TeamByName(ctx, team)
	s.key, s.team = made.Key, t.ID
	return err
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
	var errs []error
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	if s.s3 != nil {
		s.s3.Kill()
	}
	if s.redis != nil {
		s.redis.Kill()
	}
	if s.pg != nil {
		errs = append(errs, s.pg.Close())
	}
	if err := errors.Join(errs...); err != nil {
		_, _ = fmt.Fprintln(s.Log, "chaos: clean up:", err) // the run is over either way
	}
}

// unfinished counts the jobs that have not ended.
func (s *stack) unfinished(ctx context.Context) (int, error) {
	open := 0
	for _, state := range []service.JobStatus{service.JobQueued, service.JobRunning} {
		_, n, err := s.store.ListJobs(ctx, service.JobQuery{
			TeamID: s.team, JobFilter: service.JobFilter{Page: 1, PageSize: 1, Status: state},
		})
		if err != nil {
			return 0, err
		}
		open += n
	}
	return open, nil
}
