package confine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/adapters/confine/confinetest"
)

// TestFilterReplacesLandlock checks the refused calls on kernels whose Landlock does not govern them yet.
func TestFilterReplacesLandlock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	self, other := os.Getpid(), os.Getppid()
	control := func(command int) error { _, err := unix.FcntlInt(0, command, self); return err }
	const old, latest = 1, scopes
	for _, row := range []struct {
		name     string
		policy   Policy
		landlock int
		call     func() error
		want     error
	}{
		{"signal another", Policy{}, old, func() error { return unix.Kill(other, 0) }, unix.EPERM},
		{"signal its group", Policy{}, old, func() error { return unix.Kill(0, 0) }, unix.EPERM},
		{"signal all", Policy{}, old, func() error { return unix.Kill(-1, 0) }, unix.EPERM},
		{"signal itself", Policy{}, old, func() error { return unix.Kill(self, 0) }, nil},
		{"signal a thread", Policy{}, old, func() error { return unix.Tgkill(other, other, 0) }, unix.EPERM},
		{"signal its thread", Policy{}, old, func() error { return unix.Tgkill(self, unix.Gettid(), 0) }, nil},
		{"open a process", Policy{}, old, func() error { _, err := unix.PidfdOpen(other, 0); return err }, unix.EPERM},
		{"own a signal", Policy{}, old, func() error { return control(unix.F_SETOWN) }, unix.EPERM},
		{"choose a signal", Policy{}, old, func() error { return control(unix.F_SETSIG) }, unix.EPERM},
		{"flags of a file", Policy{}, old, func() error { return control(unix.F_GETFL) }, nil},
		{"limit another", Policy{}, old, func() error { return limits(other) }, unix.EPERM},
		{"limit itself", Policy{}, old, func() error { return limits(0) }, nil},
		{"truncate", Policy{}, old, func() error { return unix.Truncate(file, 1) }, unix.EPERM},
		{"truncate under Landlock", Policy{}, latest, func() error { return unix.Truncate(file, 1) }, nil},
		{"truncate to read", Policy{}, old, open(file, unix.O_RDONLY|unix.O_TRUNC), unix.EPERM},
		{"truncate for neither", Policy{}, old, open(file, unix.O_ACCMODE|unix.O_TRUNC), unix.EPERM},
		{"truncate to write", Policy{}, old, open(file, unix.O_WRONLY|unix.O_TRUNC), nil},
		{"truncate and write", Policy{}, old, open(file, unix.O_RDWR|unix.O_TRUNC), nil},
		{"read", Policy{}, old, open(file, unix.O_RDONLY), nil},
		{"truncate to read under Landlock", Policy{}, latest, open(file, unix.O_RDONLY|unix.O_TRUNC), nil},
		{"open in another way", Policy{}, old, func() error { return call(unix.SYS_OPENAT2) }, unix.ENOSYS},
		{"signals under Landlock", Policy{}, latest, func() error { return unix.Kill(other, 0) }, nil},
		{"signals with reach", Policy{Reach: true}, old, func() error { return unix.Kill(other, 0) }, nil},
		{"signals in a namespace", Policy{Apart: true}, old, func() error { return unix.Kill(other, 0) }, nil},
		{"a group of processes", Policy{}, latest, func() error { return unix.Setpgid(other, 0) }, unix.EPERM},
		{"a group in a namespace", Policy{Apart: true}, latest,
			func() error { return unix.Setpgid(other, 0) }, unix.ESRCH},
		{"a session", Policy{Reach: true}, latest, session, unix.EPERM},
		{"a process", Policy{}, latest, exec.Command("true").Run, nil},
		{"a process of one alone", Policy{Alone: true}, latest, exec.Command("true").Run, unix.EPERM},
		{"a user namespace", Policy{Apart: true}, latest, clone(unix.CLONE_NEWUSER), unix.EPERM},
		{"another user namespace", Policy{}, latest,
			func() error { return unix.Unshare(unix.CLONE_NEWUSER) }, unix.EPERM},
		{"the namespaces of another", Policy{Apart: true}, latest,
			func() error { return unix.Setns(-1, 0) }, unix.EPERM},
		{"shared memory", Policy{}, latest, func() error { _, err := unix.SysvShmAttach(-1, 0, 0); return err },
			unix.ENOSYS},
		{"a message", Policy{}, latest, func() error { return call(unix.SYS_MSGRCV) }, unix.ENOSYS},
		{"a semaphore", Policy{}, latest, func() error { return call(unix.SYS_SEMOP) }, unix.ENOSYS},
		{"a socket", Policy{}, latest, func() error { return socket(unix.AF_INET) }, unix.EPERM},
		{"a local socket", Policy{}, latest, func() error { return socket(unix.AF_UNIX) }, unix.EPERM},
		{"a socket with reach", Policy{Reach: true}, latest, func() error { return socket(unix.AF_UNIX) }, nil},
		{"a pair of streams", Policy{}, latest,
			func() error { return pair(unix.SOCK_STREAM | unix.SOCK_CLOEXEC) }, nil},
		{"a pair of datagrams", Policy{}, latest,
			func() error { return pair(unix.SOCK_DGRAM | unix.SOCK_CLOEXEC) }, unix.EPERM},
		{"a pair of raw sockets", Policy{}, latest, func() error { return pair(unix.SOCK_RAW) }, unix.EPERM},
	} {
		confinetest.InThread(t, row.policy.filter(row.landlock).program(), func() {
			if err := row.call(); !errors.Is(err, row.want) {
				t.Errorf("%s: %v, want %v", row.name, err, row.want)
			}
		})
	}
}

