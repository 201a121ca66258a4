// Package redistest runs a private redis-server for tests.
package redistest

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"millwright.dev/millwright/adapters/testserver"
)

// Program is the required program.
const Program = "redis-server"

// Server is a redis-server on a free port.
type Server struct {
	*testserver.Server
	URL string // redis://127.0.0.1:port/0
}

// Run starts a server with its files in dir. Published data survives a restart, except the last moment before a kill.
func Run(ctx context.Context, dir string) (*Server, error) {
	program, err := exec.LookPath(Program)
	if err != nil {
		return nil, err
	}
	port, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	s := &Server{URL: fmt.Sprintf("redis://127.0.0.1:%d/0", port)}
	s.Server, err = testserver.Start(ctx, testserver.Command{
		Argv: []string{
			program, "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir,
			"--appendonly", "yes", "--appendfsync", "no", "--save", "",
		},
		Dir: dir, Log: filepath.Join(dir, "redis.log"),
		Ready: func(ctx context.Context) error { return s.Do(ctx, "PING") },
	})
	return s, err
}

// New is Run for a test, which is skipped if redis-server is not installed.
func New(t testing.TB) *Server {
	t.Helper()
	Require(t)
	return testserver.ForTest(t, Run)
}

// Require skips a test where the server is not installed.
func Require(t testing.TB) {
	t.Helper()
	if err := Installed(); err != nil {
		t.Skip("NOT TESTED on a real Redis: ", err)
	}
}

// Installed returns an error with installation instructions if the server is missing; the error is exec.ErrNotFound.
func Installed() error {
	if _, err := exec.LookPath(Program); err != nil {
		return fmt.Errorf("%w (.ci/setup test installs it)", err)
	}
	return nil
}

// Do gives the server one command.
func (s *Server) Do(ctx context.Context, command ...any) error {
	settings, err := redis.ParseURL(s.URL)
	if err != nil {
		return err
	}
	settings.Dialer = func(ctx context.Context, network, address string) (net.Conn, error) {
		d := net.Dialer{Timeout: time.Second}
		return d.DialContext(ctx, network, address)
	}
	settings.MaxRetries, settings.DialerRetries = -1, 1
	client := redis.NewClient(settings)
	defer func() { _ = client.Close() }()
	return client.Do(ctx, command...).Err()
}
