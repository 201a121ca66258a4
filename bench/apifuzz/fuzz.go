// Package apifuzz asks a running server for everything that its interface description offers and much that it
// does not: requests that are right, almost right and hostile, by the keys of several teams, on records that
// earlier requests made. It holds every answer to the description and looks for what must never happen: an
// unexpected error, an answer that is not described, a name or an id of another team, an endless wait.
//
// Requests are made from the description: its paths, parameters, bounds and examples of bodies. The same seed
// makes the same choices; ids and the order between workers differ from run to run.
package apifuzz

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// Team is somebody who sends requests. Keys are of the same team and may do different things.
type Team struct {
	Name string // in everything that the team names; no other text may contain it
	Keys []string
}

// Options say what to do. Zero values of the bounds mean their defaults.
type Options struct {
	Base     string
	Contract *contract.Contract
	Teams    []Team
	File     []byte // a CAD file that can be read
	Requests int
	Seed     uint64
	Workers  int
	Slowest  time.Duration // that an answer may take; default 20 s
	Findings int           // after which to stop; default 20
}

// Report is what came of a run.
type Report struct {
	Requests  int
	Answers   map[int]int    // by status
	Succeeded map[string]int // how often, by operation
	Offered   int            // operations
	Findings  []string       // what must not happen
	Slow      []time.Duration
	Took      time.Duration
}

// Percentile returns the duration that the given share of the requests, 0 to 1, did not exceed.
func (r *Report) Percentile(share float64) time.Duration {
	if len(r.Slow) == 0 {
		return 0
	}
	return r.Slow[min(int(share*float64(len(r.Slow))), len(r.Slow)-1)]
}

// Run sends the requests. The error says that they could not be sent; findings are in the report.
func Run(ctx context.Context, o Options) (*Report, error) {
	o.Workers = max(o.Workers, 1)
	if o.Slowest == 0 {
		o.Slowest = 20 * time.Second
	}
	if o.Findings == 0 {
		o.Findings = 20
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := newWatch(o, stop)
	start := time.Now()
	var all sync.WaitGroup
	for i := range o.Workers {
		n := o.Requests / o.Workers
		if i == 0 {
			n += o.Requests % o.Workers
		}
		f := &fuzzer{
			Options: o, watch: w, rand: rand.New(rand.NewPCG(o.Seed, uint64(i))),
			client: &http.Client{
				Timeout:   o.Slowest + longestStream,
				Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 2},
				CheckRedirect: func(*http.Request, []*http.Request) error {
					return http.ErrUseLastResponse
				},
			},
		}
		if i == 0 {
			f.prepare(ctx)
		}
		all.Go(func() { f.run(ctx, n) })
	}
	all.Wait()
	slices.Sort(w.report.Slow)
	w.report.Took = time.Since(start)
	w.report.Offered = len(o.Contract.Operations())
	return &w.report, nil
}

// fuzzer is one worker.
type fuzzer struct {
	Options
	watch  *watch
	rand   *rand.Rand
	client *http.Client
}

// run sends requests until n were answered: the client itself refuses to send some that are hostile, far fewer
// than every other.
func (f *fuzzer) run(ctx context.Context, n int) {
	for answered, tries := 0, 0; answered < n && tries < 2*n && ctx.Err() == nil; tries++ {
		if f.send(ctx, f.next()) {
			answered++
		}
	}
}

// attempt is a request that is about to be sent.
type attempt struct {
	team    int // index of the team whose key it carries; -1: none
	method  string
	path    string // with the query
	headers http.Header
	body    []byte
	kind    string // valid, near or hostile
	op      *contract.Operation
}

// send sends one request, has the answer watched, and reports whether there was one.
func (f *fuzzer) send(ctx context.Context, a attempt) bool {
	e, answered := f.exchange(ctx, a)
	if answered {
		f.follow(ctx, a, e)
	}
	return answered
}

// exchange sends one request and has the answer watched.
func (f *fuzzer) exchange(ctx context.Context, a attempt) (e contract.Exchange, answered bool) {
	req, err := http.NewRequestWithContext(ctx, a.method, f.Base+a.path, bytes.NewReader(a.body))
	if err != nil {
		return e, false // no such request can be made
	}
	req.Header = a.headers
	start := time.Now()
	resp, err := f.client.Do(req)
	if err != nil {
		if ctx.Err() == nil && !unsendable(err) {
			f.watch.find(a, nil, "no answer: "+err.Error())
		}
		return e, false
	}
	body, err := readAll(resp)
	_ = resp.Body.Close()
	if err != nil && ctx.Err() == nil {
		f.watch.find(a, nil, "the answer breaks off: "+err.Error())
		return e, false
	}
	e = contract.Exchange{Request: req, RequestBody: a.body, Response: resp, Body: body}
	f.watch.judge(a, e, time.Since(start))
	return e, true
}

// readAll reads an answer, compressed or not.
func readAll(resp *http.Response) ([]byte, error) {
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(resp.Body)
	}
	resp.Header.Del("Content-Encoding")
	in, err := gzip.NewReader(resp.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}

// follow sends a file to the upload address of some of the parts that are made, and completes some of those.
func (f *fuzzer) follow(ctx context.Context, a attempt, e contract.Exchange) {
	// one in uploads gets a file, one in noise of these a file that is not CAD, and one in left is not completed
	const uploads, noise, left = 4, 3, 5
	if e.Response.StatusCode != http.StatusCreated || f.rand.IntN(uploads) != 0 {
		return
	}
	part, to := uploadOf(e.Body)
	if to == "" {
		return
	}
	file := f.File
	if f.rand.IntN(noise) == 0 {
		file = []byte(f.text())
	}
	if f.upload(ctx, a, to, file) && f.rand.IntN(left) != 0 {
		f.send(ctx, attempt{
			team: a.team, method: http.MethodPost, path: "/v1/parts/" + part + "/complete", headers: a.headers.Clone(),
			kind: "valid",
		})
	}
}

// upload sends a file to an address, and reports whether there was an answer.
func (f *fuzzer) upload(ctx context.Context, a attempt, to string, file []byte) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, to, bytes.NewReader(file))
	if err != nil {
		f.watch.find(a, nil, "the upload address is invalid: "+err.Error())
		return false
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return false // judged by what follows
	}
	_ = resp.Body.Close()
	if resp.StatusCode >= http.StatusInternalServerError {
		f.watch.find(a, nil, fmt.Sprintf("the upload is answered with %s", resp.Status))
	}
	return true
}
