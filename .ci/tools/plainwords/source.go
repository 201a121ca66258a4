package main

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// source is a Go or shader file in the form that the checks read.
type source struct {
	name      string
	lines     []string
	comments  []span
	literals  []span
	generated bool
}

// span is a comment or a string literal with its marks and the line on which it begins, from 1.
type span struct {
	first int
	text  string
}

// last returns the line on which a span ends.
func (s span) last() int { return s.first + strings.Count(s.text, "\n") }

var generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT`)

// parse splits a file into tokens. A shader has the comments of Go, and its other tokens are not looked at.
func parse(name string, text []byte) *source {
	s := &source{name: name, lines: strings.Split(string(text), "\n"), generated: generatedMark.Match(text)}
	file := token.NewFileSet().AddFile(name, -1, len(text))
	var tokens scanner.Scanner
	tokens.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, lit := tokens.Scan()
		at := span{file.Position(pos).Line, lit}
		switch tok {
		case token.EOF:
			return s
		case token.COMMENT:
			s.comments = append(s.comments, at)
		case token.STRING:
			s.literals = append(s.literals, at)
		}
	}
}

var (
	directive = regexp.MustCompile(`^(go:|nolint|lint:|line |export |\+build|#)`)
	letter    = regexp.MustCompile(`[A-Za-z]`)
	sentence  = regexp.MustCompile(`[a-z] [a-z]+ [a-z]`)
)

// prose returns the comments of a file. Comments on adjacent lines are a block, those behind code too. Blank lines,
// directives and license headers end a block and are not counted.
func (s *source) prose() []block {
	var all []block
	last, header := -1, false
	for _, c := range s.comments {
		for i, text := range strings.Split(c.text, "\n") {
			number := c.first + i
			text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "*/"))
			text = strings.TrimSpace(strings.TrimLeft(text, "/*"))
			if !letter.MatchString(text) || directive.MatchString(text) {
				last = -1
				continue
			}
			header = strings.HasPrefix(text, "Copyright") || header && number == last+1
			if !header {
				if last < 0 || number > last+1 {
					all = append(all, nil)
				}
				all[len(all)-1] = append(all[len(all)-1], line{s.name, number, text})
			}
			last = number
		}
	}
	return all
}

// sentences returns the string literals of a file that hold three words at least, each a block.
func (s *source) sentences() []block {
	var all []block
	for _, l := range s.literals {
		var b block
		for i, text := range strings.Split(l.text[1:len(l.text)-1], "\n") {
			if sentence.MatchString(text) {
				b = append(b, line{s.name, l.first + i, text})
			}
		}
		if b != nil {
			all = append(all, b)
		}
	}
	return all
}

// markdown returns the paragraphs of a Markdown file without its code.
func markdown(name string, text []byte) []block {
	var all []block
	fenced, open := false, false
	for i, s := range strings.Split(string(text), "\n") {
		fence := strings.HasPrefix(strings.TrimLeft(s, " "), "```")
		fenced = fenced != fence
		if fence || fenced || strings.HasPrefix(s, "    ") || strings.HasPrefix(s, "\t") || !letter.MatchString(s) {
			open = false
			continue
		}
		if !open {
			all, open = append(all, nil), true
		}
		all[len(all)-1] = append(all[len(all)-1], line{name, i + 1, inlineCode.ReplaceAllString(s, " ")})
	}
	return all
}

var inlineCode = regexp.MustCompile("`[^`]*`")
