// Package idempotency executes a write with an Idempotency-Key once, regardless of the number of times and the
// processes to which clients send it.
//
// The first sender claims the request in the Store and has a lease on it. Other senders get an error: the request is in
// progress. The response is stored, and every repetition gets it. The claim also fixes the id of the record that the
// request creates, before the write. A process may die, or stall past its lease, after the write and before it stores
// the response. The next claimant then writes under the same id, the Store finds an existing record, and the response
// is built from that record. The write happens once; only the response is built again, with new signed addresses.
//
// Requests that create no record need no such id. Completing an upload twice or setting a record twice changes nothing.
// A deletion that is repeated after such a crash gets 404.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// MaxIdempotencyKey is the longest key, in bytes.
const MaxIdempotencyKey = 255

const (
	kept  = 24 * time.Hour // from the first claim
	lease = 10 * time.Second
	beat  = 3 * time.Second // between extensions of the lease, so that no other process takes over from a live one
)

// Store keeps the requests that carried an Idempotency-Key.
type Store interface {
	// ClaimRequest makes the caller the executor of a request and sets Claimed in any of three cases: the request is
	// new, its retention time is over, or it has the same fingerprint, no response and no valid lease. Otherwise it
	// returns the stored request.
	ClaimRequest(ctx context.Context, c Reservation) (StoredRequest, error)
	// LockRequest extends the lease of a claim. record.ErrFenced: the request was answered, released or taken over.
	LockRequest(ctx context.Context, f FencingToken, until time.Time) error
	// AnswerRequest keeps the answer of a claimed request. record.ErrFenced: somebody took it over.
	AnswerRequest(ctx context.Context, f FencingToken, a StoredResponse) error
	// ReleaseRequest ends a claim without an answer. forget also removes the request when nobody claimed it
	// before. A claim that somebody took over is left to him without an error.
	ReleaseRequest(ctx context.Context, f FencingToken, forget bool) error
}

// Reservation is a request for exclusive execution by the caller.
type Reservation struct {
	Scope       [32]byte  // hash of API key, method, path and Idempotency-Key
	Fingerprint [32]byte  // hash of the whole request except its key
	RecordID    string    // id for the record that it creates; the value of the first claim stays
	Now, Until  time.Time // the lease
	KeepUntil   time.Time // end of retention; the value of the first claim stays
}

// FencingToken names one claim of one request.
type FencingToken struct {
	Scope    [32]byte
	RecordID string
	Token    int64 // of the claim: 1 for the first, one more for each takeover
}

// StoredRequest is a request as the Store knows it.
type StoredRequest struct {
	FencingToken // of the newest claim
	Fingerprint  [32]byte
	Claimed      bool            // by this very call
	HeldUntil    time.Time       // the lease of the newest claim; zero: it was released
	Response     *StoredResponse // nil: not answered yet
}

// StoredResponse is the response to a request, with the headers that repetitions get too.
type StoredResponse struct {
	Status      int
	ContentType string
	Link        string
	Body        []byte // never nil
}

// Request is a write that carries an Idempotency-Key.
type Request struct {
	Method, Path   string
	IdempotencyKey string
	Query          string // as sent
	Body           []byte
}

// Service is the use cases of requests. It is safe for concurrent use.
type Service struct {
	store Store
	clock record.Clock
}

// New builds the use cases.
func New(store Store, clock record.Clock) *Service { return &Service{store: store, clock: clock} }

func (s *Service) now() time.Time { return record.TruncateTime(s.clock.Now()) }

// Claim is the right and duty to carry out a request: end it with Keep or Drop. With an Answer there is
// nothing left to do.
type Claim struct {
	Response *StoredResponse
	Caller   account.Caller // to carry the request out with
	fence    FencingToken
	service  *Service
	settle   func() // ends the extensions of the lease
}

