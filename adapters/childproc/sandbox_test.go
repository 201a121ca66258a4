package childproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/adapters/confine/confinetest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/record"
)

// The test binary has three roles: the tests, the child whose stages follow a script given by the file's name, and a
// worker that is killed while its child works.
const (
	roleVar    = "CHILDPROC_TEST_ROLE"
	roleChild  = "child"
	roleWorker = "worker"
	dirVar     = "CHILDPROC_TEST_DIR"

	raceVar = "GORACE=atexit_sleep_ms=0" // a child under the race detector need not linger
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVar) {
	case roleChild:
		if err := Serve(context.Background(), scripted); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case roleWorker:
		sandbox := newSandbox(Options{Dir: os.Getenv(dirVar)})
		space, err := sandbox.Open()
		if err == nil {
			_, err = space.Make(context.Background(), pipeline.Params{FileName: "hang"}, nil,
				func(p pipeline.Progress) {
					sandbox.Warm()
					fmt.Println(p.Doing, spareOf(sandbox))
				})
		}
		fmt.Fprintln(os.Stderr, "the worker was not killed:", err)
		os.Exit(1)
	}
	confinetest.Arm()
	status := m.Run()
	if _, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); !errors.Is(err, unix.ECHILD) {
		fmt.Fprintln(os.Stderr, "a test left a child:", err)
		status = 1
	}
	os.Exit(status)
}

// newSandbox runs this test binary as the child.
func newSandbox(o Options) *Sandbox {
	o.Argv = []string{"/proc/self/exe"}
	o.Env = append(o.Env, roleVar+"="+roleChild, raceVar)
	o.Read, o.Write = append(o.Read, "/bin", "/usr/bin"), append(o.Write, "/dev/full") // for scripts
	s, err := New(o)
	if err != nil {
		panic(err)
	}
	return s
}

// scripted simulates the stages; the file's name selects the behavior.
func scripted(
	ctx context.Context, params pipeline.Params, want []pipeline.Name, files pipeline.Files,
	tell func(pipeline.Progress), convert Convert,
) (pipeline.Run, error) {
	if format, ok := strings.CutPrefix(params.FileName, "convert "); ok {
		tell(pipeline.Progress{Percent: 1, Doing: "converting"})
		text, err := convert(ctx, strings.NewReader("a part, cut off"), int64(len("a part")), format, ".prt")
		tell(pipeline.Progress{Percent: 2, Doing: string(text)})
		return pipeline.Run{}, err
	}
	switch params.FileName {
	case "copy":
		f, err := files.Open(pipeline.Source)
		if err != nil {
			return pipeline.Run{}, err
		}
		run := pipeline.Run{Compute: pipeline.ComputeUse{Device: "test"}}
		for _, n := range want {
			size, err := files.Write(n, func(w io.Writer) error {
				_, err := io.Copy(w, io.NewSectionReader(f, 0, f.Size()))
				return err
			})
			if err != nil {
				return run, err
			}
			run.Made = append(run.Made, pipeline.Built{Name: n, Size: size, Took: time.Millisecond})
		}
		return run, f.Close()
	case "attack":
		return pipeline.Run{}, attack(files, tell)
	case "process":
		tell(pipeline.Progress{Percent: 1, Doing: strconv.Itoa(os.Getpid())})
		return pipeline.Run{}, nil
	case "progress":
		for p := range 101 {
			tell(pipeline.Progress{Percent: p, Doing: "step " + strconv.Itoa(p)})
		}
		return pipeline.Run{}, nil
	case "hang":
		tell(pipeline.Progress{Percent: 1, Doing: strconv.Itoa(os.Getpid())})
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
		return pipeline.Run{}, nil
	case "panic":
		panic("index out of range while sewing")
	case "exit":
		fmt.Fprintln(os.Stderr, "gone without a word")
		os.Exit(7)
	case "exit after answer":
		_, _ = os.NewFile(answerFile, "").WriteString(`{"run":{}}` + "\n")
		os.Exit(7)
	case "garbage":
		_, _ = os.NewFile(answerFile, "").WriteString("{\"progress\":{\"percent\":5}}\nSegmentation fault\n")
		select {}
	case "two answers":
		_, _ = os.NewFile(answerFile, "").WriteString(`{"run":{},"error":"both"}` + "\n")
		select {}
	case "failure":
		return pipeline.Run{},
			fmt.Errorf("read: %w", &fault.Error{Code: fault.NoSolid, Reason: "No solid.", Judge: "model 7"})
	case "error":
		return pipeline.Run{}, errors.New("the tessellator gave up")
	case "environment":
		tell(pipeline.Progress{Percent: 1, Doing: strings.Join(os.Environ(), " ")})
		return pipeline.Run{}, nil
	case "grandchild":
		c := exec.Command("/bin/sleep", "1000")
		if err := c.Start(); err != nil {
			return pipeline.Run{}, err
		}
		return pipeline.Run{}, c.Process.Kill()
	}
	return pipeline.Run{}, fmt.Errorf("no script for %q", params.FileName)
}

