package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/mux"

	"millwright.dev/millwright/bench/teststack"
)

// loadCmd compares reads of a running server with a bare handler that returns the same bytes from memory, at rest and
// during processing of parts. It sends concurrent uploads, and with --soak watches memory. All traffic is on the
// loopback interface.
type loadCmd struct {
	Stack   string        `default:"embedded" enum:"embedded,production" help:"SQLite and files, or PostgreSQL, Redis and S3."`
	Clients int           `default:"16" help:"Readers at the same time."`
	Round   time.Duration `default:"2s" help:"Length of a round of one kind of reading."`
	Rounds  int           `default:"3" help:"Rounds; the two servers take turns."`
	Writes  int           `default:"20" help:"Parts that are uploaded and processed a minute while others read."`
	Uploads int           `default:"200" help:"Uploads at the same time."`
	Soak    time.Duration `help:"Read, upload and analyse for so long and show the memory."`
	File    string        `default:"cmd/millwright/example/bracket.step" type:"existingfile" help:"CAD file to upload."`
}

// Run prints the figures.
func (c *loadCmd) Run() error {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "millwright-load-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // temporary
	l := &load{loadCmd: c, http: &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: c.Uploads, DisableCompression: true, // it is the service that is measured, not gzip
	}}}
	if l.file, err = os.ReadFile(c.File); err != nil {
		return err
	}
	stack, err := teststack.Open(ctx, c.Stack, folder)
	if err != nil {
		return err
	}
	defer func() { _ = stack.Close() }() // private to this run
	program, err := teststack.Build(ctx, folder)
	if err != nil {
		return err
	}
	if l.server, err = stack.Serve(ctx, program, "--create-interval", "0s"); err != nil {
		return err
	}
	defer l.server.Stop()
	if l.key, err = stack.NewKey(ctx, teststack.KeyRequest{Team: "load"}); err != nil {
		return err
	}
	return errors.Join(l.reads(ctx, folder), l.uploads(ctx), l.soak(ctx))
}

type load struct {
	*loadCmd
	server *teststack.Server
	key    string
	file   []byte
	http   *http.Client
}

// call sends a request and returns the body of a 2xx answer.
func (l *load) call(ctx context.Context, method, url string, body []byte, headers map[string]string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := l.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	out, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %s %.200s", method, req.URL.Path, resp.Status, out)
	}
	return out, err
}

func (l *load) api(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	return l.call(ctx, method, l.server.Base+path, body, map[string]string{
		"Authorization": "Bearer " + l.key, "Content-Type": "application/json",
	})
}

// upload creates a part and sends its file, and on request has it analyzed.
func (l *load) upload(ctx context.Context, complete bool) (string, error) {
	data, err := l.api(ctx, http.MethodPost, "/parts", []byte(`{"fileName":"load.step","autoCreateProgram":false}`))
	if err != nil {
		return "", err
	}
	var made struct {
		Data   struct{ ID string }
		Upload struct {
			URL     string
			Headers map[string]string
		}
	}
	if err := json.Unmarshal(data, &made); err != nil {
		return "", err
	}
	if _, err := l.call(ctx, http.MethodPut, made.Upload.URL, l.file, made.Upload.Headers); err != nil {
		return "", err
	}
	if complete {
		_, err = l.api(ctx, http.MethodPost, "/parts/"+made.Data.ID+"/complete", nil)
	}
	return made.Data.ID, err
}

const pollPause = 10 * time.Millisecond // as a patient client; continuous requests would be additional load

// ready makes a part and waits for its result.
func (l *load) ready(ctx context.Context) (string, error) {
	id, err := l.upload(ctx, true)
	for err == nil {
		var part struct{ Data struct{ Status string } }
		var data []byte
		if data, err = l.api(ctx, http.MethodGet, "/parts/"+id, nil); err == nil {
			err = json.Unmarshal(data, &part)
		}
		if part.Data.Status == "ready" {
			return id, nil
		}
		if part.Data.Status == "failed" {
			return "", errors.New("the part failed")
		}
		time.Sleep(pollPause)
	}
	return "", err
}

