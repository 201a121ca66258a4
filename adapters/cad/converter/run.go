package converter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"millwright/core/fault"
)

// drainTime is how long the pipes of an ended program may stay open before they are closed.
const drainTime = 5 * time.Second

// Convert returns the file that the program makes of one of a format; suffix is that of the file's name, which some
// programs go by. A *fault.Error says why there is none: timed_out, too_complex, or converter_unavailable, since a
// program that ends with an error may be out of licences as well as unable to read the file.
func (c *Converter) Convert(
	ctx context.Context, src io.ReaderAt, size int64, format, suffix string,
) (content []byte, err error) {
	dir, err := os.MkdirTemp("", "convert-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the converter: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	how := c.config.Formats[format]
	in, out := filepath.Join(dir, "in"+suffix), filepath.Join(dir, "out"+how.Suffix)
	if err := copyTo(in, io.NewSectionReader(src, 0, size)); err != nil {
		return nil, fmt.Errorf("copy the file for the converter: %w", err)
	}
	if err := c.run(ctx, dir, how.arguments(in, out)); err != nil {
		if info, e := os.Lstat(out); e == nil && info.Size() >= c.most() && ctx.Err() == nil {
			err = c.tooLarge() // which is why it failed
		}
		return nil, err
	}
	return c.take(out)
}

// most is how many bytes a file may have that the program makes.
func (c *Converter) most() int64 { return int64(c.config.OutputMB) * megabyte }

func (c *Converter) tooLarge() error {
	return fault.Errorf(fault.TooComplex, "The converter %s makes more than %d MB of the file.", c, c.config.OutputMB)
}

func copyTo(path string, r io.Reader) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o400)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

func (f Format) arguments(in, out string) []string {
	paths := strings.NewReplacer(inPlace, in, outPlace, out)
	var args []string
	for _, a := range f.Arguments {
		args = append(args, paths.Replace(a))
	}
	return args
}

// run runs the program to its end or to that of its time.
func (c *Converter) run(ctx context.Context, dir string, args []string) error {
	limited, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	said := &tail{}
	cmd := exec.CommandContext(limited, c.config.Executable, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, c.environment(dir), said
	cmd.WaitDelay = drainTime
	// It stays in the process group of this process, with which it is ended from outside.
	cmd.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGKILL}
	if c.config.Isolation == Namespaces {
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC
		cmd.SysProcAttr.UidMappings = identity(os.Getuid())
		cmd.SysProcAttr.GidMappings = identity(os.Getgid())
	}
	runtime.LockOSThread() // Pdeathsig strikes when the thread ends that started the program
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.config.Isolation == Namespaces && (errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC)) {
			return c.unavailable("cannot be isolated here (%v); where the service is isolated by other means, its operator "+
				"can set \"isolation\": \"none\"", err)
		}
		return c.unavailable("cannot be started: %v", err)
	}
	if err := c.limit(cmd.Process.Pid); err != nil {
		return errors.Join(fmt.Errorf("limit the converter: %w", err), cmd.Process.Kill(), ignoreExit(cmd.Wait()))
	}
	err := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fault.Errorf(fault.TimedOut, "The converter %s was still working on the file after %v, the longest time "+
			"allowed.", c, c.timeout())
	case err != nil:
		return c.unavailable("could not convert the file (%v)%s", err, said)
	}
	return nil
}

// ignoreExit takes how a program that was ended has ended for no error.
func ignoreExit(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

func identity(id int) []syscall.SysProcIDMap {
	return []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
}

func (c *Converter) environment(dir string) []string {
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8"}
	for name, value := range c.config.Environment {
		env = append(env, name+"="+value)
	}
	return env
}

// limit bounds what a process that was just started may take, and all that it will start.
func (c *Converter) limit(pid int) error {
	for resource, most := range map[int]int{
		unix.RLIMIT_CPU:   c.config.TimeoutSeconds * runtime.NumCPU(),
		unix.RLIMIT_DATA:  c.config.MemoryMB * megabyte,
		unix.RLIMIT_FSIZE: c.config.OutputMB * megabyte,
		unix.RLIMIT_CORE:  0,
	} {
		limit := unix.Rlimit{Cur: uint64(most), Max: uint64(most)}
		err := unix.Prlimit(pid, resource, &limit, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // one that has ended already
			return err
		}
	}
	return nil
}

// take reads what the program wrote.
func (c *Converter) take(path string) ([]byte, error) {
	// What works on a stranger's file may be made to write anything: no link is followed, and nothing but a file read.
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, c.unavailable("ended without an error, but wrote no file")
	}
	defer func() { _ = f.Close() }() // it was only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, c.unavailable("ended without an error, but wrote no file")
	}
	content, err := io.ReadAll(io.LimitReader(f, c.most()+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read what the converter wrote: %w", err)
	case int64(len(content)) > c.most():
		return nil, c.tooLarge()
	case len(content) == 0:
		return nil, c.unavailable("ended without an error, but wrote an empty file")
	}
	return content, nil
}

func (c *Converter) unavailable(format string, args ...any) error {
	return fault.Errorf(fault.ConverterUnavailable, "The converter %s %s.", c, fmt.Sprintf(format, args...))
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const keptEnd = 4 << 10 // bytes

// Write implements io.Writer; it always takes everything.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-keptEnd):]...)
	if extra := len(t.kept) - keptEnd; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

// String continues a sentence.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(t.kept), "?")), " ")
	if text == "" {
		return " and said nothing of why"
	}
	return fmt.Sprintf("; it said %q", text)
}
