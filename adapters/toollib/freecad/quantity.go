package freecad

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
)

// units are the units that parameters come in: factors to mm or degrees. FreeCAD's own unit of length is mm.
var units = map[string]float64{
	"": 1, "mm": 1, "cm": 10, "m": 1000, "um": 1e-3, "µm": 1e-3, "μm": 1e-3, "in": toolbuilder.Inch,
	`"`:    toolbuilder.Inch,
	"thou": toolbuilder.Inch / 1000, "ft": 12 * toolbuilder.Inch, "'": 12 * toolbuilder.Inch, "°": 1, "deg": 1,
	"rad": 180 / math.Pi,
}

// quantity reads a parameter such as 5, "5.0000 mm", "0,04 mm" (decimal commas come from the user's locale),
// "1/4 in" or "60.0000 °". The error is for the report.
func quantity(raw json.RawMessage) (float64, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return 0, err
	}
	switch v := v.(type) {
	case float64:
		return v, nil
	case string:
		return parse(v)
	}
	return 0, fmt.Errorf("%s is not a quantity", toolbuilder.Clean(string(raw), 40))
}

// mixed is a whole number and a fraction, as FreeCAD writes inches: 1 1/2, 1+1/2 or 1-1/2.
var mixed = regexp.MustCompile(`^([0-9]{1,6})[ +-]([0-9]+/[0-9]+)$`)

func parse(s string) (float64, error) {
	s = strings.TrimSpace(s)
	end := strings.LastIndexAny(s, "0123456789.,") + 1
	if strings.HasPrefix(s, "-") || end == 0 {
		return 0, fmt.Errorf("%q is not a quantity", toolbuilder.Clean(s, 40))
	}
	factor, known := units[strings.ToLower(strings.TrimSpace(s[end:]))]
	if !known {
		return 0, fmt.Errorf("%q has no known unit", toolbuilder.Clean(s, 40))
	}
	digits := strings.ReplaceAll(strings.TrimSpace(s[:end]), ",", ".")
	var whole float64
	if m := mixed.FindStringSubmatch(digits); m != nil {
		whole, _ = strconv.ParseFloat(m[1], 64) // the pattern allows digits only
		digits = m[2]
	}
	top, bottom, fraction := strings.Cut(digits, "/")
	v, err := strconv.ParseFloat(strings.TrimSpace(top), 64)
	if fraction && err == nil {
		var d float64
		if d, err = strconv.ParseFloat(strings.TrimSpace(bottom), 64); d == 0 {
			err = strconv.ErrRange
		}
		v /= d
	}
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a quantity", toolbuilder.Clean(s, 40))
	}
	return (whole + v) * factor, nil
}
