package apifuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"millwright.dev/millwright/adapters/httpapi/contract"
)

// watch looks at every answer and knows which ids are whose.
type watch struct {
	Options
	stop context.CancelFunc

	mu     sync.Mutex
	report Report
	owner  map[string]int // team by id
	corpus
}

func newWatch(o Options, stop context.CancelFunc) *watch {
	return &watch{
		Options: o, stop: stop, report: Report{Answers: map[int]int{}, Succeeded: map[string]int{}},
		owner: map[string]int{}, corpus: newCorpus(len(o.Teams)),
	}
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// objectAddresses is the path prefix of the embedded stack's file server.
const objectAddresses = "/objects/"

// everybodys begins the ids of records that every team has.
const everybodys = "00000000-"

// judge holds an answer to the description and to what must never happen.
func (w *watch) judge(a attempt, e contract.Exchange, took time.Duration) {
	status := e.Response.StatusCode
	w.mu.Lock()
	w.report.Requests++
	w.report.Answers[status]++
	w.report.Slow = append(w.report.Slow, took)
	w.mu.Unlock()
	if status >= http.StatusInternalServerError {
		w.find(a, &e, "an unexpected error")
	}
	path := e.Request.URL.Path
	// Object addresses are signed, not described, and a request whose head is too long never reaches the API.
	if !strings.HasPrefix(path, objectAddresses) && status != http.StatusRequestHeaderFieldsTooLarge {
		for _, wrong := range w.Contract.Answer(e) {
			w.find(a, &e, wrong)
		}
	}
	most := w.Slowest + heldFor(e.Request.URL.Query().Get("wait"))
	if strings.HasPrefix(e.Response.Header.Get("Content-Type"), "text/event-stream") {
		most += longestStream
	}
	if took > most {
		w.find(a, &e, fmt.Sprintf("the answer took %s", took))
	}
	op, _ := w.Contract.Find(a.method, e.Request.URL.EscapedPath())
	if op == nil || op.Secured { // the others answer everybody the same
		w.secrets(a, e)
	}
	if op != nil && status < http.StatusMultipleChoices {
		w.mu.Lock()
		w.report.Succeeded[op.ID]++
		w.mu.Unlock()
	}
}

// longestWait is the maximum delay of a response to a client that requests a wait.
const longestWait = 30 * time.Second

// longestStream is the time after which the service ends a stream of events.
const longestStream = time.Minute

// heldFor returns the wait that a request asks for.
func heldFor(wait string) time.Duration {
	n, err := strconv.Atoi(wait)
	if err != nil {
		return 0
	}
	return min(time.Duration(max(n, 0))*time.Second, longestWait)
}

// secrets looks for names and ids of other teams in an answer, and learns those of its own team.
func (w *watch) secrets(a attempt, e contract.Exchange) {
	body, asked := string(e.Body), e.Request.URL.String()+string(a.body)
	for i, team := range w.Teams {
		if i != a.team && strings.Contains(body, team.Name) && !strings.Contains(asked, team.Name) {
			w.find(a, &e, "the answer tells a name of team "+team.Name)
		}
	}
	learn := a.team >= 0 && e.Response.StatusCode < http.StatusMultipleChoices
	for _, id := range uuid.FindAllString(body, -1) {
		if strings.HasPrefix(id, everybodys) || strings.Contains(strings.ToLower(asked), id) {
			continue
		}
		w.mu.Lock()
		owner, known := w.owner[id]
		if !known && learn {
			w.owner[id] = a.team
		}
		w.mu.Unlock()
		if known && owner != a.team {
			w.find(a, &e, "the answer tells an id of team "+w.Teams[owner].Name)
		}
	}
	if a.team < 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch path := e.Request.URL.Path; {
	case learn:
		w.learn(a.team, path, e.Body)
		if a.method == http.MethodDelete {
			w.drop(a.team, path[strings.LastIndex(path, "/")+1:])
		}
	case e.Response.StatusCode == http.StatusNotFound && a.method == http.MethodGet && contract.CodeOf(e) == "not_found":
		if about := uuid.FindAllString(e.Request.URL.String(), -1); len(about) == 1 { // and no other that may be meant
			w.drop(a.team, about[0])
		}
	}
}

// find records something that must not happen.
func (w *watch) find(a attempt, e *contract.Exchange, what string) {
	const shown = 600 // bytes of a body
	text := fmt.Sprintf("%s\n  %s %.300s (%s)\n  headers %v\n  body %.*q", what, a.method, a.path, a.kind,
		redacted(a.headers), shown, a.body)
	if e != nil {
		text += fmt.Sprintf("\n  answer %d %.*q", e.Response.StatusCode, shown, e.Body)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, known := range w.report.Findings {
		if first, _, _ := strings.Cut(known, "\n"); first == what {
			return // once is enough to see it
		}
	}
	w.report.Findings = append(w.report.Findings, text)
	if len(w.report.Findings) >= w.Options.Findings {
		w.stop()
	}
}

// redacted are headers without keys.
func redacted(h http.Header) http.Header {
	out := h.Clone()
	out.Del("Authorization")
	return out
}

// uploadOf takes part and upload address out of the answer to a creation, of either face.
func uploadOf(body []byte) (part, to string) {
	var made struct {
		PartID    string
		UploadURL string
		Data      struct{ ID string }
		Upload    struct{ URL string }
	}
	if json.Unmarshal(body, &made) != nil {
		return "", ""
	}
	return made.PartID + made.Data.ID, made.UploadURL + made.Upload.URL
}

// unsendable tells a request that the client itself refuses to send.
func unsendable(err error) bool {
	text := err.Error()
	return strings.Contains(text, "invalid header") || strings.Contains(text, "invalid method") ||
		strings.Contains(text, "unsupported protocol")
}
