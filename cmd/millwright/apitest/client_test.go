package apitest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// client sends requests to a running server and has every answer judged by the description that the server
// serves. It remembers which answers were seen.
type client struct {
	t    *testing.T
	base string
	with *contract.Contract
	http *http.Client

	mu   sync.Mutex
	seen map[answer]bool
}

// answer is one of those that an operation may give; code is "" for all but problems.
type answer struct {
	operation string
	status    int
	code      string
}

func (a answer) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %d %s", a.operation, a.status, a.code))
}

// patience is the time limit of every request and every wait; none should come near it.
const patience = 60 * time.Second

func newClient(t *testing.T, base string) *client {
	t.Helper()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ExpectContinueTimeout = patience // for a body that the server has to accept first
	t.Cleanup(transport.CloseIdleConnections)
	c := &client{
		t: t, base: base, seen: map[answer]bool{},
		http: &http.Client{Transport: transport, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
	resp, err := c.http.Get(base + "/v1/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	description, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if c.with, err = contract.Load(description); err != nil {
		t.Fatal(err)
	}
	return c
}

// call is a request that is about to be sent.
type call struct {
	method, path string
	key          string
	media        string // of the body; "" = application/json where there is a body
	body         []byte
	headers      map[string]string
	loose        bool // accepted in a form that a description cannot state
}

// reply is an answer with its body.
type reply struct {
	*http.Response
	body []byte
	code string
}

// send sends a request and judges the answer. A 2xx answer must come from a request that is described.
func (c *client) send(t *testing.T, in call) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), in.method, c.base+in.path, bytes.NewReader(in.body))
	if err != nil {
		t.Fatal(err)
	}
	if in.key != "" {
		req.Header.Set("Authorization", "Bearer "+in.key)
	}
	if in.body != nil {
		if in.media == "" {
			in.media = "application/json"
		}
		req.Header.Set("Content-Type", in.media)
	}
	for name, value := range in.headers {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	e := contract.Exchange{Request: req, RequestBody: in.body, Response: resp, Body: body}
	for _, wrong := range c.with.Answer(e) {
		t.Errorf("%s %s: %d %.300s\n  %s", in.method, in.path, resp.StatusCode, body, wrong)
	}
	if resp.StatusCode < http.StatusMultipleChoices && !in.loose {
		for _, wrong := range c.with.Request(e) {
			t.Errorf("%s %s %s was accepted but is not described: %s", in.method, in.path, in.body, wrong)
		}
	}
	out := reply{resp, body, contract.CodeOf(e)}
	if op, _ := c.with.Find(in.method, req.URL.EscapedPath()); op != nil {
		c.mu.Lock()
		c.seen[answer{op.ID, resp.StatusCode, out.code}] = true
		c.mu.Unlock()
	}
	return out
}

// want sends a request and checks status and code.
func (c *client) want(t *testing.T, in call, status int, code string) reply {
	t.Helper()
	r := c.send(t, in)
	if r.StatusCode != status || r.code != code {
		t.Errorf("%s %s %s: %d %s, want %d %s: %.300s",
			in.method, in.path, in.body, r.StatusCode, r.code, status, code, r.body)
	}
	if r.StatusCode == http.StatusAccepted && (r.Header.Get("Link") == "" || r.Header.Get("Retry-After") == "") {
		t.Errorf("%s %s: 202 with Link %q, Retry-After %q", in.method, in.path, r.Header.Get("Link"),
			r.Header.Get("Retry-After"))
	}
	c.known(t, in, r)
	return r
}

// known repeats a request whose response had an ETag.
func (c *client) known(t *testing.T, in call, r reply) {
	t.Helper()
	tag := r.Header.Get("ETag")
	if in.method != http.MethodGet || r.StatusCode != http.StatusOK || tag == "" || in.headers != nil {
		return
	}
	in.headers = map[string]string{"If-None-Match": tag}
	if again := c.send(t, in); again.StatusCode != http.StatusNotModified && again.Header.Get("ETag") == tag {
		t.Errorf("%s %s: %d to who has %s", in.method, in.path, again.StatusCode, tag)
	}
}

// decode reads a JSON answer.
func decode[T any](t *testing.T, r reply) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(r.body, &out); err != nil {
		t.Fatalf("decode %.300s: %v", r.body, err)
	}
	return out
}

// await repeats a request until an answer satisfies, as a polling client does.
func (c *client) await(t *testing.T, in call, satisfied func(reply) bool) reply {
	t.Helper()
	const pause = 50 * time.Millisecond
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for deadline := time.Now().Add(patience); ; {
		r := c.send(t, in)
		if satisfied(r) {
			return r
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s %s never came to it: %d %s", in.method, in.path, r.StatusCode, r.body)
		}
		<-ticker.C
	}
}

// encode makes a JSON body.
func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
