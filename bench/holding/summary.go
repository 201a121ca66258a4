package holding

import (
	"fmt"
	"slices"
)

// WantedShare is the share of setups that should pass.
const WantedShare = 0.95

// Count is the number of setups of a kind, and of those that pass.
type Count struct {
	Setups int `json:"setups"`
	Pass   int `json:"pass"`
}

// Summary counts setups of parts.
type Summary struct {
	Parts        int            `json:"parts"`
	Judged       int            `json:"judged"` // setups but those that callers hold
	Pass         int            `json:"pass"`
	Share        float64        `json:"share"` // of the judged ones that pass
	Kinds        map[Kind]Count `json:"kinds"`
	Fails        map[Check]int  `json:"fails"` // setups by check
	MedianSetups float64        `json:"medianSetups"`
}

// Sum returns the counts of the setups of parts.
func Sum(parts [][]Setup) Summary {
	s := Summary{Parts: len(parts), Kinds: map[Kind]Count{}, Fails: map[Check]int{}}
	var counts []int
	for _, setups := range parts {
		counts = append(counts, len(setups))
		for i := range setups {
			failures := setups[i].Failures()
			for _, f := range failures {
				s.Fails[f.Check]++
			}
			n := s.Kinds[setups[i].Kind]
			n.Setups++
			if len(failures) == 0 {
				n.Pass++
			}
			s.Kinds[setups[i].Kind] = n
		}
	}
	for k, n := range s.Kinds {
		if k != Unjudged {
			s.Judged, s.Pass = s.Judged+n.Setups, s.Pass+n.Pass
		}
	}
	if s.Share = 1; s.Judged > 0 {
		s.Share = float64(s.Pass) / float64(s.Judged)
	}
	if n := len(counts); n > 0 {
		slices.Sort(counts)
		s.MedianSetups = float64(counts[(n-1)/2]+counts[n/2]) / 2
	}
	return s
}

// Missed returns the figures that are not as they should be, in sentences.
func (s *Summary) Missed() (list []string) {
	if s.Share < WantedShare {
		list = append(list, fmt.Sprintf("%.1f %% of setups pass, %.0f %% should", 100*s.Share, 100*WantedShare))
	}
	if n := s.Fails[Opens]; n > 0 {
		list = append(list, fmt.Sprintf("%d setups open the vise too far", n))
	}
	if n := s.Fails[Undesigned]; n > 0 {
		list = append(list, fmt.Sprintf("%d setups are in fixtures that nobody has designed", n))
	}
	return list
}
