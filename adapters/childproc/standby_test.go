package childproc

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// spareOf waits for the standby process of a sandbox and returns its id, 0 if there is no standby.
func spareOf(s *Sandbox) int {
	s.standby.starting.Wait()
	s.standby.mu.Lock()
	defer s.standby.mu.Unlock()
	if s.standby.space == nil {
		return 0
	}
	return s.standby.space.child.cmd.Process.Pid
}

// warm returns a sandbox with its spare.
func warm(t *testing.T, o Options) (*Sandbox, int) {
	t.Helper()
	s := newSandbox(o)
	s.Warm()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	pid := spareOf(s)
	if pid == 0 {
		t.Fatal("a warm sandbox has no spare")
	}
	return s, pid
}

// runIn plays a script and returns the process that did.
func runIn(t *testing.T, s *Sandbox, name string) (pid int, err error) {
	t.Helper()
	space, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = space.Close() }()
	_, err = space.Make(t.Context(), pipeline.Params{FileName: name}, nil,
		func(p pipeline.Progress) { pid = number(t, p.Doing) })
	return pid, err
}

func TestRunUsesStandbyAndStartsAnother(t *testing.T) {
	s, standby := warm(t, Options{})
	for range 3 {
		got, err := runIn(t, s, "process")
		if err != nil || got != standby {
			t.Fatalf("process %d ran, %v; want the spare %d", got, err, standby)
		}
		if standby = spareOf(s); standby == got || standby == 0 {
			t.Fatalf("the spare after process %d is %d, want another", got, standby)
		}
	}
}

func TestNoStandbyUnlessWarm(t *testing.T) {
	s := newSandbox(Options{})
	if _, err := runIn(t, s, "process"); err != nil {
		t.Fatal(err)
	}
	if pid := spareOf(s); pid != 0 {
		t.Errorf("a sandbox that is not warm has the spare %d", pid)
	}
}

func TestDeadStandbyIsReplaced(t *testing.T) {
	s, standby := warm(t, Options{})
	fd := openPid(t, standby)
	if err := unix.Kill(standby, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, fd, standby)
	if got, err := runIn(t, s, "process"); err != nil || got == standby || got == 0 {
		t.Errorf("process %d ran, %v; want another than the dead %d", got, err, standby)
	}
}

func TestCloseEndsStandby(t *testing.T) {
	s, standby := warm(t, Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(standby, 0); !errors.Is(err, unix.ESRCH) {
		t.Errorf("spare %d after Close: %v, want no such process", standby, err)
	}
	if _, err := runIn(t, s, "process"); err != nil {
		t.Errorf("a run after Close: %v", err)
	}
	if pid := spareOf(s); pid != 0 {
		t.Errorf("spare %d was started after Close", pid)
	}
}

// TestLimitsApplyToStandby checks that the limits in the request apply to a standby process.
func TestLimitsApplyToStandby(t *testing.T) {
	s, standby := warm(t, Options{MemoryBytes: 256 << 20})
	_, err := runIn(t, s, "allocate")
	var failure *fault.Error
	if !errors.As(err, &failure) || failure.Code != fault.OutOfMemory {
		t.Errorf("the run in the spare %d ended with %v, want %s", standby, err, fault.OutOfMemory)
	}
}

func TestFailedStandbyIsIgnored(t *testing.T) {
	s, err := New(Options{Argv: []string{"/no/such/program"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Warm()
	if pid := spareOf(s); pid != 0 {
		t.Errorf("a program that is not there has started as process %d", pid)
	}
	if _, err := runIn(t, s, "process"); err == nil {
		t.Error("a run of it succeeds")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
