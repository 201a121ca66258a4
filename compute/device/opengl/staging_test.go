//go:build gpu

package opengl

import (
	"fmt"
	"testing"

	"millwright.dev/millwright/compute/device"
)

// TestReadsThroughStagingMemory reads ranges over any number of staging slots, from any offset.
func TestReadsThroughStagingMemory(t *testing.T) {
	stageAlways = true
	defer func() { stageAlways = false }()
	d := open(t, map[string]string{"double.comp": doubling})
	const words = slotSize / 4
	for _, n := range []int{1, words - 1, words, words + 1, 2 * words, 5*words + 3} {
		given := make([]uint32, n)
		for i := range given {
			given[i] = uint32(i) * 2654435761
		}
		err := d.Do(t.Context(), func(s *device.Session) error {
			b, err := device.Upload(s, given)
			if err != nil {
				return err
			}
			for _, first := range []int{0, n / 3} {
				got := make([]uint32, n-first)
				if err := device.Read(s, b, first, got); err != nil {
					return err
				}
				for i, v := range got {
					if v != given[first+i] {
						return fmt.Errorf("word %d from %d on is %d, want %d", i, first, v, given[first+i])
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d words: %v", n, err)
		}
	}
	// The output of a shader arrives, and so does the poison under it.
	values := make([]float32, 3*words)
	values[2*words] = 4
	if err := double(t.Context(), d, values, 2); err != nil || values[2*words] != 8 {
		t.Errorf("doubled to %g, %v", values[2*words], err)
	}
}
