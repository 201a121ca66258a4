package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
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

// saysUnknown marks, in the metadata of an operation, that its use case reports unknown names in the body, together
// with all other defects. Only repeated names are then refused here.
const saysUnknown = "saysUnknown"

// deepest is the maximum nesting depth of values; encoding/json has the same limit.
const deepest = 10_000

// wrongNames returns a sentence for each name in a request body that is repeated in one object or unknown to the
// operation. It returns nil for invalid JSON, which the decoder reports.
func (a *api) wrongNames(r *http.Request, op *huma.Operation, body []byte) []string {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if op.RequestBody == nil || op.SkipValidateBody || media != "" && !strings.HasSuffix(media, "json") {
		return nil
	}
	w := nameWalk{
		tokens: json.NewDecoder(bytes.NewReader(body)), schemas: a.huma.OpenAPI().Components.Schemas,
		doubledOnly: op.Metadata[saysUnknown] == true,
	}
	w.tokens.UseNumber()
	if err := w.value(op.RequestBody.Content["application/json"].Schema); err != nil && !errors.Is(err, errEnough) {
		return nil
	}
	return w.found
}

// errEnough ends a walk that has found the maximum number of sentences.
var errEnough = errors.New("enough was found")

// nameWalk traverses a JSON text along its schema.
type nameWalk struct {
	tokens      *json.Decoder
	schemas     huma.Registry
	doubledOnly bool
	path        []step   // to the value that is next
	found       []string // sentences
}

// step is a name in an object, or an index in a list.
type step struct {
	name  string
	index int // or isName
}

const isName = -1

// value traverses the next value; s is nil without a known schema.
func (w *nameWalk) value(s *huma.Schema) error {
	token, err := w.tokens.Token()
	if err != nil {
		return err
	}
	if len(w.path) > deepest {
		return fmt.Errorf("more than %d values are nested", deepest)
	}
	s = w.resolve(s)
	switch token {
	case json.Delim('{'):
		return w.object(s)
	case json.Delim('['):
		for i := 0; w.tokens.More(); i++ {
			if err := w.below(step{index: i}, s.Items); err != nil {
				return err
			}
		}
		_, err = w.tokens.Token()
	}
	return err
}

// object traverses the members of an object and its end.
func (w *nameWalk) object(s *huma.Schema) error {
	given := map[string]bool{}
	for w.tokens.More() {
		token, err := w.tokens.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		member, known := s.Properties[name]
		if values, isMap := s.AdditionalProperties.(*huma.Schema); !known && isMap {
			member = values
		}
		switch {
		case given[name]:
			err = w.find(name, "is given more than once.")
		case !known && !w.doubledOnly && s.AdditionalProperties == false:
			err = w.find(name, "is not a field of this request"+meant(name, slices.Sorted(maps.Keys(s.Properties))))
		}
		if err != nil {
			return err
		}
		given[name] = true
		if err := w.below(step{name, isName}, member); err != nil {
			return err
		}
	}
	_, err := w.tokens.Token()
	return err
}

// below traverses the value one step deeper.
func (w *nameWalk) below(s step, of *huma.Schema) error {
	w.path = append(w.path, s)
	err := w.value(of)
	w.path = w.path[:len(w.path)-1]
	return err
}

// find records the defect of a name at the current place.
func (w *nameWalk) find(name, what string) error {
	place := strings.Builder{}
	place.WriteString("body")
	for _, s := range append(w.path, step{name, isName}) {
		if s.index == isName {
			place.WriteString("." + s.name)
		} else {
			fmt.Fprintf(&place, "[%d]", s.index)
		}
	}
	if w.found = append(w.found, subject(place.String())+" "+what); len(w.found) > mostSentences {
		return errEnough
	}
	return nil
}

// resolve follows a reference, also in the schema of a nullable object; the result is never nil.
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
