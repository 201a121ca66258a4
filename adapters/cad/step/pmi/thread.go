package pmi

import "regexp"

// threadCall matches the call-out of a thread anywhere in a text: ISO metric (M8, M8x1.25, MJ6×1), unified
// and other inch threads with a series (1/4-20 UNC, #10-32 UNF), and pipe threads (G 1/2, 1/8 NPT).
var threadCall = regexp.MustCompile(`(?i)(^|[^\pL\pN.])(` +
	`MJ? ?\d+(\.\d+)?( ?[x×] ?\d+(\.\d+)?)?(-\d[GHgh])?` +
	`|#?\d+([ -]\d+/\d+|/\d+|\.\d+)?"? ?- ?\d+ ?(UN|UNC|UNF|UNEF|UNS|UNJ|UNJC|UNJF|BSW|BSF)` +
	`|(G|R|Rp|Rc) ?\d+/\d+` +
	`|\d+(/\d+)?"? ?(NPT|NPTF|NPS|BSPT|BSPP)` +
	`|Tr ?\d+ ?[x×] ?\d+` +
	`)($|[^\pL\pN/])`)

// longestCall is the length (bytes) above which a text is a page of notes, not a call-out.
const longestCall = 200

// IsThread reports whether a note calls out a thread.
func IsThread(text string) bool { return len(text) <= longestCall && threadCall.MatchString(text) }
