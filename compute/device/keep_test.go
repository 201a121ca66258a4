package device_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
)

// keeper is a device that keeps three buffers of 4 KiB, the smallest class.
func keeper(t testing.TB, f *devicetest.Fake) *device.Device {
	t.Helper()
	d, err := device.Open([]device.Opener{f.Opener()},
		device.Options{Source: source, KeepBytes: 3 * 4096, PoolBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// ask returns the words kept under a key, which it stores first if they are not there.
func ask(t testing.TB, d *device.Device, key string, words ...uint32) (got []uint32, hit bool) {
	t.Helper()
	got = make([]uint32, len(words))
	err := d.Do(context.Background(), func(s *device.Session) error {
		buffers, value, ok := s.Kept(key)
		if hit = ok; hit {
			if value != len(words) {
				t.Errorf("%s: the value is %v", key, value)
			}
			return device.Download(s, buffers[0], got)
		}
		b, err := device.Upload(s, words)
		if err != nil {
			return err
		}
		s.Keep(key, len(words), b)
		return device.Download(s, b, got)
	})
	if err != nil || !slices.Equal(got, words) {
		t.Errorf("%s: %v, %v", key, got, err)
	}
	return got, hit
}

func TestLeastRecentlyUsedIsEvicted(t *testing.T) {
	var f devicetest.Fake
	d := keeper(t, &f)
	for i, step := range []struct {
		key string
		hit bool
	}{
		{"a", false}, {"b", false}, {"c", false}, {"a", true}, {"d", false}, // b goes
		{"a", true}, {"c", true}, {"d", true}, {"b", false}, {"a", false}, {"b", true},
	} {
		if _, hit := ask(t, d, step.key, uint32(step.key[0]), 7); hit != step.hit {
			t.Errorf("step %d: %s is there: %v, want %v", i, step.key, hit, step.hit)
		}
	}
	if s := d.Stats(); s.Kept != 3*4096 || s.Hits != 5 {
		t.Errorf("%d bytes are kept, %d hits", s.Kept, s.Hits)
	}
	d.Close()
	if buffers, _, open := f.Left(); buffers != 0 || open {
		t.Errorf("%d buffers are left", buffers)
	}
}

func TestResultAboveLimitIsNotKept(t *testing.T) {
	var f devicetest.Fake
	d := keeper(t, &f)
	ask(t, d, "small", 1)
	for range 2 {
		if _, hit := ask(t, d, "large", make([]uint32, 4*4096)...); hit {
			t.Error("it is kept")
		}
	}
	if _, hit := ask(t, d, "small", 1); !hit {
		t.Error("what was kept before is gone")
	}
}

// TestDataInUseIsNotEvicted checks that neither the limit nor a lack of memory releases data in use.
func TestDataInUseIsNotEvicted(t *testing.T) {
	f := devicetest.Fake{Memory: 6 * 4096}
	d := keeper(t, &f)
	ask(t, d, "idle", 3)
	want := []uint32{1, 2}
	err := d.Do(context.Background(), func(s *device.Session) error {
		var used []device.Buffer
		for _, word := range want {
			b, err := device.Upload(s, []uint32{word})
			if err != nil {
				return err
			}
			s.Keep(word, nil, b)
			used = append(used, b)
		}
		if _, err := device.Alloc[uint32](s, 4*1024); err != nil { // replaces idle kept buffers
			return err
		}
		if _, _, ok := s.Kept("idle"); ok {
			t.Error("memory was found with nothing given up")
		}
		var got [2]uint32
		for i, b := range used {
			if err := device.Download(s, b, got[i:i+1]); err != nil {
				return err
			}
		}
		if !slices.Equal(got[:], want) {
			t.Errorf("%v, want %v", got, want)
		}
		_, err := device.Alloc[uint32](s, 4*1024)
		return err
	})
	var e *device.Error
	if !errors.As(err, &e) || e.Reason != device.Memory {
		t.Errorf("more than there is: %v", err)
	}
	if _, hit := ask(t, d, "again", 9); hit {
		t.Error("never asked for, and there")
	}
}

// TestLostDeviceReleasesKeptData checks that a loss releases both memory and results.
func TestLostDeviceReleasesKeptData(t *testing.T) {
	var f devicetest.Fake
	d := keeper(t, &f)
	ask(t, d, "a", 1)
	lost := device.Errorf(device.Lost, "gone")
	if err := d.Do(context.Background(), func(*device.Session) error { return lost }); err == nil {
		t.Fatal("no error")
	}
	d.Close()
	if buffers, _, _ := f.Left(); buffers != 0 {
		t.Errorf("%d buffers are left", buffers)
	}
	if _, hit := ask(t, keeper(t, &f), "a", 1); hit {
		t.Error("the next device has what the lost one kept")
	}
}
