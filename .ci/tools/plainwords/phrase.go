package main

import (
	"regexp"
	"strings"
)

// pattern compiles a phrase to a regular expression on the text of a block. Words are parted by spaces: a|b is
// either word, _ is a space within an alternative, * is any word, *? any word or none, ** any number of words, ^ the
// mark that ends the sentence or clause before, $ the mark that ends this one.
func pattern(phrase string) *regexp.Regexp {
	var b strings.Builder
	b.WriteByte(' ')
	for word := range strings.FieldsSeq(phrase) {
		switch word {
		case "*":
			b.WriteString(`[a-z]+ `)
		case "*?":
			b.WriteString(`([a-z]+ )?`)
		case "**":
			b.WriteString(`([a-z]+ )*`)
		default:
			b.WriteString("(" + marks.Replace(word) + ") ")
		}
	}
	re := regexp.MustCompile(b.String())
	re.Longest()
	return re
}

var marks = strings.NewReplacer("_", " ", "^", "[.;:]", "$", "[.,;:)]")

// matcher is a compiled rule.
type matcher struct {
	rule
	re, unless *regexp.Regexp // unless is nil without exceptions
}

func compile(rules []rule) []matcher {
	made := make([]matcher, len(rules))
	for i, r := range rules {
		made[i] = matcher{rule: r, re: pattern(r.phrase)}
		var exceptions []string
		for _, u := range r.unless {
			exceptions = append(exceptions, pattern(strings.ReplaceAll(u, "@", r.phrase)).String())
		}
		if exceptions != nil {
			made[i].unless = regexp.MustCompile(strings.Join(exceptions, "|"))
			made[i].unless.Longest()
		}
	}
	return made
}

// find returns the ranges of bytes of a text that a rule forbids, without the spaces at their ends.
func (m *matcher) find(text string) [][2]int {
	found := matches(m.re, text)
	if found == nil || m.unless == nil {
		return found
	}
	allowed := matches(m.unless, text)
	if allowed == nil {
		return found
	}
	blanked := []byte(text)
	for _, r := range allowed {
		for i := r[0]; i < r[1]; i++ {
			blanked[i] = '_'
		}
	}
	return matches(m.re, string(blanked))
}

// matches returns the ranges of a pattern's matches. The space that ends one may begin the next.
func matches(re *regexp.Regexp, text string) [][2]int {
	var found [][2]int
	for at := 0; ; {
		m := re.FindStringIndex(text[at:])
		if m == nil {
			return found
		}
		found = append(found, [2]int{at + m[0] + 1, at + m[1] - 1})
		at += m[1] - 1
	}
}

// line is a line of prose in a file.
type line struct {
	file   string
	number int // from 1
	text   string
}

// block is lines that are read as one text: a phrase may begin on one and end on the next.
type block []line

// hit is a forbidden phrase and the line on which it begins.
type hit struct {
	line
	kind   kind
	phrase string
}

// hits returns the forbidden phrases of a block, rule by rule, without those inside another one.
func (b block) hits(rules []matcher) []hit {
	text, starts := " . ", make([]int, len(b)) // the mark stands for the end of the sentence before the block
	for i, l := range b {
		starts[i] = len(text)
		text += words(l.text)
	}
	text += ". "
	var ranges [][2]int
	var kinds []kind
	for i := range rules {
		for _, r := range rules[i].find(text) {
			for strings.IndexByte(" .,;:", text[r[0]]) >= 0 {
				r[0]++
			}
			ranges, kinds = append(ranges, r), append(kinds, rules[i].kind)
		}
	}
	var all []hit
	for i, r := range ranges {
		if isInside(i, ranges) {
			continue
		}
		on := len(b) - 1
		for on > 0 && starts[on] > r[0] {
			on--
		}
		all = append(all, hit{b[on], kinds[i], text[r[0]:r[1]]})
	}
	return all
}

// isInside reports whether range i lies in another one, of equal ranges in an earlier one.
func isInside(i int, ranges [][2]int) bool {
	for k, outer := range ranges {
		inside := outer[0] <= ranges[i][0] && ranges[i][1] <= outer[1]
		if k != i && inside && (outer != ranges[i] || k < i) {
			return true
		}
	}
	return false
}

// words returns a line in lower case with one space after each word and each mark.
func words(s string) string {
	var b strings.Builder
	parted := true
	for _, c := range []byte(s) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteByte(c)
			parted = false
			continue
		}
		if !parted {
			b.WriteByte(' ')
			parted = true
		}
		switch c {
		case '.', ',', ';', ':', '(', ')', '?':
			b.WriteByte(c)
			b.WriteByte(' ')
		case '\'':
			b.WriteByte(c)
			parted = false
		}
	}
	if !parted {
		b.WriteByte(' ')
	}
	return b.String()
}
