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
	clients     = 4 // that send at the same time
	jobsPerPart = 4 // one by completing the upload, the others by analysing the part again
	requestTime = 20 * time.Second
	retryPause  = 100 * time.Millisecond
)

// submission is what the clients were told.
type submission struct {
	mu      sync.Mutex
	jobs    map[string]string // accepted job → its part
	refused []error           // answers that no retry would change
	retries int               // requests sent again because of trouble
}

// submit sends parts until all jobs are accepted, repeating what fails, or until ctx ends.
func (s *stack) submit(ctx context.Context) *submission {
	sent := &submission{jobs: map[string]string{}}
	file, err := os.ReadFile(s.File)
	if err != nil {
		sent.refused = append(sent.refused, err)
		return sent
	}
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for first := c * jobsPerPart; first < s.Jobs; first += clients * jobsPerPart {
				for s.backlog.Load() > int64(min(s.Jobs/5, s.Workers*50)) && pause(ctx, retryPause) {
					// the clients last as long as the faults
				}
				u := &upload{stack: s, submission: sent, number: first / jobsPerPart}
				u.file = unlike(file, u.number)
				if err := u.send(ctx, min(jobsPerPart, s.Jobs-first)); err != nil {
					sent.mu.Lock()
					sent.refused = append(sent.refused, err)
					sent.mu.Unlock()
					return
				}
			}
		})
	}
	all.Wait()
	return sent
}

// coarse is the chord tolerance of the second job on a part, mm; those after it are finer. Each finds the model of the
// first stored and makes the rest.
const coarse = 0.1

// unlike returns a STEP file of the same part with a comment of its own, lest it be known already.
func unlike(file []byte, number int) []byte {
	const head = "ISO-10303-21;"
	return bytes.Replace(file, []byte(head), fmt.Appendf(nil, "%s /* part %d */", head, number), 1)
}

// upload is one part on its way.
type upload struct {
	*stack
	*submission
	number int
	file   []byte
}

// send makes a part and so many jobs on it.
func (u *upload) send(ctx context.Context, jobs int) error {
	var made struct{ PartID, UploadURL string }
	err := u.call(ctx, http.MethodPost, u.base+"/v1/parts", `{"fileName":"part.step"}`, "create", &made)
	if err != nil {
		return err
	}
	if err := u.call(ctx, http.MethodPut, made.UploadURL, string(u.file), "", nil); err != nil {
		return err
	}
	address := u.base + "/v1/parts/" + made.PartID
	for i := range jobs {
		method, at, body := http.MethodPatch, address, fmt.Sprintf(`{"chordTolerance": %g}`, coarse/float64(i+1))
		if i == 0 {
			method, at, body = http.MethodPost, address+"/complete", ""
		}
		var job struct{ JobID string }
		if err := u.call(ctx, method, at, body, fmt.Sprint("job", i), &job); err != nil {
			return err
		}
		u.mu.Lock()
		u.jobs[job.JobID] = made.PartID
		u.mu.Unlock()
	}
	return nil
}

// call repeats a request until it is answered well. What is named is sent with an Idempotency-Key, so that a repetition
// does nothing twice. The error is an answer that a repetition would not change.
func (u *upload) call(ctx context.Context, method, address, body, name string, out any) error {
	for {
		answer, err := u.once(ctx, method, address, body, name)
		switch {
		case err == nil && out == nil:
			return nil
		case err == nil:
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
