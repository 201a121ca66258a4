package device_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
)

// source replaces shaders: it contains every uniform of the tests.
func source(string, []string) (string, error) { return "mwFirst mwItems mwGroups known", nil }

// count adds 1 to word g of the first buffer for each work group g.
func count(first, groups int, bound []*devicetest.Buffer, _ map[string]any) {
	for g := first; g < first+groups; g++ {
		bound[0].SetWord(g, bound[0].Word(g)+1)
	}
}

func fakeDevice(t testing.TB, f *devicetest.Fake) *device.Device {
	t.Helper()
	if f.Kernels == nil {
		f.Kernels = map[string]devicetest.Kernel{"count": count}
	}
	d, err := device.Open([]device.Opener{f.Opener()}, device.Options{Source: source})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// run counts over a box of work groups and returns the counts.
func run(ctx context.Context, d *device.Device, job device.Job, groups int) ([]uint32, error) {
	hits := make([]uint32, groups)
	err := d.Do(ctx, func(s *device.Session) error {
		b, err := device.Upload(s, hits)
		if err != nil {
			return err
		}
		job.Shader.Name, job.Buffers = "count", []device.Buffer{b}
		if err := s.Run(job); err != nil {
			return err
		}
		return device.Download(s, b, hits)
	})
	return hits, err
}

func TestEveryWorkGroupRunsOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := &devicetest.Fake{
			Most: rapid.IntRange(1, 300).Draw(r, "groups of a dispatch"),
			Cost: func(int, int) time.Duration {
				return time.Duration(rapid.IntRange(0, 50_000_000).Draw(r, "ns"))
			},
			Kernels: map[string]devicetest.Kernel{"count": count},
		}
		d, err := device.Open([]device.Opener{f.Opener()}, device.Options{Source: source})
		if err != nil {
			r.Fatal(err)
		}
		defer d.Close()
		box := [3]int{}
		for i := range box {
			box[i] = rapid.IntRange(1, 9).Draw(r, "side")
		}
		n := box[0] * box[1] * box[2]
		hits, err := run(context.Background(), d, device.Job{Groups: box}, n)
		if err != nil {
			r.Fatal(err)
		}
		for g, h := range hits {
			if h != 1 {
				r.Fatalf("work group %d of %v ran %d times; dispatches %+v", g, box, h, f.Log)
			}
		}
	})
}

