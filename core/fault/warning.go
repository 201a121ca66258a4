package fault

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Warning is something about an input that was repaired, guessed or left out, after which the work went on.
type Warning struct {
	Code    string `json:"code"`             // one of WarningCodes
	Message string `json:"message"`          // one sentence with its full stop
	Entity  string `json:"entity,omitempty"` // ID of the Entity concerned, the first of several; "" = no entity
	Count   int    `json:"count,omitempty"`  // number of cases; 0: the sentence contains it
}

// Warnf returns a warning of count cases with a formatted sentence, which gets its capital and its full stop. The first
// Entity of args is the subject of the warning.
func Warnf(code string, count int, format string, args ...any) Warning {
	w := Warning{Code: code, Count: count}
	for _, arg := range args {
		if e, ok := arg.(Location); ok {
			w.Entity = e.ID
			break
		}
	}
	first, width := utf8.DecodeRuneInString(fmt.Sprintf(format, args...))
	w.Message = string(unicode.ToUpper(first)) + strings.TrimSuffix(fmt.Sprintf(format, args...)[width:], ".") + "."
	return w
}

// Summed is the warning with its count in the sentence, as results show it.
func (w Warning) Summed() Warning {
	if w.Count > 1 {
		w.Message = fmt.Sprintf("%s (%d times)", w.Message, w.Count)
	}
	w.Count = 0
	return w
}

// Unspecified is the code of warnings that were stored as sentences alone, before there were codes.
const Unspecified = "unspecified"

// UnmarshalJSON takes the sentences too that earlier releases stored.
func (w *Warning) UnmarshalJSON(data []byte) error {
	if strings.HasPrefix(string(data), `"`) {
		*w = Warning{Code: Unspecified}
		return json.Unmarshal(data, &w.Message)
	}
	type plain Warning
	return json.Unmarshal(data, (*plain)(w))
}

// Location names an entity in a sentence about an input.
type Location struct {
	// ID finds it: "#12" is an instance of a STEP file, "D12" a directory entry of an IGES file. Without a number in
	// the file, it is the kind and the index in the model, "face 7".
	ID   string
	Text string // its name in a sentence: "#12 ADVANCED_FACE"; it contains the ID
}

func (e Location) String() string { return e.Text }
