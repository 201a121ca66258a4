package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	width = 120 // columns of a line at most
	tab   = 4   // columns of a tab
)

// long returns the lines that are wider than width: those that hold a comment, and those of code alone. Some cannot be
// broken and may be wider: lines of a raw string literal (struct tags too), addresses, directives.
func (s *source) long() (comments, code []string) {
	isComment, isFree := map[int]bool{}, map[int]bool{}
	for _, c := range s.comments {
		for n := c.first; n <= c.last(); n++ {
			isComment[n] = true
		}
		if strings.HasPrefix(c.text, "//go:") || strings.HasPrefix(c.text, "//nolint") {
			isFree[c.first] = true
		}
	}
	for _, l := range s.literals {
		for n := l.first; l.text[0] == '`' && n <= l.last(); n++ {
			isFree[n] = true
		}
	}
	for i, text := range s.lines {
		columns := utf8.RuneCountInString(text) + (tab-1)*strings.Count(text, "\t")
		if columns <= width || isFree[i+1] || strings.Contains(text, "://") {
			continue
		}
		found := fmt.Sprintf("%s:%d: %d columns: %s", s.name, i+1, columns, strings.TrimSpace(text))
		if isComment[i+1] {
			comments = append(comments, found)
		} else {
			code = append(code, found)
		}
	}
	return comments, code
}