// run runs a script in a new workspace.
func run(t *testing.T, o Options, name string, tell func(pipeline.Progress)) (pipeline.Run, error) {
	t.Helper()
	return open(t, o).Make(t.Context(), pipeline.Params{FileName: name}, nil, tell)
}

func open(t *testing.T, o Options) *Workspace {
	t.Helper()
	space, err := newSandbox(o).OpenFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = space.Close() })
	return space
}

func TestWorkspaceStoresArtifacts(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "work")
	space := open(t, Options{Dir: parent})
	if err := space.Put(t.Context(), pipeline.Source, strings.NewReader("content")); err != nil {
		t.Fatal(err)
	}
	got, err := space.Make(t.Context(), pipeline.Params{FileName: "copy"},
		[]pipeline.Name{pipeline.STL, pipeline.GLB}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.PeakRSSBytes < 1<<20 {
		t.Errorf("peak of the child = %d bytes, want its real size", got.PeakRSSBytes)
	}
	got.PeakRSSBytes = 0
	want := pipeline.Run{Compute: pipeline.ComputeUse{Device: "test"}, Made: []pipeline.Built{
		{Name: pipeline.STL, Size: 7, Took: time.Millisecond}, {Name: pipeline.GLB, Size: 7, Took: time.Millisecond},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Make = %+v, want %+v", got, want)
	}
	for _, n := range []pipeline.Name{pipeline.Source, pipeline.STL, pipeline.GLB} {
		f, err := space.Get(n)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil || string(data) != "content" {
			t.Errorf("%s holds %q, %v", n, data, err)
		}
	}
	if _, err := space.Get(pipeline.Mesh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing artifact: %v, want ErrNotExist", err)
	}
	if err := space.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("%v is left of a closed workspace (%v)", left, err)
	}
}

func TestLinkedFilesAreNotTouched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "part.step")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	space := open(t, Options{})
	if err := space.Link(pipeline.Source, file); err != nil {
		t.Fatal(err)
	}
	if _, err := space.Make(t.Context(), pipeline.Params{FileName: "copy"}, []pipeline.Name{pipeline.STL},
		nil); err != nil {
		t.Fatal(err)
	}
	if err := space.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "content" {
		t.Errorf("the linked file holds %q, %v", data, err)
	}
}

// TestDeadWorkspacesAreRemoved kills a working process; workspaces of live processes stay.
func TestDeadWorkspacesAreRemoved(t *testing.T) {
	parent := t.TempDir()
	alive := open(t, Options{Dir: parent})
	killWorker(t, parent)
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 3 {
		t.Fatalf("%v, %v; want the workspaces of a living and of a dead process, and of its spare", entries, err)
	}
	next := open(t, Options{Dir: parent})
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v; want the workspaces of the living", entries, err)
	}
	for _, w := range []*Workspace{alive, next} {
		if _, err := os.Stat(w.Dir); err != nil {
			t.Errorf("a workspace in use: %v", err)
		}
	}
}

// TestFullDisk lets the parent, and then the child, write to a full disk. The error is temporary, and no file is left.
func TestFullDisk(t *testing.T) {
	space := open(t, Options{Dir: t.TempDir()})
	full := func(n pipeline.Name) {
		if err := os.Symlink("/dev/full", space.Path(n)+".unfinished"); err != nil {
			t.Fatal(err)
		}
	}
	full(pipeline.Source)
	err := space.Put(t.Context(), pipeline.Source, strings.NewReader("content"))
	if !errors.Is(err, record.ErrUnavailable) {
		t.Errorf("Put = %v, want ErrUnavailable", err)
	}
	if err := space.Put(t.Context(), pipeline.Source, strings.NewReader("content")); err != nil {
		t.Fatalf("Put with room again: %v", err)
	}
	full(pipeline.GLB)
	for _, c := range []struct{ isFull bool }{{true}, {false}} {
		_, err := space.Make(t.Context(), pipeline.Params{FileName: "copy"},
			[]pipeline.Name{pipeline.STL, pipeline.GLB}, nil)
		if (err != nil) != c.isFull || errors.Is(err, record.ErrUnavailable) != c.isFull {
			t.Errorf("Make = %v; want ErrUnavailable: %t", err, c.isFull)
		}
		if _, err := space.Get(pipeline.GLB); errors.Is(err, os.ErrNotExist) != c.isFull {
			t.Errorf("Get = %v; want the artifact once the disk has space", err)
		}
	}
}

