package primitives

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/primitive"
)

// liar finds nothing near, and panics where it is asked for signs.
type liar struct{ primitive.CPU }

func (l liar) Do(ctx context.Context, j primitive.Job) error {
	err := l.CPU.Do(ctx, j)
	switch c := j.(type) {
	case *primitive.Call[distance.Input, distance.Output]:
		for i := range c.Out.Squared {
			c.Out.Squared[i]++
		}
	case *primitive.Call[distance.SignedInput, distance.SignedOutput]:
		panic("no sign")
	}
	return err
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, primitive string
		on              primitive.Runner
		want            []bool
	}{
		{"sound", "distance", primitive.OnCPU(2), []bool{true}},
		{"wrong", "distance", liar{primitive.OnCPU(2)}, []bool{false}},
		{"panics", "signed-distance", liar{primitive.OnCPU(2)}, []bool{false}},
		{"without a suite", "dexelize", primitive.OnCPU(2), nil},
	} {
		var got []bool
		err := Check(t.Context(), c.on, []string{c.primitive}, true, func(v Verdict) {
			got = append(got, v.Passed)
			if v.Primitive != c.primitive || !(v.Seconds > 0) || v.Passed != (len(v.Failures) == 0) || len(v.Failures) > 5 {
				t.Errorf("%s: %+v", c.name, v)
			}
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: passed %v, want %v; %v", c.name, got, c.want, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Check(ctx, primitive.OnCPU(1), nil, true, func(v Verdict) { t.Errorf("begun: %+v", v) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestRecorder(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(t testing.TB)
		want string
	}{
		{"nothing", func(t testing.TB) { t.Helper() }, ""},
		{"error", func(t testing.TB) { t.Error("a", 1); t.Errorf("b%d", 2) }, "a 1|b2"},
		{"fatal", func(t testing.TB) { t.Fatal("end"); t.Error("after") }, "end"},
		{"panic", func(testing.TB) { panic("oh") }, "panic: oh"},
		{"more than there is", func(t testing.TB) { t.TempDir() }, "panic: runtime error"},
	} {
		var r recorder
		r.collect(func() bool { c.run(&r); return true })
		if got := strings.Join(r.failures, "|"); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
