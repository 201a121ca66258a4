// Package testserver runs servers for tests: programs of others and of this project, private to one test, on
// a free port of 127.0.0.1. A server dies with the program that started it, also when that is killed.
package testserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Timeout is the time limit for a server to become ready, or to end.
const Timeout = 30 * time.Second

// Command is a program with its environment and a check for its readiness.
type Command struct {
	Argv  []string
	Env   []string                    // the complete environment; nil: the environment of this process
	Dir   string                      // its working folder
	Log   string                      // file that its output is added to
	Ready func(context.Context) error // nil: it serves as soon as it runs
	Term  os.Signal                   // requests the end; default SIGTERM
}

// Server is a running or stopped program.
type Server struct {
	Command
	mu    sync.Mutex
	cmd   *exec.Cmd
	ended chan struct{} // closed when cmd has ended
}

// Start runs the program and waits until it is ready.
func Start(ctx context.Context, c Command) (*Server, error) {
	if c.Term == nil {
		c.Term = syscall.SIGTERM
	}
	s := &Server{Command: c}
	return s, s.Start(ctx)
}

// Start runs a program that has ended once more.
func (s *Server) Start(ctx context.Context) error {
	if err := s.spawn(); err != nil {
		return err
	}
	if s.Ready == nil {
		return nil
	}
	if err := s.await(ctx); err != nil {
		s.Kill()
		return fmt.Errorf("%s: %w\n%s", filepath.Base(s.Argv[0]), err, s.tail())
	}
	return nil
}

func (s *Server) spawn() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	log, err := os.OpenFile(s.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the program has its own
	cmd := exec.Command(s.Argv[0], s.Argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = s.Env, s.Dir, log, log
	cmd.SysProcAttr = dieWithParent()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit status is in its log
		close(ended)
	}()
	s.cmd, s.ended = cmd, ended
	return nil
}

// await polls until the program is ready.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	for {
		err := s.Ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.done():
			return errors.New("the server ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("the server is not ready: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// tail is the end of the log.
func (s *Server) tail() []byte {
	const most = 2000
	text, err := os.ReadFile(s.Log)
	if err != nil {
		return nil
	}
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return bytes.TrimSpace(text)
}

// Signal sends a signal, unless the program has ended.
func (s *Server) Signal(sig os.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.cmd.Process.Signal(sig) // an error: it has ended
}

// Pid is the id of the process that was started last.
func (s *Server) Pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cmd.Process.Pid
}

// Running reports whether the program has not ended.
func (s *Server) Running() bool {
	select {
	case <-s.done():
		return false
	default:
		return true
	}
}

// Stop requests the end of the program and waits; after Timeout it kills the program.
func (s *Server) Stop() {
	s.Signal(s.Term)
	select {
	case <-s.done():
	case <-time.After(Timeout):
		s.Kill()
	}
}

// Kill kills the program and waits for its end.
func (s *Server) Kill() {
	s.Signal(os.Kill)
	<-s.done()
}

// ForTest runs a server in a new folder and kills it at the end of the test.
func ForTest[S interface{ Kill() }](t testing.TB, run func(ctx context.Context, dir string) (S, error)) S {
	t.Helper()
	dir, err := os.MkdirTemp("", "testserver") // a short name, for servers on sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s, err := run(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// done is closed when the program has ended.
func (s *Server) done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// FreePort returns an unused port of 127.0.0.1.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
