package service

import (
	"errors"
	"fmt"
	"time"
)

// Code is a stable machine-readable error code of the contract; the HTTP adapter maps each to one status.
type Code string

// All codes of the contract. The last two only a transport gives.
const (
	CodeInvalidRequest    Code = "invalid_request"
	CodeUnsupportedFormat Code = "unsupported_format"
	CodeMissingKey        Code = "missing_api_key"
	CodeInvalidKey        Code = "invalid_api_key"
	CodeRevokedKey        Code = "revoked_api_key"
	CodeExpiredKey        Code = "expired_api_key"
	CodeProductMismatch   Code = "product_mismatch"
	CodeReadOnlyKey       Code = "read_only_key"
	CodeNotFound          Code = "not_found"
	CodeNoResult          Code = "no_result"
	CodeNoThumbnail       Code = "no_thumbnail"
	CodeFeatureNotFound   Code = "feature_not_found"
	CodePartNotUploaded   Code = "part_not_uploaded"
	CodePayloadTooLarge   Code = "payload_too_large"
	CodeKeyReused         Code = "idempotency_key_reused"
	CodeInProgress        Code = "idempotency_in_progress"
	CodeRateLimited       Code = "rate_limited"
	CodeUnavailable       Code = "unavailable"
	CodeNotAllowed        Code = "method_not_allowed" // what every team has can only be read
	CodeInternal          Code = "internal_error"     // trouble of the service's own
	CodeMediaType         Code = "unsupported_media_type"
)

// Error is a refusal that the client can understand: a code and a sentence. Every other error that a
// use case returns is the service's own trouble and its text is not for clients.
type Error struct {
	Code       Code
	Detail     string
	RetryAfter time.Duration // until the request may be repeated; 0 says nothing
	Pace       Pace          // the budget that refused; zero: none did
}

// retryAfter is the refusal with when the request may be repeated: in a moment, if that time has come meanwhile.
func (e *Error) retryAfter(d time.Duration) *Error {
	e.RetryAfter = max(d, time.Nanosecond)
	return e
}

// RetrySeconds is RetryAfter in whole seconds, rounded up, at least 1.
func (e *Error) RetrySeconds() int { return wholeSeconds(e.RetryAfter) }

func (e *Error) Error() string { return string(e.Code) + ": " + e.Detail }

// Errorf builds an Error with a formatted sentence.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Errors that a Store returns, wrapped or not; callers test with errors.Is.
var (
	ErrNotFound     = errors.New("no such record")
	ErrExists       = errors.New("record exists already")
	ErrNoReference  = errors.New("a record that this one names does not exist")
	ErrFenced       = errors.New("the lease on this job is held by someone else or the job has ended")
	ErrNotAvailable = errors.New("no job waits for this worker")
	ErrEnded        = errors.New("the job has ended")
	ErrNotFailed    = errors.New("the job has not failed")
	ErrUnavailable  = errors.New("the store cannot do it now") // nothing is written; it may be asked again
)

// Errors that Objects return, wrapped or not.
var (
	ErrNoObject = errors.New("no such object")
	ErrTooLarge = errors.New("the object is larger than allowed")
)
