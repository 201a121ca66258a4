package kernels

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

	"millwright/compute/conform"
)

// Verdict says whether a primitive keeps to what package kernel promises.
type Verdict struct {
	Primitive string   `json:"primitive"`
	Passed    bool     `json:"passed"`
	Failures  []string `json:"failures,omitempty"` // the first few
	Seconds   float64  `json:"seconds"`
}

// suites are those of package conform, quick ones first.
var suites = []struct {
	name string
	run  func(t testing.TB, engine any) (has bool)
}{
	{"visibility", suite(conform.Visibility)},
	{"raycast", suite(conform.Raycast)},
	{"distance", suite(conform.Distance)},
	{"eval-surface", suite(conform.EvalSurface)},
	{"height-map", suite(conform.HeightMap)},
	{"offset-height", suite(conform.OffsetHeight)},
	{"drop-cutter", suite(conform.DropCutter)},
	{"sweep", suite(conform.Sweep)},
}

// suite runs a suite on engines that have what it asks for.
func suite[B any](run func(testing.TB, B)) func(testing.TB, any) bool {
	return func(t testing.TB, engine any) bool {
		b, ok := engine.(B)
		if ok {
			run(t, b)
		}
		return ok
	}
}

// Check runs the conformance suites on an engine, those of the names given or all, and hands each verdict to emit.
// brief leaves out some of the combinations, as `go test -short` does. After the end of the context no other suite is
// begun; the error is its cause then.
func Check(ctx context.Context, engine any, names []string, brief bool, emit func(Verdict)) error {
	if !flag.Parsed() { // outside of `go test` the suites find no flags
		testing.Init()
		if err := flag.CommandLine.Parse([]string{"-test.short=" + strconv.FormatBool(brief)}); err != nil {
			return err
		}
	}
	for _, s := range suites {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		var r recorder
		if !r.collect(func() bool { return s.run(&r, engine) }) {
			continue
		}
		emit(Verdict{s.name, r.count == 0, r.failures, time.Since(start).Seconds()})
	}
	return nil
}

// recorder is a testing.TB without a test around it, of as much as the suites use.
type recorder struct {
	testing.TB
	count    int
	failures []string
}

// collect runs a suite to its end, be it that of Fatal or of a panic, and returns what it returns.
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
