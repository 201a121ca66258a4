package idempotency_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// post is a request that creates something.
func post(key, body string) idempotency.Request {
	return idempotency.Request{Method: "POST", Path: "/parts", IdempotencyKey: key, Body: []byte(body)}
}

func (w *world) claim(c account.Caller, r idempotency.Request) *idempotency.Claim {
	w.t.Helper()
	return w.claimUntil(w.t.Context(), c, r)
}

// claimUntil is claim by a process that dies, or stalls, when ctx ends.
func (w *world) claimUntil(ctx context.Context, c account.Caller, r idempotency.Request) *idempotency.Claim {
	w.t.Helper()
	claim, err := w.Requests.Claim(ctx, c, r)
	if err != nil {
		w.t.Fatal(err)
	}
	return claim
}

func TestRequestIsCarriedOutOnce(t *testing.T) {
	w := newWorld(t)
	first := w.claim(w.Acme, post("kk", "body"))
	if first.Response != nil || first.Caller.RecordID == "" || first.Caller.TeamID != w.Acme.TeamID {
		t.Fatalf("first claim = %+v, want one to carry out", first)
	}
	_, err := w.Requests.Claim(t.Context(), w.Acme, post("kk", "body"))
	apptest.WantCode(t, "while it runs", err, apierr.InProgress)
	_, err = w.Requests.Claim(t.Context(), w.Acme, post("kk", "other"))
	apptest.WantCode(t, "another body while it runs", err, apierr.KeyReused)
	answer := idempotency.StoredResponse{Status: 201, ContentType: "application/json", Body: []byte("{}")}
	if err := first.Keep(t.Context(), answer); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(24*time.Hour - time.Second)
	again := w.claim(w.Acme, post("kk", "body"))
	if again.Response == nil || again.Response.Status != 201 || !bytes.Equal(again.Response.Body, answer.Body) {
		t.Errorf("repetition = %+v, want the first answer", again.Response)
	}
	for _, other := range []struct {
		name    string
		request idempotency.Request
	}{
		{"another body", post("kk", "other")},
		{"another query", idempotency.Request{Method: "POST", Path: "/parts", IdempotencyKey: "kk", Query: "a=b",
			Body: []byte("body")}},
	} {
		_, err = w.Requests.Claim(t.Context(), w.Acme, other.request)
		apptest.WantCode(t, other.name, err, apierr.KeyReused)
	}
	for _, other := range []struct {
		name    string
		caller  account.Caller
		request idempotency.Request
	}{
		{"another API key", w.Rival, post("kk", "body")},
		{"another text", w.Acme, post("kK", "body")},
		{"another path", w.Acme, idempotency.Request{Method: "POST", Path: "/v1/parts", IdempotencyKey: "kk",
			Body: []byte("body")}},
		{"another method", w.Acme, idempotency.Request{Method: "PUT", Path: "/parts", IdempotencyKey: "kk",
			Body: []byte("body")}},
		{"path and text run together", w.Acme, idempotency.Request{Method: "POST", Path: "/partsk",
			IdempotencyKey: "k", Body: []byte("body")}},
	} {
		if c := w.claim(other.caller, other.request); c.Response != nil {
			t.Errorf("%s got the answer of another request", other.name)
		}
	}
	w.Clock.Advance(2 * time.Second)
	if c := w.claim(w.Acme, post("kk", "body")); c.Response != nil {
		t.Error("the answer is kept for more than 24 hours")
	}
}

func TestIdempotencyKeyLength(t *testing.T) {
	w := newWorld(t)
	w.claim(w.Acme, post(strings.Repeat("k", idempotency.MaxIdempotencyKey), ""))
	_, err := w.Requests.Claim(t.Context(), w.Acme, post(strings.Repeat("k", idempotency.MaxIdempotencyKey+1), ""))
	apptest.WantCode(t, "256 bytes", err, apierr.InvalidRequest)
	_, err = w.Requests.Claim(t.Context(), w.Acme, post("", ""))
	apptest.WantCode(t, "empty", err, apierr.InvalidRequest)
}

