// Package fault defines errors of input. An error has a stable code for programs, and one sentence that a machinist
// understands and that names the faulty entity if there is one ("#1234 ADVANCED_FACE has no bounds."). Code that reads
// or processes data of a client returns an *Error if that data is the cause. Every other error is internal to the
// service, and may disappear when the work is tried again.
package fault

import "fmt"

// Code is a stable machine-readable reason of a part, a job, a plan or a program that failed. Clients must expect new
// ones.
type Code string

// The codes of the contract.
const (
	UnreadableFile       Code = "unreadable_file"       // the content breaks its format, or its format is unknown
	UnsupportedVersion   Code = "unsupported_version"   // a known format, or a form of it, without a reader
	NoSolid              Code = "no_solid"              // nothing in the file has a usable shape
	OpenShell            Code = "open_shell"            // surfaces that enclose no volume
	InconsistentGeometry Code = "inconsistent_geometry" // the model contradicts itself: it is wrong somewhere
	TooComplex           Code = "too_complex"           // above a stated limit of input
	OutOfMemory          Code = "out_of_memory"         // the kernel reached its memory limit
	TimedOut             Code = "timed_out"             // the kernel reached its time limit, or no worker finished
	Cancelled            Code = "cancelled"             // somebody stopped the work
	KernelError          Code = "kernel_error"          // an internal error of the kernel; the log says more
	ConverterUnavailable Code = "converter_unavailable" // the program that converts the format is missing or failed

	// Of plans and programs.
	MultipleSolids     Code = "multiple_solids_unsupported" // a program is for one workpiece
	NoSetup            Code = "no_setup"                    // no clamping of the part reaches any feature
	NoTools            Code = "no_tools"                    // the tools cannot cut the material
	DoesNotFitMachine  Code = "does_not_fit_machine"        // the stock is too large, or the control lacks a function
	StockTooSmall      Code = "stock_too_small"             // the part does not lie within the stock
	VerificationFailed Code = "verification_failed"         // verification found a gouge, collision or excess material
)

// Codes returns all codes, those that blame the file first.
func Codes() []Code {
	return []Code{
		UnreadableFile, UnsupportedVersion, NoSolid, OpenShell, InconsistentGeometry, TooComplex, OutOfMemory, TimedOut,
		Cancelled, KernelError, ConverterUnavailable,
		MultipleSolids, NoSetup, NoTools, DoesNotFitMachine, StockTooSmall, VerificationFailed,
	}
}

// BlamesFile reports whether a failure follows from the file alone: the same program finds the same again.
func (c Code) BlamesFile() bool {
	switch c {
	case UnreadableFile, UnsupportedVersion, NoSolid, OpenShell, InconsistentGeometry, TooComplex:
		return true
	}
	return false
}

// Error is why an input cannot be used.
type Error struct {
	Code   Code   `json:"code"`
	Reason string `json:"reason"`           // one sentence with its full stop
	Entity string `json:"entity,omitempty"` // ID of the Entity at fault; "" = no entity
	Check  string `json:"check,omitempty"`  // with InconsistentGeometry: the failed check, a word for metrics
	// Judge names the stage that blames the file, as pipeline.Params.Judge does; "" where another try may end
	// otherwise.
	Judge string `json:"-"`
	// Format is the recognized format of the file's content; "" if unknown.
	Format string `json:"-"`
}

// Errorf returns an *Error with a formatted sentence.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Reason: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Reason }
