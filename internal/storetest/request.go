package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/record"
)

const (
	claimTime = time.Minute
	keepTime  = 24 * time.Hour
)

// claim returns a reservation for a named request at the current time, with a new record id.
func (f *fixture) claim(name, asked string) idempotency.Reservation {
	c := idempotency.Reservation{
		RecordID: uuid.NewString(), Now: f.now, Until: f.now.Add(claimTime), KeepUntil: f.now.Add(keepTime),
	}
	copy(c.Scope[:], name)
	copy(c.Fingerprint[:], asked)
	return c
}

// wantClaim claims a request and checks the result.
func (f *fixture) wantClaim(what string, c idempotency.Reservation, want idempotency.StoredRequest) idempotency.StoredRequest {
	f.t.Helper()
	want.Scope = c.Scope
	got, err := f.store.ClaimRequest(f.ctx, c)
	if err != nil || !reflect.DeepEqual(got, want) {
		f.t.Errorf("%s: ClaimRequest = %+v, %v\nwant %+v", what, got, err, want)
	}
	return got
}

// claimedBy is a request that the given claim won, as the token-th.
func claimedBy(c idempotency.Reservation, token int64) idempotency.StoredRequest {
	return idempotency.StoredRequest{
		FencingToken: idempotency.FencingToken{Scope: c.Scope, RecordID: c.RecordID, Token: token},
		Fingerprint:  c.Fingerprint, Claimed: true, HeldUntil: c.Until,
	}
}

// takenOver is a request that was made by the given claim, and claimed just now for the token-th time.
func (f *fixture) takenOver(first idempotency.Reservation, token int64) idempotency.StoredRequest {
	first.Until = f.now.Add(claimTime)
	return claimedBy(first, token)
}

// seen is a request that somebody else claimed.
func seen(k idempotency.StoredRequest, a *idempotency.StoredResponse) idempotency.StoredRequest {
	k.Claimed, k.Response = false, a
	return k
}

var created = idempotency.StoredResponse{Status: 201, ContentType: "application/json", Link: "<\x00/é>", Body: []byte("{\"id\":\"\x00é\"}\n")}

func testRequestIsAnsweredOnce(t *testing.T, f *fixture) {
	first := f.claim("a", "body")
	known := f.wantClaim("new", first, claimedBy(first, 1))
	f.wantClaim("held, same", f.claim("a", "body"), seen(known, nil))
	f.wantClaim("held, another body", f.claim("a", "other"), seen(known, nil))
	other := f.claim("b", "body")
	f.wantClaim("another scope", other, claimedBy(other, 1))

	f.must(f.store.AnswerRequest(f.ctx, known.FencingToken, created))
	f.after(keepTime - time.Second) // long after the lease
	f.wantClaim("answered", f.claim("a", "body"), seen(known, &created))
	f.wantClaim("answered, another body", f.claim("a", "other"), seen(known, &created))
	if err := f.store.AnswerRequest(f.ctx, known.FencingToken, idempotency.StoredResponse{Status: 200, Body: []byte{}}); !errors.Is(
		err, record.ErrFenced) {
		t.Errorf("second answer: %v, want ErrFenced", err)
	}
	f.must(f.store.ReleaseRequest(f.ctx, known.FencingToken, true)) // too late, and no error
	f.wantClaim("still answered", f.claim("a", "body"), seen(known, &created))

	f.tick()
	again := f.claim("a", "other")
	f.wantClaim("kept for its time", again, claimedBy(again, 2))
}

func testRequestIsTakenOver(t *testing.T, f *fixture) {
	first := f.claim("a", "body")
	dead := f.wantClaim("new", first, claimedBy(first, 1))
	f.after(claimTime - time.Microsecond)
	f.wantClaim("within the lease", f.claim("a", "body"), seen(dead, nil))
	f.after(time.Microsecond)
	f.wantClaim("another body never takes over", f.claim("a", "other"), seen(dead, nil))
	heir := f.takenOver(first, 2) // the record id of the first claim stays
	f.wantClaim("lease is over", f.claim("a", "body"), heir)
	if err := f.store.AnswerRequest(f.ctx, dead.FencingToken, created); !errors.Is(err, record.ErrFenced) {
		t.Errorf("answer of a claim that was taken over: %v, want ErrFenced", err)
	}
	f.must(f.store.ReleaseRequest(f.ctx, dead.FencingToken, true))
	f.wantClaim("the release of the dead changes nothing", f.claim("a", "body"), seen(heir, nil))
	f.must(f.store.ReleaseRequest(f.ctx, heir.FencingToken, true))
	f.wantClaim("what was taken over is not forgotten", f.claim("a", "body"), f.takenOver(first, 3))
}