func TestDroppedRequestMayBeSentAgain(t *testing.T) {
	w := newWorld(t)
	failed := w.claim(w.Acme, post("failed", "body"))
	if err := failed.Drop(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	_, err := w.Requests.Claim(t.Context(), w.Acme, post("failed", "other"))
	apptest.WantCode(t, "another body after a failure", err, apierr.KeyReused)
	again := w.claim(w.Acme, post("failed", "body"))
	if again.Caller.RecordID != failed.Caller.RecordID {
		t.Error("the second attempt would write a second record")
	}
	refused := w.claim(w.Acme, post("refused", "body"))
	if err := refused.Drop(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if c := w.claim(w.Acme, post("refused", "corrected")); c.Caller.RecordID == refused.Caller.RecordID {
		t.Error("another request shares the record of one that was refused")
	}
}

// TestDeathBetweenWriteAndAnswer lets a process die, or stall, after its write and before its response.
func TestDeathBetweenWriteAndAnswer(t *testing.T) {
	w := newWorld(t)
	w.UseCases = w.Other(app.Config{Parts: part.Config{CreateInterval: time.Hour}})
	p := w.Completed(w.Acme)
	for _, c := range []struct {
		name string
		do   func(c account.Caller) (string, error)
	}{
		{"create a part", func(c account.Caller) (string, error) {
			made, err := w.Parts.Create(t.Context(), c, part.CreateInput{FileName: "b.stp"})
			if err == nil && w.Put(made.Upload, "ISO-10303-21;") != 200 {
				err = errors.New("the upload address does not work")
			}
			return made.Part.ID + made.Part.CreatedAt.String(), err
		}},
		{"analyse", func(c account.Caller) (string, error) {
			job, err := w.Parts.Analyze(t.Context(), c, part.AnalyzeInput{PartID: p.ID})
			return job.ID + job.CreatedAt.String(), err
		}},
	} {
		w.Clock.Advance(time.Hour)
		r := post(c.name, "")
		ctx, die := context.WithCancel(t.Context())
		dead := w.claimUntil(ctx, w.Acme, r)
		first, err := c.do(dead.Caller)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		die()
		w.Clock.Advance(10 * time.Second)
		heir := w.claim(w.Acme, r)
		second, err := c.do(heir.Caller)
		if err != nil || second != first {
			t.Errorf("%s again: %s, %v; want %s", c.name, second, err, first)
		}
		if err := heir.Keep(t.Context(), idempotency.StoredResponse{Status: 200, Body: []byte("heir")}); err != nil {
			t.Error(err)
		}
		// The dead was only asleep.
		if err := dead.Keep(t.Context(), idempotency.StoredResponse{Status: 200, Body: []byte("dead")}); err != nil {
			t.Errorf("%s: Keep of one that was taken over: %v", c.name, err)
		}
		if a := w.claim(w.Acme, r).Response; a == nil || string(a.Body) != "heir" {
			t.Errorf("%s: kept answer %+v, want the heir's", c.name, a)
		}
	}
	usage, err := w.Accounts.Usage(t.Context(), "acme", apptest.Start)
	if err != nil || len(usage.Totals) != 1 || usage.Totals[0].Count != 1 {
		t.Errorf("usage = %+v, %v; want the analysis once", usage.Totals, err)
	}
}

// TestRepetitionHasRetryAfter checks that a repetition may be tried soon while the first sender is alive, or else when
// its lease ends.
func TestRepetitionHasRetryAfter(t *testing.T) {
	w := newWorld(t)
	ctx, die := context.WithCancel(t.Context())
	w.claimUntil(ctx, w.Acme, post("k", "body"))
	wait := func(what string) time.Duration {
		t.Helper()
		_, err := w.Requests.Claim(t.Context(), w.Acme, post("k", "body"))
		apptest.WantCode(t, what, err, apierr.InProgress)
		var refusal *apierr.Error
		errors.As(err, &refusal)
		return refusal.RetryAfter
	}
	for i := range 5 { // longer than a lease, with extensions
		if got := wait("while it runs"); got != time.Second {
			t.Errorf("after %d beats: wait %v, want a second", i, got)
		}
		w.Clock.Advance(3 * time.Second)
		for wait("while it runs") != time.Second { // until the beat has come
			time.Sleep(time.Millisecond)
		}
	}
	die()
	w.Clock.Advance(4 * time.Second)
	if got := wait("dead"); got != 6*time.Second {
		t.Errorf("wait %v for a holder that is dead, want what is left of his lease, 6s", got)
	}
	w.Clock.Advance(6 * time.Second)
	if heir := w.claim(w.Acme, post("k", "body")); !heir.Caller.Again {
		t.Error("the heir is not told that somebody tried before")
	}
}

// TestAcceptedRequestIsNotRefusedAgain checks that a repetition skips checks that an accepted request would now fail.
func TestAcceptedRequestIsNotRefusedAgain(t *testing.T) {
	w := newWorld(t)
	w.UseCases = w.Other(app.Config{Jobs: job.Config{MaxQueuedOfTeam: 2}})
	p := w.Completed(w.Acme)
	config, err := w.Catalog.CreateCutConfig(t.Context(), w.Acme, machining.ReadPatch([]byte(`{"name":"c"}`)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func(c account.Caller) (id string, err error)
	}{
		{"analyse", func(c account.Caller) (string, error) { // which fills the queue
			job, err := w.Parts.Analyze(t.Context(), c, part.AnalyzeInput{PartID: p.ID})
			return job.ID, err
		}},
		{"create a part", func(c account.Caller) (string, error) {
			made, err := w.Parts.Create(t.Context(), c, part.CreateInput{
				FileName: "b.stp", CutConfigIDs: []string{config.ID},
			})
			return made.Part.ID, err
		}},
		{"create a project", func(c account.Caller) (string, error) {
			made, err := w.Catalog.CreateProject(t.Context(), c,
				catalog.CreateProjectInput{Name: "p", CutConfigID: config.ID})
			return made.ID, err
		}},
	} {
		request := post(c.name, "")
		ctx, die := context.WithCancel(t.Context())
		dead := w.claimUntil(ctx, w.Acme, request)
		first, err := c.do(dead.Caller)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		die()
		if c.name == "create a project" {
			if err := w.Catalog.DeleteCutConfig(t.Context(), w.Acme, config.ID, nil); err != nil {
				t.Fatal(err)
			}
		}
		w.Clock.Advance(10 * time.Second)
		heir := w.claim(w.Acme, request)
		if again, err := c.do(heir.Caller); err != nil || again != first {
			t.Errorf("%s again: %s, %v; want %s", c.name, again, err, first)
		}
		if _, err := c.do(w.Acme); c.name != "create a part" && err == nil {
			t.Errorf("%s as a new request is not refused", c.name)
		}
	}
}

// errDied is the end of a process in the middle of a request.
var errDied = errors.New("died")

// send executes a request as the HTTP adapter does, with an optional crash before or after the write.
func send(s *app.UseCases, c account.Caller, r idempotency.Request, dieBefore, dieAfter bool) (string, error) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	claim, err := s.Requests.Claim(ctx, c, r)
	if err != nil {
		return "", err
	}
	if claim.Response != nil {
		return string(claim.Response.Body), nil
	}
	if dieBefore {
		return "", errDied
	}
	made, err := s.Parts.Create(ctx, claim.Caller, part.CreateInput{FileName: "a.stp"})
	if err != nil {
		return "", errors.Join(err, claim.Drop(ctx, true))
	}
	if dieAfter {
		return "", errDied
	}
	return made.Part.ID, claim.Keep(ctx, idempotency.StoredResponse{Status: 201, Body: []byte(made.Part.ID)})
}

// TestRepeatedRequestsUnderFaults sends the same requests to several processes with random crashes. Each request
// creates one part in any order of events.
func TestRepeatedRequestsUnderFaults(t *testing.T) {
	w := newWorld(t)
	processes := w.Replicas(2, app.Config{})
	key, err := processes[0].Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	caller := account.Caller{TeamID: key.Key.TeamID, KeyID: key.Key.ID}
	rapid.Check(t, func(rt *rapid.T) {
		request := post(uuid.NewString(), "body")
		var made []string
		for i := range rapid.IntRange(1, 8).Draw(rt, "times") {
			w.Clock.Advance(time.Duration(rapid.SampledFrom([]int{0, 6, 11}).Draw(rt, "pause")) * time.Second)
			died := rapid.SampledFrom([]string{"no", "before", "after"}).Draw(rt, "dies")
			process := rapid.SampledFrom(processes).Draw(rt, fmt.Sprint("process ", i))
			id, err := send(process, caller, request, died == "before", died == "after")
			var refused *apierr.Error
			switch {
			case err == nil:
				made = append(made, id)
			case errors.As(err, &refused) && refused.Code == apierr.InProgress, errors.Is(err, errDied):
			default:
				rt.Fatal(err)
			}
		}
		w.Clock.Advance(time.Minute)
		last, err := send(processes[0], caller, request, false, false)
		if err != nil || len(slices.Compact(append(made, last))) != 1 {
			rt.Errorf("answers name the parts %v and %s, %v; want one part", made, last, err)
		}
	})
}

// TestRepeatedRequestsAtOnce checks that one of many concurrent senders executes the request.
func TestRepeatedRequestsAtOnce(t *testing.T) {
	w := newWorld(t)
	processes := w.Replicas(3, app.Config{})
	key, err := processes[0].Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	caller := account.Caller{TeamID: key.Key.TeamID, KeyID: key.Key.ID}
	for range 5 {
		const senders = 12
		request := post(uuid.NewString(), "body")
		ids := make([]string, senders)
		var all sync.WaitGroup
		for i := range senders {
			all.Go(func() {
				id, err := send(processes[i%len(processes)], caller, request, false, false)
				var refused *apierr.Error
				if err != nil && (!errors.As(err, &refused) || refused.Code != apierr.InProgress) {
					t.Error(err)
				}
				ids[i] = id
			})
		}
		all.Wait()
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
		if len(ids) == 0 || len(slices.Compact(ids)) != 1 {
			t.Errorf("answers name %v, want one part", ids)
		}
	}
}
