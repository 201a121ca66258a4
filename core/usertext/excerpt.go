// Package usertext quotes text of users in sentences of the service, and finds the known name that a user meant.
package usertext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quote shows a client's own text in an error sentence, as Excerpt does.
func Quote(text string) string {
	return strconv.Quote(Excerpt(text))
}

// QuoteList lists the names that a client gave; a very long list is cut.
func QuoteList(ids []string) string {
	const most = 100
	var shown []string
	for _, id := range ids[:min(len(ids), most)] {
		shown = append(shown, Quote(id))
	}
	text := strings.Join(shown, ", ")
	if more := len(ids) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// KeyScheme is the prefix of every API key; the rest of it has characters of Base62.
const (
	KeyScheme = "mw_live_"
	Base62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// longestExcerpt is the largest length of a client's text in an excerpt, bytes.
const longestExcerpt = 80

// Excerpt returns a client's text for an error or a log: cut to a length that floods neither, and without any API key
// that was put in the wrong place.
func Excerpt(text string) string {
	pieces := strings.Split(text, KeyScheme)
	for i, piece := range pieces[1:] {
		pieces[i+1] = "…" + strings.TrimLeft(piece, Base62)
	}
	text = strings.Join(pieces, KeyScheme)
	if len(text) <= longestExcerpt {
		return text
	}
	text = text[:longestExcerpt]
	for !utf8.ValidString(text) && len(text) > longestExcerpt-utf8.UTFMax {
		text = text[:len(text)-1] // the end may cut a character in two
	}
	return text + "…"
}
