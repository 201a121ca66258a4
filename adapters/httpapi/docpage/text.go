package docpage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
)

// prose is a text of the description as HTML: paragraphs, lists of lines that begin with a hyphen, and `code`.
func prose(text string) template.HTML {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if !strings.HasPrefix(block, "- ") {
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(block))
			continue
		}
		b.WriteString("<ul>\n")
		for line := range strings.SplitSeq(block, "\n") {
			fmt.Fprintf(&b, "<li>%s</li>\n", inline(strings.TrimPrefix(line, "- ")))
		}
		b.WriteString("</ul>\n")
	}
	return template.HTML(b.String()) // everything in it is escaped
}

// inline escapes a text and marks code between backticks.
func inline(text string) string {
	var b strings.Builder
	for i, piece := range strings.Split(text, "`") {
		piece = template.HTMLEscapeString(piece)
		if i%2 == 1 {
			piece = "<code>" + piece + "</code>"
		}
		b.WriteString(piece)
	}
	return b.String()
}

const schemaPath = "#/components/schemas/"

// kindOf returns the type of a value as text, with links to the objects of the description.
func kindOf(s *schema) template.HTML {
	switch {
	case s == nil:
		return "anything"
	case s.Ref != "":
		name := template.HTMLEscapeString(strings.TrimPrefix(s.Ref, schemaPath))
		return template.HTML(`<a href="#schema-` + name + `">` + name + `</a>`) // escaped above
	case len(s.AnyOf)+len(s.OneOf) > 0:
		return either(append(s.AnyOf, s.OneOf...))
	case s.Items != nil:
		return "list of " + kindOf(s.Items) + orNull(s)
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = template.HTMLEscapeString(fmt.Sprint(v))
		}
		return template.HTML("<code>" + strings.Join(words, "</code> | <code>") + "</code>") // escaped above
	}
	name := template.HTML(template.HTMLEscapeString(strings.Join(types(s), " or ")))
	if name == "" {
		name = "anything"
	}
	if s.Format != "" {
		name += template.HTML(" (" + template.HTMLEscapeString(s.Format) + ")")
	}
	return name
}

func either(of []*schema) (out template.HTML) {
	for i, s := range of {
		if i > 0 {
			out += " or "
		}
		out += kindOf(s)
	}
	return out
}

// types are the names of the types of a schema.
func types(s *schema) (names []string) {
	switch t := s.Type.(type) {
	case string:
		return []string{t}
	case []any:
		for _, name := range t {
			names = append(names, fmt.Sprint(name))
		}
	}
	return names
}

func orNull(s *schema) template.HTML {
	for _, t := range types(s) {
		if t == "null" {
			return " or null"
		}
	}
	return ""
}

// indent is JSON with a field a line.
func indent(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}
