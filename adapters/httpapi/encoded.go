package httpapi

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// answer is a response with status 200 and no specific headers.
type answer[T any] struct{ Body encoded[T] }

func answered[T any](v T) (*answer[T], error) {
	body, err := encode(v)
	return &answer[T]{body}, err
}

// encoded is the JSON of a T, which can be sent any number of times.
type encoded[T any] struct{ text []byte }

func encode[T any](v T) (encoded[T], error) {
	var text bytes.Buffer
	err := huma.DefaultJSONFormat.Marshal(&text, v)
	return encoded[T]{text.Bytes()}, err
}

// Schema implements huma.SchemaProvider.
func (encoded[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

func (e encoded[T]) json() []byte { return e.text }

// formats returns huma's formats, extended to send encoded values unchanged.
func formats() map[string]huma.Format {
	out := maps.Clone(huma.DefaultFormats)
	for name, format := range out {
		out[name] = huma.Format{Unmarshal: format.Unmarshal, Marshal: func(w io.Writer, v any) error {
			if ready, ok := v.(interface{ json() []byte }); ok {
				if answer, ok := w.(http.ResponseWriter); ok {
					answer.Header().Set("Content-Length", strconv.Itoa(len(ready.json())))
				}
				_, err := w.Write(ready.json())
				return err
			}
			return format.Marshal(w, v)
		}}
	}
	return out
}
