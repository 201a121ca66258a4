package fusion

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// number is a JSON number, or a text that holds one; anything else is 0, which says "not given". A tool is not
// lost because one field of it is odd.
type number float64

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (n *number) UnmarshalJSON(data []byte) error {
	text := strings.TrimSpace(strings.Trim(string(data), `"`))
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		v = 0
	}
	*n = number(v)
	return nil
}

// text is a JSON text; anything else is "".
type text string

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = ""
	}
	*t = text(s)
	return nil
}

// flag is a JSON boolean; anything else is false.
type flag bool

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (f *flag) UnmarshalJSON(data []byte) error {
	*f = string(data) == "true"
	return nil
}
