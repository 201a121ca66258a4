package damage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// lines are those of the file, with their ends.
func lines(f *source) []site {
	var out []site
	for at := 0; at < len(f.data); {
		end := len(f.data)
		if i := bytes.IndexByte(f.data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		out = append(out, site{at, end, -1})
		at = end
	}
	return out
}

// breakLine loses, repeats, halves or moves a line.
func breakLine(rng *rand.Rand, f *source, s site) hurt {
	line := f.data[s.start:s.end]
	var now []byte
	var what string
	switch rng.IntN(4) {
	case 0:
		what = "is lost"
	case 1:
		what, now = "comes twice", bytes.Repeat(line, 2)
	case 2:
		what, now = "ends in its middle", line[:len(line)/2]
	default:
		what, now = "is reversed", bytes.Clone(line)
		for i, j := 0, len(now)-1; i < j; i, j = i+1, j-1 {
			now[i], now[j] = now[j], now[i]
		}
	}
	h := hurt{what: fmt.Sprintf("the line at byte %d %s", s.start, what)}
	h.data = append(append(append(h.data, f.data[:s.start]...), now...), f.data[s.end:]...)
	return h
}

// flipBits turns one to eight bits round.
func flipBits(rng *rand.Rand, f *source, _ site) hurt {
	h := hurt{data: bytes.Clone(f.data), what: "bits turned at bytes"}
	for range 1 + rng.IntN(8) {
		at := rng.IntN(max(len(h.data), 1))
		if at < len(h.data) {
			h.data[at] ^= 1 << rng.IntN(8)
		}
		h.what += fmt.Sprintf(" %d", at)
	}
	return h
}

// cutOff loses the end of the file.
func cutOff(rng *rand.Rand, f *source, _ site) hurt {
	at := rng.IntN(len(f.data) + 1)
	return hurt{data: bytes.Clone(f.data[:at]), what: fmt.Sprintf("the file ends at byte %d of %d", at, len(f.data))}
}
