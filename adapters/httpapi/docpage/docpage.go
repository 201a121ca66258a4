// Package docpage renders the interface description as one page of HTML, and a page for each code of a problem. The
// pages are self-contained, without scripts or other files, and use relative addresses.
package docpage

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

//go:embed *.html
var files embed.FS

// pages are parsed when the first is asked for: the processes that read files never do.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"prose": prose, "kind": kindOf, "slug": Slug, "indent": indent, "statusText": http.StatusText,
	}).ParseFS(files, "*.html"))
})

// description is the part of an OpenAPI document that is shown.
type description struct {
	Info struct{ Title, Version, Description string }
	Tags []struct{ Name, Description string }

	Paths      map[string]map[string]*operation
	Components struct {
		Schemas   map[string]*schema
		Responses map[string]response
		Examples  map[string]struct{ Summary string }
	}
}

type operation struct {
	Method, Path string `json:"-"`

	OperationID  string
	Summary      string
	Description  string
	Tags         []string
	Product      string `json:"x-product"`
	Metered      bool   `json:"x-metered"`
	Experimental bool   `json:"x-experimental"`
	Parameters   []struct {
		Name, In, Description string
		Required              bool
		Schema                *schema
	}
	RequestBody struct {
		Description string
		Content     map[string]content
	}
	Responses map[string]response
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]content
}

type content struct {
	Schema  *schema
	Example json.RawMessage
}

type schema struct {
	Ref         string `json:"$ref"`
	Type        any    // a name, or several
	Format      string
	Description string
	Enum        []any
	Items       *schema
	Properties  map[string]*schema
	Required    []string
	AnyOf       []*schema
	OneOf       []*schema
}

// group is the operations of one tag.
type group struct {
	Name, About string
	Operations  []*operation
}

// Description returns the page of an interface description.
func Description(openAPI []byte) ([]byte, error) {
	var d description
	if err := json.Unmarshal(openAPI, &d); err != nil {
		return nil, fmt.Errorf("read the interface description: %w", err)
	}
	var groups []group
	for _, t := range d.Tags {
		groups = append(groups, group{t.Name, t.Description, d.of(t.Name)})
	}
	return render("description.html", map[string]any{
		"Info": d.Info, "Groups": groups, "Schemas": d.Components.Schemas, "Codes": d.Components.Examples,
	})
}

// of lists the operations of a tag by path, v1 first, with references to common responses resolved.
func (d *description) of(tag string) (out []*operation) {
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			op := d.Paths[path][method]
			if op == nil || !slices.Contains(op.Tags, tag) {
				continue
			}
			op.Method, op.Path = strings.ToUpper(method), path
			for status, r := range op.Responses {
				if name, shared := strings.CutPrefix(r.Ref, "#/components/responses/"); shared {
					op.Responses[status] = d.Components.Responses[name]
				}
			}
			out = append(out, op)
		}
	}
	slices.SortStableFunc(out, func(a, b *operation) int {
		return strings.Compare(face(a.Path), face(b.Path))
	})
	return out
}

// face is 1 for paths of v1 and 2 for paths without a prefix.
func face(path string) string {
	if strings.HasPrefix(path, "/v1/") {
		return "1"
	}
	return "2"
}

// Problem is the documentation of one code of a problem.
type Problem struct {
	Title, Code      string
	Status           int
	Meaning, Example string
}

// Page returns the page of the problem.
func (p Problem) Page() ([]byte, error) { return render("problem.html", p) }

func render(name string, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := pages().ExecuteTemplate(&out, name, data); err != nil {
		return nil, fmt.Errorf("write a page: %w", err)
	}
	return out.Bytes(), nil
}

// Slug returns a name in the form of an address segment; the slug of a code is the last segment of its page's address.
func Slug(name string) string { return strings.NewReplacer("_", "-", " ", "-").Replace(name) }
