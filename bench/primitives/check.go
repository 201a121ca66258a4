package primitives

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/registry"
)

// Verdict says whether a primitive keeps to its contract.
type Verdict struct {
	Primitive string   `json:"primitive"`
	Passed    bool     `json:"passed"`
	Failures  []string `json:"failures,omitempty"` // the first few
	Seconds   float64  `json:"seconds"`
}

// Check runs the suites of the primitives of the names given, or of all, and hands each verdict to emit.
// brief leaves out some of the combinations, as `go test -short` does. After the end of the context no other suite is
// begun; the error is its cause then.
func Check(ctx context.Context, on primitive.Runner, names []string, brief bool, emit func(Verdict)) error {
	if !flag.Parsed() { // outside of `go test` the suites find no flags
		testing.Init()
		if err := flag.CommandLine.Parse([]string{"-test.short=" + strconv.FormatBool(brief)}); err != nil {
			return err
		}
	}
	for _, c := range registry.Primitives {
		if len(names) > 0 && !slices.Contains(names, c.Name()) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		var r recorder
		if !r.collect(func() bool { return c.Check(&r, on) }) {
			continue
		}
		emit(Verdict{c.Name(), r.count == 0, r.failures, time.Since(start).Seconds()})
	}
	return nil
}

// recorder is a testing.TB without a test around it, of as much as the suites use.
type recorder struct {
	testing.TB
	count    int
	failures []string
}

// collect runs a suite to its end, normal or by Fatal or a panic, and returns its result.
func (r *recorder) collect(run func() bool) (has bool) {
	done := make(chan struct{})
	has = true
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				r.Errorf("panic: %v", p)
			}
		}()
		has = run()
	}()
	<-done
	return has
}

// Helper implements testing.TB.
func (r *recorder) Helper() {}

// Errorf implements testing.TB.
func (r *recorder) Errorf(format string, args ...any) {
	const most = 5
	if r.count++; r.count <= most {
		r.failures = append(r.failures, fmt.Sprintf(format, args...))
	}
}

// Error implements testing.TB.
func (r *recorder) Error(args ...any) { r.Errorf("%s", strings.TrimSpace(fmt.Sprintln(args...))) }

// Fatalf implements testing.TB.
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// Fatal implements testing.TB.
func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", strings.TrimSpace(fmt.Sprintln(args...))) }
