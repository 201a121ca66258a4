package solidworks

import (
	"bytes"
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

// features is the part of swXmlContents/Features that is used. The first file is this one.
type features struct {
	Files []struct {
		Kind string `xml:"swDocType,attr"`
	} `xml:"swHeader>swFile"`
	Configurations []struct {
		Number     string `xml:"swID,attr"`
		MostRecent string `xml:"swMostRecentConfiguration,attr"`
	} `xml:"swConfigurationList>swConfiguration"`
}

type keywords struct {
	Name           string `xml:"Name,attr"`
	Configurations []struct {
		Number   string `xml:"id,attr"`
		Material string `xml:"Material,attr"`
	} `xml:"Configuration"`
}

// readDocument reads what it can: a file whose texts are missing or damaged has its shape all the same.
func readDocument(text func(name string) ([]byte, error)) (document, error) {
	var d document
	var f features
	var k keywords
	for name, into := range map[string]any{"swXmlContents/Features": &f, "swXmlContents/KeyWords": &k} {
		data, err := text(name)
		if err != nil {
			return d, err
		}
		if at := bytes.IndexByte(data, '<'); at >= 0 {
			_ = xml.Unmarshal(data[at:], into) // what was read before an error counts
		}
	}
	if len(f.Files) > 0 {
		d.kind = f.Files[0].Kind
	}
	for _, c := range f.Configurations {
		if c.MostRecent == "YES" {
			d.active = c.Number
		}
	}
	d.name = k.Name
	for _, c := range k.Configurations {
		if d.active == "" || c.Number == d.active {
			d.material = materialName(c.Material)
			break
		}
	}
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