// session requests a session only where it is refused, so that the tests stay in their session.
func session() error { return call(unix.SYS_SETSID) }

// call makes a system call with arguments that are never right.
func call(number uintptr) error {
	const wrong = ^uintptr(0)
	if _, _, errno := unix.RawSyscall(number, wrong, wrong, wrong); errno != 0 {
		return errno
	}
	return nil
}

// open opens a file with flags.
func open(path string, flags int) func() error {
	return func() error {
		fd, err := unix.Open(path, flags, 0)
		if err != nil {
			return err
		}
		return unix.Close(fd)
	}
}

// clone starts a process with flags.
func clone(flags uintptr) func() error {
	return func() error {
		cmd := exec.Command("true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
		return cmd.Run()
	}
}

func limits(pid int) error {
	var limit unix.Rlimit
	return unix.Prlimit(pid, unix.RLIMIT_CORE, nil, &limit)
}

func socket(domain int) error {
	fd, err := unix.Socket(domain, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

func pair(kind int) error {
	fds, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
	if err != nil {
		return err
	}
	return errors.Join(unix.Close(fds[0]), unix.Close(fds[1]))
}

// TestWithoutLandlock simulates an older kernel: a lenient policy runs with the rest, and no other policy runs.
func TestWithoutLandlock(t *testing.T) {
	confinetest.WithoutLandlock(t, func() {
		if err := Check(); err == nil || !strings.Contains(err.Error(), "5.13") {
			t.Errorf("Check = %v, want what is missing", err)
		}
		for _, isLenient := range []bool{false, true} {
			cmd, err := Command(Policy{Lenient: isLenient}, []string{"sh", "-c", "cat </proc/self/status"})
			if err != nil {
				t.Error(err)
				continue
			}
			out, err := cmd.CombinedOutput()
			if isLenient && (err != nil || !strings.Contains(string(out), "Seccomp:\t2")) {
				t.Errorf("a lenient policy: %v, %s, want a filter of system calls", err, out)
			}
			if !isLenient &&
				(cmd.ProcessState.ExitCode() != exitUnconfined || !strings.Contains(string(out), "Landlock")) {
				t.Errorf("a policy without leniency: %v, %s", err, out)
			}
		}
	})
}

// TestNoCapabilities checks that root has no more rights than others.
func TestNoCapabilities(t *testing.T) {
	cmd, err := Command(Policy{Read: append(Base(), "/bin", "/usr/bin", "/proc"), Lenient: true},
		[]string{"grep", "CapEff", "/proc/self/status"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	_, mask, _ := strings.Cut(strings.TrimSpace(string(out)), "\t")
	if left := strings.Trim(mask, "0"); err != nil || left != "" && left != "2" { // CAP_DAC_OVERRIDE
		t.Errorf("capabilities %q, %v", out, err)
	}
}

// TestOpenFiles checks that a program gets the open files that are passed to it, and no others.
func TestOpenFiles(t *testing.T) {
	passed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = passed.Close() }() // it was only passed on
	const number = 200
	if err := unix.Dup3(int(passed.Fd()), number, 0); err != nil { // simulates an inherited file of the service
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(number) }()
	script := "for n in 3 200; do [ -e /proc/self/fd/$n ] && echo $n; done; true"
	cmd, err := Command(Policy{Read: append(Base(), "/bin", "/usr/bin", "/proc"), Files: 1},
		[]string{"sh", "-c", script})
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{passed}
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "3\n" {
		t.Errorf("open files %q, %v; want 3 alone", out, err)
	}
}

// BenchmarkStart measures the start of a program with and without confinement.
func BenchmarkStart(b *testing.B) {
	const program = "/bin/true"
	for _, isConfined := range []bool{false, true} {
		name := map[bool]string{false: "plain", true: "confined"}[isConfined]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cmd, err := Command(Policy{Read: Base()}, []string{program})
				if err != nil {
					b.Fatal(err)
				}
				if !isConfined {
					cmd.Path, cmd.Args = program, []string{program}
				}
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
