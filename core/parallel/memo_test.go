package parallel_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"millwright.dev/millwright/core/parallel"
)

func TestMemoMakesEachValueOnce(t *testing.T) {
	const keys, users = 10, 100
	failed := errors.New("odd")
	var m parallel.Memo[int, int]
	var made atomic.Int64
	err := parallel.Try(t.Context(), keys*users, 1, func() func(int) error {
		return func(i int) error {
			key := i % keys
			got, err := m.Get(key, func() (int, error) {
				made.Add(1)
				if key%2 == 1 {
					return 0, failed
				}
				return key * key, nil
			})
			if key%2 == 1 && !errors.Is(err, failed) || key%2 == 0 && (err != nil || got != key*key) {
				return errors.New("wrong value")
			}
			return nil
		}
	})
	if err != nil || made.Load() != keys {
		t.Errorf("made %d values for %d keys: %v", made.Load(), keys, err)
	}
}