// Claim claims a request for the caller. The claim lasts until Keep or Drop, or until ctx ends. Error codes:
// invalid_request, idempotency_key_reused, idempotency_in_progress.
func (s *Service) Claim(ctx context.Context, c account.Caller, r Request) (*Claim, error) {
	if n := len(r.IdempotencyKey); n == 0 || n > MaxIdempotencyKey {
		return nil, apierr.Errorf(apierr.InvalidRequest, "Idempotency-Key has 1 to %d bytes.", MaxIdempotencyKey)
	}
	now := s.now()
	known, err := s.store.ClaimRequest(ctx, Reservation{
		Scope:       digest(c.KeyID, r.Method, r.Path, r.IdempotencyKey),
		Fingerprint: digest(r.Query, string(r.Body)),
		RecordID:    record.NewID(),
		Now:         now, Until: now.Add(lease), KeepUntil: now.Add(kept),
	})
	switch {
	case err != nil:
		return nil, err
	case known.Claimed:
		c.RecordID, c.Again = known.RecordID, known.Token > 1
		claim := &Claim{Caller: c, fence: known.FencingToken, service: s}
		claim.hold(ctx)
		return claim, nil
	case known.Fingerprint != digest(r.Query, string(r.Body)):
		return nil, apierr.Errorf(apierr.KeyReused,
			"This Idempotency-Key came with another request before; send a new key with a new request.")
	case known.Response == nil:
		return nil, apierr.Errorf(apierr.InProgress,
			"The first request with this Idempotency-Key is still being carried out.").After(known.wait(now))
	}
	return &Claim{Response: known.Response}, nil
}

// wait returns the delay before a repetition should try again. A claimant that extended its lease within a beat is
// alive, and most requests take less than a second. Any other claimant is dead, and the delay is the rest of its lease.
func (k StoredRequest) wait(now time.Time) time.Duration {
	left := k.HeldUntil.Sub(now)
	if left > lease-beat {
		return time.Second
	}
	return max(left, time.Second)
}

// hold extends the lease while the request is executed.
func (c *Claim) hold(ctx context.Context) {
	s := c.service
	ctx, cancel := context.WithCancel(ctx)
	ticks, stop := s.clock.Ticker(beat)
	var beating sync.WaitGroup
	beating.Go(func() {
		defer stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks:
			}
			// An error is harmless: the lease ends, and the next claimant repeats the write safely.
			_ = s.store.LockRequest(ctx, c.fence, s.now().Add(lease))
		}
	})
	c.settle = func() {
		cancel()
		beating.Wait()
	}
}

// Keep stores the response for repetitions. If another claimant took the request over, it stores the same response, and
// Keep does nothing.
func (c *Claim) Keep(ctx context.Context, a StoredResponse) error {
	c.settle()
	if err := c.service.store.AnswerRequest(ctx, c.fence, a); !errors.Is(err, record.ErrFenced) {
		return err
	}
	return nil
}

// Drop ends a claim without a stored response: the request may be sent again at once. refused reports that the request
// was rejected before any write; then the key is free for another request too.
func (c *Claim) Drop(ctx context.Context, refused bool) error {
	c.settle()
	return c.service.store.ReleaseRequest(ctx, c.fence, refused)
}

// digest hashes texts with their lengths, so that different splits of the same bytes differ.
func digest(texts ...string) [32]byte {
	h := sha256.New()
	var size [8]byte
	for _, t := range texts {
		binary.BigEndian.PutUint64(size[:], uint64(len(t)))
		h.Write(size[:])
		h.Write([]byte(t))
	}
	return [32]byte(h.Sum(nil))
}

// WithFixedID creates the record of a request, under the id fixed by its claim if there is a claim. If an earlier claim
// may have created the record, it is looked up first, because checks of the creation might refuse it by now.
func WithFixedID[R any](c account.Caller, find, create func(id string) (R, error)) (R, error) {
	if c.RecordID == "" {
		return create(record.NewID())
	}
	if c.Again {
		made, err := find(c.RecordID)
		var refused *apierr.Error
		if !errors.As(err, &refused) || refused.Code != apierr.NotFound {
			return made, err
		}
	}
	made, err := create(c.RecordID)
	if errors.Is(err, record.ErrExists) {
		return find(c.RecordID)
	}
	return made, err
}
