package solidworks

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"strings"
)

// document contains the properties in a text of the file, swXmlContents/KeyWords.
type document struct {
	name     string
	active   string // number of the configuration that was open when the file was saved; "" if there is only one
	material string // of that configuration
}

// readDocument reads the texts as far as possible. A file with missing or damaged texts still has its shape.
func (f *file) readDocument() error {
	keywords, err := f.text("swXmlContents/KeyWords")
	if err != nil {
		return err
	}
	d := &f.document
	if f.configurations() > 1 || bytes.Count(keywords, []byte("<Configuration ")) > 1 {
		if _, d.active, err = f.features(); err != nil {
			return err
		}
	}
	isRoot := true
	eachElement(keywords, func(e xml.StartElement) (goOn bool) {
		if isRoot {
			d.name, isRoot = attribute(e, "Name"), false
		}
		if e.Name.Local != "Configuration" || d.active != "" && attribute(e, "id") != d.active {
			return true
		}
		d.material = materialName(attribute(e, "Material"))
		return false
	})
	return nil
}

// features reads the kind of the file, "PART", "ASSEMBLY" or "DRAWING", and the number of the configuration that was
// open when it was saved. Each is "" if the text swXmlContents/Features does not state it.
func (f *file) features() (kind, active string, err error) {
	text, err := f.text("swXmlContents/Features")
	eachElement(text, func(e xml.StartElement) (goOn bool) {
		switch e.Name.Local {
		case "swFile": // the first one is this file
			kind = cmp.Or(kind, attribute(e, "swDocType"))
		case "swConfiguration":
			if attribute(e, "swMostRecentConfiguration") == "YES" {
				active = attribute(e, "swID")
				return false
			}
		}
		return true
	})
	return kind, active, err
}

// eachElement visits the elements of a text until visit returns false, since most of a text is features. Elements
// before a syntax error count.
func eachElement(text []byte, visit func(e xml.StartElement) (goOn bool)) {
	r := xml.NewDecoder(bytes.NewReader(text[max(0, bytes.IndexByte(text, '<')):]))
	for {
		token, err := r.RawToken()
		if err != nil {
			return
		}
		if e, ok := token.(xml.StartElement); ok && !visit(e) {
			return
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// materialName is "" for a part without: its material reads "Material <not specified>" in the language of its maker.
func materialName(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, ">") {
		return ""
	}
	return text
}
