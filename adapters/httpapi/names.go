package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// This file refuses names in bodies that encoding/json would take for others: it matches them without regard to case,
// and of a name that is given twice it takes the last value.

// deepest is how many values may be nested in each other; encoding/json takes no more.
const deepest = 10_000

// wrongNames returns a sentence for each name in the body of a request that is given twice in one object or is none that
// the operation knows. A body that is no JSON has none: that is said where it is decoded.
func (a *api) wrongNames(r *http.Request, op *huma.Operation, body []byte) []string {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if op.RequestBody == nil || op.SkipValidateBody || media != "" && !strings.HasSuffix(media, "json") {
		return nil
	}
	w := nameWalk{tokens: json.NewDecoder(bytes.NewReader(body)), schemas: a.huma.OpenAPI().Components.Schemas}
	w.tokens.UseNumber()
	if w.value(op.RequestBody.Content["application/json"].Schema, "", 0) != nil {
		return nil
	}
	return w.found
}

// nameWalk goes through a JSON text along its schema.
type nameWalk struct {
	tokens  *json.Decoder
	schemas huma.Registry
	found   []string // sentences
}

// value walks the next value, which is at a place such as machine.axes; the schema is nil where none is known.
func (w *nameWalk) value(s *huma.Schema, at string, depth int) error {
	token, err := w.tokens.Token()
	if err != nil {
		return err
	}
	if depth > deepest {
		return fmt.Errorf("more than %d values are nested", deepest)
	}
	s = w.resolve(s)
	switch token {
	case json.Delim('{'):
		return w.object(s, at, depth)
	case json.Delim('['):
		for i := 0; w.tokens.More(); i++ {
			if err := w.value(s.Items, fmt.Sprintf("%s[%d]", at, i), depth+1); err != nil {
				return err
			}
		}
		_, err = w.tokens.Token()
	}
	return err
}

// object walks the members of an object and its end.
func (w *nameWalk) object(s *huma.Schema, at string, depth int) error {
	given := map[string]bool{}
	for w.tokens.More() {
		token, err := w.tokens.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		place := name
		if at != "" {
			place = at + "." + name
		}
		member, known := s.Properties[name]
		if values, isMap := s.AdditionalProperties.(*huma.Schema); !known && isMap {
			member = values
		}
		switch {
		case given[name]:
			w.find(place, "is given more than once.")
		case !known && s.AdditionalProperties == false:
			w.find(place, "is not a field of this request"+meant(name, slices.Sorted(maps.Keys(s.Properties))))
		}
		given[name] = true
		if err := w.value(member, place, depth+1); err != nil {
			return err
		}
	}
	_, err := w.tokens.Token()
	return err
}

// find notes what is wrong at a place, as often as it is said.
func (w *nameWalk) find(place, what string) {
	if len(w.found) <= mostSentences {
		w.found = append(w.found, subject("body."+place)+" "+what)
	}
}

// resolve returns the schema that a reference leads to, also that of an object that may be null; never nil.
func (w *nameWalk) resolve(s *huma.Schema) *huma.Schema {
	if s != nil && len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	if s != nil && s.Ref != "" {
		s = w.schemas.SchemaFromRef(s.Ref)
	}
	if s == nil {
		return &huma.Schema{}
	}
	return s
}
