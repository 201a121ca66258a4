// Package apierr defines the errors that clients can act on.
package apierr

import (
	"fmt"
	"time"
)

// Code is a stable, machine-readable error code of the contract. The HTTP adapter maps each code to one status.
type Code string

// All codes of the contract. The last two only a transport gives.
const (
	InvalidRequest    Code = "invalid_request"
	UnsupportedFormat Code = "unsupported_format"
	MissingKey        Code = "missing_api_key"
	InvalidKey        Code = "invalid_api_key"
	RevokedKey        Code = "revoked_api_key"
	ExpiredKey        Code = "expired_api_key"
	ProductMismatch   Code = "product_mismatch"
	ReadOnlyKey       Code = "read_only_key"
	AddressExpired    Code = "address_expired"
	InvalidSignature  Code = "invalid_signature"
	NotFound          Code = "not_found"
	NoResult          Code = "no_result"
	NoThumbnail       Code = "no_thumbnail"
	FeatureNotFound   Code = "feature_not_found"
	NoToolpaths       Code = "no_toolpaths"
	NoSetup           Code = "no_setup"
	PartNotUploaded   Code = "part_not_uploaded"
	UploadClosed      Code = "upload_closed"
	PartNotReady      Code = "part_not_ready"
	JobFinished       Code = "job_finished"
	ProgramNotReady   Code = "program_not_ready"
	PayloadTooLarge   Code = "payload_too_large"
	KeyReused         Code = "idempotency_key_reused"
	InProgress        Code = "idempotency_in_progress"
	RateLimited       Code = "rate_limited"
	QuotaExceeded     Code = "quota_exceeded"
	Unavailable       Code = "unavailable"
	NotAllowed        Code = "method_not_allowed" // built-in records are read only
	Internal          Code = "internal_error"     // internal failure of the service
	MediaType         Code = "unsupported_media_type"
	Changed           Code = "precondition_failed" // the record is not the one that the client read
)

// Error is an error that the client can act on: a code and a sentence. Every other error of a use case is internal, and
// its text is not for clients.
type Error struct {
	Code       Code
	Detail     string
	RetryAfter time.Duration // until the request may be repeated; 0 = unknown
	Faults     []Fault       // the errors of a document, in its order
}

// Fault is one error of a document.
type Fault struct {
	Pointer string `json:"pointer" doc:"JSON pointer (RFC 6901) to the value in the body; empty: the whole body."`
	Message string `json:"message" doc:"A sentence that names the field."`
}

// After sets the time until the request may be repeated, at least 1 ns, and returns the error.
func (e *Error) After(d time.Duration) *Error {
	e.RetryAfter = max(d, time.Nanosecond)
	return e
}

// RetrySeconds returns RetryAfter in whole seconds, rounded up, at least 1.
func (e *Error) RetrySeconds() int { return Seconds(e.RetryAfter) }

func (e *Error) Error() string { return string(e.Code) + ": " + e.Detail }

// Errorf builds an Error with a formatted sentence.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Seconds returns a wait in whole seconds, rounded up, at least 1.
func Seconds(d time.Duration) int { return max(1, int((d+time.Second-1)/time.Second)) }