func testRequestIsReleased(t *testing.T, f *fixture) {
	first := f.claim("a", "body")
	known := f.wantClaim("new", first, claimedBy(first, 1))
	f.must(f.store.ReleaseRequest(f.ctx, known.FencingToken, false))
	known.HeldUntil = time.Time{}
	f.wantClaim("another body", f.claim("a", "other"), seen(known, nil))
	next := f.wantClaim("released", f.claim("a", "body"), f.takenOver(first, 2))
	f.must(f.store.AnswerRequest(f.ctx, next.FencingToken, created))

	refused := f.claim("b", "body")
	known = f.wantClaim("new", refused, claimedBy(refused, 1))
	f.must(f.store.ReleaseRequest(f.ctx, known.FencingToken, true))
	corrected := f.claim("b", "other")
	f.wantClaim("forgotten", corrected, claimedBy(corrected, 1))
	if err := f.store.AnswerRequest(f.ctx, known.FencingToken, created); !errors.Is(err, record.ErrFenced) {
		t.Errorf("answer of a forgotten claim: %v, want ErrFenced", err)
	}
}

func testRequestIsHeld(t *testing.T, f *fixture) {
	hold := func(what string, k idempotency.StoredRequest, until time.Time, want error) {
		t.Helper()
		if err := f.store.LockRequest(f.ctx, k.FencingToken, until); !errors.Is(err, want) {
			t.Errorf("%s: HoldRequest = %v, want %v", what, err, want)
		}
	}
	first := f.claim("a", "body")
	known := f.wantClaim("new", first, claimedBy(first, 1))
	later := first.Until.Add(time.Second)
	hold("held", known, later, nil)
	hold("held longer already", known, first.Until, nil)
	f.after(claimTime)
	known.HeldUntil = later
	f.wantClaim("after its first lease", f.claim("a", "body"), seen(known, nil))
	f.after(time.Second)
	heir := f.wantClaim("lease is over", f.claim("a", "body"), f.takenOver(first, 2))
	hold("taken over", known, f.now.Add(claimTime), record.ErrFenced)
	f.must(f.store.ReleaseRequest(f.ctx, heir.FencingToken, false))
	hold("released", heir, f.now.Add(claimTime), record.ErrFenced)
	last := f.wantClaim("free again", f.claim("a", "body"), f.takenOver(first, 3))
	f.must(f.store.AnswerRequest(f.ctx, last.FencingToken, created))
	hold("answered", last, f.now.Add(claimTime), record.ErrFenced)
}

func testRequestsAtOnce(t *testing.T, f *fixture) {
	const callers, requests = 8, 5
	for i := range requests {
		var winners atomic.Int64
		f.atOnce(callers, func(int) error {
			known, err := f.store.ClaimRequest(f.ctx, f.claim(fmt.Sprint("at once ", i), "body"))
			if known.Claimed {
				winners.Add(1)
			}
			return err
		})
		if n := winners.Load(); n != 1 {
			t.Errorf("request %d: %d callers carry it out, want 1", i, n)
		}
	}
}

func testPurgeRequests(t *testing.T, f *fixture) {
	for i := range 3 {
		f.tick()
		_, err := f.store.ClaimRequest(f.ctx, f.claim(fmt.Sprint(i), "body"))
		f.must(err)
	}
	f.after(keepTime - time.Second) // the first two are over
	for i, want := range []int{1, 1, 0} {
		if n, err := f.store.PurgeRequests(f.ctx, f.now, 1); err != nil || n != want {
			t.Errorf("purge %d removed %d, %v; want %d", i, n, err, want)
		}
	}
	left := f.claim("2", "body")
	if known, err := f.store.ClaimRequest(f.ctx, left); err != nil || known.Token != 2 {
		t.Errorf("the youngest request = %+v, %v; want it known", known, err)
	}
}
