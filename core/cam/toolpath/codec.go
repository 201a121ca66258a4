package toolpath

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"millwright.dev/millwright/core/cam/motion"
)

// Encode returns the set as bytes: the length of its motion, its motion, and the data of its paths as JSON. Equal sets
// give equal bytes.
func (s *Set) Encode() ([]byte, error) {
	moves := motion.Encode(s.Setups)
	paths, err := json.Marshal(s.Paths)
	if err != nil {
		return nil, fmt.Errorf("encode paths: %w", err)
	}
	out := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen64+len(moves)+len(paths)), uint64(len(moves)))
	return append(append(out, moves...), paths...), nil
}

// Decode reads the output of Encode. Damaged bytes give an error.
func Decode(data []byte) (*Set, error) {
	n, head := binary.Uvarint(data)
	if head <= 0 || n > uint64(len(data)-head) {
		return nil, errors.New("stored paths: they end in their motion")
	}
	end := head + int(n)
	var s Set
	var err error
	if s.Setups, err = motion.Decode(data[head:end]); err != nil {
		return nil, fmt.Errorf("stored paths: %w", err)
	}
	if err := json.Unmarshal(data[end:], &s.Paths); err != nil {
		return nil, fmt.Errorf("stored paths: %w", err)
	}
	if len(s.Paths) != len(s.Setups) {
		return nil, fmt.Errorf("stored paths: they are of %d setups, the motion is of %d", len(s.Paths), len(s.Setups))
	}
	for i := range s.Setups {
		if len(s.Paths[i]) != len(s.Setups[i].Operations) {
			return nil, fmt.Errorf("stored paths: setup %d has %d of them, and %d operations", i, len(s.Paths[i]),
				len(s.Setups[i].Operations))
		}
	}
	return &s, nil
}
