// Package pgtest runs private PostgreSQL servers for tests. A server has its own folder and a Unix socket. It is
// stopped and deleted when the process that started it ends in any manner.
//
// By default nothing is synced to the disk. A server survives a stop, a crash and a kill, but not a power failure.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Options are the differences from a server on a Unix socket.
type Options struct {
	TCP     bool // listen also on a free port of 127.0.0.1, where a password is asked for
	Durable bool // sync commits to the disk, as a server does that is not for tests

	Certificate, Key []byte // PEM; offer TLS with them
}

// Mode is the signal that stops a server.
type Mode syscall.Signal

// The modes, gentlest first.
const (
	Fast      = Mode(syscall.SIGINT)  // transactions are rolled back, the state is written down
	Immediate = Mode(syscall.SIGQUIT) // a crash: the next start recovers from the log
	Kill      = Mode(syscall.SIGKILL) // kill -9 of the main process, whose children find out by themselves
)

// Server is a private server. Its methods are for one goroutine at a time, except Database and URL.
type Server struct {
	bin      string
	dir      string // folder of the data, the socket and the log
	owner    *syscall.Credential
	options  Options
	port     int
	password string
	main     *exec.Cmd
	ended    chan struct{} // closed when main has ended
	janitor  *exec.Cmd
	leash    io.Closer // pipe whose end the janitor waits for
	made     atomic.Int64
}

// User is the superuser of every server.
const User = "millwright"

// timeout is the time limit of a start or a stop.
const timeout = 60 * time.Second

// New creates and starts a server. The error is ErrAbsent if PostgreSQL is not installed.
func New(ctx context.Context, o Options) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, options: o, port: 5432, password: rand.Text()}
	if s.owner, err = owner(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "millwright-pg-"); err != nil {
		return nil, err
	}
	if err := s.keepJanitor(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	if err := s.make(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.Start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// janitorScript waits for the end of its input, which is the end of the process at the other side of the pipe. Then it
// stops the server and deletes the folder.
const janitorScript = `cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ] && grep -qF "$1" "/proc/$pid/cmdline" 2>/dev/null; then
  kill -QUIT "$pid"
  for _ in $(seq 200); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
fi
rm -rf "$1"`

func (s *Server) keepJanitor() error {
	s.janitor = exec.Command("/bin/sh", "-c", janitorScript, "janitor", s.dir)
	s.janitor.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // outlives a signal to the process group
	leash, err := s.janitor.StdinPipe()
	if err != nil {
		return err
	}
	s.leash = leash
	return s.janitor.Start()
}

// make creates the data folder.
func (s *Server) make(ctx context.Context) error {
	secret := filepath.Join(s.dir, "password")
	cert, key := s.tlsFiles()
	for path, text := range map[string][]byte{secret: []byte(s.password), cert: s.options.Certificate,
		key: s.options.Key} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
	}
	if s.owner != nil {
		for _, path := range []string{s.dir, secret, cert, key} {
			if err := os.Chown(path, int(s.owner.Uid), int(s.owner.Gid)); err != nil {
				return err
			}
		}
	}
	initdb := s.command(ctx, "initdb", "--pgdata", s.data(), "--username", User, "--encoding", "UTF8",
		"--locale", "C", "--no-sync", "--auth-local", "trust", "--auth-host", "scram-sha-256", "--pwfile", secret)
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if s.options.TCP {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s.port = l.Addr().(*net.TCPAddr).Port
		return l.Close()
	}
	return nil
}

func (s *Server) tlsFiles() (cert, key string) {
	return filepath.Join(s.dir, "server.crt"), filepath.Join(s.dir, "server.key")
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, program), args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: s.owner}
	return cmd
}

// errEnded means that the server ended before it answered.
var errEnded = errors.New("the server does not start")

// Start starts a stopped server and waits until it answers.
func (s *Server) Start(ctx context.Context) error {
	if s.main != nil {
		return errors.New("the server runs already")
	}
	for end := time.Now().Add(timeout); ; time.Sleep(20 * time.Millisecond) {
		err := s.spawn(ctx)
		// After Kill its children take a moment to find out; until then they keep the folder for themselves.
		if !errors.Is(err, errEnded) || !strings.Contains(err.Error(), "still in use") || time.Now().After(end) {
			return err
		}
	}
}

func (s *Server) spawn(ctx context.Context) error {
	listen := ""
	if s.options.TCP {
		listen = "127.0.0.1"
	}
	args := []string{"-D", s.data(), "-k", s.dir, "-p", strconv.Itoa(s.port)}
	settings := []string{"listen_addresses=" + listen, "max_connections=200", "shared_buffers=64MB", "max_wal_size=2GB"}
	if !s.options.Durable {
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	if s.options.Certificate != nil {
		cert, key := s.tlsFiles()
		settings = append(settings, "ssl=on", "ssl_cert_file="+cert, "ssl_key_file="+key)
	}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	log, err := os.OpenFile(s.logPath(), os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o600) // of this run
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := s.command(context.WithoutCancel(ctx), "postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }() // the exit status is in the log
	s.main, s.ended = cmd, ended
	return s.await(ctx)
}

func (s *Server) logPath() string { return filepath.Join(s.dir, "log") }

// await waits until the server answers.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for {
		conn, err := pgconn.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			s.main, err = nil, errEnded
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
			continue
		}
		log, _ := os.ReadFile(s.logPath()) // only makes the error clearer
		return fmt.Errorf("%w\n%s", err, log)
	}
}

// Stop stops a running server and waits until it has ended.
func (s *Server) Stop(mode Mode) error {
	if s.main == nil {
		return errors.New("the server does not run")
	}
	if err := s.main.Process.Signal(syscall.Signal(mode)); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
		s.main = nil
		return nil
	case <-time.After(timeout):
		return errors.New("the server does not stop")
	}
}

// Close ends the server, if it runs, and deletes its folder.
func (s *Server) Close() error {
	err := s.leash.Close()
	return errors.Join(err, s.janitor.Wait())
}

// URL is the address of a database of the server, over its socket.
func (s *Server) URL(database string) string {
	q := url.Values{"host": {s.dir}, "port": {strconv.Itoa(s.port)}, "user": {User}}
	return (&url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: q.Encode()}).String()
}

// TCP is the address of a database over TCP, with the password.
func (s *Server) TCP(database string) string {
	return (&url.URL{
		Scheme: "postgres", User: url.UserPassword(User, s.password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)), Path: "/" + database,
	}).String()
}

// Database makes an empty database and returns its name.
func (s *Server) Database(ctx context.Context) (string, error) {
	name := fmt.Sprintf("test_%d", s.made.Add(1))
	return name, s.admin(ctx, "CREATE DATABASE "+name)
}

// Drop deletes a database, ending the connections to it.
func (s *Server) Drop(ctx context.Context, name string) error {
	return s.admin(ctx, "DROP DATABASE "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)")
}

func (s *Server) admin(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}