// reads measures a part result and a page of jobs.
func (l *load) reads(ctx context.Context, folder string) error {
	const parts = 25 // enough for a page of jobs
	id := ""
	for range parts {
		var err error
		if id, err = l.ready(ctx); err != nil {
			return err
		}
	}
	for _, read := range []struct{ name, path string }{
		{"part result", "/v1/parts/" + id}, {"list of jobs", "/v1/jobs"},
	} {
		name, path := read.name, read.path
		body, err := l.api(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		file := filepath.Join(folder, "body")
		if err := os.WriteFile(file, body, 0o600); err != nil {
			return err
		}
		bare, stop, err := startBare(file)
		if err != nil {
			return err
		}
		fmt.Printf("GET of a %s, %d bytes, %d clients, at rest:\n", name, len(body), l.Clients)
		err = l.compare(ctx, bare, path)
		if err == nil && l.Writes > 0 {
			fmt.Printf("GET of a %s while %d parts a minute are processed:\n", name, l.Writes)
			done, end := l.write(ctx)
			err = errors.Join(l.compare(ctx, bare, path), end())
			fmt.Printf("  %d parts were processed during the uploads\n", done.Load())
		}
		stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// compare reads a path of the server and of the bare handler in turns.
func (l *load) compare(ctx context.Context, bare bareServer, path string) error {
	var own, other figures
	for range l.Rounds {
		own.add(l.round(ctx, l.server.Base+path, l.server.Pid()))
		other.add(l.round(ctx, bare.address+path, bare.pid))
	}
	own.print("millwright")
	other.print("bare handler")
	fmt.Printf("  millwright answers %.0f %% of the requests/s, at %.1f times the processor time\n",
		100*own.rate()/other.rate(), own.cpuEach()/other.cpuEach())
	if own.failed+other.failed > 0 {
		return fmt.Errorf("%d reads failed", own.failed+other.failed)
	}
	return nil
}

// write makes parts at an even pace until end is called, which waits for those under way.
func (l *load) write(ctx context.Context) (done *atomic.Int64, end func() error) {
	done = new(atomic.Int64)
	stopped := make(chan struct{})
	var all sync.WaitGroup
	var failed error
	all.Go(func() {
		ticker := time.NewTicker(time.Minute / time.Duration(l.Writes))
		defer ticker.Stop()
		for failed == nil {
			if _, failed = l.ready(ctx); failed == nil {
				done.Add(1)
			}
			select {
			case <-ticker.C:
			case <-stopped:
				return
			}
		}
	})
	return done, func() error {
		close(stopped)
		all.Wait()
		return failed
	}
}

// figures are what rounds of reading gave.
type figures struct {
	took   []time.Duration
	failed int
	time   time.Duration // all rounds
	cpu    time.Duration // of the server
}

func (f *figures) add(g figures) {
	f.took = append(f.took, g.took...)
	f.failed, f.time, f.cpu = f.failed+g.failed, f.time+g.time, f.cpu+g.cpu
}

func (f *figures) rate() float64    { return float64(len(f.took)) / f.time.Seconds() }
func (f *figures) cpuEach() float64 { return float64(f.cpu.Microseconds()) / float64(len(f.took)) }

func (f *figures) print(name string) {
	slices.Sort(f.took)
	p99 := f.took[len(f.took)*99/100]
	fmt.Printf("  %-13s %7.0f requests/s, p99 %8v, %5.0f µs of processor time each\n",
		name, f.rate(), p99.Round(10*time.Microsecond), f.cpuEach())
}

// round reads one address with all clients for a while.
func (l *load) round(ctx context.Context, url string, pid int) figures {
	var (
		mu  sync.Mutex
		out figures
		all sync.WaitGroup
	)
	before, start := processorTime(pid), time.Now()
	for range l.Clients {
		all.Go(func() {
			var mine figures
			for time.Since(start) < l.Round {
				sent := time.Now()
				if _, err := l.call(ctx, http.MethodGet, url, nil, map[string]string{
					"Authorization": "Bearer " + l.key,
				}); err != nil {
					mine.failed++
				}
				mine.took = append(mine.took, time.Since(sent))
			}
			mu.Lock()
			defer mu.Unlock()
			out.add(mine)
		})
	}
	all.Wait()
	out.time, out.cpu = time.Since(start), processorTime(pid)-before
	return out
}

// processorTime returns the processor time of a process, from /proc/PID/stat in ticks of 10 ms.
func processorTime(pid int) time.Duration {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat") // 0 shows that there is none
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	const user, system, tick = 11, 12, 10 * time.Millisecond
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.Atoi(fields[user])
	s, _ := strconv.Atoi(fields[system])
	return time.Duration(u+s) * tick
}

// uploads sends files side by side.
func (l *load) uploads(ctx context.Context) error {
	if l.Uploads == 0 {
		return nil
	}
	var all sync.WaitGroup
	var failed atomic.Int64
	var first atomic.Pointer[string]
	start := time.Now()
	for range l.Uploads {
		all.Go(func() {
			if _, err := l.upload(ctx, false); err != nil {
				failed.Add(1)
				text := err.Error()
				first.CompareAndSwap(nil, &text)
			}
		})
	}
	all.Wait()
	fmt.Printf("%d uploads at once of %d bytes: %d failed, %.1f s\n",
		l.Uploads, len(l.file), failed.Load(), time.Since(start).Seconds())
	if failed.Load() > 0 {
		return fmt.Errorf("uploads failed, one with: %s", *first.Load())
	}
	return nil
}

// soak reads, uploads and analyses for a while and shows the memory of the server at equal distances.
func (l *load) soak(ctx context.Context) error {
	if l.Soak == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.Soak)
	defer cancel()
	const samples = 20
	ticker := time.NewTicker(l.Soak / samples)
	defer ticker.Stop()
	go func() {
		for ctx.Err() == nil {
			if _, err := l.ready(ctx); err != nil && ctx.Err() == nil {
				fmt.Println("  a part of the soak:", err)
			}
		}
	}()
	for range l.Clients {
		go func() {
			for ctx.Err() == nil {
				_, _ = l.api(ctx, http.MethodGet, "/v1/jobs?pageSize=100", nil) // the time may be up
			}
		}()
	}
	fmt.Print("memory over the soak, MB:")
	for range samples {
		<-ticker.C
		memory, err := l.server.Memory()
		if err != nil {
			return err
		}
		fmt.Printf(" %d", memory>>20)
	}
	fmt.Println()
	return nil
}

// bareServer is a process that answers one body.
type bareServer struct {
	address string
	pid     int
}

func startBare(file string) (bareServer, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return bareServer{}, nil, err
	}
	cmd := exec.Command(self, "bare", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return bareServer{}, nil, err
	}
	if err := cmd.Start(); err != nil {
		return bareServer{}, nil, err
	}
	stop := func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // an error only says that it was killed
	}
	var address string
	if _, err := fmt.Fscanln(out, &address); err != nil {
		stop()
		return bareServer{}, nil, err
	}
	return bareServer{"http://" + address, cmd.Process.Pid}, stop, nil
}

// bareCmd answers every path with the same bytes from memory.
type bareCmd struct {
	File string `arg:"" help:"The bytes."`
}

// Run serves until it is killed.
func (c *bareCmd) Run() error {
	body, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	router := mux.NewRouter()
	answer := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}
	router.HandleFunc("/v1/parts/{id}", answer).Methods(http.MethodGet)
	router.HandleFunc("/v1/jobs", answer).Methods(http.MethodGet)
	server := &http.Server{Handler: router, ReadHeaderTimeout: time.Second}
	return server.Serve(listener)
}
