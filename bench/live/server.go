package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Build compiles the program into a folder and returns its path.
func Build(ctx context.Context, folder string, flags ...string) (string, error) {
	path := folder + "/millwright"
	args := append(append([]string{"build", "-o", path}, flags...), "millwright/cmd/millwright")
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
}

// Server is a running process of the program.
type Server struct {
	Base  string // http://host:port, as the API is reached
	cmd   *exec.Cmd
	log   *tail
	ended chan struct{} // closed when the process is gone
}

// startTime bounds the wait for a server to listen.
const startTime = 60 * time.Second

var listening = regexp.MustCompile(`(?:address=|"address":")(http://[^\s"]+)`)

// Serve starts the program on the stack, on a free port of the loopback, and waits until it listens.
func (s *Stack) Serve(ctx context.Context, program string, args ...string) (*Server, error) {
	args = append(append([]string{"serve", "--listen", "127.0.0.1:0"}, s.Flags...), args...)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), s.Environment...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // no server outlives who started it
	pipe, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	p := &Server{cmd: cmd, log: &tail{}, ended: make(chan struct{})}
	found := make(chan string, 1)
	go func() {
		defer close(p.ended)
		p.follow(pipe, found)
		_ = cmd.Wait() // how it ended is in the log
	}()
	select {
	case p.Base = <-found:
		return p, nil
	case <-p.ended:
		err = errors.New("the program ended")
	case <-time.After(startTime):
		err = errors.New("the program does not listen")
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.Kill()
	return nil, fmt.Errorf("%w:\n%s", err, p.Log())
}

// follow keeps the end of the log and reports the address when it is there.
func (p *Server) follow(r io.Reader, found chan<- string) {
	lines := bufio.NewReader(r)
	for told := false; ; {
		line, err := lines.ReadString('\n')
		p.log.add(line)
		if m := listening.FindStringSubmatch(line); m != nil && !told {
			told = true
			found <- m[1]
		}
		if err != nil {
			return
		}
	}
}

// Log returns the end of what the process wrote.
func (p *Server) Log() string { return p.log.String() }

// Alive reports whether the process runs.
func (p *Server) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Kill ends the process as kill -9 does.
func (p *Server) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// Stop asks the process to end and waits for it.
func (p *Server) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(startTime):
		p.Kill()
	}
}

// Memory is the resident memory of the process, bytes.
func (p *Server) Memory() (int64, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/statm")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm holds %q", data)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// Pid is the id of the process.
func (p *Server) Pid() int { return p.cmd.Process.Pid }

// tail is the last part of a text that grows.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 1 << 16 // bytes

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, line...)
	if len(t.text) > 2*tailSize {
		t.text = append(t.text[:0], t.text[len(t.text)-tailSize:]...)
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
