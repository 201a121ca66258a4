package childproc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/core/pipeline"
)

const (
	// pollTime is the time between polls of the child's memory, which cost about 10 µs each.
	pollTime = 20 * time.Millisecond
	// drainTime is the time after which the open pipes of a dead child are closed.
	drainTime = 5 * time.Second
)

// process is a started child.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers *os.File      // our end of the child's descriptor 3
	exited  chan struct{} // closed when the child has ended; it is a zombie until reap
	release chan struct{} // closed when the starting thread may go
	done    chan error    // result of cmd.Wait
	stderr  *excerpt
}

// start runs the program, which waits for its request, with rights to a workspace and the files that it links to.
func start(o Options, dir string, linked []string) (*process, error) {
	cmd, err := confine.Command(confine.Policy{
		Read:    slices.Concat(confine.Base(), o.Read, linked),
		Write:   append([]string{dir, "/proc/self", "/dev/null"}, o.Write...),
		Alone:   true,
		Files:   1, // ExtraFiles
		Lenient: true,
	}, o.Argv)
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{
		cmd: cmd, answers: r, stderr: &excerpt{},
		exited: make(chan struct{}), release: make(chan struct{}), done: make(chan error, 1),
	}
	p.cmd.Env = append([]string{}, o.Env...) // not nil, which would mean the parent's
	p.cmd.Stderr = p.stderr
	p.cmd.ExtraFiles = []*os.File{w}
	p.cmd.WaitDelay = drainTime
	p.cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, r.Close(), w.Close())
	}
	p.stdin = stdin
	started := make(chan error, 1)
	go p.own(started)
	err = <-started
	_ = w.Close() // ours; the child has its own
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return p, nil
}

// send sends the request, or the result of a conversion, to the child. The message is smaller than a pipe's buffer, so
// a child that never reads cannot block the parent.
func (p *process) send(what any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	_, err = p.stdin.Write(append(body, '\n'))
	return err
}

// isAlive reports false for a child that has ended.
func (p *process) isAlive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// end ends a child that has no work.
func (p *process) end() {
	p.killGroup()
	_ = p.reap() // the exit status is irrelevant
}

// own starts the child and stays on its thread until the child is reaped. Pdeathsig takes effect when the starting
// thread ends, and Go may end a thread that no goroutine is locked to.
func (p *process) own(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- nil
	for {
		// WNOWAIT leaves a zombie, which keeps the process id taken for as long as we may signal it.
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	close(p.exited)
	<-p.release
	p.done <- p.cmd.Wait()
}

// listen reads the child's messages. A child that does not keep to the protocol is ended; one that
// stops writing is about to end and may have its last words on standard error.
func (p *process) listen(tell func(pipeline.Progress), convert func(conversion) message) answer {
	got := readMessages(p.answers, tell, func(c conversion) {
		_ = p.send(convert(c)) // if the child has died, its exit status shows the cause
	})
	if got.err != nil && !errors.Is(got.err, errNoAnswer) {
		p.killGroup()
	}
	return got
}

// watch waits for the end of the child, or kills it when ctx ends or a limit is exceeded, and returns the reason.
func (p *process) watch(ctx context.Context, o Options) error {
	timeout := time.NewTimer(o.Timeout)
	defer timeout.Stop()
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	memory := openResident(p.cmd.Process.Pid)
	defer memory.close()
	for {
		var why error
		select {
		case <-p.exited:
			return nil
		case <-ctx.Done():
			why = ctx.Err()
		case <-timeout.C:
			why = errTimeout
		case <-poll.C:
			if memory.read() > o.MemoryBytes {
				why = errMemory
			}
		}
		if why != nil {
			p.killGroup()
			<-p.exited
			return why
		}
	}
}

// close kills the processes that an ended child may have left, so that no process can write answers any more. It also
// ends a pending reply to the child.
func (p *process) close() {
	p.killGroup()
	_ = p.stdin.Close()
	_ = p.answers.SetReadDeadline(time.Now().Add(drainTime)) // pipes have deadlines on Linux
}

// killGroup ends the child and everything it started. It must not be called after reap.
func (p *process) killGroup() {
	_ = unix.Kill(-p.cmd.Process.Pid, unix.SIGKILL) // fails only when all have ended already
}

// reap frees the ended child and returns its exit error.
func (p *process) reap() error {
	close(p.release)
	err := <-p.done
	_, _ = p.stdin.Close(), p.answers.Close() // nothing is left in them
	return err
}

// resident reads the resident size of a process again and again.
type resident struct {
	file *os.File
	page int64
}

func openResident(pid int) resident {
	f, err := os.Open(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return resident{} // it has ended already, or /proc denies access; the time limit still applies
	}
	return resident{file: f, page: int64(os.Getpagesize())}
}

// read returns bytes, 0 when the process has ended.
func (r resident) read() int64 {
	if r.file == nil {
		return 0
	}
	var buf [128]byte
	n, _ := r.file.ReadAt(buf[:], 0) // io.EOF comes with every line shorter than the buffer
	fields := bytes.Fields(buf[:n])
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * r.page
}

func (r resident) close() {
	if r.file != nil {
		_ = r.file.Close() // read only
	}
}
