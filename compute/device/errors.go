package device

import (
	"errors"
	"fmt"
)

// Reason is the reason for which a device cannot do a call. Its text is a stable label for metrics.
type Reason string

// The reasons.
const (
	NotBuilt Reason = "not-built" // the program was built without GPU support
	NoDevice Reason = "absent"    // no GL library, or no device behind it
	Context  Reason = "context"   // a device is there and gives no context
	Software Reason = "software"  // the only renderer is a software one, and the options do not permit it
	Compile  Reason = "compile"   // the driver refuses a shader
	Memory   Reason = "memory"    // the device has not enough memory
	Limit    Reason = "limit"     // the call is larger than a limit of the device
	Lost     Reason = "lost"      // the context is gone, the device hangs or answers with an error
	Closed   Reason = "closed"    // the device was closed
)

// Error is the failure of a call on a device. The contents of its outputs are undefined; there are no other effects, so
// the call can be repeated elsewhere.
type Error struct {
	Reason Reason
	Detail string // one sentence
}

// Error implements error.
func (e *Error) Error() string { return "gpu: " + e.Detail }

// Errorf builds an Error.
func Errorf(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// ReasonOf returns the reason of a device error. ok is false for other errors, which another backend would return too:
// errors of the context and of the caller's input.
func ReasonOf(err error) (reason Reason, ok bool) {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason, true
	}
	return "", false
}
