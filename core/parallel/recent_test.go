package parallel_test

import (
	"errors"
	"testing"

	"millwright.dev/millwright/core/parallel"
)

func TestRecentFindsOnce(t *testing.T) {
	r := parallel.NewRecent[string](10, func(int) int { return 1 })
	finds := 0
	for range 3 {
		v, err := r.Get("a", func() (int, error) { finds++; return 7, nil })
		if v != 7 || err != nil {
			t.Errorf("%d, error %v, want 7", v, err)
		}
	}
	if finds != 1 {
		t.Errorf("found %d times, want once", finds)
	}
}

func TestRecentKeepsNoErrors(t *testing.T) {
	r, wrong, finds := parallel.NewRecent[string](10, func(int) int { return 1 }), errors.New("wrong"), 0
	for range 2 {
		if _, err := r.Get("a", func() (int, error) { finds++; return 0, wrong }); !errors.Is(err, wrong) {
			t.Errorf("error %v, want %v", err, wrong)
		}
	}
	if finds != 2 {
		t.Errorf("asked %d times, want twice", finds)
	}
}

// TestRecentIsBounded checks that values in use stay, others go, and values that are too large are not kept.
func TestRecentIsBounded(t *testing.T) {
	r := parallel.NewRecent[int](20, func(size int) int { return size })
	isFound := false
	find := func(key, size int) bool {
		isFound = false
		if _, err := r.Get(key, func() (int, error) { isFound = true; return size, nil }); err != nil {
			t.Fatal(err)
		}
		return isFound
	}
	find(0, 2)
	for key := 1; key < 100; key++ {
		find(key, 2)
		if find(0, 2) {
			t.Fatalf("a value in use was dropped after key %d", key)
		}
	}
	kept := 0
	for key := range 100 {
		if !find(key, 11) { // which is not kept
			kept += 2
		}
	}
	if kept > 20 {
		t.Errorf("values of the size %d were kept, want at most 20", kept)
	}
	if !find(1, 2) {
		t.Error("an old value was kept")
	}
	if find(1000, 11); !find(1000, 11) {
		t.Error("a value larger than a generation was kept")
	}
}
