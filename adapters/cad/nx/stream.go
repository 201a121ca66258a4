package nx

import (
	"bytes"
	"context"
	"errors"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/fault"
)

// stream is a Parasolid stream of a part.
type stream struct {
	data []byte
	// isPartition is true for a body with its history, which is current. Other bodies may be tools of a feature.
	isPartition bool
}

const (
	headSize  = 96      // bytes of a stream that identify it
	checkSpan = 1 << 20 // bytes between two checks of the context
	maxProbes = 1 << 18 // positions with a zlib header in a whole file: far more than 500 MB contain by chance
)

// streams finds the Parasolid streams of a part: plain up to release 8, in zlib format later. The structures that give
// their offsets are not known well enough. So every position where a stream may begin is examined. Streams of deltas,
// which undo steps of a body's history, are left out.
func streams(ctx context.Context, part []byte, budget *inflate.Budget) ([]stream, error) {
	s := scan{part: part, budget: budget, plainAt: -1}
	for at := 0; at < len(part); at++ {
		if at%checkSpan == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch part[at] {
		case 'P':
			if description(part[at:]) != nil {
				s.endPlain(at)
				s.plainAt = at
			}
		case 'x': // deflate with a window of 32 kB
			used, err := s.member(at)
			if err != nil {
				return nil, err
			}
			at += max(used, 1) - 1
		}
	}
	s.endPlain(len(part))
	return s.found, nil
}

type scan struct {
	part    []byte
	budget  *inflate.Budget
	found   []stream
	plainAt int // start of the current plain stream; -1: no stream
	probes  int
}

// endPlain adds the current plain stream, up to the offset at, where other data begin. The exact end is known only to
// the reader of the stream.
func (s *scan) endPlain(at int) {
	if s.plainAt >= 0 {
		s.add(s.part[s.plainAt:at])
	}
	s.plainAt = -1
}

// member reads the packed stream at an offset and returns its length in bytes, or 0 if there is no stream.
func (s *scan) member(at int) (int, error) {
	data := s.part[at:]
	if len(data) < 2 || (uint(data[0])<<8|uint(data[1]))%31 != 0 { // the check of zlib's header
		return 0, nil
	}
	if s.probes++; s.probes > maxProbes {
		return 0, fault.Errorf(fault.TooComplex, "The file has more than %d packed streams.", maxProbes)
	}
	if description(inflate.Head(data, headSize)) == nil {
		return 0, nil
	}
	s.endPlain(at)
	content, used, err := s.budget.Member(data)
	if errors.Is(err, inflate.ErrDamaged) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	s.add(content)
	return used, nil
}

func (s *scan) add(data []byte) {
	said := description(data)
	if said == nil || bytes.HasPrefix(said, []byte("(deltas)")) {
		return
	}
	s.found = append(s.found, stream{data, bytes.HasPrefix(said, []byte("(partition)"))})
}

// description returns the text after "TRANSMIT FILE" in a Parasolid stream, such as "(partition)", or nil for other
// data.
func description(data []byte) []byte {
	const kind = "TRANSMIT FILE "
	if !bytes.HasPrefix(data, []byte("PS\x00\x00")) {
		return nil
	}
	head := data[:min(len(data), headSize)]
	if at := bytes.Index(head, []byte(kind)); at >= 0 {
		return head[at+len(kind):]
	}
	return nil
}
