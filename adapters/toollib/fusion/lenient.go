package fusion

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// number is a JSON number, or a text with a number, also with a decimal comma. Null and blanks are 0, which means "not
// given"; anything else is NaN. One odd field does not lose a tool.
type number float64

// UnmarshalJSON implements json.Unmarshaler and never fails.
func (n *number) UnmarshalJSON(data []byte) error {
	text := strings.TrimSpace(strings.Trim(string(data), `"`))
	*n = 0
	if text == "" || text == "null" {
		return nil
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
	if err != nil || math.IsInf(v, 0) {
		v = math.NaN()
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
