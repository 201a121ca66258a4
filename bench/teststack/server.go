package teststack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"millwright.dev/millwright/adapters/testserver"
)

// Build compiles the program into a folder and returns its path.
func Build(ctx context.Context, folder string, flags ...string) (string, error) {
	path := filepath.Join(folder, "millwright")
	args := append(append([]string{"build", "-o", path}, flags...), "millwright.dev/millwright/cmd/millwright")
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program (run this in the folder of the module): %w\n%s", err, out)
	}
	return path, nil
}

// Server is a process of the program that serves the API.
type Server struct {
	*testserver.Server
	Base string // http://host:port, as the API is reached
}

var (
	listening = regexp.MustCompile(`(?:address=|"address":")(http://[^\s"]+)`)
	started   atomic.Int64 // processes, which tells their logs apart
)

// Serve starts the program on the stack, on a free port of the loopback, and waits until it listens.
func (s *Stack) Serve(ctx context.Context, program string, args ...string) (*Server, error) {
	p := &Server{}
	log := filepath.Join(s.Folder, fmt.Sprintf("serve%d.log", started.Add(1)))
	ready := func(context.Context) error {
		text, err := os.ReadFile(log)
		m := listening.FindSubmatch(text)
		if m == nil {
			return errors.Join(err, errors.New("the program does not listen"))
		}
		p.Base = string(m[1])
		return nil
	}
	var err error
	p.Server, err = s.Start(ctx, log, ready, append([]string{program, "serve", "--listen", "127.0.0.1:0"}, args...)...)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Start starts a command of the program on the stack, which writes a log, and waits until it is ready. Settings of
// the program in the environment of the caller, who may be an operator, are not passed on.
func (s *Stack) Start(
	ctx context.Context, log string, ready func(context.Context) error, argv ...string,
) (*testserver.Server, error) {
	env := append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Folder, "TMPDIR=" + s.Folder}, s.Environment...)
	return testserver.Start(ctx, testserver.Command{
		Argv: append(argv, s.Flags...), Env: env, Dir: s.Folder, Log: log, Ready: ready,
	})
}

// logShown is the maximum number of bytes shown from the end of a log.
const logShown = 1 << 15

// Output returns the warnings and errors among what the process wrote, and the end of the rest.
func (p *Server) Output() string {
	text, err := os.ReadFile(p.Log)
	if err != nil {
		return err.Error()
	}
	var told, trouble []byte
	for line := range bytes.Lines(text) {
		if bytes.Contains(line, []byte("level=INFO")) {
			told = append(told, line...)
		} else {
			trouble = append(trouble, line...)
		}
	}
	end := func(b []byte) string { return string(b[max(0, len(b)-logShown):]) }
	return end(trouble) + end(told)
}

// Memory is the resident memory of the process, bytes.
func (p *Server) Memory() (int64, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(p.Pid()) + "/statm")
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