func TestDispatchesRespectTimeLimit(t *testing.T) {
	const most = 100 * time.Millisecond
	for _, c := range []struct {
		name   string
		cost   func(first, n int) time.Duration
		weight float64
	}{
		{"even", func(_, n int) time.Duration { return 50*time.Microsecond + time.Duration(n)*20*time.Microsecond }, 0},
		{"cheap", func(_, n int) time.Duration { return 50*time.Microsecond + time.Duration(n)*20*time.Nanosecond }, 0},
		{"dear", func(_, n int) time.Duration { return time.Duration(n) * 3 * time.Millisecond }, 0},
		{"single groups longer than the aim",
			func(_, n int) time.Duration { return time.Duration(n) * 40 * time.Millisecond }, 0},
		{"growing threefold", func(first, n int) time.Duration {
			return time.Duration(n) * time.Duration(10+first/300) * time.Microsecond
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &devicetest.Fake{Cost: c.cost}
			d := fakeDevice(t, f)
			const groups = 6000
			for range 2 {
				if _, err := run(t.Context(), d, device.Job{Groups: [3]int{groups, 1, 1}}, groups); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range f.Log {
				if l.Took > most {
					t.Errorf("%d work groups in one dispatch took %v", l.Groups, l.Took)
				}
				if l.UnderWay > 2 {
					t.Errorf("%d dispatches under way at a time", l.UnderWay)
				}
			}
			if s := d.Stats(); s.Slices != int64(len(f.Log)) || s.Longest > most || s.Calls != 2 {
				t.Errorf("stats %+v for %d dispatches", s, len(f.Log))
			}
		})
	}
}

// TestWeightScalesMeasuredThroughput runs a job on small inputs, then one with twenty times the work per work group.
func TestWeightScalesMeasuredThroughput(t *testing.T) {
	heavy := time.Duration(1)
	f := &devicetest.Fake{Cost: func(_, n int) time.Duration {
		return time.Duration(n) * heavy * 10 * time.Microsecond
	}}
	d := fakeDevice(t, f)
	if _, err := run(t.Context(), d, device.Job{Groups: [3]int{20000, 1, 1}, Weight: 1}, 20000); err != nil {
		t.Fatal(err)
	}
	small := len(f.Log)
	heavy = 400
	if _, err := run(t.Context(), d, device.Job{Groups: [3]int{2000, 1, 1}, Weight: 400}, 2000); err != nil {
		t.Fatal(err)
	}
	for _, l := range f.Log {
		if l.Took > 60*time.Millisecond {
			t.Errorf("%d work groups took %v", l.Groups, l.Took)
		}
	}
	if n := len(f.Log) - small; n > 2000/4 {
		t.Errorf("8 s of work took %d dispatches", n)
	}
}

func TestFastDeviceGetsFewDispatches(t *testing.T) {
	f := &devicetest.Fake{Cost: func(_, n int) time.Duration {
		return 20*time.Microsecond + time.Duration(n)*10*time.Nanosecond
	}}
	d := fakeDevice(t, f)
	if _, err := run(t.Context(), d, device.Job{Groups: [3]int{200000, 1, 1}}, 200000); err != nil {
		t.Fatal(err)
	}
	if n := len(f.Log); n > 12 {
		t.Errorf("2 ms of work were cut in %d dispatches: %+v", n, f.Log)
	}
}

func TestRunEndsBetweenDispatches(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &devicetest.Fake{Cost: func(_, n int) time.Duration { return time.Duration(n) * time.Millisecond }}
	f.Kernels = map[string]devicetest.Kernel{
		"count": func(first, n int, bound []*devicetest.Buffer, u map[string]any) {
			if first > 100 {
				cancel()
			}
			count(first, n, bound, u)
		},
	}
	d := fakeDevice(t, f)
	if _, err := run(ctx, d, device.Job{Groups: [3]int{6000, 1, 1}}, 6000); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run answers %v", err)
	}
	if done := f.Log[len(f.Log)-1]; done.First+done.Groups > 300 {
		t.Errorf("it went on to work group %d", done.First+done.Groups)
	}
	if err := d.Do(t.Context(), func(*device.Session) error { return nil }); err != nil {
		t.Errorf("the device is of no use after: %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	d := fakeDevice(t, &devicetest.Fake{})
	for _, c := range []struct {
		name   string
		job    device.Job
		reason device.Reason
	}{
		{"a shader that is not there", device.Job{Shader: device.Shader{Name: "none"}, Items: 1}, device.Compile},
		{"too many groups", device.Job{Groups: [3]int{1 << 20, 1 << 20, 1}}, device.Limit},
		{"a negative box", device.Job{Groups: [3]int{-1, 1, 1}}, device.Limit},
		{"negative items", device.Job{Items: -1}, device.Limit},
		{"too many buffers", device.Job{Items: 1, Buffers: make([]device.Buffer, 17)}, device.Limit},
		{"an unknown uniform",
			device.Job{Items: 1, Uniforms: []device.Uniform{{Name: "misspelt", Value: int32(1)}}}, ""},
	} {
		err := d.Do(t.Context(), func(s *device.Session) error {
			if c.job.Shader.Name == "" {
				c.job.Shader.Name = "count"
			}
			return s.Run(c.job)
		})
		if reason, _ := device.ReasonOf(err); err == nil || reason != c.reason {
			t.Errorf("%s: reason %q of %v", c.name, reason, err)
		}
	}
}

func TestProgramsAreCompiledOnce(t *testing.T) {
	f := &devicetest.Fake{}
	d := fakeDevice(t, f)
	err := d.Do(t.Context(), func(s *device.Session) error {
		b, err := device.Alloc[uint32](s, 10)
		if err != nil {
			return err
		}
		for _, defines := range [][]string{nil, {"A 1"}, nil, {"A 1"}, {"A 2"}} {
			job := device.Job{Shader: device.Shader{Name: "count", Defines: defines}, Items: 64,
				Buffers: []device.Buffer{b}}
			if err := s.Run(job); err != nil {
				return err
			}
		}
		return nil
	})
	if n := d.Stats().Programs; err != nil || n != 3 {
		t.Errorf("%d programs, %v; 3 differ", n, err)
	}
}

// TestWatchSeesEveryJob checks that Watch receives the successful jobs in order, with buffers that it may keep.
func TestWatchSeesEveryJob(t *testing.T) {
	f := devicetest.Fake{Kernels: map[string]devicetest.Kernel{"count": count}}
	var seen []int
	d, err := device.Open([]device.Opener{f.Opener()}, device.Options{
		Source: source,
		Watch: func(s *device.Session, j device.Job) {
			seen = append(seen, j.Groups[0])
			s.Keep(j.Groups[0], nil, j.Buffers[0])
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, groups := range []int{3, 5} {
		if _, err := run(t.Context(), d, device.Job{Groups: [3]int{groups, 1, 1}}, groups); err != nil {
			t.Fatal(err)
		}
	}
	bad := device.Job{Groups: [3]int{7, 1, 1}, Uniforms: []device.Uniform{{Name: "unknown", Value: uint32(1)}}}
	if _, err := run(t.Context(), d, bad, 7); err == nil {
		t.Error("a uniform that is not there: no error")
	}
	if len(seen) != 2 || seen[0] != 3 || seen[1] != 5 {
		t.Errorf("it saw %v", seen)
	}
	err = d.Do(t.Context(), func(s *device.Session) error {
		var first, second [3]uint32
		for groups, into := range map[int][]uint32{3: first[:], 5: second[:]} {
			cached, _, ok := s.Kept(groups)
			if !ok || cached[0].Handle() == 0 {
				t.Fatalf("the buffer of %d groups is not kept", groups)
			}
			if err := device.Download(s, cached[0], into); err != nil {
				return err
			}
		}
		if want := [3]uint32{1, 1, 1}; first != want || second != want {
			t.Errorf("kept are %v and %v", first, second)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
