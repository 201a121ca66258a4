package solidworks

import (
	"bytes"
	"html"
	"strings"
)

// document is what the texts of a file say of it: swXmlContents/Features and KeyWords.
type document struct {
	name     string
	kind     string // "PART", "ASSEMBLY", "DRAWING"; "" where nothing says
	active   string // the number of the configuration that was open when the file was saved
	material string // of that configuration
}

// readDocument reads what it can: a file whose texts are missing or damaged has its shape all the same.
func readDocument(text func(name string) ([]byte, error)) (document, error) {
	var d document
	said, err := text("swXmlContents/Features")
	if err != nil {
		return d, err
	}
	isFirst := true // of its files: this one
	eachTag(said, func(t tag) {
		switch string(t.name) {
		case "swFile":
			if isFirst {
				d.kind, isFirst = t.attribute("swDocType"), false
			}
		case "swConfiguration":
			if t.attribute("swMostRecentConfiguration") == "YES" {
				d.active = t.attribute("swID")
			}
		}
	})
	if said, err = text("swXmlContents/KeyWords"); err != nil {
		return d, err
	}
	isFound := false
	eachTag(said, func(t tag) {
		switch string(t.name) {
		case "Keywords":
			d.name = t.attribute("Name")
		case "Configuration":
			if !isFound && (d.active == "" || t.attribute("id") == d.active) {
				d.material, isFound = materialName(t.attribute("Material")), true
			}
		}
	})
	return d, nil
}

// materialName is "" for a part without: its material reads "Material <not specified>" in the language of its maker.
func materialName(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, ">") {
		return ""
	}
	return text
}

// tag is the start tag of an element.
type tag struct{ name, attributes []byte }

const blanks = " \t\r\n"

// eachTag visits the start tags of a text in XML, as far as it is sound. A general decoder takes as long for the two
// texts of a small part as its bodies take.
func eachTag(text []byte, visit func(tag)) {
	for {
		_, rest, ok := bytes.Cut(text, []byte("<"))
		if !ok {
			return
		}
		if comment, is := bytes.CutPrefix(rest, []byte("!--")); is {
			_, text, _ = bytes.Cut(comment, []byte("-->"))
			continue
		}
		end := tagEnd(rest)
		if end < 0 {
			return
		}
		inside := rest[:end]
		text = rest[end:]
		if len(inside) == 0 || bytes.IndexByte([]byte("/?!"), inside[0]) >= 0 {
			continue
		}
		name := inside
		if at := bytes.IndexAny(inside, blanks+"/"); at >= 0 {
			name = inside[:at]
		}
		visit(tag{name, inside[len(name):]})
	}
}

// tagEnd is where a tag ends, -1 where it does not: values may hold what ends tags.
func tagEnd(text []byte) int {
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return -1
}

// attribute is the value of an attribute, "" without.
func (t tag) attribute(key string) string {
	rest := t.attributes
	for {
		before, after, ok := bytes.Cut(rest, []byte("="))
		after = bytes.TrimLeft(after, blanks)
		if !ok || len(after) == 0 {
			return ""
		}
		end := bytes.IndexByte(after[1:], after[0]) // the quote
		if end < 0 {
			return ""
		}
		if string(bytes.Trim(before, blanks)) == key {
			return html.UnescapeString(string(after[1 : 1+end]))
		}
		rest = after[end+2:]
	}
}
