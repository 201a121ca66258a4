package childproc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"millwright/core/fault"
	"millwright/core/service"
)

// The test binary plays three parts: the tests, the child that serves a kernel which does what the
// file's name says, and a worker that is killed while its child works.
const (
	roleVar    = "CHILDPROC_TEST_ROLE"
	roleChild  = "child"
	roleWorker = "worker"

	raceVar = "GORACE=atexit_sleep_ms=0" // a child under the race detector need not linger
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVar) {
	case roleChild:
		if err := Serve(context.Background(), scripted{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case roleWorker:
		_, err := newKernel(Options{}).Analyze(context.Background(), service.KernelRequest{FileName: "hang"},
			func(_ int, stage string) { fmt.Println(stage) })
		fmt.Fprintln(os.Stderr, "the worker was not killed:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// newKernel runs this test binary as the child.
func newKernel(o Options) *Kernel {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	o.Argv = []string{self}
	o.Env = append(o.Env, roleVar+"="+roleChild, raceVar)
	k, err := New(o)
	if err != nil {
		panic(err)
	}
	return k
}

// scripted is a kernel whose file name says what happens.
type scripted struct{}

func (scripted) Analyze(ctx context.Context, req service.KernelRequest, progress func(int, string),
) (*service.Analysis, error) {
	switch req.FileName {
	case "good":
		return &service.Analysis{
			KernelVersion: "test", Format: "step", Faces: 6, Warnings: []string{req.Source},
		}, nil
	case "progress":
		for p := range 101 {
			progress(p, "step "+strconv.Itoa(p))
		}
		return &service.Analysis{}, nil
	case "hang":
		progress(1, strconv.Itoa(os.Getpid()))
		select {}
	case "spin":
		for i := 0; ; i++ {
			runtime.KeepAlive(i)
		}
	case "allocate":
		for hoard := [][]byte{}; ; { // as fast as a program can take memory
			block := make([]byte, 64<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			hoard = append(hoard, block)
		}
	case "hold 200 MB":
		block := make([]byte, 200<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		runtime.KeepAlive(block)
		return &service.Analysis{}, nil
	case "panic":
		panic("index out of range while sewing")
	case "exit":
		fmt.Fprintln(os.Stderr, "gone without a word")
		os.Exit(7)
	case "exit after answer":
		_, _ = os.NewFile(answerFile, "").WriteString(`{"analysis":{}}` + "\n")
		os.Exit(7)
	case "garbage":
		_, _ = os.NewFile(answerFile, "").WriteString("{\"progress\":{\"percent\":5}}\nSegmentation fault\n")
		select {}
	case "two answers":
		_, _ = os.NewFile(answerFile, "").WriteString(`{"analysis":{},"error":"both"}` + "\n")
		select {}
	case "failure":
		return nil, fmt.Errorf("read: %w", &fault.Error{Code: fault.NoSolid, Reason: "No solid."})
	case "error":
		return nil, errors.New("the tessellator gave up")
	case "nothing":
		return nil, nil
	case "not a number":
		return &service.Analysis{Volume: math.NaN()}, nil
	case "environment":
		return &service.Analysis{Warnings: os.Environ()}, nil
	case "grandchild":
		c := exec.Command("/bin/sleep", "1000")
		if err := c.Start(); err != nil {
			return nil, err
		}
		progress(1, strconv.Itoa(c.Process.Pid))
		return &service.Analysis{}, nil
	}
	return nil, fmt.Errorf("no script for %q", req.FileName)
}

func analyze(t *testing.T, o Options, name string) (*service.Analysis, error) {
	t.Helper()
	return newKernel(o).Analyze(t.Context(), service.KernelRequest{FileName: name, Source: "/some/file"}, nil)
}

func TestAnswers(t *testing.T) {
	got, err := analyze(t, Options{}, "good")
	if err != nil {
		t.Fatal(err)
	}
	if got.PeakRSSBytes < 1<<20 {
		t.Errorf("peak of the child = %d bytes, want its real size", got.PeakRSSBytes)
	}
	got.PeakRSSBytes = 0
	want := &service.Analysis{KernelVersion: "test", Format: "step", Faces: 6, Warnings: []string{"/some/file"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Analyze = %+v, want %+v", got, want)
	}
}

func TestProgressArrivesInOrder(t *testing.T) {
	var got []string
	_, err := newKernel(Options{}).Analyze(t.Context(), service.KernelRequest{FileName: "progress"},
		func(p int, stage string) { got = append(got, fmt.Sprint(p, " ", stage)) })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 101 || got[0] != "0 step 0" || got[100] != "100 step 100" {
		t.Errorf("progress = %d messages, %q … %q", len(got), got[0], got[len(got)-1])
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		want    fault.Code
	}{
		{"failure", Options{}, fault.NoSolid},
		{"hang", Options{Timeout: 200 * time.Millisecond}, fault.TimedOut},
		{"spin", Options{Timeout: 200 * time.Millisecond}, fault.TimedOut},
		{"allocate", Options{MemoryBytes: 256 << 20}, fault.OutOfMemory},
	} {
		got, err := analyze(t, c.options, c.name)
		var failure *fault.Error
		if !errors.As(err, &failure) || failure.Code != c.want || failure.Reason == "" || got != nil {
			t.Errorf("%s: %v, %v; want a failure %s", c.name, got, err, c.want)
		}
	}
}

// TestErrors holds what is the kernel's own fault: not a Failure, so that it is tried again.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"panic", "index out of range while sewing"},
		{"exit", "gone without a word"},
		{"exit", "exit status 7"},
		{"exit after answer", "exit status 7"},
		{"garbage", "invalid character 'S'"},
		{"two answers", "says 2 things"},
		{"error", "the tessellator gave up"},
		{"nothing", "neither a result nor an error"},
		{"not a number", "unsupported value: NaN"},
		{"unknown", "no script"},
	} {
		got, err := analyze(t, Options{}, c.name)
		var failure *fault.Error
		if err == nil || errors.As(err, &failure) || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%s: %v, %v; want an error with %q", c.name, got, err, c.want)
		}
	}
}

func TestProgramThatDoesNotStart(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"missing", "/no/such/program", "no such file"},
		{"speaks no protocol", "true", "there is none"},
		{"fails", "false", "exit status 1"},
	} {
		k, err := New(Options{Argv: []string{c.program}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = k.Analyze(t.Context(), service.KernelRequest{}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	argv := []string{"x"}
	for _, o := range []Options{{}, {Argv: argv, Timeout: -1}, {Argv: argv, MemoryBytes: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("New(%+v) succeeds", o)
		}
	}
}

func TestCancelEndsTheChild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var child int
	kernel := newKernel(Options{})
	_, err := kernel.Analyze(ctx, service.KernelRequest{FileName: "hang"}, func(_ int, pid string) {
		child = number(t, pid)
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Analyze = %v, want context.Canceled", err)
	}
	if err := unix.Kill(child, 0); !errors.Is(err, unix.ESRCH) {
		t.Errorf("child %d after Analyze: %v, want no such process", child, err)
	}
	_, err = kernel.Analyze(ctx, service.KernelRequest{FileName: "good"}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Analyze with an ended context = %v", err)
	}
}

func TestGrandchildEndsWithTheRun(t *testing.T) {
	var grandchild int
	var fd int
	_, err := newKernel(Options{}).Analyze(t.Context(), service.KernelRequest{FileName: "grandchild"},
		func(_ int, pid string) {
			grandchild = number(t, pid)
			fd = openPid(t, grandchild)
		})
	if err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, fd, grandchild)
}

func TestChildDoesNotOutliveItsWorker(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	worker := exec.Command(self)
	worker.Env = append(os.Environ(), roleVar+"="+roleWorker)
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	fd := openPid(t, child)
	if err := worker.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = worker.Wait() // it was killed
	awaitEnd(t, fd, child)
}

func TestEnvironmentIsTheOneGiven(t *testing.T) {
	t.Setenv("MILLWRIGHT_SECRET", "told in confidence")
	got, err := analyze(t, Options{Env: []string{"LANG=C"}}, "environment")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"LANG=C", roleVar + "=" + roleChild, raceVar}; !reflect.DeepEqual(got.Warnings, want) {
		t.Errorf("environment of the child = %q, want %q", got.Warnings, want)
	}
}

// TestPeakIsTheChildsOwn makes this process larger than the child, which must not show in the peak.
func TestPeakIsTheChildsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, under which short tests run, has memory of its own")
	}
	ballast := make([]byte, 400<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	got, err := analyze(t, Options{}, "hold 200 MB")
	if err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(ballast)
	if mb := got.PeakRSSBytes >> 20; mb < 200 || mb > 390 {
		t.Errorf("peak = %d MB, want 200 and what a Go program needs anyway", mb)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Error(err)
	}
	return n
}

func openPid(t *testing.T, pid int) int {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatalf("process %d: %v", pid, err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

// awaitEnd waits until a process that is not our child has ended.
func awaitEnd(t *testing.T, fd, pid int) {
	t.Helper()
	const patience = 10_000 // ms
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, patience)
	if err != nil || n != 1 {
		t.Errorf("process %d still runs (%d, %v)", pid, n, err)
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, "(nothing on its standard error)"},
		{"short", []string{"a", "b\n"}, "ab"},
		{"both ends", []string{"first ", strings.Repeat("x", 5*keptEnd), " last"}, ""},
	} {
		e := &excerpt{}
		for _, w := range c.writes {
			if n, err := e.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: Write = %d, %v", c.name, n, err)
			}
		}
		got := e.String()
		if c.want != "" && got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		whole := strings.HasPrefix(got, "first ") && strings.HasSuffix(got, " last")
		if c.want == "" && (!whole || len(got) > 2*keptEnd+20) {
			t.Errorf("%s: %d bytes %.20q … %.20q", c.name, len(got), got, got[len(got)-10:])
		}
	}
}

func TestTooLongAnswerIsRefused(t *testing.T) {
	in := &bounded{r: strings.NewReader(`{"error":"` + strings.Repeat("x", 100)), left: 50}
	buf := make([]byte, 200)
	n, err := in.Read(buf)
	if n != 50 || err != nil {
		t.Errorf("Read = %d, %v; want the 50 allowed", n, err)
	}
	if _, err := in.Read(buf); !errors.Is(err, errTooLong) {
		t.Errorf("next Read = %v, want errTooLong", err)
	}
}
