package completeness

import (
	"fmt"
	"math"
	"strings"
)

// Title is the level in words.
func (l Level) Title() string {
	switch l {
	case Complete:
		return "complete"
	case CompleteButNamed:
		return "complete except for named entries"
	}
	return "INCOMPLETE"
}

// Summary returns the completed share, in one sentence without its period. For an incomplete program it names the
// largest entries.
func (a *Account) Summary() string {
	s := fmt.Sprintf("%s: %s %% of the volume and %s %% of the area are made", a.Completeness.Title(),
		Percent(a.Made.VolumeShare), Percent(a.Made.AreaShare))
	if a.Side == Predicted {
		s = strings.Replace(s, "are made", "are within reach, as predicted before there are paths", 1)
	}
	if a.Completeness != Incomplete {
		return s
	}
	const most = 3
	var list []string
	more := 0
	for i := range a.Left {
		e := &a.Left[i]
		if !e.Counts() || e.Reason.isNamed() {
			continue
		}
		if len(list) == most {
			more++
			continue
		}
		list = append(list, fmt.Sprintf("%s (%s, %s)", e.Place(), e.Reason, e.Amount()))
	}
	s += "; left " + strings.Join(list, ", ")
	if more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// Percent is a share in percent with one decimal, never rounded up to all.
func Percent(share float64) string {
	p := math.Floor(share*1000) / 10
	if p == math.Trunc(p) {
		return fmt.Sprintf("%.0f", p)
	}
	return fmt.Sprintf("%.1f", p)
}

// Place names the entry by its feature, counted from 1 as lists of features do, else by its faces.
func (e *Entry) Place() string {
	if e.Feature >= 0 {
		return fmt.Sprintf("feature %d", e.Feature+1)
	}
	return "faces " + strings.Trim(fmt.Sprint(e.Regions), "[]")
}

// Amount returns the amount of remaining material, in words.
func (e *Entry) Amount() string {
	if e.Volume == 0 && e.Height == 0 {
		return "no volume"
	}
	return fmt.Sprintf("%.3g mm³, up to %.2g mm high", e.Volume, e.Height)
}
