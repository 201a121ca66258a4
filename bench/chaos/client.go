package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	clients     = 12 // that send at the same time
	requestTime = 20 * time.Second
	retryPause  = 100 * time.Millisecond
)

// submission is the data that the clients received.
type submission struct {
	mu       sync.Mutex
	jobs     map[string]string   // accepted job → its part
	programs map[string][]string // part → the programs that it was accepted with or for
	plans    map[string][]string // part → plans other than those of its programs
	refused  []error             // answers that no retry would change
	retries  int                 // requests sent again because of trouble
}

func newSubmission() *submission {
	return &submission{jobs: map[string]string{}, programs: map[string][]string{}, plans: map[string][]string{}}
}

// submit sends parts until all jobs are accepted, repeating what fails, or until ctx ends.
func (s *stack) submit(ctx context.Context) *submission {
	sent := newSubmission()
	file, err := os.ReadFile(s.File)
	if err != nil {
		sent.refused = append(sent.refused, err)
		return sent
	}
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			if err := s.client(ctx, sent, file, c); err != nil {
				sent.mu.Lock()
				sent.refused = append(sent.refused, err)
				sent.mu.Unlock()
			}
		})
	}
	all.Wait()
	return sent
}

// client sends every so many parts, the first of which is given. While one part is analyzed it sends the next.
func (s *stack) client(ctx context.Context, sent *submission, file []byte, first int) error {
	var before *upload
	for n := first; n*jobsPerPart < s.Jobs; n += clients {
		for s.backlog.Load() > int64(min(s.Jobs/5, s.Workers*50)) && pause(ctx, retryPause) {
			// the clients last as long as the faults
		}
		u := &upload{stack: s, submission: sent, number: n, file: unlike(file, n)}
		if err := u.send(ctx); err != nil {
			return err
		}
		if err := before.machine(ctx); err != nil {
			return err
		}
		before = u
	}
	return before.machine(ctx)
}

// call repeats a request until it is answered well. What is named is sent with an Idempotency-Key, so that a repetition
// does nothing twice. The answer is decoded from JSON, unless out is for bytes. The error is an answer that a
// repetition would not change.
func (u *upload) call(ctx context.Context, method, address, body, name string, out any) error {
	for {
		answer, err := u.once(ctx, method, address, body, name)
		switch {
		case err == nil && out == nil:
			return nil
		case err == nil:
			if text, plain := out.(*[]byte); plain {
				*text = answer
				return nil
			}
			if err := json.Unmarshal(answer, out); err != nil {
				return fmt.Errorf("%s %s: %w", method, address, err)
			}
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if r, ok := err.(*refusal); ok && !r.mayPass() {
			return err
		}
		u.mu.Lock()
		u.retries++
		u.mu.Unlock()
		pause(ctx, retryPause)
	}
}

// refusal is an answer other than the wanted one.
type refusal struct {
	what   string
	status int
	body   []byte
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s: status %d: %.300s", r.what, r.status, r.body)
}

// mayPass: the service is in trouble, or still busy with the same request.
func (r *refusal) mayPass() bool {
	return r.status >= 500 || bytes.Contains(r.body, []byte("idempotency_in_progress"))
}

func (u *upload) once(ctx context.Context, method, address, body, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(address, u.base+"/v1/") {
		req.Header.Set("Authorization", "Bearer "+u.key)
		if body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
	}
	if name != "" {
		req.Header.Set("Idempotency-Key", fmt.Sprintf("%d-%s", u.number, name))
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // read to its end
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		path, _, _ := strings.Cut(address, "?") // the rest is a signature
		return nil, &refusal{method + " " + path, res.StatusCode, answer}
	}
	return answer, nil
}
