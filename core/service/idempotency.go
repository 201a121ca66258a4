package service

// A write with an Idempotency-Key is carried out once, however often it is sent and to whichever process.
//
// The first to send it claims the request in the Store and holds it for a lease; others are told that it
// is in progress. When it is answered, the answer is kept and every repetition gets it. The claim also
// fixes, before anything is done, the id of the record that the request makes. So a process that dies, or
// stalls past its lease, between the write and keeping the answer does no harm: whoever takes the request
// over writes under the same id, the Store finds it taken, and the record that is there is the answer.
// The write happens once; only the answer is made again (with fresh addresses, which nobody has seen).
//
// Requests that make no record of their own are left to what they do: completing an upload twice and
// setting a record twice change nothing; a deletion that is repeated after such a crash answers 404.

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"
)

// MaxIdempotencyKey is the longest key, in bytes.
const MaxIdempotencyKey = 255

const (
	requestKept  = 24 * time.Hour   // from the first claim
	requestLease = 60 * time.Second // longer than a request takes, so that nobody takes over from the living
)

// Requests keeps the requests that carried an Idempotency-Key.
type Requests interface {
	// ClaimRequest makes the caller the one to carry out a request, and says so (Claimed), when it is new,
	// when it has been kept for its time, or when it has the same fingerprint, no answer, and nobody holds
	// it. Else it returns the request as it stands.
	ClaimRequest(ctx context.Context, c RequestClaim) (KnownRequest, error)
	// AnswerRequest keeps the answer of a claimed request. ErrFenced: somebody took it over.
	AnswerRequest(ctx context.Context, f RequestFence, a Answer) error
	// ReleaseRequest ends a claim without an answer. forget also removes the request when nobody claimed it
	// before. A claim that somebody took over is left to him without an error.
	ReleaseRequest(ctx context.Context, f RequestFence, forget bool) error
	// PurgeRequests removes at most limit requests whose time is over and returns how many it removed.
	PurgeRequests(ctx context.Context, now time.Time, limit int) (int, error)
}

// RequestClaim asks for a request to be carried out by the caller alone.
type RequestClaim struct {
	Scope       [32]byte  // hash of API key, method, path and Idempotency-Key
	Fingerprint [32]byte  // hash of everything else that was asked
	RecordID    string    // id for the record it makes; the one of the first claim stays
	Now, Until  time.Time // the lease
	KeepUntil   time.Time // when the request is forgotten; that of the first claim stays
}

// RequestFence names one claim of one request.
type RequestFence struct {
	Scope    [32]byte
	RecordID string
	Token    int64 // of the claim: 1 for the first, one more for each that took over
}

// KnownRequest is a request as the Store knows it.
type KnownRequest struct {
	RequestFence // of the newest claim
	Fingerprint  [32]byte
	Claimed      bool    // by this very call
	Answer       *Answer // nil: not answered yet
}

// Answer is what a request was answered, without its headers.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte // never nil
}

// Request is a write that carries an Idempotency-Key.
type Request struct {
	Method, Path   string
	IdempotencyKey string
	Query          string // as sent
	Body           []byte
}

// Claim is the right and duty to carry out a request: end it with Keep or Drop. With an Answer there is
// nothing left to do.
type Claim struct {
	Answer  *Answer
	Caller  Caller // to carry the request out with
	fence   RequestFence
	service *Service
}

// ClaimRequest asks whether a request is to be carried out. Error codes: invalid_request,
// idempotency_key_reused, idempotency_in_progress.
func (s *Service) ClaimRequest(ctx context.Context, c Caller, r Request) (*Claim, error) {
	if n := len(r.IdempotencyKey); n == 0 || n > MaxIdempotencyKey {
		return nil, Errorf(CodeInvalidRequest, "Idempotency-Key has 1 to %d bytes.", MaxIdempotencyKey)
	}
	now := s.now()
	known, err := s.store.ClaimRequest(ctx, RequestClaim{
		Scope:       digest(c.KeyID, r.Method, r.Path, r.IdempotencyKey),
		Fingerprint: digest(r.Query, string(r.Body)),
		RecordID:    s.newID(),
		Now:         now, Until: now.Add(requestLease), KeepUntil: now.Add(requestKept),
	})
	switch {
	case err != nil:
		return nil, err
	case known.Claimed:
		c.RecordID = known.RecordID
		return &Claim{Caller: c, fence: known.RequestFence, service: s}, nil
	case known.Fingerprint != digest(r.Query, string(r.Body)):
		return nil, Errorf(CodeKeyReused,
			"This Idempotency-Key came with another request before; send a new key with a new request.")
	case known.Answer == nil:
		return nil, Errorf(CodeInProgress,
			"The first request with this Idempotency-Key is still being carried out.")
	}
	return &Claim{Answer: known.Answer}, nil
}

// Keep records the answer, so that repetitions get it. A claim that was taken over meanwhile is left to
// whoever did: he finds the same record and keeps the same answer.
func (c *Claim) Keep(ctx context.Context, a Answer) error {
	if err := c.service.store.AnswerRequest(ctx, c.fence, a); !errors.Is(err, ErrFenced) {
		return err
	}
	return nil
}

// Drop ends a claim whose answer is not kept: the request may be sent again at once. refused says that it
// was turned away before anything was done; then the key is free for another request too.
func (c *Claim) Drop(ctx context.Context, refused bool) error {
	return c.service.store.ReleaseRequest(ctx, c.fence, refused)
}

// digest hashes texts so that none can run into the next.
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

// recordID is the id of a record that a request makes. again says that the request may have been carried
// out before under this id: then a record that exists is its result.
func (s *Service) recordID(c Caller) (id string, again bool) {
	if c.RecordID != "" {
		return c.RecordID, true
	}
	return s.newID(), false
}