func TestProgressArrivesInOrder(t *testing.T) {
	var got []string
	_, err := run(t, Options{}, "progress",
		func(p pipeline.Progress) { got = append(got, fmt.Sprint(p.Percent, " ", p.Doing)) })
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
		_, err := run(t, c.options, c.name, nil)
		var failure *fault.Error
		if !errors.As(err, &failure) || failure.Code != c.want || failure.Reason == "" {
			t.Errorf("%s: %v; want a failure %s", c.name, err, c.want)
		} else if judged := failure.Judge == "model 7"; judged != (c.want == fault.NoSolid) {
			t.Errorf("%s: the judge is %q", c.name, failure.Judge)
		}
	}
}

// TestErrors covers defects of the kernel itself. They are not of type fault.Error, so the job is tried again.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"panic", "index out of range while sewing"},
		{"exit", "gone without a word"},
		{"exit", "exit status 7"},
		{"exit after answer", "exit status 7"},
		{"garbage", "invalid character 'S'"},
		{"two answers", "says 2 things"},
		{"error", "the tessellator gave up"},
		{"unknown", "no script"},
	} {
		_, err := run(t, Options{}, c.name, nil)
		var failure *fault.Error
		if err == nil || errors.As(err, &failure) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want an error with %q", c.name, err, c.want)
		}
	}
}

func TestProgramThatDoesNotStart(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"missing", "/no/such/program", "no such file"},
		{"speaks no protocol", "true", "there is none"},
		{"fails", "false", "exit status 1"},
	} {
		s, err := New(Options{Argv: []string{c.program}})
		if err != nil {
			t.Fatal(err)
		}
		space, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = space.Close() })
		_, err = space.Make(t.Context(), pipeline.Params{}, nil, nil)
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
	space := open(t, Options{})
	_, err := space.Make(ctx, pipeline.Params{FileName: "hang"}, nil, func(p pipeline.Progress) {
		child = number(t, p.Doing)
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Make = %v, want context.Canceled", err)
	}
	if err := unix.Kill(child, 0); !errors.Is(err, unix.ESRCH) {
		t.Errorf("child %d after Make: %v, want no such process", child, err)
	}
	_, err = space.Make(ctx, pipeline.Params{FileName: "progress"}, nil, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Make with an ended context = %v", err)
	}
}

func TestChildStartsNoProcess(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	if _, err := run(t, Options{}, "grandchild", nil); err == nil ||
		!strings.Contains(err.Error(), unix.EPERM.Error()) {
		t.Errorf("a child that starts a process: %v, want %v", err, unix.EPERM)
	}
}

// TestReplyEndsWithTheRun has a reply to a child that has ended, while another process keeps its end of the pipe open.
func TestReplyEndsWithTheRun(t *testing.T) {
	p, err := start(Options{Argv: []string{"/bin/sleep", "1000"}}, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	unread, err := os.Open(fmt.Sprintf("/proc/%d/fd/0", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan error)
	go func() { sent <- p.send(strings.Repeat("a reply", 1<<20)) }()
	p.killGroup()
	<-p.exited
	p.close()
	select {
	case err := <-sent:
		if err == nil {
			t.Error("a reply that nobody reads was sent")
		}
	case <-time.After(drainTime):
		t.Error("the reply has not ended")
	}
	_, _ = p.reap(), unread.Close() // it was killed
}

func TestChildDoesNotOutliveItsWorker(t *testing.T) {
	for name, child := range killWorker(t, t.TempDir()) {
		t.Run(name, func(t *testing.T) { awaitEnd(t, child.fd, child.pid) })
	}
}

// handle is a process that is not our child.
type handle struct{ fd, pid int }

// killWorker starts a process that works in a folder and kills it when one child is at work and another waits.
func killWorker(t *testing.T, dir string) map[string]handle {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	worker := exec.Command(self)
	worker.Env = append(os.Environ(), roleVar+"="+roleWorker, dirVar+"="+dir)
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	var child, standby int
	if _, err := fmt.Fscan(out, &child, &standby); err != nil {
		t.Fatal(err)
	}
	left := map[string]handle{"at work": {openPid(t, child), child}, "spare": {openPid(t, standby), standby}}
	if err := worker.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = worker.Wait() // it was killed
	return left
}

func TestChildGetsOnlyGivenEnvironment(t *testing.T) {
	t.Setenv("MILLWRIGHT_SECRET", "told in confidence")
	var got string
	_, err := run(t, Options{Env: []string{"LANG=C"}}, "environment", func(p pipeline.Progress) { got = p.Doing })
	if err != nil {
		t.Fatal(err)
	}
	want := "LANG=C " + roleVar + "=" + roleChild + " " + raceVar + " TMPDIR="
	if given, dir, _ := strings.Cut(got, "TMPDIR="); given+"TMPDIR=" != want || filepath.Base(dir)[:4] != "run-" {
		t.Errorf("environment of the child = %q, want %q with its workspace", got, want)
	}
}

// TestPeakExcludesParentMemory makes this process larger than the child, which must not increase the peak.
func TestPeakExcludesParentMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, under which short tests run, has memory of its own")
	}
	ballast := make([]byte, 400<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	got, err := run(t, Options{}, "hold 200 MB", nil)
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
