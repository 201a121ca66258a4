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

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/core/fault"
)

// drainTime is the time until the open pipes of an ended program are closed.
const drainTime = 5 * time.Second

// Convert converts a file of a format and writes the result to out. suffix is that of the file's name, which some
// programs use. The program works in dir, an empty folder that the caller removes. Errors for which the file or the
// program is responsible are *fault.Error: timed_out, too_complex, or converter_unavailable, since a program that fails
// may lack a license or be unable to read the file.
func (c *Converter) Convert(ctx context.Context, dir string, in io.Reader, format, suffix string, out io.Writer) error {
	how, ok := c.config.Formats[format]
	if !ok || strings.ContainsRune(suffix, filepath.Separator) {
		return fmt.Errorf("the converter is asked for a file *%s of the format %q", suffix, format)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	given, made := filepath.Join(dir, "in"+suffix), filepath.Join(dir, "out"+how.Suffix)
	if err := copyTo(given, in); err != nil {
		return fmt.Errorf("copy the file for the converter: %w", err)
	}
	if err := c.run(ctx, dir, how.arguments(given, made)); err != nil {
		if info, e := os.Lstat(made); e == nil && info.Size() >= c.most() && ctx.Err() == nil {
			err = c.tooLarge() // the reason for the failure
		}
		return err
	}
	return c.take(made, out)
}

// most returns the largest size in bytes of an output file.
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

// run runs the program until it ends or its time is up.
func (c *Converter) run(ctx context.Context, dir string, args []string) error {
	isConfined := c.config.Isolation == Namespaces
	if err := confine.Check(); err != nil && isConfined {
		return c.unavailable("cannot be confined here (%v); where the service is isolated by other means, "+
			"its operator can set \"isolation\": \"none\"", err)
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	said := &tail{}
	runtime.LockOSThread() // Pdeathsig is sent when the thread that started the program ends
	defer runtime.UnlockOSThread()
	cmd, err := c.start(dir, args, isConfined, said)
	if isConfined && lacksNamespaces(err) {
		cmd, err = c.start(dir, args, false, said)
	}
	if err != nil {
		return c.unavailable("cannot be started: %v", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// WNOWAIT leaves a zombie, so that its process group id cannot be reused while the group is signaled.
		for unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
	}()
	killGroup := func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) } // fails only when all have ended already
	select {
	case <-ended:
	case <-limited.Done():
		killGroup()
		<-ended
	}
	killGroup() // its child processes
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fault.Errorf(fault.TimedOut,
			"The converter %s was still working on the file after %v, the longest time "+
				"allowed.", c, c.timeout())
	case err != nil:
		return c.unavailable("could not convert the file (%v)%s", err, said)
	}
	return nil
}

// lacksNamespaces reports whether a start failed because the machine has no namespaces, forbids them, or has no more.
func lacksNamespaces(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EINVAL)
}

// start starts the program, in namespaces of its own if asked.
func (c *Converter) start(dir string, args []string, isApart bool, said io.Writer) (*exec.Cmd, error) {
	isConfined := c.config.Isolation == Namespaces
	cmd, err := confine.Command(confine.Policy{
		Read:  c.readable(),
		Write: []string{"/dev/null"},
		Own:   []string{dir},
		Reach: !isConfined, Apart: isApart, Lenient: !isConfined,
		Limits: map[int]uint64{
			unix.RLIMIT_CPU:   uint64(c.config.TimeoutSeconds * runtime.NumCPU()),
			unix.RLIMIT_DATA:  uint64(c.config.MemoryMB * megabyte),
			unix.RLIMIT_FSIZE: uint64(c.config.OutputMB * megabyte),
		},
	}, append([]string{c.config.Executable}, args...))
	if err != nil {
		return nil, err
	}
	cmd.Dir, cmd.Env, cmd.Stderr = dir, c.environment(dir), said
	cmd.WaitDelay = drainTime
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	if isApart {
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC
		cmd.SysProcAttr.UidMappings = identity(os.Getuid())
		cmd.SysProcAttr.GidMappings = identity(os.Getgid())
	}
	return cmd, cmd.Start()
}

// readable returns the paths that the program may read: the system's paths for all programs, and its own. In /proc it
// sees names, arguments and sizes of other processes; other data, such as the environment, need the right to trace
// them.
func (c *Converter) readable() []string {
	paths := append(confine.Base(), "/bin", "/sbin", "/usr", "/proc",
		"/dev/full", "/dev/random", "/dev/urandom", "/dev/zero",
		"/etc/alternatives", "/etc/fonts", "/etc/group", "/etc/gai.conf", "/etc/host.conf", "/etc/hosts",
		"/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/nsswitch.conf", "/etc/passwd", "/etc/protocols",
		"/etc/resolv.conf", "/etc/services", "/etc/ssl/certs")
	executable := c.config.Executable
	if target, err := filepath.EvalSymlinks(executable); err == nil {
		paths = append(paths, filepath.Dir(target)) // an absent program does not start
	}
	return append(append(paths, filepath.Dir(executable)), c.config.Readable...)
}

// Apart returns an error that lists the private files and folders of the service that the program could read.
func (c *Converter) Apart(private ...string) error {
	return confine.Apart("the converter "+c.String(), c.readable(), private...)
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

// take copies the output of the program to out.
func (c *Converter) take(path string, out io.Writer) error {
	// A hostile file may make the program write anything. So no link is followed, and only a regular file is read.
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return c.unavailable("ended without an error, but wrote no file")
	}
	defer func() { _ = f.Close() }() // it was only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return c.unavailable("ended without an error, but wrote no file")
	}
	size, err := io.Copy(out, io.LimitReader(f, c.most()+1))
	switch {
	case err != nil:
		return fmt.Errorf("copy what the converter wrote: %w", err)
	case size > c.most():
		return c.tooLarge()
	case size == 0:
		return c.unavailable("ended without an error, but wrote an empty file")
	}
	return nil
}

func (c *Converter) unavailable(format string, args ...any) error {
	return fault.Errorf(fault.ConverterUnavailable, "The converter %s %s.", c, fmt.Sprintf(format, args...))
}

// tail stores the end of the written data.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const keptEnd = 4 << 10 // bytes

// Write implements io.Writer; it always accepts everything.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-keptEnd):]...)
	if extra := len(t.kept) - keptEnd; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

// String returns the end of the output as the continuation of a sentence.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(t.kept), "?")), " ")
	if text == "" {
		return " and said nothing of why"
	}
	return fmt.Sprintf("; it said %q", text)
}
