package solidworks

import (
	"bytes"
	"cmp"
	"encoding/xml"
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
	features, err := text("swXmlContents/Features")
	if err != nil {
		return d, err
	}
	eachElement(features, func(e xml.StartElement) (goOn bool) {
		switch e.Name.Local {
		case "swFile": // the first one is this file
			d.kind = cmp.Or(d.kind, attribute(e, "swDocType"))
		case "swConfiguration":
			if attribute(e, "swMostRecentConfiguration") == "YES" {
				d.active = attribute(e, "swID")
				return false
			}
		}
		return true
	})
	keywords, err := text("swXmlContents/KeyWords")
	if err != nil {
		return d, err
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
	return d, nil
}

// eachElement visits the elements of a text until visit has what it wants: most of a text is features, which are many.
// What stands before a mistake counts.
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
